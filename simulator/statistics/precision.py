"""How many games a share needs to be known to within so many percentage points, and how well so many games tell it.

At a half Wilson's interval at 95 % confidence is widest, and reaches z / (2·√(n + z²)) to either side (see `intervals`,
where its source stands). No share of n games is known worse.
"""

from math import ceil, floor, log10, sqrt

from simulator.statistics.intervals import Z


def games_for(points: float) -> int:
    """Games with which every share is known to within ± `points` percentage points, rounded up to two digits."""
    least = (50 * Z / points) ** 2 - Z**2
    return _two_digits(max(1, ceil(least)))


def points_of(games: int) -> float:
    """Half the width, in percentage points, of the interval of a share of a half."""
    return 50 * Z / sqrt(games + Z**2)


def _two_digits(number: int) -> int:
    """The least number of two digits, and noughts, that is no smaller."""
    unit: int = 10 ** max(0, floor(log10(number)) - 1)
    return -(-number // unit) * unit
