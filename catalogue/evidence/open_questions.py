"""Questions with their answers. Which reading gives which follows from the rulesets, and is never typed in."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet

from catalogue.evidence.clause_inheritance import gives
from catalogue.evidence.clauses import newest_documents
from catalogue.evidence.study_shares import newest_studies, shares_of
from catalogue.models import Anchor, Answer, Question, Reading, Study
from simulator.engine.family import family, sentence


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer, the readings whose rulesets give it, and what it sets in words: (title of the parameter, sentence)."""

    answer: Answer
    readings: tuple[Reading, ...]
    sets: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question with its answers, and how much it matters.

    silent:  readings whose rulesets give none of the answers
    study:   the game's newest study, if there is one
    matters: of that study, outcome -> the share of its variance that the question has on its own
    """

    question: Question
    answers: tuple[GivenAnswer, ...]
    silent: tuple[Reading, ...]
    study: Study | None
    matters: dict[str, str]

    @property
    def is_disputed(self) -> bool:
        """Whether readings of the game answer it differently."""
        return sum(bool(one.readings) for one in self.answers) > 1


def question_rows() -> "QuerySet[Question]":
    """Questions with their game, answers and the answers' words."""
    words = Anchor.objects.with_records().order_by("position")
    answers = Answer.objects.order_by("position").prefetch_related(Prefetch("anchors", words))
    return (
        Question.objects.select_related("game")
        .prefetch_related(Prefetch("answers", answers))
        .order_by("game__name", "position", "slug")
    )


def doubts(questions: Iterable[Question]) -> list[Doubt]:
    """Each question with who answers it how; three queries beside those of the questions."""
    rows = list(questions)
    readings: dict[int, list[Reading]] = {}
    for reading in Reading.objects.filter(game__in={row.game_id for row in rows}).order_by("position", "slug"):
        readings.setdefault(reading.game_id, []).append(reading)
    documents = newest_documents(reading.slug for some in readings.values() for reading in some)
    parameters = {slug: that_can_fire(document) for slug, document in documents.items()}
    families = {slug: document["family"] for slug, document in documents.items()}
    studies = newest_studies(row.game_id for row in rows)
    return [_doubt(row, readings.get(row.game_id, []), parameters, families, studies.get(row.game_id)) for row in rows]


def that_can_fire(document: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a stored document that can fire, those it leaves out at their off value included."""
    kind = family(document["family"])
    parameters = {key: document.get(key, spec.get("default")) for key, spec in kind.schema["properties"].items()}
    return kind.firing({**parameters, "family": kind.name})


def _doubt(
    question: Question,
    readings: list[Reading],
    parameters: dict[str, dict[str, Any]],
    families: dict[str, str],
    study: Study | None,
) -> Doubt:
    known = [reading for reading in readings if reading.slug in parameters]
    kind = family(families[known[0].slug]) if known else None
    answers = []
    for answer in question.answers.all():
        who = tuple(reading for reading in known if gives(parameters[reading.slug], answer.values))
        sets = tuple(_in_words(kind.schema["properties"], answer.values)) if kind and answer.values else ()
        answers.append(GivenAnswer(answer, who, sets))
    speaking = {reading.pk for one in answers for reading in one.readings}
    silent = tuple(reading for reading in known if reading.pk not in speaking)
    return Doubt(question, tuple(answers), silent, study, shares_of(question, study))


def _in_words(schema: dict[str, Any], values: dict[str, Any]) -> Iterable[tuple[str, str]]:
    for key, value in values.items():
        spec = schema.get(key)
        if spec is not None:
            off = value == spec.get("default")
            yield spec["title"], "there is no such rule" if off else sentence(value, spec)
