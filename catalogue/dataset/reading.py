"""Files of a dataset read with bounds, each problem with its file and line. Nothing of a file is believed."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from gzip import GzipFile
from pathlib import Path
from typing import IO, Any

from catalogue.dataset.cells import sort_value, value_of
from catalogue.dataset.problems import DatasetProblem
from catalogue.dataset.tables import DatasetColumn, DatasetTable

LONGEST_LINE = LONGEST_FIELD = 8 << 20  # bytes; characters
LARGEST_DOCUMENT = 16 << 20


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A row of a table: its cells as values, by column. key: as its table is sorted."""

    line: int
    key: tuple[tuple[int, str], ...]
    values: dict[str, Any]


def bounded_lines(stream: IO[bytes] | GzipFile, file: str, longest: int = LONGEST_LINE) -> Iterator[str]:
    """Lines with their ends; raises DatasetProblem for one that is too long, or no UTF-8."""
    number = 0
    while raw := stream.readline(longest + 1):
        number += 1
        if len(raw) > longest:
            raise DatasetProblem(f"a line of more than {longest:,} bytes", file, number)
        if b"\x00" in raw:
            raise DatasetProblem("holds a character (NUL) that no text has", file, number)
        try:
            yield raw.decode("utf-8")
        except UnicodeDecodeError as problem:
            raise DatasetProblem(f"is not in UTF-8 (byte {problem.start + 1} of the line)", file, number) from problem


def read_json(path: Path, file: str) -> Any:
    size = path.stat().st_size
    if size > LARGEST_DOCUMENT:
        raise DatasetProblem(f"has {size:,} bytes, and at most {LARGEST_DOCUMENT:,} are read", file)
    try:
        return json.loads(path.read_bytes().decode("utf-8"), parse_constant=_no_number)
    except RecursionError as problem:
        raise DatasetProblem("is nested too deeply", file) from problem
    except ValueError as problem:
        raise DatasetProblem(f"is not JSON: {problem}", file) from problem


def read_cells(path: Path, file: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each row of CSV, the header first."""
    with path.open("rb") as stream, _long_fields():
        rows = csv.reader(bounded_lines(stream, file), strict=True)
        line = 1
        try:
            for cells in rows:
                yield line, cells
                line = rows.line_num + 1
        except csv.Error as problem:
            raise DatasetProblem(f"is no CSV: {problem}", file, line) from problem


def read_table(folder: Path, table: DatasetTable) -> Iterator[ReadRow]:
    """The rows, checked to have every cell of the right type and to be sorted by their key, each key once.

    A column that the table has and the file has not was added to the catalogue later: it is left out of the values.
    """
    rows = read_cells(folder / table.file, table.file)
    header = next(rows, (1, []))[1]
    columns = _columns(header, table)
    before: tuple[tuple[int, str], ...] | None = None
    for line, cells in rows:
        if len(cells) != len(columns):
            message = f"has {len(cells)} cells, and the header names {len(columns)} columns"
            raise DatasetProblem(message, table.file, line)
        by_name = dict(zip(header, cells, strict=True))
        key = tuple(sort_value(by_name[name], table.column(name)) for name in table.key)
        if before is not None and key <= before:
            words = " ".join(by_name[name] for name in table.key)
            reason = "stands here twice" if key == before else "does not stand where its key belongs"
            raise DatasetProblem(f"the row {words[:120]!r} {reason}", table.file, line)
        before = key
        yield ReadRow(line, key, _values(columns, cells, table, line))


def _columns(header: list[str], table: DatasetTable) -> list[DatasetColumn]:
    known = {column.name: column for column in table.columns}
    unknown = next((name for name in header if name not in known), None)
    if unknown is not None:
        raise DatasetProblem("this catalogue has no such column", table.file, 1, unknown[:80] or "without a name")
    if len(set(header)) < len(header):
        raise DatasetProblem("the header names a column twice", table.file, 1)
    if missing := [name for name in table.key if name not in header]:
        raise DatasetProblem(f"the header lacks {', '.join(missing)}", table.file, 1)
    return [known[name] for name in header]


def _values(columns: list[DatasetColumn], cells: list[str], table: DatasetTable, line: int) -> dict[str, Any]:
    values = {}
    for column, text in zip(columns, cells, strict=True):
        try:
            values[column.name] = value_of(text, column)
        except ValueError as problem:
            raise DatasetProblem(str(problem), table.file, line, column.name) from problem
    return values


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


@contextmanager
def _long_fields() -> Iterator[None]:
    """The library knows one bound for all of a process."""
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)
