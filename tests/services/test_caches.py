"""The shared cache does not grow without end, and stays out of the broker's database."""

import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from catalogue.config.environment import next_database
from simulator.servers import EmbeddedBroker
from tests.services.machine import Machine

pytestmark = pytest.mark.services

VISIT = """
from django.test import Client
from simulator.batches.service import request_batch
from catalogue.search import ranking
ranking.LONG = 0
batch = request_batch("kalah-reference", games=3)
visitor = Client()
games = [f"/batches/{batch.id}/games/{number}/" for number in range(2)]
for address in ("/", "/search/?q=sown", *games, "/api/v1/games/", "/map/", "/evidence/DLP.Evidence.692/"):
    assert visitor.get(address).status_code == 200, address
"""


@pytest.mark.thorough
def test_every_key_has_its_time_and_none_is_beside_the_messages(
    broker: EmbeddedBroker, shipped_database: Path, tmp_path: Path
) -> None:
    machine = Machine(tmp_path, broker.url)
    shutil.copy(shipped_database, tmp_path / "db.sqlite3")
    machine.manage("shell", "-v0", "-c", VISIT)
    with redis.Redis.from_url(broker.url) as messages, redis.Redis.from_url(next_database(broker.url)) as cache:
        assert list(messages.scan_iter("games:*")) == []
        assert messages.llen("celery") == 1
        lives = {key.decode(): cache.ttl(key) for key in cache.scan_iter()}
    assert {key.partition(":")[0] for key in lives} == {"games"}
    assert len(lives) > 8
    assert {key for key, seconds in lives.items() if seconds < 0} == set()


@pytest.mark.parametrize(
    ("broker_url", "place"),
    [
        ("redis://:secret@127.0.0.1:6379/0", "redis://:secret@127.0.0.1:6379/1"),
        ("redis://127.0.0.1:6379", "redis://127.0.0.1:6379/1"),
        ("rediss://example.org/15", "rediss://example.org/0"),
        ("unix:///run/valkey.sock?db=3", "unix:///run/valkey.sock?db=4"),
        ("unix:///run/valkey.sock", "unix:///run/valkey.sock?db=1"),
    ],
)
def test_the_cache_has_the_next_database_of_the_same_server(broker_url: str, place: str) -> None:
    assert next_database(broker_url) == place
    assert urlsplit(place).netloc == urlsplit(broker_url).netloc
