"""Several machines play one edition: `deploy/node` on each, with the same PostgreSQL and the same broker."""

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from simulator.servers import EmbeddedBroker, Server
from tests.services.machine import ROOT, Machine, wait_for

pytestmark = pytest.mark.services
NODE = str(ROOT / "deploy" / "node")
PLAN: dict[str, Any] = {
    "seed": 1,
    "cap": 200,
    "games": ["koti-keliya", "niranchy"],
    "levels": [{"level": "random", "points": 2, "until": "game"}, {"level": "greedy", "points": 5, "until": "game"}],
    "studies": [],
    "claims": {"games": 20},
    "ladders": {"games": 12, "cap": 150, "levels": ["random", "greedy"]},
    "solutions": [],
    "coarser": [],
}


def test_a_node_without_the_sites_servers_says_so(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "")
    for change, words in (({}, "SQLite is a file"), ({"DATABASE_URL": "postgresql://x@127.0.0.1:1/x"}, "REDIS_URL")):
        environment = {**machine.environment, "GAMES_ENVIRONMENT": "/dev/null", **change}
        done = subprocess.run([NODE], env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr


@pytest.mark.proof
def test_two_nodes_play_one_edition(broker: EmbeddedBroker, shipped_postgres_url: str, tmp_path: Path) -> None:
    machines = [Machine(tmp_path / name, broker.url) for name in ("first", "second")]
    for machine in machines:
        machine.folder.mkdir()
        machine.environment |= {"DATABASE_URL": shipped_postgres_url, "GAMES_ENVIRONMENT": "/dev/null"}
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    paths = ("--plan", str(tmp_path / "plan.json"), "--folder", str(tmp_path / "edition"))
    with node(machines[0], "first"), node(machines[1], "second"):
        built = json.loads(machines[0].manage("edition", "build", *paths, "--json").stdout)
    assert built["failed"] == []
    assert built["written"] == built["parts"] > 10
    with psycopg.connect(shipped_postgres_url) as connection:
        rows = connection.execute("SELECT provenance->>'worker', count(*) FROM simulator_chunk GROUP BY 1").fetchall()
    assert {name for name, _ in rows} == {"first", "second"}
    verified = json.loads(machines[1].manage("edition", "verify", *paths, "--sample", "4", "--json").stdout)
    assert [part["differences"] for part in verified["parts"]] == [[]] * 4


@contextlib.contextmanager
def node(machine: Machine, name: str) -> Iterator[Server]:
    log = machine.folder / "node.log"
    server = Server.start(f"node {name}", [NODE, "1"], log, {**machine.environment, "NODE": name})
    try:
        wait_for(lambda: "ready." in log.read_text() or not server.is_running, "the node is ready")
        assert server.is_running, server.last_lines()
        yield server
    finally:
        server.stop(patience=10)
