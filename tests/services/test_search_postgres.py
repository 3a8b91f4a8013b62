"""One suite of searches gives the same lists, in the same order and with the same counts, on SQLite and PostgreSQL."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.conftest import OnBoth
from tests.services.machine import ROOT, Machine

pytestmark = pytest.mark.services


def answers(machine: Machine) -> list[dict]:
    machine.environment["DJANGO_SETTINGS_MODULE"] = "catalogue.config.settings"
    done = subprocess.run(
        [sys.executable, "-m", "tests.catalogue.search_suite"],
        cwd=ROOT,
        env=machine.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_the_same_lists_on_both_databases(on_both: OnBoth, shipped_database: Path) -> None:
    shutil.copy(shipped_database, on_both.sqlite.folder)
    on_both.postgresql.manage("load_fixtures")
    expected, found = answers(on_both.sqlite), answers(on_both.postgresql)
    for one, other in zip(expected, found, strict=True):
        assert one == other, one["asked"]
    assert sum(answer["count"] > 0 for answer in expected) > 25
    assert sum(answer["suggestion"] is not None for answer in expected) == 2
