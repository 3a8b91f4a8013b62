"""Verdicts on a difference between two readings over the levels of play.

Over the levels of play the difference of two shares is known with an interval on each level. It is *shown* on a level
if it is not 0 (two-sided test of two proportions), and *absent* there if it lies within the margin. Where the cap
stopped games both are asked of all games and of those that ended, and the less certain answer counts: a side that wins
less often only because more games were stopped does not win less often. Between two levels it *changes* if the
difference of the two differences is not 0.

Who plays at a level that thinks is one search, and what it shows may be its own and not the rules'. So a second player
of the same price plays too, another search or another evaluation: there a difference is shown, or absent, or changes,
only if both players show it, with the same sign (an intersection–union test). Games of few kinds (of two searches that
always play alike) tell of these machines alone, and are not asked.

The p-values of each of the three questions are corrected over all that is tested of a game: every pair of readings,
outcome, level and player. Then, in this order:

reverses with strength: it is shown on two levels, and has not the same sign
depends on who plays: on some level one player shows it, and the other shows the contrary, or that it is absent, or does
                     not show it and their two differences are not the same (as between levels)
stable:              it is shown on every level with the same sign, or absent on every level
depends on strength: it is shown on some level, and absent on another or shown to change between two
undecided:           else; or it is known on one level only

The reason why it is undecided is the first of these that holds:
players missing:   it is known on one level only
few kinds:         on a level on which it is neither shown nor absent, the games are of few kinds
one player only:   on such a level a second player has not played
unfinished games:  on such a level the cap stopped a larger part of the games of a reading than half of the interval is
                   wide: what these would have come to outweighs chance
as good as equal:  on every such level the 95 % interval lies within the margin, and only the correction for the number
                   of tests leaves it open
too few games:     else. p-values fall as those of a normal quantile that grows with the root of the games: so many more
                   are needed that one of the two questions is decided, corrected as it is now

Nothing of scipy is loaded here, where pages are made.

Sources
- Newcombe, R. G. 1998. Interval estimation for the difference between independent proportions. Statistics in Medicine
  17: 873–890 (method 10).
- Benjamini, Y. & Hochberg, Y. 1995. Controlling the false discovery rate. JRSS B 57: 289–300.
- Berger, R. L. 1982. Multiparameter hypothesis testing and acceptance sampling. Technometrics 24: 295–300
  (intersection–union tests).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product
from math import sqrt

from simulator.statistics.intervals import Interval, Z, newcombe, wilson
from simulator.statistics.verdicts import (
    LEVEL,
    NORMAL,
    SURE,
    Explanation,
    UndecidedReason,
    adjusted,
    games_more,
    two_sided,
)


class OverLevels(StrEnum):
    """The values are those of the API, which keeps what it called them first."""

    STABLE = "stable"
    DEPENDS = "depends on strength"
    TURNS_OVER = "turns over"
    WHO = "depends on who plays"
    UNDECIDED = "undecided"

    @property
    def words(self) -> str:
        """What pages call it."""
        return "reverses with strength" if self == OverLevels.TURNS_OVER else self.value


@dataclass(frozen=True, slots=True)
class LevelDifference:
    """How much larger the share of the second reading is than that of the first, on one level.

    games: of each reading; 0 where it is proved, and certain
    unfinished: the shares of the games of each that the cap stopped, which might have ended so; 0 where what is looked
                at is whether they are over
    kinds:        of how many kinds the games of each are; None where it is not known
    few:          whether they are so few that nothing is concluded of others than those who played
    again:        the same of a second player; None where he has not played
    wants_second: whether a second player has to show it too
    """

    level: str
    first: float
    second: float
    games: tuple[int, int]
    unfinished: tuple[float, float] = (0.0, 0.0)
    kinds: tuple[int | None, int | None] = (None, None)
    few: bool = False
    again: "LevelDifference | None" = None
    wants_second: bool = False

    @property
    def by_players(self) -> tuple["LevelDifference", ...]:
        """This, and the same of the second player, where he has played."""
        return (self, self.again) if self.again else (self,)

    @property
    def interval(self) -> Interval:
        return self.at(Z)

    def at(self, z: float) -> Interval:
        """Return the interval with the limits of that normal quantile."""
        return _gap(self.shares, self.games, z)

    @property
    def shares(self) -> tuple[float, float]:
        return self.first, self.second

    @property
    def gap(self) -> float:
        return self.second - self.first

    @property
    def error(self) -> float:
        """The standard error, from the width of the interval: it is not 0 where nothing, or everything, was won."""
        low, high = self.interval.limits
        return (high - low) / (2 * Z)

    @property
    def _asked(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """(shares, games) of all games, and of those that ended where some were stopped; no such game is no answer."""
        if not any(self.unfinished):
            return [(self.shares, self.games)]
        ended = tuple(1 - stopped for stopped in self.unfinished)
        finished = tuple(games * share for games, share in zip(self.games, ended, strict=True))
        if min(finished) <= 0:
            return []
        among = tuple(min(1.0, share / over) for share, over in zip(self.shares, ended, strict=True))
        return [(self.shares, self.games), ((among[0], among[1]), (finished[0], finished[1]))]

    def p_differs(self) -> float:
        """Return the p-value that there is no difference: test of two proportions, with their pooled share."""
        gaps = {second > first for (first, second), _ in self._asked}
        return max(map(_p_differs, self._asked)) if len(gaps) == 1 else 1.0

    def p_absent(self, margin: float) -> float:
        """Return the p-value that it lies beyond the margin, the least α at which the interval of 1 − 2α is within."""
        return max((_p_absent(shares, games, margin) for shares, games in self._asked), default=1.0)


def _gap(shares: tuple[float, float], games: tuple[float, float], z: float) -> Interval:
    if not all(games):
        gap = shares[1] - shares[0]
        return Interval(gap, gap, gap)
    first, second = (wilson(share, of, z) for share, of in zip(shares, games, strict=True))
    return newcombe(second, first)


def _p_differs(asked: tuple[tuple[float, float], tuple[float, float]]) -> float:
    (first, second), (one, other) = asked
    if not (one and other):
        return 0.0 if second != first else 1.0
    both = (first * one + second * other) / (one + other)
    spread = sqrt(both * (1 - both) * (1 / one + 1 / other))
    return two_sided((second - first) / spread) if spread else 1.0


def _p_absent(shares: tuple[float, float], games: tuple[float, float], margin: float) -> float:
    def room(z: float) -> float:
        low, high = _gap(shares, games, z).limits
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
    """A difference over the levels with its verdict. why: the reason; None unless it is undecided

    shown, absent: on which level it is, with every player who is asked there; who: on which it depends on who plays
    """

    verdict: OverLevels
    levels: tuple[LevelDifference, ...]
    shown: tuple[bool, ...]
    absent: tuple[bool, ...]
    why: Explanation | None = None
    who: tuple[bool, ...] = ()


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
    def sign(self) -> int:
        """1 or −1 if the difference is shown, 0 else."""
        return (1 if self.difference.gap > 0 else -1) if self.shown else 0

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


@dataclass(frozen=True, slots=True)
class _Level:
    """A level with what is tested of each player. apart: the corrected p-value that both differences are the same"""

    difference: LevelDifference
    players: tuple[_Tested, ...]
    apart: float = 1.0

    @property
    def is_complete(self) -> bool:
        return len(self.players) >= 1 + self.difference.wants_second and not any(
            one.difference.few for one in self.players
        )

    @property
    def sign(self) -> int:
        """1 or −1 if it is shown with every player who is asked; 0 else."""
        signs = {one.sign for one in self.players}
        return signs.pop() if self.is_complete and len(signs) == 1 else 0

    @property
    def is_absent(self) -> bool:
        return self.is_complete and all(one.is_absent for one in self.players)

    @property
    def depends_on_who(self) -> bool:
        if not self.is_complete or self.is_absent or self.sign:
            return False
        signs = [one.sign for one in self.players]
        other_shows = any(one.is_absent and not one.sign for one in self.players) or {1, -1} <= set(signs)
        return any(signs) and (other_shows or self.apart < LEVEL)

    @property
    def is_open(self) -> bool:
        return not (self.sign or self.is_absent or self.depends_on_who)


def judged(differences: Sequence[Sequence[LevelDifference]], margin: float) -> list[Judged]:
    """Return the verdict on each difference of a game.

    differences: everything that is tested of the game, each on the levels that it is known on
    """
    every = [one for levels in differences for level in levels for one in level.by_players]
    differs = [None if one.few else one.p_differs() for one in every]
    absent = [None if one.few else one.p_absent(margin) for one in every]
    values = zip(every, differs, adjusted(differs), absent, adjusted(absent), strict=True)
    tested = iter([
        _Tested(one, (1.0 if p is None else p, corrected), (1.0 if q is None else q, adjusted_q))
        for one, p, corrected, q, adjusted_q in values
    ])  # fmt: skip
    apart = iter(adjusted([_p_players(level) for levels in differences for level in levels]))
    of_levels = [
        [_Level(level, tuple(next(tested) for _ in level.by_players), next(apart)) for level in levels]
        for levels in differences
    ]
    changes = iter(adjusted([_p_change(*pair) for levels in of_levels for pair in combinations(levels, 2)]))
    results = []
    for levels in of_levels:
        is_changed = [next(changes) < LEVEL for _ in combinations(levels, 2)]
        verdict = _verdict(levels, any(is_changed))
        results.append(
            Judged(
                verdict,
                tuple(level.difference for level in levels),
                tuple(bool(level.sign) for level in levels),
                tuple(level.is_absent for level in levels),
                _why(levels, margin) if verdict == OverLevels.UNDECIDED else None,
                tuple(level.depends_on_who for level in levels),
            )
        )
    return results


def _verdict(levels: Sequence[_Level], changed: bool) -> OverLevels:
    signs = {level.sign for level in levels if level.sign}
    if len(levels) < 2:
        return OverLevels.UNDECIDED
    if len(signs) == 2:
        return OverLevels.TURNS_OVER
    if any(level.depends_on_who for level in levels):
        return OverLevels.WHO
    if all(level.sign for level in levels) or all(level.is_absent for level in levels):
        return OverLevels.STABLE
    only_absent = any(level.is_absent and not level.sign for level in levels)
    if signs and (only_absent or changed):
        return OverLevels.DEPENDS
    return OverLevels.UNDECIDED


def _why(levels: Sequence[_Level], margin: float) -> Explanation:
    """Return why it is undecided. Of two levels or more at least one is open, else there would be a verdict."""
    if len(levels) < 2:
        return Explanation(UndecidedReason.PLAYERS, "it is known on one level of play only")
    opens = [level for level in levels if level.is_open]
    if few := [level.difference.level for level in opens if any(one.difference.few for one in level.players)]:
        return Explanation(UndecidedReason.KINDS, f"too few different games of {' and '.join(few)} players")
    if alone := [level.difference.level for level in opens if not level.is_complete]:
        return Explanation(UndecidedReason.ONE_PLAYER, f"no second {' or '.join(alone)} player has played")
    open_ = [one for level in opens for one in level.players if one.is_open]
    if hidden := [one.difference.level for one in open_ if _is_hidden_by_the_cap(one.difference)]:
        return Explanation(
            UndecidedReason.UNFINISHED,
            f"too many games of {' and '.join(dict.fromkeys(hidden))} players without an end",
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


def _p_change(one: _Level, other: _Level) -> float:
    """Return the p-value that a difference is the same on both levels, with every player of the one and the other."""
    if not (one.is_complete and other.is_complete):
        return 1.0
    pairs = [(first.difference, second.difference) for first, second in product(one.players, other.players)]
    directions = {second.gap > first.gap for first, second in pairs}
    return max(_p_changes(*pair) for pair in pairs) if len(directions) == 1 else 1.0


def _p_players(level: LevelDifference) -> float | None:
    """Return the p-value that a difference is the same with both players; None where it was not asked of two."""
    again = level.again
    return None if again is None or level.few or again.few else _p_changes(level, again)


def _p_changes(one: LevelDifference, other: LevelDifference) -> float:
    error = sqrt(one.error**2 + other.error**2)
    return two_sided((other.gap - one.gap) / error) if error else float(other.gap == one.gap)


def _quantile(p: float) -> float:
    """Return the quantile of the normal distribution that is exceeded with that probability."""
    return -NORMAL.inv_cdf(p) if 0 < p < 1 else 0.0
