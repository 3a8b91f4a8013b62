"""The same code against a real PostgreSQL server: claims, rows and closing do not depend on SQLite."""

import pytest

from tests.services.machine import Machine

pytestmark = pytest.mark.services

WORDS = ("puhulmutu-ludii", "--games", "600", "--cap", "8000", "--seed", "11")


@pytest.mark.thorough
def test_two_processes_on_postgresql_give_the_digest_of_sqlite(machine: Machine, broker, postgres_url, tmp_path):
    expected = machine.simulate(*WORDS, "--inline")
    other = Machine(tmp_path, broker.url)
    other.environment["DATABASE_URL"] = postgres_url
    with other.worker(2) as node:
        found = other.simulate(*WORDS)
    assert found["digest"] == expected["digest"]
    assert found["tally_digest"] == expected["tally_digest"]
    assert found["summary"] == expected["summary"]
    assert other.manage("reproduce", found["batch"], "--json")
    assert "Traceback" not in node.log.read_text()
