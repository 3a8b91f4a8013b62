"""A real worker says that it lives from the moment it is ready, and takes its leave when it is told to end."""

import json

import pytest

from tests.services.machine import Machine, wait_for

pytestmark = pytest.mark.services
EVERYTHING = "SELECT name, queues, processes, heartbeat FROM simulator_worker"
LAST = "SELECT heartbeat FROM simulator_worker"


@pytest.mark.thorough
def test_a_worker_is_known_while_it_runs(machine: Machine):
    with machine.worker(1, name="known") as node:
        [(name, queues, processes, first)] = machine.query(
            "SELECT name, queues, processes, heartbeat FROM simulator_worker"
        )
        assert name.startswith("known@")
        assert (json.loads(queues), processes) == (["celery", "interactive"], 1)
        wait_for(lambda: machine.query(LAST) != [(first,)], "it said so again", seconds=20)
        node.stop(patience=20)
    assert machine.query(LAST) == []
