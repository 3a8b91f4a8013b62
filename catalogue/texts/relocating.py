"""Where the words of an anchor stand after their text was changed. Pure Python.

Only words that are found to the letter, between what stood round them, at one place, are certain. Everything else is a
proposal, and a person decides.
"""

import difflib
import re
from dataclasses import dataclass

from catalogue.texts.anchors import Span, nearest_words, occurrences


@dataclass(frozen=True, slots=True)
class Relocated:
    """A place for the words of an anchor.

    exact:       the words that stand there now
    similarity:  of these to the words of the anchor, from 0 to 1; 1 is the same words
    uncertainty: why a person must decide; empty if the place is certain
    """

    span: Span
    exact: str
    similarity: float
    uncertainty: str = ""


def relocate(text: str, exact: str, prefix: str, suffix: str, was: Span) -> Relocated | None:
    """The place, or the likeliest one; None if nothing in the text is like the words at all.

    was: where the words stood before the text was changed
    """
    fitting = occurrences(text, exact, prefix, suffix)
    if len(fitting) == 1:
        return Relocated(fitting[0], exact, 1.0)
    if places := fitting or occurrences(text, exact):
        nearest = min(places, key=lambda span: (abs(span.start - was.start), span.start))
        several = f"the words stand there {len(fitting)} times"
        return Relocated(nearest, exact, 1.0, several if fitting else "what stood round the words has changed")
    return _most_like(text, exact)


def _most_like(text: str, exact: str) -> Relocated | None:
    """The passage most like the words, from the beginning of a word to the end of one."""
    near = nearest_words(text, exact)
    if not near:
        return None
    start, matcher = text.index(near), difflib.SequenceMatcher(None, b=exact, autojunk=False)
    longest = text[start : start + 2 * len(exact)]

    def likeness(end: int) -> float:
        matcher.set_seq1(longest[:end])
        return matcher.ratio()

    ends = [match.end() for match in re.finditer(r"\w\b|[^\w\s](?=\s|$)", longest)]
    end = max(ends, key=likeness)
    span = Span(start, start + end)
    return Relocated(span, text[span.start : span.end], round(likeness(end), 3), "the words are not there any more")
