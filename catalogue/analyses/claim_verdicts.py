"""The verdict on a claim, made of the figures of its tests, and why it is undecided.

A test is supported if the whole 95 % interval of its figure lies on the claimed side, not supported if it lies wholly
on the other, and undecided otherwise. A claim is tested under each reading concerned, and is supported, or not, only if
every test says so: where the readings disagree, the answer depends on the reading. A claim about good play is judged by
games of players that think, and not by random play, whatever its figures. What is undecided has one of the reasons of
`simulator.statistics.verdicts`, looked at in this order:

- *too many games without an end*: the range that the games stopped by our cap leave open lies on both sides of what is
  claimed, so that it would be undecided however many games there were;
- *as good as equal*: the whole interval lies within the margin about what is claimed: two percentage points of a share,
  5 % of a mean; of a difference, two points between the shares of pairs that have more and that have fewer;
- *too few games*: else. An interval becomes narrower as the root of the games grows: so many more are wanted, if they
  go as these did, that it no longer reaches what is claimed, or lies within the margin, whichever comes first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

from catalogue.analyses.claim_definitions import ClaimTest
from catalogue.models import Verdict
from simulator.statistics.intervals import Z
from simulator.statistics.verdicts import Explanation, UndecidedReason, first_of, games_more

NEEDS_PLAYERS = (
    "It speaks of players that play well, or follow an advice, and a test names none that do: "
    "games of random players decide nothing."
)
NEEDS = "It needs {}; no player here is one."
NOT_YET = "It has not been judged yet."
DEPENDS = "It depends on the reading."
DISAGREE = "Its tests do not agree."
NOT_CERTAIN = "The games played do not decide it: {}."
POINTS, PART = 0.02, 0.05  # margins: of a share, and of a mean as a part of what is claimed


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A claim's verdict, why it is undecided if it is, and what each reading says, in the order of the tests."""

    kind: Verdict.Kind
    reason: str
    readings: Mapping[str, Verdict.Kind]
    because: UndecidedReason | None = None


def of_claim(
    judged_by: str,
    tests: Sequence[tuple[str, Verdict.Kind | None]],
    *,
    are_played_by_thinkers: bool = False,
    needs: str = "",
    whys: Sequence[Explanation] = (),
) -> ClaimVerdict:
    """The verdict on a claim.

    judged_by: "random", "strong" or "nothing"
    tests:     the ruleset of each test, and what the test said; None if it has not been run
    are_played_by_thinkers: whether in all tests somebody does who thinks
    needs:     who would have to play, where no player there is can
    whys:      of the tests that were run and are undecided
    """
    if judged_by == "nothing":
        return ClaimVerdict(Verdict.Kind.UNTESTABLE, "", {})
    readings = _by_reading(tests)
    if needs:
        return _without_players(NEEDS.format(needs), readings)
    if judged_by != "random" and not are_played_by_thinkers:
        return _without_players(NEEDS_PLAYERS, readings)
    if not tests or any(kind is None for _, kind in tests):
        return ClaimVerdict(Verdict.Kind.UNDECIDED, NOT_YET, readings, UndecidedReason.NOT_JUDGED)
    common = _common([kind for _, kind in tests])
    if common != Verdict.Kind.UNDECIDED:
        return ClaimVerdict(common, "", readings)
    reason, because = _why(readings, {kind for _, kind in tests}, whys)
    return ClaimVerdict(Verdict.Kind.UNDECIDED, reason, readings, because)


def _without_players(reason: str, readings: Mapping[str, Verdict.Kind]) -> ClaimVerdict:
    return ClaimVerdict(
        Verdict.Kind.UNDECIDED, reason, dict.fromkeys(readings, Verdict.Kind.UNDECIDED), UndecidedReason.PLAYERS
    )


def _by_reading(tests: Sequence[tuple[str, Verdict.Kind | None]]) -> dict[str, Verdict.Kind]:
    """The verdict that the tests of each reading agree on."""
    by_name: dict[str, list[Verdict.Kind | None]] = {}
    for name, kind in tests:
        by_name.setdefault(name, []).append(kind)
    return {name: _common(kinds) for name, kinds in by_name.items()}


def _common(kinds: Sequence[Verdict.Kind | None]) -> Verdict.Kind:
    first = kinds[0]
    return first if first is not None and all(kind == first for kind in kinds) else Verdict.Kind.UNDECIDED


