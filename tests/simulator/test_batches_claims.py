"""A chunk has one owner at a time: leases, tokens and the order of claims."""

from datetime import timedelta

import pytest
from django.utils import timezone

from simulator.batches import chunks
from simulator.batches.service import request_batch, stop_batch
from simulator.models import Batch, Chunk

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(monkeypatch) -> Batch:
    monkeypatch.setattr("simulator.batches.service.MOST_CHUNK_GAMES", 10)
    return request_batch("kalah-reference", announce=False, games=30, cap=100)


def lapse(chunk: Chunk) -> None:
    Chunk.objects.filter(id=chunk.id).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_every_claim_gets_another_chunk_until_none_is_left(batch):
    claimed = [chunks.claim() for _ in range(4)]
    assert [chunk and chunk.number for chunk in claimed] == [0, 1, 2, None]


def test_first_owner_of_a_lapsed_chunk_has_lost_it(batch):
    first = chunks.claim()
    assert chunks.renew(first)
    lapse(first)
    second = chunks.claim()
    assert (second.id, second.attempts) == (first.id, 2)
    assert not chunks.renew(first)
    chunks.fail(first, "too late")
    chunks.release(first)
    second.refresh_from_db()
    assert (second.state, second.error) == (Chunk.State.CLAIMED, "")
    assert chunks.renew(second)


def test_a_cancelled_batch_takes_the_chunk_from_its_worker(batch):
    chunk = chunks.claim()
    stop_batch(batch)
    assert not chunks.renew(chunk)
    assert chunks.claim() is None


def test_a_released_attempt_does_not_count(batch):
    chunk = chunks.claim()
    chunks.release(chunk)
    chunk.refresh_from_db()
    assert (chunk.state, chunk.attempts) == (Chunk.State.QUEUED, 0)


def test_a_chunk_whose_workers_vanish_eight_times_is_set_aside(batch):
    for attempt in range(1, 9):
        chunk = chunks.claim()
        assert (chunk.number, chunk.attempts) == (0, attempt)
        assert chunks.quarantine_vanished() == 0
        lapse(chunk)
    assert chunks.quarantine_vanished() == 1
    chunk.refresh_from_db()
    assert "vanished, 8 times" in chunk.error
    assert chunks.claim().number == 1


def test_people_on_the_site_go_before_the_demo_and_commands(batch):
    asked = request_batch(
        "oware-reference", announce=False, games=10, cap=100, origin=Batch.Origin.VISITOR, visitor="192.0.2.1"
    )
    assert [chunks.claim().batch_id for _ in range(2)] == [asked.id, batch.id]


def test_a_claim_can_be_kept_to_one_batch(batch):
    other = request_batch("oware-reference", announce=False, games=10, cap=100)
    assert chunks.claim(other).batch_id == other.id
    assert chunks.claim(other) is None
