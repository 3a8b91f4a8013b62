"""Anchors: where words stand in a text, where they are after it was changed, and the text with marks. Pure Python.

Offsets count code points, and text is never re-wrapped. An anchor follows the W3C Web Annotation model
(https://www.w3.org/TR/annotation-model/): the words themselves with a little of what stands round them
(TextQuoteSelector), their offsets (TextPositionSelector), and a digest of the text they were found in, so that an edit
of the text is noticed.

A marked text is as a critical apparatus has it: a siglum stands for an authority (P for Parker), a label for one of the
rules read by it (P3); ≠P3 marks words that speak against the rule. Pages name the voice of a rule instead of its label.
"""

import difflib
import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from catalogue.texts.descent import CHANGED, Descent, descent
from catalogue.texts.voices import KINDS

WORD = re.compile(r"\w+(?:[’'\-]\w+)*")

CLOSELY_COMPARED = 20
NOT_KNOWN = "the text in which the words were chosen is not kept, so that nothing shows that these are the same"
LONGEST_COMPARED, LONGEST_QUOTED = 300, 1_000  # characters: comparing costs the square of them


class AnchorProblem(ValueError):
    """Words are not to be found in a text, or more than once; the message says which and names the nearest."""


@dataclass(frozen=True, slots=True)
class Span:
    """Code points start to end of a text, the end not included."""

    start: int
    end: int


def digest_of(text: str) -> str:
    """64 hex digits that tell one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()


def locate(text: str, exact: str, prefix: str = "", suffix: str = "") -> Span:
    """Return where the words stand; prefix and suffix are what stands immediately round them, to tell two places apart.

    Raises AnchorProblem if they stand nowhere or, with that prefix and suffix, more than once.
    """
    if not exact:
        raise AnchorProblem("an anchor needs words")
    found = occurrences(text, exact, prefix, suffix)
    quoted = exact if len(exact) <= LONGEST_QUOTED else f"{exact[:LONGEST_QUOTED]}…"
    if not found:
        raise AnchorProblem(f"the words {quoted!r} are not in the text; the nearest are {nearest_words(text, exact)!r}")
    if len(found) > 1:
        shown = ", ".join(repr(text[max(0, span.start - 20) : span.end + 20]) for span in found[:3])
        raise AnchorProblem(f"the words {quoted!r} stand there {len(found)} times ({shown}); give a prefix or a suffix")
    return found[0]


def occurrences(text: str, exact: str, prefix: str = "", suffix: str = "") -> list[Span]:
    """Every place at which the words stand between prefix and suffix."""
    found, start = [], text.find(exact)
    while start >= 0:
        end = start + len(exact)
        if text.endswith(prefix, 0, start) and text.startswith(suffix, end):
            found.append(Span(start, end))
        start = text.find(exact, start + 1)
    return found


def nearest_words(text: str, exact: str) -> str:
    """The piece of the text, from the beginning of a word, that is most like the words, or like how they begin."""
    compared = exact[:LONGEST_COMPARED]
    matcher = difflib.SequenceMatcher(None, b=compared, autojunk=False)

    def likeness(start: int) -> float:
        matcher.set_seq1(text[start : start + len(compared)])
        return matcher.quick_ratio()

    starts = sorted((word.start() for word in WORD.finditer(text)), key=likeness, reverse=True)[:CLOSELY_COMPARED]
    if not starts:
        return ""

    def closely(start: int) -> float:
        matcher.set_seq1(text[start : start + len(compared)])
        return matcher.ratio()

    best = max(starts, key=closely)
    return text[best : best + min(len(exact), LONGEST_QUOTED)]


def selectors(exact: str, prefix: str, suffix: str, span: Span) -> list[dict[str, Any]]:
    """The two selectors of an anchor as the W3C model writes them."""
    return [
        {"type": "TextQuoteSelector", "exact": exact, "prefix": prefix, "suffix": suffix},
        {"type": "TextPositionSelector", "start": span.start, "end": span.end},
    ]


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same code points as spans that neither touch nor overlap, in order."""
    result: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if result and span.start <= result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return result


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text over which the same anchors lie; `over` holds their places in the list that was given."""

    text: str
    over: tuple[int, ...]


def segments(text: str, spans: list[Span]) -> list[Segment]:
    """The text cut wherever an anchor begins or ends; joined they are the text again."""
    cuts = sorted({0, len(text), *(span.start for span in spans), *(span.end for span in spans)})
    return [
        Segment(text[a:b], tuple(k for k, span in enumerate(spans) if span.start <= a and b <= span.end))
        for a, b in pairwise(cuts)
    ]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of a text's words are used, and for what; a word that is used in several ways is counted in each.

    anchored: words that a rule rests on, or that a reading takes over the rules of another by; opposing: that speak
              against a rule
    claimed:  of a sentence that can be tested
    unused:   used in none of these ways
    asked:    that an answer to a question rests on
    """

    words: int
    anchored: int
    opposing: int = 0
    claimed: int = 0
    unused: int = 0
    asked: int = 0

    @property
    def share(self) -> float | None:
        """The share of the words that a rule rests on; None without words."""
        return self.anchored / self.words if self.words else None


