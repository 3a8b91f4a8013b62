"""A what-if among the readings: which rules lose their ground, who reads them so, and which questions it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from catalogue.evidence.clause_inheritance import Parameters
from catalogue.evidence.clauses import ReadingClause, clauses_of, newest_rulesets
from catalogue.evidence.open_questions import OpenQuestion, answered, inactive_parameters, question_rows
from catalogue.models import Reading
from catalogue.what_if.changes import Change, changes
from simulator.engine.family import Family
from simulator.engine.ruleset import Ruleset


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


def surroundings(slug: str | None, parent: Ruleset) -> Surroundings:
    """Of the ruleset that is the reading of that slug. The same few queries for any number of readings."""
    reading = Reading.objects.select_related("game").filter(slug=slug).first() if slug else None
    if reading is None:
        return Surroundings()
    readings = {one.slug: one for one in Reading.objects.filter(game=reading.game_id).order_by("position", "slug")}
    rulesets = newest_rulesets(readings)
    others = {
        one: rulesets[slug]
        for slug, one in readings.items()
        if slug in rulesets and one != reading and rulesets[slug].family == parent.family
    }
    clauses = tuple(clauses_of([reading.slug])[reading.slug])
    questions = answered(
        question_rows().filter(game=reading.game_id),
        {one: ruleset.document for one, ruleset in {reading: parent, **others}.items()},
    )
    fitting = [one for one in questions if set(one.question.parameters) <= set(parent.parameters)]
    return Surroundings(reading, clauses, others, tuple(fitting))


def changed_rules(surroundings: Surroundings, kind: Family, before: Parameters, after: Parameters) -> list[ChangedRule]:
    """Every rule in which a ruleset with the parameters `after` differs from the one with `before`."""
    inactive = {reading: inactive_parameters(ruleset) for reading, ruleset in surroundings.others.items()}
    return [
        ChangedRule(
            change,
            surroundings.clause_on(change.key),
            tuple(
                reading
                for reading, ruleset in surroundings.others.items()
                if ruleset.parameters[change.key] == after[change.key] and change.key not in inactive[reading]
            ),
        )
        for change in changes(kind, before, after)
    ]
