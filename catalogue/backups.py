"""Backups: the database by its own tool, and the releases and uploaded files beside it.

A backup is a folder that only its owner may read:

    database.sqlite3 or database.dump   a copy by SQLite's online backup, or an archive of `pg_dump --format custom`
    datasets/, media/                   the releases of the dataset, and what people uploaded
    backup.json                         when it was made, by which version, of which database and which migrations
    SHA256SUMS                          a checksum of every file, which `sha256sum --check` reads

The SECRET_KEY, the sessions and the attempts to log in are not in it. The site may go on while a backup is made.
"""

import datetime
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from simulator.batches.versions import release

FORMAT = 2  # the first was a ZIP archive of rows
NAME = "backup of evidence-of-traditional-games"
FACTS, SUMS = "backup.json", "SHA256SUMS"
LONGEST_FACTS = 1 << 20  # characters
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
# Open sessions would let their bearers in, and neither they nor failed logins outlive the machine.
LEFT_OUT = ("django_session", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog")


class BackupProblem(Exception):
    """The backup is damaged, or this version or database cannot take it; nothing was changed."""


class NotEmpty(Exception):
    """Something stands where the backup should go; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that is whole.

    created, version: when it was made, and by which release
    digest: the SHA-256 of SHA256SUMS, which stands for all files; bytes: the size of them together
    """

    folder: Path
    created: str
    version: str
    database: str
    digest: str
    bytes: int
    releases: list[str]


def write_backup(place: Path, database: BaseDatabaseWrapper = connection) -> Backup:
    """Write a backup into a new folder. If `place` is there already, the new folder is in it, named by the time.

    Raises NotEmpty if that folder exists, BackupProblem if `pg_dump` fails.
    """
    now = datetime.datetime.now(datetime.UTC)
    folder = place / f"catalogue-{now:%Y%m%dT%H%M%SZ}" if place.is_dir() else place
    if folder.exists():
        raise NotEmpty(f"{folder} is there already")
    database.ensure_connection()
    # It gets its name when it is whole: what a machine that stops leaves behind begins with a dot.
    unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        migrations = _applied(database)
        write_database = _copy_sqlite if database.vendor == "sqlite" else _dump_postgresql
        write_database(database, unfinished / DATABASES[database.vendor])
        (unfinished / DATABASES[database.vendor]).chmod(0o600)  # also when it is moved out of its folder
        for name, source in _folders().items():
            for entry in _entries(source):
                _copy(entry, unfinished / name / entry.name)
        facts = {
            "name": NAME,
            "format": FORMAT,
            "version": release(),
            "created": now.isoformat(timespec="seconds"),
            "database": database.vendor,
            "migrations": migrations,
        }
        (unfinished / FACTS).write_text(json.dumps(facts, ensure_ascii=False, indent=1), encoding="utf-8")
        sums = "".join(f"{digest}  {name}\n" for name, digest in sorted(_digests(unfinished).items()))
        (unfinished / SUMS).write_text(sums, encoding="utf-8")
        os.sync()  # under its name it must outlive a power cut
        os.rename(unfinished, folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return _described(folder, facts)


def check_backup(folder: Path) -> Backup:
    """Return what is in the backup; raises BackupProblem unless it is whole and this version can restore it."""
    if not folder.is_dir():
        raise BackupProblem(f"{folder} is no backup: since version 0.4 a backup is a folder")
    try:
        facts = _facts(folder)
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError, RecursionError) as error:
        raise BackupProblem(f"{folder} is no backup, or only a part of one: {error}") from error
    if facts.get("name") != NAME:
        raise BackupProblem(f"this is no backup of this catalogue: {FACTS} does not say so")
    if facts.get("format") != FORMAT:
        message = f"the backup has format {facts.get('format')!r}, and this version reads {FORMAT}"
        raise BackupProblem(f"{message}: restore it with the version that made it ({facts.get('version')})")
    for name in ("created", "version", "database"):
        if not isinstance(facts.get(name), str):
            raise BackupProblem(f"{FACTS} does not say in words: {name}")
    if not _is_list_of_migrations(facts.get("migrations")):
        raise BackupProblem(f"{FACTS} does not list the migrations as pairs of application and name")
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    found = _digests(folder)
    for name in sorted(listed.keys() ^ found.keys()):
        raise BackupProblem(f"the backup was changed: {name} is {'missing' if name in listed else 'not listed'}")
    for name, digest in sorted(found.items()):
        if listed[name] != digest:
            raise BackupProblem(f"the backup was changed: {name} has another checksum than {SUMS} says")
    code = MigrationLoader(None)
    for app, name in facts["migrations"]:
        if app in code.migrated_apps and (app, name) not in code.disk_migrations:
            message = f"the backup has been through {app}.{name}, which this version does not have"
            raise BackupProblem(f"{message}: restore it with the version that made it ({facts['version']}), or a newer")
    return _described(folder, facts)


def _facts(folder: Path) -> dict[str, Any]:
    """Raises OSError, ValueError, RecursionError."""
    with (folder / FACTS).open(encoding="utf-8") as file:
        facts = json.loads(file.read(LONGEST_FACTS))
    return facts if isinstance(facts, dict) else {}


def _is_list_of_migrations(found: Any) -> bool:
    return isinstance(found, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(word, str) for word in pair) for pair in found
    )


