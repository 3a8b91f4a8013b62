"""From a difference to a verdict: its p-values, their correction for many measures, and the games still needed.

*Same within the margin*: two one-sided tests show at 5 % that the difference lies within a margin, which says how large
a difference matters. This is looked at first: a difference that is certain and too small to matter is the same within
the margin. *Differs*: else, if it is shown at 5 % that there is a difference. *Undecided*: else.

The p-value of the two one-sided tests is the least α at which the interval of confidence 1 − 2α lies within the margin.
It is None where no interval is known, and 1 where the figure itself lies beyond the margin.

Both kinds of test are corrected after Benjamini and Hochberg over all measures of the comparison, each kind for itself:
of what is called the same, and of what is said to differ, no more than 5 % are expected to be called so wrongly. A
measure that is alike in every pair cannot differ, and takes no part in the correction of those that might; one whose
games give no interval takes none in the other.

Sources
- Schuirmann, D. J. 1987. A comparison of the two one-sided tests procedure and the power approach. Journal of
  Pharmacokinetics and Biopharmaceutics 15: 657–680.
- Benjamini, Y. & Hochberg, Y. 1995. Controlling the false discovery rate. JRSS B 57: 289–300.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from math import ceil

from simulator.statistics.intervals import Interval

LEVEL = 0.05
SURE = 38.0  # standard errors; the normal distribution holds nothing beyond that a float could tell from nothing


class Verdict(StrEnum):
    SAME = "same"
    DIFFERS = "differs"
    UNDECIDED = "undecided"


def adjusted(p_values: Sequence[float | None]) -> list[float]:
    """Return the p-values after Benjamini and Hochberg: the least level at which each is rejected. None becomes 1."""
    found = [1.0] * len(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    least = 1.0
    for rank in range(len(order), 0, -1):
        p, place = order[rank - 1]
        least = min(least, p * len(order) / rank)
        found[place] = least
    return found


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
