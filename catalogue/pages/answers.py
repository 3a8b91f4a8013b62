"""What several pages answer alike: a drawing, a picture, how far something is, and a list page by page."""

from http import HTTPStatus
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

from catalogue.models.lookup import NothingHere
from catalogue.texts.errors import Suggested
from catalogue.web import pictures
from catalogue.web.addresses import WrongAddress
from simulator.analyses.protocol import AnalysisKind, AnalysisProgress
from simulator.batches.service import BatchProgress
from simulator.models import Analysis

A_DAY = 86_400
UNFINISHED = ("running", "waiting")
PAGE_SIZE = 25


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
    request: HtmxRequest, state: str, progress: BatchProgress | AnalysisProgress | None = None
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


class FromTheNearerEnd(Paginator):
    """A database counts its way to a page: those of the second half are counted to from the end."""

    def page(self, number: int | str) -> "Page[Any]":
        number = self.validate_number(number)
        first, after = (number - 1) * self.per_page, min(number * self.per_page, self.count)
        if isinstance(self.object_list, QuerySet) and 2 * first > self.count:
            backwards = self.object_list.reverse()[self.count - after : self.count - first]
            return Page(list(backwards)[::-1], number, self)
        found: Page[Any] = super().page(number)
        return found


def page_of(request: HttpRequest, rows: "QuerySet[Any] | list[Any]", size: int = PAGE_SIZE) -> "Page[Any]":
    """The page that the address asks for (`?page=2`); WrongAddress names the nearest page if there is none such."""
    pages = FromTheNearerEnd(rows, size)
    typed = request.GET.get("page", "1")
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else 0
    if 1 <= number <= pages.num_pages:
        return pages.page(number)
    nearest = min(max(number, 1), pages.num_pages)
    parameters = request.GET.copy()
    parameters["page"] = str(nearest)
    raise WrongAddress(
        f"There is no page “{typed[:40]}” of this list: it has {pages.num_pages}.",
        Suggested(f"page {nearest}", f"{request.path}?{parameters.urlencode()}"),
    )


def job_progress(request: HtmxRequest, kind: AnalysisKind[Any, Any], key: str) -> HttpResponse:
    """How far an analysis is: `waiting` as long as there is something to wait for, then its page is loaded anew."""
    row = kind.find(key)
    if row is None:
        raise NothingHere(f"There is no {kind.name} “{key}” here.")
    if row.state == Analysis.State.DONE:
        return progress_answer(request, row.state)
    progress = kind.progress(row)
    return progress_answer(request, progress.state, progress)
