"""Readings out of the database into files as they ship, and from such files into a database that lacks them.

The files are those of `fixtures/`: `readings.json`, `apparatus/<game>.json`, `rulesets/<slug>.json` and the earlier
versions beside. What is exported and imported elsewhere is exported there again byte for byte.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.db import transaction

from catalogue.loading.apparatus import check, ordered, plan, records_named, with_resting
from catalogue.loading.rows import Loaded, load_rows
from catalogue.loading.writing import apparatus_file, as_file, reading_row, ruleset_file
from catalogue.models import Anchor, Evidence, Game, Reading
from simulator.models import RulesetVersion
from simulator.rulesets import load_ruleset_files

READINGS = "readings.json"
IMPORTED = "Loaded from exported files"


def files_of(games: Iterable[Game]) -> dict[str, str]:
    """The files of the readings of these games, by their path in the folder."""
    games = list(games)
    readings = list(Reading.objects.filter(game__in=games).select_related("game").prefetch_related("evidence"))
    readings.sort(key=lambda reading: (reading.game.slug, reading.position, reading.slug))
    slugs = [reading.slug for reading in readings]
    versions = RulesetVersion.objects.filter(slug__in=slugs).select_related("ruleset", "parent")
    newest: dict[str, int] = {}
    for version in versions:
        newest[version.slug] = max(version.number, newest.get(version.slug, 0))
    found = {READINGS: as_file([reading_row(reading) for reading in readings])}
    for game in games:
        written = apparatus_file(game)
        if any(one["clauses"] for one in written["readings"].values()) or written["questions"] or written["claims"]:
            found[f"apparatus/{game.slug}.json"] = as_file(written)
    for version in versions:
        is_newest = version.number == newest[version.slug]
        name = f"{version.slug}.json" if is_newest else f"earlier/{version.slug}.{version.number}.json"
        found[f"rulesets/{name}"] = as_file(ruleset_file(version))
    return found


def _in_order(row: dict[str, Any]) -> tuple[bool, str, int]:
    fields = row["fields"]
    return fields["kind"] == Reading.Kind.REFERENCE, fields["game"][0], fields["position"]


def write_files(folder: Path, games: Iterable[Game]) -> int:
    """Write the files into a folder, and return their number. Readings of other games that it has stay."""
    files = files_of(games)
    if (folder / READINGS).exists():
        fresh = {row["fields"]["slug"]: row for row in json.loads(files[READINGS])}
        rows = {row["fields"]["slug"]: row for row in _read(folder / READINGS)} | fresh
        files[READINGS] = as_file(sorted(rows.values(), key=_in_order))
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(files)


@transaction.atomic
def load_files(folder: Path) -> Loaded:
    """Load readings from a folder; what is here already and differs is left, and told of.

    Raises OSError, ApparatusProblem, RowProblem, WrongRequest, all ValueErrors but the first.
    """
    loaded = Loaded()
    documents: list[dict[str, Any]] = [_read(path) for path in sorted((folder / "apparatus").glob("*.json"))]
    for document in documents:
        check(document)
    rows = with_resting(_read(folder / READINGS), documents)
    load_rows(rows, loaded, bring_up_to_date=False, reason=IMPORTED)
    stored = Evidence.objects.filter(identifier__in=records_named(documents))
    texts = {(one.identifier, name): [one.text(name)] for one in stored for name in Anchor.Field.values}
    for document in documents:
        load_rows(ordered(plan(document, texts)), loaded, bring_up_to_date=False, reason=IMPORTED)
    load_ruleset_files(folder / "rulesets")
    return loaded


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
