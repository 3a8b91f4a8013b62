"""A backup brings back everything: the pages byte for byte, who may log in, who changed what; on both databases."""

import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from catalogue.backups.problems import BackupProblem
from catalogue.backups.restoring import look_at
from tests.services.conftest import OnBoth
from tests.services.machine import Machine

pytestmark = pytest.mark.services
NO_BROKER = "memory://"
WORLD = ("-m", "tests.services.backup_world")


@dataclass(frozen=True, slots=True)
class Used:
    """A machine whose catalogue was in use, its backup, its pages in a folder, and what else it remembered."""

    machine: Machine
    backup: Path
    pages: Path
    reported: dict[str, Any]


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory, shipped_database: Path) -> Used:
    machine = Machine(tmp_path_factory.mktemp("used"), NO_BROKER)
    shutil.copy(shipped_database, machine.folder / "db.sqlite3")
    backup, pages = machine.folder / "one.backup.zip", machine.folder / "html"
    return Used(machine, backup, pages, machine.python(*WORLD, "used", str(backup), str(pages)))


A_USER = """
import django; django.setup()
from django.contrib.auth.models import User
from django.core.management import call_command
User.objects.create_user("mendis", password="Long enough 4 anybody")
call_command("backup", {!r}, "--json")
"""


# A site of release 0.2.0, with one user.
OLDER = """
from django.contrib.auth.models import User
from django.core.management import call_command
for app, last in (("auth", None), ("admin", None), ("sessions", None), ("catalogue", "0002"), ("simulator", "0001")):
    call_command("migrate", app, *filter(None, [last]), verbosity=0)
User.objects.create_user("mendis")
call_command("backup", {!r})
"""
# What was done after the backup was made: somebody logged in, and a suggestion came.
TAKEN_BACK = """
from django.contrib.auth.models import User
from catalogue.models import Suggestion
User.objects.update(last_login=None)
Suggestion.objects.get(text="Next one.").delete()
"""


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory, shipped_database: Path) -> Path:
    """Of the shipped catalogue and one user."""
    machine = Machine(tmp_path_factory.mktemp("small"), NO_BROKER)
    shutil.copy(shipped_database, machine.folder / "db.sqlite3")
    made = machine.folder / "small.backup.zip"
    machine.manage("shell", "-v0", "-c", A_USER.format(str(made)))
    return made


@pytest.fixture
def fresh(tmp_path: Path) -> Machine:
    """A machine without tables."""
    return Machine(tmp_path, NO_BROKER)


def restored(machine: Machine, backup: Path, name: str = "html") -> tuple[Path, dict[str, Any]]:
    pages = machine.folder / name
    return pages, machine.python(*WORLD, "restored", str(backup), str(pages))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rows(backup: Path) -> dict[str, list[Any]]:
    """Of every table, as JSON reads them: the order of keys is the database's affair."""
    with zipfile.ZipFile(backup) as archive:
        names = [name for name in archive.namelist() if name.startswith("tables/")]
        return {name: list(map(json.loads, archive.read(name).splitlines())) for name in names}


