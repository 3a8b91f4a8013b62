"""A dataset read, and the releases this site offers.

The folder is verified first, then its files line by line, within bounds. No file is trusted; each problem names its
file and line. Of a release that is offered only the listed files are sent.
"""

import csv
import json
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from gzip import GzipFile
from pathlib import Path
from typing import IO, Any, cast

from django.conf import settings

from catalogue.dataset.described import CHANGES_FILE, FORMAT, PACKAGE_NAME, WORKED_OUT
from catalogue.dataset.folder import SUMS, DatasetProblem, NotADataset, checked_path, digest_of
from catalogue.dataset.tables import DatasetColumn, DatasetTable, sort_value, tables, value_of
from catalogue.web.conditional import keep_for_nobody

LONGEST_LINE = LONGEST_FIELD = 8 << 20  # bytes; characters
LARGEST_DOCUMENT = 16 << 20
PACKAGE = "datapackage.json"
SUM = re.compile(r"([0-9a-f]{64})  (\S+)\n?")
MOST_FILES = 100_000
BLOCK = 1 << 16  # bytes
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest it knows: the same files are the same archive


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


@dataclass(frozen=True, slots=True)
class Release:
    """A dataset in a folder. digests: file → SHA-256; package: what datapackage.json says."""

    place: Path
    version: str
    date: str
    digests: dict[str, str]
    package: dict[str, Any]


def release_in(place: Path) -> Release:
    """The release as the folder describes it; only two files are read. Raises NotADataset or DatasetProblem."""
    if not place.is_dir():
        raise NotADataset(f"{place} is no folder" if place.exists() else f"there is no folder {place}")
    for name in (SUMS, PACKAGE):
        if (place / name).is_symlink() or not (place / name).is_file():
            raise NotADataset(f"{place} is no dataset: it has no file {name}")
    package = read_json(place / PACKAGE, PACKAGE)
    if not isinstance(package, dict) or package.get("name") != PACKAGE_NAME:
        raise NotADataset(f"{place} is no dataset of this catalogue: {PACKAGE} does not say {PACKAGE_NAME}")
    if package.get("format") != FORMAT:
        message = f"is arranged as format {str(package.get('format'))[:20]}, and this catalogue reads {FORMAT}"
        raise DatasetProblem(message, PACKAGE)
    version, date = package.get("version"), str(package.get("created"))[:10]
    if not isinstance(version, str) or not re.fullmatch(r"[0-9]{4}\.[0-9]{2}\.[0-9]{2}", version):
        raise DatasetProblem(f"the version is written like 2026.11.21, not {str(version)[:40]!r}", PACKAGE)
    if version != date.replace("-", "."):
        raise DatasetProblem(f"the version is {version}, and created says {date}", PACKAGE)
    return Release(place, version, date, _sums(place), package)


def verified(place: Path) -> Release:
    """The release, after every file was found to be there, to be listed, and to have its checksum."""
    release = release_in(place)
    found = set(_files(place))
    for file in sorted(found ^ {*release.digests, SUMS}):
        message = f"is not in {SUMS}" if file in found else f"is in {SUMS}, and is not there"
        raise DatasetProblem(message, file)
    for file, digest in release.digests.items():
        if digest_of(place / file) != digest:
            raise DatasetProblem(f"was changed, or only half of it was copied: {SUMS} has another checksum", file)
    _check_resources(release)
    return release


def _sums(place: Path) -> dict[str, str]:
    digests: dict[str, str] = {}
    with (place / SUMS).open("rb") as stream:
        for number, text in enumerate(bounded_lines(stream, SUMS, 1_000), start=1):
            match = SUM.fullmatch(text)
            if match is None:
                raise DatasetProblem("a line is a SHA-256, two spaces and a file", SUMS, number)
            file = checked_path(match[2], SUMS, number)
            if file in digests or file == SUMS or number > MOST_FILES:
                raise DatasetProblem(f"cannot list {file} here", SUMS, number)
            digests[file] = match[1]
    return digests


