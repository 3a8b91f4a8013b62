"""Real servers for the tests in this folder."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from simulator import servers
from tests.databases import NOBODY
from tests.services.machine import Machine
from tests.services.postgresql import running_postgresql

numbers = count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs PostgreSQL stands together at the beginning: one process takes all of it, and starts one server."""
    items.sort(key=lambda one: "postgresql" not in getattr(one, "fixturenames", ()))


@dataclass(frozen=True, slots=True)
class OnBoth:
    """Two machines whose databases hold the same, one on each kind of database. Neither has a broker."""

    sqlite: Machine
    postgresql: Machine

    @classmethod
    def made(cls, folder: Path, empty_database: Path, postgres_url: str) -> "OnBoth":
        (folder / "postgresql").mkdir()
        there = Machine(folder / "postgresql", NOBODY)
        there.environment["DATABASE_URL"] = postgres_url
        shutil.copy(empty_database, folder / "db.sqlite3")
        return cls(Machine(folder, NOBODY), there)


@pytest.fixture(scope="session")
def only_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers.EmbeddedBroker]:
    with servers.running_broker(tmp_path_factory.mktemp("broker") / "broker.log") as running:
        yield running


@pytest.fixture(scope="module")
def broker(only_broker: servers.EmbeddedBroker) -> servers.EmbeddedBroker:
    """A broker and cache in which nothing of an earlier module is left."""
    with redis.Redis.from_url(only_broker.url) as client:
        client.flushall()
    return only_broker


@pytest.fixture(scope="module")
def machine(broker: servers.EmbeddedBroker, tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Machine:
    one = Machine(tmp_path_factory.mktemp("machine"), broker.url)
    shutil.copy(empty_database, one.folder / "db.sqlite3")
    return one


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server whose first database has all tables and no rows: others are copies of it."""
    with running_postgresql() as server:
        one = Machine(tmp_path_factory.mktemp("postgresql"), NOBODY)
        one.environment["DATABASE_URL"] = server.get_uri()
        one.manage("migrate", "--verbosity", "0", "--skip-checks")
        yield server


def copied(postgresql: Any, name: str, template: str = "postgres") -> str:
    """The address of a copy of a database of that server."""
    with psycopg.connect(postgresql.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    url: str = postgresql.get_uri(name)
    return url


@pytest.fixture
def postgres_url(postgresql: Any) -> str:
    """The address of a database with all tables and no rows."""
    return copied(postgresql, f"copy_{next(numbers)}")


@pytest.fixture(scope="module")
def module_postgres_url(postgresql: Any) -> str:
    """The address of such a database for all tests of a module."""
    return copied(postgresql, f"copy_{next(numbers)}")


@pytest.fixture(scope="session")
def shipped_postgresql(postgresql: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The server, with a database `shipped` that holds the shipped records, readings and rulesets."""
    one = Machine(tmp_path_factory.mktemp("shipped"), NOBODY)
    one.environment["DATABASE_URL"] = copied(postgresql, "shipped")
    one.manage("load_fixtures", "--no-edition")
    return postgresql


@pytest.fixture
def shipped_postgres_url(shipped_postgresql: Any) -> str:
    """The address of a database with the shipped records, readings and rulesets."""
    return copied(shipped_postgresql, f"copy_{next(numbers)}", "shipped")


@pytest.fixture
def on_both(tmp_path: Path, empty_database: Path, postgres_url: str) -> OnBoth:
    return OnBoth.made(tmp_path, empty_database, postgres_url)
