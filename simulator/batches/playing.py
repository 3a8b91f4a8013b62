"""Playing the games of a batch, and ending what takes too much processor time. It brings the compiled engine.

Games are played in blocks that take about half a second, so that a worker can renew its lease and notice a cancellation
in time. The rows do not depend on the size of a block: a game is a function of its number.

Kernels release the interpreter's lock, so that another thread can watch the clock of the one they run in. They look up
only between two turns. One that computes a single turn without end cannot be interrupted: it is left behind in its
thread, its chunk or reply is put right, and then its process ends (`end_process_if_left_behind`); a worker starts
another one. Only workers and commands import this module.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import numpy as np
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError

from simulator.batches import chunks, finalize, prices, requests, service, versions
from simulator.batches.rows import Rows, RowsDigest, packed
from simulator.batches.traffic import empty
from simulator.engine.compilation import compile_players
from simulator.engine.family import family
from simulator.engine.playout import play_block
from simulator.engine.tally import Tally, merged, tally_rows
from simulator.engine.traffic import Sums
from simulator.logs import log_context
from simulator.models import Batch, Chunk
from simulator.problems import is_disk_full

logger = logging.getLogger(__name__)
Result = TypeVar("Result")

BLOCK_SECONDS = 0.5
FIRST_BLOCK_WORK = 200_000
MOST_BLOCK_GAMES = 65_536
MOST_PARTS = 64  # tallies that are merged at once
PATIENCE = 10  # times the expected processor time, after which work is given up
GLANCE_SECONDS = 0.5  # between two looks at the clock
MOST_LOOK_SECONDS = 5.0  # between two looks at whether to go on, and never more than a quarter of a lease
GRACE_SECONDS = 1.0  # for a kernel that is to stop
_left_behind: list[threading.Thread] = []


class Stopped(Exception):
    """The result is no longer needed: the batch was cancelled, or another worker has the chunk."""


class TookTooLong(Exception):
    """The limit of processor time was reached."""


class Allowance:
    """Processor time for several pieces of work together. seconds: None for as much as they take"""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self.spent = 0.0

    def run(
        self, work: Callable[[], Result], goes_on: Callable[[], bool] = lambda: True, halt: np.ndarray | None = None
    ) -> Result:
        """Do the work in a thread while this one watches, and return its result.

        goes_on: called every few seconds; halt: int64[1], which makes a kernel stop between two turns
        Raises Stopped, TookTooLong, and what `work` raises.
        """
        thread = _Working(work)
        thread.start()
        try:
            self._watch(thread, goes_on)
        except BaseException:
            if halt is not None:
                halt[0] = 1
            # A kernel that looks up between two turns ends now; one that does not is remembered.
            thread.join(GRACE_SECONDS)
            if thread.is_alive():
                _left_behind.append(thread)
            raise
        self.spent += thread.seconds
        if thread.error is not None:
            raise thread.error
        result: Result = thread.result
        return result

    def _watch(self, thread: "_Working", goes_on: Callable[[], bool]) -> None:
        looked, pause = time.monotonic(), min(MOST_LOOK_SECONDS, settings.CHUNK_LEASE_SECONDS / 4)
        while True:
            thread.join(GLANCE_SECONDS)
            if not thread.is_alive():
                return
            if self.seconds is not None and self.spent + thread.spent() > self.seconds:
                raise TookTooLong(f"more than {self.seconds:.0f} seconds of processor time were taken")
            if time.monotonic() - looked >= pause:
                looked = time.monotonic()
                if not goes_on():
                    raise Stopped


class _Working(threading.Thread):
    """A thread that keeps the result of its work, and does not keep its process from ending."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.result: Any = None
        self.error: BaseException | None = None
        self.seconds = 0.0

    def run(self) -> None:
        try:
            self.result = self._work()
        except BaseException as error:
            self.error = error
        self.seconds = time.thread_time()

    def spent(self) -> float:
        """Return the seconds of processor time so far."""
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(self.ident or 0))
        except OSError:  # it has just ended
            return self.seconds


def end_process_if_left_behind() -> None:
    """End this process at once if a kernel still computes in it what is no longer needed."""
    if any(thread.is_alive() for thread in _left_behind):
        logger.error("this process ends, since it computes without end; another one takes its place")
        os._exit(1)  # sys.exit would wait for the thread