def spoilt(backup: Path, copy: Path, change: Callable[[dict[str, bytes]], None], honest: bool = True) -> Path:
    """A copy with other files in it; honest: the digests are those of what is there."""
    with zipfile.ZipFile(backup) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
        comment = archive.comment
    change(files)
    if honest:
        listed = json.loads(files["backup.json"])
        listed["files"] = {name: hashlib.sha256(files[name]).hexdigest() for name in listed["files"]}
        files["backup.json"] = json.dumps(listed).encode()
        comment = hashlib.sha256(files["backup.json"]).hexdigest().encode()
    with zipfile.ZipFile(copy, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.comment = comment
    return copy


@pytest.mark.thorough
def test_every_page_comes_back_byte_for_byte_and_everybody_can_log_in(used: Used, fresh: Machine) -> None:
    pages, reported = restored(fresh, used.backup)
    assert reported == used.reported
    assert set(reported["pages"].values()) <= {200, 302, 303}
    assert reported["known"]["editor"] == ["mendis", ["catalogue.change_evidence", "catalogue.view_suggestion"], True]
    assert reported["known"]["logs in"] is True
    assert reported["known"]["history"][:2] == ["mendis", "Read again in the library."]
    assert reported["known"]["next number"] == 3, "a number that was given once is not given again"
    there, here = contents(used.pages), contents(pages)
    assert len(there) > 60
    assert [name for name in there if there[name] != here[name]] == []

    assert used.backup.stat().st_mode & 0o777 == 0o600
    secret = used.machine.environment["SECRET_KEY"]
    with zipfile.ZipFile(used.backup) as archive:
        assert not any(secret.encode() in archive.read(name) for name in archive.namelist())
        assert "tables/sessions.session.jsonl" not in archive.namelist()
    assert (fresh.folder / "datasets" / "2026.11.22" / "SHA256SUMS").is_file()


@pytest.mark.thorough
def test_nothing_is_written_over_unless_told(backup: Path, fresh: Machine, shipped_database: Path) -> None:
    shutil.copy(shipped_database, fresh.folder / "db.sqlite3")
    refused = fresh.manage("restore", str(backup), status=2)
    assert re.search(r"the database is not empty: it has [\d,]+ rows of catalogue\.\w+", refused.stderr)
    assert "Nothing was restored." in refused.stderr
    assert fresh.count("SELECT count(*) FROM auth_user") == 0
    fresh.manage("restore", str(backup), "--replace")
    again = fresh.folder / "again.zip"
    fresh.manage("backup", str(again))
    assert rows(again) == rows(backup)
    assert len(rows(again)["tables/auth.user.jsonl"]) == 1
    assert again.stat().st_mode & 0o777 == 0o600
    assert fresh.count("SELECT count(*) FROM catalogue_searchlookup WHERE words MATCH 'sow'") > 5
    assert "is there already" in fresh.manage("backup", str(again), status=2).stderr


@pytest.mark.thorough
def test_a_restore_that_fails_in_the_middle_leaves_everything_as_it_was(
    backup: Path, fresh: Machine, shipped_database: Path
) -> None:
    def lose_the_games(files: dict[str, bytes]) -> None:
        files["tables/catalogue.game.jsonl"] = b""

    shutil.copy(shipped_database, fresh.folder / "db.sqlite3")
    before = fresh.query("SELECT * FROM catalogue_evidence"), fresh.query("SELECT * FROM sqlite_sequence ORDER BY name")
    lost = spoilt(backup, fresh.folder / "lost.zip", lose_the_games)
    failed = fresh.manage("restore", str(lost), "--replace", status=1)
    assert "the rows of the backup do not fit each other" in failed.stderr
    after = fresh.query("SELECT * FROM catalogue_evidence"), fresh.query("SELECT * FROM sqlite_sequence ORDER BY name")
    assert after == before
    assert not list((fresh.folder / "datasets").iterdir())


def test_a_damaged_backup_is_refused_before_anything_is_touched(backup: Path, tmp_path: Path) -> None:
    def read_again(files: dict[str, bytes]) -> None:
        files["tables/catalogue.evidence.jsonl"] = files["tables/catalogue.evidence.jsonl"].replace(
            b"Parker", b"Nobody"
        )

    def of_the_future(files: dict[str, bytes]) -> None:
        files["backup.json"] = files["backup.json"].replace(b'"format": 1', b'"format": 2')

    def migrated_further(files: dict[str, bytes]) -> None:
        listed = json.loads(files["backup.json"])
        listed["migrations"].append(["catalogue", "9999_of_the_future"])
        files["backup.json"] = json.dumps(listed).encode()

    def added(files: dict[str, bytes]) -> None:
        files["tables/more.jsonl"] = b"[]"

    whole = backup.read_bytes()
    half, copy = tmp_path / "half.zip", tmp_path / "copy.zip"
    half.write_bytes(whole[: len(whole) // 2])
    assert look_at(backup).rows["auth.user"] == 1
    for file, problem in (
        (half, "is no backup, or only a part of one"),
        (spoilt(backup, copy, read_again, honest=False), "catalogue.evidence.jsonl has another digest"),
    ):
        with pytest.raises(BackupProblem, match=problem):
            look_at(file)
    for change, problem in (
        (of_the_future, "has format 2, and this version reads 1"),
        (migrated_further, "has been through catalogue.9999_of_the_future"),
        (added, "tables/more.jsonl is not listed"),
    ):
        with pytest.raises(BackupProblem, match=problem):
            look_at(spoilt(backup, copy, change))


def test_a_byte_that_was_flipped_anywhere_is_noticed(backup: Path, tmp_path: Path) -> None:
    """In names, compressed rows, the list or the directory: refused by name, or of no consequence to what is read."""
    whole, flipped = backup.read_bytes(), tmp_path / "flipped.zip"
    refused = []
    for place in range(7, len(whole), len(whole) // 60):
        flipped.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            assert look_at(flipped).rows == look_at(backup).rows  # a time stamp, say
        except BackupProblem as problem:
            refused.append(str(problem))
    assert len(refused) > 50
    assert all(re.search("is no backup, or only a part of one|was changed|has format", said) for said in refused)


@pytest.mark.thorough
def test_a_backup_of_an_older_release_is_brought_up_to_date(
    fresh: Machine, empty_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    older = Machine(tmp_path_factory.mktemp("older"), NO_BROKER)
    backup = older.folder / "older.zip"
    older.manage("shell", "-v0", "-c", OLDER.format(str(backup)))
    assert "tables/simulator.worker.jsonl" not in rows(backup)

    shutil.copy(empty_database, fresh.folder / "db.sqlite3")
    refused = fresh.manage("restore", str(backup), status=2)
    assert "the database has been through " in refused.stderr
    assert "restore it into a new database without tables" in refused.stderr
    (fresh.folder / "db.sqlite3").unlink()
    fresh.manage("restore", str(backup))
    assert fresh.query("SELECT username FROM auth_user") == [("mendis",)]
    assert fresh.count("SELECT count(*) FROM simulator_worker") == 0
    assert fresh.manage("migrate", "--check").returncode == 0


@pytest.mark.thorough
def test_it_is_the_same_on_postgresql_and_from_one_database_to_the_other(
    used: Used, on_both: OnBoth, postgresql: Any, tmp_path: Path
) -> None:
    """SQLite to PostgreSQL, which gives the same rows; to another one, which shows the same pages; and back."""
    first, second = on_both.postgresql, Machine(tmp_path / "second", NO_BROKER)
    first.environment["REDIS_URL"] = NO_BROKER
    second.environment["DATABASE_URL"] = postgresql.get_uri("nothing_yet")
    second.folder.mkdir()
    with psycopg.connect(postgresql.get_uri(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE nothing_yet")
    pages, reported = restored(first, used.backup)
    assert reported == used.reported
    there = tmp_path / "there.zip"
    first.manage("shell", "-v0", "-c", TAKEN_BACK)
    first.manage("backup", str(there))
    assert rows(there) == rows(used.backup)

    again, told_again = restored(second, there)
    assert {**told_again["known"], "next number": 3} == reported["known"]
    assert told_again["known"]["next number"] == 4
    assert contents(again) == contents(pages)

    back = Machine(tmp_path / "back", NO_BROKER)
    back.folder.mkdir()
    back.manage("restore", str(there))
    back.manage("backup", str(tmp_path / "back.zip"))
    assert rows(tmp_path / "back.zip") == rows(used.backup)
