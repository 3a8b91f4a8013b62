"""The form in which a reader changes a ruleset: one field for each parameter, made from the family's schema.

The page shows each field under the question that its parameter belongs to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django import forms
from django.forms import BoundField

from catalogue.evidence.clauses import ReadingClause
from catalogue.evidence.questions import GivenAnswer, OpenQuestion, inactive_parameters
from catalogue.pages.forms import RefusableForm
from catalogue.what_if.changes import PREFIX, Specs, WhatIf, choices, explained, parameters_of
from catalogue.what_if.context import ReadingContext
from simulator.engine.documents import write_value
from simulator.engine.family import family, sentence
from simulator.engine.ruleset import Problem, Ruleset


class WhatIfForm(RefusableForm, forms.Form):
    """Every parameter of a ruleset as it stands, and as somebody would have it.

    The form only shows: what is typed is understood, and refused, by `catalogue.what_if.changes`.
    """

    def __init__(self, parent: Ruleset, typed: Mapping[str, str], problems: tuple[Problem, ...] = ()) -> None:
        specs = parameters_of(family(parent.family))
        before = {key: write_value(parent.parameters[key]) for key in specs}
        super().__init__({self.add_prefix(key): words for key, words in {**before, **typed}.items()})
        for key, spec in specs.items():
            self.fields[key] = field_of(spec)
        for problem in problems:
            self.add_error(problem.key if problem.key in specs else None, problem.message)

    def add_prefix(self, field_name: str) -> str:
        return PREFIX + field_name


def field_of(spec: Mapping[str, Any]) -> forms.CharField:
    """The field of one parameter: choices in words where it has them, else a number or a list to be typed."""
    offered = choices(spec)
    widget: forms.Widget
    if offered:
        widget = forms.RadioSelect(choices=offered)
    elif spec["type"] == "integer":
        widget = forms.NumberInput(attrs={"min": spec["minimum"], "max": spec["maximum"], "inputmode": "numeric"})
    else:
        widget = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"})
    return forms.CharField(required=False, label=spec["title"], help_text=hint(spec), widget=widget)


def hint(spec: Mapping[str, Any]) -> str:
    """What the parameter is, and what may be typed."""
    description = str(spec["description"])
    if spec["type"] == "integer" and spec["minimum"] == spec["maximum"]:
        return f"{description} Always {spec['minimum']}."
    if spec["type"] == "integer":
        return f"{description} From {spec['minimum']} to {spec['maximum']}."
    if spec["type"] == "array":
        item = spec["items"]
        parts = f"numbers from {item['minimum']} to {item['maximum']}" if "minimum" in item else "names"
        bound = f"{spec['minItems']} " if spec.get("minItems") else ""
        return f"{description} To be typed: {bound}{parts} with commas between them."
    return description


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


def field_groups(variant: WhatIf, around: ReadingContext, form: WhatIfForm) -> FieldGroups:
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


def _field(key: str, variant: WhatIf, around: ReadingContext, form: WhatIfForm, idle: str) -> ParameterField:
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
