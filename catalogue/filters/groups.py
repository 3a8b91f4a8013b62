"""A long list of records at a glance: of which games, places or types most of them are, each group with an address."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse

from catalogue.filters.facets import LOOKUPS, FacetChoice, Lookup
from catalogue.models import Evidence
from catalogue.search.cache import cached

MOST_GROUPS = 12


@dataclass(frozen=True, slots=True)
class RecordGroup:
    text: str
    count: int
    address: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """every: the address of all groups, empty if these are all"""

    title: str
    groups: tuple[RecordGroup, ...]
    every: str


def groupings(records: "QuerySet[Evidence]", of: dict[str, str], by: tuple[str, ...]) -> list[Grouping]:
    """The largest groups of some records, a query each; none where all are of one group.

    of: what the records have in common, as the list of evidence calls it, for example {"place": "sri-lanka"}
    """
    counted = cached(("groups", of, by), lambda: {name: _largest(records, LOOKUPS[name]) for name in by})
    return [_grouping(name, counted[name], of) for name in by if len(counted[name]) > 1]


def _largest(records: "QuerySet[Evidence]", lookup: Lookup) -> list[FacetChoice]:
    """The largest groups, and one more if there are more."""
    most = lookup.counted(records).order_by("-records", *lookup.text)[: MOST_GROUPS + 1]
    return [lookup.choice(row) for row in most]


def _grouping(by: str, choices: list[FacetChoice], of: dict[str, str]) -> Grouping:
    groups = (
        RecordGroup(one.text, one.count, f"{reverse('evidence-list')}?{urlencode({**of, by: one.value})}")
        for one in choices[:MOST_GROUPS]
    )
    every = f"{reverse('search')}?{urlencode({**of, 'kind': 'record', 'all': by})}"
    return Grouping(LOOKUPS[by].title, tuple(groups), every if len(choices) > MOST_GROUPS else "")
