"""The ratio of two medians over paired games: it has no formula, so the pairs are drawn anew.

A resample of the pairs is a multinomial draw of how often each kind of pair occurs. A resampled median lies among the
values whose ranks are near the middle, so all values beyond eight standard errors of the middle rank are one kind each:
few kinds are left, and the result is the one that drawing pair by pair would give.

Source: Efron, B. & Tibshirani, R. J. 1993. An Introduction to the Bootstrap. Chapman & Hall: chapter 13 (percentiles).
"""

from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from simulator.statistics.columns import Numbers
from simulator.statistics.intervals import TAIL, Interval

RESAMPLES = 2_000
STANDARD_ERRORS = 8
MOST_CELLS_AT_ONCE = 2_000_000  # counts that are held in memory together: 16 MB

Integers = NDArray[np.int64]


def ratio_of_medians(
    first: Numbers, second: Numbers, known: tuple[int, int], *, seed: int, resamples: int = RESAMPLES
) -> Interval | None:
    """Median of the second over median of the first, with the 2.5 % and 97.5 % quantiles of the resamples.

    first, second: one number a game, the same games in both
    known:         the largest value of each that is known as it is; larger ones are only known to be larger
    None if a median is not known or is 0. The limits are None if some resample does not know it.
    """
    medians = tuple(_median(values) for values in (first, second))
    if any(value > most for value, most in zip(medians, known, strict=True)) or 0 in medians:
        return None
    resampled = _resampled(first, second, np.random.Generator(np.random.PCG64(seed)), resamples)
    value = medians[1] / medians[0]
    if (resampled > np.array(known)).any() or (resampled[:, 0] == 0).any():
        return Interval(value, None, None)
    low, high = np.quantile(resampled[:, 1] / resampled[:, 0], [TAIL, 1 - TAIL])
    return Interval(value, float(low), float(high))


def median(values: Numbers, known: int) -> int | None:
    """The smallest value that at least half the games do not exceed; None if it is not known."""
    found = _median(values)
    return None if found > known else found


def _median(values: Numbers) -> int:
    rank = ceil(len(values) / 2)
    return int(np.partition(values, rank - 1)[rank - 1])


def _resampled(first: Numbers, second: Numbers, draw: np.random.Generator, resamples: int) -> Integers:
    """int64[resamples, 2]: both medians of each resample."""
    games, rank = len(first), ceil(len(first) / 2)
    levels = [np.unique(_near_the_middle(values), return_inverse=True) for values in (first, second)]
    (values_a, places_a), (values_b, places_b) = levels
    pairs, counts = np.unique(places_a * len(values_b) + places_b, return_counts=True)
    of_first, of_second = np.divmod(pairs, len(values_b))
    by_second = np.argsort(of_second, kind="stable")
    found = np.empty((resamples, 2), dtype=np.int64)
    step = max(1, MOST_CELLS_AT_ONCE // len(pairs))
    for start in range(0, resamples, step):
        weights = draw.multinomial(games, counts / games, size=min(step, resamples - start))
        block = slice(start, start + len(weights))
        found[block, 0] = _weighted_medians(weights, values_a[of_first], rank)
        found[block, 1] = _weighted_medians(weights[:, by_second], values_b[of_second[by_second]], rank)
    return found


def _near_the_middle(values: Numbers) -> Integers:
    """The values with those far from the median moved to the edges of where a resampled median can lie."""
    middle, reach = ceil(len(values) / 2), ceil(STANDARD_ERRORS * sqrt(len(values)) / 2) + 1
    ordered = np.sort(values)
    low, high = ordered[max(0, middle - reach)], ordered[min(len(values) - 1, middle + reach)]
    return np.asarray(np.clip(values, low, high))


def _weighted_medians(weights: Integers, values: Integers, rank: int) -> Integers:
    """values: ascending, one a column of the weights."""
    return np.asarray(values[np.argmax(np.cumsum(weights, axis=1) >= rank, axis=1)])
