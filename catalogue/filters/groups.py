"""A long list of records at a glance: of which games, places or types most of them are, each group with an address."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Count, QuerySet
from django.urls import reverse

from catalogue.filters.facets import LOOKUPS, Lookup
from catalogue.models import Evidence
from catalogue.search.cache import kept

MOST_GROUPS = 12


@dataclass(frozen=True, slots=True)
class Group:
    text: str
    count: int
    address: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """every: the address of all groups, empty if these are all"""

    title: str
    groups: tuple[Group, ...]
    every: str


def groupings(records: "QuerySet[Evidence]", of: dict[str, str], by: tuple[str, ...]) -> list[Grouping]:
    """The largest groups of some records, a query each; none where all are of one group.

    of: what the records have in common, as the list of evidence calls it, for example {"place": "sri-lanka"}
    """
    counted = kept(("groups", of, by), lambda: {name: _counted(records, LOOKUPS[name]) for name in by})
    return [_grouping(name, counted[name], of) for name in by if len(counted[name]) > 1]


def _counted(records: "QuerySet[Evidence]", lookup: Lookup) -> list[tuple[str, str, int]]:
    """Value, text and records of the largest groups, and of one more if there are more."""
    rows = records.order_by().filter(**{f"{lookup.value}__isnull": False})
    numbered = rows.values_list(lookup.value, *lookup.text).annotate(records=Count("pk"))
    most = numbered.order_by("-records", *lookup.text)[: MOST_GROUPS + 1]
    return [(row[0], lookup.write(*row[1 : 1 + len(lookup.text)]), row[-1]) for row in most]


def _grouping(by: str, rows: list[tuple[str, str, int]], of: dict[str, str]) -> Grouping:
    groups = (
        Group(text, count, f"{reverse('evidence-list')}?{urlencode({**of, by: value})}")
        for value, text, count in rows[:MOST_GROUPS]
    )
    every = f"{reverse('search')}?{urlencode({**of, 'kind': 'record', 'all': by})}"
    return Grouping(LOOKUPS[by].title, tuple(groups), every if len(rows) > MOST_GROUPS else "")
