"""Identifiers, citations, linked data and histories: what leads to a thing, and what is said of it under its name.

`/id/…` leads to the page or document of a thing, and `/cite/record/DLP.Evidence.692.bib` is its citation. Its page
answers `Accept: application/ld+json` with the linked data that stand in the page, so the two never differ. The
public history of a row says what was changed, when and why.
"""

import datetime
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.request import MediaType
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from catalogue.citations.formats import FORMATS
from catalogue.citations.items import ITEMS, catalogue_item, findings_item, item_of
from catalogue.edition.contents import cited, published_edition
from catalogue.edition.superseded import superseded_at
from catalogue.history.histories import HISTORIES, Event, events, grouped, keys, named, revision, tracked
from catalogue.identifiers.resolution import ROWS, find, identifier_of, kind_of, nearest, resolve
from catalogue.identifiers.signposts import JSON, LINKED_DATA, Signpost, api_address, citation_forms, media_type
from catalogue.models import Anchor, Source
from catalogue.models.lookup import KINDS, NamedKind, NothingHere, key_of, not_here
from catalogue.pages import answers
from catalogue.templatetags.citing import CLOSING, OPENING
from catalogue.texts.words import LONGEST_COMPARED, Suggested, nearest_word, nearest_words
from catalogue.web.addresses import page_of, site_address
from catalogue.web.routes import route


@route("id/<path:identifier>", example="/id/DLP.Evidence.692", identifies="{identifier}", status=303)
@require_safe
def identifier(request: HttpRequest, identifier: str) -> HttpResponse:
    """Answer 303 See Other: a name may mean a game, which no server can send, but its page can be sent.

    Or what else is told of it in the form that is asked for: linked data, its citation, its row of the API. 406 names
    the forms that there are.
    """
    name = identifier.rstrip("/")
    row = resolve(name)
    if row is None:
        message = f"Nothing in this catalogue is called “{name[:LONGEST_COMPARED]}”."
        suggested = [Suggested(f"{kind_of(one).name} {key_of(one)}", identifier_of(one)) for one in nearest(name)]
        raise NothingHere(message, suggested)
    forms = _forms_of(row)
    accepted = [one for one in request.accepted_types if one.main_type and one.sub_type]  # what can be read of Accept
    wanted = next((kind for one in accepted for kind in forms if _accepts(one, kind)), None)
    if wanted is None and accepted:
        message = f"{name[:LONGEST_COMPARED]} comes as {', '.join(forms)}.\n"
        response = HttpResponse(message, status=HTTPStatus.NOT_ACCEPTABLE, content_type="text/plain; charset=utf-8")
    else:
        location = forms[wanted or HTML]
        response = HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": location})
    patch_vary_headers(response, ["Accept"])
    return response


def _forms_of(row: Any) -> dict[str, str]:
    """Where what is told of a row can be had, by media type, the page first.

    Pages send linked data themselves where it is accepted; words of a record have none, but they are an annotation.
    """
    page, api = page_of(row), api_address(row)
    forms = {HTML: page, LINKED_DATA: api if isinstance(row, Anchor) else page}
    if api:
        forms[JSON] = api
    if type(row) in {*ITEMS, Source}:
        forms |= {media_type(name): address for name, address in citation_forms(row).items()}
    return forms


def _accepts(accepted: MediaType, kind: str) -> bool:
    """Return whether an accepted type is this kind. A profile or a character set narrows nothing that there is."""
    parts = zip((accepted.main_type.lower(), accepted.sub_type.lower()), kind.split("/"), strict=True)
    return all(part in ("*", own) for part, own in parts)


HTML = "text/html"
CITED = {name: KINDS[name] for name in ROWS if KINDS[name].model in {*ITEMS, Source}}


@route(
    "cite/<slug:kind>/<path:key>.<slug:form>", example="/cite/record/DLP.Evidence.692.ris", identifies="{kind}/{key}"
)
def citation(request: HttpRequest, kind: str, key: str, form: str) -> HttpResponse:
    """The citation of a row in a form, with today as the day of access."""
    sort = CITED.get(kind)
    if sort is None:
        message = f"There are no citations of a “{kind[:LONGEST_COMPARED]}”."
        raise not_here(message, kind, CITED, lambda near: _suggested(near, key, form))
    known_form(form, lambda near: reverse("citation", args=[kind, key, near]))
    row = find(kind, key)
    if row is None:
        raise NothingHere(f"There is no {kind} called “{key[:LONGEST_COMPARED]}”.", _near(sort, key, form))
    item = item_of(row, accessed=timezone.now().date(), base=site_address(request))
    return citation_answer(form, item, f"{kind}-{key_of(row)}")


@route("cite/catalogue.<slug:form>", name="citation-of-catalogue", example="/cite/catalogue.bib")
@route("cite/edition.<slug:form>", name="citation-of-edition", example="/cite/edition.bib", arguments={"of": "edition"})
@route(
    "cite/findings.<slug:form>", name="citation-of-findings", example="/cite/findings.bib", arguments={"of": "findings"}
)
def citation_of_whole(request: HttpRequest, form: str, of: str = "catalogue") -> HttpResponse:
    """The citation of the catalogue, of its edition or of all findings, in a form."""
    known_form(form, lambda near: reverse(f"citation-of-{of}", args=[near]))
    if of == "edition":
        return citation_answer(form, cited(published_edition(), request), of)
    write = findings_item if of == "findings" else catalogue_item
    return citation_answer(form, write(accessed=timezone.now().date(), base=site_address(request)), of)


