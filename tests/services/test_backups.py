"""A backup brings back the database and the files, on both kinds of database, or refuses and changes nothing."""

import contextlib
import json
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import ConnectionHandler
from django.db.backends.base.base import BaseDatabaseWrapper

from catalogue.backups import Backup, BackupProblem, NotEmpty, check_backup, restore_backup, write_backup
from tests.databases import NOBODY
from tests.services.machine import Machine
from tests.services.postgresql import programmes

MADE = "2026-11-22 10:00:00+00:00"
RELEASE = {"2026.11.22/evidence.csv": "a,b\n", "2026.11.22/SHA256SUMS": "00  evidence.csv\n"}
USED = (
    "INSERT INTO auth_user (id, username, password, is_superuser, is_staff, is_active, first_name, last_name, email,"
    f" date_joined) VALUES (7, 'mendis', 'digest', false, true, true, '', '', '', '{MADE}')",
    f"INSERT INTO django_session (session_key, session_data, expire_date) VALUES ('open', 'secret', '{MADE}')",
)
OLDER = """
from django.core.management import call_command
for app, last in (("auth", None), ("admin", None), ("sessions", None), ("catalogue", "0002"), ("simulator", "0001")):
    call_command("migrate", app, *filter(None, [last]), verbosity=0)
"""
Connect = Callable[..., BaseDatabaseWrapper]


@pytest.fixture
def connect(django_db_blocker: Any) -> Iterator[Connect]:
    """Connections to databases other than that of the tests."""
    opened: list[BaseDatabaseWrapper] = []

    def connected(**parameters: Any) -> BaseDatabaseWrapper:
        opened.append(ConnectionHandler({"default": parameters})["default"])
        return opened[-1]

    with django_db_blocker.unblock():
        yield connected
        for database in opened:
            database.close()


@pytest.fixture
def sqlite(connect: Connect) -> Callable[[Path], BaseDatabaseWrapper]:
    return lambda file: connect(ENGINE="django.db.backends.sqlite3", NAME=file)


@pytest.fixture
def folders(tmp_path: Path, settings: Any) -> Path:
    """Where releases and uploaded files stand; one of each is there."""
    settings.DATASETS_DIR, settings.MEDIA_ROOT = tmp_path / "datasets", str(tmp_path / "media")
    write(tmp_path / "datasets", RELEASE)
    write(tmp_path / "media", {"board.jpg": "uploaded"})
    return tmp_path


