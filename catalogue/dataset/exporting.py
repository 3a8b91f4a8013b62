"""The whole catalogue written as a dataset: the same data, exported in the same way, are the same bytes.

What has changed since the release before is written row by row for programs, counted and shortened for people. Both
tables stand in the order of their keys, so they are read side by side, one row of each in memory.
"""

import datetime
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from catalogue.dataset.batches import write_batches
from catalogue.dataset.deposit import DATACITE, datacite
from catalogue.dataset.described import (
    CHANGES,
    CHANGES_FILE,
    DESCRIPTION,
    LEVELS,
    LEVELS_FILE,
    PICTURES,
    RIGHTS,
    TITLE,
    citation,
    newest_day,
    package,
    readme,
)
from catalogue.dataset.folder import DatasetProblem, Folder, NotADataset, new_folder
from catalogue.dataset.tables import (
    WITHHELD,
    DatasetTable,
    line,
    shipped_batches,
    shortened,
    sort_value,
    tables,
    text_of,
    without_withheld,
)
from catalogue.dataset.verifying import PACKAGE, Release, read_cells, verified
from catalogue.models import Picture, Reading
from catalogue.models.pictures import FREE
from catalogue.models.querysets import with_versions
from catalogue.outcomes.played import shown_batches
from simulator.models import RulesetVersion

MOST_LISTED = 100  # of each table and kind, in the text for people; changes.csv has all of them
ADDED, CHANGED, GONE = "added", "changed", "taken away"
Notify = Callable[[str], None]
Cells = dict[str, str]
Key = tuple[tuple[int, str], ...]
Row = tuple[Key, Cells]


def write_levels(folder: Folder) -> None:
    folder.write_lines(LEVELS_FILE, map(line, (LEVELS, *_level_rows())))


def write_pictures(folder: Folder) -> None:
    """The files of those pictures that their licences let everybody pass on."""
    every = Picture.objects.shown().filter(rights__in=FREE).order_by("file")
    for picture in {one.file: one for one in every}.values():
        for path in picture.paths:
            if path.is_file():
                folder.copy_file(f"{PICTURES}{path.name}", path)


def _level_rows() -> Iterator[tuple[str, ...]]:
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
    place: Path,
    *,
    date: datetime.date | None = None,
    previous: Path | None = None,
    replace: bool,
    notify: Notify = lambda text: None,
) -> ExportedDataset:
    """Raises NotADataset if something else stands there, DatasetProblem if it cannot be written; then nothing is.

    notify: called with a few words about how far it is
    """
    _check_place(place, replace)
    before = verified(previous) if previous else None
    with new_folder(place) as folder, one_moment():
        day = date or newest_day()
        if day is None:
            raise NotADataset("nothing in the data has a date: say which with --date")
        version = f"{day:%Y.%m.%d}"
        if before is not None and version <= before.version:
            both = f"the release before has version {before.version}, and this would be {version}"
            raise NotADataset(f"{both}: give a later --date")
        rows = {}
        for table in tables():
            notify(f"{table.name.replace('_', ' ')} …")
            rows[table.name] = _write_table(folder, table)
        _write_rulesets(folder)
        write_batches(folder, notify)
        write_pictures(folder)
        write_levels(folder)
        changes = write_changes(folder, version, before)
        folder.write_lines("README.md", [readme(version, day.isoformat())])
        folder.write_lines("CITATION.cff", [citation(version, day.isoformat())])
        folder.write_json(DATACITE, datacite(TITLE, f"{DESCRIPTION} {RIGHTS}", version, day.isoformat()))
        folder.write_json(PACKAGE, package(folder, version, day.isoformat()))
        folder.write_sums()
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
    written = -1  # the header is no row

    def lines() -> Iterator[str]:
        nonlocal written
        for one in lines_of(table):
            written += 1
            yield one

    folder.write_lines(table.file, lines())
    return written


def lines_of(table: DatasetTable) -> Iterator[str]:
    """A table as CSV, its header first."""
    names = [column.name for column in table.columns]
    yield line(names)
    for row in table.rows():
        yield line(text_of(value) for value in without_withheld(dict(zip(names, row, strict=True))).values())


def _write_rulesets(folder: Folder) -> None:
    for path, document in ruleset_files():
        folder.write_json(path, document)