def coverage(
    text: str,
    supporting: Iterable[Span],
    opposing: Iterable[Span] = (),
    claimed: Iterable[Span] = (),
    asked: Iterable[Span] = (),
) -> Coverage:
    """Words of a text and those that anchors of each kind touch, wholly or in part."""
    words = list(WORD.finditer(text))
    uses = [_touched(words, spans) for spans in (supporting, opposing, claimed, asked)]
    anchored, against, said, doubted = map(len, uses)
    return Coverage(len(words), anchored, against, said, len(words) - len(set().union(*uses)), doubted)


def _touched(words: list[re.Match[str]], spans: Iterable[Span]) -> set[int]:
    """The places of the words that a span touches. Words stand in order and apart, so their places need no search."""
    begins, ends = [word.start() for word in words], [word.end() for word in words]
    return {
        place
        for span in merged(spans)
        for place in range(bisect_right(ends, span.start), bisect_left(begins, span.end))
    }


@dataclass(frozen=True, slots=True)
class Relocated:
    """A place for the words of an anchor.

    exact:       the words that stand there now
    similarity:  of these to the words of the anchor, from 0 to 1; 1 is the same words, in whatever signs
    uncertainty: why a person must decide; empty if the place is certain
    prefix, suffix: what tells a certain place from others where the same words stand
    """

    span: Span
    exact: str
    similarity: float
    uncertainty: str = ""
    prefix: str = ""
    suffix: str = ""


def relocate(text: str, exact: str, prefix: str, suffix: str, was: Span, before: str | None = None) -> Relocated | None:
    """Return where the words of an anchor stand after their text was changed; None if nothing in it is like them at
    all.

    Certain is only what both texts show (`catalogue.texts.descent`); white space and the spelling of signs are no
    change. Everything else is a proposal, and a person decides.

    was:    where the words stood before the text was changed
    before: the text as it was then; None if it is not known, and then nothing is certain
    """
    expected, doubt = was.start, NOT_KNOWN
    if before is not None and before[was.start : was.end] == exact:
        start = was.start - len(prefix) if before.endswith(prefix, 0, was.start) else was.start
        end = was.end + len(suffix) if before.startswith(suffix, was.end) else was.end
        shown = descent(before, text, was.start, was.end, (start, end))
        if shown.first[1] >= 0:
            return _moved(text, before, was, shown, Span(start, end))
        expected, doubt = was.start + shown.shift, shown.doubt
    fitting = occurrences(text, exact, prefix, suffix)
    if places := fitting or occurrences(text, exact):
        nearest = min(places, key=lambda span: (abs(span.start - expected), span.start))
        if len(fitting) > 1:
            doubt = f"the words stand there {len(fitting)} times"
        return Relocated(nearest, exact, 1.0, doubt if fitting else CHANGED)
    return _most_like(text, exact)


def _moved(text: str, before: str, was: Span, shown: Descent, with_sides: Span) -> Relocated:
    """The words where they stand now, with as much before and behind them as tells them apart there."""
    span, sides = Span(*shown.moved(was.start, was.end)), Span(*shown.moved(with_sides.start, with_sides.end))
    old = before[was.start : was.end]
    leading = len(old) - len(old.lstrip())
    if text.startswith(old, span.start - leading):  # white space at the ends is a part of the words
        span = Span(span.start - leading, span.start - leading + len(old))
    exact = text[span.start : span.end]
    sides = Span(min(span.start, sides.start), max(span.end, sides.end))
    while len(occurrences(text, exact, text[sides.start : span.start], text[span.end : sides.end])) > 1:
        word_before = re.search(r"\S+\s*$", text[: sides.start])
        word_behind = re.compile(r"\s*\S+").match(text, sides.end)
        sides = Span(
            word_before.start() if word_before else sides.start, word_behind.end() if word_behind else sides.end
        )
    return Relocated(span, exact, 1.0, shown.doubt, text[sides.start : span.start], text[span.end : sides.end])


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