def _why(
    readings: Mapping[str, Verdict.Kind], kinds: set[Verdict.Kind | None], whys: Sequence[Explanation]
) -> tuple[str, UndecidedReason | None]:
    decided = {Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED}
    if decided <= set(readings.values()):
        return DEPENDS, UndecidedReason.READINGS
    if decided <= kinds or not whys:
        return DISAGREE, UndecidedReason.TESTS
    first = first_of(list(whys))
    return NOT_CERTAIN.format(first.text), first.because


class Figures(Protocol):
    """The figures of a verdict, named as in `simulator.statistics.bounded.BoundedFigure`.

    games: of the batch, not all of which need be of the kind that the test looks at
    """

    least: float | None
    most: float | None
    low: float | None
    high: float | None
    counts: Mapping[str, int]
    games: int


def why(test: ClaimTest, figures: Figures) -> Explanation:
    """Explain why the figures of a test leave it undecided."""
    if test.kind not in ("share", "mean", "difference"):
        return Explanation(UndecidedReason.FEW, "one game shows nothing by its not being so: another may be a witness")
    balance = _Balance(figures.counts) if test.kind == "difference" else None
    if _is_open_without_chance(test, figures, balance):
        text = "too many games without an end: a higher cap is wanted, not more games"
        return Explanation(UndecidedReason.UNFINISHED, text)
    if figures.least is None:
        return Explanation(UndecidedReason.FEW, "too few games: none of them tells")
    if _is_equal(test, figures, balance):
        return Explanation(UndecidedReason.EQUAL, f"as good as equal: the whole interval lies {_margin_in_words(test)}")
    factor = min(_factors(test, figures, balance), default=None)
    if factor is None:
        return Explanation(UndecidedReason.FEW, "too few games")
    more = games_more(figures.games, factor)
    text = f"too few games: about {more:,} more would decide it, or show it as good as equal"
    return Explanation(UndecidedReason.FEW, text, more)


class _Balance:
    """The share of pairs of games that have more less the share that have fewer.

    limits: with every open pair against it and for it; half: half of its 95 % interval, as a pair counts 1, −1 or 0
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        more, less, same, open_ = (counts[kind] for kind in ("more", "less", "same", "open"))
        pairs = more + less + same + open_ or 1
        self.limits = (more - less - open_) / pairs, (more - less + open_) / pairs
        mean, differing = (more - less) / pairs, (more + less + open_) / pairs
        self.half = Z * sqrt(max(0.0, differing - mean**2) / pairs)
        self.largest, self.smallest = max(map(abs, self.limits)), min(map(abs, self.limits))


def _is_open_without_chance(test: ClaimTest, figures: Figures, balance: _Balance | None) -> bool:
    """Return whether it would be undecided though these games were all there are."""
    met = test.demand.met(figures.least, figures.most)
    if balance is None:
        stopped = figures.counts.get("open", 0) + figures.counts.get("outside", 0)
        return bool(stopped) and met is None
    by_pairs = test.demand.met(*balance.limits)
    return bool(figures.counts["open"]) and (by_pairs is None or by_pairs != met)


def _is_equal(test: ClaimTest, figures: Figures, balance: _Balance | None) -> bool:
    if balance:
        return balance.largest + balance.half <= POINTS
    if figures.low is None or figures.high is None:
        return False
    return max(test.demand.value - figures.low, figures.high - test.demand.value) <= _margin(test)


def _factors(test: ClaimTest, figures: Figures, balance: _Balance | None) -> Iterator[float]:
    """Yield how many times as many games would decide it, and how many would show it as good as equal."""
    assert figures.least is not None
    bound = test.demand.value
    nearest = figures.least if figures.most is None or figures.least >= bound else figures.most
    limits = [(figures.least, figures.low), (figures.most, figures.high)]
    half = max((abs(value - limit) for value, limit in limits if value is not None and limit is not None), default=0.0)
    distance = abs(nearest - bound)
    if balance is None:
        room = max(distance, _margin(test) - distance)
        if half and room > 0:
            yield (half / room) ** 2
        return
    if distance and half > distance:
        yield (half / distance) ** 2
    elif distance and balance.smallest:  # the mean is certain: what is open is which of two games has more
        yield (balance.half / balance.smallest) ** 2
    if balance.largest < POINTS:
        yield (balance.half / (POINTS - balance.largest)) ** 2


def _margin(test: ClaimTest) -> float:
    return POINTS if test.kind == "share" else PART * abs(test.demand.value)


def _margin_in_words(test: ClaimTest) -> str:
    if test.kind == "difference":
        return "within two percentage points of as many pairs with more as with fewer"
    return f"within {'two percentage points' if test.kind == 'share' else '5 %'} of what is claimed"
