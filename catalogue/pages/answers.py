"""Answers of one form that several pages give beside themselves: a drawing, and how far a batch is."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

from catalogue.web import pictures
from simulator.batches.service import BatchProgress
from simulator.batches.together import TogetherProgress

A_DAY = 86_400
UNFINISHED = ("running", "waiting")


class HtmxRequest(HttpRequest):
    htmx: HtmxDetails


def drawing(svg: str) -> HttpResponse:
    response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    response["Cache-Control"] = f"public, max-age={A_DAY}"
    return response


def picture(svg: str) -> HttpResponse:
    """A drawing as PNG."""
    response = HttpResponse(pictures.picture(svg), content_type="image/png")
    response["Cache-Control"] = f"public, max-age={A_DAY}"
    return response


def progress_answer(
    request: HtmxRequest, state: str, progress: BatchProgress | TogetherProgress | None = None
) -> HttpResponse:
    """How far something is, as JSON; to a page that asks every second a fragment of it, and at the end that it be
    loaded anew. Without progress nothing is counted, and such a page only waits."""
    facts = (
        {name: getattr(progress, name) for name in ("games", "games_done", "percent", "waits_for")} if progress else {}
    )
    response: HttpResponse
    if not request.htmx:
        response = JsonResponse({"state": state, **facts})
    elif state not in UNFINISHED:
        response = HttpResponseClientRefresh()
    elif progress:
        response = render(request, "partials/progress.html", facts)
    else:
        response = HttpResponse(status=HTTPStatus.NO_CONTENT)
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["HX-Request"])
    return response
