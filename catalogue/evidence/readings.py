"""The readings of a game with their rulesets, and the answers that each gives to the game’s open questions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from catalogue.evidence.clause_inheritance import Parameters, gives
from catalogue.evidence.open_questions import question_rows
from catalogue.models import Answer, Game, Question, Reading
from catalogue.models.querysets import newest_versions
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.rulesets import as_engine


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer, and the readings of the game whose rulesets give it."""

    row: Answer
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    row: Question
    answers: tuple[GivenAnswer, ...]

    def given_by(self, parameters: Parameters) -> GivenAnswer | None:
        """The answer that a ruleset with these parameters gives, if it gives one that is listed."""
        return next((one for one in self.answers if gives(parameters, one.row.values)), None)

    def arises(self, ruleset: Ruleset) -> bool:
        """Whether the answer makes any difference in a ruleset."""
        return not set(self.row.parameters) <= set(unfired(ruleset))


def unfired(ruleset: Ruleset) -> dict[str, str]:
    """The parameters that never fire in a ruleset, and why."""
    return family(ruleset.family).unfired(ruleset.parameters)


def readings_of(game: Game) -> dict[Reading, Ruleset]:
    """The readings of a game that have been loaded, each with its newest ruleset. Two queries."""
    readings = list(Reading.objects.filter(game=game).order_by("position", "slug"))
    versions = newest_versions(reading.slug for reading in readings)
    return {one: as_engine(versions[one.slug].ruleset) for one in readings if one.slug in versions}


def questions_of(game: Game, readings: Mapping[Reading, Ruleset]) -> list[OpenQuestion]:
    """The questions of a game, and which of these readings gives which answer. Three queries."""
    rows = question_rows().filter(game=game)
    firing = {one: family(ruleset.family).firing(ruleset.parameters) for one, ruleset in readings.items()}
    return [OpenQuestion(row, tuple(_given(row.answers.all(), firing))) for row in rows]


def _given(answers: Iterable[Answer], firing: Mapping[Reading, Parameters]) -> Iterable[GivenAnswer]:
    """A reading gives an answer by the rules that can fire in it; of the others it says nothing."""
    for answer in answers:
        readings = (reading for reading, known in firing.items() if gives(known, answer.values))
        yield GivenAnswer(answer, tuple(readings))
