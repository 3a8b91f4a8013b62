"""Intervals at 95 % confidence, each from exact integer counts; and how many games make one narrow enough.

scipy is imported within the functions that need it, here and in the modules beside this one: pages show figures with
intervals, and the processes that answer them do without.

Sources
- Wilson, E. B. 1927. Probable inference, the law of succession, and statistical inference. JASA 22: 209–212.
- Brown, L. D., Cai, T. T. & DasGupta, A. 2001. Interval estimation for a binomial proportion. Statistical Science 16:
  101–133 (why Wilson, and not p ± 1.96 standard errors).
- Newcombe, R. G. 1998. Interval estimation for the difference between independent proportions. Statistics in Medicine
  17: 873–890 (method 10: Wilson's limits of each share, squared and added).
- Newcombe, R. G. 1998. Improved confidence intervals for the difference between binomial proportions based on paired
  data. Statistics in Medicine 17: 2635–2650 (method 10).
- David, H. A. & Nagaraja, H. N. 2003. Order Statistics. 3rd ed. Wiley: section 7.1.
- Cochran, W. G. 1977. Sampling Techniques. 3rd ed. Wiley: section 6.4 (ratio of two means).
"""

from fractions import Fraction
from functools import cache
from math import ceil, floor, log10, sqrt
from typing import NamedTuple

CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2
Z = 1.959963984540054  # the normal quantile of 1 - TAIL


class Interval(NamedTuple):
    """A figure and its limits; a limit is None where the games set none."""

    value: float
    low: float | None
    high: float | None

    @classmethod
    def around(cls, value: float, half: float) -> "Interval":
        return cls(value, value - half, value + half)

    def cut(self, least: float, most: float) -> "Interval":
        """Return the value and both limits moved within what such a figure can be."""
        low, high = (None if limit is None else min(max(limit, least), most) for limit in self[1:])
        return Interval(min(max(self.value, least), most), low, high)

    @property
    def limits(self) -> tuple[float, float]:
        """The lower and the upper limit; raises ValueError where the games set none."""
        if self.low is None or self.high is None:
            raise ValueError(f"an interval without limits: {self}")
        return self.low, self.high

    @property
    def without_sign(self) -> "Interval":
        """The size of a difference: the interval mirrored at nought if the value lies below."""
        low, high = self.limits
        return Interval(-self.value, -high, -low) if self.value < 0 else self


def share(successes: float, games: float, z: float = Z) -> Interval:
    """Return a share of the games with Wilson's interval; see `wilson`.

    If a game divides its points, the interval is too wide, never too narrow: no score from 0 to 1 varies more than
    p(1−p).
    """
    return wilson(successes / games, games, z)


def wilson(p: float, games: float, z: float = Z) -> Interval:
    """Return Wilson's interval of a share p of at least one game.

    (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n); z: the normal quantile of the confidence, 95 % unless given.
    """
    middle = p + z * z / (2 * games)
    half = z * sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    low = 0.0 if p == 0 else (middle - half) / scale
    high = 1.0 if p == 1 else (middle + half) / scale
    return Interval(p, low, high)


def difference_of_shares(both: int, first: int, second: int, neither: int, z: float = Z) -> Interval:
    """Return how much oftener the first of two events came than the second, both counted in the same games.

    both, first, second, neither: games in which both came, only the first, only the second, none of them.
    Newcombe's method 10: Wilson's limits of the two shares, squared and added, less what their correlation explains.
    """
    games = both + first + second + neither
    phi = _correlation(both, first, second, neither)
    return newcombe(share(both + first, games, z), share(both + second, games, z), phi).cut(-1.0, 1.0)


