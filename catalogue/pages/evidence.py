"""Records: the list that can be narrowed, and the page of one record with the readings beside it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from catalogue.claims.results import claims_of
from catalogue.evidence.record_view import apparatus_of
from catalogue.evidence.rule_column import rule_column
from catalogue.filters.facets import facets_and_years
from catalogue.filters.record_parameters import RecordParameters
from catalogue.models import Reading
from catalogue.models.lookup import record_called
from catalogue.models.querysets import evidence_rows, evidence_with_everything, shown_comparison
from catalogue.pages.answers import HtmxRequest
from catalogue.pages.narrowed_records import narrowed_records
from catalogue.pages.paging import page_of
from catalogue.pages.record_figure import outcomes_context, questions_of, readings_of
from catalogue.play.solved_readings import solved_readings
from catalogue.web.routes import route


@route("evidence/", name="evidence-list", example="/evidence/?place=sri-lanka", sitemap=True)
def evidence_list(request: HttpRequest) -> HttpResponse:
    parameters = RecordParameters(request, own=("page",))
    facets, bins = facets_and_years(parameters)
    context = narrowed_records(parameters, facets) | {
        "bins": bins,
        "page": page_of(request, parameters.among(evidence_rows())),
    }
    return render(request, "catalogue/evidence_list.html", context)


@route(
    "evidence/<str:identifier>/",
    name="evidence",
    identifies="record/{identifier}",
    example="/evidence/DLP.Evidence.692/",
)
def evidence(request: HtmxRequest, identifier: str) -> HttpResponse:
    """A record: its words, the rules they became, and how each reading plays. htmx may ask for the figure alone."""
    record = record_called(evidence_with_everything(), identifier)
    readings = readings_of(record)
    questions = questions_of(record) if readings else []
    context = outcomes_context(request, record, readings, questions)
    if request.htmx and request.htmx.target == "outcomes":
        return _varied(render(request, "partials/outcomes.html", context))
    apparatus = apparatus_of(record, readings)
    context |= {
        "apparatus": apparatus,
        "column": rule_column(apparatus, readings, questions),
        "questions": questions,
        "claims": claims_of(record),
        "comparison": shown_comparison(readings, context["shown"].level),
        "solved": solved_readings(readings),
        "portal_rulesets": record.portal_rulesets.select_related("game"),
        "readings_of_other_games": (
            Reading.objects.filter(evidence=record).exclude(game=record.game).select_related("game")
        ),
    }
    return _varied(render(request, "catalogue/evidence.html", context))


def _varied(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


@route(
    "evidence/<str:identifier>/rules/",
    name="evidence-rules",
    identifies="record/{identifier}",
    example="/evidence/DLP.Evidence.692/rules/",
)
def rules(request: HttpRequest, identifier: str) -> HttpResponse:
    """Every rule that was read from a record, whether its words stand there, elsewhere or nowhere."""
    record = record_called(evidence_with_everything(), identifier)
    context = {"record": record, "apparatus": apparatus_of(record, readings_of(record))}
    return render(request, "catalogue/evidence_rules.html", context)
