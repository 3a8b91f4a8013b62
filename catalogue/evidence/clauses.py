"""The clauses that readings hold, their own and those of readings they rest on, in a constant number of queries."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from django.db.models import Prefetch

from catalogue.evidence.clause_inheritance import HeldClause, foundations, held_clauses
from catalogue.models import Anchor, Clause, Reading
from simulator.engine.documents import parse_kept
from simulator.engine.ruleset import Ruleset
from simulator.models import RulesetVersion

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
