"""How many arrangements the board of an unsolved ruleset has: counted beforehand, unlike its positions.

Positions are more than arrangements (whose move it is, who is a king, what is in hand), and play may come to few of
them; so this says what to expect, and proves nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

from simulator.engine.boards.points import BOARDS
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.limits import MOST_POSITIONS

WRITTEN_OUT = 10**9  # larger numbers are powers of ten


@dataclass(frozen=True, slots=True)
class SolutionSize:
    """arrangements: of any number of the pieces on the points, or of all counters in holes and stores"""

    arrangements: int
    most: int = MOST_POSITIONS

    @property
    def is_small(self) -> bool:
        """Whether all of them could be looked at, with either side to move."""
        return 2 * self.arrangements <= self.most

    @property
    def mantissa(self) -> str:
        """ "12,345", or "3.4" of 3.4 times a power of ten."""
        if self.arrangements < WRITTEN_OUT:
            return f"{self.arrangements:,}"
        return f"{self.arrangements / 10**self._digits:.1f}"

    @property
    def exponent(self) -> int | None:
        return None if self.arrangements < WRITTEN_OUT else self._digits

    @property
    def _digits(self) -> int:
        return len(str(self.arrangements)) - 1


def _on_points(rules: Mapping[str, Any]) -> int:
    points, first, second = len(BOARDS[rules["board"]].points), rules["first_pieces"], rules["second_pieces"]
    return sum(comb(points, a) * comb(points - a, b) for a in range(first + 1) for b in range(second + 1))


def _in_holes(rules: Mapping[str, Any]) -> int:
    holes = 2 * rules["holes_per_row"]
    rooms = holes + 2  # the stores
    return comb(holes * rules["counters_per_hole"] + rooms - 1, rooms - 1)


COUNTED: Mapping[str, Callable[[Mapping[str, Any]], int]] = {"points": _on_points, "sowing": _in_holes}


def solution_size(ruleset: Ruleset) -> SolutionSize | None:
    """None where throws decide: there a position is more than what stands where."""
    count = COUNTED.get(ruleset.family)
    return SolutionSize(count(ruleset.parameters)) if count else None