def restore_backup(folder: Path, *, replace: bool = False, database: BaseDatabaseWrapper = connection) -> Backup:
    """Bring back the database and the files; the database is then to be migrated if an older version made the backup.

    replace: lose what the database and the folders hold now. Raises BackupProblem if the backup cannot be restored
    here, NotEmpty if something is here already; neither the database nor the files have changed then.
    """
    backup = check_backup(folder)
    if backup.database != database.vendor:
        message = f"the backup holds a database of {backup.database}, and DATABASE_URL names one of {database.vendor}"
        raise BackupProblem(message)
    _check_empty(folder, database, replace)
    with _copied_files(folder, replace) as put_in_place:
        restore = _restore_sqlite if database.vendor == "sqlite" else _restore_postgresql
        restore(database, folder / DATABASES[database.vendor])
        put_in_place()
    return backup


def _copy_sqlite(database: BaseDatabaseWrapper, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as copy:
        database.connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # nothing of it stands in a second file
        copy.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten
        tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in sorted(tables.intersection(LEFT_OUT)):
            copy.execute(f"DELETE FROM {table}")


def _restore_sqlite(database: BaseDatabaseWrapper, file: Path) -> None:
    """The copy is one transaction of the target: if it stops half-way, the target is what it was."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as source:
        source.backup(database.connection)
    database.close()


def _dump_postgresql(database: BaseDatabaseWrapper, file: Path) -> None:
    without = [f"--exclude-table-data={table}" for table in LEFT_OUT]
    _run_postgresql(database, "pg_dump", "--format=custom", f"--file={file}", *without)


def _restore_postgresql(database: BaseDatabaseWrapper, file: Path) -> None:
    """Tables that are there are dropped within the same transaction: all of it happens, or nothing."""
    options = ("--single-transaction", "--exit-on-error", "--clean", "--if-exists", "--no-owner", "--no-privileges")
    _run_postgresql(database, "pg_restore", *options, str(file))
    with database.cursor() as cursor:
        cursor.execute("ANALYZE")  # an archive has no statistics for the planner


def _run_postgresql(database: BaseDatabaseWrapper, program: str, *options: str) -> None:
    """Run a client program against the database; the password goes by the environment, where nobody can list it."""
    database.ensure_connection()
    server = database.connection.info
    command = [program, f"--dbname={server.dsn}", *options]
    environment = {**os.environ, **({"PGPASSWORD": server.password} if server.password else {})}
    database.close()  # an open transaction of ours would hold the tables
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise BackupProblem(f"{program} is not installed: it comes with PostgreSQL's client programs") from error
    if done.returncode:
        raise BackupProblem(f"{program} failed: {done.stderr.strip()}")


def _check_empty(folder: Path, database: BaseDatabaseWrapper, replace: bool) -> None:
    tables = database.introspection.table_names()
    if not tables:
        return
    if not replace:
        message = "the database is not empty: it has tables. Restore into a new one (DATABASE_URL says which)"
        raise NotEmpty(f"{message}, or say --replace to lose what is there")
    facts = _facts(folder)
    here = set(_applied(database)) if "django_migrations" in tables else set()
    if further := sorted(here - {(app, name) for app, name in facts["migrations"]}):
        message = f"the database has been through {'.'.join(further[0])}, the backup has not"
        raise NotEmpty(f"{message}: restore it into a new database without tables, and migrate that")


def _applied(database: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    """The migrations that a database has been through, as app and name."""
    with database.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
        return [(app, name) for app, name in cursor.fetchall()]


def _folders() -> dict[str, Path]:
    """The folders that are copied, by their names in a backup."""
    folders = {"datasets": Path(settings.DATASETS_DIR)}
    if settings.MEDIA_ROOT:
        folders["media"] = Path(settings.MEDIA_ROOT)
    return folders


def _entries(folder: Path) -> list[Path]:
    """Return what stands in a folder; the name of what is still being written begins with a dot."""
    return sorted(entry for entry in folder.glob("[!.]*") if not entry.is_symlink())


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=lambda at, names: [n for n in names if Path(at, n).is_symlink()])
    else:
        shutil.copy2(source, target)


@contextmanager
def _copied_files(folder: Path, replace: bool) -> Iterator[Any]:
    """Copy the files beside their places; what is given moves them there, in place of others of the same names.

    Raises NotEmpty if something else of the same name is here and may not be replaced.
    """
    moves: list[tuple[Path, Path]] = []
    made: list[Path] = []

    def put_in_place() -> None:
        for copy, place in moves:
            if place.exists():
                os.rename(place, copy.with_name(f".old-{place.name}"))
            os.rename(copy, place)

    try:
        for name, target in _folders().items():
            target.mkdir(parents=True, exist_ok=True)
            beside = Path(tempfile.mkdtemp(prefix=".restoring-", dir=target))
            made.append(beside)
            for entry in _entries(folder / name):
                place = target / entry.name
                if place.exists() and _digests(place) == _digests(entry):
                    continue
                if place.exists() and not replace:
                    message = f"another {entry.name} is in {target}: move it away, or say --replace to lose it"
                    raise NotEmpty(message)
                _copy(entry, beside / entry.name)
                moves.append((beside / entry.name, place))
        yield put_in_place
    finally:
        for beside in made:
            shutil.rmtree(beside, ignore_errors=True)


def _digests(place: Path) -> dict[str, str]:
    """The SHA-256 of every file below a folder, by its path there, or of the file itself; without SHA256SUMS."""
    digests = {}
    for path in place.rglob("*") if place.is_dir() else [place]:
        if path.is_symlink() or not path.is_file() or path == place / SUMS:
            continue
        with path.open("rb") as stream:
            digests[path.relative_to(place).as_posix()] = hashlib.file_digest(stream, "sha256").hexdigest()
    return digests


def _described(folder: Path, facts: dict[str, Any]) -> Backup:
    digest = hashlib.sha256((folder / SUMS).read_bytes()).hexdigest()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    releases = [entry.name for entry in _entries(folder / "datasets") if entry.is_dir()]
    return Backup(folder, facts["created"], facts["version"], facts["database"], digest, size, releases)
