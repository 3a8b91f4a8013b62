"""A text with its anchored words marked, as a critical apparatus has it: sigla for the readers, numbers for the rules.

Pure Python. A siglum stands for an authority (P for Parker), a label for one of the rules read by it (P3); ≠P3 marks
words that speak against the rule.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalogue.texts.anchors import Span, segments


@dataclass(frozen=True, slots=True)
class Mark:
    """One anchor as it stands in a text. `place` tells the anchors of one rule apart, `style` the readers.

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

    claims: whether the words say how games go, which can be tested
    """

    text: str
    marks: tuple[Mark, ...]
    starts: tuple[Mark, ...]
    ends: tuple[Mark, ...]
    claims: bool = False

    @property
    def gloss(self) -> str:
        return " · ".join(f"{mark.sign} {mark.gloss}" for mark in self.marks)

    @property
    def labels(self) -> str:
        return " ".join(dict.fromkeys(mark.label for mark in self.marks))

    @property
    def style(self) -> int:
        return self.marks[0].style if self.marks else 0

    @property
    def against(self) -> bool:
        return bool(self.marks) and all(mark.against for mark in self.marks)


def marked(text: str, marks: Sequence[Mark], claimed: Sequence[Span] = ()) -> list[MarkedPiece]:
    """The text in pieces; the shortest mark over a piece comes first, for it says most about these words.

    claimed: words that say how games go
    """
    inner_first = sorted(marks, key=lambda mark: (mark.span.end - mark.span.start, mark.span.start, mark.label))
    pieces, position = [], 0
    for segment in segments(text, [*(mark.span for mark in inner_first), *claimed]):
        over = tuple(inner_first[k] for k in segment.over if k < len(inner_first))
        starts = tuple(mark for mark in over if mark.span.start == position)
        position += len(segment.text)
        ends = tuple(mark for mark in over if mark.span.end == position)
        claims = any(k >= len(inner_first) for k in segment.over)
        pieces.append(MarkedPiece(segment.text, over, starts, ends, claims))
    return pieces


def authority_in_words(authority: str) -> tuple[str, str]:
    """(in a sentence, on a label): Parker and Parker, the portal and Portal."""
    if authority == "dlp":
        return "the portal", "Portal"
    name = authority.replace("-", " ").title()
    return name, name


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
