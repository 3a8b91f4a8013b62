"""The clauses that readings hold, and the rules of their rulesets with the clauses that cover them.

A reading is a ruleset with a clause for every parameter that is not at its off value. It may rest on another reading:
then it has that reading's clauses wherever both give a parameter the same value, and states the others. Functions that
read the database take a constant number of queries, however many readings there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from django.db.models import Model, Prefetch

from catalogue.models import Anchor, Answer, Clause, Evidence, Reading
from catalogue.models.querysets import newest_versions
from simulator.engine.documents import read_stored, write_value
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.engine.tables import is_within, read_place, spec_at
from simulator.models import RulesetVersion
from simulator.rulesets import as_engine

BASES_IN_WORDS = ("stated", "entailed", "by_analogy")  # bases that need words of a record

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
    held = [HeldClause(clause, tuple(clause.parameters), False) for clause in stated.get(reading, ())]
    base = rests_on.get(reading)
    if base is None:
        return held
    covered = {key for own in held for key in own.parameters}
    mine, theirs = parameters[reading], parameters[base]
    for inherited in held_clauses(base, stated, rests_on, parameters):
        same = (
            key
            for key in inherited.parameters
            if not any(is_within(key, own) for own in covered) and _at(mine, key) == _at(theirs, key)
        )
        if shared := tuple(same):
            held.append(HeldClause(inherited.clause, shared, True))
    return held


def _at(parameters: Parameters, key: str) -> Any:
    """What stands at a parameter or at a place of a table; None where nothing does."""
    value: Any = parameters
    for step in read_place(key):
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def gives(parameters: Parameters, values: Parameters | None) -> bool:
    """Return whether a ruleset gives the answer that sets those values.

    parameters: those that can fire in it: of a rule that cannot it says nothing
    """
    values = values or {}
    speaks = any(key in parameters for key in values)
    return speaks and all(parameters.get(key, value) == value for key, value in values.items())


def foundations(reading: str, rests_on: Mapping[str, str | None]) -> list[str]:
    """A reading and those it rests on; a circle ends where it closes."""
    chain: list[str] = []
    at: str | None = reading
    while at is not None and at not in chain:
        chain.append(at)
        at = rests_on.get(at)
    return chain


def resting_in_circles(rests_on: Mapping[str, str | None]) -> list[str]:
    """Readings that rest on themselves by way of others."""
    return [reading for reading in rests_on if rests_on.get(foundations(reading, rests_on)[-1]) is not None]


ReadingClause: TypeAlias = HeldClause[Clause]
NO_DOCUMENTS: Mapping[str, Parameters] = MappingProxyType({})


def clauses_of(
    slugs: Iterable[str],
    known: Mapping[str, Parameters] = NO_DOCUMENTS,
    *,
    at_hand: Sequence[Reading] = (),
    with_words: bool = True,
) -> dict[str, list[ReadingClause]]:
    """The clauses of each reading, its own first. Anchors come with their records; at most five queries.

    known: documents of rulesets by the slugs of their readings, which are not asked for again
    at_hand: these readings, if all are: what each rests on need not be asked where none does
    with_words: whether the anchors are wanted
    """
    slugs = list(slugs)
    rest_alone = at_hand and not any(reading.rests_on_id for reading in at_hand)
    rests_on = dict.fromkeys(slugs) if rest_alone else readings_rested_on()
    chain = {name for slug in slugs for name in foundations(slug, rests_on)}
    records = Prefetch("evidence", Evidence.objects.defer("paraphrase"))  # one row for all the words of a record
    anchors = Anchor.objects.shown().prefetch_related(records).order_by("-stance", "position", "key")
    clauses = (
        Clause.objects.filter(reading__slug__in=chain)
        .select_related("reading")
        .prefetch_related(*([Prefetch("anchors", anchors)] if with_words else ()))
        .order_by("position", "slug")
    )
    stated: dict[str, list[Clause]] = {}
    for clause in clauses:
        stated.setdefault(clause.reading.slug, []).append(clause)
    unknown = chain - known.keys() if any(rests_on.get(slug) for slug in chain) else ()
    documents = {**{slug: {} for slug in chain}, **known, **(newest_documents(unknown) if unknown else {})}
    return {slug: held_clauses(slug, stated, rests_on, documents) for slug in slugs}


def readings_rested_on() -> dict[str, str | None]:
    """Every reading and the one it rests on."""
    return dict(Reading.objects.order_by("pk").values_list("slug", "rests_on__slug"))


def newest_documents(slugs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The document of each name's newest version; keys at their off value are not in it."""
    versions = RulesetVersion.objects.filter(slug__in=list(slugs)).order_by("number")
    return dict(versions.values_list("slug", "ruleset__document"))


