"""The time line: when the records are of, with what is not known drawn as well."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.filters.choices import offers
from catalogue.filters.record_parameters import AskedRecords
from catalogue.geography.dated import UNDATED, dated_record, known_of, spans_of, years_of_all
from catalogue.geography.spans import Bins, Known, binned
from catalogue.geography.time_line import columns, heights, laid_out, scale_of

MOST_SINGLY = 60  # records that are drawn one by one


def timeline(request: HttpRequest) -> HttpResponse:
    asked = AskedRecords(request)
    found = known_of(asked.records)
    window = found.window(asked.earliest, asked.latest)
    listed = reverse("evidence-list")
    context: dict[str, Any] = {
        "asked": asked,
        "offers": offers(asked),
        "years": years_of_all(),
        "found": found,
        "undated_left_out": asked.undated_left_out(),
        "list_address": asked.address(path=listed),
        "undated_address": asked.address({"undated": "yes"}, listed, without=("from", "to")),
        "map": asked.address(path=reverse("map")),
        "data": asked.address(path=reverse("v1:timeline")),
    }
    if window and found.dated <= MOST_SINGLY:
        context |= _one_by_one(asked, *window)
    elif window:
        context |= _as_columns(asked, found, Bins(*window))
    return render(request, "catalogue/timeline.html", context)


def _one_by_one(asked: AskedRecords, first: int, last: int) -> dict[str, Any]:
    rows = asked.records.exclude(UNDATED).select_related("game")
    return laid_out([dated_record(row) for row in rows], (first, last))


def _as_columns(asked: AskedRecords, found: Known, bins: Bins) -> dict[str, Any]:
    spans = spans_of(asked.records, bins)
    drawn = binned(spans, bins)
    scale = scale_of(bins.first, bins.last)
    listed = reverse("evidence-list")
    linked = [
        (column, asked.address({"from": column.bin.first, "to": column.bin.last}, listed))
        for column in columns(drawn, scale)
    ]
    beyond = found.dated - found.open_ended - sum(span.records for span in spans)
    return {"columns": linked, "scale": scale, "heights": list(heights(drawn)), "bins": bins, "beyond": beyond}
