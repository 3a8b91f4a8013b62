"""What must hold between records, rulesets and the clauses that tie them together. Pure Python.

A reading is a ruleset with a clause for every parameter that is not at its off value. It may rest on another reading:
then it has that reading's clauses wherever both give a parameter the same value, and states the others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from django.db.models import Model, Prefetch

from catalogue.models import Anchor, Answer, Clause, Reading
from catalogue.models.querysets import newest_versions
from simulator.engine.documents import parse_kept
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.engine.values import value_written
from simulator.models import RulesetVersion
from simulator.rulesets import as_engine

IN_WORDS = ("stated", "entailed", "by_analogy")  # bases that need words of a record

Parameters = Mapping[str, Any]


class StatedClause(Protocol):
    """A clause as far as inheriting it matters: the parameters that it covers."""

    parameters: Any


C = TypeVar("C", bound=StatedClause)


@dataclass(frozen=True, slots=True)
class HeldClause(Generic[C]):
    """A clause that a reading holds: its own, or one of a reading it rests on. `parameters`: those it covers here."""

    clause: C
    parameters: tuple[str, ...]
    inherited: bool


def held_clauses(
    reading: str,
    stated: Mapping[str, Sequence[C]],
    rests_on: Mapping[str, str | None],
    parameters: Mapping[str, Parameters],
) -> list[HeldClause[C]]:
    """The clauses of a reading, its own first, then those it inherits.

    stated: clauses by reading; rests_on: reading -> the reading it rests on; parameters: every key of each ruleset.
    """
    found = [HeldClause(clause, tuple(clause.parameters), False) for clause in stated.get(reading, ())]
    base = rests_on.get(reading)
    if base is None:
        return found
    covered = {key for one in found for key in one.parameters}
    mine, theirs = parameters[reading], parameters[base]
    for one in held_clauses(base, stated, rests_on, parameters):
        shared = tuple(key for key in one.parameters if key not in covered and mine.get(key) == theirs.get(key))
        if shared:
            found.append(HeldClause(one.clause, shared, True))
    return found


def gives(parameters: Parameters, values: Parameters | None) -> bool:
    """Whether a ruleset gives the answer that sets those values.

    parameters: those that can fire in it: of a rule that cannot it says nothing
    """
    values = values or {}
    speaks = any(key in parameters for key in values)
    return speaks and all(parameters.get(key, value) == value for key, value in values.items())


def foundations(reading: str, rests_on: Mapping[str, str | None]) -> list[str]:
    """A reading and those it rests on; a circle ends where it closes."""
    found: list[str] = []
    at: str | None = reading
    while at is not None and at not in found:
        found.append(at)
        at = rests_on.get(at)
    return found


def resting_in_circles(rests_on: Mapping[str, str | None]) -> list[str]:
    """Readings that rest on themselves by way of others."""
    return [reading for reading in rests_on if rests_on.get(foundations(reading, rests_on)[-1]) is not None]


ReadingClause: TypeAlias = HeldClause[Clause]


def clauses_of(slugs: Iterable[str]) -> dict[str, list[ReadingClause]]:
    """The clauses of each reading, its own first. Anchors come with their records; four queries."""
    wanted = list(slugs)
    rests_on = readings_rested_on()
    chain = {name for slug in wanted for name in foundations(slug, rests_on)}
    with_records = Anchor.objects.with_records()
    clauses = (
        Clause.objects.filter(reading__slug__in=chain)
        .select_related("reading")
        .prefetch_related(Prefetch("anchors", with_records.order_by("-stance", "position", "key")))
        .order_by("reading", "position", "slug")
    )
    stated: dict[str, list[Clause]] = {}
    for clause in clauses:
        stated.setdefault(clause.reading.slug, []).append(clause)
    documents = {**{slug: {} for slug in chain}, **newest_documents(chain)}
    return {slug: held_clauses(slug, stated, rests_on, documents) for slug in wanted}


def readings_rested_on() -> dict[str, str | None]:
    """Every reading and the one it rests on."""
    return dict(Reading.objects.order_by("pk").values_list("slug", "rests_on__slug"))


def newest_documents(slugs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The document of each name's newest version; keys at their off value are not in it."""
    versions = RulesetVersion.objects.filter(slug__in=list(slugs)).order_by("number")
    return dict(versions.values_list("slug", "ruleset__document"))


def newest_rulesets(slugs: Iterable[str]) -> dict[str, Ruleset]:
    """What each name that is known means now. One query."""
    return {slug: parse_kept(document) for slug, document in newest_documents(slugs).items()}


@dataclass(frozen=True, slots=True)
class GroundedRule:
    """grounds: clauses that cover it and stand here; above: the rules where others that cover it stand"""

    key: str
    title: str
    text: str
    grounds: tuple[ReadingClause, ...]
    above: tuple[tuple[str, str], ...]


def grounded(
    words: Iterable[tuple[str, str, str]], clauses: Iterable[ReadingClause]
) -> tuple[list[GroundedRule], list[ReadingClause]]:
    """(rules with their grounds, clauses that cover none of them). words: (key, title, sentence) of each rule"""
    waiting, clauses = list(clauses), list(clauses)
    places: dict[int, tuple[str, str]] = {}
    rules = []
    for key, title, text in words:
        covering = [one for one in clauses if key in one.parameters]
        here = tuple(one for one in covering if one in waiting)
        above = dict.fromkeys(places[one.clause.pk] for one in covering if one not in waiting)
        places |= {one.clause.pk: (key, title) for one in here}
        waiting = [one for one in waiting if one not in here]
        rules.append(GroundedRule(key, title, text, here, tuple(above)))
    return rules, waiting


@dataclass(frozen=True, slots=True)
class SetRule:
    """A parameter, its value as fields and addresses write it, and what that value says."""

    key: str
    title: str
    value: str
    sentence: str


def rules_of(owner: Model | None) -> tuple[SetRule, ...]:
    """None where no ruleset is there, for an answer that no ruleset can give, and for claims and readings."""
    if isinstance(owner, Clause):
        ruleset = _newest([owner.reading.slug])
        return _set(ruleset, owner.parameters, {}) if ruleset else ()
    if isinstance(owner, Answer) and owner.values:
        ruleset = _newest(owner.question.game.readings.values_list("slug", flat=True))
        return _set(ruleset, owner.values, owner.values) if ruleset else ()
    return ()


def _newest(slugs: Iterable[str]) -> Ruleset | None:
    """Of the first of these names that means something."""
    version = next(iter(newest_versions(slugs).values()), None)
    return as_engine(version.ruleset) if version else None


def _set(ruleset: Ruleset, keys: Iterable[str], instead: Mapping[str, Any]) -> tuple[SetRule, ...]:
    kind, parameters = family(ruleset.family), {**ruleset.parameters, **instead}
    specs = kind.schema["properties"]
    return tuple(
        SetRule(key, specs[key]["title"], value_written(parameters[key]), kind.sentence(key, parameters))
        for key in keys
        if key in specs
    )