def blocks(
    request: requests.BatchRequest,
    first_game: int,
    games: int,
    goes_on: Callable[[], bool],
    allowance: Allowance,
    traffic: Sums | None = None,
) -> Iterator[Rows]:
    """Yield the rows of consecutive games, block after block, each block about as long as BLOCK_SECONDS.

    A request of an earlier row version gets the columns that it has there, so that a batch never has rows of two kinds.
    goes_on: called every few seconds; Stopped is raised once it is false, and TookTooLong when the allowance is spent
    traffic: what the games leave on the board is added to it
    """
    if request.uses_search:
        Allowance().run(partial(compile_players, request.ruleset.family), goes_on)
    columns = family(request.ruleset.family).columns_of(request.row_version)
    # The first block is sized by the expected price, each further one by the time that the last took.
    size = max(1, FIRST_BLOCK_WORK * request.games // request.work)
    game, end = first_game, first_game + games
    while game < end:
        size = min(size, MOST_BLOCK_GAMES, end - game)
        started = time.perf_counter()
        halt = np.zeros(1, dtype=np.int64)
        arguments = (request.ruleset, request.players, request.seed, game, size, request.cap, request.until)
        rows = allowance.run(partial(play_block, *arguments, halt=halt, traffic=traffic), goes_on, halt)
        yield rows if len(columns) == rows.shape[1] else rows[:, columns]
        if not goes_on():
            raise Stopped
        seconds = max(time.perf_counter() - started, 1e-3)
        game += size
        # At most four times as large: one quick block may have been luck.
        size = max(1, min(4 * size, int(size * BLOCK_SECONDS / seconds)))


def allowance_for(request: requests.BatchRequest, games: int) -> Allowance:
    """Return the processor time for so many games of a request: many times what they should take."""
    expected = games * prices.game_price(request.ruleset, request.players, request.cap) / 1e6
    return Allowance(settings.CHUNK_PROCESSOR_SECONDS + PATIENCE * expected)


def play_waiting_chunk(
    batch: Batch | None = None, meanwhile: Callable[[], None] = lambda: None, worker: str = versions.COMMAND
) -> bool:
    """Claim a chunk, play and keep it; close its batch and draw its plots if it was the last. False if none waited.

    meanwhile: called between two blocks, so that a reader who waits for something short need not wait for a chunk
    worker:    the name of its node. A worker quarantines a chunk that takes much more processor time than expected
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
    request = requests.request_of_batch(chunk.batch)
    started = time.perf_counter()
    allowance = Allowance() if worker == versions.COMMAND else allowance_for(request, chunk.games)
    counted, kept, left = _Counted(request), [], empty(request)

    def goes_on() -> bool:
        meanwhile()
        return chunks.renew(chunk)

    for rows in blocks(request, chunk.first_game, chunk.games, goes_on, allowance, left):
        counted.add(rows)
        if chunk.batch.rows_kept:
            kept.append(rows)
    chunks.finish(
        chunk,
        rows=packed(np.concatenate(kept)) if kept else None,
        tally=counted.tally.to_json(),
        traffic=None if left is None else left.packed(),
        digest=counted.digest.hexdigest(),
        seconds=time.perf_counter() - started,
        provenance=versions.provenance(worker),
    )


class _Counted:
    """The digest and the tally of blocks of rows, added one after another; the rows need not be kept."""

    def __init__(self, request: requests.BatchRequest) -> None:
        self._measures = family(request.ruleset.family).measures_of(request.row_version)
        self._parts: list[Tally] = []
        self.digest = RowsDigest()

    def add(self, rows: Rows) -> None:
        self.digest.add(rows)
        self._parts.append(tally_rows(rows, self._measures))
        if len(self._parts) == MOST_PARTS:
            self._parts = [self.tally]  # merged now and then: merging is linear in the parts, memory stays bounded

    @property
    def tally(self) -> Tally:
        return merged(self._parts)


def replay_digest(
    request: requests.BatchRequest,
    report: Callable[[int], None],
    keep: Callable[[Rows], None] = lambda rows: None,
    traffic: Sums | None = None,
) -> tuple[str, Tally]:
    """Return the digest and the tally of a batch of this request, from playing it here and keeping nothing.

    report: called after every block with the number of games played so far; keep: with its rows
    traffic: what the games leave on the board is added to it
    """
    counted = _Counted(request)
    played = 0
    for rows in blocks(request, 0, request.games, lambda: True, Allowance(), traffic):
        counted.add(rows)
        keep(rows)
        played += len(rows)
        report(played)
    tally = counted.tally
    return (counted.digest.hexdigest() if service.keeps_rows(request) else tally.digest()), tally
