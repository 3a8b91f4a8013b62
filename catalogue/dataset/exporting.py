"""The whole catalogue written as a dataset: the same data, exported in the same way, are the same bytes."""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from catalogue.dataset.batches import write_batches
from catalogue.dataset.changes import write_changes
from catalogue.dataset.described import LEVELS, LEVELS_FILE, citation, newest_day, package, readme
from catalogue.dataset.folder import DatasetProblem, Folder, NotADataset, new_folder
from catalogue.dataset.tables import DatasetTable, line, shipped_batches, tables, text_of, without_withheld
from catalogue.dataset.verifying import PACKAGE, verified
from catalogue.models import Reading
from catalogue.models.querysets import with_versions
from catalogue.outcomes.played import shown_batches
from simulator.models import RulesetVersion


def write_levels(folder: Folder) -> None:
    folder.write_lines(LEVELS_FILE, map(line, (LEVELS, *_rows())))


def _rows() -> Iterator[tuple[str, ...]]:
    """game, reading, level, batch; of the batches that come with the catalogue."""
    read = with_versions(Reading.objects.order_by("game__slug", "slug"))
    rulesets = {one.reading: one.version.ruleset for one in read if one.version}
    of_everybody = set(shipped_batches().values_list("id", flat=True))
    shown: dict[str, list[tuple[str, str]]] = {}
    for (ruleset, level), batch in shown_batches({one.hash: one for one in rulesets.values()}).items():
        if batch.id in of_everybody:
            shown.setdefault(ruleset, []).append((level, batch.id))
    for reading, played in rulesets.items():
        for level, batch_id in sorted(shown.get(played.hash, ())):
            yield reading.game.slug, reading.slug, level, batch_id


@dataclass(frozen=True, slots=True)
class ExportedDataset:
    """rows: table → rows written. changes: table → what became of its rows since the release before."""

    version: str
    date: str
    rows: dict[str, int]
    files: int
    bytes: int
    changes: dict[str, dict[str, int]]


def export(
    place: Path, *, date: datetime.date | None = None, previous: Path | None = None, replace: bool
) -> ExportedDataset:
    """Raises NotADataset if something else stands there, DatasetProblem if it cannot be written; then nothing is."""
    _check_place(place, replace)
    before = verified(previous) if previous else None
    with new_folder(place) as folder, one_moment():
        day = date or newest_day()
        if day is None:
            raise NotADataset("nothing in the data has a date: say which with --date")
        version = f"{day:%Y.%m.%d}"
        if before is not None and version <= before.version:
            message = (
                f"the release before has version {before.version}, and this would be {version}: give a later --date"
            )
            raise NotADataset(message)
        rows = {table.name: _write_table(folder, table) for table in tables()}
        _write_rulesets(folder)
        write_batches(folder)
        write_levels(folder)
        changes = write_changes(folder, version, before)
        _write_words(folder, version, day.isoformat())
    return ExportedDataset(version, day.isoformat(), rows, len(folder.sizes), sum(folder.sizes.values()), changes)


def _check_place(place: Path, replace: bool) -> None:
    """Only a dataset is ever replaced, and only one of which every file is as we wrote it."""
    if not place.exists() and not place.is_symlink():
        return
    if place.is_symlink() or not place.is_dir():
        raise NotADataset(f"{place} is there, and is no folder")
    if not replace:
        raise NotADataset(f"{place} is there. Give another name, or --replace if it is a dataset to be written anew")
    try:
        verified(place)
    except DatasetProblem as problem:
        raise NotADataset(f"{place} is not replaced, since it is no dataset as it was written: {problem}") from problem


@contextmanager
def one_moment() -> Iterator[None]:
    """All tables as they are at one moment, while others go on writing."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
    else:
        # Django's own transactions lock the file for writers here; one that only reads need not.
        connection.cursor().execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            connection.cursor().execute("ROLLBACK")


def _write_table(folder: Folder, table: DatasetTable) -> int:
    names = [column.name for column in table.columns]
    written = 0

    def lines() -> Iterator[str]:
        nonlocal written
        yield line(names)
        for row in table.rows():
            written += 1
            yield line(text_of(value) for value in without_withheld(dict(zip(names, row, strict=True))).values())

    folder.write_lines(table.file, lines())
    return written


def _write_rulesets(folder: Folder) -> None:
    """In the form in which the shipped rulesets are written down."""
    versions = RulesetVersion.objects.select_related("ruleset", "parent").order_by("slug", "number")
    for version in versions.iterator(chunk_size=200):
        document: dict[str, Any] = {
            "slug": version.slug,
            "number": version.number,
            "parent": str(version.parent) if version.parent else None,
            "date": version.date.isoformat(),
            "document": version.ruleset.document,
        }
        folder.write_json(f"rulesets/{version.slug}.{version.number}.json", document)


def _write_words(folder: Folder, version: str, date: str) -> None:
    folder.write_lines("README.md", [readme(version, date)])
    folder.write_lines("CITATION.cff", [citation(version, date)])
    folder.write_json(PACKAGE, package(folder, version, date))
    folder.write_sums()
