"""From a difference with its interval to a verdict, against a margin that says how large a difference matters.

*Same within the margin*: the 90 % interval lies within the margin, which is what two one-sided tests at 5 % ask. This
is looked at first: a difference that is certain and too small to matter is the same within the margin.
*Differs*: else, if the p-value is below 5 % after the correction of Benjamini and Hochberg over all measures of the
comparison. *Undecided*: else.

A measure that is alike in every pair cannot differ whatever the correction, and takes no part in it.

Sources
- Schuirmann, D. J. 1987. A comparison of the two one-sided tests procedure and the power approach. Journal of
  Pharmacokinetics and Biopharmaceutics 15: 657–680.
- Benjamini, Y. & Hochberg, Y. 1995. Controlling the false discovery rate. JRSS B 57: 289–300.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import ceil

from simulator.statistics.intervals import Interval

LEVEL = 0.05


class Verdict(StrEnum):
    SAME = "same"
    DIFFERS = "differs"
    UNDECIDED = "undecided"


def adjusted(p_values: Sequence[float | None]) -> list[float]:
    """The p-values after Benjamini and Hochberg: each the least level at which it is still rejected. None stays 1."""
    found = [1.0] * len(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    least = 1.0
    for rank in range(len(order), 0, -1):
        p, place = order[rank - 1]
        least = min(least, p * len(order) / rank)
        found[place] = least
    return found


def verdict(equivalence: Interval, p_adjusted: float, margin: float) -> Verdict:
    """equivalence: the 90 % interval of the difference; margin: in the same unit."""
    low, high = equivalence.low, equivalence.high
    if low is not None and high is not None and -margin <= low and high <= margin:
        return Verdict.SAME
    return Verdict.DIFFERS if p_adjusted < LEVEL else Verdict.UNDECIDED


def games_needed(difference: Interval, games: int, margin: float) -> int | None:
    """How many games would bring half the interval's width under the margin, if they vary as these do.

    None if it is under the margin already, or if no number of games would do or is known.
    """
    if difference.low is None or difference.high is None or margin <= 0:
        return None
    half = (difference.high - difference.low) / 2
    return ceil(games * (half / margin) ** 2) if half > margin else None
