"""The demo: one command starts everything, and a Ctrl-C leaves nothing behind."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from catalogue.demo.servers import MOST_RESTARTS, WITHIN_SECONDS, Part, PartLost
from simulator import servers
from simulator.servers import Server
from tests.services.machine import PATIENCE, ROOT, Machine, alive, children_of, descendants_of, wait_for

pytestmark = pytest.mark.services


class Demo:
    """A running `manage.py demo`, as a terminal has it: Ctrl-C goes to its whole process group."""

    def __init__(self, machine: Machine) -> None:
        self.output = machine.folder / "demo.txt"
        self.machine = machine
        with self.output.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-u", "manage.py", "demo", "--port", "18431"],
                cwd=ROOT,
                env=machine.environment,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        return self.output.read_text()

    def wait_until_it_says(self, words: str) -> None:
        wait_for(lambda: words in self.text or self.process.poll() is not None, f"the demo says {words!r}")
        assert words in self.text, self.text

    def address(self) -> str:
        self.wait_until_it_says("The catalogue is at")
        return re.search(r"http://127\.0\.0\.1:\d+", self.text).group()

    def interrupt(self, times: int = 1) -> int:
        for _ in range(times):
            os.killpg(self.process.pid, signal.SIGINT)
            time.sleep(0.2)
        return self.process.wait(PATIENCE)


@pytest.fixture
def machine(tmp_path) -> Machine:
    """Without a broker: the demo brings its own, and says in a file where it is."""
    machine = Machine(tmp_path, broker="")
    del machine.environment["REDIS_URL"]
    return machine


@pytest.fixture
def start(machine: Machine) -> Iterator[Callable[[], Demo]]:
    started: list[Demo] = []

    def one() -> Demo:
        started.append(Demo(machine))
        return started[-1]

    yield one
    for demo in started:
        if demo.process.poll() is None:
            demo.interrupt()


ASK = """
from simulator.batches.service import request_batch
print(request_batch("dam-parker", games=200, players="uct:100", cap=300).id)
"""
SAYS_AGAIN = "The {} stopped by itself (signal 9) and was started again ({} of at most 3 times)"


@pytest.mark.proof
def test_lost_parts_come_back_and_ctrl_c_stops_everything(machine: Machine, start, shipped_database: Path):
    """Broker, worker and site are killed while a batch runs. At the second start the broker dies once too often."""
    shutil.copy(shipped_database, machine.folder / "db.sqlite3")
    demo = start()
    address = demo.address()
    wait_for(lambda: "<html" in fetched(address), "the site answers")
    assert (machine.folder / "broker_url").stat().st_mode & 0o777 == 0o600
    password = re.search(r"password (\S+)", demo.text).group(1)
    for log in (machine.folder / "logs").iterdir():
        assert "Traceback" not in log.read_text()
    batch = machine.manage("shell", "-v0", "-c", ASK).stdout.split()[-1]

    def chunks_done() -> int:
        return machine.count("SELECT count(*) FROM simulator_chunk WHERE state = 'done' AND batch_id = ?", batch)

    wait_for(chunks_done, "the first games are played")
    for name, command in (("broker", "valkey-server"), ("worker", "celery"), ("site", "gunicorn")):
        os.kill(leader(demo, command), signal.SIGKILL)
        demo.wait_until_it_says(SAYS_AGAIN.format(name, 1))
    done = chunks_done()
    wait_for(lambda: chunks_done() > done, "the batches go on")
    wait_for(lambda: "<html" in fetched(address), "the site answers again")
    started = descendants_of(demo.process.pid)
    assert all(name in str(started) for name in ("gunicorn", "celery", "valkey-server"))
    assert demo.interrupt(times=2) == 0
    assert "Everything is stopped. Meanwhile had to be started again: the broker (1 ×)" in demo.text
    assert [name for pid, name in started.items() if alive(pid)] == []
    assert not (machine.folder / "broker_url").exists()

    again = start()
    again.address()
    assert "password" not in again.text
    for times in (1, 2, 3):
        os.kill(leader(again, "valkey-server"), signal.SIGKILL)
        again.wait_until_it_says(SAYS_AGAIN.format("broker", times))
    started = descendants_of(again.process.pid)
    os.kill(leader(again, "valkey-server"), signal.SIGKILL)
    assert again.process.wait(PATIENCE) == 1
    assert "The broker stopped by itself (signal 9), after it was started again 3 times" in again.text
    assert [name for pid, name in started.items() if alive(pid)] == []
    check = (
        "from django.contrib.auth import authenticate; from django.http import HttpRequest; "
        f"print(authenticate(HttpRequest(), username='editor', password='{password}'))"
    )
    assert machine.manage("shell", "-v0", "-c", check).stdout.strip() == "editor"


def test_a_command_killed_outright_takes_its_servers_with_it(tmp_path: Path):
    start = "from simulator.servers import Server; from pathlib import Path; import sys, time; "
    start += "print(Server.start('a', ['sleep', '300'], Path(sys.argv[1])).process.pid, flush=True); time.sleep(300)"
    with subprocess.Popen(
        [sys.executable, "-c", start, str(tmp_path / "log")], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as command:
        pid = int(command.stdout.readline())
        assert alive(pid)
        command.kill()
    wait_for(lambda: not alive(pid), "the server has ended")


def leader(demo: Demo, command: str) -> int:
    """The process of that server which the demo itself has started."""
    return next(pid for pid in children_of(demo.process.pid) if command in descendants_of(demo.process.pid)[pid])


@pytest.mark.by_turns
def test_a_part_is_started_again_so_often_and_no_oftener(tmp_path: Path):
    """The rule of the demo, with servers that end at once."""
    said: list[str] = []
    command = [sys.executable, "-c", "import sys; print('my last words'); sys.exit(7)"]
    part = Part("site", lambda: Server.start("site", command, tmp_path / "site.log"), patience=1)
    for _ in range(MOST_RESTARTS):
        part.server.process.wait(PATIENCE)
        part.watch(said.append)
    assert [words.partition(";")[0] for words in said] == [
        f"The site stopped by itself (status 7) and was started again ({number} of at most {MOST_RESTARTS} times)"
        for number in range(1, MOST_RESTARTS + 1)
    ]
    part.server.process.wait(PATIENCE)
    with pytest.raises(PartLost, match=r"after it was started again 3 times:\n(my last words\n?){4}"):
        part.watch(said.append)
    long_ago = time.monotonic() - WITHIN_SECONDS - 1
    part.restarts[:] = [long_ago] * 5
    part.watch(said.append)
    assert "(1 of at most 3 times)" in said[-1]
    part.stop()


def test_a_broker_comes_back_where_it_was(tmp_path: Path):
    place = servers.free_place()
    part = Part("broker", lambda: servers.start(tmp_path / "log", place).server, patience=1)
    part.server.process.kill()
    part.server.process.wait()
    said: list[str] = []
    part.watch(said.append)
    assert len(said) == 1
    with redis.Redis.from_url(place.url) as client:
        assert client.ping()
    part.stop()


@pytest.mark.thorough
def test_a_wrong_port_is_named(machine: Machine):
    refused = machine.manage("demo", "--port", "80", status=2)
    assert "from 1024 to 65535" in refused.stderr
    assert not (machine.folder / "db.sqlite3").exists()


def fetched(address: str) -> str:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.read().decode()
    except OSError:
        return ""
