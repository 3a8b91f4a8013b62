"""Verdicts on the differences of one comparison, and why something is undecided.

*Same within the margin*: two one-sided tests show at 5 % that the difference lies within a margin, which says how large
a difference matters. This is looked at first: a difference that is certain and too small to matter is the same within
the margin. *Differs*: else, if it is shown at 5 % that there is a difference. *Undecided*: else.

The p-value of the two one-sided tests is the least α at which the interval of confidence 1 − 2α lies within the margin.
It is None where no interval is known, and 1 where the figure itself lies beyond the margin.

Both kinds of test are corrected after Benjamini and Hochberg over all measures of the comparison, each kind for itself:
of what is called the same, and of what is said to differ, no more than 5 % are expected to be called so wrongly. A
measure that is alike in every pair cannot differ, and takes no part in the correction of those that might; one whose
games give no interval takes none in the other.

What holds over the levels of play: `over_levels`.

scipy is imported only within the functions for one comparison; pages use the others.

Sources
- Schuirmann, D. J. 1987. A comparison of the two one-sided tests procedure and the power approach. Journal of
  Pharmacokinetics and Biopharmaceutics 15: 657–680.
- Benjamini, Y. & Hochberg, Y. 1995. Controlling the false discovery rate. JRSS B 57: 289–300.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, sqrt
from statistics import NormalDist

from simulator.statistics.intervals import Interval, Z, two_digits

LEVEL = 0.05
SURE = 38.0  # standard errors; the normal distribution holds nothing beyond that a float could tell from nothing
NORMAL = NormalDist()


class Verdict(StrEnum):
    SAME = "same"
    DIFFERS = "differs"
    UNDECIDED = "undecided"
    # Where two players were asked, or where nothing can be concluded of the rules:
    WHO = "depends on who plays"
    ONE_PLAYER = "shown with one player only"
    STOPPED = "only by stopped games"
    KINDS = "few kinds"
    IDENTICAL = "identical"


def adjusted(p_values: Sequence[float | None]) -> list[float]:
    """Return the p-values after Benjamini and Hochberg: the least level at which each is rejected. None becomes 1."""
    values = [1.0] * len(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    least = 1.0
    # From the largest p-value down, so that an adjusted value is never above that of a larger one.
    for rank in range(len(order), 0, -1):
        p, place = order[rank - 1]
        least = min(least, p * len(order) / rank)
        values[place] = least
    return values


def verdict(p_same: float, p_differs: float) -> Verdict:
    """Return the verdict on both p-values as they are corrected."""
    if p_same < LEVEL:
        return Verdict.SAME
    return Verdict.DIFFERS if p_differs < LEVEL else Verdict.UNDECIDED


def of_both(first: Verdict, second: Verdict, agree: bool, apart: bool = False) -> Verdict:
    """Return what two players show together of a difference.

    agree: whether it has the same sign with both; apart: whether it is shown not to be as large with both

    DIFFERS if both show it with the same sign, SAME if both show it to lie within the margin; WHO if one shows it and
    the other the contrary or SAME, or leaves it open and it is shown to be another with him; ONE_PLAYER if he only
    leaves it open; UNDECIDED else.
    """
    both = {first, second}
    if both == {Verdict.SAME}:
        return Verdict.SAME
    if Verdict.DIFFERS not in both:
        return Verdict.UNDECIDED
    if both == {Verdict.DIFFERS}:
        return Verdict.DIFFERS if agree else Verdict.WHO
    return Verdict.WHO if Verdict.SAME in both or apart else Verdict.ONE_PLAYER


def two_sided(z: float) -> float:
    """Return the p-value of so many standard errors, to either side."""
    return 2 * NORMAL.cdf(-abs(z))


def p_apart(one: Interval, other: Interval) -> float | None:
    """Return the p-value that two differences counted apart are the same; None where an interval is not known."""
    if None in (*one, *other):
        return None
    errors = [(high - low) / (2 * Z) for low, high in (one.limits, other.limits)]
    error = sqrt(errors[0] ** 2 + errors[1] ** 2)
    return two_sided((one.value - other.value) / error) if error else float(one.value == other.value)


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
    from scipy.special import stdtr

    if standard_error is None:
        return None
    room = margin - abs(value)
    if room <= 0:
        return 0.0 if room == 0 == standard_error else 1.0
    return float(stdtr(freedom, -room / standard_error)) if standard_error else 0.0


def by_interval(interval_at: Callable[[float], Interval], margin: float) -> float:
    """Return the p-value of equivalence of a figure whose interval grows with the normal quantile that it is given."""

    def room(z: float) -> float:
        value, low, high = interval_at(z)
        return margin - max(abs(value if low is None else low), abs(value if high is None else high))

    from scipy.optimize import brentq
    from scipy.special import ndtr

    if room(0.0) <= 0:
        return 1.0
    return 0.0 if room(SURE) >= 0 else float(ndtr(-brentq(room, 0.0, SURE)))


class UndecidedReason(StrEnum):
    """Why something is undecided. Where several reasons meet, the first is given: what more games would not mend."""

    PLAYERS = "players_missing"
    KINDS = "few_kinds"
    ONE_PLAYER = "one_player_only"
    NOT_JUDGED = "not_judged"
    READINGS = "readings_disagree"
    TESTS = "tests_disagree"
    UNFINISHED = "unfinished_games"
    EQUAL = "as_good_as_equal"
    FEW = "too_few_games"

    @property
    def words(self) -> str:
        return IN_WORDS[self]

    @property
    def place(self) -> int:
        return list(UndecidedReason).index(self)


IN_WORDS = {
    UndecidedReason.PLAYERS: "no player who could judge it has played",
    UndecidedReason.KINDS: "too few different games",
    UndecidedReason.ONE_PLAYER: "no second player has played",
    UndecidedReason.NOT_JUDGED: "not judged yet",
    UndecidedReason.READINGS: "the readings disagree",
    UndecidedReason.TESTS: "the tests disagree",
    UndecidedReason.UNFINISHED: "too many games without an end",
    UndecidedReason.EQUAL: "as good as equal",
    UndecidedReason.FEW: "too few games",
}
REASONS = [(str(reason), reason.words) for reason in UndecidedReason]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why something is undecided.

    text: the reason in words, without its full stop; games: about how many more are needed, None where that is no
    matter or not known
    """

    because: UndecidedReason
    text: str
    games: int | None = None


def first_of(reasons: list[Explanation]) -> Explanation:
    return min(reasons, key=lambda one: one.because.place)


def games_more(games: int, factor: float) -> int:
    """Return how many more games make `factor` times as many, rounded up to two digits: it is an estimate."""
    return two_digits(max(1, ceil(games * (factor - 1))))
