"""Why something is undecided: one of a few reasons, and how many games more would decide it. Pure Python.

Where several reasons meet, the first is told: what more games would not mend comes before what they would.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import ceil, floor, log10


class UndecidedReason(StrEnum):
    """In the order in which they are told."""

    PLAYERS = "players_missing"
    NOT_JUDGED = "not_judged"
    READINGS = "readings_disagree"
    TESTS = "tests_disagree"
    UNFINISHED = "unfinished_games"
    EQUAL = "as_good_as_equal"
    FEW = "too_few_games"

    @property
    def words(self) -> str:
        return IN_WORDS[self]

    @property
    def place(self) -> int:
        return list(UndecidedReason).index(self)


IN_WORDS = {
    UndecidedReason.PLAYERS: "in want of players",
    UndecidedReason.NOT_JUDGED: "not judged yet",
    UndecidedReason.READINGS: "the readings disagree",
    UndecidedReason.TESTS: "the tests disagree",
    UndecidedReason.UNFINISHED: "too many games without an end",
    UndecidedReason.EQUAL: "as good as equal",
    UndecidedReason.FEW: "too few games",
}
REASONS = [(str(reason), reason.words) for reason in UndecidedReason]


@dataclass(frozen=True, slots=True)
class Explanation:
    """text: the reason in words, without its full stop; games: about how many more are wanted, None where that is no
    matter or not known
    """

    because: UndecidedReason
    text: str
    games: int | None = None


def first_of(reasons: list[Explanation]) -> Explanation:
    return min(reasons, key=lambda one: one.because.place)


def games_more(games: int, factor: float) -> int:
    """How many more make so many times as many, rounded up to two digits: it is an estimate."""
    more = max(1, ceil(games * (factor - 1)))
    step: int = 10 ** max(0, floor(log10(more)) - 1)
    return ceil(more / step) * step
