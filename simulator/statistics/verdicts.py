"""From the p-values of a difference and of an equivalence to a verdict.

*Same within the margin*: two one-sided tests show at 5 % that the difference lies within a margin, which says how large
a difference matters. This is looked at first: a difference that is certain and too small to matter is the same within
the margin. *Differs*: else, if it is shown at 5 % that there is a difference. *Undecided*: else.

Both kinds of test are corrected after Benjamini and Hochberg over all measures of the comparison, each kind for itself:
of what is called the same, and of what is said to differ, no more than 5 % are expected to be called so wrongly. A
measure that is alike in every pair cannot differ, and takes no part in the correction of those that might; one whose
games give no interval takes none in the other.

Sources
- Schuirmann, D. J. 1987. A comparison of the two one-sided tests procedure and the power approach. Journal of
  Pharmacokinetics and Biopharmaceutics 15: 657–680.
- Benjamini, Y. & Hochberg, Y. 1995. Controlling the false discovery rate. JRSS B 57: 289–300.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import ceil

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


def verdict(p_same: float, p_differs: float) -> Verdict:
    """From both p-values as they are corrected."""
    if p_same < LEVEL:
        return Verdict.SAME
    return Verdict.DIFFERS if p_differs < LEVEL else Verdict.UNDECIDED


def games_needed(low: float | None, high: float | None, games: int, margin: float) -> int | None:
    """How many games would bring half of an interval's width under the margin, if they vary as these do.

    None if it is under the margin already, or if no number of games would do or is known.
    """
    if low is None or high is None or margin <= 0:
        return None
    half = (high - low) / 2
    return ceil(games * (half / margin) ** 2) if half > margin else None
