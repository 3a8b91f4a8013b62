"""Batches asked for, played, cancelled, run on and thrown away, in one process and with the real engine."""

import hashlib
import io
import json
import zlib
from contextlib import nullcontext
from unittest import mock

import numpy as np
import pytest
from django.core.management import call_command
from django.utils import timezone

from simulator import workers
from simulator.batches import chunks, dispatch, finalize, playing, service
from simulator.batches.requests import check_request, request_of_batch
from simulator.batches.rows import csv_lines, digest_of, kept_rows, packed, unpacked
from simulator.engine.family import family
from simulator.locks import BATCHES, exclusive
from simulator.management.command_line import CommandFailed
from simulator.models import Batch, Chunk, Plot, Ruleset, RulesetVersion
from simulator.plots import PlotDrawing
from simulator.problems import DigestsDiffer, WrongRequest
from tests.catalogue.page_world import with_plots

pytestmark = pytest.mark.django_db
WANTED = {"games": 300, "seed": 7, "cap": 300}


@pytest.fixture
def quickly_drawn(monkeypatch):
    """One drawing stands for the plots, made of the tally in no time."""

    def draw(tally, measures, context, summary):
        return [PlotDrawing("results", "Results", "", "", f"<svg>{tally.digest()}</svg>", 400, {})]

    monkeypatch.setattr("simulator.plots.draw_all", draw)


def played(name: str = "kalah-reference", is_drawn: bool = False, **wanted) -> Batch:
    batch = service.request_batch(name, announce=False, **{**WANTED, **wanted})
    with with_plots() if is_drawn else nullcontext():
        while playing.play_waiting_chunk(batch):
            pass
    batch.refresh_from_db()
    return batch


def rows_of(batch: Batch) -> np.ndarray:
    return np.concatenate([rows for _, rows in kept_rows(batch)])


def test_the_id_is_the_hash_of_what_was_asked_for():
    request = check_request("oware-reference", **WANTED)
    version = family("sowing").rules_version
    # RFC 8785: keys in order, no white space
    canonical = (
        f'{{"cap":300,"family_version":{version},"games":300,"players":"random,random",'
        f'"ruleset":"{request.ruleset.hash}","seed":7,"until":"game"}}'
    )
    assert request.id == hashlib.sha256(canonical.encode()).hexdigest()[:16]


def test_the_same_request_is_the_same_batch_and_is_played_once():
    first = played()
    again = service.request_batch("kalah-reference", announce=False, **WANTED)
    assert again == first
    assert again.state == Batch.State.DONE
    assert playing.play_waiting_chunk(again) is False


@pytest.mark.by_turns
def test_a_closed_batch_carries_tally_figures_and_plots():
    batch = played(is_drawn=True)
    assert (batch.state, batch.tally["games"]) == (Batch.State.DONE, 300)
    assert batch.summary["context"]["ruleset"] == batch.ruleset_id
    assert batch.digest == digest_of(rows_of(batch))
    plots = Plot.objects.filter(batch=batch)
    assert plots.exists()
    assert all(plot.svg.lstrip().startswith("<") and plot.title for plot in plots)


def test_batch_is_done_before_its_plots_are_drawn(monkeypatch, quickly_drawn):
    drawn = {plot.kind: plot.svg for plot in played(games=40, is_drawn=True).plots.all()}
    Batch.objects.all().delete()
    batch = played(games=40)  # the worker dies before it draws
    assert (batch.state, batch.plots.count()) == (Batch.State.DONE, 0)
    assert batch.summary["context"]["batch"] == batch.id
    asked = []
    monkeypatch.setattr(dispatch, "messages_waiting", lambda: 0)
    monkeypatch.setattr(dispatch, "notify_of_close", asked.append)
    monkeypatch.setattr(dispatch, "notify_of_chunks", lambda count: None)
    chunks.recover()
    assert asked == []  # somebody may be drawing
    Batch.objects.update(closed=timezone.now() - finalize.LONGEST_DRAWING)
    chunks.recover()
    assert asked == [batch.id]
    with with_plots():
        workers.close_batch(batch.id)
        workers.close_batch(batch.id)
    assert {plot.kind: plot.svg for plot in batch.plots.all()} == drawn
    chunks.recover()
    assert asked == [batch.id]


