"""What a release changed against the one before: row by row for programmes, counted and shortened for people.

Both tables stand in the order of their keys, so they are read side by side, one row of each in memory.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from catalogue.dataset.described import CHANGES, CHANGES_FILE
from catalogue.dataset.folder import Folder
from catalogue.dataset.tables import WITHHELD, DatasetTable, line, shortened, sort_value, tables
from catalogue.dataset.verifying import Release, read_cells

MOST_LISTED = 100  # of each table and kind, in the text for people; changes.csv has all of them
ADDED, CHANGED, GONE = "added", "changed", "taken away"
Cells = dict[str, str]
Key = tuple[tuple[int, str], ...]


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
    for key, old, new in _side_by_side(_rows(before, table), _rows(now, table)):
        words = " ".join(text if text else str(number) for number, text in key)
        if old is None or new is None:
            kind = ADDED if old is None else GONE
            counted.add(kind, f"- {_code(words)}")
            yield table.name, words, kind, "", "", ""
            continue
        different = [name for name in new if name in old and old[name] != new[name]]
        old = _without_withheld(old, new)
        for name in different:
            yield table.name, words, CHANGED, name, old[name], new[name]
        if different:
            each = (f"{name}: {_code(old[name])} is now {_code(new[name])}" for name in different)
            counted.add(CHANGED, f"- {_code(words)}: {'; '.join(each)}")


Row = tuple[Key, Cells]


def _rows(place: Path, table: DatasetTable) -> Iterator[Row]:
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


def _without_withheld(old: Cells, new: Cells) -> Cells:
    """What was withdrawn since is not told once more as what was there before."""
    if not new.get("withdrawn_on"):
        return old
    return {name: "" if name in WITHHELD else text for name, text in old.items()}


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
