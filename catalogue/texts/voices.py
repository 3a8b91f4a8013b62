"""Who speaks: the book, today's summary of it, the Ludii program, or a reconstruction. Pure Python.

Every page, figure and sentence names a reading by one of these voices, with the same words, the same mark and the same
ink. The book is named as it is cited, "Parker 1909"; where its title does not say the year, by its author alone.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

SUMMARY, PROGRAM, REFERENCE = "dlp", "ludii", "reference"  # authorities that are no author of a book
SUMMARY_NAME, PROGRAM_NAME = "today’s summary", "the Ludii program"
_AFTER = ", after "
_YEAR = re.compile(r" \d{4}[a-z]?$")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of voice. slug: of its ink and mark; mark: the outline of its mark in a square of ten

    style: of the line under its words: 0 solid, 1 dashed, 2 dotted, 3 double
    """

    slug: str
    title: str
    mark: str
    style: int
    line: str


BOOK = Kind(
    "book",
    "the book",
    "M0.5 1.5H4.5V8.5H0.5ZM5.5 1.5H9.5V8.5H5.5Z",
    0,
    "the words of the old source itself, made into rules",
)
TODAYS = Kind(
    "summary",
    SUMMARY_NAME,
    "M5 0.8A4.2 4.2 0 1 0 5 9.2A4.2 4.2 0 1 0 5 0.8Z",
    1,
    "the rules as the Digital Ludeme Project retells them today in its own words, made into rules",
)
PROGRAMS = Kind(
    "program",
    PROGRAM_NAME,
    "M5 0.3L9.7 5L5 9.7L0.3 5Z",
    2,
    "the rules as the Digital Ludeme Project’s game program, Ludii, plays them",
)
OTHER = Kind(
    "other",
    "a reconstruction",
    "M5 0.8L9.6 9.2H0.4Z",
    3,
    "rules that go beyond what any source says, to try them",
)
KINDS = (BOOK, TODAYS, PROGRAMS, OTHER)
PUBLISHED = replace(OTHER, title="published rules", line="rules as they are published elsewhere, in our own words")


@dataclass(frozen=True, slots=True)
class Voice:
    """name: in a sentence, after "under"; label: on a bar or a button; kind: what it is"""

    kind: Kind
    name: str
    label: str

    @property
    def words(self) -> tuple[str, str]:
        """(in a sentence, on a label)."""
        return self.name, self.label

    @property
    def line(self) -> str:
        """What it is, in one line."""
        return f"{self.label}: {self.kind.line}"


@lru_cache(maxsize=1024)  # a page asks for the same few hundreds of times
def voice_of(authority: str, title: str = "") -> Voice:
    """The voice of a reading, from its authority and its title.

    >>> voice_of("parker", "Daramuti, after Parker 1909").label, voice_of("dlp").name
    ('Parker 1909', 'today’s summary')
    """
    if authority == SUMMARY:
        return Voice(TODAYS, SUMMARY_NAME, "Today’s summary")
    if authority == PROGRAM:
        return Voice(PROGRAMS, PROGRAM_NAME, "Ludii program")
    if authority == REFERENCE:
        return Voice(PUBLISHED, "the reference rules", "Reference rules")
    _, after, cited = title.partition(_AFTER)
    _, _, manner = title.partition(", ")
    if not after and manner:
        return Voice(OTHER, f"“{manner}”", f"{manner[:1].upper()}{manner[1:]}")
    name = cited or authority.replace("-", " ").title()
    return Voice(BOOK, name, name)


def authority_in_words(authority: str, title: str = "") -> tuple[str, str]:
    """(in a sentence, on a label): Parker 1909 and Parker 1909, today’s summary and Today’s summary."""
    return voice_of(authority, title).words


# What conclusions say that were computed and shipped in earlier words: their documents are kept as they are.
_EARLIER = (
    ("the portal’s paraphrase", "today’s summary"),
    ("the Ludii programme’s rules", PROGRAM_NAME),
    ("the Ludii programme", PROGRAM_NAME),
    ("No parameter gives this.", "It cannot be played here yet."),
    ("Which question matters most is not shown; the largest", "No question surely matters most; the largest"),
    ("The The first player owned more owned more", "The first player owned more"),
    ("games are of few kinds (", "too few games are different ("),
    ("first rounds are of few kinds (", "too few first rounds are different ("),
    (
        "they tell what just these players do, and nothing of the rules",
        "they show how these players play, not the rules",
    ),
    ("their games being of few kinds (", "since too few of his games are different ("),
    ("kind of players do counts for nothing here", "of the two players does counts for nothing here"),
    ("in games of so few kinds, ", "in so few different games, "),
    ("that this says nothing of other players", "that it says nothing about other players"),
    ("since it hangs on a bound of ours on", "since it depends on a limit of ours on"),
    ("with the first kind of players", "with the first of the two players"),
    ("is shown with one kind of players only", "is shown with one of the two players only"),
    ("are shown with one kind of players only", "are shown with one of the two players only"),
)


_INTERVAL = re.compile(r"\[([+−]?[\d.,]+), ([+−]?[\d.,]+)\]")
# How much more one side wins than the other moves twice as far as its share of wins, which stands beside it.
_ADVANTAGE = re.compile(
    r"(the first player’s advantage|the advantage of the [^;,:.]+?)(?= (?:changes? |does not change))",
    re.IGNORECASE,
)


def title_in_documents(title: str) -> str:
    """The title of a reading as the documents of conclusions have it, which keep the words that they began with.

    >>> title_in_documents("Daramuti, after Parker 1909"), title_in_documents("Daramuti, after today’s summary (DLP)")
    ('Daramuti, after Parker', 'Daramuti, after the portal’s paraphrase')
    """
    game, comma, manner = title.partition(", ")
    manner = manner.removesuffix(" (DLP)").replace("today’s summary", "the portal’s paraphrase")
    manner = manner.replace("as the Ludii program plays it", "as the Ludii programme plays it")
    if manner.startswith("after "):
        manner = _YEAR.sub("", manner)
    return f"{game}{comma}{manner}"


@lru_cache(maxsize=2048)  # forty replacements in texts that pages show again and again
def in_names_of_voices(text: str) -> str:
    """A text out of a computed document, with the voices called as on every page."""
    for before, now in _EARLIER:
        text = text.replace(before, now).replace(f"{before[:1].upper()}{before[1:]}", f"{now[:1].upper()}{now[1:]}")
    return _ADVANTAGE.sub(r"\1, its share of wins less that of the other side,", _INTERVAL.sub(r"(\1 to \2)", text))
