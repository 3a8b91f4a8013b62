"""One suite of searches gives the same lists, in the same order and with the same counts, on SQLite and PostgreSQL."""

import shutil
from pathlib import Path

import pytest

from tests.services.conftest import OnBoth

pytestmark = pytest.mark.services

SUITE = ("-m", "tests.catalogue.search_suite")


@pytest.mark.thorough
def test_the_same_lists_on_both_databases(on_both: OnBoth, shipped_database: Path, shipped_postgres_url: str) -> None:
    shutil.copy(shipped_database, on_both.sqlite.folder / "db.sqlite3")
    on_both.postgresql.environment["DATABASE_URL"] = shipped_postgres_url
    expected, found = on_both.sqlite.python(*SUITE), on_both.postgresql.python(*SUITE)
    for one, other in zip(expected, found, strict=True):
        assert one == other, one["asked"]
    assert sum(answer["count"] > 0 for answer in expected) > 25
    assert sum(answer["suggestion"] is not None for answer in expected) == 2