def ruleset_files() -> Iterator[tuple[str, dict[str, Any]]]:
    """The rulesets in the form of the shipped files, each with its path."""
    versions = RulesetVersion.objects.select_related("ruleset", "parent").order_by("slug", "number")
    for version in versions.iterator(chunk_size=200):
        document: dict[str, Any] = {
            "slug": version.slug,
            "number": version.number,
            "parent": str(version.parent) if version.parent else None,
            "date": version.date.isoformat(),
            "document": version.ruleset.document,
        }
        yield f"rulesets/{version.slug}.{version.number}.json", document


@dataclass(slots=True)
class CountedChanges:
    """The changes of one table: how many rows of each kind, and the first of them in words."""

    rows: Counter[str] = field(default_factory=Counter)
    first: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, words: str) -> None:
        self.rows[kind] += 1
        listed = self.first.setdefault(kind, [])
        if len(listed) < MOST_LISTED:
            listed.append(words)


def write_changes(folder: Folder, version: str, before: Release | None) -> dict[str, dict[str, int]]:
    """changes.csv and CHANGES.md; says how many rows of each table were added, changed, taken away."""
    counted: dict[str, CountedChanges] = {}

    def lines() -> Iterator[str]:
        yield line(CHANGES)
        if before is not None:
            for table in tables():
                counted[table.name] = CountedChanges()
                yield from map(line, _of_table(folder.place, before.place, table, counted[table.name]))

    folder.write_lines(CHANGES_FILE, lines())
    folder.write_lines("CHANGES.md", _in_words(version, before, counted))
    return {name: dict(one.rows) for name, one in counted.items() if one.rows}


def _of_table(now: Path, before: Path, table: DatasetTable, counted: CountedChanges) -> Iterator[tuple[str, ...]]:
    for key, old, new in _side_by_side(_rows_of_release(before, table), _rows_of_release(now, table)):
        words = " ".join(text if text else str(number) for number, text in key)
        if old is None or new is None:
            kind = ADDED if old is None else GONE
            counted.add(kind, f"- {_code(words)}")
            yield table.name, words, kind, "", "", ""
            continue
        different = [name for name in new if name in old and old[name] != new[name]]
        if new.get("withdrawn_on"):  # the texts of a record that was withdrawn since are not told once more
            old = {name: "" if name in WITHHELD else text for name, text in old.items()}
        for name in different:
            yield table.name, words, CHANGED, name, old[name], new[name]
        if different:
            each = (f"{name}: {_code(old[name])} is now {_code(new[name])}" for name in different)
            counted.add(CHANGED, f"- {_code(words)}: {'; '.join(each)}")


def _rows_of_release(place: Path, table: DatasetTable) -> Iterator[Row]:
    """The rows of a release; none for a table that it did not have yet."""
    path = place / table.file
    if not path.exists():
        return
    rows = read_cells(path, table.file)
    header = next(rows)[1]
    for _, cells in rows:
        row = dict(zip(header, cells, strict=True))
        yield tuple(sort_value(row.get(name, ""), table.column(name)) for name in table.key), row


def _side_by_side(old: Iterator[Row], new: Iterator[Row]) -> Iterator[tuple[Key, Cells | None, Cells | None]]:
    """Each key with its cells before and now, None where it has none."""
    before, now = (("before", *row) for row in old), (("now", *row) for row in new)
    for key, rows in groupby(merge(before, now, key=itemgetter(1)), itemgetter(1)):
        cells = {release: found for release, _, found in rows}
        yield key, cells.get("before"), cells.get("now")


def _in_words(version: str, before: Release | None, counted: dict[str, CountedChanges]) -> Iterator[str]:
    if before is None:
        yield f"# {version}\n\nNo earlier release was named, so there is nothing to compare it with.\n"
        return
    yield f"# {version}, compared with {before.version}\n"
    if not any(one.rows for one in counted.values()):
        yield "\nNo table has changed.\n"
    for name, one in counted.items():
        if not one.rows:
            continue
        counts = ", ".join(f"{number:,} {kind}" for kind, number in sorted(one.rows.items()))
        yield f"\n## {name}\n\nRows: {counts}.\n"
        for kind, words in sorted(one.first.items()):
            yield f"\n{kind.capitalize()}:\n\n" + "".join(f"{row}\n" for row in words)
            if one.rows[kind] > len(words):
                yield f"- and {one.rows[kind] - len(words):,} more, in changes.csv\n"


def _code(text: str) -> str:
    """A text that Markdown shows as it is."""
    return f"`{shortened(text).replace('`', 'ˋ').replace(chr(10), ' ')}`" if text else "nothing"
