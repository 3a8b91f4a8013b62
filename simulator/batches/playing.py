"""Playing the games of a batch. Only workers and commands import this module: it brings the compiled engine with it.

Games are played in blocks that take about half a second, so that a worker can renew its lease and notice a cancellation
in time. The rows do not depend on the size of a block: a game is a function of its number.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import numpy as np
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError

from simulator.batches import chunks, finalize, prices
from simulator.batches.processor_time import PATIENCE, Allowance, Stopped, TookTooLong
from simulator.batches.requests import BatchRequest, request_of_batch
from simulator.batches.rows import Rows, RowsDigest, packed
from simulator.batches.service import keeps_rows
from simulator.batches.versions import COMMAND, provenance
from simulator.engine.compilation import compile_players
from simulator.engine.family import family
from simulator.engine.playout import play_block
from simulator.engine.tally import Tally, merged, tally_rows
from simulator.logs import log_context
from simulator.models import Batch, Chunk
from simulator.problems import is_disk_full

logger = logging.getLogger(__name__)

BLOCK_SECONDS = 0.5
FIRST_BLOCK_WORK = 200_000
MOST_BLOCK_GAMES = 65_536
MOST_PARTS = 64  # tallies that are merged at once


def blocks(
    request: BatchRequest, first_game: int, games: int, goes_on: Callable[[], bool], allowance: Allowance
) -> Iterator[Rows]:
    """The rows of consecutive games, block after block, each block about as long as BLOCK_SECONDS.

    A request of an earlier row version gets the columns that it has there, so that a batch never has rows of two kinds.
    goes_on: asked every few seconds; Stopped is raised once it says no, and TookTooLong when the allowance is spent
    """
    if request.uses_search:
        Allowance().run(partial(compile_players, request.ruleset.family), goes_on)
    columns = family(request.ruleset.family).columns_of(request.row_version)
    size = max(1, FIRST_BLOCK_WORK * request.games // request.work)
    game, end = first_game, first_game + games
    while game < end:
        size = min(size, MOST_BLOCK_GAMES, end - game)
        started = time.perf_counter()
        halt = np.zeros(1, dtype=np.int64)
        arguments = (request.ruleset, request.players, request.seed, game, size, request.cap, request.until)
        rows = allowance.run(partial(play_block, *arguments, halt=halt), goes_on, halt)
        yield rows if len(columns) == rows.shape[1] else rows[:, columns]
        if not goes_on():
            raise Stopped
        seconds = max(time.perf_counter() - started, 1e-3)
        game += size
        size = max(1, min(4 * size, int(size * BLOCK_SECONDS / seconds)))


def allowance_for(request: BatchRequest, games: int) -> Allowance:
    """Processor time for so many of its games: many times what they should take, and then no more."""
    expected = games * prices.game_price(request.ruleset, request.players, request.cap) / 1e6
    return Allowance(settings.CHUNK_PROCESSOR_SECONDS + PATIENCE * expected)


def play_waiting_chunk(
    batch: Batch | None = None, meanwhile: Callable[[], None] = lambda: None, worker: str = COMMAND
) -> bool:
    """Claim a chunk, play it, keep it, close its batch and draw its plots if it was the last. False if nothing waited.

    meanwhile: done between two blocks, so that nobody who waits for something short waits for the whole chunk
    worker:    the name of its node. A worker sets a chunk aside that takes much more processor time than it should
    """
    chunk = chunks.claim(batch)
    if chunk is None:
        return False
    with log_context(batch=chunk.batch_id, chunk=str(chunk.number)):
        _play_claimed(chunk, meanwhile, worker)
        if finalize.close_if_complete(chunk.batch_id):
            finalize.draw_if_undrawn(chunk.batch_id)
    return True


def _play_claimed(chunk: Chunk, meanwhile: Callable[[], None], worker: str) -> None:
    started = time.perf_counter()
    try:
        _play(chunk, meanwhile, worker)
        logger.info("%d games played in %.1f s", chunk.games, time.perf_counter() - started)
    except Stopped:
        logger.info("given back")
        chunks.release(chunk)
    except TookTooLong as error:
        logger.warning("chunk %s is set aside: %s", chunk, error)
        chunks.quarantine(chunk, f"These games were given up: {error}, many times what they should take.")
    except Exception as error:
        if isinstance(error, OperationalError | InterfaceError) or is_disk_full(error):
            why = "the disk is full" if is_disk_full(error) else f"the database does not answer ({error})"
            logger.error("%s: chunk %s is given back, and played when that is over", why, chunk)
            with suppress(DatabaseError, InterfaceError):  # else its lease runs out
                chunks.release(chunk)
            return
        logger.exception("chunk %s failed", chunk)
        chunks.fail(chunk, f"{type(error).__name__}: {error}")


def _play(chunk: Chunk, meanwhile: Callable[[], None], worker: str) -> None:
    request = request_of_batch(chunk.batch)
    started = time.perf_counter()
    allowance = Allowance() if worker == COMMAND else allowance_for(request, chunk.games)
    counted, kept = _Counted(request), []
    for rows in blocks(request, chunk.first_game, chunk.games, partial(_hold, chunk, meanwhile), allowance):
        counted.add(rows)
        if chunk.batch.rows_kept:
            kept.append(rows)
    chunks.finish(
        chunk,
        rows=packed(np.concatenate(kept)) if kept else None,
        tally=counted.tally.to_json(),
        digest=counted.digest.hexdigest(),
        seconds=time.perf_counter() - started,
        provenance=provenance(worker),
    )


class _Counted:
    """What blocks of rows come to, one block after another: their rows need not be kept."""

    def __init__(self, request: BatchRequest) -> None:
        self._measures = family(request.ruleset.family).measures_of(request.row_version)
        self._parts: list[Tally] = []
        self.digest = RowsDigest()

    def add(self, rows: Rows) -> None:
        self.digest.add(rows)
        self._parts.append(tally_rows(rows, self._measures))
        if len(self._parts) == MOST_PARTS:
            self._parts = [self.tally]

    @property
    def tally(self) -> Tally:
        return merged(self._parts)


def _hold(chunk: Chunk, meanwhile: Callable[[], None]) -> bool:
    """Hold the chunk for another lease."""
    meanwhile()
    return chunks.renew(chunk)


def replay_digest(
    request: BatchRequest, report: Callable[[int], None], keep: Callable[[Rows], None] = lambda rows: None
) -> tuple[str, Tally]:
    """The digest a batch of this request has, and its tally, from playing it here and keeping nothing.

    report: called after every block with the number of games played so far; keep: with its rows
    """
    counted = _Counted(request)
    played = 0
    for rows in blocks(request, 0, request.games, lambda: True, Allowance()):
        counted.add(rows)
        keep(rows)
        played += len(rows)
        report(played)
    tally = counted.tally
    return (counted.digest.hexdigest() if keeps_rows(request) else tally.digest()), tally
