"""A database that is full or does not answer while games are played costs time, not games, and counts as no failure."""

import sqlite3
from contextlib import closing, contextmanager

import pytest
from django.db import connection

from simulator.batches import playing
from simulator.batches.service import request_batch
from simulator.models import Batch, Chunk

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def batch() -> Batch:
    return request_batch("kalah-reference", announce=False, games=2_000, seed=7, cap=300)


def pragma(words: str) -> int:
    with connection.cursor() as cursor:
        return cursor.execute(f"PRAGMA {words}").fetchone()[0]


@contextmanager
def full_disk():
    """The file of the database cannot grow, as SQLite says it of a disk that is full."""
    most = pragma("max_page_count")
    with connection.cursor() as cursor:  # what other tests left free inside it is taken too
        cursor.execute("CREATE TABLE filling AS SELECT zeroblob(%s) AS bytes", [pragma("freelist_count") * 4_096])
    pragma(f"max_page_count = {pragma('page_count')}")
    yield
    pragma(f"max_page_count = {most}")
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE filling")


def state(batch: Batch) -> tuple[str, int, str]:
    return batch.chunks.values_list("state", "attempts", "error").get()


def test_a_chunk_waits_for_room_when_the_disk_is_full(batch, caplog):
    with full_disk():
        playing.play_waiting_chunk(batch)
        assert state(batch) == (Chunk.State.QUEUED, 0, "")
    assert "the disk is full" in caplog.text
    playing.play_waiting_chunk(batch)
    assert state(batch) == (Chunk.State.DONE, 1, "")


def test_chunk_is_given_back_when_the_database_is_away(batch, caplog):
    with closing(sqlite3.connect(connection.settings_dict["NAME"], uri=True)) as other:
        playing.play_waiting_chunk(batch, meanwhile=lambda: other.execute("BEGIN IMMEDIATE") and None)
    assert "the database does not answer" in caplog.text
    assert state(batch) == (Chunk.State.CLAIMED, 1, "")  # its lease runs out
    Chunk.objects.update(lease_until="2026-01-01T00:00:00Z")
    playing.play_waiting_chunk(batch)
    assert state(batch) == (Chunk.State.DONE, 2, "")
