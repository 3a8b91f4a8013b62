"""What was deleted, when, by whom and why, as its history keeps it: said under the address that it had.

Whoever is named here signed the change knowing that readers see it, and is named in the history as well.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import ResolverMatch, reverse

from catalogue.history.histories import HISTORIES, named
from catalogue.history.recording import WITHOUT_HISTORY
from catalogue.history.revisions import signed, written_by
from catalogue.models import DeletedRow
from catalogue.models.lookup import KINDS, NamedKind
from catalogue.web.routes import ROUTES

SUBJECTS = {"evidence": "record", "rulesets": "reading"}  # what addresses call these kinds


@dataclass(frozen=True, slots=True)
class Deletion:
    """history: the address of what is known of it; empty if its kind has none of its own"""

    kind: NamedKind
    key: str
    date: datetime.datetime
    author: str
    reason: str
    history: str


def deletion_at(match: ResolverMatch | None) -> Deletion | None:
    """Of what an address names, if it was deleted."""
    route = ROUTES.get(match.view_name) if match else None
    if match is None or route is None or not route.identifies:
        return None
    called = route.identifies.format_map({name: str(value) for name, value in match.kwargs.items()})
    return next(filter(None, (deletion_of(*one) for one in _meant(called.rstrip("/")))), None)


def _meant(identifier: str) -> Iterator[tuple[NamedKind, str]]:
    """With its kind, or of whatever kind has such a key."""
    first, _, rest = identifier.partition("/")
    if kind := KINDS.get(SUBJECTS.get(first, first)):
        yield kind, rest
    else:
        yield from ((kind, identifier) for kind in KINDS.values())


def deletion_of(kind: NamedKind, key: str) -> Deletion | None:
    """None for what is there, for what never was, and for kinds of which nobody writes down what is deleted."""
    if kind.model in WITHOUT_HISTORY:
        return _written_down(kind, key)
    if not hasattr(kind.model, "history") or not kind.may_be(key):
        return None
    found = named(kind, key)
    if found is None or found.row is not None:
        return None
    ended = kind.model.history.filter(id__in=found.numbers, history_type="-").select_related("history_user")
    last: Any = ended.order_by("history_date", "history_id").last()
    if last is None:
        return None
    author, reason = signed(last)
    history = reverse("history", args=[kind.name, key]) if kind.name in HISTORIES else ""
    return Deletion(kind, key, last.history_date, author, reason, history)


def _written_down(kind: NamedKind, key: str) -> Deletion | None:
    last = DeletedRow.objects.filter(kind=kind.name, key=key).select_related("author").order_by("date", "id").last()
    if last is None or kind.model.objects.filter(**kind.where(key)).exists():
        return None
    return Deletion(kind, key, last.date, written_by(last.author, last.reason), last.reason, "")
