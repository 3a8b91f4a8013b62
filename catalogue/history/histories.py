"""Histories by the names that readers use, and what became of a row that was deleted: when, by whom and why.

A row that was deleted keeps its history under the key it had, and so does a row that was given another key. Whoever
is named signed the change knowing that readers see it.
"""

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.urls import ResolverMatch, reverse

from catalogue.history.revisions import WITHOUT_HISTORY, Tracked, signed, written_by
from catalogue.models import Anchor, Answer, DeletedRow, Question
from catalogue.models.lookup import KIND_OF, KINDS, NamedKind, key_of
from catalogue.web.routes import ROUTES

OF_AN_ANCHOR = frozenset({"key", "clause", "answer", "claim", "reading", "position"})


HISTORIES = {name: KINDS[name] for name in ("record", "reading", "clause", "question", "claim", "note")}
ANCHORED = ("reading", "clause", "claim")  # kinds to which a link of an anchor leads that is called so


@dataclass(frozen=True, slots=True)
class Named:
    """The row of a kind and key, None if it is no longer there, and the numbers of all rows that had that key."""

    row: Any | None
    numbers: frozenset[int]


def address_of(row: models.Model) -> str:
    """The address of a row's history."""
    return reverse("history", args=[KIND_OF[type(row)].name, key_of(row)])


def named(kind: NamedKind, key: str) -> Named | None:
    """What is or was called so; None if nothing ever was."""
    *before, last = key.split("/", len(kind.columns) - 1)
    if len(before) != len(kind.columns) - 1:
        return None
    narrowed: dict[str, Any] = {kind.columns[-1]: last}
    if before:
        parent, column = kind.model._meta.get_field(kind.link).related_model, kind.columns[0].partition("__")[2]
        narrowed[f"{kind.link}__in"] = _numbers(parent, {column: before[0]})
    numbers = _numbers(kind.model, narrowed)
    rows = {row.pk: row for row in kind.model.objects.filter(pk__in=numbers).select_related(*filter(None, [kind.link]))}
    row = next((one for one in rows.values() if key_of(one) == key), None)
    if row is not None:  # others that once had this key have one of their own now
        numbers -= rows.keys() - {row.pk}
    elif rows:
        row = next(iter(rows.values()))
    return Named(row, frozenset(numbers)) if numbers else None


def keys(kind: NamedKind) -> list[str]:
    """The keys of all rows that there are; what was deleted is found by its key alone."""
    return ["/".join(key) for key in kind.model.objects.values_list(*kind.columns)]


def tracked(kind: NamedKind, numbers: Iterable[int]) -> list[Tracked]:
    """The row's own records, and those of what belongs to it: its answers, and its anchors."""
    numbers = list(numbers)
    found = [Tracked(kind.model.history.filter(id__in=numbers), lambda _: kind.name.capitalize(), frozenset())]
    anchors = None
    if kind.model is Question:
        answers = Answer.history.filter(question_id__in=numbers)
        found.append(Tracked(answers, lambda one: f"Answer {one.slug}", frozenset({"question"})))
        anchors = Anchor.history.filter(answer_id__in=answers.values("id"))
    elif kind.name in ANCHORED:
        anchors = Anchor.history.filter(**{f"{kind.name}_id__in": numbers})
    if anchors is not None:
        found.append(Tracked(anchors, _anchor_title, OF_AN_ANCHOR))
    return found


def _anchor_title(anchor: Any) -> str:
    owner = anchor.key.rsplit("/", 2)
    of = f" of answer {owner[0].rsplit('/', 1)[-1]}" if anchor.answer_id else ""
    return f"Words{of}, {anchor.get_stance_display()}: {owner[-1].replace('-', ' ')}"


def _numbers(model: Any, narrowed: dict[str, Any]) -> set[int]:
    """The numbers of all rows, gone ones as well, of which this was ever so."""
    found = set(model.objects.filter(**narrowed).values_list("pk", flat=True))
    if hasattr(model, "history"):
        found |= set(model.history.filter(**narrowed).order_by().values_list("id", flat=True))
    return found


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
    """The deletion of what an address names, if it was deleted."""
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
