"""The public history of a record, a reading, a clause, a question, a claim or a note: what was changed, and why."""

import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.generic import RedirectView

from catalogue.history.histories import HISTORIES, keys, named, tracked
from catalogue.history.revisions import Event, events, grouped, revision
from catalogue.models.lookup import NamedKind, NothingHere, key_of
from catalogue.pages.answers import page_of
from catalogue.texts.errors import LONGEST_COMPARED, Suggested, nearest_word, nearest_words
from catalogue.web.routes import route

route(
    "history/evidence/<path:key>/",
    name="history-before",
    example="/history/evidence/DLP.Evidence.692/",
    status=301,
    arguments={"kind": "record"},
)(RedirectView.as_view(pattern_name="history", permanent=True, query_string=True))


@route("history/<str:kind>/<path:key>/", name="history", example="/history/clause/puhulmutu-parker/relay/")
def history(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    if kind not in HISTORIES:
        raise NothingHere(f"There is no history of a {kind[:LONGEST_COMPARED]}.", _of_nearest_kind(kind, key))
    sort = HISTORIES[kind]
    found = named(sort, key)
    if found is None:
        message = f"There is no history of a {sort.name} called “{key[:LONGEST_COMPARED]}”."
        raise NothingHere(message, _nearest(sort, key))
    every = events(tracked(sort, found.numbers))
    page = page_of(request, grouped(every))
    context = {
        "kind": sort,
        "key": key,
        "row": found.row,
        "key_now": key_of(found.row) if found.row else "",
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
