"""The form of a what-if as its page shows it: each parameter under the question that it belongs to."""

from dataclasses import dataclass
from itertools import chain

from django.forms import BoundField

from catalogue.evidence.clauses import ReadingClause
from catalogue.evidence.open_questions import GivenAnswer, OpenQuestion, inactive_parameters
from catalogue.pages.what_if_form import WhatIfForm
from catalogue.what_if.changes import Specs, WhatIf, explained, parameters_of
from catalogue.what_if.effects import Surroundings
from simulator.engine.family import family, sentence
from simulator.engine.ruleset import Problem


@dataclass(frozen=True, slots=True)
class Correction:
    """What was refused about a field, and the nearest valid value, in words."""

    message: str
    nearest: str


@dataclass(frozen=True, slots=True)
class ParameterField:
    key: str
    bound: BoundField
    before: str
    idle: str
    clause: ReadingClause | None
    is_changed: bool
    corrections: tuple[Correction, ...]

    @property
    def needs_a_look(self) -> bool:
        return self.is_changed or bool(self.corrections)


@dataclass(frozen=True, slots=True)
class QuestionFields:
    """A question, the answer of the ruleset that was changed, the answer now, and the fields that set it."""

    question: OpenQuestion
    before: GivenAnswer | None
    now: GivenAnswer | None
    is_touched: bool
    arises: bool
    fields: tuple[ParameterField, ...]

    @property
    def needs_a_look(self) -> bool:
        return any(one.needs_a_look for one in self.fields)


@dataclass(frozen=True, slots=True)
class FieldGroups:
    """The fields of the form in three groups: of the game's questions, of the ruleset's other rules, and the rest."""

    questions: tuple[QuestionFields, ...]
    own: tuple[ParameterField, ...]
    further: tuple[ParameterField, ...]

    @property
    def refused(self) -> tuple[ParameterField, ...]:
        fields = chain(*(one.fields for one in self.questions), self.own, self.further)
        return tuple(one for one in fields if one.corrections)

    @property
    def further_needs_a_look(self) -> bool:
        return any(one.needs_a_look for one in self.further)


def field_groups(variant: WhatIf, around: Surroundings, form: WhatIfForm) -> FieldGroups:
    """Every parameter once, under the first question that it belongs to."""
    idle = inactive_parameters(variant.ruleset or variant.parent)
    fields = {key: _field(key, variant, around, form, idle.get(key, "")) for key in form.fields}
    questions = []
    for question in around.questions:
        keys = [key for key in question.question.parameters if key in fields]
        questions.append(_question(question, variant, tuple(fields.pop(key) for key in keys)))
    own = [key for key in fields if key in variant.parent.document]
    return FieldGroups(tuple(questions), tuple(fields.pop(key) for key in own), tuple(fields.values()))


def _question(question: OpenQuestion, variant: WhatIf, fields: tuple[ParameterField, ...]) -> QuestionFields:
    return QuestionFields(
        question,
        question.given_by(variant.parent.parameters),
        question.given_by(variant.parameters),
        bool(set(question.question.parameters) & set(variant.values)),
        question.arises(variant.ruleset or variant.parent),
        fields,
    )


def _field(key: str, variant: WhatIf, around: Surroundings, form: WhatIfForm, idle: str) -> ParameterField:
    kind = family(variant.parent.family)
    specs = parameters_of(kind)
    before = kind.sentence(key, variant.parent.parameters)
    corrections = tuple(_correction(problem, specs) for problem in variant.problems if problem.key == key)
    is_changed = key in variant.values
    return ParameterField(
        key, form[key], before, explained(idle, specs), around.clause_on(key), is_changed, corrections
    )


def _correction(problem: Problem, specs: Specs) -> Correction:
    nearest = "" if problem.nearest is None else sentence(problem.nearest, specs[problem.key])
    return Correction(explained(problem.message, specs), nearest)
