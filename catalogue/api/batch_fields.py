"""What the API says of a batch: what was asked for, how far it is, its figures, and how to repeat it."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from catalogue.api.links import ApiAddress
from simulator.batches import service as batches
from simulator.models import Batch, Plot


class PlayedRulesetSerializer(serializers.Serializer[Batch]):
    name = serializers.SerializerMethodField(help_text="slug@number, or the hash where the content has no name.")
    hash = serializers.CharField(source="ruleset_id")
    url = serializers.SerializerMethodField()

    def get_name(self, batch: Batch) -> str:
        return batches.name_of(batch)

    def get_url(self, batch: Batch) -> str:
        return reverse("v1:ruleset-detail", args=[batches.name_of(batch)], request=self.context["request"])


class BatchSerializer(serializers.ModelSerializer[Batch]):
    url = ApiAddress("batch", "id")
    page = serializers.HyperlinkedIdentityField(
        view_name="batch", lookup_field="id", lookup_url_kwarg="batch_id", help_text="Its page for readers."
    )
    ruleset = PlayedRulesetSerializer(source="*", read_only=True)
    engine = serializers.SerializerMethodField(help_text="Family and version of the engine, for example sowing 1.")
    rows = serializers.SerializerMethodField(
        help_text="Every game as a line of CSV; null until the batch is done, and where rows are not kept."
    )

    rows_in_pages = serializers.SerializerMethodField(help_text="The same in pages of JSON, or null as well.")

    class Meta:
        model = Batch
        fields: tuple[str, ...] = (
            "id", "url", "page", "ruleset", "engine", "players", "seed", "games", "cap", "until", "state", "origin",
            "created", "closed", "digest", "tally_digest", "rows", "rows_in_pages",
        )  # fmt: skip

    def get_engine(self, batch: Batch) -> str:
        return f"{batch.ruleset.family} {batch.family_version}"

    def get_rows(self, batch: Batch) -> str | None:
        return self._rows("batch-rows", batch)

    def get_rows_in_pages(self, batch: Batch) -> str | None:
        return self._rows("v1:batch-rows", batch)

    def _rows(self, view: str, batch: Batch) -> str | None:
        kept = batch.state == Batch.State.DONE and batch.rows_kept
        return reverse(view, args=[batch.id], request=self.context["request"]) if kept else None


class ProgressSerializer(serializers.Serializer[batches.Progress]):
    games_done = serializers.IntegerField()
    percent = serializers.IntegerField()
    chunks = serializers.IntegerField()
    chunks_done = serializers.IntegerField()
    errors = serializers.ListField(  # type: ignore[assignment]
        child=serializers.CharField(), help_text="Why chunks were set aside."
    )


class PlotSerializer(serializers.ModelSerializer[Plot]):
    svg = serializers.SerializerMethodField(help_text="The address of the drawing.")
    table = serializers.DictField(read_only=True, help_text="The numbers that are drawn, as columns and rows.")

    class Meta:
        model = Plot
        fields = ("kind", "title", "description", "caption", "svg", "table")

    def get_svg(self, plot: Plot) -> str:
        return reverse("plot", args=[plot.batch_id, plot.kind], request=self.context["request"])


class WholeBatchSerializer(BatchSerializer):
    progress = serializers.SerializerMethodField()
    command = serializers.SerializerMethodField(help_text="What plays exactly these games again, on any machine.")
    is_of_this_engine = serializers.SerializerMethodField(
        help_text="Whether the engine installed here plays these games as they were played."
    )
    summary = serializers.DictField(
        read_only=True, allow_null=True, help_text="Every figure with its interval and n; null until the batch is done."
    )
    plots = PlotSerializer(many=True, read_only=True)

    class Meta(BatchSerializer.Meta):
        fields = (*BatchSerializer.Meta.fields, "progress", "command", "is_of_this_engine", "summary", "plots")

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, batch: Batch) -> Any:
        return ProgressSerializer(batches.progress(batch)).data

    def get_command(self, batch: Batch) -> str:
        return batches.command_line(batch)

    def get_is_of_this_engine(self, batch: Batch) -> bool:
        return batches.is_of_this_engine(batch)
