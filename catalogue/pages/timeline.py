"""The time line: when the records are of, with what is not known drawn as well."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.filters.choices import narrowing_fields
from catalogue.filters.parameters import RecordParameters
from catalogue.geography.queries import UNDATED, dated_record, known_of, spans_of
from catalogue.geography.time_line import Bins, KnownYears, binned, columns, heights, laid_out, scale_of
from catalogue.pages.narrowed_records import narrowed_records
from catalogue.web.routes import route

MOST_SINGLY = 60  # records that are drawn one by one


@route("timeline/", name="timeline", example="/timeline/", sitemap=True)
def timeline(request: HttpRequest) -> HttpResponse:
    parameters = RecordParameters(request)
    found = known_of(parameters.records)
    window = found.window(parameters.earliest, parameters.latest)
    listed = reverse("evidence-list")
    context = narrowed_records(parameters, narrowing_fields(parameters)) | {
        "found": found,
        "undated_left_out": parameters.undated_left_out(),
        "undated_address": parameters.address({"undated": "yes"}, listed, without=("from", "to")),
        "data": parameters.address(path=reverse("v1:timeline")),
        "data_form": "JSON of the years",
    }
    if window and found.dated <= MOST_SINGLY:
        context |= _one_by_one(parameters, *window)
    elif window:
        context |= _as_columns(parameters, found, Bins(*window))
    return render(request, "catalogue/timeline.html", context)


def _one_by_one(parameters: RecordParameters, first: int, last: int) -> dict[str, Any]:
    rows = parameters.records.exclude(UNDATED).select_related("game")
    return laid_out([dated_record(row) for row in rows], (first, last))


def _as_columns(parameters: RecordParameters, found: KnownYears, bins: Bins) -> dict[str, Any]:
    spans = spans_of(parameters.records, bins)
    drawn = binned(spans, bins)
    scale = scale_of(bins.first, bins.last)
    listed = reverse("evidence-list")
    linked = [
        (column, parameters.address({"from": column.bin.first, "to": column.bin.last}, listed))
        for column in columns(drawn, scale)
    ]
    beyond = found.dated - found.open_ended - sum(span.records for span in spans)
    return {"columns": linked, "scale": scale, "heights": list(heights(drawn)), "bins": bins, "beyond": beyond}
