"""Real servers for the tests in this folder."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator import embedded
from tests.services.machine import Machine


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[embedded.EmbeddedBroker]:
    with embedded.running_broker(tmp_path_factory.mktemp("broker") / "broker.log") as running:
        yield running


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with all tables and no rows, made once; the broker is not asked for it."""
    one = Machine(tmp_path_factory.mktemp("migrated"), "redis://127.0.0.1:1/0")
    one.manage("migrate", "--verbosity", "0", "--skip-checks")
    return one.folder / "db.sqlite3"


@pytest.fixture(scope="module")
def machine(broker: embedded.EmbeddedBroker, tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Machine:
    one = Machine(tmp_path_factory.mktemp("machine"), broker.url)
    shutil.copy(empty_database, one.folder)
    return one