@dataclass(frozen=True, slots=True)
class Mark:
    """One anchor as it stands in a text. `place` tells the anchors of one rule apart, `style` the voices.

    address: what the anchor itself is called on the page, whichever readings are shown there
    """

    span: Span
    label: str
    place: int
    style: int
    against: bool
    gloss: str
    address: str = ""

    @property
    def id(self) -> str:
        return f"w-{self.label}-{self.place}"

    @property
    def sign(self) -> str:
        return f"≠{self.label}" if self.against else self.label


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A stretch of text under the same marks. `starts` begin with it; references to those in `ends` follow it.

    use: of words under no mark: CLAIMED, ASKED or RESTED_ON; empty if they are used for nothing
    """

    text: str
    marks: tuple[Mark, ...]
    starts: tuple[Mark, ...]
    ends: tuple[Mark, ...]
    use: str = ""

    @property
    def gloss(self) -> str:
        return " · ".join(f"{mark.sign} {mark.gloss}" for mark in self.marks)

    @property
    def labels(self) -> str:
        return " ".join(dict.fromkeys(mark.label for mark in self.marks))

    @property
    def followed_by(self) -> str:
        """The kinds of voices whose rules follow these words, "book program"."""
        return " ".join(dict.fromkeys(KINDS[mark.style].slug for mark in self.marks if not mark.against))

    @property
    def departed_from_by(self) -> str:
        """The kinds of voices that have a rule against these words."""
        return " ".join(dict.fromkeys(KINDS[mark.style].slug for mark in self.marks if mark.against))

    @property
    def style(self) -> int:
        return self.marks[0].style if self.marks else 0

    @property
    def against(self) -> bool:
        return bool(self.marks) and all(mark.against for mark in self.marks)


# What words are used for besides the rules: they say how games go, an answer to a question rests on them, or by them a
# reading takes over the rules of another.
CLAIMED, ASKED, RESTED_ON = "claimed", "asked", "rested-on"


def marked(
    text: str, marks: Sequence[Mark], used: Sequence[tuple[Span, str]] = (), first: int = 0
) -> list[MarkedPiece]:
    """The text in pieces. Rules that follow the words come before those against them, of these the voice that is asked
    for, then the others in their order; of one voice the shortest mark, for it says most about these words.

    used:  words that are used otherwise, and for what; of several uses the first is told
    first: the style of the voice whose rules come first
    """
    inner_first = sorted(
        marks,
        key=lambda mark: (
            *(mark.against, mark.style != first, mark.style),
            *(mark.span.end - mark.span.start, mark.span.start, mark.label),
        ),
    )
    pieces, position = [], 0
    for segment in segments(text, [*(mark.span for mark in inner_first), *(span for span, _ in used)]):
        over = tuple(inner_first[k] for k in segment.over if k < len(inner_first))
        starts = tuple(mark for mark in over if mark.span.start == position)
        position += len(segment.text)
        ends = tuple(mark for mark in over if mark.span.end == position)
        uses = [used[k - len(inner_first)][1] for k in segment.over if k >= len(inner_first)]
        pieces.append(MarkedPiece(segment.text, over, starts, ends, uses[0] if uses else ""))
    return pieces


def sigla(authorities: Iterable[str]) -> dict[str, str]:
    """A siglum for each authority: its first letter, and where two share it the letter in which they first differ."""
    names = list(dict.fromkeys(authorities))
    found: dict[str, str] = {}
    for name in names:
        rivals = [other for other in names if other != name and other[:1] == name[:1]]
        differing = next((k for k in range(len(name)) if all(other[k : k + 1] != name[k] for other in rivals)), None)
        second = name[differing] if rivals and differing is not None else ""
        found[name] = name[:1].upper() + (second if second != name[:1] else "")
    if len(set(found.values())) < len(found):  # three that share letters: number them
        found = {name: f"{name[:1].upper()}{place}" for place, name in enumerate(names, start=1)}
    return found
