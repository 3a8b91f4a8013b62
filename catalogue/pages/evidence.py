"""Records: the list that can be narrowed, and the page of one record with the readings beside it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.claims.results import claims_of
from catalogue.evidence.record_view import apparatus_of
from catalogue.filters.facets import facets_and_years
from catalogue.filters.record_parameters import RecordParameters
from catalogue.models import Question, Reading
from catalogue.models.lookup import record_called
from catalogue.models.querysets import beside, evidence_rows, evidence_with_everything, shown_comparison
from catalogue.pages.paging import page_of


def evidence_list(request: HttpRequest) -> HttpResponse:
    parameters = RecordParameters(request, own=("page",))
    facets, years = facets_and_years(parameters)
    context = {
        "filter": parameters,
        "facets": facets,
        "chosen": [facet for facet in facets if facet.chosen],
        "years": years,
        "page": page_of(request, parameters.among(evidence_rows())),
    }
    return render(request, "catalogue/evidence_list.html", context)


def evidence(request: HttpRequest, identifier: str) -> HttpResponse:
    record = record_called(evidence_with_everything(), identifier)
    resting_on_it = Reading.objects.filter(evidence=record)
    readings = beside(resting_on_it.filter(game=record.game))
    context = {
        "record": record,
        "readings": readings,
        "apparatus": apparatus_of(record, readings),
        "questions": Question.objects.filter(game=record.game).select_related("game") if readings else [],
        "claims": claims_of(record),
        "comparison": shown_comparison(readings),
        "portal_rulesets": record.portal_rulesets.select_related("game"),
        "readings_of_other_games": resting_on_it.exclude(game=record.game).select_related("game"),
    }
    return render(request, "catalogue/evidence.html", context)
