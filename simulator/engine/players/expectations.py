"""What a player expects of a position for the seat to move: an estimate of its search, or what is proved."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

WON, DRAWN, LOST, OPEN = "won", "drawn", "lost", "open"
Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Expectation:
    """Either a share or a proved value, never both.

    share: of the games that the mover wins, 0 … 1, a draw counting half
    value: WON, DRAWN (neither side can force a win) or LOST, whatever the other side plays; OPEN where it is only
           proved that nobody can force a win within `plies`
    plies: to the end that is proved; None if that is not known
    """

    share: float | None = None
    value: str = ""
    plies: int | None = None

    @property
    def document(self) -> dict[str, Any]:
        return asdict(self)


def by_score(score: int, plies: int | None = None) -> Expectation:
    """Return the expectation of a position that is proved to be won (1), drawn (0) or lost (-1) for its mover."""
    return Expectation(value=(DRAWN, WON, LOST)[score], plies=plies)


def read(document: Document | None) -> Expectation | None:
    return None if document is None else Expectation(**document)
