"""Differences between two rulesets that played the same game numbers of one seed: pair by pair.

A game of one ruleset and the same game of the other begin from the same draws, so much of what chance does to the one
it does to the other, and the differences vary less than the games. How much less is given too, and it may be nothing.

The ratio of two medians has no formula, so the pairs are drawn again. A resample of the pairs is a multinomial draw of
how often each kind of pair occurs. A resampled median lies among the values whose ranks are near the middle, so all
values beyond eight standard errors of the middle rank are one kind each: few kinds are left, and the result is the one
that drawing pair by pair would give.

Sources
- Fagerland, M. W., Lydersen, S. & Laake, P. 2013. The McNemar test for binary matched-pairs data: mid-p and asymptotic
  are better than exact conditional. BMC Medical Research Methodology 13: 91.
- Cohen, J. 1988. Statistical Power Analysis for the Behavioral Sciences. 2nd ed. Erlbaum: chapter 6 (h).
- Cochran, W. G. 1977. Sampling Techniques. 3rd ed. Wiley: section 6.4 (ratio of two sums, linearised).
- DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. 1988. Comparing the areas under two or more correlated receiver
  operating characteristic curves. Biometrics 44: 837–845 (variance of the rank statistic in correlated samples).
- Cliff, N. 1993. Dominance statistics: ordinal analyses to answer ordinal questions. Psychological Bulletin 114:
  494–509.
- Efron, B. & Tibshirani, R. J. 1993. An Introduction to the Bootstrap. Chapman & Hall: chapter 13 (percentiles).
"""

from dataclasses import dataclass
from math import asin, ceil, exp, log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray

from simulator.statistics.columns import Numbers
from simulator.statistics.intervals import CONFIDENCE, TAIL, Interval, difference_of_shares, student
from simulator.statistics.verdicts import by_interval, by_student

# The interval of two one-sided tests at 5 %, which has to lie within the margin for two figures to count as the same.
EQUIVALENCE = 0.90
RESAMPLES = 2_000
STANDARD_ERRORS = 8
MOST_CELLS_AT_ONCE = 2_000_000  # counts that are held in memory together: 16 MB
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PairedFigure:
    """Σ above / Σ below over the games of one ruleset, and what each game contributes to its chance error.

    errors: float64[games], with mean 0: the figure's deviation from the truth is their mean (linearised)
    """

    value: float
    errors: NDArray[np.float64]

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        return _interval(self.value, self.errors, confidence)


def paired_figure(above: Numbers, below: Numbers | None) -> PairedFigure | None:
    """Return the figure of a column; None if there is nothing to divide by."""
    if below is None:
        value = int(above.sum()) / len(above)
        return PairedFigure(value, np.asarray(above - value))
    total = int(below.sum())
    if total == 0:
        return None
    value = int(above.sum()) / total
    return PairedFigure(value, np.asarray((above - value * below) * (len(above) / total)))


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more the second ruleset has than the first.

    equivalence: the 90 % interval, of the difference or, of amounts, of the ratio
    p:           of the test that there is no difference; None if nothing differs in any game
    p_same:      of the tests that it lies within the margin; None where the games do not give it
    gain:        how many times as many games without pairing would say as much; None if every pair is alike
    """

    interval: Interval
    equivalence: Interval
    p: float | None
    p_same: float | None
    gain: float | None


def difference(first: PairedFigure, second: PairedFigure, margin: float) -> Difference:
    """Return the difference of two figures of paired games, by Student's t over the pairs."""
    errors = second.errors - first.errors
    value = second.value - first.value
    return Difference(
        _interval(value, errors, CONFIDENCE),
        _interval(value, errors, EQUIVALENCE),
        _student_p(value, errors),
        _same_p(value, errors, margin),
        pairing_gain(first, second),
    )


