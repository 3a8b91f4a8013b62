"""A series of throws: throwing as long as the lots allow, and what is cancelled on the way."""

from simulator.engine.families.race.events import Event
from simulator.engine.families.race.position import Position, Rules
from simulator.engine.families.race.referee.lots import Throw, cast, throws_again
from simulator.engine.families.race.referee.parts import lay_ready
from simulator.engine.randomness import Draws

CANCELLING = ("cancel_scores", "cancel_after", "cancel_same", "cancelled")


def take_throws(rules: Rules, position: Position, draws: Draws) -> None:
    """Make the mover's throw, or his series of throws, and lay its parts ready."""
    series: list[Throw] = []
    events: list[Event] = []
    run = 0  # throws in succession, at the end of the series, that may be cancelled
    for _ in range(rules["series_limit"]):
        throw = cast(rules, draws)
        again = throws_again(rules, throw)
        keys = (*_scoring(throw), *again, *_extra(rules, throw))
        events.append(Event("throw", keys, position.thrower, None, throw.score, throw.lots))
        run = _run(rules, series, throw, run)
        series.append(throw)
        if run == rules["cancel_after"]:
            gone = run if rules["cancelled"] == "whole_run" else 1
            del series[-gone:]
            run = 0
            events.append(Event("cancelled", CANCELLING, position.thrower, None, gone))
        position.again = int(bool(again) and rules["series"] == "one_at_a_time")
        if not again or position.again:
            break
    lay_ready(rules, position, series)
    position.thrown = tuple(events)


def _scoring(throw: Throw) -> tuple[str, ...]:
    return ("named_mouths", "named_faces", "named_score", "named_ones") if throw.named else ("scores", "die_faces")


def _extra(rules: Rules, throw: Throw) -> tuple[str, ...]:
    return ("extra_scores",) if throw.score in rules["extra_scores"] and not throw.named else ()


def _run(rules: Rules, series: list[Throw], throw: Throw, run: int) -> int:
    if throw.named or throw.score not in rules["cancel_scores"]:
        return 0
    return run + 1 if not run or not rules["cancel_same"] or series[-1].score == throw.score else 1