@pytest.fixture
def backup(
    sqlite: Callable[[Path], BaseDatabaseWrapper], folders: Path, empty_database: Path
) -> tuple[Backup, BaseDatabaseWrapper]:
    """A backup of a SQLite database in use, and that database."""
    shutil.copy(empty_database, folders / "used.sqlite3")
    used = sqlite(folders / "used.sqlite3")
    execute(used, *USED)
    return write_backup(folders / "backup", used), used


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def contents(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def execute(database: BaseDatabaseWrapper, *statements: str) -> list[Any]:
    with database.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def statements(file: Path) -> list[str]:
    """A SQLite database as SQL, with the numbers that its rows got last."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        return [line for line in database.iterdump() if "django_session" not in line]


def test_sqlite_comes_back_whole(
    backup: tuple[Backup, BaseDatabaseWrapper], sqlite: Callable[[Path], BaseDatabaseWrapper], folders: Path
) -> None:
    made, _ = backup
    assert made.folder.stat().st_mode & 0o777 == 0o700
    assert subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=made.folder).returncode == 0
    assert b"secret" not in (made.folder / "database.sqlite3").read_bytes(), "sessions would let their bearers in"
    for name in ("datasets", "media"):
        shutil.rmtree(folders / name)
    restored = sqlite(folders / "restored.sqlite3")
    assert restore_backup(made.folder, database=restored) == made == check_backup(made.folder)
    assert statements(folders / "restored.sqlite3") == statements(folders / "used.sqlite3")
    assert execute(restored, "SELECT username FROM auth_user") == [("mendis",)]
    assert contents(folders / "datasets") == RELEASE
    assert contents(folders / "media") == {"board.jpg": "uploaded"}


@pytest.mark.thorough
@pytest.mark.services
def test_postgresql_comes_back_whole(
    postgresql: Any, postgres_url: str, connect: Connect, folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dj_database_url import parse

    monkeypatch.setenv("PATH", str(programmes()), prepend=":")

    def dumped(database: BaseDatabaseWrapper) -> str:
        database.ensure_connection()
        url = database.connection.info.dsn
        words = ["pg_dump", "--data-only", "--restrict-key=0", "--exclude-table-data=django_session", url]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    used = connect(**parse(postgres_url))
    execute(used, *USED)
    used.close()
    made = write_backup(folders / "backup", used)
    assert made.database == "postgresql"
    execute(connect(**parse(postgresql.get_uri())), "CREATE DATABASE restored")
    restored = connect(**parse(postgresql.get_uri("restored")))
    assert restore_backup(made.folder, database=restored) == made
    before = dumped(used)
    assert "mendis" in before
    assert dumped(restored) == before
    assert execute(restored, "SELECT count(*) FROM django_session") == [(0,)]

    execute(restored, "DELETE FROM auth_user")
    with pytest.raises(NotEmpty, match="the database is not empty"):
        restore_backup(made.folder, database=restored)
    (made.folder / "database.dump").write_bytes(b"PGDMP, but only the beginning")
    with pytest.raises(BackupProblem, match="another checksum"):
        restore_backup(made.folder, database=restored, replace=True)
    restore_backup(write_backup(folders / "again", used).folder, database=restored, replace=True)
    assert dumped(restored) == before


def test_nothing_is_replaced_unless_asked(
    backup: tuple[Backup, BaseDatabaseWrapper], sqlite: Callable[[Path], BaseDatabaseWrapper], folders: Path
) -> None:
    made, used = backup
    with pytest.raises(NotEmpty, match="is there already"):
        write_backup(folders / "used.sqlite3", used)
    execute(used, "DELETE FROM auth_user")
    with pytest.raises(NotEmpty, match="the database is not empty"):
        restore_backup(made.folder, database=used)
    write(folders / "datasets", {"2026.11.22/evidence.csv": "another"})
    with pytest.raises(NotEmpty, match=r"another 2026\.11\.22 is in"):
        restore_backup(made.folder, database=sqlite(folders / "new.sqlite3"))
    assert execute(used, "SELECT count(*) FROM auth_user") == [(0,)]
    assert contents(folders / "datasets")["2026.11.22/evidence.csv"] == "another"

    restore_backup(made.folder, database=used, replace=True)
    assert execute(used, "SELECT count(*) FROM auth_user") == [(1,)]
    assert contents(folders / "datasets") == RELEASE


def test_what_does_not_fit_is_refused(
    backup: tuple[Backup, BaseDatabaseWrapper], connect: Connect, folders: Path
) -> None:
    made, used = backup
    execute(used, "INSERT INTO django_migrations (app, name, applied) VALUES ('catalogue', '9999_later', CURRENT_DATE)")
    with pytest.raises(NotEmpty, match=r"been through catalogue\.9999_later, the backup has not"):
        restore_backup(made.folder, database=used, replace=True)
    with pytest.raises(BackupProblem, match=r"been through catalogue\.9999_later, which this version does not have"):
        check_backup(write_backup(folders / "later", used).folder)
    with pytest.raises(BackupProblem, match="a database of sqlite, and DATABASE_URL names one of postgresql"):
        restore_backup(made.folder, database=connect(ENGINE="django.db.backends.postgresql", NAME="other"))


@pytest.mark.by_turns
@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda folder: (folder / "database.sqlite3").write_bytes(b"half"), "has another checksum"),
        (lambda folder: (folder / "media" / "board.jpg").unlink(), "media/board.jpg is missing"),
        (lambda folder: (folder / "datasets" / "more.csv").touch(), "datasets/more.csv is not listed"),
        (lambda folder: (folder / "backup.json").write_text("{}"), "no backup of this catalogue"),
        (lambda folder: (folder / "backup.json").unlink(), "is no backup, or only a part of one"),
        (lambda folder: change(folder, format=3), "has format 3, and this version reads 2"),
        (lambda folder: change(folder, database=["sqlite"]), "does not say in words: database"),
        (lambda folder: change(folder, migrations=[["catalogue"]]), "does not list the migrations as pairs"),
        (lambda folder: change(folder, migrations=None), "does not list the migrations as pairs"),
        (lambda folder: (folder / "backup.json").write_text("[" * 100_000), "is no backup, or only a part of one"),
        (lambda folder: (folder / "backup.json").write_text('"' + " " * (1 << 21)), "is no backup, or only a part of"),
        (lambda folder: as_an_archive(folder), "since version 0.4 a backup is a folder"),
        (shutil.rmtree, "since version 0.4 a backup is a folder"),
    ],
)
def test_a_damaged_backup_is_refused(
    backup: tuple[Backup, BaseDatabaseWrapper],
    sqlite: Callable[[Path], BaseDatabaseWrapper],
    folders: Path,
    spoil: Callable[[Path], Any],
    problem: str,
) -> None:
    spoil(backup[0].folder)
    with pytest.raises(BackupProblem, match=problem):
        restore_backup(backup[0].folder, database=sqlite(folders / "new.sqlite3"))
    assert not (folders / "new.sqlite3").exists()


def change(folder: Path, **facts: Any) -> None:
    file = folder / "backup.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **facts}))


def as_an_archive(folder: Path) -> None:
    """Nothing is unpacked, however much it would become."""
    shutil.rmtree(folder)
    with zipfile.ZipFile(folder, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("database.sqlite3", bytes(10 << 20))


@pytest.mark.thorough
@pytest.mark.services
def test_an_older_release_is_restored_and_migrated(tmp_path: Path) -> None:
    """The database of release 0.2.0, through the commands that an operator types."""
    older, here = Machine(tmp_path / "older", NOBODY), Machine(tmp_path / "here", NOBODY)
    for machine in (older, here):
        machine.folder.mkdir()
    older.manage("shell", "-v0", "-c", OLDER)
    made = json.loads(older.manage("backup", str(tmp_path), "--json").stdout)
    assert Path(made["folder"]).parent == tmp_path
    assert "is whole" in here.manage("restore", made["folder"], "--check").stdout
    here.manage("restore", made["folder"])
    assert here.count("SELECT count(*) FROM simulator_worker") == 0
    refused = here.manage("restore", made["folder"], "--replace", status=2)
    assert "the backup has not: restore it into a new database" in refused.stderr
    assert "Nothing was restored." in refused.stderr
