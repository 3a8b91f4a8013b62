"""Chunks have one owner at a time, visitors share the queue, and a claim costs the same however many wait."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from simulator.batches import chunks
from simulator.batches.queueing import LAST
from simulator.batches.service import request_batch, requeue_batch, stop_batch
from simulator.models import Batch, Chunk

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Batch:
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


GREEDY, MODEST, THIRD = (f"192.0.2.{number}" for number in (1, 2, 3))


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch, settings) -> None:
    settings.VISITOR_WORK_PER_HOUR = settings.VISITOR_WORK_QUEUED = 10**9
    monkeypatch.setattr("simulator.batches.service.MOST_CHUNK_GAMES", 10)


def ask(asker: str, games: int, seed: int = 1) -> Batch:
    """A batch of an address, of the staff (editor) or of the site itself (demo, command)."""
    how = {"origin": asker} if asker in Batch.Origin.values else {"origin": Batch.Origin.VISITOR, "visitor": asker}
    return request_batch("kalah-reference", announce=False, games=games, seed=seed, cap=100, **how)


def claimed(number: int) -> list[str]:
    return [chunk.batch_id for chunk in (chunks.claim() for _ in range(number)) if chunk]


def test_large_batches_do_not_hold_up_a_small_one():
    large = [ask(GREEDY, 40, seed) for seed in (1, 2, 3)]
    small = ask(MODEST, 10, 4)
    assert claimed(13) == [large[0].id, small.id, *[large[0].id] * 3, *[large[1].id] * 4, *[large[2].id] * 4]


def test_newcomer_stands_beside_the_first_of_each_other():
    greedy = [ask(GREEDY, 40, seed) for seed in (1, 2)]
    assert claimed(5) == [greedy[0].id] * 4 + [greedy[1].id]
    other, staff = ask(MODEST, 20, 3), ask(Batch.Origin.EDITOR, 20, 4)
    assert [sorted(claimed(3)) for _ in range(2)] == [sorted([greedy[1].id, other.id, staff.id])] * 2
    assert claimed(2) == [greedy[1].id]


def test_small_batches_do_not_starve_a_large_one():
    large = ask(GREEDY, 40)
    taken = []
    for seed in range(2, 8):
        ask(MODEST, 10, seed)
        taken += claimed(1)
    assert taken.count(large.id) == 3


def test_staff_are_one_client_and_the_site_comes_last():
    demo = ask(Batch.Origin.DEMO, 20)
    staff = [ask(Batch.Origin.EDITOR, 20, seed) for seed in (2, 3)]
    visitor = ask(MODEST, 20, 4)
    expected = [staff[0].id, visitor.id] * 2 + [staff[1].id] * 2 + [demo.id] * 2
    assert claimed(8) == expected


def test_what_runs_on_stands_where_the_queue_is_now():
    stopped, other = ask(GREEDY, 40), ask(MODEST, 40, 2)
    assert claimed(4) == [stopped.id, other.id] * 2
    stop_batch(stopped)
    assert set(stopped.chunks.filter(state=Chunk.State.QUEUED).values_list("lane", flat=True)) == {Chunk.Lane.PARKED}
    assert claimed(1) == [other.id]
    requeue_batch(stopped)
    fresh = ask(THIRD, 10, 3)
    assert sorted(claimed(3)) == sorted([stopped.id, other.id, fresh.id])
    assert claimed(9) == [stopped.id] * 3


def test_what_a_vanished_worker_left_comes_first():
    demo = ask(Batch.Origin.DEMO, 20)
    assert claimed(1) == [demo.id]
    Chunk.objects.filter(state=Chunk.State.CLAIMED).update(lease_until="2026-01-01T00:00Z")
    visitor = ask(MODEST, 10, 2)
    assert claimed(3) == [demo.id, visitor.id, demo.id]


def test_chunks_as_release_0_2_0_writes_them_are_claimed():
    batch = ask(MODEST, 10)
    with connection.cursor() as cursor:
        columns = "batch_id, number, first_game, games, state, attempts, error, digest"
        cursor.execute(
            f"INSERT INTO simulator_chunk ({columns}) VALUES (%s, 1, 10, 10, 'queued', 0, '', '')", [batch.id]
        )
    assert sorted(chunk.number for chunk in (chunks.claim(), chunks.claim()) if chunk) == [0, 1]


def test_what_no_worker_here_plays_does_not_hold_the_queue_back():
    older = ask(THIRD, 10, 9)
    Batch.objects.filter(id=older.id).update(family_version=0)
    large = ask(GREEDY, 40)
    assert claimed(3) == [large.id] * 3
    assert ask(MODEST, 10, 2).chunks.get().turn == large.chunks.get(number=3).turn


def test_a_claim_reads_chunks_in_the_order_of_an_index():
    ask(GREEDY, 4_000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE main")
    with CaptureQueriesContext(connection) as captured:
        chunks.claim()
    asked = [one["sql"] for one in captured if re.match(r"SELECT .*ORDER BY", one["sql"])]
    plans = []
    with connection.cursor() as cursor:
        for sql in asked:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            plans.append(" ".join(row[3] for row in cursor.fetchall()))
    assert "USING INDEX chunk_by_state" in plans[0]
    assert "chunk_by_turn (state=?)" in plans[1]
    assert not any("TEMP B-TREE" in plan or "SCAN simulator" in plan for plan in plans)


def test_huge_work_leaves_turns_that_fit_the_database():
    """What nobody expects to end, twice; whoever comes after it is still before the end of time."""
    for seed in (1, 2):
        endless = ask(Batch.Origin.EDITOR, 10, seed)
        Batch.objects.filter(id=endless.id).update(work=2**62)
        Chunk.objects.filter(batch=endless).update(turn=LAST)
    last = ask(Batch.Origin.EDITOR, 20, 3)
    assert {chunk.turn for chunk in last.chunks.all()} == {LAST}
    assert claimed(1) != [last.id]