@dataclass(frozen=True, slots=True)
class Ratio:
    """Second over first. errors: float64[games], of its logarithm."""

    value: float
    errors: NDArray[np.float64]

    @classmethod
    def of(cls, first: PairedFigure, second: PairedFigure) -> "Ratio | None":
        """Return the ratio of two figures; None unless both are above 0."""
        if first.value <= 0 or second.value <= 0:
            return None
        return cls(second.value / first.value, second.errors / second.value - first.errors / first.value)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval, which is symmetric in the logarithm."""
        _, low, high = _interval(log(self.value), self.errors, confidence)
        return Interval(self.value, None if low is None else exp(low), None if high is None else exp(high))

    def same_p(self, margin: float) -> float | None:
        """Return the p-value of the tests that the larger is less than 1 + margin times the smaller."""
        return _same_p(log(self.value), self.errors, log1p(margin))


def pairing_gain(first: PairedFigure, second: PairedFigure) -> float | None:
    """Return the variance of the difference without pairing over the variance with it."""
    paired = _variance(second.errors - first.errors)
    if paired == 0:
        return None
    return (_variance(first.errors) + _variance(second.errors)) / paired


def correlation(first: PairedFigure, second: PairedFigure) -> float:
    """Return the correlation of the chance errors of two figures of paired games; 0 if one of them has none."""
    spread = sqrt(_variance(first.errors) * _variance(second.errors))
    if spread == 0:
        return 0.0
    shared = float((first.errors * second.errors).sum()) / max(len(first.errors) - 1, 1)
    return max(-1.0, min(1.0, shared / spread))


@dataclass(frozen=True, slots=True)
class PairedShares:
    """Games in which a thing happened under both rulesets, under the first only, the second only, under neither."""

    both: int
    first: int
    second: int
    neither: int

    @classmethod
    def of(cls, first: Numbers, second: Numbers) -> "PairedShares":
        """Count the pairs. first, second: 0 or 1 for every game"""
        both = int((first & second).sum())
        only_first, only_second = int(first.sum()) - both, int(second.sum()) - both
        return cls(both, only_first, only_second, len(first) - both - only_first - only_second)

    def difference(self, confidence: float = CONFIDENCE) -> Interval:
        """Return how much oftener it happened under the second, with Newcombe's interval for paired shares."""
        from scipy.special import ndtri

        return self._difference(float(ndtri((1 + confidence) / 2)))

    def same_p(self, margin: float) -> float:
        """Return the p-value of the tests that it is no oftener and no seldomer than by the margin."""
        return by_interval(self._difference, margin)

    def _difference(self, z: float) -> Interval:
        return difference_of_shares(self.both, self.second, self.first, self.neither, z)

    def mcnemar(self) -> float | None:
        """Return the mid-p value of McNemar's exact test; None if no game differs.

        Of the games that differ, half should go each way: P(B ≤ smaller) counted twice, less the probability of what
        was found.
        """
        # What scipy.stats calls, which alone takes as much memory as a worker's whole engine.
        from scipy.special._ufuncs import _binom_cdf, _binom_pmf

        discordant = self.first + self.second
        if discordant == 0:
            return None
        fewer = min(self.first, self.second)
        likely = float(_binom_pmf(fewer, discordant, 0.5))
        return min(1.0, 2 * float(_binom_cdf(fewer, discordant, 0.5)) - likely)

    def cohens_h(self) -> float:
        """Return 2·asin√p₂ − 2·asin√p₁, the difference of the arcsines: 0.2 is called small, 0.5 medium, 0.8 large."""
        games = self.both + self.first + self.second + self.neither
        first, second = (self.both + self.first) / games, (self.both + self.second) / games
        return 2 * asin(sqrt(second)) - 2 * asin(sqrt(first))


def cliffs_delta(first: Numbers, second: Numbers) -> Interval:
    """Return P(second > first) − P(second < first) over any game of the one and any of the other; from −1 to 1.

    The interval takes account of the pairs (structural components after DeLong et al.).
    """
    games = len(first)
    above, below = _dominance(second, first), _dominance(first, second)
    value = int(above.sum()) / games**2
    return _interval(value, np.asarray((above - below) / games - 2 * value), CONFIDENCE).cut(-1.0, 1.0)