def known_form(form: str, address: Callable[[str], str]) -> None:
    """Raises NothingHere, with the nearest, for a form that no citation has."""
    if form not in FORMATS:
        near = nearest_word(form, FORMATS) or "bib"
        message = f"There is no citation in the form “{form[:LONGEST_COMPARED]}”; there is {', '.join(FORMATS)}."
        raise NothingHere(message, [Suggested(FORMATS[near].title, address(near))])


def _near(sort: NamedKind, key: str, form: str) -> list[Suggested]:
    row = sort.nearest(key) if key.count("/") == len(sort.columns) - 1 else None
    if row is None:
        return []
    return [_suggested(sort.name, key_of(row), form)]


def _suggested(kind: str, key: str, form: str) -> Suggested:
    return Suggested(f"{kind} {key}", reverse("citation", args=[kind, key, form]))


def citation_answer(form: str, item: Mapping[str, Any], name: str) -> HttpResponse:
    """The answer with a citation. name: that of its file, without the ending"""
    written = FORMATS[form]
    response = HttpResponse(written.write([item]), content_type=written.media_type)
    response["Content-Disposition"] = f'inline; filename="{name.replace("/", "-")}.{form}"'
    return response


def wants_linked_data(request: HttpRequest) -> bool:
    """Return whether Accept names linked data and prefers it to a page; a client that accepts anything gets the page.

    A profile (`application/ld+json;profile="…"`) requests another arrangement of the same data, and is ignored.
    """
    for accepted in request.accepted_types:  # the best liked first
        if accepted.match(HTML):
            return False
        if f"{accepted.main_type}/{accepted.sub_type}".lower() == LINKED_DATA:
            return True
    return False


class LinkedDataMiddleware:
    """Says in the header where else the thing of a page is told of, and replaces the page by its linked data.

    That comes before the length and the digest of the body are computed. What a newer edition superseded names what
    took its place, on pages and in the API alike (RFC 5829).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._linked(request, self.get_response(request))
        if response.status_code in (200, 410) and (part := superseded_at(request.resolver_match)):
            link = Signpost("successor-version", f"{site_address(request)}{part.successor}").field
            response["Link"] = f"{response['Link']}, {link}" if "Link" in response else link
        return response

    def _linked(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponse) or not _is_page(request, response):
            return response
        start = response.content.find(OPENING.encode())
        if start < 0:
            return response
        patch_vary_headers(response, ["Accept"])
        if links := getattr(request, "signposts", ()):
            response["Link"] = ", ".join(link.field for link in links)
        if wants_linked_data(request):
            end = response.content.index(CLOSING.encode(), start)
            response.content = response.content[start + len(OPENING) : end]
            response["Content-Type"] = LINKED_DATA
        return response


def _is_page(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        request.method in ("GET", "HEAD")
        and response.status_code == 200
        and response.get("Content-Type", "").startswith(HTML)
    )


route(
    "history/evidence/<path:key>/",
    name="history-before",
    example="/history/evidence/DLP.Evidence.692/",
    status=301,
    arguments={"kind": "record"},
)(RedirectView.as_view(pattern_name="history", permanent=True, query_string=True))


@route("history/<str:kind>/<path:key>/", example="/history/clause/puhulmutu-parker/relay/")
def history(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    if kind not in HISTORIES:
        raise NothingHere(f"There is no history of a {kind[:LONGEST_COMPARED]}.", _of_nearest_kind(kind, key))
    sort = HISTORIES[kind]
    named_row = named(sort, key)
    if named_row is None:
        message = f"There is no history of a {sort.name} called “{key[:LONGEST_COMPARED]}”."
        raise NothingHere(message, _nearest(sort, key))
    every = events(tracked(sort, named_row.numbers))
    page = answers.page_of(request, grouped(every))
    context = {
        "kind": sort,
        "key": key,
        "row": named_row.row,
        "key_now": key_of(named_row.row) if named_row.row else "",
        "page": page,
        "revisions": [revision(group) for group in page],
        "begins_later": _begins_later(every),
    }
    return render(request, "catalogue/history.html", context)


def _begins_later(every: list[Event]) -> datetime.datetime | None:
    """When the first revision is of, if the row was there before anything was recorded of it."""
    own = [event.record for event in every if event.place == 0] or [event.record for event in every]
    return own[-1].history_date if own and own[-1].history_type != "+" else None


def _of_nearest_kind(kind: str, key: str) -> list[Suggested]:
    near = nearest_word(kind, HISTORIES)
    if near is None:
        return []
    return [_suggestion(near, key)] if named(HISTORIES[near], key) else _nearest(HISTORIES[near], key)


def _nearest(kind: NamedKind, key: str) -> list[Suggested]:
    return [_suggestion(kind.name, word) for word in nearest_words(key, keys(kind), most=3, least=0.5)]


def _suggestion(kind: str, key: str) -> Suggested:
    return Suggested(f"History of the {kind} {key}", reverse("history", args=[kind, key]))
