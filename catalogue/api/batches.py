"""Batches in the API: the list, a batch with its figures, its games as rows or turn by turn, and requests."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.utils.urls import replace_query_param

from catalogue.api import lists
from catalogue.api.description import MISSING, WRONG
from catalogue.api.endpoints import resource
from catalogue.api.fields import Address, ApiAddress, Document, PageAddress, ResultAddress, StringList, shape
from catalogue.api.formats import TableRenderer
from catalogue.api.jobs import LOOK_AGAIN, BatchRequestSerializer, JobViewSet, describe_jobs
from catalogue.api.lists import page_size, size_schema
from catalogue.api.problems import RefusalSerializer
from catalogue.filters.filter_sets import ChangedSince, ChoicesFilter, OfRuleset, YesOrNo
from catalogue.models import querysets
from catalogue.web.addresses import batch_title, titles_for
from catalogue.web.cancelling import cancel_batch
from catalogue.web.files import FORMS, send_rows
from catalogue.web.problem_document import RefusedRequest
from simulator.batches.rows import measure_names, rows_between, uncounted
from simulator.batches.service import MOST_GAMES_WITH_ROWS, BatchProgress, progress_of, request_batch, simulate_command
from simulator.batches.versions import is_of_this_engine
from simulator.engine.family import family
from simulator.engine.players.wording import consent_in_words
from simulator.engine.ruleset import Problem
from simulator.models import Batch, GameRecord, Plot, Ruleset, Traffic
from simulator.problems import WrongRequest
from simulator.replays import LOOK_AGAIN as SECONDS_FOR_REPLAY
from simulator.replays import OlderEngine, game_number, replay_facts, request_replay


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


class BatchSerializer(serializers.ModelSerializer[Batch]):
    title = serializers.SerializerMethodField(help_text="In words, as its page has it.")
    url = ApiAddress("batch", "id")
    page = PageAddress()
    ruleset = PlayedRulesetSerializer(read_only=True)
    engine = serializers.SerializerMethodField(help_text="Family and version of the engine, for example sowing 1.")
    consent = serializers.SerializerMethodField(
        help_text="What the players do where the rules let them end the game by consent; empty where they do not."
    )
    rows = ResultAddress(
        "batch-rows",
        "id",
        help_text="Every game as a line of CSV; null until the batch is done, and where rows are not kept.",
    )
    rows_in_pages = ResultAddress("v1:batch-rows", "id", help_text="The same in pages of JSON, or null as well.")
    counts_traffic = serializers.BooleanField(
        read_only=True, help_text="Whether it counts what its games leave on the board: `traffic/` below its address."
    )
    row_version = serializers.IntegerField(
        source="columns_version",
        read_only=True,
        help_text="Which columns its rows have; the digest is of rows of that version.",
    )
    not_counted = serializers.SerializerMethodField(
        help_text="Columns that rows of its family have now and those of this batch have not; empty for most."
    )

    class Meta:
        model = Batch
        fields: tuple[str, ...] = (
            "id", "title", "url", "page", "ruleset", "engine", "players", "consent", "seed", "games", "cap", "until",
            "state", "origin", "created", "closed", "digest", "tally_digest", "rows", "rows_in_pages", "row_version",
            "not_counted", "counts_traffic",
        )  # fmt: skip

    def get_title(self, batch: Batch) -> str:
        return batch_title(self.context["request"], batch)

    def get_engine(self, batch: Batch) -> str:
        return f"{batch.ruleset.family} {batch.family_version}"

    def get_not_counted(self, batch: Batch) -> list[str]:
        return [measure.name for measure in uncounted(batch)]

    def get_consent(self, batch: Batch) -> str:
        return consent_in_words(batch.players, [batch.ruleset.document], batch.until, batch.family_version)


class ProgressSerializer(serializers.Serializer[BatchProgress]):
    games_done = serializers.IntegerField()
    percent = serializers.IntegerField()
    chunks = serializers.IntegerField()
    chunks_done = serializers.IntegerField()
    errors = StringList(  # type: ignore[assignment]
        help_text="Why chunks were set aside."
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
            *BatchSerializer.Meta.fields, "progress", "command", "is_of_this_engine", "provenance", "summary",
            "plots",
        )  # fmt: skip

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, batch: Batch) -> Any:
        return ProgressSerializer(progress_of(batch)).data

    def get_command(self, batch: Batch) -> str:
        return simulate_command(batch)

    def get_is_of_this_engine(self, batch: Batch) -> bool:
        return is_of_this_engine(batch)


PAGE_SIZE, LARGEST_PAGE = 100, 1_000
WHEN_DONE = {400: WRONG, 404: MISSING, 409: OpenApiResponse(RefusalSerializer, "The batch is not done.")}
PARAMETERS = ("cursor", "page_size")


class LinesRenderer(BaseRenderer):
    """Names the form of a file in `format=`; the file is sent as it is, and nothing is rendered."""

    media_type, format, charset = "application/x-ndjson", "jsonl", None


class BatchRowsSerializer(serializers.Serializer[Any]):
    """A page of games. What a measure means stands in the figures of the batch and at /about/figures/."""

    count = serializers.IntegerField(help_text="Games of the batch.")
    next = serializers.URLField(allow_null=True, help_text="The address of the next page; null on the last one.")
    previous = serializers.URLField(allow_null=True, help_text="Always null: the rows are read forward.")
    results = serializers.ListField(
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text="Of each game its number, from 0, and its measures by name.",
    )


class BatchTrafficSerializer(serializers.Serializer[Any]):
    """What the games of a batch left on the board: shares of the uses of a kind, with intervals over games."""

    counted = serializers.BooleanField(help_text="Whether the batch counts traffic; if not, the rest is empty.")
    command = serializers.CharField(help_text="What plays the same games and counts it, on any machine.")
    digest = serializers.CharField(help_text="SHA-256 of the sums that all figures follow from.")
    games = serializers.IntegerField()
    unfinished = serializers.IntegerField(help_text="How many of them the cap stopped.")
    lines = serializers.ListField(
        child=StringList(), help_text="The two points of each piece of line, in the order of the kind `lines`."
    )
    kinds = serializers.ListField(
        child=Document("TrafficOfAKind"),
        help_text="For each kind of use and each side the things used: how often, and the share with its interval.",
    )


def traffic_answer(batch: Batch) -> Response:
    """What its games left on the board; raises RefusedRequest while it is not done."""
    if batch.state != Batch.State.DONE:
        message = f"there is none yet: the batch is {batch.get_state_display().lower()}"
        raise RefusedRequest([Problem("traffic", message)], HTTPStatus.CONFLICT, LOOK_AGAIN if batch.is_open else None)
    command = simulate_command(batch)
    found = Traffic.objects.filter(batch=batch).values("digest", "figures").first()
    if found is None:
        nothing: dict[str, Any] = {"digest": "", "games": 0, "unfinished": 0, "lines": [], "kinds": []}
        return Response({"counted": False, "command": f"{command} --traffic", **nothing})
    return Response({"counted": True, "command": command, "digest": found["digest"], **found["figures"]})


RENDERERS = (TableRenderer, LinesRenderer)


def rows_answer(request: Request, batch: Batch) -> HttpResponseBase:
    """Return the rows in the requested form; raises RefusedRequest."""
    _check_kept(batch)
    renderer: Any = request.accepted_renderer
    if renderer.format in FORMS:
        return send_rows(request, batch, renderer.format)
    size = page_size(request, PAGE_SIZE, LARGEST_PAGE)
    first = _first(batch, request.query_params.get("cursor") or lists.BEGIN)
    names = ["game", *measure_names(batch)]
    rows = [dict(zip(names, row, strict=True)) for row in rows_between(batch, first, first + size)]
    next_page = None
    if first + size < batch.games:
        cursor = lists.signed_cursor(f"batch {batch.id}", "game", [first + size])
        next_page = replace_query_param(request.build_absolute_uri(), "cursor", cursor)
    document = {"count": batch.games, "next": next_page, "previous": None, "results": rows}
    return Response(document, headers={"Link": f'<{next_page}>; rel="next"'} if next_page else None)


def _first(batch: Batch, cursor: str) -> int:
    if cursor == lists.BEGIN:
        return 0
    (first,) = lists.read_cursor(f"batch {batch.id}", "game", cursor)
    return int(first)


def _check_kept(batch: Batch) -> None:
    if not batch.rows_kept:
        again = f"{simulate_command(batch)} plays them again"
        message = f"rows are kept of batches of up to {MOST_GAMES_WITH_ROWS} games; {again}"
        raise RefusedRequest.of("rows", message, status=HTTPStatus.NOT_FOUND)
    if batch.state != Batch.State.DONE:
        message = f"there are none yet: the batch is {batch.get_state_display().lower()}"
        wait = LOOK_AGAIN if batch.is_open else None
        raise RefusedRequest([Problem("rows", message)], HTTPStatus.CONFLICT, wait)


def replay_answer(request: Request, batch: Batch, typed: str) -> Response:
    """The game of that number; raises RefusedRequest and QueueFull."""
    try:
        game = game_number(batch, typed)
        replay = request_replay(batch, game)
    except WrongRequest as error:
        raise RefusedRequest(error.problems, HTTPStatus.NOT_FOUND) from error
    except OlderEngine as error:
        version = family(batch.ruleset.family).rules_version
        message = f"was played by version {batch.family_version} of the engine; installed here is version {version}"
        raise RefusedRequest.of("batch", message, status=HTTPStatus.CONFLICT) from error
    head = {
        **replay_facts(batch, game),
        "page": reverse("replay", args=[batch.id, game], request=request),
        "text": reverse("replay-text", args=[batch.id, game], request=request),
    }
    if isinstance(replay, GameRecord):
        if replay.state == GameRecord.State.FAILED:
            raise RefusedRequest.of(
                "game", f"could not be listed: {replay.error}", status=HTTPStatus.INTERNAL_SERVER_ERROR
            )
        waiting = {"state": "waiting", **head}
        return Response(waiting, status=HTTPStatus.ACCEPTED, headers={"Retry-After": str(SECONDS_FOR_REPLAY)})
    return Response({"state": "done", **head, "turns_told": replay.turns_told, **replay.document()})


class BatchFilters(OfRuleset, ChangedSince):
    dates = ("created", "closed")
    state = ChoicesFilter(choices=Batch.State.choices)
    origin = ChoicesFilter(choices=Batch.Origin.choices, label="who asked for it")
    until = ChoicesFilter(choices=Batch.Until.choices)
    counts_traffic = YesOrNo(
        label="yes: only those that count what their games leave on the board; no: only the others"
    )


@resource("batches", name="batch", holds="batches of games with their figures", key="{batch}")
@describe_jobs(WholeBatchSerializer, "batch")
class BatchViewSet(JobViewSet):
    """Batches of simulated games. The same request is always the same batch, with the same address."""

    serializer_class, whole_class, request_class = BatchSerializer, WholeBatchSerializer, BatchRequestSerializer
    filterset_class = BatchFilters
    orderings = {"created": ("created", "id"), "games": ("games", "id")}
    tables = {**JobViewSet.tables, "rows": RENDERERS}

    def parameters(self) -> Sequence[str]:
        return PARAMETERS if self.action == "rows" else super().parameters()

    def get_queryset(self) -> "QuerySet[Batch]":
        if self.action == "list":
            return querysets.batch_rows()
        whole = Batch.objects.defer("tally").select_related("ruleset")
        return whole.prefetch_related("ruleset__versions", querysets.plots_without_drawings())

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> Batch:
        return request_batch(**wanted, **on_behalf)

    def cancel_row(self, request: Request, row: Batch) -> None:
        cancel_batch(request, row)

    @extend_schema(
        operation_id="batches_games_retrieve",
        responses={
            200: shape("Replay"),
            202: OpenApiResponse(shape("Replay"), "A worker is listing the moves; Retry-After says when to ask again."),
            400: WRONG,
            404: MISSING,
            409: OpenApiResponse(RefusalSerializer, "It was played by another version of the engine."),
            429: OpenApiResponse(RefusalSerializer, "Too many games wait; Retry-After says how long to wait."),
        },
    )
    @action(
        detail=True, url_path="games/(?P<game>[^/]+)", example="games/0/", filter_backends=(), pagination_class=None
    )
    def game(self, request: Request, id: str, game: str) -> Response:
        """One game of the batch, turn by turn, with the parameters that fired. Games are numbered from 0."""
        return replay_answer(request, self.get_object(), game)

    @extend_schema(
        operation_id="batches_rows_retrieve",
        parameters=[
            OpenApiParameter("cursor", str, description="* for the beginning; then follow `next`."),
            OpenApiParameter("page_size", size_schema(PAGE_SIZE, LARGEST_PAGE)),
        ],
        responses={200: BatchRowsSerializer, **WHEN_DONE},
    )
    @action(detail=True, filter_backends=(), pagination_class=None)
    def rows(self, request: Request, id: str) -> HttpResponseBase:
        """Every game of the batch, a row each: in pages, or all at once with format=csv or format=jsonl."""
        return rows_answer(request, self.get_object())

    @extend_schema(
        operation_id="batches_traffic_retrieve",
        responses={200: BatchTrafficSerializer, **WHEN_DONE},
    )
    @action(detail=True, filter_backends=(), pagination_class=None)
    def traffic(self, request: Request, id: str) -> Response:
        """How often the lines, points or squares of the board were used, by side; empty where it is not counted."""
        return traffic_answer(self.get_object())
