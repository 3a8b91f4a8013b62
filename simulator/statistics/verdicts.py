"""Verdicts on differences: of one comparison, and of a difference between two readings over the levels of play.

*Same within the margin*: two one-sided tests show at 5 % that the difference lies within a margin, which says how large
a difference matters. This is looked at first: a difference that is certain and too small to matter is the same within
the margin. *Differs*: else, if it is shown at 5 % that there is a difference. *Undecided*: else.

The p-value of the two one-sided tests is the least α at which the interval of confidence 1 − 2α lies within the margin.
It is None where no interval is known, and 1 where the figure itself lies beyond the margin.

Both kinds of test are corrected after Benjamini and Hochberg over all measures of the comparison, each kind for itself:
of what is called the same, and of what is said to differ, no more than 5 % are expected to be called so wrongly. A
measure that is alike in every pair cannot differ, and takes no part in the correction of those that might; one whose
games give no interval takes none in the other.

Over the levels of play the difference of two shares is known with an interval on each level. It is *shown* on a level
if it is not 0 (two-sided test of two proportions), and *absent* there if it lies within the margin. Between two levels
it *changes* if the difference of the two differences is not 0. The p-values of each of these three questions are
corrected over all that is tested of a game: every pair of readings, outcome and level. Then, in this order:

turns over:          it is shown on two levels, and has not the same sign
stable:              it is shown on every level with the same sign, or absent on every level
depends on strength: it is shown on some level, and absent on another or shown to change between two
undecided:           else; or it is known on one level only

The reason why it is undecided is the first of these that holds:
players missing:   it is known on one level only
unfinished games:  on a level on which it is neither shown nor absent, the cap stopped a larger part of the games of a
                   reading than half of the interval is wide: what these would have come to outweighs chance
as good as equal:  on every such level the 95 % interval lies within the margin, and only the correction for the number
                   of tests leaves it open
too few games:     else. p-values fall as those of a normal quantile that grows with the root of the games: so many more
                   are needed that one of the two questions is decided, corrected as it is now

scipy is imported only within the functions for one comparison; pages use the others.

Sources
- Newcombe, R. G. 1998. Interval estimation for the difference between independent proportions. Statistics in Medicine
  17: 873–890 (method 10).
- Schuirmann, D. J. 1987. A comparison of the two one-sided tests procedure and the power approach. Journal of
  Pharmacokinetics and Biopharmaceutics 15: 657–680.
- Benjamini, Y. & Hochberg, Y. 1995. Controlling the false discovery rate. JRSS B 57: 289–300.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import ceil, sqrt
from statistics import NormalDist

from simulator.statistics.intervals import Interval, Z, newcombe, two_digits, wilson

LEVEL = 0.05
SURE = 38.0  # standard errors; the normal distribution holds nothing beyond that a float could tell from nothing
NORMAL = NormalDist()


class Verdict(StrEnum):
    SAME = "same"
    DIFFERS = "differs"
    UNDECIDED = "undecided"


def adjusted(p_values: Sequence[float | None]) -> list[float]:
    """Return the p-values after Benjamini and Hochberg: the least level at which each is rejected. None becomes 1."""
    values = [1.0] * len(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    least = 1.0
    # From the largest p-value down, so that an adjusted value is never above that of a larger one.
    for rank in range(len(order), 0, -1):
        p, place = order[rank - 1]
        least = min(least, p * len(order) / rank)
        values[place] = least
    return values


def verdict(p_same: float, p_differs: float) -> Verdict:
    """Return the verdict on both p-values as they are corrected."""
    if p_same < LEVEL:
        return Verdict.SAME
    return Verdict.DIFFERS if p_differs < LEVEL else Verdict.UNDECIDED


def games_needed(low: float | None, high: float | None, games: int, margin: float) -> int | None:
    """Return how many games bring half of an interval's width under the margin, if they vary as these do.

    None if it is under the margin already, or if no number of games would do or is known.
    """
    if low is None or high is None or margin <= 0:
        return None
    half = (high - low) / 2
    return ceil(games * (half / margin) ** 2) if half > margin else None


def by_student(value: float, standard_error: float | None, freedom: int, margin: float) -> float | None:
    """Return the p-value of equivalence of a mean with that standard error; None where the error is not known.

    freedom: degrees of freedom of the standard error
    """
    from scipy.stats import t

    if standard_error is None:
        return None
    room = margin - abs(value)
    if room <= 0:
        return 0.0 if room == 0 == standard_error else 1.0
    return float(t.sf(room / standard_error, freedom)) if standard_error else 0.0


def by_interval(interval_at: Callable[[float], Interval], margin: float) -> float:
    """Return the p-value of equivalence of a figure whose interval grows with the normal quantile that it is given."""

    def room(z: float) -> float:
        value, low, high = interval_at(z)
        return margin - max(abs(value if low is None else low), abs(value if high is None else high))

    from scipy.optimize import brentq
    from scipy.stats import norm

    if room(0.0) <= 0:
        return 1.0
    return 0.0 if room(SURE) >= 0 else float(norm.sf(brentq(room, 0.0, SURE)))


class UndecidedReason(StrEnum):
    """Why something is undecided. Where several reasons meet, the first is given: what more games would not mend."""

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
    """Why something is undecided.

    text: the reason in words, without its full stop; games: about how many more are needed, None where that is no
    matter or not known
    """

    because: UndecidedReason
    text: str
    games: int | None = None


def first_of(reasons: list[Explanation]) -> Explanation:
    return min(reasons, key=lambda one: one.because.place)


def games_more(games: int, factor: float) -> int:
    """Return how many more games make `factor` times as many, rounded up to two digits: it is an estimate."""
    return two_digits(max(1, ceil(games * (factor - 1))))


class OverLevels(StrEnum):
    STABLE = "stable"
    DEPENDS = "depends on strength"
    TURNS_OVER = "turns over"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class LevelDifference:
    """How much larger the share of the second reading is than that of the first, on one level.

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
        """Return the interval with the limits of that normal quantile."""
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
        """The standard error, from the width of the interval: it is not 0 where nothing, or everything, was won."""
        low, high = self.interval.limits
        return (high - low) / (2 * Z)

    def p_differs(self) -> float:
        """Return the p-value that there is no difference: test of two proportions, with their pooled share."""
        gap = self.second - self.first
        if not all(self.games):
            return 0.0 if gap else 1.0
        one, other = self.games
        both = (self.first * one + self.second * other) / (one + other)
        spread = sqrt(both * (1 - both) * (1 / one + 1 / other))
        return _two_sided(gap / spread) if spread else 1.0

    def p_absent(self, margin: float) -> float:
        """Return the p-value that it lies beyond the margin, the least α at which the interval of 1 − 2α is within."""

        def room(z: float) -> float:
            low, high = self.at(z).limits
            return margin - max(abs(low), abs(high))

        if room(0.0) <= 0:
            return 1.0
        if room(SURE) >= 0:
            return 0.0
        low, high = 0.0, SURE
        # Bisection to the precision of a float; scipy's root finder is not loaded where pages are made.
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if room(middle) > 0 else (low, middle)
        return NORMAL.cdf(-low)