def _dominance(values: Numbers, others: Numbers) -> Numbers:
    """Return for each value the number of the others below it less the number above it."""
    ordered = np.sort(others)
    below = np.searchsorted(ordered, values, side="left")
    not_above = np.searchsorted(ordered, values, side="right")
    return np.asarray(below - (len(others) - not_above))


def identical(first: NDArray[np.int32], second: NDArray[np.int32]) -> int:
    """Return the games whose whole row is the same under both rulesets."""
    return int((first == second).all(axis=1).sum())


def _variance(errors: NDArray[np.float64]) -> float:
    return float((errors * errors).sum()) / max(len(errors) - 1, 1)


def _interval(value: float, errors: NDArray[np.float64], confidence: float) -> Interval:
    games = len(errors)
    if games < 2:
        return Interval(value, None, None)
    return Interval.around(value, student(games, confidence) * sqrt(_variance(errors) / games))


def _same_p(value: float, errors: NDArray[np.float64], margin: float) -> float | None:
    games = len(errors)
    return by_student(value, sqrt(_variance(errors) / games) if games > 1 else None, games - 1, margin)


def _student_p(value: float, errors: NDArray[np.float64]) -> float | None:
    from scipy.special import stdtr

    spread = _variance(errors)
    if spread == 0:
        return None if value == 0 or len(errors) < 2 else 0.0
    return float(2 * stdtr(len(errors) - 1, -abs(value) / sqrt(spread / len(errors))))


def ratio_of_medians(
    first: Numbers, second: Numbers, known: tuple[int, int], *, seed: int, resamples: int = RESAMPLES
) -> Interval | None:
    """Return the median of the second over median of the first, with the 2.5 % and 97.5 % quantiles of the resamples.

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
    """Return the smallest value that at least half the games do not exceed; None if it is not known."""
    middle = _median(values)
    return None if middle > known else middle


def _median(values: Numbers) -> int:
    rank = ceil(len(values) / 2)
    return int(np.partition(values, rank - 1)[rank - 1])


def _resampled(first: Numbers, second: Numbers, draw: np.random.Generator, resamples: int) -> Integers:
    """Return both medians of each resample, int64[resamples, 2]."""
    games, rank = len(first), ceil(len(first) / 2)
    levels = [np.unique(_near_the_middle(values), return_inverse=True) for values in (first, second)]
    (values_a, places_a), (values_b, places_b) = levels
    # A pair of places as one number, so that equal pairs can be counted and drawn together.
    pairs, counts = np.unique(places_a * len(values_b) + places_b, return_counts=True)
    of_first, of_second = np.divmod(pairs, len(values_b))
    # Weighted medians need ascending values: the pairs are in the order of the first, and sorted for the second.
    by_second = np.argsort(of_second, kind="stable")
    medians = np.empty((resamples, 2), dtype=np.int64)
    step = max(1, MOST_CELLS_AT_ONCE // len(pairs))
    for start in range(0, resamples, step):
        weights = draw.multinomial(games, counts / games, size=min(step, resamples - start))
        block = slice(start, start + len(weights))
        medians[block, 0] = _weighted_medians(weights, values_a[of_first], rank)
        medians[block, 1] = _weighted_medians(weights[:, by_second], values_b[of_second[by_second]], rank)
    return medians


def _near_the_middle(values: Numbers) -> Integers:
    """Return the values with those far from the median moved to the edges of where a resampled median can lie."""
    middle, reach = ceil(len(values) / 2), ceil(STANDARD_ERRORS * sqrt(len(values)) / 2) + 1
    ordered = np.sort(values)
    low, high = ordered[max(0, middle - reach)], ordered[min(len(values) - 1, middle + reach)]
    return np.asarray(np.clip(values, low, high))


def _weighted_medians(weights: Integers, values: Integers, rank: int) -> Integers:
    """Return the weighted medians. values: ascending, one a column of the weights"""
    return np.asarray(values[np.argmax(np.cumsum(weights, axis=1) >= rank, axis=1)])
