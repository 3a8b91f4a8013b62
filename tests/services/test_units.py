"""The units' own commands with the documented environment, real PostgreSQL and Valkey: they play a batch together."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from simulator.servers import EmbeddedBroker, Server, free_port
from tests.services.deployment import example, started
from tests.services.machine import PATIENCE, Machine, wait_for
from tests.services.test_workers import digest_here

pytestmark = [pytest.mark.services, pytest.mark.proof]
WORDS = ("puhulmutu-ludii", "--games", "200", "--cap", "8000", "--seed", "11")
NODES = (("games-interactive.service", ""), ("games-bulk@.service", "1"))


@pytest.fixture
def site(tmp_path: Path, broker: EmbeddedBroker, shipped_postgres_url: str) -> Iterator[tuple[Machine, int]]:
    """One machine's environment, its tables and records, and every unit running."""
    port = free_port()
    environment = example(
        tmp_path, DATABASE_URL=shipped_postgres_url, REDIS_URL=broker.url, WEB_BIND=f"127.0.0.1:{port}"
    )
    machine = Machine(tmp_path, broker.url)
    machine.environment = environment
    servers: list[Server] = []
    with ExitStack() as stack:
        for unit, instance in (("games-web.service", ""), *NODES):
            server = started(unit, tmp_path, environment, instance)
            stack.callback(server.stop, patience=10)
            servers.append(server)
        wait_for(lambda: _ready(port)[0] == 200 and _workers(port) == len(NODES), "every unit runs")
        yield machine, port
        dead = [server.last_lines() for server in servers if not server.is_running]
        assert not dead


def _asked(port: int, path: str, document: dict[str, Any] | None = None) -> tuple[int, str]:
    """(status, answer) as whoever watches the machine gets it; 0 while nothing answers."""
    url, host = f"http://127.0.0.1:{port}{path}", {"Host": "games.example.org", "X-Forwarded-Proto": "https"}
    data = json.dumps(document).encode() if document else None
    request = urllib.request.Request(url, data, {**host, "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


def _ready(port: int) -> tuple[int, str]:
    return _asked(port, "/readyz")


def _workers(port: int) -> int:
    status, text = _ready(port)
    return len(json.loads(text)["parts"]["workers"]["found"].split(", ")) if status else 0


def test_the_units_play_a_batch_and_say_so(site: tuple[Machine, int], tmp_path: Path):
    machine, port = site
    check = machine.manage("check", "--deploy", "--fail-level", "WARNING")
    assert "no issues" in check.stdout
    games = {"games": 200, "cap": 8000, "seed": 11}
    status, text = _asked(port, "/api/v1/batches/", {"ruleset": "puhulmutu-ludii", **games})
    assert status == 201, text
    batch = json.loads(text)["id"]

    def answer() -> dict[str, Any]:
        return json.loads(_asked(port, f"/api/v1/batches/{batch}/")[1])

    wait_for(lambda: answer()["state"] != "running", "the batch is played")
    assert (answer()["state"], answer()["digest"]) == ("done", digest_here(*WORDS))
    played = (tmp_path / "games-bulk@.service1.log").read_text(encoding="utf-8")
    assert f"[batch={batch} chunk=" in played
    assert "games played in" in played
    assert "games played in" not in (tmp_path / "games-interactive.service.log").read_text(encoding="utf-8")
    figures = _asked(port, "/metrics")[1]
    assert 'http_requests_total{method="POST",route="v1:batch-list",status="201"} 1.0' in figures
    assert "\nworkers 2.0\n" in figures
    assert "\nworker_processes 3.0\n" in figures
