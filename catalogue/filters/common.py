"""What several lists are narrowed by alike."""

import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django_filters import CharFilter, IsoDateTimeFilter

from catalogue.filters.fields import KnownValueFilter, StrictFilterSet
from catalogue.models import Anchor, Evidence, Game
from simulator import rulesets


class OfGame(StrictFilterSet):
    game = KnownValueFilter(field_name="game__slug", model=Game, column="slug", label="slug of a game")


class OfRecord(StrictFilterSet):
    evidence = KnownValueFilter(
        field_name="evidence__identifier", model=Evidence, column="identifier", label="identifier of a record"
    )


class OfWords(StrictFilterSet):
    """anchored: the link that leads from an anchor to such a row"""

    anchored: str
    evidence = KnownValueFilter(
        model=Evidence, column="identifier", method="in_record", label="identifier of a record whose words it uses"
    )

    def in_record(self, rows: "QuerySet[Any]", name: str, value: str) -> "QuerySet[Any]":
        return rows.filter(pk__in=Anchor.objects.filter(evidence__identifier=value).values(self.anchored))


class ChangedSince(StrictFilterSet):
    """dates: columns, one of which says when a row last became another"""

    dates: tuple[str, ...] = ("created",)
    changed_since = IsoDateTimeFilter(
        method="since", label="2026-11-23 or 2026-11-23T10:00:00Z: what is new or changed since then"
    )

    def since(self, rows: "QuerySet[Any]", name: str, value: datetime.datetime) -> "QuerySet[Any]":
        return rows.filter(reduce(or_, (Q(**{f"{column}__gte": value}) for column in self.dates)))


class RecordedSince(StrictFilterSet):
    """Of rows whose changes are recorded."""

    changed_since = IsoDateTimeFilter(
        method="since", label="2026-11-23 or 2026-11-23T10:00:00Z: what is new or changed since then"
    )

    def since(self, rows: "QuerySet[Any]", name: str, value: datetime.datetime) -> "QuerySet[Any]":
        recorded: Any = rows.model
        return rows.filter(pk__in=recorded.history.filter(history_date__gte=value).values("id"))


class OfRuleset(StrictFilterSet):
    ruleset = CharFilter(method="of_ruleset", label="slug, slug@number, hash or its beginning")

    def of_ruleset(self, rows: "QuerySet[Any]", name: str, value: str) -> "QuerySet[Any]":
        return rows.filter(ruleset=rulesets.find(value).hash)
