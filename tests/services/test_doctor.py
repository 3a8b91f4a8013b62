"""The doctor: every broken part is named with what to do about it."""

import json
import shutil
from pathlib import Path

import pytest

from tests.builders import CORNER_FILES, RULESET_FILES
from tests.services.machine import Machine

pytestmark = pytest.mark.services


@pytest.fixture
def machine(broker, tmp_path) -> Machine:
    return Machine(tmp_path, broker.url)


def findings(machine: Machine, status: int) -> dict[str, dict]:
    found = json.loads(machine.manage("doctor", "--json", status=status).stdout)
    return {condition["name"]: condition for condition in found}


@pytest.mark.thorough
def test_a_sound_installation_is_well(machine: Machine, shipped_database: Path):
    shutil.copy(shipped_database, machine.folder / "db.sqlite3")
    (machine.folder / "db.sqlite3").chmod(0o600)
    found = findings(machine, status=0)
    assert {name for name, condition in found.items() if condition["remedy"]} == set()
    assert found["records"]["found"] == f"22 records, {len(RULESET_FILES) + len(CORNER_FILES)} rulesets"
    del machine.environment["REDIS_URL"]
    assert findings(machine, status=0)["broker"]["found"] == "the embedded one starts and answers"


@pytest.mark.thorough
def test_what_is_missing_is_named_with_its_remedy(machine: Machine):
    machine.environment["REDIS_URL"] = "redis://127.0.0.1:1/0"
    remedies = {name: one["remedy"] for name, one in findings(machine, status=1).items() if one["remedy"]}
    assert set(remedies) == {"database", "records", "broker"}
    assert "manage.py migrate" in remedies["database"]
    assert "load_fixtures" in remedies["records"]
    assert "REDIS_URL" in remedies["broker"]


@pytest.mark.thorough
def test_an_unwritable_data_folder_is_named(machine: Machine):
    machine.environment["DATABASE_URL"] = "sqlite:////nowhere/at/all.sqlite3"
    found = findings(machine, status=1)
    assert "does not answer" in found["database"]["found"]
    assert "DATABASE_URL" in found["database"]["remedy"]
