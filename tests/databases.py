"""Databases that take seconds to fill: each is made once for all processes of a run, and copied from then on."""

import contextlib
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db.backends.signals import connection_created

from tests.services.machine import Machine

NOBODY = "redis://127.0.0.1:1/0"  # no broker
FILLED = "filled"  # what a file is called beside the database of the tests
PLAY = "from tests.catalogue.page_world import play; play()"


def folder_of_the_run(factory: pytest.TempPathFactory) -> Path:
    """One folder for all processes that share the tests among them."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def made_once(folder: Path, make: Callable[[Machine], None]) -> Path:
    """The database of a machine, made by whoever asks first; the others wait for it."""
    whole = folder.with_suffix(".sqlite3")
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            folder.mkdir()
            make(Machine(folder, NOBODY))
            begun = folder / "db.sqlite3"
            with contextlib.closing(sqlite3.connect(begun, isolation_level=None)) as database:
                database.execute("PRAGMA journal_mode = DELETE")  # nothing of it stands in a second file
            begun.rename(whole)
    return whole


def migrated(machine: Machine) -> None:
    """All tables and no rows."""
    machine.manage("migrate", "--verbosity", "0", "--skip-checks")


def loaded(machine: Machine, empty: Path) -> None:
    """The shipped records, readings and rulesets."""
    shutil.copy(empty, machine.folder / "db.sqlite3")
    machine.manage("load_fixtures")


def played(machine: Machine, shipped: Path) -> None:
    """The same with one batch that is done: what `page_world.load_catalogue` brings."""
    shutil.copy(shipped, machine.folder / "db.sqlite3")
    machine.manage("shell", "--verbosity", "0", "-c", PLAY)


def begin_with(empty: Path, filled: Path) -> None:
    """Let the first database in memory begin as a copy of one file, and each have the other beside it.

    That is done when a connection is made: within a transaction no file can be put beside it.
    """
    waiting = [empty]

    def made(connection: Any, **_: Any) -> None:
        if connection.vendor != "sqlite" or not connection.is_in_memory_db():
            return
        if waiting:
            with contextlib.closing(sqlite3.connect(waiting.pop())) as source:
                source.backup(connection.connection)
        connection.connection.execute(f"ATTACH 'file:{filled}?mode=ro' AS {FILLED}")

    connection_created.connect(made, weak=False)


def has_filled(connection: Any) -> bool:
    """Whether the filled file stands beside this database."""
    return connection.vendor == "sqlite" and any(
        name == FILLED for _, name, _ in connection.cursor().execute("PRAGMA database_list")
    )
