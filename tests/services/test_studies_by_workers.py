"""A study under a real worker: asked for once, it is computed when its games are played, nobody looking on."""

import json
import shutil
from pathlib import Path

import pytest

from tests.services.machine import Machine, wait_for

pytestmark = pytest.mark.services

GAME, GAMES = "koti-keliya", 20
ASK = f"""
from catalogue.sensitivity.plans import plan
from catalogue.sensitivity.requested import request_study
planned = plan("{GAME}", games={GAMES})
request_study(planned, origin="visitor", visitor="192.0.2.1")
print(planned.id)
"""


@pytest.mark.thorough
def test_a_study_is_computed_by_the_worker_and_the_command_finds_it(machine: Machine, shipped_database: Path) -> None:
    shutil.copy(shipped_database, machine.folder / "db.sqlite3")
    with machine.worker(2):
        name = machine.manage("shell", "-v0", "-c", ASK).stdout.split()[-1]
        assert machine.query("SELECT error FROM catalogue_requestedstudy WHERE id = ?", name) == [("",)]
        waiting = "SELECT error FROM catalogue_requestedstudy WHERE error = '' AND id = ?"
        wait_for(lambda: not machine.query(waiting, name), "the study is computed")
    assert machine.query("SELECT error FROM catalogue_requestedstudy") == []
    document = json.loads(machine.manage("sensitivity", GAME, "--games", str(GAMES), "--json").stdout)
    assert document["id"] == name  # no worker runs any more, and none is needed
