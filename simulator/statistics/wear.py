"""What play leaves on a board: shares of its lines or points with intervals, and whether they agree with what is
observed on an object.

Games are the unit: each weighs one, however long, and moves within a game depend on each other. A batch keeps the
shares of its games summed in blocks by game number, in whole numbers, so that blocks can be drawn again in constant
memory and a batch played in parts gives the same sums.

A figure is never that a ruleset was played. Two questions are asked of a candidate. Does it fit better than chance: its
tau-b against the same shares dealt out anew to the things that were observed, corrected by Holm, which holds however
the candidates depend on each other (they share all observations, so that rules that ask for independence, such as
Benjamini and Hochberg's, do not). And is it to be rejected: more of the observed orders go against it than observers
who err as often as they say they do would get wrong; of all candidates one at most is true, so that the chance to
reject the true one is the level as it stands.

Sources
- Efron, B. & Tibshirani, R. J. 1993. An Introduction to the Bootstrap. Chapman & Hall: chapters 8 and 13.
- Kendall, M. G. 1945. The treatment of ties in ranking problems. Biometrika 33: 239–251 (tau-b).
- Holm, S. 1979. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6: 65–70.
- Lehmann, E. L. & Romano, J. P. 2005. Testing Statistical Hypotheses. 3rd ed. Springer: section 15.2 (by groups).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import factorial, log

import numpy as np
from numpy.typing import NDArray

from simulator.statistics.intervals import TAIL, Interval

BLOCKS = 256
RESAMPLES = 2_000
MOST_LISTED = 5_040  # orders of seven things: so many are all looked at, of more a sample
LEVEL = 0.05
AGREES, DISAGREES, CANNOT_TELL = "agrees", "disagrees", "cannot_tell"
ERRORS = {"certain": 0.01, "likely": 0.1, "doubtful": 0.25}  # how often an order that is given so is wrong
TURNED = 9_999  # times that blocks are turned by lot: enough to be corrected for the most candidates of a set
TIED = 1e-12  # shares that differ by less are one: sums of floats taken in another order

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Sums:
    """weights: int64[blocks, things], the games' shares summed, on any scale; games: int64[blocks]"""

    weights: Integers
    games: Integers

    def of(self, classes: Sequence[Sequence[int]]) -> "Sums":
        """Return the sums of classes of things."""
        folded = [self.weights[:, list(members)].sum(axis=1) for members in classes]
        return Sums(np.stack(folded, axis=1), self.games)

    def drawn(self, seed: int, resamples: int = RESAMPLES) -> Floats:
        """Return the shares of so many resamples of the blocks, float64[resamples, things]; each adds up to one."""
        filled = self.games > 0
        sums: Floats = _often(int(filled.sum()), seed, resamples) @ self.weights[filled].astype(np.float64)
        return _of_one(sums)

    def shares(self) -> Floats:
        """Return the shares over all games; they add up to one."""
        whole: Floats = _of_one(self.weights.sum(axis=0).astype(np.float64)[None])[0]
        return whole


@lru_cache(4)
def _often(blocks: int, seed: int, resamples: int) -> Floats:
    """Return how often each block is in each resample: the same draws for all candidates of a set."""
    draw = np.random.Generator(np.random.PCG64(seed))
    often: Floats = draw.multinomial(blocks, np.full(blocks, 1 / blocks), resamples).astype(np.float64)
    return often


def _of_one(sums: Floats) -> Floats:
    total = sums.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
    return shares


def share_intervals(sums: Sums, seed: int = 0) -> list[Interval]:
    """Return the share of each thing with its bootstrap interval."""
    return [_percentiles(value, drawn) for value, drawn in zip(sums.shares(), sums.drawn(seed).T, strict=True)]


def _percentiles(value: float, drawn: Floats) -> Interval:
    low, high = np.quantile(drawn, [TAIL, 1 - TAIL])
    return Interval(float(value), float(low), float(high))


# What is observed


@dataclass(frozen=True, slots=True)
class Order:
    """An observed order: lines or points that are more worn than others, each worn as much as its mean member.

    error: how often an order that is given like this is wrong: more than never, and less than every second time
    """

    more: tuple[int, ...]
    less: tuple[int, ...]
    error: float = ERRORS["certain"]

    def __post_init__(self) -> None:
        if not 0 < self.error < 0.5:
            raise ValueError(f"error must lie between 0 and 0.5, not {self.error}")


def orders_of_grades(grades: Iterable[tuple[Sequence[int], int]], error: float = ERRORS["certain"]) -> list[Order]:
    """Return the orders that ordinal grades of groups of things are; groups of one grade are in no order."""
    listed = [(tuple(members), grade) for members, grade in grades]
    pairs = ((one, other) for place, one in enumerate(listed) for other in listed[place + 1 :])
    return [
        Order(*(one[0], other[0]) if one[1] > other[1] else (other[0], one[0]), error)
        for one, other in pairs
        if one[1] != other[1]
    ]


