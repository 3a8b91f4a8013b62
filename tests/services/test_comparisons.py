"""A comparison under a real worker: asked for once, it is computed when its games are played, nobody looking on."""

import json

import pytest

from tests.services.machine import Machine, wait_for

pytestmark = pytest.mark.services

ASK = """
from catalogue.comparisons.service import request_comparison
from catalogue.comparisons.requests import check_comparison
print(request_comparison(check_comparison(["niranchy-ludii", "niranchy-ludovisi"], games=3000, seed=9)).id)
"""


def state(machine: Machine, name: str) -> str:
    return machine.query("SELECT state FROM catalogue_comparison WHERE id = ?", name)[0][0]


@pytest.mark.thorough
def test_a_comparison_is_computed_by_the_worker_and_the_command_finds_it_done(machine: Machine):
    with machine.worker(2):
        name = machine.manage("shell", "-c", ASK).stdout.split()[-1]
        assert state(machine, name) == "waiting"
        wait_for(lambda: state(machine, name) != "waiting", "the comparison is computed")
    assert state(machine, name) == "done"
    words = ("compare", "niranchy-ludii", "niranchy-ludovisi", "--games", "3000", "--seed", "9", "--json")
    document = json.loads(machine.manage(*words).stdout)  # no worker runs any more, and none is needed
    assert document["comparison"] == name
    assert document["pairs"][0]["games"] == 3000
