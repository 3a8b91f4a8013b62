"""The clauses that readings hold, their own and those of readings they rest on, in a constant number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from catalogue.evidence.clause_inheritance import Stated, held
from catalogue.models import Anchor, Clause, Reading
from simulator.models import RulesetVersion


@dataclass(frozen=True, slots=True)
class ReadingClause:
    """A clause as one reading holds it. `parameters`: those of the reading that it covers."""

    clause: Clause
    parameters: tuple[str, ...]
    inherited: bool


def clauses_of(slugs: Iterable[str]) -> dict[str, list[ReadingClause]]:
    """The clauses of each reading, its own first. Anchors come with their records; four queries."""
    wanted = list(slugs)
    rests_on = resting()
    chain = {name for slug in wanted for name in _chain(slug, rests_on)}
    with_records = Anchor.objects.with_records()
    clauses = (
        Clause.objects.filter(reading__slug__in=chain)
        .select_related("reading")
        .prefetch_related(Prefetch("anchors", with_records.order_by("position")))
        .order_by("reading", "position", "slug")
    )
    by_key: dict[tuple[str, str], Clause] = {}
    stated: dict[str, list[Stated]] = {}
    for clause in clauses:
        by_key[clause.reading.slug, clause.slug] = clause
        one = Stated(clause.reading.slug, clause.slug, tuple(clause.parameters))
        stated.setdefault(clause.reading.slug, []).append(one)
    documents = {**{slug: {} for slug in chain}, **newest_documents(chain)}
    return {
        slug: [
            ReadingClause(by_key[one.clause.reading, one.clause.slug], one.parameters, one.inherited)
            for one in held(slug, stated, rests_on, documents)
        ]
        for slug in wanted
    }


def resting() -> dict[str, str | None]:
    """Every reading and the one it rests on."""
    return dict(Reading.objects.order_by("pk").values_list("slug", "rests_on__slug"))


def newest_documents(slugs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The document of each name's newest version; keys at their off value are not in it."""
    versions = RulesetVersion.objects.filter(slug__in=list(slugs)).order_by("number")
    return dict(versions.values_list("slug", "ruleset__document"))


def _chain(slug: str, rests_on: dict[str, str | None]) -> list[str]:
    """A reading and those it rests on; a circle ends where it closes."""
    found: list[str] = []
    at: str | None = slug
    while at is not None and at not in found:
        found.append(at)
        at = rests_on.get(at)
    return found
