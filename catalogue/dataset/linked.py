"""Rows of a dataset's table as fixtures write them: what they point to by lists of keys, and their links with them.

Links stand in tables of their own. Both tables are sorted by the same key, so they are read side by side.
"""

from collections.abc import Iterator

from catalogue.dataset.problems import DatasetProblem
from catalogue.dataset.reading import ReadRow, read_table
from catalogue.dataset.tables import DatasetTable, Pointer, tables
from catalogue.dataset.verifying import Release


def linked_rows(release: Release, table: DatasetTable) -> Iterator[ReadRow]:
    """The rows as fixtures write them, with the keys they point to as lists; links come from tables of their own."""
    links = [(one.link, _Links(release, one)) for one in tables() if one.link and one.model is table.model]
    links = [(name, one) for name, one in links if one.table.file in release.digests]
    for row in read_table(release.place, table):
        columns = {name: table.column(name) for name in row.values}
        values = {one.of: row.values[name] for name, one in columns.items() if one.path == one.of}
        for pointer in table.pointers:
            if pointer.columns[0] in row.values:
                values[table.column(pointer.columns[0]).of] = _target(pointer, row, table)
        for name, one in links:
            values[name] = one.of(row.key)
        yield ReadRow(row.line, row.key, values)
    for _, one in links:
        one.finish()


def _target(pointer: Pointer, row: ReadRow, table: DatasetTable) -> list[str] | None:
    parts = [row.values.get(name) for name in pointer.columns]
    given = [part for part in parts if part not in (None, "")]
    if not given and table.column(pointer.columns[0]).may_be_null:
        return None
    if len(given) < len(parts):
        raise DatasetProblem("must name a row, or be empty", table.file, row.line, ", ".join(pointer.columns))
    return [str(part) for part in given]


class _Links:
    """A table in between, read beside the table it belongs to: both are sorted by the same key."""

    def __init__(self, release: Release, table: DatasetTable) -> None:
        self.table = table
        self._rows = read_table(release.place, table)
        self._next = next(self._rows, None)

    def of(self, key: tuple[tuple[int, str], ...]) -> list[list[str]]:
        targets = []
        while self._next is not None and self._next.key[: len(key)] == key:
            targets.append([str(self._next.values[name]) for name in self.table.pointers[1].columns])
            self._next = next(self._rows, None)
        if self._next is not None and self._next.key[: len(key)] < key:
            self.finish()
        return targets

    def finish(self) -> None:
        """What is left speaks of a row that is not there."""
        if self._next is not None:
            pointer = self.table.pointers[0]
            words = " ".join(str(self._next.values[name]) for name in pointer.columns)
            message = f"there is no {words[:120]!r} in {pointer.table}.csv"
            raise DatasetProblem(message, self.table.file, self._next.line, pointer.columns[0])