def _files(place: Path, within: str = "") -> Iterator[str]:
    """Every file below the folder. Raises DatasetProblem for whatever is neither a file nor a folder."""
    with os.scandir(place / within) as entries:
        for entry in entries:
            path = f"{within}{entry.name}"
            if entry.is_symlink():
                raise DatasetProblem("is a link, and a dataset holds files only", path)
            if entry.is_dir():
                checked_path(path, "the dataset")
                yield from _files(place, f"{path}/")
            elif entry.is_file():
                yield path
            else:
                raise DatasetProblem("is neither a file nor a folder", path)


def _check_resources(release: Release) -> None:
    resources = release.package.get("resources")
    if not isinstance(resources, list) or not all(isinstance(resource, dict) for resource in resources):
        raise DatasetProblem("resources must be a list of objects", PACKAGE)
    known = {table.file for table in tables()} | WORKED_OUT.keys()
    for one in resources:
        path = checked_path(str(one.get("path")), PACKAGE)
        if path not in release.digests:
            raise DatasetProblem(f"speaks of {path}, which {SUMS} does not list", PACKAGE)
        if "/" not in path and path.endswith(".csv") and path not in known:
            raise DatasetProblem("this catalogue has no such table", path)


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file of a release, or a folder of many (`files` of them)."""

    path: str
    title: str
    about: str
    bytes: int
    digest: str
    files: int = 1


def releases() -> list[Release]:
    """The newest first. A folder that is no dataset is passed over, and one being written has a name with a dot."""
    keep_for_nobody()
    folder = Path(settings.DATASETS_DIR)
    if not folder.is_dir():
        return []
    found: dict[str, Release] = {}
    for place in sorted(folder.iterdir()):
        release = None if place.name.startswith(".") else _release(place)
        if release is not None:
            found.setdefault(release.version, release)
    return [found[version] for version in sorted(found, reverse=True)]


def file_of(release: Release, path: str) -> Path | None:
    """A file of a release; None if the release does not list it, or the path leads out of its folder."""
    if path not in release.digests and path != SUMS:
        return None
    file, folder = (release.place / path).resolve(), release.place.resolve()
    return file if file.is_relative_to(folder) and file.is_file() else None


def listed(release: Release) -> tuple[list[ListedFile], list[ListedFile]]:
    """(the tables, everything else); what stands in a folder of the release is counted together."""
    described: dict[str, Any] = {str(one.get("path")): one for one in release.package.get("resources") or ()}
    tables: list[ListedFile] = []
    others: list[ListedFile] = []
    together: dict[str, list[int]] = {}
    for path in sorted(release.digests):
        one = described.get(path, {})
        size = (release.place / path).stat().st_size
        if "/" in path:
            together.setdefault(path.partition("/")[0], []).append(size)
            continue
        row = ListedFile(path, one.get("title", path), one.get("description", ""), size, release.digests[path])
        (tables if one.get("schema") and path != CHANGES_FILE else others).append(row)
    others += [ListedFile(f"{name}/", f"{name}/", "", sum(sizes), "", len(sizes)) for name, sizes in together.items()]
    return tables, others


def size_of(release: Release) -> int:
    return sum((release.place / path).stat().st_size for path in release.digests)


def zipped(release: Release) -> Iterator[bytes]:
    """All of it as one archive, unpacked within, in a folder named by the version; made as it is sent."""
    pipe = Pipe()
    with zipfile.ZipFile(cast(IO[bytes], pipe), "w", zipfile.ZIP_STORED) as archive:
        for path in sorted((*release.digests, SUMS)):
            file = file_of(release, path)
            if file is None:
                continue
            inside = zipfile.ZipInfo(f"{archive_name(release)}/{path}", ZIP_TIME)
            inside.external_attr = 0o644 << 16
            with archive.open(inside, "w", force_zip64=True) as target, file.open("rb") as stream:
                while block := stream.read(BLOCK):
                    target.write(block)
                    yield pipe.take()
    yield pipe.take()


def archive_name(release: Release) -> str:
    return f"evidence-of-traditional-games-{release.version}"


class Pipe:
    """Takes what an archive writes until somebody takes it away."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: no data are held back."""

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _release(place: Path) -> Release | None:
    """Read again only when it was written again."""
    try:
        changed = tuple((place / name).stat().st_mtime_ns for name in (SUMS, PACKAGE))
        return _read(place, changed)
    except (DatasetProblem, OSError):
        return None


@lru_cache(maxsize=32)
def _read(place: Path, changed: tuple[int, ...]) -> Release:
    return release_in(place)
