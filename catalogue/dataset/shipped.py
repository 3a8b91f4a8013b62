"""What of the database is for everybody: the rows and the columns that a dataset holds.

A record that was withdrawn stays, with its identifier, the day and the reason, so that its address goes on telling
them; its texts, and what was said of these, are left out. Of the batches only those that come with the catalogue are
held: the others are whatever some visitor asked for.
"""

from typing import Any

from django.db.models import Q

from catalogue.loading.natural_keys import label
from simulator.models import Batch, RulesetVersion

# Where not all columns are for everybody, those that are.
ONLY: dict[str, tuple[str, ...]] = {
    "simulator.batch": (
        "id", "ruleset", "family_version", "players", "seed", "games", "cap", "until", "rows_kept", "digest",
        "tally_digest", "provenance", "created", "closed",
    ),
    "simulator.measurement": ("batch", "place", "measure", "title", "unit", "value", "low", "high", "n", "censored"),
    "simulator.ruleset": ("hash", "family", "document"),
    "simulator.rulesetversion": ("slug", "number", "ruleset", "parent", "date"),
}  # fmt: skip
WITHHELD = ("rules", "reference", "content", "other_fields")  # of a record that was withdrawn
_SHIPPED_BATCH = {"state": Batch.State.DONE, "origin": Batch.Origin.DEMO}
_OF_SHOWN_RECORDS = Q(evidence__withdrawn_on=None)
ROWS: dict[str, Q] = {
    "catalogue.anchor": _OF_SHOWN_RECORDS,
    "catalogue.citation": _OF_SHOWN_RECORDS,
    "catalogue.editorsnote": _OF_SHOWN_RECORDS,
    "catalogue.evidenceuncertainty": _OF_SHOWN_RECORDS,
    "catalogue.term": _OF_SHOWN_RECORDS,
    "simulator.batch": Q(**_SHIPPED_BATCH),
    "simulator.measurement": Q(**{f"batch__{name}": value for name, value in _SHIPPED_BATCH.items()}),
}


def shipped_batches() -> Any:
    return Batch.objects.filter(**_SHIPPED_BATCH)


def shipped_rows(model: Any) -> Any:
    rows = model._default_manager.filter(ROWS.get(label(model), Q()))
    if label(model) == "simulator.ruleset":
        named, played = RulesetVersion.objects.values("ruleset"), shipped_batches().values("ruleset")
        return rows.filter(Q(pk__in=named) | Q(pk__in=played))
    return rows


def without_withheld(row: dict[str, Any]) -> dict[str, Any]:
    """A record's row without what is withheld; any other as it is."""
    if row.get("withdrawn_on"):
        return {**row, **{name: {} if name == "other_fields" else "" for name in WITHHELD if name in row}}
    return row