def newcombe(first: Interval, second: Interval, correlation: float = 0.0) -> Interval:
    """Return how much larger the first figure is than the second, from the limits of each.

    These are squared and added, less what the correlation of the two explains; 0 if they were counted apart. Raises
    ValueError if either has no limits.
    """
    (low1, high1), (low2, high2) = first.limits, second.limits
    below1, above1 = first.value - low1, high1 - first.value
    below2, above2 = second.value - low2, high2 - second.value
    difference = first.value - second.value
    low = difference - sqrt(below1**2 - 2 * correlation * below1 * above2 + above2**2)
    high = difference + sqrt(above1**2 - 2 * correlation * above1 * below2 + below2**2)
    return Interval(difference, low, high)


def _correlation(both: int, first: int, second: int, neither: int) -> float:
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    if margins == 0:
        return 0.0
    games = both + first + second + neither
    excess: float = both * neither - first * second
    if excess > 0:  # Newcombe's correction for continuity
        excess = max(excess - games / 2, 0.0)
    return excess / sqrt(margins)


def mean(total: int, squares: int, games: int) -> Interval:
    """Return the mean with Student's interval: exact for normal distributions, and for others as the games grow many.

    total, squares: the sum of the values and of their squares
    """
    value = total / games
    if games < 2:
        return Interval(value, None, None)
    # In whole numbers: floats would cancel where the values are large and alike.
    variance = Fraction(squares * games - total * total, games * (games - 1))
    return Interval.around(value, student(games) * sqrt(variance / games))


def ratio(above: int, below: int, above2: int, product: int, below2: int, games: int) -> Interval | None:
    """Return Σx / Σy over games that each have an x and a y; None if every y is 0.

    above, below, above2, product, below2: Σx, Σy, Σx², Σxy, Σy². The variance is that of the residuals x − Ry, over
    n(n − 1)ȳ² (linearised).
    """
    if below == 0:
        return None
    exact = Fraction(above, below)
    if games < 2:
        return Interval(float(exact), None, None)
    residuals = above2 - 2 * exact * product + exact * exact * below2
    variance = residuals * games / ((games - 1) * Fraction(below) ** 2)
    return Interval.around(float(exact), student(games) * sqrt(variance))


@cache
def student(games: int, confidence: float = CONFIDENCE) -> float:
    """Return half the width of Student's interval, in standard errors of a mean of so many games."""
    from scipy.special import stdtrit

    return float(stdtrit(games - 1, (1 + confidence) / 2))


def quantile_ranks(percent: int, games: int) -> tuple[int, int | None, int | None]:
    """Return the ranks (from 1) of the sample quantile and of the two values that enclose the true one.

    The sample quantile is the smallest value that at least `percent` of the games do not exceed. The number B of games
    below the true quantile is binomial, so P(X(l) ≤ quantile ≤ X(u)) ≥ P(l ≤ B < u), whatever the distribution. l is
    the largest rank with P(B < l) ≤ 2.5 %, u the smallest with P(B ≥ u) ≤ 2.5 %; None where there is no such rank.
    """
    from scipy.special._ufuncs import _binom_ppf

    rank = max(1, -(-games * percent // 100))
    low = int(_binom_ppf(TAIL, games, percent / 100))
    high = int(_binom_ppf(1 - TAIL, games, percent / 100)) + 1
    return rank, (low if low >= 1 else None), (high if high <= games else None)


def games_for(points: float) -> int:
    """Return with how many games every share is known to within ± `points` percentage points, rounded up to two digits.

    At a half Wilson's interval is widest, and reaches z / (2·√(n + z²)) to either side; no share of n games is known
    worse.
    """
    least = (50 * Z / points) ** 2 - Z**2
    return two_digits(max(1, ceil(least)))


def points_of(games: int) -> float:
    """Return half the width, in percentage points, of the interval of a share of a half."""
    return 50 * Z / sqrt(games + Z**2)


def two_digits(number: int) -> int:
    """Return the least number of two digits and noughts that is no smaller."""
    unit: int = 10 ** max(0, floor(log10(number)) - 1)
    return -(-number // unit) * unit
