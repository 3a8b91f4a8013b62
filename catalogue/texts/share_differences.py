"""The difference of two shares that were counted apart, with its interval. Pages use it, so it needs no statistics.

Newcombe, R. G. 1998. Interval estimation for the difference between independent proportions. Statistics in Medicine
17: 873–890 (method 10: Wilson's limits of each share, squared and added).
"""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

Z = NormalDist().inv_cdf(0.975)


class Limits(NamedTuple):
    """A share, or a difference of two, with its limits at 95 % confidence."""

    value: float
    low: float
    high: float

    @property
    def without_sign(self) -> "Limits":
        return Limits(-self.value, -self.high, -self.low) if self.value < 0 else self

    @property
    def in_points(self) -> str:
        """ "38.6 percentage points (37.7 to 39.5)", with the sign left out."""
        value, low, high = self.without_sign
        return f"{100 * value:.1f} percentage points ({100 * low:.1f} to {100 * high:.1f})".replace("-", "−")

    @property
    def in_percent(self) -> str:
        """ "23.5 % (22.9 to 24.1)", with as many digits as tell the limits apart; none and all have no more."""
        places = 1 if self.high - self.low >= 0.002 else 3
        value, low, high = (f"{100 * one:.{0 if one in (0, 1) else places}f}" for one in self)
        return f"{value} % ({low} to {high})"


def wilson(share: float, games: int, z: float = Z) -> Limits:
    """Of a share of at least one game. z: the normal quantile of the confidence"""
    middle = share + z**2 / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z**2 / (4 * games**2))
    whole = 1 + z**2 / games
    low = 0.0 if share == 0 else (middle - spread) / whole
    high = 1.0 if share == 1 else (middle + spread) / whole
    return Limits(share, low, high)


def difference(first: Limits, second: Limits) -> Limits:
    """How much larger the second share is than the first."""
    gap = second.value - first.value
    below = sqrt((second.value - second.low) ** 2 + (first.high - first.value) ** 2)
    return Limits(gap, gap - below, gap + sqrt((second.high - second.value) ** 2 + (first.value - first.low) ** 2))
