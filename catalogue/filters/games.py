"""What games are narrowed by."""

from django.db.models import QuerySet

from catalogue.filters.fields import KnownValueFilter, StrictFilterSet, YesOrNo
from catalogue.models import Category, Evidence, Game, Period, Place
from catalogue.models.querysets import executable, of_place


class GameFilters(StrictFilterSet):
    reference = YesOrNo(field_name="is_reference", label="yes: only games that check the engine; no: only the others")
    place = KnownValueFilter(
        model=Place, column="slug", method="of_place", label="slug of a place that a record of the game is from"
    )

    category = KnownValueFilter(
        field_name="portal__categories__slug", model=Category, column="slug", label="slug of one of the portal's kinds"
    )
    period = KnownValueFilter(
        field_name="portal__periods__slug", model=Period, column="slug", label="slug of one of the portal's periods"
    )
    executable = YesOrNo(
        method="with_readings", label="yes: only games of which there is a ruleset; no: only the others"
    )

    def of_place(self, rows: "QuerySet[Game]", name: str, value: str) -> "QuerySet[Game]":
        return rows.filter(pk__in=Evidence.objects.shown().filter(of_place(value)).values("game"))

    def with_readings(self, rows: "QuerySet[Game]", name: str, value: str) -> "QuerySet[Game]":
        return executable(rows, value == "yes")
