"""Citations at addresses of their own: `/cite/record/DLP.Evidence.692.bib`."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from catalogue.citations.formats import FORMATS
from catalogue.citations.items import ITEMS, catalogue_item, item_of
from catalogue.edition.contents import cited, published_edition
from catalogue.identifiers.resolution import ROWS, find
from catalogue.models import Source
from catalogue.models.lookup import KINDS, NamedKind, NothingHere, key_of, not_here
from catalogue.texts.errors import LONGEST_COMPARED, Suggested, nearest_word
from catalogue.web.addresses import site_address
from catalogue.web.routes import route

CITED = {name: KINDS[name] for name in ROWS if KINDS[name].model in {*ITEMS, Source}}


@route(
    "cite/<slug:kind>/<path:key>.<slug:form>",
    name="citation",
    identifies="{kind}/{key}",
    example="/cite/record/DLP.Evidence.692.ris",
)
def citation(request: HttpRequest, kind: str, key: str, form: str) -> HttpResponse:
    """One row, as a text of one form, with today as the day it was looked at."""
    sort = CITED.get(kind)
    if sort is None:
        message = f"There are no citations of a “{kind[:LONGEST_COMPARED]}”."
        raise not_here(message, kind, CITED, lambda near: _suggested(near, key, form))
    _known_form(form, lambda near: reverse("citation", args=[kind, key, near]))
    row = find(kind, key)
    if row is None:
        raise NothingHere(f"There is no {kind} called “{key[:LONGEST_COMPARED]}”.", _near(sort, key, form))
    item = item_of(row, accessed=timezone.now().date(), base=site_address(request))
    return _answer(form, item, f"{kind}-{key_of(row)}")


@route("cite/catalogue.<slug:form>", name="citation-of-catalogue", example="/cite/catalogue.bib")
def citation_of_catalogue(request: HttpRequest, form: str) -> HttpResponse:
    _known_form(form, lambda near: reverse("citation-of-catalogue", args=[near]))
    item = catalogue_item(accessed=timezone.now().date(), base=site_address(request))
    return _answer(form, item, "catalogue")


@route("cite/edition.<slug:form>", name="citation-of-edition", example="/cite/edition.bib")
def citation_of_edition(request: HttpRequest, form: str) -> HttpResponse:
    _known_form(form, lambda near: reverse("citation-of-edition", args=[near]))
    return _answer(form, cited(published_edition(), request), "edition")


def _known_form(form: str, address: Any) -> None:
    if form not in FORMATS:
        near = nearest_word(form, FORMATS) or "bib"
        message = f"A citation cannot be had as “{form[:LONGEST_COMPARED]}”; it can be as {', '.join(FORMATS)}."
        raise NothingHere(message, [Suggested(FORMATS[near].title, address(near))])


def _near(sort: NamedKind, key: str, form: str) -> list[Suggested]:
    row = sort.nearest(key) if key.count("/") == len(sort.columns) - 1 else None
    if row is None:
        return []
    return [_suggested(sort.name, key_of(row), form)]


def _suggested(kind: str, key: str, form: str) -> Suggested:
    return Suggested(f"{kind} {key}", reverse("citation", args=[kind, key, form]))


def _answer(form: str, item: Mapping[str, Any], name: str) -> HttpResponse:
    written = FORMATS[form]
    response = HttpResponse(written.write([item]), content_type=written.media_type)
    response["Content-Disposition"] = f'inline; filename="{name.replace("/", "-")}.{form}"'
    return response