@dataclass(frozen=True, slots=True)
class Told:
    """What play says of an order: the difference of the mean shares, and the verdict."""

    difference: Interval
    verdict: str

    @property
    def tells(self) -> bool:
        return self.verdict != CANNOT_TELL


@dataclass(frozen=True)
class Agreement:
    """What play by one candidate says of the observed orders.

    tau:      tau-b over the observed pairs, with its interval; without value where play tells no pair apart
    by_lot:   how often the same shares, dealt out by lot to the things observed, agree as well
    rejected: how often observers who err as often as they say would go against the play as often, if it were true
    """

    told: tuple[Told, ...]
    tau: Interval | None
    by_lot: float
    rejected: float

    @property
    def signature(self) -> tuple[str, ...]:
        return tuple(one.verdict for one in self.told)


def agreement(sums: Sums, orders: Sequence[Order], seed: int = 0) -> Agreement:
    """Hold play against observed orders, of which there is one at least."""
    things = sorted({group for order in orders for group in (order.more, order.less)})
    place = {group: number for number, group in enumerate(things)}
    pairs = np.array([(place[order.more], place[order.less]) for order in orders])
    observed = np.ones(len(orders))
    value, drawn = _means(sums.shares()[None], things)[0], _means(sums.drawn(seed), things)
    told = []
    for more, less in pairs:
        difference = _percentiles(value[more] - value[less], drawn[:, more] - drawn[:, less])
        told.append(Told(difference, _verdict(difference)))
    tau = tau_b(value[None], pairs, observed)[0]
    taus = tau_b(drawn, pairs, observed)
    return Agreement(
        tuple(told),
        None if np.isnan(tau) else _percentiles(tau, taus[~np.isnan(taus)]),
        _by_lot(value, pairs, observed, tau, seed),
        _rejected(orders, told),
    )


def _rejected(orders: Sequence[Order], told: Sequence[Told]) -> float:
    """Return the chance of so many wrong orders, of those that play tells anything of."""
    says = [(order.error, one.verdict == DISAGREES) for order, one in zip(orders, told, strict=True) if one.tells]
    return as_wrong([error for error, _ in says], [is_wrong for _, is_wrong in says])


def _means(shares: Floats, things: Sequence[Sequence[int]]) -> Floats:
    return np.stack([shares[:, list(members)].mean(axis=1) for members in things], axis=1)


def _verdict(difference: Interval) -> str:
    low, high = difference.limits
    return AGREES if low > TIED else DISAGREES if high < -TIED else CANNOT_TELL


def tau_b(values: Floats, pairs: NDArray[np.int64], observed: Floats) -> Floats:
    """Return Kendall's tau-b over the given pairs, for each row of values; not a number where all of them are tied.

    values:   float64[rows, things]; pairs: int64[pairs, 2]
    observed: float64[pairs], 1 where the first of a pair is observed to be more, -1 where less, 0 where as much
    """
    apart = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]
    signs = np.where(np.abs(apart) <= TIED, 0.0, np.sign(apart))
    room = np.sqrt(np.abs(signs).sum(axis=1) * np.abs(observed).sum())
    taus: Floats = np.divide(signs @ observed, room, out=np.full(len(values), np.nan), where=room > 0)
    return taus


def _by_lot(value: Floats, pairs: NDArray[np.int64], observed: Floats, tau: float, seed: int) -> float:
    """Return the share of ways of dealing out the values that agree as well or better; exact for a few things."""
    if np.isnan(tau):
        return 1.0
    if factorial(len(value)) <= MOST_LISTED:
        dealt = np.array(list(permutations(range(len(value)))))
        return float(np.mean(_as_well(tau_b(value[dealt], pairs, observed), tau)))
    lots = np.random.Generator(np.random.PCG64(seed))
    dealt = lots.permuted(np.tile(np.arange(len(value)), (MOST_LISTED - 1, 1)), axis=1)
    return float((1 + np.sum(_as_well(tau_b(value[dealt], pairs, observed), tau))) / MOST_LISTED)


def _as_well(taus: Floats, tau: float) -> NDArray[np.bool_]:
    as_well: NDArray[np.bool_] = np.nan_to_num(taus, nan=-1.0) >= tau - TIED
    return as_well


