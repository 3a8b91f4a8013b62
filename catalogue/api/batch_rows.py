"""The games of a batch in the API, a row each: in pages of JSON, or all of them as a table or as lines of JSON."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from catalogue.api import cursors
from catalogue.api.batch_requests import LOOK_AGAIN
from catalogue.api.formats import TableRenderer
from catalogue.api.paging import page_size
from catalogue.web.problem_document import RefusedRequest
from catalogue.web.row_files import FORMS, send_rows
from simulator.batches.rows import measure_names, rows_between
from simulator.batches.service import MOST_GAMES_WITH_ROWS, simulate_command
from simulator.engine.ruleset import Problem
from simulator.models import Batch

PAGE_SIZE, LARGEST_PAGE = 100, 1_000
PARAMETERS = ("cursor", "page_size")


class LinesRenderer(BaseRenderer):
    """Stands for what is sent as a file: it is asked for by name, and never renders anything itself."""

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


RENDERERS = (TableRenderer, LinesRenderer)


def answer(request: Request, batch: Batch) -> HttpResponseBase:
    """The rows as they were asked for; raises RefusedRequest."""
    _check_kept(batch)
    renderer: Any = request.accepted_renderer
    if renderer.format in FORMS:
        return send_rows(request, batch, renderer.format)
    size = page_size(request, PAGE_SIZE, LARGEST_PAGE)
    first = _first(batch, request.query_params.get("cursor") or cursors.BEGIN)
    names = ["game", *measure_names(batch)]
    rows = [dict(zip(names, row, strict=True)) for row in rows_between(batch, first, first + size)]
    next_page = None
    if first + size < batch.games:
        cursor = cursors.signed(f"batch {batch.id}", "game", [first + size])
        next_page = replace_query_param(request.build_absolute_uri(), "cursor", cursor)
    document = {"count": batch.games, "next": next_page, "previous": None, "results": rows}
    return Response(document, headers={"Link": f'<{next_page}>; rel="next"'} if next_page else None)


def _first(batch: Batch, cursor: str) -> int:
    if cursor == cursors.BEGIN:
        return 0
    (first,) = cursors.read(f"batch {batch.id}", "game", cursor)
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
