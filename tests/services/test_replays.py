"""A game between players that think, asked for by its page, listed by a real worker and shown."""

import json
import subprocess
import sys

import pytest

from tests.services.machine import ROOT, Machine, wait_for

pytestmark = pytest.mark.services

ASK = """
import json
import django
django.setup()
from django.test import Client
from simulator.batches.service import request_batch
batch = request_batch("kalah-reference", games=2, players="greedy,random", announce=False)
answer = Client().get(f"/batches/{batch.id}/games/1/")
print(json.dumps({"batch": batch.id, "status": answer.status_code}))
"""


def run(machine: Machine) -> str:
    environment = {**machine.environment, "DJANGO_SETTINGS_MODULE": "catalogue.config.settings"}
    done = subprocess.run([sys.executable, "-c", ASK], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.mark.thorough
def test_a_worker_lists_the_game_that_a_page_waits_for(machine: Machine) -> None:
    with machine.worker():
        asked = json.loads(run(machine))
        assert asked["status"] == 202
        state = "SELECT state, error FROM simulator_gamerecord WHERE batch_id = ?"
        wait_for(lambda: machine.query(state, asked["batch"])[0][0] != "waiting", "the game is told", 500)
        assert machine.query(state, asked["batch"]) == [("done", "")]
    printed = json.loads(machine.manage("replay", "--batch", asked["batch"], "--game", "1", "--json").stdout)
    kept = json.loads(machine.query("SELECT moves FROM simulator_gamerecord")[0][0])
    assert kept == [ply["code"] for turn in printed["turns"] for ply in turn["plies"]]
