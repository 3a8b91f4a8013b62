"""What the API says of a batch: what was asked for, how far it is, its figures, and how to repeat it."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.api.links import Address, ApiAddress, PageAddress
from catalogue.api.shapes import Document
from catalogue.web.titles import batch_title, titles_for
from simulator.batches.service import BatchProgress, progress_of, simulate_command
from simulator.batches.versions import is_of_this_engine
from simulator.engine.players.wording import consent_in_words
from simulator.models import Batch, Plot, Ruleset


class PlayedRulesetSerializer(serializers.Serializer[Ruleset]):
    title = serializers.SerializerMethodField(
        help_text="In words: its reading, or the reading it is nearest to and what it has otherwise."
    )
    name = serializers.CharField(
        source="versioned_name", read_only=True, help_text="slug@number, or the hash where the content has no name."
    )
    hash = serializers.CharField()
    url = Address("v1:ruleset-detail", "versioned_name", help_text="Its address in this API.")

    def get_title(self, ruleset: Ruleset) -> str:
        return str(titles_for(self.context["request"]).of(ruleset))


class RowsAddress(Address):
    """Of every game of a batch; None until the batch is done, and where rows are not kept."""

    def get_attribute(self, instance: Batch) -> Any:
        return instance if instance.state == Batch.State.DONE and instance.rows_kept else None


class BatchSerializer(serializers.ModelSerializer[Batch]):
    title = serializers.SerializerMethodField(help_text="In words, as its page has it.")
    url = ApiAddress("batch", "id")
    page = PageAddress()
    ruleset = PlayedRulesetSerializer(read_only=True)
    engine = serializers.SerializerMethodField(help_text="Family and version of the engine, for example sowing 1.")
    consent = serializers.SerializerMethodField(
        help_text="What the players do where the rules let them end the game by consent; empty where they do not."
    )
    rows = RowsAddress(
        "batch-rows",
        "id",
        allow_null=True,
        help_text="Every game as a line of CSV; null until the batch is done, and where rows are not kept.",
    )
    rows_in_pages = RowsAddress(
        "v1:batch-rows", "id", allow_null=True, help_text="The same in pages of JSON, or null as well."
    )

    class Meta:
        model = Batch
        fields: tuple[str, ...] = (
            "id", "title", "url", "page", "ruleset", "engine", "players", "consent", "seed", "games", "cap", "until",
            "state", "origin", "created", "closed", "digest", "tally_digest", "rows", "rows_in_pages",
        )  # fmt: skip

    def get_title(self, batch: Batch) -> str:
        return batch_title(self.context["request"], batch)

    def get_engine(self, batch: Batch) -> str:
        return f"{batch.ruleset.family} {batch.family_version}"

    def get_consent(self, batch: Batch) -> str:
        return consent_in_words(batch.players, [batch.ruleset.document], batch.until, batch.family_version)


class ProgressSerializer(serializers.Serializer[BatchProgress]):
    games_done = serializers.IntegerField()
    percent = serializers.IntegerField()
    chunks = serializers.IntegerField()
    chunks_done = serializers.IntegerField()
    errors = serializers.ListField(  # type: ignore[assignment]
        child=serializers.CharField(), help_text="Why chunks were set aside."
    )
    waits_for = serializers.CharField(
        help_text="Why no worker plays it, where none that is running can; empty if one does or will."
    )


class PlotSerializer(serializers.ModelSerializer[Plot]):
    svg = Address("plot", "batch_id", "kind", help_text="The address of the drawing.")
    table = Document("PlotTable", read_only=True, help_text="The numbers that are drawn, as columns and rows.")

    class Meta:
        model = Plot
        fields = ("kind", "title", "description", "caption", "svg", "table")


class WholeBatchSerializer(BatchSerializer):
    progress = serializers.SerializerMethodField()
    command = serializers.SerializerMethodField(help_text="What plays exactly these games again, on any machine.")
    is_of_this_engine = serializers.SerializerMethodField(
        help_text="Whether the engine installed here plays these games as they were played."
    )
    provenance = serializers.ListField(
        child=Document("Provenance"),
        read_only=True,
        allow_null=True,
        help_text=(
            "By what code and machines the games were played: release and revision, Python, numpy and numba, a digest "
            "of the machine's name, the worker, and how many games. Empty until the batch is done."
        ),
    )
    summary = Document(
        "BatchSummary",
        read_only=True,
        allow_null=True,
        help_text="Every figure with its interval and n; null until the batch is done.",
    )
    plots = PlotSerializer(many=True, read_only=True)

    class Meta(BatchSerializer.Meta):
        fields = (
            *BatchSerializer.Meta.fields,
            "progress",
            "command",
            "is_of_this_engine",
            "provenance",
            "summary",
            "plots",
        )

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, batch: Batch) -> Any:
        return ProgressSerializer(progress_of(batch)).data

    def get_command(self, batch: Batch) -> str:
        return simulate_command(batch)

    def get_is_of_this_engine(self, batch: Batch) -> bool:
        return is_of_this_engine(batch)
