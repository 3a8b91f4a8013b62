"""What becomes of a difference between two readings when the players get stronger. Pure Python.

On each level of play the difference of two shares is known with an interval. It is *shown* on a level if it is not 0
(two-sided test of two proportions), and *absent* there if it lies within the margin (two one-sided tests: its 90 %
interval does). Between two levels it *changes* if the difference of the two differences is not 0. The p-values of each
of these three questions are corrected after Benjamini and Hochberg over all that is asked of a game: every pair of
readings, outcome and level. Then, in this order:

turns over:          it is shown on two levels, and has not the same sign
stable:              it is shown on every level with the same sign, or absent on every level
depends on strength: it is shown on some level, and absent on another or shown to change between two
undecided:           else; or it is known on one level only

Sources
- Newcombe, R. G. 1998. Interval estimation for the difference between independent proportions. Statistics in Medicine
  17: 873–890 (method 10).
- Schuirmann, D. J. 1987. A comparison of the two one-sided tests procedure and the power approach. Journal of
  Pharmacokinetics and Biopharmaceutics 15: 657–680.
- Benjamini, Y. & Hochberg, Y. 1995. Controlling the false discovery rate. JRSS B 57: 289–300.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import sqrt
from statistics import NormalDist

from catalogue.texts.share_differences import Limits, Z, difference, wilson
from simulator.statistics.verdicts import adjusted

ALPHA = 0.05
NORMAL = NormalDist()
MOST_Z = 38.0  # standard errors: beyond it a float knows nothing


class OverLevels(StrEnum):
    STABLE = "stable"
    DEPENDS = "depends on strength"
    TURNS_OVER = "turns over"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class LevelDifference:
    """On one level: how much larger the share of the second reading is than that of the first.

    games: of each reading; 0 where it is proved, and certain
    """

    level: str
    first: float
    second: float
    games: tuple[int, int]

    @property
    def limits(self) -> Limits:
        return self.at(Z)

    def at(self, z: float) -> Limits:
        """With the limits of that normal quantile."""
        if not all(self.games):
            gap = self.second - self.first
            return Limits(gap, gap, gap)
        first, second = (wilson(share, games, z) for share, games in zip(self.shares, self.games, strict=True))
        return difference(first, second)

    @property
    def shares(self) -> tuple[float, float]:
        return self.first, self.second

    @property
    def error(self) -> float:
        """A standard error, from the width of the interval: it is not 0 where nothing, or everything, was won."""
        _, low, high = self.limits
        return (high - low) / (2 * Z)

    def p_differs(self) -> float:
        """That there is no difference: two proportions, with the share of both together."""
        gap = self.second - self.first
        if not all(self.games):
            return 0.0 if gap else 1.0
        one, other = self.games
        both = (self.first * one + self.second * other) / (one + other)
        spread = sqrt(both * (1 - both) * (1 / one + 1 / other))
        return _two_sided(gap / spread) if spread else 1.0

    def p_absent(self, margin: float) -> float:
        """That it lies beyond the margin: the least α at which the interval of 1 − 2α lies within."""

        def room(z: float) -> float:
            _, low, high = self.at(z)
            return margin - max(abs(low), abs(high))

        if room(0.0) <= 0:
            return 1.0
        if room(MOST_Z) >= 0:
            return 0.0
        low, high = 0.0, MOST_Z
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if room(middle) > 0 else (low, middle)
        return NORMAL.cdf(-low)


@dataclass(frozen=True, slots=True)
class Judged:
    """A difference over the levels with its verdict. why: what is missing, where it is undecided"""

    verdict: OverLevels
    levels: tuple[LevelDifference, ...]
    shown: tuple[bool, ...]
    absent: tuple[bool, ...]
    why: str = ""


def judged(differences: Sequence[Sequence[LevelDifference]], margin: float) -> list[Judged]:
    """The verdict on each, of all that is asked of a game; each: one difference on the levels that it is known on."""
    every = [one for levels in differences for one in levels]
    differs = iter(adjusted([one.p_differs() for one in every]))
    absent = iter(adjusted([one.p_absent(margin) for one in every]))
    changes = iter(adjusted([_p_change(*pair) for levels in differences for pair in combinations(levels, 2)]))
    found = []
    for levels in differences:
        is_shown = tuple(next(differs) < ALPHA for _ in levels)
        is_absent = tuple(next(absent) < ALPHA for _ in levels)
        is_changed = [next(changes) < ALPHA for _ in combinations(levels, 2)]
        verdict = _verdict(levels, is_shown, is_absent, any(is_changed))
        why = _why(levels, is_shown, is_absent) if verdict == OverLevels.UNDECIDED else ""
        found.append(Judged(verdict, tuple(levels), is_shown, is_absent, why))
    return found


def _verdict(
    levels: Sequence[LevelDifference], shown: Sequence[bool], absent: Sequence[bool], changed: bool
) -> OverLevels:
    signs = {one.second > one.first for one, seen in zip(levels, shown, strict=True) if seen}
    if len(levels) < 2:
        return OverLevels.UNDECIDED
    if len(signs) == 2:
        return OverLevels.TURNS_OVER
    if all(shown) or all(absent):
        return OverLevels.STABLE
    only_absent = any(is_absent and not seen for is_absent, seen in zip(absent, shown, strict=True))
    if signs and (only_absent or changed):
        return OverLevels.DEPENDS
    return OverLevels.UNDECIDED


def _why(levels: Sequence[LevelDifference], shown: Sequence[bool], absent: Sequence[bool]) -> str:
    if len(levels) < 2:
        return "it is known on one level of play only"
    rows = zip(levels, shown, absent, strict=True)
    open_ = [one.level for one, seen, is_absent in rows if not (seen or is_absent)]
    return f"too few games of {' and '.join(open_)} players" if open_ else "the levels do not tell it apart"


def _p_change(one: LevelDifference, other: LevelDifference) -> float:
    """That a difference is the same on both levels."""
    gap = (other.second - other.first) - (one.second - one.first)
    error = sqrt(one.error**2 + other.error**2)
    return _two_sided(gap / error) if error else float(gap == 0)


def _two_sided(z: float) -> float:
    return 2 * NORMAL.cdf(-abs(z))
