"""Questions with their answers, and the study that says how much each matters.

Which reading gives which answer follows from the rulesets, and is never typed in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from django.db.models import Prefetch, QuerySet

from catalogue.evidence.clauses import Parameters, gives, newest_documents
from catalogue.evidence.idle_questions import IdleFinding, idle_findings
from catalogue.models import Anchor, Answer, Question, Reading, Study
from simulator.batches.levels import LEVELS, rank
from simulator.engine.family import Family, family, sentence
from simulator.engine.ruleset import Ruleset


def level_of(players: str) -> str:
    """The level that every seat was asked to be played on; empty if there is none."""
    (first, *others) = set(players.split(","))
    return first if not others and first in LEVELS else ""


def rank_studies(studies: Iterable[Study]) -> list[Study]:
    """Studies by the strength of their players, of the same strength the newest first; only summaries are read.

    Those of players of no level come last. Studies that were made together, as those of the edition are, have the same
    date, which says nothing between them: then their keys decide.
    """
    newest_first = sorted(sorted(studies, key=lambda study: study.pk), key=lambda study: study.created, reverse=True)
    return sorted(newest_first, key=lambda study: rank(level_of(study.summary["players"])), reverse=True)


def best_studies(games: Iterable[int]) -> dict[int, Study]:
    """The first study by `rank_studies` of each game that was studied, without document and plots. One query."""
    rows = Study.objects.filter(game__in=set(games)).defer("document", "plots")
    return {study.game_id: study for study in reversed(rank_studies(rows))}


NOT_STUDIED: Mapping[int, Study] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer, the readings whose rulesets give it, and what it sets in words: (title of the parameter, sentence)."""

    answer: Answer
    readings: tuple[Reading, ...]
    sets: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question with its answers, and how much it matters.

    silent:  readings whose rulesets give none of the answers
    study:   the best of the game, if there is one
    found:   what games said of it in each reading: whether its answers ever gave different ones
    """

    question: Question
    answers: tuple[GivenAnswer, ...]
    silent: tuple[Reading, ...]
    study: Study | None
    found: tuple[IdleFinding, ...] = ()

    @property
    def idle(self) -> tuple[IdleFinding, ...]:
        """The readings in which games were the same under every answer."""
        return tuple(finding for finding in self.found if finding.is_idle)

    @property
    def is_disputed(self) -> bool:
        """Whether readings of the game answer it differently."""
        return sum(bool(answer.readings) for answer in self.answers) > 1

    @property
    def matters(self) -> dict[str, str]:
        """Outcome -> the share of its variance that the question has on its own; empty if it was not varied."""
        shares: dict[str, str] = self.study.summary["shares"].get(self.question.slug, {}) if self.study else {}
        return shares

    def given_by(self, parameters: Parameters) -> GivenAnswer | None:
        """The answer that a ruleset with these parameters gives, if it gives one that is listed."""
        return next((given for given in self.answers if gives(parameters, given.answer.values)), None)

    def arises(self, ruleset: Ruleset) -> bool:
        """Whether the answer makes any difference in a ruleset."""
        return not set(self.question.parameters) <= set(inactive_parameters(ruleset))


def inactive_parameters(ruleset: Ruleset) -> dict[str, str]:
    """The parameters that never fire in a ruleset, and why."""
    return family(ruleset.family).inactive(ruleset.parameters)


def question_rows() -> "QuerySet[Question]":
    """Questions with their game, answers and the answers' words."""
    words = Anchor.objects.with_records().order_by("-stance", "position", "key")
    answers = Answer.objects.order_by("position", "slug").prefetch_related(Prefetch("anchors", words))
    return (
        Question.objects.select_related("game")
        .prefetch_related(Prefetch("answers", answers))
        .order_by("game__name", "position", "slug")
    )


def open_questions(questions: Iterable[Question]) -> list[OpenQuestion]:
    """Each question with the readings that give each answer. Three queries more than those of the questions."""
    rows = list(questions)
    games = {row.game_id for row in rows}
    readings = list(Reading.objects.filter(game__in=games).order_by("position", "slug"))
    documents = newest_documents(reading.slug for reading in readings)
    known = {reading: documents[reading.slug] for reading in readings if reading.slug in documents}
    return [
        replace(row, found=idle_findings(row.question, _of_game(known, row.question)))
        for row in answered(rows, known, best_studies(games))
    ]


def answered(
    questions: Iterable[Question],
    documents: Mapping[Reading, Mapping[str, Any]],
    studies: Mapping[int, Study] = NOT_STUDIED,
) -> list[OpenQuestion]:
    """Each question as the readings of its game answer it.

    documents: those of the readings' rulesets; keys at their off value may be left out
    studies:   the best of each game, by the game's primary key
    """
    active = {reading: _active_parameters(document) for reading, document in documents.items()}
    return [_answered(row, _of_game(active, row), studies) for row in questions]


def _of_game(of_readings: Mapping[Reading, Parameters], question: Question) -> dict[Reading, Parameters]:
    return {reading: rules for reading, rules in of_readings.items() if reading.game_id == question.game_id}


def _active_parameters(document: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a document that can fire, those it leaves out at their off value included."""
    kind = family(document["family"])
    parameters = {key: document.get(key, spec.get("default")) for key, spec in kind.schema["properties"].items()}
    return kind.active(parameters)


def _answered(question: Question, active: Mapping[Reading, Parameters], studies: Mapping[int, Study]) -> OpenQuestion:
    kind = family(next(iter(active.values()))["family"]) if active else None
    answers = []
    for answer in question.answers.all():
        readings = tuple(reading for reading, rules in active.items() if gives(rules, answer.values))
        answers.append(GivenAnswer(answer, readings, tuple(_in_words(kind, answer.values or {}))))
    speaking = {reading for given in answers for reading in given.readings}
    silent = tuple(reading for reading in active if reading not in speaking)
    return OpenQuestion(question, tuple(answers), silent, studies.get(question.game_id))


def _in_words(kind: Family | None, values: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for key, value in values.items():
        spec = kind.schema["properties"].get(key) if kind else None
        if spec is not None:
            yield spec["title"], sentence(value, spec)