@dataclass(frozen=True, slots=True)
class Judged:
    """A difference over the levels with its verdict. why: the reason; None unless it is undecided"""

    verdict: OverLevels
    levels: tuple[LevelDifference, ...]
    shown: tuple[bool, ...]
    absent: tuple[bool, ...]
    why: Explanation | None = None


@dataclass(frozen=True, slots=True)
class _Tested:
    """A difference with its p-values, raw and corrected: that there is none, and that it is beyond the margin."""

    difference: LevelDifference
    differs: tuple[float, float]
    absent: tuple[float, float]

    @property
    def shown(self) -> bool:
        return self.differs[1] < LEVEL

    @property
    def is_absent(self) -> bool:
        return self.absent[1] < LEVEL

    @property
    def is_open(self) -> bool:
        return not (self.shown or self.is_absent)

    def games_needed(self) -> int | None:
        """Return about how many more games of each reading decide it; None if these give no estimate."""
        # The quantile of the p-value now, and of the p-value that the correction would bring down to LEVEL.
        quantiles = [
            (_quantile(p / sides), _quantile(p * LEVEL / corrected / sides))
            for sides, (p, corrected) in ((2, self.differs), (1, self.absent))
        ]
        factors = [(needed / now) ** 2 for now, needed in quantiles if now > 0]
        return games_more(max(self.difference.games), min(factors)) if factors else None


