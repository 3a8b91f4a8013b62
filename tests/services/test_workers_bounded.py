"""Workers of several releases, and requests that would hold a worker for good."""

import contextlib
import json
from collections.abc import Iterator

import pytest

from simulator.batches.requests import check_request
from simulator.engine import shipped
from simulator.engine.family import family
from simulator.engine.players.names import MOST_DEPTH
from tests.services.machine import PATIENCE, Machine, children_of, wait_for

pytestmark = pytest.mark.services

SHORT = "niranchy-dlp"  # of the family of the hostile ones: a process loads one engine
# Asked for without the bounds that are checked before: as if their prices were wrong.
HOSTILE = """
import sys, django; django.setup()
from dataclasses import replace
from simulator.batches.requests import check_request
from simulator.batches.service import request_checked
one = check_request("dam-dlp", games=1, cap=1, players="random")
import json
print(json.dumps([request_checked(replace(one, players=tuple(line.split(",")))).id for line in sys.argv[1:]]))
"""
WAITS = """
import sys, json, django; django.setup()
from simulator.batches.service import named_batch, progress_of
print(json.dumps(progress_of(named_batch(sys.argv[1])).waits_for))
"""


@contextlib.contextmanager
def worker_of(machine: Machine, application: str, name: str, children: int = 1) -> Iterator[object]:
    machine.application = application
    try:
        with machine.worker(children, name=name) as server:
            machine.application = Machine.application
            yield server
    finally:
        machine.application = Machine.application


def chunks(machine: Machine, batch: str) -> list[tuple]:
    return machine.query("SELECT state, error, provenance FROM simulator_chunk WHERE batch_id = ?", batch)


@pytest.mark.thorough
def test_small_hostile_requests_do_not_stop_the_workers(machine: Machine):
    machine.environment["CHUNK_PROCESSOR_SECONDS"] = "1"
    lines = (f"alpha_beta:{MOST_DEPTH},random", "alpha_beta:31")
    with worker_of(machine, "tests.services.cheap_prices", "cheap", children=2) as node:
        before = set(children_of(node.process.pid))
        hostile = machine.python("-c", HOSTILE, *lines)
        for batch in hostile:
            wait_for(lambda batch=batch: chunks(machine, batch)[0][0] == "set_aside", "it is set aside")
            assert "seconds of processor time" in chunks(machine, batch)[0][1]
            wait_for(
                lambda batch=batch: (
                    machine.query("SELECT state FROM simulator_batch WHERE id = ?", batch) == [("failed",)]
                ),
                "its batch says so",
            )
        wait_for(lambda: len(set(children_of(node.process.pid)) - before) >= 2, "processes were replaced")
        assert machine.simulate(SHORT, "--games", "500", "--seed", "32")["digest"]


@pytest.mark.thorough
def test_a_chunk_is_played_only_by_a_worker_of_its_version(machine: Machine):
    version = family("sowing").rules_version
    words = ("puhulmutu-ludii", "--games", "300", "--seed", "33")
    batch = check_request(shipped.load(words[0]), games=300, seed=33).id
    machine.query("DELETE FROM simulator_worker")  # one that was killed is thought to run until it was silent for long
    with worker_of(machine, "tests.services.other_release", "newer"):
        command = machine.start("simulate", *words, "--json")
        wait_for(lambda: chunks(machine, batch), "the batch is written")
        dam = machine.simulate("dam-dlp", "--games", "300", "--seed", "33")
        assert {state for state, _, _ in chunks(machine, batch)} == {"queued"}
        said = f"No worker that is running has version {version} of the sowing engine"
        wait_for(lambda: machine.python("-c", WAITS, batch).startswith(said), "it says what it waits for")
        with machine.worker(1, name="right"):
            out, err = command.communicate(timeout=PATIENCE)
        assert command.returncode == 0, err
    assert json.loads(out)["engine_version"] == f"sowing {version}"
    [[kept]] = machine.query("SELECT provenance FROM simulator_batch WHERE id = ?", batch)
    played = json.loads(kept)
    assert {one["worker"] for one in played} == {"right"}
    assert sum(one["games"] for one in played) == 300
    assert {"release", "revision", "python", "numpy", "numba", "machine"} <= set(played[0])
    [[other]] = machine.query("SELECT provenance FROM simulator_batch WHERE id = ?", dam["batch"])
    assert {load["worker"] for load in json.loads(other)} == {"newer"}
