"""The facets of a list of finds, each value with the number of finds it would leave.

Entries that share a set of values are counted together (`SearchAspect`), and the sets are taken apart afterwards: a
list of a hundred thousand is counted exactly, in one query. Only names of this module stand in its text; what was asked
for are its parameters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from catalogue.models import SearchAspect, SearchAspectValue, SearchEntry
from catalogue.search.cache import cached
from catalogue.search.indexing import ASPECTS

# As the page shows them, from what a thing is to what is known of it.
TITLES = {
    "kind": "Kind",
    "type": "Type of record",
    "place": "Place",
    "region": "Region",
    "period": "Period",
    "game": "Game",
    "family": "Family of games",
    "source": "Source",
    "rulesets": "Has rulesets",
    "claims": "Has claims",
    "uncertainty": "Uncertainty",
}
ASPECT_OF = {facet: aspect for aspect, facets in ASPECTS.items() for facet in facets}
Counts = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Counted:
    """total: of all finds; of: facet → value → finds, a facet's own choice not being counted against its values"""

    total: int
    of: Counts


def narrowed(rows: "QuerySet[SearchEntry]", chosen: Mapping[str, str]) -> "QuerySet[SearchEntry]":
    """The rows that have all the chosen values."""
    for facet, value in chosen.items():
        having = SearchAspectValue.objects.filter(facet=facet, value=value).values("aspect")
        rows = rows.filter(**{f"{ASPECT_OF[facet]}__in": having})
    return rows


def counted(rows: "QuerySet[SearchEntry]", chosen: Mapping[str, str]) -> Counted:
    """rows: what holds the words that were asked for"""
    statement, parameters = _statement(rows, chosen)
    return cached((statement, parameters), lambda: _counted(statement, parameters, chosen))


def _counted(statement: str, parameters: list[str], chosen: Mapping[str, str]) -> Counted:
    found: Counts = {facet: {} for facet in TITLES}
    total = 0
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        for own, facet, value, number in cursor.fetchall():
            if own == (facet if facet in chosen else ""):
                found[facet][value] = int(number)
            if own == "" and facet == "kind":
                total += int(number)  # everything is of one kind
    return Counted(total, found)


def _statement(rows: "QuerySet[SearchEntry]", chosen: Mapping[str, str]) -> tuple[str, list[str]]:
    """Of (own, facet, value, number): `own` names the facet whose own choice is not counted, or is empty."""
    inner, given = rows.values(*(f"{aspect}_id" for aspect in ASPECTS)).query.sql_with_params()
    values = SearchAspectValue._meta.db_table
    parts, parameters = [], list(map(str, given))
    tables = [f"found AS MATERIALIZED ({inner})"]
    for number, own in enumerate(("", *chosen)):
        others = {facet: value for facet, value in chosen.items() if facet != own}
        conditions = [
            f"{ASPECT_OF[facet]}_id IN (SELECT aspect_id FROM {values} WHERE facet = %s AND value = %s)"
            for facet in others
        ]
        parameters += [word for choice in others.items() for word in choice]
        table = "found"
        if conditions:
            table = f"found_{number}"
            tables.append(f"{table} AS MATERIALIZED (SELECT * FROM found WHERE {' AND '.join(conditions)})")
        parts += [
            f"SELECT '{own}' AS own, {aspect}_id AS aspect, COUNT(*) AS number FROM {table} GROUP BY {aspect}_id"
            for aspect in ([ASPECT_OF[own]] if own else ASPECTS)
        ]
    statement = (
        f"WITH {', '.join(tables)}, counts AS MATERIALIZED ({' UNION ALL '.join(parts)}) "
        f"SELECT c.own, v.facet, v.value, SUM(c.number) FROM counts c JOIN {values} v ON v.aspect_id = c.aspect "
        "GROUP BY c.own, v.facet, v.value"
    )
    return statement, parameters


def values_of(facet: str) -> "QuerySet[Any]":
    """Every value that some entry has."""
    held = SearchAspect.objects.filter(pk__in=SearchEntry.objects.values(ASPECT_OF[facet])).values("pk")
    known = SearchAspectValue.objects.filter(facet=facet, aspect__in=held).order_by("value")
    return known.values_list("value", flat=True).distinct()
