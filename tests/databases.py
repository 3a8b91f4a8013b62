"""Databases that take seconds to fill: each is made once for all processes of a run, and copied from then on."""

import contextlib
import fcntl
import gc
import importlib
import os
import sqlite3
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.backends.signals import connection_created
from django.db.migrations.recorder import MigrationRecorder
from django.test import TestCase, TransactionTestCase, override_settings

from tests import choice
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

    from catalogue.findings.kept import findings
    from tests.catalogue.page_world import play

    gc.disable()  # the process ends when they are made
    steps = (
        partial(call_command, "migrate", verbosity=0) if choice.ALL else make_tables,
        partial(call_command, "load_fixtures", no_edition=True),
        play,
    )
    for name, step in zip(NAMES, steps, strict=True):
        step()
        if step is play:
            findings()  # so that not every test that reads some gathers them
        connection.ensure_connection()
        begun = Path(folder) / f".{name}"
        with contextlib.closing(sqlite3.connect(begun, isolation_level=None)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # nothing of it stands in a second file
        begun.rename(Path(folder) / f"{name}.sqlite3")


def make_tables() -> None:
    """Make all tables as the models have them, which takes a tenth of the time that the migrations take one by one.

    What a migration makes besides is made as well, and all of them count as applied.
    """
    from django.apps import apps
    from django.core.management import call_command
    from django.db.migrations.loader import MigrationLoader

    none = {one.label: None for one in apps.get_app_configs()}
    with override_settings(MIGRATION_MODULES=none):
        call_command("migrate", run_syncdb=True, verbosity=0)
    lookup = importlib.import_module("catalogue.migrations.0002_search_lookup")
    with connection.schema_editor() as editor:
        lookup.make_lookup(apps, editor)
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    known = MigrationLoader(connection).graph.nodes
    recorder.migration_qs.bulk_create([recorder.Migration(app=app, name=name) for app, name in known])


def begin_with(files: dict[str, Path]) -> None:
    """Let the first database in memory begin as a copy of the empty file, each have the filled one beside it, and each
    class of tests have the rows of the file that it names in `holds`.

    The file is put beside it when a connection is made: within a transaction none can be.
    """
    waiting = [files["empty"]]

    def made(connection: Any, **_: Any) -> None:
        if connection.vendor != "sqlite" or not connection.is_in_memory_db():
            return
        if waiting:
            _copy(waiting.pop(), connection)
        connection.connection.execute(f"ATTACH 'file:{files['played']}?mode=ro' AS {FILLED}")

    connection_created.connect(made, weak=False)
    _copy_for_classes(files)


def _copy(file: Path, connection: Any) -> None:
    with contextlib.closing(sqlite3.connect(file)) as source:
        source.backup(connection.connection)


def _copy_for_classes(files: dict[str, Path]) -> None:
    """Before a class of tests the database in memory becomes a copy of the file that it holds, the empty one if it
    names none, unless the class before it held the same and has rolled back what it wrote.

    A test that writes outside of a transaction leaves its rows to the next copy. Django would delete every row, and
    make rights and groups again: a hundred times as long.
    """
    usual_enter = TestCase._enter_atomics.__func__
    usual_set_up = TransactionTestCase._fixture_setup.__func__
    usual_tear_down = TransactionTestCase._fixture_teardown
    held = "empty"

    def hold(cls: type[TransactionTestCase]) -> None:
        nonlocal held
        wanted = getattr(cls, "holds", "empty")
        if wanted != held and has_filled(connection):
            _copy(files[wanted], connection)
            held = wanted

    def enter(cls: type[TestCase]) -> Any:
        hold(cls)
        return usual_enter(cls)

    def set_up(cls: type[TransactionTestCase]) -> None:
        hold(cls)
        usual_set_up(cls)

    def tear_down(case: TransactionTestCase) -> None:
        nonlocal held
        held = ""
        if not has_filled(connection):
            usual_tear_down(case)

    TestCase._enter_atomics = classmethod(enter)
    TransactionTestCase._fixture_setup = classmethod(set_up)
    TransactionTestCase._fixture_teardown = tear_down


def has_filled(connection: Any) -> bool:
    """Whether the filled file stands beside this database."""
    return connection.vendor == "sqlite" and any(
        name == FILLED for _, name, _ in connection.cursor().execute("PRAGMA database_list")
    )
