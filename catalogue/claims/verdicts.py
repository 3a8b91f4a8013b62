"""What figures say of a claim. Pure Python.

A test is supported if the whole 95 % interval of its figure lies on the claimed side, not supported if it lies wholly
on the other, and undecided otherwise. A claim is tested under each reading concerned, and is supported, or not, only if
every test says so: where the readings disagree, the answer depends on the reading. A claim about good play is judged by
games of players that think, and not by random play, whatever its figures. What is undecided tells why, as one of the
reasons of `simulator.statistics.undecided`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalogue.texts.outcomes import Outcome
from simulator.statistics.undecided import Explanation, UndecidedReason, first_of

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

    outcome: Outcome
    reason: str
    readings: Mapping[str, Outcome]
    because: UndecidedReason | None = None


def of_demand(met: bool | None) -> Outcome:
    return Outcome.UNDECIDED if met is None else Outcome.SUPPORTED if met else Outcome.NOT_SUPPORTED


def of_claim(
    judged_by: str,
    tests: Sequence[tuple[str, Outcome | None]],
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
        return ClaimVerdict(Outcome.UNTESTABLE, "", {})
    readings = _by_reading(tests)
    if needs:
        return _without_players(NEEDS.format(needs), readings)
    if judged_by != "random" and not are_played_by_thinkers:
        return _without_players(NEEDS_PLAYERS, readings)
    if not tests or any(outcome is None for _, outcome in tests):
        return ClaimVerdict(Outcome.UNDECIDED, NOT_YET, readings, UndecidedReason.NOT_JUDGED)
    common = _common([outcome for _, outcome in tests])
    if common != Outcome.UNDECIDED:
        return ClaimVerdict(common, "", readings)
    reason, because = _why(readings, {outcome for _, outcome in tests}, whys)
    return ClaimVerdict(Outcome.UNDECIDED, reason, readings, because)


def _without_players(reason: str, readings: Mapping[str, Outcome]) -> ClaimVerdict:
    return ClaimVerdict(Outcome.UNDECIDED, reason, dict.fromkeys(readings, Outcome.UNDECIDED), UndecidedReason.PLAYERS)


def _by_reading(tests: Sequence[tuple[str, Outcome | None]]) -> dict[str, Outcome]:
    """What the tests of each reading say together."""
    by_name: dict[str, list[Outcome | None]] = {}
    for name, outcome in tests:
        by_name.setdefault(name, []).append(outcome)
    return {name: _common(outcomes) for name, outcomes in by_name.items()}


def _common(outcomes: Sequence[Outcome | None]) -> Outcome:
    first = outcomes[0]
    return first if first is not None and all(one == first for one in outcomes) else Outcome.UNDECIDED


def _why(
    readings: Mapping[str, Outcome], outcomes: set[Outcome | None], whys: Sequence[Explanation]
) -> tuple[str, UndecidedReason | None]:
    decided = {Outcome.SUPPORTED, Outcome.NOT_SUPPORTED}
    if decided <= set(readings.values()):
        return DEPENDS, UndecidedReason.READINGS
    if decided <= outcomes or not whys:
        return DISAGREE, UndecidedReason.TESTS
    first = first_of(list(whys))
    return NOT_CERTAIN.format(first.text), first.because