def as_wrong(errors: Sequence[float], wrong: Sequence[bool]) -> float:
    """Return how often orders that err so often, apart from each other, are as much against what is true as these.

    An order that is wrong weighs the more the surer it is: the logarithm of right to wrong. The chance is exact.
    """
    weights = [log((1 - error) / error) for error in errors]
    found = {0.0: 1.0}
    for error, weight in zip(errors, weights, strict=True):
        after = dict[float, float]()
        for weighed, chance in found.items():
            for adds, part in ((0.0, 1 - error), (weight, error)):
                total = round(weighed + adds, 9)
                after[total] = after.get(total, 0.0) + chance * part
        found = after
    least = sum(weight for weight, is_wrong in zip(weights, wrong, strict=True) if is_wrong) - 1e-6
    return min(1.0, sum(chance for weighed, chance in found.items() if weighed >= least))


# Candidates


def holm(chances: Sequence[float]) -> list[float]:
    """Return Holm's corrected chances, in the order given."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    found, least = [0.0] * len(chances), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(chances) - rank) * chances[place]))
        found[place] = least
    return found


@dataclass(frozen=True)
class Compared:
    """Candidates held against one set of observations.

    by_lot:  corrected for the number of candidates
    stands:  the candidates that are not rejected, as numbers
    alike:   classes of candidates of which these observations tell the same, the largest first
    without: for each observed order, the candidates that would stand besides if it were left out
    """

    agreements: tuple[Agreement, ...]
    by_lot: tuple[float, ...]
    stands: tuple[int, ...]
    alike: tuple[tuple[int, ...], ...]
    without: tuple[tuple[int, ...], ...]


def compare(candidates: Sequence[Sums], orders: Sequence[Order], seed: int = 0, level: float = LEVEL) -> Compared:
    """Hold every candidate's play against the observed orders."""
    return compared([agreement(sums, orders, seed) for sums in candidates], orders, level)


def compared(found: Sequence[Agreement], orders: Sequence[Order], level: float = LEVEL) -> Compared:
    """Put together what play by each candidate says of the same orders."""
    stands = {number for number, one in enumerate(found) if one.rejected > level}
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(found):
        alike.setdefault(one.signature, []).append(number)
    return Compared(
        tuple(found),
        tuple(holm([one.by_lot for one in found])),
        tuple(sorted(stands)),
        tuple(sorted(map(tuple, alike.values()), key=lambda members: (-len(members), members))),
        tuple(
            tuple(n for n, one in enumerate(found) if n not in stands and _without(one, orders, left_out) > level)
            for left_out in range(len(orders))
        ),
    )


def _without(one: Agreement, orders: Sequence[Order], left_out: int) -> float:
    kept = [number for number in range(len(orders)) if number != left_out]
    return _rejected([orders[number] for number in kept], [one.told[number] for number in kept])


# Lopsidedness


@dataclass(frozen=True, slots=True)
class Lopsided:
    """Of the things that symmetries map on each other, the one that play prefers most.

    thing:  of which most is used beyond its even share
    share:  of all uses
    even:   the share that it would have if nothing were preferred in its orbit
    chance: how often as much is preferred if each block is turned by lot
    """

    thing: int
    share: float
    even: float
    chance: float


def lopsided(
    sums: Sums,
    orbits: Iterable[Sequence[int]],
    group: Sequence[Sequence[int]],
    seed: int = 0,
    resamples: int = TURNED,
) -> Lopsided | None:
    """Return what play prefers most within an orbit, and how often that is as much if play prefers nothing.

    Each block of games is turned by a symmetry that is drawn by lot, without a look at what was played: where play
    prefers nothing, that changes the sums by chance alone, so that the test errs as often as it says, exactly. One
    figure is tested, the largest excess over an even share in any orbit, so that several orbits are one test.

    orbits: those that are looked at; of single things, which can prefer nothing, none is
    group:  the symmetries, as permutations of the things; they map each orbit on itself
    Returns None where there is nothing to prefer: only single things, or no use at all.
    """
    several = [list(members) for members in orbits if len(members) > 1]
    weights = sums.weights[sums.games > 0].astype(np.float64)
    total = weights.sum()
    if not several or not total:
        return None
    to = np.array(group)
    turned = np.empty((len(weights), *to.shape))
    for number, permutation in enumerate(to):
        turned[:, number, permutation] = weights
    lots = np.random.Generator(np.random.PCG64(seed)).integers(len(to), size=(resamples, len(weights)))
    dealt = np.zeros((resamples, to.shape[1]))
    for ways, lot in zip(turned, lots.T, strict=True):
        dealt += ways[lot]
    played = weights.sum(axis=0)
    things = np.concatenate(several)
    even = np.concatenate([np.full(len(members), played[members].mean()) for members in several])
    most = int(np.argmax(played[things] - even))
    excess = played[things[most]] - even[most]
    as_much = (dealt[:, things] - even).max(axis=1) >= excess - TIED * total
    chance = float((1 + as_much.sum()) / (1 + resamples))
    return Lopsided(int(things[most]), float(played[things[most]] / total), float(even[most] / total), chance)
