"""The row that an identifier names, and what is like an identifier that is none.

`/id/record/DLP.Evidence.692` names a row without doubt. `/id/DLP.Evidence.692` leaves the kind out; it means the first
of the kinds below, in their order, that has such a row. `/cite/` calls rows in the same way.
"""

import re
from collections.abc import Callable
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.urls import get_script_prefix

from catalogue import models
from catalogue.models.lookup import KIND_OF, KINDS, NamedKind, key_of, record_called, version_called
from catalogue.models.querysets import cited_clauses
from catalogue.texts.words import nearest_word
from simulator.models import Batch, Ruleset, RulesetVersion

OF_PORTAL = re.compile(r"DLP\.(?P<kind>Game|Ruleset)\.(?P<number>[0-9]{1,9})")
SHORTEST_PREFIX = 8  # digits of a hash


def kind_of(row: Any) -> NamedKind:
    """Return the kind of a row. Raises KeyError if its kind has no names."""
    return KINDS["ruleset"] if isinstance(row, Ruleset | models.Reading) else KIND_OF[type(row)]


def identifier_of(row: Any) -> str:
    """Return the path that identifies the row itself, and not one of its documents."""
    return f"{get_script_prefix()}id/{kind_of(row).name}/{key_of(row)}"


def find(name: str, key: str) -> Any:
    """The row of that kind and key, with what a citation needs; None if there is none. Raises Withdrawn."""
    kind = KINDS[name]
    if not kind.may_be(key):
        return None
    return FINDERS[name](key) if name in FINDERS else ROWS[name]().filter(**kind.where(key)).first()


def resolve(identifier: str) -> Any:
    """The row of an identifier, with or without its kind; None if there is none. Raises Withdrawn."""
    first, _, rest = identifier.partition("/")
    tries = [(first, rest)] if first in ROWS and rest else []
    tries += [(name, identifier) for name in ROWS]
    found = next((row for name, key in tries if (row := find(name, key)) is not None), None)
    return found if found is not None else _of_portal(identifier)


def nearest(identifier: str, most: int = 3) -> list[Any]:
    """Rows that may have been meant."""
    first, _, rest = identifier.partition("/")
    parts = identifier.count("/") + 1
    kinds = [KINDS[name] for name in ROWS if len(KINDS[name].columns) == parts]
    rows = {key_of(row): row for kind in kinds if (row := kind.nearest(identifier)) is not None}
    kind = KINDS.get(nearest_word(first, ROWS) or "")
    if kind is not None and len(kind.columns) == parts - 1 and (row := kind.nearest(rest)) is not None:
        rows[f"{kind.name}/{key_of(row)}"] = row
    found: list[Any] = []
    while rows and len(found) < most and (near := nearest_word(identifier, rows)):
        found.append(rows.pop(near))
    return found


def _records() -> "QuerySet[models.Evidence]":
    citations = models.Citation.objects.select_related("source").order_by("position")
    return models.Evidence.objects.shown().select_related("game").prefetch_related(Prefetch("citations", citations))


def _record(key: str) -> models.Evidence | None:
    row = _records().filter(identifier=key).first()
    if row is None and models.Evidence.objects.filter(identifier=key).exists():
        return record_called(_records(), key)
    return row


def _ruleset(key: str) -> RulesetVersion | Ruleset | None:
    """A version by "slug@number", the newest by the bare slug, contents by a hash or the one beginning of it."""
    if "@" in key:
        return version_called(_versions(), key)
    if newest := _versions().filter(slug=key).order_by("-number").first():
        found: RulesetVersion = newest
        return found
    if re.fullmatch(rf"[0-9a-f]{{{SHORTEST_PREFIX},64}}", key):
        begun = list(Ruleset.objects.filter(hash__startswith=key)[:2])
        return begun[0] if len(begun) == 1 else None
    return None


def _of_portal(identifier: str) -> models.Game | models.PortalRuleset | None:
    """A game, or rules in prose, by the number the portal gives it: `DLP.Game.57`, `DLP.Ruleset.57`."""
    found = OF_PORTAL.fullmatch(identifier)
    if found is None:
        return None
    if found["kind"] == "Game":
        return models.Game.objects.filter(portal__number=int(found["number"])).first()
    return models.PortalRuleset.objects.filter(number=int(found["number"])).select_related("game").first()


def _versions() -> "QuerySet[RulesetVersion]":
    return RulesetVersion.objects.select_related("ruleset")


def _batches() -> "QuerySet[Batch]":
    return Batch.objects.select_related("ruleset").defer("tally", "summary").prefetch_related("ruleset__versions")


ROWS: dict[str, Callable[[], "QuerySet[Any]"]] = {
    "record": _records,
    "batch": _batches,
    "comparison": lambda: models.Comparison.objects.defer("document", "plot"),
    "study": lambda: models.Study.objects.defer("document", "plots").select_related("game"),
    "wear": lambda: models.WearStudy.objects.filter(state=models.WearStudy.State.DONE).select_related("record__game"),
    "source": models.Source.objects.all,
    "ruleset": _versions,
    "game": models.Game.objects.all,
    "place": models.Place.objects.all,
    "clause": cited_clauses,
    "question": lambda: models.Question.objects.select_related("game"),
    "claim": lambda: models.Claim.objects.select_related("game"),
    "words": lambda: models.Anchor.objects.shown().select_related("evidence"),
}
FINDERS: dict[str, Callable[[str], Any]] = {"record": _record, "ruleset": _ruleset}
