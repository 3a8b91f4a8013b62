"""Rows by the names that readers write: every kind of row that has a name, and the rows that were probably meant.

Identifiers, citations, histories and the search each add what is their own, by the names of the kinds they deal with.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404

from catalogue import models
from catalogue.models.evidence import Evidence
from catalogue.texts.words import LONGEST_COMPARED, Suggested, nearest_word, nearest_words
from simulator.models import Batch, RulesetVersion

Found = TypeVar("Found", bound=Model)
MOST_COMPARED = 2_000  # names: of a longer list only those that begin alike are compared


class NothingHere(Http404):
    """No record, game or ruleset has this name."""

    def __init__(self, message: str, nearest: Iterable[Suggested] = ()) -> None:
        super().__init__(message)
        self.nearest = tuple(nearest)


class Withdrawn(Exception):
    """The record was here, and was withdrawn."""

    def __init__(self, record: Evidence) -> None:
        super().__init__(f"{record} was withdrawn")
        self.record = record


def not_here(message: str, word: str, known: Iterable[str], suggested: Callable[[str], Suggested]) -> NothingHere:
    """The error for a word that is none of the known ones; `suggested` makes an address of the nearest of them."""
    near = nearest_word(word, known)
    return NothingHere(message, [suggested(near)] if near else [])


def keys_like(rows: "QuerySet[Any]", field: str, wanted: str) -> list[str]:
    """Keys among which the one that was meant may be: all of them, or of many those that begin most like it."""
    keys = rows.order_by().exclude(**{field: ""}).values_list(field, flat=True).distinct()
    found = list(keys[: MOST_COMPARED + 1])
    if len(found) <= MOST_COMPARED:
        return found
    whole = len(wanted[:LONGEST_COMPARED])
    for length in dict.fromkeys((whole - 1, whole - 2, 3 * whole // 4, whole // 2, whole // 4)):
        if length > 0:
            alike = keys.filter(**{f"{field}__startswith": wanted[:length]})[:MOST_COMPARED]
            if alike:
                return list(alike)
    return found


def nearest_key(rows: "QuerySet[Any]", field: str, wanted: str) -> str | None:
    """Return the key among these rows that is most like a given one, or None."""
    return nearest_word(wanted, keys_like(rows, field, wanted))


def shown_rows(model: type[Model]) -> "QuerySet[Any]":
    """The rows of a model that a reader may be led to."""
    rows: Any = model._default_manager
    found: QuerySet[Any] = rows.shown() if hasattr(rows, "shown") else rows.all()
    return found


def record_called(rows: "QuerySet[Evidence]", identifier: str) -> Evidence:
    """The record; Withdrawn if it is no longer shown, NothingHere if there never was one."""
    row = rows.filter(identifier=identifier).order_by("pk").first()
    if row is None:
        withdrawn = Evidence.objects.filter(identifier=identifier).exclude(withdrawn_on=None).first()
        if withdrawn is not None:
            raise Withdrawn(withdrawn)
        return found_or_nearest(rows, "identifier", identifier, "record")
    return row


def version_called(rows: "QuerySet[RulesetVersion]", name: str) -> RulesetVersion | None:
    """The version of the name "slug@number", if there is one."""
    slug, _, number = name.partition("@")
    is_number = number.isascii() and number.isdigit() and len(number) < 10
    return rows.filter(slug=slug, number=int(number)).first() if is_number else None


def found_or_nearest(queryset: "QuerySet[Found]", field: str, value: str, kind: str) -> Found:
    """The one row whose field has this value; else NothingHere, naming the three rows that look most like it."""
    row = queryset.filter(**{field: value}).first()
    if row is not None:
        return row
    plain = shown_rows(queryset.model)
    near = nearest_words(value, keys_like(plain, field, value), most=3, least=0.5)
    rows: dict[str, Any] = {getattr(row, field): row for row in plain.filter(**{f"{field}__in": near})}
    suggested = [Suggested(str(rows[key]), rows[key].get_absolute_url()) for key in near if key in rows]
    raise NothingHere(f"There is no {kind} called “{value[:LONGEST_COMPARED]}”.", suggested)


HEX = r"[0-9a-f]{16}"


@dataclass(frozen=True, slots=True)
class NamedKind:
    """A kind of row.

    name:    the first word of its identifiers, "record"
    columns: where the parts of a key stand; a key is written with strokes between them
    pattern: what its keys look like, if they are no names
    word:    what readers call it where that is not its name; plural: if that is not the word with an s
    """

    name: str
    model: Any
    columns: tuple[str, ...] = ("slug",)
    pattern: str = ""
    word: str = ""
    plural: str = ""

    @property
    def words(self) -> tuple[str, str]:
        """Singular and plural."""
        word = self.word or self.name
        return word, self.plural or f"{word}s"

    @property
    def link(self) -> str:
        """The field that leads to the row which the first part of a key names; empty if the key has one part."""
        return self.columns[0].partition("__")[0] if len(self.columns) > 1 else ""

    def may_be(self, key: str) -> bool:
        return re.fullmatch(self.pattern or "/".join(["[^/]+"] * len(self.columns)), key) is not None

    def where(self, key: str) -> dict[str, str]:
        """Return the column values of the row with this key. Raises ValueError for a key of too few parts."""
        return dict(zip(self.columns, key.split("/", len(self.columns) - 1), strict=True))

    def nearest(self, key: str) -> Any:
        """The row whose key looks most like this one, or None if none does."""
        *before, last = key.split("/", len(self.columns) - 1)
        rows = shown_rows(self.model)
        if before:  # the first part as it stands, or the one most like it
            column = self.columns[0]
            first = nearest_word(before[0], keys_like(rows, column, before[0]))
            rows = rows.filter(**{column: first})
        near = nearest_word(last, keys_like(rows, self.columns[-1], last))
        return rows.filter(**{self.columns[-1]: near}).first() if near else None

    def nearest_key(self, key: str) -> str | None:
        """The key that looks most like `key` among rows whose key begins most like it; withdrawn rows count too."""
        rows = self.model._default_manager.order_by()
        first = nearest_key(rows, self.columns[0], key.split("/")[0])
        if len(self.columns) == 1 or first is None:
            return first
        keys = rows.filter(**{self.columns[0]: first}).values_list(*self.columns)
        return nearest_word(key, ["/".join(parts) for parts in keys])


def key_of(row: Any) -> str:
    """Return the key of a row within its kind: "DLP.Evidence.692", "daramuti-parker@1", "dam/won-by-taking-all"."""
    if isinstance(row, RulesetVersion):
        return str(row)
    return "/".join(row.natural_key()) if hasattr(row, "natural_key") else str(row.pk)


KINDS = {
    kind.name: kind
    for kind in (
        NamedKind("record", models.Evidence, ("identifier",)),
        NamedKind("batch", Batch, ("id",), HEX),
        NamedKind("comparison", models.Comparison, ("id",), HEX),
        NamedKind("study", models.Study, ("id",), HEX),
        NamedKind("wear", models.WearStudy, ("id",), HEX, word="wear study", plural="wear studies"),
        NamedKind("source", models.Source, ("key",)),
        NamedKind("ruleset", RulesetVersion),
        NamedKind("game", models.Game),
        NamedKind("place", models.Place),
        NamedKind("clause", models.Clause, ("reading__slug", "slug"), word="rule"),
        NamedKind("question", models.Question, ("game__slug", "slug"), word="open question", plural="open questions"),
        NamedKind("claim", models.Claim, ("game__slug", "slug")),
        NamedKind("words", models.Anchor, ("key",), ".+/.+"),
        NamedKind("reading", models.Reading, word="ruleset"),
        NamedKind("note", models.EditorsNote, ("evidence__identifier", "slug")),
    )
}
KIND_OF = {kind.model: kind for kind in KINDS.values()}
# Found and listed as the others are, but without an identifier for good, a history or a citation of its own.
TERM = NamedKind(
    "term", models.Term, ("evidence__identifier", "slug"), word="word of the players", plural="words of the players"
)
