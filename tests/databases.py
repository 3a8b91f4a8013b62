"""Databases that take seconds to fill: each is made once for all processes of a run, and copied from then on."""

import contextlib
import fcntl
import gc
import os
import sqlite3
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.backends.signals import connection_created
from django.test import TransactionTestCase

from tests.services.machine import Machine

NOBODY = "redis://127.0.0.1:1/0"  # no broker
FILLING = "the databases are filled"  # instead of a test, for what is recorded while they are
FILLED = "filled"  # what a file is called beside the database of the tests
NAMES = ("empty", "shipped", "played")


def folder_of_the_run(factory: pytest.TempPathFactory) -> Path:
    """One folder for all processes that share the tests among them.

    TEST_DATABASES names a folder that is kept from run to run: quicker while nothing changes that fills a database.
    """
    if kept := os.environ.get("TEST_DATABASES"):
        Path(kept).mkdir(parents=True, exist_ok=True)
        return Path(kept)
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def made_once(folder: Path) -> dict[str, Path]:
    """The files of those names, made by whoever asks first; the others wait for them. See `make`."""
    files = {name: folder / f"{name}.sqlite3" for name in NAMES}
    with (folder / "databases.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not files[NAMES[-1]].exists():
            machine = Machine(Path(tempfile.mkdtemp(dir=folder)), NOBODY)
            machine.environment["PYTEST_CURRENT_TEST"] = f"{FILLING} (setup)"
            machine.manage(
                "shell", "--verbosity", "0", "-c", f"from tests.databases import make; make({str(folder)!r})"
            )
    return files


def make(folder: str) -> None:
    """In a process of its own: a file with all tables, one with the shipped records, readings and rulesets, and one
    with a batch besides that is done, which is what `page_world.load_catalogue` brings."""
    from django.core.management import call_command

    from tests.catalogue.page_world import play

    gc.disable()  # the process ends when they are made
    steps = (
        partial(call_command, "migrate", verbosity=0),
        partial(call_command, "load_fixtures", no_edition=True),
        play,
    )
    for name, step in zip(NAMES, steps, strict=True):
        step()
        connection.ensure_connection()
        begun = Path(folder) / f".{name}"
        with contextlib.closing(sqlite3.connect(begun, isolation_level=None)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # nothing of it stands in a second file
        begun.rename(Path(folder) / f"{name}.sqlite3")


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
    _empty_by_copying(empty)


def _empty_by_copying(empty: Path) -> None:
    """After a test that writes outside of a transaction, the database in memory is a copy of the empty file again.

    Django deletes every row, and makes rights and groups anew: a hundred times as long.
    """
    usual = TransactionTestCase._fixture_teardown

    def emptied(case: TransactionTestCase) -> None:
        if not has_filled(connection):
            usual(case)
            return
        with contextlib.closing(sqlite3.connect(empty)) as source:
            source.backup(connection.connection)

    TransactionTestCase._fixture_teardown = emptied


def has_filled(connection: Any) -> bool:
    """Whether the filled file stands beside this database."""
    return connection.vendor == "sqlite" and any(
        name == FILLED for _, name, _ in connection.cursor().execute("PRAGMA database_list")
    )
