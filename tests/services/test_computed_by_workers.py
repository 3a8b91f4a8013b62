"""Comparison, study, ladder and replay under a real worker: requested once, they are computed unwatched."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.services.machine import Machine, wait_for

pytestmark = [pytest.mark.services, pytest.mark.thorough]

PAIR, GAME, RUNGS = ("niranchy-ludii", "niranchy-ludovisi"), "koti-keliya", ("niranchy-ludovisi", 8)
REQUEST = f"""
import json
import django
django.setup()
from django.test import Client
from catalogue.analyses.comparisons import COMPARISONS, check_comparison
from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_plans import plan
from simulator.batches.service import request_batch
from simulator.analyses.ladder_matches import check_ladder, doubling
from simulator.analyses.ladders import LADDERS
visitor = {{"origin": "visitor", "visitor": "192.0.2.1"}}
comparison = COMPARISONS.request(check_comparison({list(PAIR)}, games=1000, seed=9))
study = plan("{GAME}", games=8)
STUDIES.request(study, **visitor)
ladder = LADDERS.request(check_ladder("{RUNGS[0]}", doubling(most=16), games={RUNGS[1]}), **visitor)
batch = request_batch("niranchy-dlp", games=2, players="greedy,random", announce=False)
page = Client().get(f"/batches/{{batch.id}}/games/1/")
print(json.dumps({{"comparison": [comparison.id, comparison.state], "study": study.id, "ladder": ladder.id,
                  "replay": [batch.id, page.status_code]}}))
"""
# What the commands print of it: everything is there, so that no worker is needed.
PRINT = f"""
import io, json, sys
import django
django.setup()
from django.core.management import call_command
def printed(*words):
    out = io.StringIO()
    call_command(*words, "--json", stdout=out)
    return json.loads(out.getvalue())
print(json.dumps({{
    "comparison": printed("compare", *{PAIR}, "--games", "1000", "--seed", "9"),
    "study": printed("sensitivity", "{GAME}", "--games", "8"),
    "ladder": printed("ladder", "{RUNGS[0]}", "--most", "16", "--games", "{RUNGS[1]}"),
    "replay": printed("replay", "--batch", sys.argv[1], "--game", "1"),
}}))
"""
DONE = {
    "comparison": "SELECT state = 'done' FROM catalogue_comparison WHERE id = ?",
    "study": "SELECT state = 'done' FROM catalogue_study WHERE id = ?",
    "ladder": "SELECT state = 'done' AND error = '' FROM simulator_ladder WHERE id = ?",
    "replay": "SELECT state = 'done' AND error = '' FROM simulator_gamerecord WHERE batch_id = ?",
}
WORKERS = "SELECT name, queues, processes, heartbeat FROM simulator_worker"


@dataclass
class Computed:
    requested: dict[str, Any]
    printed: dict[str, Any]
    moves: list[int]
    worker: tuple[Any, ...]
    heartbeat: Any
    workers_afterwards: list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def computed(machine: Machine, shipped_database: Path) -> Computed:
    shutil.copy(shipped_database, machine.folder / "db.sqlite3")
    with machine.worker(2, name="known") as node:
        [worker] = machine.query(WORKERS)
        requested = machine.python("-c", REQUEST)
        for kind, sql in DONE.items():
            name = requested[kind][0] if isinstance(requested[kind], list) else requested[kind]
            wait_for(lambda sql=sql, name=name: machine.query(sql, name)[0][0], f"the {kind} is computed")
        [(*_, heartbeat)] = machine.query(WORKERS)
        node.stop(patience=120)  # as long as it takes: a worker that is killed cannot say that it has gone
    workers = machine.query(WORKERS)
    printed = machine.python("-c", PRINT, requested["replay"][0])
    moves = json.loads(machine.query("SELECT moves FROM simulator_gamerecord")[0][0])
    return Computed(requested, printed, moves, worker, heartbeat, workers)


def test_comparison_is_computed_and_the_command_finds_it(computed: Computed) -> None:
    name, state = computed.requested["comparison"]
    assert state == "waiting"
    assert computed.printed["comparison"]["comparison"] == name
    assert computed.printed["comparison"]["pairs"][0]["games"] == 1000


def test_study_is_computed_and_the_command_finds_it(computed: Computed) -> None:
    assert computed.printed["study"]["id"] == computed.requested["study"]


def test_ladder_is_computed_and_the_command_finds_it(computed: Computed) -> None:
    assert computed.printed["ladder"]["ladder"] == computed.requested["ladder"]


def test_game_that_a_page_waits_for_is_listed(computed: Computed) -> None:
    assert computed.requested["replay"][1] == 202
    plies = [ply["code"] for turn in computed.printed["replay"]["turns"] for ply in turn["plies"]]
    assert computed.moves == plies


def test_worker_is_known_while_it_runs(computed: Computed) -> None:
    name, queues, processes, first = computed.worker
    assert name.startswith("known@")
    assert (json.loads(queues), processes) == (["celery", "interactive"], 2)
    assert computed.heartbeat > first
    assert computed.workers_afterwards == []
