"""A dataset written on SQLite, loaded into PostgreSQL and written there again is the same to the last byte."""

import json
import shutil
from pathlib import Path

import pytest

from tests.services.conftest import OnBoth

pytestmark = pytest.mark.services


@pytest.mark.thorough
def test_both_databases_give_the_same_bytes(on_both: OnBoth, shipped_database: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    shutil.copy(shipped_database, on_both.sqlite.folder / "db.sqlite3")
    on_both.sqlite.manage("export_dataset", str(one), "--date", "2026-12-01")
    report = json.loads(on_both.postgresql.manage("load_dataset", str(one), "--json").stdout)
    on_both.postgresql.manage("export_dataset", str(two))
    files = [path.relative_to(one) for path in one.rglob("*") if path.is_file()]
    assert report["rows"]["evidence"] > 20
    assert len(files) > 80
    for path in files:
        assert (one / path).read_bytes() == (two / path).read_bytes(), path
