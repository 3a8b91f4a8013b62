"""A backup: every row as it stands at one moment, while the site goes on, and the releases.

It stands under its name when it is whole, and nobody but its owner may read it: it holds digests of passwords and
tokens, and what readers wrote with their addresses. The SECRET_KEY is not in it.
"""

import datetime
import os
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db import connection

from catalogue.backups.archive import BLOCK, NewArchive
from catalogue.backups.cells import line
from catalogue.backups.database import last_number, one_moment
from catalogue.backups.problems import NotEmpty
from catalogue.backups.tables import BackupTable, applied, tables_after

AT_ONCE = 50  # rows that are read together: a chunk of games holds up to a megabyte


@dataclass(frozen=True, slots=True)
class Backup:
    """rows: table → rows in it. releases: folders of the dataset. digest: SHA-256 that stands for all of it."""

    file: Path
    digest: str
    bytes: int
    rows: dict[str, int]
    releases: list[str]


def write_backup(place: Path) -> Backup:
    """place: a file that is not there yet, or a folder, in which the file is named by the time.

    Raises NotEmpty if there is such a file, BackupProblem if the database is newer than this code.
    """
    now = datetime.datetime.now(datetime.UTC)
    file = place / f"catalogue-{now:%Y%m%dT%H%M%SZ}.backup.zip" if place.is_dir() else place
    if file.exists():
        raise NotEmpty(f"{file} is there already")
    with _new_file(file) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        archive = NewArchive(packed)
        with one_moment():
            nodes = applied()
            tables = [_write_table(archive, table) for table in tables_after(nodes)]
        releases = _write_releases(archive)
        contents = {
            "version": _version(),
            "created": now.isoformat(timespec="seconds"),
            "database": connection.vendor,
            "migrations": nodes,
            "tables": tables,
            "releases": releases,
        }
        digest = archive.finish(contents)
    rows = {table["table"]: table["rows"] for table in tables}
    return Backup(file, digest, file.stat().st_size, rows, releases)


def releases_in(folder: Path) -> list[Path]:
    """The folders of the releases; one that is being written has a name with a dot."""
    return sorted(one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("."))


def _write_table(archive: NewArchive, table: BackupTable) -> dict[str, Any]:
    file = f"tables/{table.label}.jsonl"
    columns = [field.attname for field in table.fields]
    rows = table.model._base_manager.order_by("pk").values_list(*columns).iterator(chunk_size=AT_ONCE)
    number = archive.write(file, map(line, rows))
    return {"table": table.label, "file": file, "columns": columns, "rows": number, "last": last_number(table)}


def _write_releases(archive: NewArchive) -> list[str]:
    folder = Path(settings.DATASETS_DIR)
    found = releases_in(folder)
    for release in found:
        for path in sorted(release.rglob("*")):
            if path.is_file() and not path.is_symlink():
                archive.write(f"datasets/{path.relative_to(folder).as_posix()}", _blocks(path))
    return [release.name for release in found]


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            yield block


@contextmanager
def _new_file(file: Path) -> Iterator[IO[bytes]]:
    """Beside its place until it is whole and on the disk."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(descriptor)
        os.link(beside, file)  # refused if somebody was quicker
    finally:
        beside.unlink(missing_ok=True)


def _version() -> str:
    with (Path(settings.BASE_DIR) / "pyproject.toml").open("rb") as stream:
        return str(tomllib.load(stream)["project"]["version"])
