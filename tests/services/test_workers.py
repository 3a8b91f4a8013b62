"""Batches under real worker processes: what kills a worker or empties the broker costs time, never a game."""

import json
import os
import signal
import subprocess

import pytest
import redis

from simulator.batches.playing import replay_digest
from simulator.batches.requests import check_request
from simulator.rulesets import SHIPPED, read_file
from tests import choice
from tests.services.machine import PATIENCE, Machine, children_of, wait_for

pytestmark = pytest.mark.services

Command = subprocess.Popen[str]
GAME = "puhulmutu-parker"  # long games: a chunk of them takes seconds
SHORT = ("puhulmutu-ludii",)  # short ones: many chunks a second


# A batch whose ruleset no engine plays: its chunks fail as often as they are tried.
SPOILT = f"""
import json
import django
django.setup()
from simulator.batches.service import request_batch
from simulator.models import Batch
batch = request_batch("{GAME}", games=500, seed=16, announce=False)
Batch.objects.filter(id=batch.id).update(ruleset="{"f" * 64}")
print(json.dumps(batch.id))
"""


def digest_here(name: str, *words: str) -> str:
    """The digest of the same games played one after the other in this process, without workers or database."""
    options = dict(zip((word.removeprefix("--") for word in words[::2]), words[1::2], strict=True))
    request = check_request(read_file(SHIPPED / f"{name}.json").ruleset, **options)
    return replay_digest(request, lambda played: None)[0]


def claimed(machine: Machine, batch: str) -> int:
    return machine.count("SELECT count(*) FROM simulator_chunk WHERE batch_id = ? AND state = 'claimed'", batch)


def state(machine: Machine, batch: str) -> str:
    return machine.query("SELECT state FROM simulator_batch WHERE id = ?", batch)[0][0]


def started_batch(machine: Machine, *words: str) -> tuple[Command, str]:
    """A batch that a command waits for, with the moment it is in the database."""
    before = {row[0] for row in machine.query("SELECT id FROM simulator_batch")}
    command = machine.start("simulate", *words, "--json")

    def fresh() -> set:
        assert command.poll() in (None, 0), command.stderr.read()
        return {row[0] for row in machine.query("SELECT id FROM simulator_batch")} - before

    wait_for(fresh, "the batch is written")
    return command, fresh().pop()


def digest_of(command: Command) -> str:
    out, err = command.communicate(timeout=PATIENCE)
    assert command.returncode == 0, err
    return json.loads(out)["digest"]


def failure_of(command: Command) -> str:
    _, err = command.communicate(timeout=PATIENCE)
    assert command.returncode == 1, err
    return err


@pytest.mark.by_turns
def test_worker_killed_within_a_chunk_costs_time_only(machine: Machine):
    processes, games = (2, "20000") if choice.ALL else (1, "9000")  # a chunk for each process
    words = (GAME, "--games", games, "--seed", "12")
    with machine.worker(processes) as node:
        command, batch = started_batch(machine, *words)
        wait_for(lambda: claimed(machine, batch) == processes, "every process plays")
        for child in children_of(node.process.pid):
            os.kill(child, signal.SIGKILL)
        digest = digest_of(command)
    assert machine.count("SELECT max(attempts) FROM simulator_chunk WHERE batch_id = ?", batch) > 1
    assert digest == digest_here(*words)


@pytest.mark.thorough
def test_a_node_killed_whole_is_replaced_by_another(machine: Machine):
    words = (GAME, "--games", "3000", "--seed", "13")
    with machine.worker(1) as node:
        command, batch = started_batch(machine, *words)
        wait_for(lambda: claimed(machine, batch), "it plays")
        os.killpg(node.process.pid, signal.SIGKILL)
        node.process.wait()
    with machine.worker(1, name="other"):
        assert digest_of(command) == digest_here(*words)


@pytest.mark.thorough
def test_a_flushed_broker_costs_time_only(machine: Machine):
    words = (GAME, "--games", "3000", "--seed", "14")
    with redis.Redis.from_url(machine.broker) as client:
        command, batch = started_batch(machine, *words)
        wait_for(lambda: client.llen("celery"), "the messages are sent")
        client.flushall()
        with machine.worker(1):
            wait_for(lambda: claimed(machine, batch), "recovery announced the chunks again")
            client.flushall()
            assert digest_of(command) == digest_here(*words)


@pytest.mark.thorough
def test_a_node_goes_on_after_batches_that_are_cancelled_or_fail(machine: Machine):
    """Cancelled, a batch is played no more; closed by nobody, it is closed by recovery; what fails is quarantined."""
    with machine.worker(2) as node:
        command, batch = started_batch(machine, GAME, "--games", "2000000", "--seed", "15")
        wait_for(lambda: claimed(machine, batch) == 2, "both processes play")
        machine.manage("batches", "cancel", batch)
        wait_for(lambda: not claimed(machine, batch), "no process plays any more")
        assert "was cancelled" in failure_of(command)
        machine.query("DELETE FROM simulator_chunk WHERE batch_id = ?", batch)

        found = machine.simulate(GAME, "--games", "500", "--seed", "18")
        machine.query("UPDATE simulator_batch SET state = 'running', digest = '' WHERE id = ?", found["batch"])
        wait_for(lambda: state(machine, found["batch"]) == "done", "recovery closed it")
        assert machine.query("SELECT digest FROM simulator_batch WHERE id = ?", found["batch"]) == [(found["digest"],)]

        machine.query(
            "INSERT INTO simulator_ruleset VALUES (?, 'sowing', '{\"family\": \"unheard-of\"}', '2026-01-01')", "f" * 64
        )
        spoilt = machine.python("-c", SPOILT)
        wait_for(lambda: state(machine, spoilt) == "failed", "it was tried as often as it may be")
        assert machine.query("SELECT DISTINCT state, attempts FROM simulator_chunk WHERE batch_id = ?", spoilt) == [
            ("set_aside", 4)
        ]
        assert "unheard-of" in machine.query("SELECT error FROM simulator_chunk WHERE batch_id = ?", spoilt)[0][0]
        assert machine.simulate(GAME, "--games", "500", "--seed", "17")["digest"]
        assert node.is_running


@pytest.mark.thorough
def test_many_writers_on_one_sqlite_file_never_see_it_locked(machine: Machine):
    seeds = [str(seed) for seed in range(20, 23)]
    with machine.worker(2, name="left") as left, machine.worker(2, name="right") as right:
        commands = [
            machine.start("simulate", *SHORT, "--games", "800", "--cap", "20000", "--seed", seed, "--json")
            for seed in seeds
        ]
        for command in commands:
            assert digest_of(command)
    logs = left.log.read_text() + right.log.read_text()
    assert "locked" not in logs
    assert "ERROR" not in logs


@pytest.mark.by_turns
def test_a_broker_that_is_silent_is_said_and_nothing_is_written(machine: Machine):
    lonely = Machine(machine.folder, machine.broker)
    lonely.environment["REDIS_URL"] = "redis://127.0.0.1:1/0"
    before = machine.count("SELECT count(*) FROM simulator_batch")
    refused = lonely.manage("simulate", GAME, "--games", "10", "--seed", "99", status=1)
    assert "No broker answers" in refused.stderr
    assert "REDIS_URL" in refused.stderr
    assert machine.count("SELECT count(*) FROM simulator_batch") == before
