"""Histories by their public names: which records belong to a row that readers call by its kind and natural key.

A row that was deleted keeps its history under the key it had, and so does a row that was given another key.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.urls import reverse

from catalogue.history.revisions import Tracked
from catalogue.models import Anchor, Answer, Claim, Clause, EditorsNote, Evidence, Game, Question, Reading

OF_AN_ANCHOR = frozenset({"key", "clause", "answer", "claim", "reading", "position"})


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of row with a public history.

    column:   what the last part of its key stands in
    parent:   (link, model, column) of the part before it, if there is one
    anchored: which link of an anchor leads to it, if any does
    called:   what readers call it, if not by its name
    """

    name: str
    model: Any
    column: str = "slug"
    parent: tuple[str, Any, str] | None = None
    anchored: str = ""
    called: str = ""

    @property
    def title(self) -> str:
        return self.called or self.name

    def key_of(self, row: Any) -> str:
        if self.parent is None:
            return str(getattr(row, self.column))
        link, _, column = self.parent
        return f"{getattr(getattr(row, link), column)}/{getattr(row, self.column)}"


KINDS = {
    kind.name: kind
    for kind in (
        Kind("evidence", Evidence, "identifier", called="record"),
        Kind("reading", Reading, anchored="reading"),
        Kind("clause", Clause, parent=("reading", Reading, "slug"), anchored="clause"),
        Kind("question", Question, parent=("game", Game, "slug")),
        Kind("claim", Claim, parent=("game", Game, "slug"), anchored="claim"),
        Kind("note", EditorsNote, parent=("evidence", Evidence, "identifier")),
    )
}


@dataclass(frozen=True, slots=True)
class Named:
    """The row of a kind and key, None if it is no longer there, and the numbers of all rows that had that key."""

    row: Any | None
    numbers: frozenset[int]


def address_of(row: models.Model) -> str:
    """The address of a row's history; raises KeyError for a row of a kind that has none."""
    kind = {kind.model: kind for kind in KINDS.values()}[type(row)]
    return reverse("history", args=[kind.name, kind.key_of(row)])


def named(kind: Kind, key: str) -> Named | None:
    """What is or was called so; None if nothing ever was."""
    *before, last = key.split("/")
    if len(before) != (kind.parent is not None):
        return None
    narrowed: dict[str, Any] = {kind.column: last}
    if kind.parent is not None:
        link, parent, column = kind.parent
        narrowed[f"{link}__in"] = _numbers(parent, {column: before[0]})
    numbers = _numbers(kind.model, narrowed)
    rows = {row.pk: row for row in kind.model.objects.filter(pk__in=numbers).select_related(*_links(kind))}
    row = next((one for one in rows.values() if kind.key_of(one) == key), None)
    if row is not None:  # others that once had this key have one of their own now
        numbers -= rows.keys() - {row.pk}
    elif rows:
        row = next(iter(rows.values()))
    return Named(row, frozenset(numbers)) if numbers else None


def keys(kind: Kind) -> list[str]:
    """The keys of all rows that there are; what was deleted is found by its key alone."""
    return [kind.key_of(row) for row in kind.model.objects.select_related(*_links(kind))]


def tracked(kind: Kind, numbers: Iterable[int]) -> list[Tracked]:
    """The row's own records, and those of what belongs to it: its answers, and its anchors."""
    numbers = list(numbers)
    found = [Tracked(kind.model.history.filter(id__in=numbers), lambda _: kind.title.capitalize(), frozenset())]
    anchors = None
    if kind.model is Question:
        answers = Answer.history.filter(question_id__in=numbers)
        found.append(Tracked(answers, lambda one: f"Answer {one.slug}", frozenset({"question"})))
        anchors = Anchor.history.filter(answer_id__in=answers.values("id"))
    elif kind.anchored:
        anchors = Anchor.history.filter(**{f"{kind.anchored}_id__in": numbers})
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


def _links(kind: Kind) -> list[str]:
    return [kind.parent[0]] if kind.parent else []
