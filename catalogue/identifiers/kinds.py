"""Every sort of row that has an identifier: how it is called, how it is found, and what is like a name that is none.

`/id/record/DLP.Evidence.692` names a row without doubt. `/id/DLP.Evidence.692` leaves the sort out; it means the first
of the sorts below, in their order, that has such a row. `/cite/` calls rows in the same way.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, Prefetch, QuerySet
from django.urls import reverse

from catalogue.models import (
    Anchor,
    Citation,
    Claim,
    Clause,
    Comparison,
    Evidence,
    Game,
    Place,
    PortalRuleset,
    Question,
    Reading,
    Source,
    Study,
)
from catalogue.models.lookup import keys_like, record_called, shown_rows
from catalogue.texts.errors import nearest_word
from simulator.models import Batch, Ruleset, RulesetVersion

HEX = r"[0-9a-f]{16}"
NAME = r"[^/]+"
OF_PORTAL = re.compile(r"DLP\.(?P<kind>Game|Ruleset)\.(?P<number>[0-9]{1,9})")
SHORTEST_PREFIX = 8  # digits of a hash


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of row.

    written: what its keys look like
    columns: where the parts of a key stand; `key` is written with strokes between them
    rows:    with what a citation needs
    find:    the row of a key, None if there is none; raises Withdrawn
    """

    name: str
    written: str
    model: type[Model]
    columns: tuple[str, ...]
    rows: Callable[[], "QuerySet[Any]"]
    find: Callable[["Kind", str], Any] = lambda kind, key: kind.rows().filter(**kind.where(key)).first()

    def may_be(self, key: str) -> bool:
        return re.fullmatch(self.written, key) is not None

    def where(self, key: str) -> dict[str, str]:
        return dict(zip(self.columns, key.split("/", len(self.columns) - 1), strict=True))

    def found(self, key: str) -> Any:
        return self.find(self, key) if self.may_be(key) else None

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


def key_of(row: Any) -> str:
    """What a row is called within its kind: "DLP.Evidence.692", "daramuti-parker@1", "dam/won-by-taking-all"."""
    if isinstance(row, RulesetVersion):
        return str(row)
    return "/".join(row.natural_key()) if hasattr(row, "natural_key") else str(row.pk)


def kind_of(row: Any) -> Kind:
    """Raises KeyError for a row of no kind that is called by a name."""
    return KINDS["ruleset" if isinstance(row, Ruleset | Reading) else BY_MODEL[type(row)].name]


def identifier_of(row: Any) -> str:
    """The path that names the thing itself, whatever page or document tells of it."""
    return reverse("identifier", args=[f"{kind_of(row).name}/{key_of(row)}"])


def named(identifier: str) -> Any:
    """The row of an identifier, with or without its kind; None if there is none. Raises Withdrawn."""
    first, _, rest = identifier.partition("/")
    if first in KINDS and rest:
        found = KINDS[first].found(rest)
        if found is not None:
            return found
    found = next((row for kind in KINDS.values() if (row := kind.found(identifier)) is not None), None)
    return found if found is not None else _of_portal(identifier)


def nearest(identifier: str, most: int = 3) -> list[Any]:
    """Rows that may have been meant."""
    first, _, rest = identifier.partition("/")
    parts = identifier.count("/") + 1
    rows = {
        key_of(row): row
        for kind in KINDS.values()
        if len(kind.columns) == parts and (row := kind.nearest(identifier)) is not None
    }
    kind = KINDS.get(nearest_word(first, KINDS) or "")
    if kind is not None and len(kind.columns) == parts - 1 and (row := kind.nearest(rest)) is not None:
        rows[f"{kind.name}/{key_of(row)}"] = row
    found: list[Any] = []
    while rows and len(found) < most and (near := nearest_word(identifier, rows)):
        found.append(rows.pop(near))
    return found


def _records() -> "QuerySet[Evidence]":
    citations = Citation.objects.select_related("source").order_by("position")
    return Evidence.objects.shown().select_related("game").prefetch_related(Prefetch("citations", citations))


def _record(kind: Kind, key: str) -> Evidence | None:
    row = kind.rows().filter(identifier=key).first()
    if row is None and Evidence.objects.filter(identifier=key).exists():
        return record_called(kind.rows(), key)
    return row


def _ruleset(kind: Kind, key: str) -> RulesetVersion | Ruleset | None:
    """A version by "slug@number", the newest by the bare slug, contents by a hash or the one beginning of it."""
    slug, at, number = key.partition("@")
    if at:
        is_number = number.isascii() and number.isdigit() and len(number) < 10
        return kind.rows().filter(slug=slug, number=int(number)).first() if is_number else None
    if newest := kind.rows().filter(slug=slug).order_by("-number").first():
        found: RulesetVersion = newest
        return found
    if re.fullmatch(rf"[0-9a-f]{{{SHORTEST_PREFIX},64}}", key):
        begun = list(Ruleset.objects.filter(hash__startswith=key)[:2])
        return begun[0] if len(begun) == 1 else None
    return None


def _of_portal(identifier: str) -> Game | PortalRuleset | None:
    """A game, or rules in prose, by the number the portal gives it: `DLP.Game.57`, `DLP.Ruleset.57`."""
    found = OF_PORTAL.fullmatch(identifier)
    if found is None:
        return None
    if found["kind"] == "Game":
        return Game.objects.filter(portal__number=int(found["number"])).first()
    return PortalRuleset.objects.filter(number=int(found["number"])).select_related("game").first()


def _versions() -> "QuerySet[RulesetVersion]":
    return RulesetVersion.objects.select_related("ruleset")


def _batches() -> "QuerySet[Batch]":
    return Batch.objects.select_related("ruleset").defer("tally", "summary").prefetch_related("ruleset__versions")


def _kinds() -> Sequence[Kind]:
    of_game = ("game__slug", "slug")
    of_reading = ("reading__slug", "slug")
    anchors = Anchor.objects.shown
    return (
        Kind("record", NAME, Evidence, ("identifier",), _records, _record),
        Kind("batch", HEX, Batch, ("id",), _batches),
        Kind("comparison", HEX, Comparison, ("id",), lambda: Comparison.objects.defer("document", "plot")),
        Kind("study", HEX, Study, ("id",), lambda: Study.objects.defer("document", "plots").select_related("game")),
        Kind("source", NAME, Source, ("key",), Source.objects.all),
        Kind("ruleset", NAME, RulesetVersion, ("slug",), _versions, _ruleset),
        Kind("game", NAME, Game, ("slug",), Game.objects.all),
        Kind("place", NAME, Place, ("slug",), Place.objects.all),
        Kind("clause", f"{NAME}/{NAME}", Clause, of_reading, lambda: Clause.objects.select_related("reading")),
        Kind("question", f"{NAME}/{NAME}", Question, of_game, lambda: Question.objects.select_related("game")),
        Kind("claim", f"{NAME}/{NAME}", Claim, of_game, lambda: Claim.objects.select_related("game")),
        Kind("words", r".+/.+", Anchor, ("key",), lambda: anchors().select_related("evidence")),
    )


KINDS = {kind.name: kind for kind in _kinds()}
BY_MODEL = {kind.model: kind for kind in KINDS.values()}
