"""Playing the games of a batch. Only workers and commands import this module: it brings the compiled engine with it.

Games are played in blocks that take about half a second, so that a worker can renew its lease and notice a cancellation
in time. The rows do not depend on the size of a block: a game is a function of its number.
"""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import TypeVar

import numpy as np

from simulator.batches import chunks, finalize
from simulator.batches.requests import BatchRequest, request_of_batch
from simulator.batches.rows import Rows, RowsDigest, digest_of, packed
from simulator.batches.service import MOST_GAMES_WITH_ROWS
from simulator.engine.compilation import compile_players
from simulator.engine.family import family
from simulator.engine.playout import play_block
from simulator.engine.tally import Tally, tally_rows
from simulator.logs import known
from simulator.models import Batch, Chunk

Result = TypeVar("Result")
logger = logging.getLogger(__name__)

BLOCK_SECONDS = 0.5
LOOK_SECONDS = 5.0  # between two looks at whether to go on, well within a lease
FIRST_BLOCK_TURNS = 200_000
MOST_BLOCK_GAMES = 65_536


class Stopped(Exception):
    """The batch was cancelled, or somebody else has the chunk."""


def blocks(request: BatchRequest, first_game: int, games: int, goes_on: Callable[[], bool]) -> Iterator[Rows]:
    """The rows of consecutive games, block after block, each block about as long as BLOCK_SECONDS.

    goes_on: called every few seconds; raises Stopped once it says no
    """
    if request.thinks:
        _in_thread(partial(compile_players, request.ruleset.family), goes_on)
    size = max(1, FIRST_BLOCK_TURNS * request.games // request.work)
    game, end = first_game, first_game + games
    while game < end:
        size = min(size, MOST_BLOCK_GAMES, end - game)
        started = time.perf_counter()
        yield _block(request, game, size, goes_on)
        if not goes_on():
            raise Stopped
        seconds = max(time.perf_counter() - started, 1e-3)
        game += size
        size = max(1, min(4 * size, int(size * BLOCK_SECONDS / seconds)))


def _block(request: BatchRequest, game: int, size: int, goes_on: Callable[[], bool]) -> Rows:
    """One block. A single game of players who think may be long, so it is played in a thread of its own."""
    arguments = (request.ruleset, request.players, request.seed, game, size, request.cap, request.until)
    if not request.thinks:
        return play_block(*arguments)
    halt = np.zeros(1, dtype=np.int64)
    return _in_thread(partial(play_block, *arguments, halt=halt), goes_on, halt)


def _in_thread(work: Callable[[], Result], goes_on: Callable[[], bool], halt: np.ndarray | None = None) -> Result:
    """What `work` returns, done in a thread while this one asks every few seconds whether to go on."""
    with ThreadPoolExecutor(1) as beside:
        working = beside.submit(work)
        try:
            while not wait((working,), timeout=LOOK_SECONDS).done:
                if not goes_on():
                    raise Stopped
        except BaseException:
            if halt is not None:
                halt[0] = 1
            raise
        return working.result()


def play_waiting_chunk(batch: Batch | None = None, meanwhile: Callable[[], None] = lambda: None) -> bool:
    """Claim a chunk, play it, keep it, close its batch if it was the last. False if nothing waited.

    meanwhile: done between two blocks, so that nobody who waits for something short waits for the whole chunk
    """
    chunk = chunks.claim(batch)
    if chunk is None:
        return False
    with known(batch=chunk.batch_id, chunk=str(chunk.number)):
        _play_claimed(chunk, meanwhile)
        finalize.close_if_complete(chunk.batch_id)
    return True


def _play_claimed(chunk: Chunk, meanwhile: Callable[[], None]) -> None:
    started = time.perf_counter()
    try:
        _play(chunk, meanwhile)
        logger.info("%d games played in %.1f s", chunk.games, time.perf_counter() - started)
    except Stopped:
        logger.info("given back")
        chunks.release(chunk)
    except Exception as error:
        logger.exception("chunk %s failed", chunk)
        chunks.fail(chunk, f"{type(error).__name__}: {error}")


def _play(chunk: Chunk, meanwhile: Callable[[], None]) -> None:
    request = request_of_batch(chunk.batch)
    started = time.perf_counter()
    parts = list(blocks(request, chunk.first_game, chunk.games, partial(_hold, chunk, meanwhile)))
    rows = np.concatenate(parts)
    chunks.finish(
        chunk,
        rows=packed(rows) if chunk.batch.rows_kept else None,
        tally=tally_rows(rows, family(request.ruleset.family).measures).to_json(),
        digest=digest_of(rows),
        seconds=time.perf_counter() - started,
    )


def _hold(chunk: Chunk, meanwhile: Callable[[], None]) -> bool:
    """Hold the chunk for another lease."""
    meanwhile()
    return chunks.renew(chunk)


def replay_digest(request: BatchRequest, report: Callable[[int], None]) -> tuple[str, Tally]:
    """The digest a batch of this request has, and its tally, from playing it here and keeping nothing.

    report: called after every block with the number of games played so far
    """
    measures = family(request.ruleset.family).measures
    digest, tally, played = RowsDigest(), None, 0
    for rows in blocks(request, 0, request.games, lambda: True):
        digest.add(rows)
        part = tally_rows(rows, measures)
        tally = tally.merged_with(part) if tally else part
        played += len(rows)
        report(played)
    assert tally is not None
    return (digest.hexdigest() if request.games <= MOST_GAMES_WITH_ROWS else tally.digest()), tally
