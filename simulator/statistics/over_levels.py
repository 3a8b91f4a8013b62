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

Why it is undecided, the first of these that holds:
players missing:   it is known on one level only
unfinished games:  on a level on which it is neither shown nor absent, the cap stopped a larger part of the games of a
                   reading than half of the interval is wide: what these would have come to outweighs chance
as good as equal:  on every such level the 95 % interval lies within the margin, and only the correction for how much is
                   asked leaves it open
too few games:     else. p-values fall as those of a normal quantile that grows with the root of the games: so many more
                   are wanted that one of the two questions is decided, corrected as it is now

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

from simulator.statistics.intervals import Interval, Z, newcombe, wilson
from simulator.statistics.undecided import Explanation, UndecidedReason, games_more
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
    unfinished: the shares of the games of each that the cap stopped, which might have ended so; 0 where what is looked
                at is whether they are over
    """

    level: str
    first: float
    second: float
    games: tuple[int, int]
    unfinished: tuple[float, float] = (0.0, 0.0)

    @property
    def interval(self) -> Interval:
        return self.at(Z)

    def at(self, z: float) -> Interval:
        """With the limits of that normal quantile."""
        if not all(self.games):
            gap = self.second - self.first
            return Interval(gap, gap, gap)
        first, second = (wilson(share, games, z) for share, games in zip(self.shares, self.games, strict=True))
        return newcombe(second, first)

    @property
    def shares(self) -> tuple[float, float]:
        return self.first, self.second

    @property
    def error(self) -> float:
        """A standard error, from the width of the interval: it is not 0 where nothing, or everything, was won."""
        low, high = self.interval.limits
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
            low, high = self.at(z).limits
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
    """A difference over the levels with its verdict. why: what is missing; None unless it is undecided"""

    verdict: OverLevels
    levels: tuple[LevelDifference, ...]
    shown: tuple[bool, ...]
    absent: tuple[bool, ...]
    why: Explanation | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with its p-values, as they are and corrected: that there is a difference, and that it is absent."""

    one: LevelDifference
    differs: tuple[float, float]
    absent: tuple[float, float]

    @property
    def shown(self) -> bool:
        return self.differs[1] < ALPHA

    @property
    def is_absent(self) -> bool:
        return self.absent[1] < ALPHA

    @property
    def is_open(self) -> bool:
        return not (self.shown or self.is_absent)

    def games_wanted(self) -> int | None:
        """About how many more of each reading; None if these give no estimate."""
        quantiles = [
            (_quantile(p / sides), _quantile(p * ALPHA / corrected / sides))
            for sides, (p, corrected) in ((2, self.differs), (1, self.absent))
        ]
        factors = [(wanted / found) ** 2 for found, wanted in quantiles if found > 0]
        return games_more(max(self.one.games), min(factors)) if factors else None


def judged(differences: Sequence[Sequence[LevelDifference]], margin: float) -> list[Judged]:
    """The verdict on each, of all that is asked of a game; each: one difference on the levels that it is known on."""
    asked = iter(_asked([difference for levels in differences for difference in levels], margin))
    changes = iter(adjusted([_p_change(*pair) for levels in differences for pair in combinations(levels, 2)]))
    found = []
    for levels in differences:
        each = [next(asked) for _ in levels]
        is_shown, is_absent = tuple(question.shown for question in each), tuple(question.is_absent for question in each)
        is_changed = [next(changes) < ALPHA for _ in combinations(levels, 2)]
        verdict = _verdict(levels, is_shown, is_absent, any(is_changed))
        why = _why(each, margin) if verdict == OverLevels.UNDECIDED else None
        found.append(Judged(verdict, tuple(levels), is_shown, is_absent, why))
    return found


def _asked(every: Sequence[LevelDifference], margin: float) -> list[_Asked]:
    differs = [difference.p_differs() for difference in every]
    absent = [difference.p_absent(margin) for difference in every]
    pairs = [list(zip(found, adjusted(found), strict=True)) for found in (differs, absent)]
    return [_Asked(one, *of_both) for one, *of_both in zip(every, *pairs, strict=True)]


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


def _why(asked: Sequence[_Asked], margin: float) -> Explanation:
    """Of two levels or more one is open: what is shown or absent on all of them has a verdict."""
    if len(asked) < 2:
        return Explanation(UndecidedReason.PLAYERS, "it is known on one level of play only")
    open_ = [one for one in asked if one.is_open]
    if hidden := [one.one.level for one in open_ if _is_hidden_by_the_cap(one.one)]:
        return Explanation(
            UndecidedReason.UNFINISHED, f"too many games of {' and '.join(hidden)} players without an end"
        )
    if all(max(map(abs, one.one.interval.limits)) < margin for one in open_):
        return Explanation(UndecidedReason.EQUAL, "as good as equal, but for how much is asked")
    wanted = [(one.one.level, one.games_wanted()) for one in open_]
    said = [f"{level} players" + (f" (about {more:,} more of each reading)" if more else "") for level, more in wanted]
    return Explanation(
        UndecidedReason.FEW,
        f"too few games of {' and '.join(said)}",
        max((more for _, more in wanted if more), default=None),
    )


def _is_hidden_by_the_cap(one: LevelDifference) -> bool:
    low, high = one.interval.limits
    return max(one.unfinished) > (high - low) / 2


def _p_change(one: LevelDifference, other: LevelDifference) -> float:
    """That a difference is the same on both levels."""
    gap = (other.second - other.first) - (one.second - one.first)
    error = sqrt(one.error**2 + other.error**2)
    return _two_sided(gap / error) if error else float(gap == 0)


def _quantile(p: float) -> float:
    """Of the normal distribution, exceeded with that probability."""
    return -NORMAL.inv_cdf(p) if 0 < p < 1 else 0.0


def _two_sided(z: float) -> float:
    return 2 * NORMAL.cdf(-abs(z))