@pytest.mark.by_turns
@pytest.mark.parametrize(("size", "games"), [(1, 10), (70, 300)])
def test_rows_and_digests_do_not_depend_on_the_size_of_chunks(size, games, monkeypatch):
    whole = played(games=games)
    digests, rows = (whole.digest, whole.tally_digest), rows_of(whole)
    service.purge_batch(whole)
    monkeypatch.setattr("simulator.batches.service.MOST_CHUNK_GAMES", size)
    parts = played(games=games)
    assert parts.chunks.count() == -(-games // size)
    assert (rows_of(parts) == rows).all()
    assert (parts.digest, parts.tally_digest) == digests


def test_a_batch_too_large_for_rows_keeps_its_tally_alone(monkeypatch):
    kept = played()
    tally_digest = kept.tally_digest
    service.purge_batch(kept)
    monkeypatch.setattr("simulator.batches.service.MOST_GAMES_WITH_ROWS", 299)
    batch = played()
    assert not batch.rows_kept
    assert not batch.chunks.filter(rows__isnull=False).exists()
    assert batch.digest == batch.tally_digest == tally_digest
    assert service.batch_answer(batch, "x")["digest_of"] == "tally"


def test_blocks_are_counted_one_by_one_and_come_to_the_whole(monkeypatch):
    whole, reported = played(), []
    monkeypatch.setattr("simulator.batches.playing.MOST_BLOCK_GAMES", 37)
    monkeypatch.setattr("simulator.batches.playing.MOST_PARTS", 2)
    digest, tally = playing.replay_digest(request_of_batch(whole), reported.append)
    assert (digest, tally.digest()) == (whole.digest, whole.tally_digest)
    assert reported[-1] == 300


def test_chunks_are_longer_where_no_rows_are_kept():
    kept, counted = (
        service.chunk_size(check_request("kalah-reference", games=games)) for games in (1_000_000, 2_000_000)
    )
    assert kept == service.MOST_CHUNK_GAMES
    assert 2 * kept < counted <= service.MOST_CHUNK_GAMES_WITHOUT_ROWS


def test_packed_rows_are_columns_of_little_endian_int32():
    rows = np.array([[1, -1], [2, 256]], dtype=np.int32)
    assert zlib.decompress(packed(rows)).hex() == "0100000002000000ffffffff00010000"
    assert (unpacked(packed(rows), 2) == rows).all()


def test_the_csv_has_a_line_for_every_game():
    batch = played(games=20)
    lines = "".join(csv_lines(batch)).splitlines()
    names = [measure.name for measure in family("sowing").measures]
    assert lines[0].split(",") == ["game", *names]
    assert [list(map(int, line.split(","))) for line in lines[1:]] == [
        [game, *row] for game, row in enumerate(rows_of(batch).tolist())
    ]


def test_games_count_as_done_with_their_chunk(monkeypatch):
    monkeypatch.setattr("simulator.batches.service.MOST_CHUNK_GAMES", 100)
    batch = service.request_batch("kalah-reference", announce=False, **WANTED)
    assert playing.play_waiting_chunk(batch)
    done = service.progress_of(batch)
    assert (done.games_done, done.games, done.chunks_done, done.chunks, done.percent) == (100, 300, 1, 3, 33)


@pytest.mark.by_turns
def test_cancelled_batch_runs_on_from_what_it_has(monkeypatch):
    monkeypatch.setattr("simulator.batches.dispatch.notify_of_chunks", lambda waiting: False)  # no broker, no worker
    monkeypatch.setattr("simulator.batches.service.MOST_CHUNK_GAMES", 100)
    expected = played().digest
    service.purge_batch(Batch.objects.get())
    batch = service.request_batch("kalah-reference", announce=False, **WANTED)
    playing.play_waiting_chunk(batch)
    assert service.stop_batch(batch)
    assert not service.stop_batch(batch)
    assert playing.play_waiting_chunk(batch) is False
    with mock.patch("simulator.batches.service.exclusive", wraps=exclusive) as alone:
        batch = service.requeue_batch(batch)
    alone.assert_called_once_with(BATCHES)  # who counts what waits meanwhile, waits
    assert batch.chunks.filter(state=Chunk.State.DONE).count() == 1
    assert played().digest == expected


def test_figures_and_plots_are_made_again_from_what_is_kept(quickly_drawn):
    batch = played(games=40, is_drawn=True)
    drawn = {plot.kind: (plot.svg, plot.height) for plot in batch.plots.all()}
    other = service.request_batch("kalah-reference", announce=False, games=5)
    Plot.objects.filter(batch=batch).update(svg="<svg/>", height=1)
    Batch.objects.filter(id=batch.id).update(summary={})
    said = io.StringIO()
    call_command("batches", "redraw", stdout=said)
    assert said.getvalue() == f"{batch} drawn anew\n"
    call_command("batches", "redraw", other.id[:8], stdout=said)
    assert said.getvalue().endswith(f"{other} has nothing to draw: it is running\n")
    assert {plot.kind: (plot.svg, plot.height) for plot in batch.plots.all()} == drawn
    assert Batch.objects.get(id=batch.id).summary == batch.summary


def test_only_a_stopped_batch_can_be_queued_again():
    with pytest.raises(WrongRequest, match="is done"):
        service.requeue_batch(played(games=5))


def test_unexpected_error_is_retried_three_times():
    batch = service.request_batch("kalah-reference", announce=False, **WANTED)
    broken = Ruleset.objects.create(hash="f" * 64, family="sowing", document={"family": "sewing"})
    Batch.objects.filter(id=batch.id).update(ruleset=broken)
    assert [playing.play_waiting_chunk(batch) for _ in range(5)] == [True, True, True, True, False]
    batch.refresh_from_db()
    assert batch.state == Batch.State.FAILED
    [error] = service.progress_of(batch).errors
    assert "sewing" in error


def test_different_results_of_a_chunk_are_an_error():
    batch = played(games=5)
    chunk = batch.chunks.get()
    chunks.finish(chunk, rows=b"other bytes", tally={}, digest=chunk.digest, seconds=1)  # the same result twice
    assert bytes(batch.chunks.get().rows) != b"other bytes"
    with pytest.raises(DigestsDiffer, match=f"{chunk.digest} and 0000"):
        chunks.finish(chunk, rows=b"", tally={}, digest="0" * 64, seconds=1)
    batch.refresh_from_db()
    assert batch.state == Batch.State.FAILED


def test_the_command_of_a_batch_asks_for_the_same_batch():
    batch = service.request_batch("kalah-reference", announce=False, **WANTED)
    RulesetVersion.objects.create(slug="kalah-reference", ruleset=batch.ruleset, date="2026-01-01")
    words = service.simulate_command(batch).split()
    asked = dict(zip(words[3:-2:2], words[4:-2:2], strict=True))
    wanted = {key.removeprefix("--"): value for key, value in asked.items()}
    assert words[:3] == ["manage.py", "simulate", "kalah-reference@1"]
    assert check_request(words[2], **wanted).id == batch.id


def test_a_batch_is_found_by_the_beginning_of_its_id():
    batch = service.request_batch("kalah-reference", announce=False, **WANTED)
    assert service.named_batch(batch.id[:6]) == batch
    with pytest.raises(WrongRequest, match=f"no batch 'zz'.*{batch.id}"):
        service.named_batch("zz")


def test_everything_of_an_answer_is_json():
    batch = played(games=5)
    answer = json.loads(json.dumps(service.batch_answer(batch, "kalah-reference")))
    assert (answer["games"], answer["seed"], answer["cap"], answer["players"]) == (5, 7, 300, "random,random")
    assert answer["summary"]["games"] == 5


def test_batch_is_reproduced_or_both_digests_are_printed():
    batch, said = played(games=40), io.StringIO()
    call_command("reproduce", batch.id[:8], stdout=said)
    assert said.getvalue() == f"{batch} reproduced: the same digest ({batch.digest[:16]}…)\n"
    Batch.objects.filter(id=batch.id).update(digest="0" * 64)
    with pytest.raises(CommandFailed, match=f"has digest {'0' * 64}, and its games played again have {batch.digest}"):
        call_command("reproduce", batch.id, "--json", stdout=said)
    assert '"same": false' in said.getvalue()
