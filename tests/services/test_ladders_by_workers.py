"""A ladder under a real worker: asked for once, it is climbed and computed, nobody looking on."""

import json
import shutil
from pathlib import Path

import pytest

from tests.services.machine import Machine, wait_for

pytestmark = pytest.mark.services

NAME, GAMES = "niranchy-ludovisi", 24
ASK = f"""
from simulator.strength.ladder_requests import check_ladder, doubling
from simulator.strength.requested_ladders import request_ladder
wanted = check_ladder("{NAME}", doubling(most=16), games={GAMES})
print(request_ladder(wanted, origin="visitor", visitor="192.0.2.1").id)
"""


@pytest.mark.thorough
def test_a_ladder_is_computed_by_the_worker_and_the_command_finds_it(machine: Machine, shipped_database: Path) -> None:
    shutil.copy(shipped_database, machine.folder / "db.sqlite3")
    state = "SELECT state, error FROM simulator_ladder WHERE id = ?"
    with machine.worker(2):
        asked = machine.manage("shell", "-v0", "-c", ASK).stdout.split()[-1]
        wait_for(lambda: machine.query(state, asked) != [("waiting", "")], "the ladder is computed")
    assert machine.query(state, asked) == [("done", "")]
    document = json.loads(machine.manage("ladder", NAME, "--most", "16", "--games", str(GAMES), "--json").stdout)
    assert document["ladder"] == asked  # no worker runs any more, and none is needed
