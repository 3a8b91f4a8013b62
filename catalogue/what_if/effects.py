"""A what-if among the readings: which rules lose their ground, who reads them so, and which questions it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

from django.forms import BoundField

from catalogue.evidence.clause_inheritance import Parameters
from catalogue.evidence.clauses import ReadingClause, clauses_of
from catalogue.evidence.readings import GivenAnswer, OpenQuestion, questions_of, readings_of, unfired
from catalogue.models import Reading
from catalogue.pages.what_if_form import WhatIfForm
from catalogue.what_if.changes import Change, Specs, WhatIf, changes, explained, parameters_of, value_words
from simulator.engine.family import Family, family
from simulator.engine.ruleset import Problem, Ruleset


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of a ruleset as a reading: its clauses, the other readings of its game, the game's questions.

    All of it is empty for a ruleset that is nobody's reading.
    """

    reading: Reading | None = None
    clauses: tuple[ReadingClause, ...] = ()
    others: Mapping[Reading, Ruleset] = field(default_factory=dict)
    questions: tuple[OpenQuestion, ...] = ()

    def clause_on(self, key: str) -> ReadingClause | None:
        return next((one for one in self.clauses if key in one.parameters), None)


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """A rule that was changed, the clause that no longer holds, and the other readings that have the rule so."""

    change: Change
    clause: ReadingClause | None
    read_so_by: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Mend:
    """What was refused about a field, and the nearest valid value, in words."""

    message: str
    nearest: str


@dataclass(frozen=True, slots=True)
class ShownField:
    key: str
    bound: BoundField
    standing: str
    idle: str
    clause: ReadingClause | None
    is_changed: bool
    mends: tuple[Mend, ...]

    @property
    def needs_a_look(self) -> bool:
        return self.is_changed or bool(self.mends)


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question, the answer of the ruleset that was changed, the answer now, and the fields that set it."""

    question: OpenQuestion
    before: GivenAnswer | None
    now: GivenAnswer | None
    is_touched: bool
    arises: bool
    fields: tuple[ShownField, ...]

    @property
    def needs_a_look(self) -> bool:
        return any(one.needs_a_look for one in self.fields)


@dataclass(frozen=True, slots=True)
class ShownFields:
    """The fields of the form in three groups: of the game's questions, of the ruleset's other rules, and the rest."""

    questions: tuple[ShownQuestion, ...]
    own: tuple[ShownField, ...]
    further: tuple[ShownField, ...]

    @property
    def refused(self) -> tuple[ShownField, ...]:
        fields = chain(*(one.fields for one in self.questions), self.own, self.further)
        return tuple(one for one in fields if one.mends)

    @property
    def further_needs_a_look(self) -> bool:
        return any(one.needs_a_look for one in self.further)


def surroundings(slug: str | None, parent: Ruleset) -> Surroundings:
    """Of the ruleset that is the reading of that slug. The same few queries for any number of readings."""
    reading = Reading.objects.select_related("game").filter(slug=slug).first() if slug else None
    if reading is None:
        return Surroundings()
    of_game = readings_of(reading.game)
    others = {one: ruleset for one, ruleset in of_game.items() if one != reading and ruleset.family == parent.family}
    clauses = tuple(clauses_of([reading.slug])[reading.slug])
    questions = questions_of(reading.game, {reading: parent, **others})
    fitting = [one for one in questions if set(one.row.parameters) <= set(parent.parameters)]
    return Surroundings(reading, clauses, others, tuple(fitting))


def changed_rules(around: Surroundings, kind: Family, before: Parameters, after: Parameters) -> list[ChangedRule]:
    """Every rule in which a ruleset with the parameters `after` differs from the one with `before`."""
    idle = {reading: unfired(ruleset) for reading, ruleset in around.others.items()}
    return [
        ChangedRule(
            change,
            around.clause_on(change.key),
            tuple(
                reading
                for reading, ruleset in around.others.items()
                if ruleset.parameters[change.key] == after[change.key] and change.key not in idle[reading]
            ),
        )
        for change in changes(kind, before, after)
    ]


def shown_fields(wish: WhatIf, around: Surroundings, form: WhatIfForm) -> ShownFields:
    """Every parameter once, under the first question that it belongs to."""
    idle = unfired(wish.ruleset or wish.parent)
    shown = {key: _field(key, wish, around, form, idle.get(key, "")) for key in form.fields}
    questions = []
    for question in around.questions:
        keys = [key for key in question.row.parameters if key in shown]
        questions.append(_question(question, wish, tuple(shown.pop(key) for key in keys)))
    own = [key for key in shown if key in wish.parent.document]
    return ShownFields(tuple(questions), tuple(shown.pop(key) for key in own), tuple(shown.values()))


def _question(question: OpenQuestion, wish: WhatIf, fields: tuple[ShownField, ...]) -> ShownQuestion:
    return ShownQuestion(
        question,
        question.given_by(wish.parent.parameters),
        question.given_by(wish.parameters),
        bool(set(question.row.parameters) & set(wish.values)),
        question.arises(wish.ruleset or wish.parent),
        fields,
    )


def _field(key: str, wish: WhatIf, around: Surroundings, form: WhatIfForm, idle: str) -> ShownField:
    specs = parameters_of(family(wish.parent.family))
    standing = value_words(wish.parent.parameters[key], specs[key])
    mends = tuple(_mend(problem, specs) for problem in wish.problems if problem.key == key)
    is_changed = key in wish.values
    return ShownField(key, form[key], standing, explained(idle, specs), around.clause_on(key), is_changed, mends)


def _mend(problem: Problem, specs: Specs) -> Mend:
    nearest = "" if problem.nearest is None else value_words(problem.nearest, specs[problem.key])
    return Mend(explained(problem.message, specs), nearest)
