"""What figures say of a claim. Pure Python.

A test is supported if the whole 95 % interval of its figure lies on the claimed side, not supported if it lies wholly
on the other, and undecided otherwise. A claim is tested under each reading concerned, and is supported, or not, only if
every test says so: where the readings disagree, the answer depends on the reading. A claim about good play is judged by
games of players that think, and not by random play, whatever its figures. What is undecided tells why, as one of the
reasons of `simulator.statistics.verdicts`, looked at in this order:

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


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A claim's verdict, why it is undecided if it is, and what each reading says, in the order of the tests."""

    kind: Verdict.Kind
    reason: str
    readings: Mapping[str, Verdict.Kind]
    because: UndecidedReason | None = None


def of_demand(met: bool | None) -> Verdict.Kind:
    return Verdict.Kind.UNDECIDED if met is None else Verdict.Kind.SUPPORTED if met else Verdict.Kind.NOT_SUPPORTED


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
    if not tests or any(outcome is None for _, outcome in tests):
        return ClaimVerdict(Verdict.Kind.UNDECIDED, NOT_YET, readings, UndecidedReason.NOT_JUDGED)
    common = _common([outcome for _, outcome in tests])
    if common != Verdict.Kind.UNDECIDED:
        return ClaimVerdict(common, "", readings)
    reason, because = _why(readings, {outcome for _, outcome in tests}, whys)
    return ClaimVerdict(Verdict.Kind.UNDECIDED, reason, readings, because)


def _without_players(reason: str, readings: Mapping[str, Verdict.Kind]) -> ClaimVerdict:
    return ClaimVerdict(
        Verdict.Kind.UNDECIDED, reason, dict.fromkeys(readings, Verdict.Kind.UNDECIDED), UndecidedReason.PLAYERS
    )


def _by_reading(tests: Sequence[tuple[str, Verdict.Kind | None]]) -> dict[str, Verdict.Kind]:
    """What the tests of each reading say together."""
    by_name: dict[str, list[Verdict.Kind | None]] = {}
    for name, outcome in tests:
        by_name.setdefault(name, []).append(outcome)
    return {name: _common(outcomes) for name, outcomes in by_name.items()}


def _common(outcomes: Sequence[Verdict.Kind | None]) -> Verdict.Kind:
    first = outcomes[0]
    return first if first is not None and all(one == first for one in outcomes) else Verdict.Kind.UNDECIDED


def _why(
    readings: Mapping[str, Verdict.Kind], outcomes: set[Verdict.Kind | None], whys: Sequence[Explanation]
) -> tuple[str, UndecidedReason | None]:
    decided = {Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED}
    if decided <= set(readings.values()):
        return DEPENDS, UndecidedReason.READINGS
    if decided <= outcomes or not whys:
        return DISAGREE, UndecidedReason.TESTS
    first = first_of(list(whys))
    return NOT_CERTAIN.format(first.text), first.because


POINTS, PART = 0.02, 0.05  # margins: of a share, and of a mean as a part of what is claimed


class Figures(Protocol):
    """Of a verdict, as `simulator.statistics.bounded.BoundedFigure` has them; games: of the batch, not all of which
    need be of the kind that the test looks at
    """

    least: float | None
    most: float | None
    low: float | None
    high: float | None
    counts: Mapping[str, int]
    games: int


def why(test: ClaimTest, said: Figures) -> Explanation:
    """Of a test whose verdict is undecided."""
    if test.kind not in ("share", "mean", "difference"):
        return Explanation(UndecidedReason.FEW, "one game shows nothing by its not being so: another may be a witness")
    if _is_open_without_chance(test, said):
        return Explanation(
            UndecidedReason.UNFINISHED, "too many games without an end: a higher cap is wanted, not more games"
        )
    if said.least is None:
        return Explanation(UndecidedReason.FEW, "too few games: none of them tells")
    if _is_equal(test, said):
        return Explanation(UndecidedReason.EQUAL, f"as good as equal: the whole interval lies {_margin_in_words(test)}")
    factor = min(_factors(test, said), default=None)
    if factor is None:
        return Explanation(UndecidedReason.FEW, "too few games")
    more = games_more(said.games, factor)
    return Explanation(
        UndecidedReason.FEW, f"too few games: about {more:,} more would decide it, or show it as good as equal", more
    )


def _is_open_without_chance(test: ClaimTest, said: Figures) -> bool:
    """Whether it would be undecided though these games were all there are."""
    if test.kind != "difference":
        stopped = said.counts.get("open", 0) + said.counts.get("outside", 0)
        return bool(stopped) and test.demand.met(said.least, said.most) is None
    if not said.counts["open"]:
        return False
    against, favoured = _balance(said)
    met = test.demand.met(against, favoured)
    return met is None or met != test.demand.met(said.least, said.most)


def _is_equal(test: ClaimTest, said: Figures) -> bool:
    if test.kind == "difference":
        against, favoured = _balance(said)
        return max(abs(against), abs(favoured)) + _half_of_balance(said) <= POINTS
    if said.low is None or said.high is None:
        return False
    return max(test.demand.value - said.low, said.high - test.demand.value) <= _margin(test)


def _factors(test: ClaimTest, said: Figures) -> Iterator[float]:
    """How many times as many games would do, one way or another."""
    assert said.least is not None
    bound = test.demand.value
    nearest = said.least if said.most is None or said.least >= bound else said.most
    limits = [(said.least, said.low), (said.most, said.high)]
    half = max((abs(value - limit) for value, limit in limits if value is not None and limit is not None), default=0.0)
    distance = abs(nearest - bound)
    if test.kind != "difference":
        room = max(distance, _margin(test) - distance)
        if half and room > 0:
            yield (half / room) ** 2
        return
    against, favoured = _balance(said)
    half_of_balance, away = _half_of_balance(said), min(abs(against), abs(favoured))
    if distance and half > distance:
        yield (half / distance) ** 2
    elif distance and away:  # the mean is certain: what is open is which of two games has more
        yield (half_of_balance / away) ** 2
    if max(abs(against), abs(favoured)) < POINTS:
        yield (half_of_balance / (POINTS - max(abs(against), abs(favoured)))) ** 2


def _balance(said: Figures) -> tuple[float, float]:
    """The share of pairs that have more less the share that have fewer, with every open pair against and for it."""
    pairs = _pairs(said)
    more, less, open_ = (said.counts[kind] for kind in ("more", "less", "open"))
    return (more - less - open_) / pairs, (more - less + open_) / pairs


def _half_of_balance(said: Figures) -> float:
    """Half its 95 % interval: a pair counts 1, −1 or 0."""
    pairs, mean = _pairs(said), sum(_balance(said)) / 2
    differing = said.counts["more"] + said.counts["less"] + said.counts["open"]
    return Z * sqrt(max(0.0, differing / pairs - mean**2) / pairs)


def _pairs(said: Figures) -> int:
    return sum(said.counts[kind] for kind in ("more", "less", "same", "open")) or 1


def _margin(test: ClaimTest) -> float:
    return POINTS if test.kind == "share" else PART * abs(test.demand.value)


def _margin_in_words(test: ClaimTest) -> str:
    if test.kind == "difference":
        return "within two percentage points of as many pairs with more as with fewer"
    return f"within {'two percentage points' if test.kind == 'share' else '5 %'} of what is claimed"
