"""What a study of a sample cannot say, and how sure its intervals are: a paragraph on pages, a field in the API."""

OF_A_SAMPLE = (
    "There are too many combinations to play them all. In a sample, what questions do only together cannot be told "
    "apart question by question: it stands as one share, unexplained by any question alone. Where three answers or "
    "more act together, an interval holds less often than it says: in trials with games made up for it, in 70 to 100 "
    "of 100 samples. It may be large, and then the other shares tell only part of the story."
)
