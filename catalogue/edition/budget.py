"""What an edition costs here, and what of it is given up so that it fits into the hours it is given.

Prices are those of `simulator.batches.prices`: processor time by ruleset and players, measured and written down. Each
batch is counted once, in the part that needs it first, with the figures and plots that are made of it. Whether the
edition fits is asked of the whole of it, whatever is there: else a plan that is half built would be another one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from catalogue.edition.kinds import BATCHES, CLAIMS, COMPARISONS, STUDIES
from catalogue.edition.parts import Part, PlannedGame, Planner
from catalogue.edition.precision import Precision
from catalogue.edition.terms import CoarserStep, EditionTerms
from simulator.batches.prices import UNITS, finishing_price
from simulator.batches.requests import BatchRequest
from simulator.problems import WrongRequest

HOUR = 3600.0
OF = {"levels": (BATCHES, COMPARISONS), "studies": (STUDIES,), "claims": (CLAIMS,)}
Known = Callable[[BatchRequest], bool]  # whether a batch is there already


@dataclass(frozen=True, slots=True)
class CostedPart:
    """seconds: of one processor; games: that are played for it"""

    part: Part
    seconds: float
    games: int


@dataclass(frozen=True, slots=True)
class EditionPlan:
    """given_up: the steps that were needed to fit, in their order; precision: what is left."""

    parts: tuple[CostedPart, ...]
    precision: Precision
    given_up: tuple[CoarserStep, ...]

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.parts)


def nothing(request: BatchRequest) -> bool:
    return False


def costed(parts: Iterable[Part], known: Known = nothing) -> tuple[CostedPart, ...]:
    """known: batches that cost nothing any more"""
    counted: set[str] = set()
    found = []
    for part in parts:
        new = [one for one in part.requests if one.id not in counted and not known(one)]
        counted.update(one.id for one in part.requests)
        found.append(CostedPart(part, sum(map(_seconds, new)), sum(one.games for one in new)))
    return tuple(found)


def _seconds(request: BatchRequest) -> float:
    return (request.work / UNITS + finishing_price(request.ruleset.family)) / 1e6


def fitted(terms: EditionTerms, games: list[PlannedGame], hours: float, processes: int) -> EditionPlan:
    """The plan, with as many of its steps taken, in order, as bring it into the hours; raises WrongRequest if all of
    them do not."""
    planner, precision, given_up = Planner(terms, games), Precision.wished(terms), []
    parts = costed(planner.parts(precision))
    for step in terms.coarser:
        if _hours(parts, processes) <= hours:
            break
        coarser = precision.after(step, _dear(parts, step))
        if coarser != precision:
            precision = coarser
            given_up.append(step)
            parts = costed(planner.parts(precision))
    if (needed := _hours(parts, processes)) > hours:
        dearest = max(parts, key=lambda one: one.seconds)
        message = (
            f"{needed:.1f} hours are needed on {processes} processes, even with everything given up that the plan "
            f"allows; the dearest part is {dearest.part.kind} {dearest.part.name}, {dearest.seconds / HOUR:.1f} hours "
            "of a processor"
        )
        raise WrongRequest.of("hours", message, round(needed + 0.05, 1))
    return EditionPlan(parts, precision, tuple(given_up))


def _hours(parts: Iterable[CostedPart], processes: int) -> float:
    return sum(one.seconds for one in parts) / processes / HOUR


def _dear(parts: Iterable[CostedPart], step: CoarserStep) -> list[str]:
    """The games that take more there than the step leaves alone."""
    seconds: dict[str, float] = {}
    for one in parts:
        if one.part.kind in OF[step.of] and one.part.level == step.level:
            seconds[one.part.game] = seconds.get(one.part.game, 0.0) + one.seconds
    return [game for game, taken in seconds.items() if taken > 60 * step.above_minutes]
