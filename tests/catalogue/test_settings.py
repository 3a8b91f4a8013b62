"""Settings by environment alone: each variable is documented, and a wrong or missing one is said, not guessed."""

import os
import re
import runpy
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from catalogue.config import environment
from catalogue.config.sqlite import OwnersConnection

ROOT = Path(settings.BASE_DIR)
TABLE = ROOT / "docs" / "deploying.md"
ROW = re.compile(r"^\| `(?P<name>[A-Z_]+)` \| (?P<default>.*?) \| (?P<meaning>.*?) \|$", re.MULTILINE)
SECURE = {"HTTPS": "True", "ALLOWED_HOSTS": "games.example.org"}
POSTGRESQL = {"DATABASE_URL": "postgresql://games@127.0.0.1:1/games"}
BROKER = {"REDIS_URL": "redis://127.0.0.1:1/0"}


def manage(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command with these variables and none of whoever runs the tests."""
    alone = {"PATH": os.environ["PATH"], "VAR_DIR": str(folder), **variables}
    return subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=alone, capture_output=True, text=True)


def shown(default: str) -> str:
    """A default as the table shows it: below the folder that it is below on every machine."""
    for folder, name in ((settings.VAR_DIR, "VAR_DIR"), (ROOT / "var", "VAR_DIR"), (ROOT, "")):
        default = default.replace(str(folder), name).removeprefix("/")
    return f"`{default}`" if default else "none"


def test_the_table_has_every_variable_with_default_and_meaning(monkeypatch: Any):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "of no other test")
    runpy.run_path(str(ROOT / "deploy" / "gunicorn.conf.py"))
    documented = {row["name"]: row["default"] for row in ROW.finditer(TABLE.read_text(encoding="utf-8"))}
    read = {name: shown(default) for name, default in environment.asked().items()}
    del read["HEALER_SECONDS"]  # the earlier name of RECOVERY_SECONDS
    read["VAR_DIR"] = "`var`"  # of the checkout; it is what the others are shown by
    assert documented == read
    assert all(len(row["meaning"]) > 20 for row in ROW.finditer(TABLE.read_text(encoding="utf-8")))


def test_no_variable_is_read_past_the_table():
    found = set()
    for folder in ("catalogue", "simulator", "deploy"):
        for path in (ROOT / folder).rglob("*.py"):
            found |= set(re.findall(r"environ(?:\.get\(|\[)\"(\w+)\"", path.read_text(encoding="utf-8")))
    documented = {row["name"] for row in ROW.finditer(TABLE.read_text(encoding="utf-8"))}
    assert found - documented == {"XDG_CACHE_HOME"}, "where the engine alone keeps kernels"


@pytest.mark.thorough
def test_the_deployment_check_is_clean_over_https_only(tmp_path: Path):
    check = ("check", "--deploy", "--fail-level", "WARNING")
    clean = manage(tmp_path, *check, **SECURE)
    assert clean.returncode == 0, clean.stderr
    plain = manage(tmp_path, *check)
    assert plain.returncode == 1
    # W016, on the cookie of the token, looks for the middleware of the framework itself; ours extends it.
    assert {"W004", "W008", "W012"} <= set(re.findall(r"security\.(W\d+)", plain.stderr))


@pytest.mark.by_turns
@pytest.mark.parametrize("named", [POSTGRESQL, BROKER], ids=["PostgreSQL", "Redis"])
def test_where_a_server_is_named_a_shared_secret_is_demanded(tmp_path: Path, named: dict[str, str]):
    refused = manage(tmp_path, "check", **named)
    assert refused.returncode == 2
    assert f"SECRET_KEY must be set where {next(iter(named))} names a server" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "secret_key").exists()


def test_without_a_server_the_secret_is_made_once_and_kept(tmp_path: Path, monkeypatch: Any):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    kept = environment.kept_secret("SECRET_KEY", tmp_path / "key")
    assert environment.kept_secret("SECRET_KEY", tmp_path / "key") == kept
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "value", ["CHANGE-ME", "django-insecure-" + 40 * "x9k", "change_me" * 9, "short", " ", 40 * "ab"]
)
def test_a_placeholder_for_a_secret_stops_the_start(tmp_path: Path, monkeypatch: Any, value: str):
    monkeypatch.setenv("SECRET_KEY", value)
    with pytest.raises(environment.EnvironmentProblem, match=r"^SECRET_KEY .*Make one with"):
        environment.kept_secret("SECRET_KEY", tmp_path / "key")
    assert environment.kept_secret("SECRET_KEY", tmp_path / "key", trying=True) == value


def test_no_value_of_the_examples_is_taken_for_a_secret(tmp_path: Path):
    """As they stand, nothing starts: each of their secrets is asked for by name."""
    shown = dict(re.findall(r'^(\w+)="?(.*?)"?$', (ROOT / "deploy" / "environment.example").read_text("utf-8"), re.M))
    refused = manage(tmp_path, "check", **shown | {"VAR_DIR": str(tmp_path)})
    assert (refused.returncode, "Traceback" in refused.stderr) == (2, False)
    assert "SECRET_KEY still holds the placeholder of an example" in refused.stderr
    for name in ("DATABASE_URL", "REDIS_URL"):
        with pytest.raises(environment.EnvironmentProblem, match=f"^{name} still holds the placeholder"):
            environment.secret(name, shown[name])
        assert environment.secret(name, shown[name].replace("CHANGE-ME", "4h7kx")) != shown[name]


CLOSES = "import sqlite3, sys; one = sqlite3.connect(sys.argv[1]); one.execute('SELECT * FROM kept'); one.close()"


def test_a_further_connection_keeps_the_locks_of_the_first(tmp_path: Path):
    """Else another process takes itself for the last one, and takes the log away: the database is then malformed."""
    file = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(file, factory=OwnersConnection)) as first:
        first.executescript("PRAGMA journal_mode=WAL; CREATE TABLE kept (words); INSERT INTO kept VALUES (1)")
        sqlite3.connect(file, factory=OwnersConnection).close()
        subprocess.run([sys.executable, "-S", "-c", CLOSES, str(file)], check=True)
        assert file.with_name("db.sqlite3-wal").exists()
        assert file.with_name("db.sqlite3-shm").exists()


def test_what_is_kept_is_for_its_owner_only(tmp_path: Path, monkeypatch: Any):
    """The folder and the database when they are made, and those of an earlier release when they are next used."""
    monkeypatch.delenv("VAR_DIR", raising=False)
    umask = os.umask(0o022)
    try:
        folder = environment.folder("VAR_DIR", tmp_path / "var", of_owner=True)
        for mode in (None, 0o755):
            if mode:
                folder.chmod(mode)
            assert environment.folder("VAR_DIR", tmp_path / "var", of_owner=True).stat().st_mode & 0o777 == 0o700
        (folder / "earlier").touch(mode=0o644)
        for name in ("new", "earlier"):
            with closing(sqlite3.connect(folder / name, factory=OwnersConnection)) as connection:
                connection.executescript(
                    "PRAGMA journal_mode=WAL; CREATE TABLE kept (words); INSERT INTO kept VALUES (1)"
                )
                assert {file.stat().st_mode & 0o777 for file in folder.glob(f"{name}*")} == {0o600}
                assert len(list(folder.glob(f"{name}*"))) == 3
        assert settings.DATABASES["default"].get("OPTIONS", {}).get("factory", OwnersConnection) is OwnersConnection
        (named := tmp_path / "named").mkdir(mode=0o755)
        monkeypatch.setenv("VAR_DIR", str(named))
        assert environment.folder("VAR_DIR", tmp_path / "var", of_owner=True).stat().st_mode & 0o777 == 0o755
    finally:
        os.umask(umask)


@pytest.mark.parametrize(
    ("read", "value", "words"),
    [
        (lambda: environment.flag("WRONG", False), "yes", "WRONG must be True or False, not 'yes'"),
        (lambda: environment.number("WRONG", 1), "many", "WRONG must be a whole number, not 'many'"),
        (lambda: environment.number("WRONG", 1, least=1), "0", "WRONG must be at least 1, not 0"),
        (lambda: environment.networks("WRONG", ""), "10.0.0.0/99", "WRONG must be addresses or networks"),
        (lambda: environment.one_of("WRONG", "line", "json"), "xml", "WRONG must be line or json, not 'xml'"),
    ],
)
def test_a_value_that_means_nothing_stops_the_start(monkeypatch: Any, read: Any, value: str, words: str):
    monkeypatch.setenv("WRONG", value)
    monkeypatch.setattr(environment, "_asked", {})
    with pytest.raises(environment.EnvironmentProblem, match=re.escape(words)):
        read()