def newest_rulesets(slugs: Iterable[str]) -> dict[str, Ruleset]:
    """The current ruleset of each name that is known. One query."""
    versions = RulesetVersion.objects.filter(slug__in=list(slugs)).order_by("number")
    rows = versions.values_list("slug", "ruleset__hash", "ruleset__document")
    return {slug: read_stored(digest, document) for slug, digest, document in rows}


@dataclass(frozen=True, slots=True)
class RuleWithClauses:
    """A rule of a ruleset in words. A clause that covers several rules stands with the first of them.

    clauses:          those that cover it and stand here
    covered_by_rules: (key, title) of the rules where the other clauses that cover it stand
    """

    key: str
    title: str
    text: str
    clauses: tuple[ReadingClause, ...]
    covered_by_rules: tuple[tuple[str, str], ...]


def rules_with_clauses(
    words: Iterable[tuple[str, str, str]], clauses: Iterable[ReadingClause]
) -> tuple[list[RuleWithClauses], list[ReadingClause]]:
    """The rules with their clauses, and the clauses that cover none of them.

    words: (key, title, sentence) of each rule
    """
    unplaced, clauses = list(clauses), list(clauses)
    places: dict[int, tuple[str, str]] = {}
    rules = []
    for key, title, text in words:
        covering = [
            held for held in clauses if any(is_within(key, one) or is_within(one, key) for one in held.parameters)
        ]
        here = tuple(held for held in covering if held in unplaced)
        elsewhere = dict.fromkeys(places[held.clause.pk] for held in covering if held not in unplaced)
        places |= {held.clause.pk: (key, title) for held in here}
        unplaced = [held for held in unplaced if held not in here]
        rules.append(RuleWithClauses(key, title, text, here, tuple(elsewhere)))
    return rules, unplaced


@dataclass(frozen=True, slots=True)
class SetRule:
    """A parameter, its value as fields and addresses write it, and what that value says."""

    key: str
    title: str
    value: str
    sentence: str


def rules_of(owner: Model | None) -> tuple[SetRule, ...]:
    """The rules that a clause or an answer sets, each with the sentence of its value.

    There are none without a ruleset, for an answer that no ruleset can give, and for claims and readings.
    """
    slugs: Iterable[str] = ()
    keys: Iterable[str] = ()
    instead: Mapping[str, Any] = {}
    if isinstance(owner, Clause):
        slugs, keys = [owner.reading.slug], owner.parameters
    elif isinstance(owner, Answer) and owner.values:
        slugs = owner.question.game.readings.values_list("slug", flat=True)
        keys = instead = owner.values
    version = next(iter(newest_versions(slugs).values()), None) if keys else None
    if version is None:
        return ()
    ruleset = as_engine(version.ruleset)
    kind, parameters = family(ruleset.family), {**ruleset.parameters, **instead}
    specs = kind.schema["properties"]
    return tuple(
        SetRule(key, kind.title_of(key), write_value(value), kind.sentence(key, parameters))
        for key in keys
        if spec_at(specs, read_place(key)) and (value := _at(parameters, key)) is not None
    )