def judged(differences: Sequence[Sequence[LevelDifference]], margin: float) -> list[Judged]:
    """Return the verdict on each difference of a game.

    differences: everything that is tested of the game, each on the levels that it is known on
    """
    every = [difference for levels in differences for difference in levels]
    differs, absent = [one.p_differs() for one in every], [one.p_absent(margin) for one in every]
    values = zip(every, differs, adjusted(differs), absent, adjusted(absent), strict=True)
    tested = iter([_Tested(one, (p, corrected), (q, adjusted_q)) for one, p, corrected, q, adjusted_q in values])
    changes = iter(adjusted([_p_change(*pair) for levels in differences for pair in combinations(levels, 2)]))
    results = []
    for levels in differences:
        each = [next(tested) for _ in levels]
        is_shown, is_absent = tuple(one.shown for one in each), tuple(one.is_absent for one in each)
        is_changed = [next(changes) < LEVEL for _ in combinations(levels, 2)]
        verdict = _verdict(levels, is_shown, is_absent, any(is_changed))
        why = _why(each, margin) if verdict == OverLevels.UNDECIDED else None
        results.append(Judged(verdict, tuple(levels), is_shown, is_absent, why))
    return results


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


def _why(tested: Sequence[_Tested], margin: float) -> Explanation:
    """Return why it is undecided. Of two levels or more at least one is open, else there would be a verdict."""
    if len(tested) < 2:
        return Explanation(UndecidedReason.PLAYERS, "it is known on one level of play only")
    open_ = [one for one in tested if one.is_open]
    if hidden := [one.difference.level for one in open_ if _is_hidden_by_the_cap(one.difference)]:
        return Explanation(
            UndecidedReason.UNFINISHED, f"too many games of {' and '.join(hidden)} players without an end"
        )
    if all(max(map(abs, one.difference.interval.limits)) < margin for one in open_):
        return Explanation(UndecidedReason.EQUAL, "as good as equal, but for how much is asked")
    needed = [(one.difference.level, one.games_needed()) for one in open_]
    where = [f"{level} players" + (f" (about {more:,} more of each reading)" if more else "") for level, more in needed]
    return Explanation(
        UndecidedReason.FEW,
        f"too few games of {' and '.join(where)}",
        max((more for _, more in needed if more), default=None),
    )


def _is_hidden_by_the_cap(one: LevelDifference) -> bool:
    low, high = one.interval.limits
    return max(one.unfinished) > (high - low) / 2


def _p_change(one: LevelDifference, other: LevelDifference) -> float:
    """Return the p-value that a difference is the same on both levels."""
    gap = (other.second - other.first) - (one.second - one.first)
    error = sqrt(one.error**2 + other.error**2)
    return _two_sided(gap / error) if error else float(gap == 0)


def _quantile(p: float) -> float:
    """Return the quantile of the normal distribution that is exceeded with that probability."""
    return -NORMAL.inv_cdf(p) if 0 < p < 1 else 0.0


def _two_sided(z: float) -> float:
    return 2 * NORMAL.cdf(-abs(z))
