"""The figures of all readings in one list: a row for each figure of the batch that a reading shows on a level."""

from typing import Any

from django.db.models import Case, F, QuerySet, Value, When
from rest_framework import serializers

from catalogue.api.endpoints import resource
from catalogue.api.fields import Address
from catalogue.api.formats import ParquetRenderer, TableRenderer, parquet_is_there
from catalogue.api.rulesets import newest_versions
from catalogue.api.viewsets import ListViewSet
from catalogue.filters.filter_sets import MeasurementFilters
from catalogue.models import Reading
from catalogue.outcomes.played import shown_batches
from simulator.batches.versions import is_of_this_engine
from simulator.models import Measurement

LARGEST = 5_000  # rows of a table that is sent at once: a second or two of a processor


class MeasurementSerializer(serializers.ModelSerializer[Measurement]):
    game = serializers.CharField(help_text="The slug of the game.")
    records = serializers.ListField(
        child=serializers.CharField(), help_text="The identifiers of the records that the reading is of."
    )
    reading = serializers.CharField(help_text="The slug of the reading, which is that of its ruleset.")
    ruleset = serializers.CharField(source="batch.ruleset_id", help_text="The hash of the ruleset’s content.")
    batch = serializers.CharField(source="batch_id", help_text="The batch that was counted.")
    batch_url = Address("v1:batch-detail", "batch_id")
    level = serializers.CharField(help_text="random, greedy, club, strong, or a player of every seat who is of none.")
    players = serializers.CharField(source="batch.players", help_text="Who played, seat by seat.")
    value = serializers.FloatField(allow_null=True, help_text="In `unit`; null where the games do not give it.")
    low = serializers.FloatField(allow_null=True, help_text="The lower limit at 95 % confidence.")
    high = serializers.FloatField(allow_null=True, help_text="The upper limit.")
    n = serializers.IntegerField(help_text="Games that the figure rests on.")
    censored = serializers.FloatField(help_text="The share of the games of the batch that the cap stopped.")
    engine = serializers.CharField(source="batch.engine_version", help_text="The family and the version that played.")
    is_of_this_engine = serializers.BooleanField(
        help_text="Whether the engine installed here, and its players, would play these games as they were played."
    )
    games = serializers.IntegerField(source="batch.games")
    seed = serializers.IntegerField(source="batch.seed")
    cap = serializers.IntegerField(source="batch.cap", help_text="Turns after which a game was stopped.")
    until = serializers.CharField(source="batch.until", help_text="The end of the `game`, or of its first `round`.")

    class Meta:
        model = Measurement
        fields = (
            "game", "records", "reading", "ruleset", "level", "players", "measure", "title", "unit", "value", "low",
            "high", "n", "censored", "batch", "batch_url", "games", "seed", "cap",
            "until", "engine", "is_of_this_engine",
        )  # fmt: skip


@resource(
    "measurements",
    name="measurement",
    holds="every figure of every reading on each level of play, a row each, with its interval",
)
class MeasurementViewSet(ListViewSet):
    """Every figure of every reading, on each level of play, with its interval: of the batches that pages show."""

    serializer_class, filterset_class = MeasurementSerializer, MeasurementFilters
    orderings = {"reading": ("reading", "level", "batch_id", "place"), "measure": ("measure", "reading", "level", "id")}
    tables = {"list": (TableRenderer, ParquetRenderer) if parquet_is_there() else (TableRenderer,)}
    table_sizes = (LARGEST, LARGEST)

    def get_queryset(self) -> "QuerySet[Measurement]":
        rows = Measurement.objects.filter(batch__ruleset__versions__in=newest_versions().order_by())
        rows = rows.select_related("batch__ruleset").defer("batch__tally", "batch__summary", "batch__provenance")
        return rows.annotate(reading=F("batch__ruleset__versions__slug"))

    def filter_queryset(self, queryset: "QuerySet[Any]") -> "QuerySet[Any]":
        """Return the figures of the batches that pages show, each on its level."""
        shown = shown_batches({version.ruleset_id: version.ruleset for version in newest_versions()})
        by_level: dict[str, list[str]] = {}
        for (_, level), batch in shown.items():
            by_level.setdefault(level, []).append(batch.id)
        levels = [When(batch__in=batches, then=Value(level)) for level, batches in sorted(by_level.items())]
        rows = queryset.filter(batch__in=[batch.id for batch in shown.values()])
        return super().filter_queryset(rows.annotate(level=Case(*levels, default=Value(""))))

    def with_details(self, rows: list[Any]) -> list[Any]:
        slugs = {row.reading for row in rows}
        readings = Reading.objects.filter(slug__in=slugs).select_related("game").prefetch_related("evidence")
        by_slug = {reading.slug: reading for reading in readings}
        records = {slug: [record.identifier for record in reading.evidence.all()] for slug, reading in by_slug.items()}
        for row in rows:
            row.is_of_this_engine = is_of_this_engine(row.batch)
            row.game, row.records = by_slug[row.reading].game.slug, records[row.reading]
        return rows
