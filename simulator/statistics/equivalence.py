"""Whether two figures are the same within a margin: two one-sided tests, and the p-value of both together.

The p-value is the least α at which the interval of confidence 1 − 2α lies within the margin. It is None where no
interval is known, and 1 where the figure itself lies beyond the margin.

Source: Schuirmann, D. J. 1987. A comparison of the two one-sided tests procedure and the power approach. Journal of
Pharmacokinetics and Biopharmaceutics 15: 657–680.
"""

from collections.abc import Callable

from scipy.optimize import brentq
from scipy.stats import norm, t

from simulator.statistics.intervals import Interval

SURE = 38.0  # standard errors; the normal distribution holds nothing beyond that a float could tell from nothing


def by_student(value: float, standard_error: float | None, freedom: int, margin: float) -> float | None:
    """Of a mean with that standard error, which has `freedom` degrees of freedom; None: the error is not known."""
    if standard_error is None:
        return None
    room = margin - abs(value)
    if room <= 0:
        return 0.0 if room == 0 == standard_error else 1.0
    return float(t.sf(room / standard_error, freedom)) if standard_error else 0.0


def by_interval(interval_at: Callable[[float], Interval], margin: float) -> float:
    """Of a figure whose interval is given by the normal quantile, and grows with it."""

    def room(z: float) -> float:
        value, low, high = interval_at(z)
        return margin - max(abs(value if low is None else low), abs(value if high is None else high))

    if room(0.0) <= 0:
        return 1.0
    return 0.0 if room(SURE) >= 0 else float(norm.sf(brentq(room, 0.0, SURE)))
