"""Playing the games of a batch. Only workers and commands import this module: it brings the compiled engine with it.

Games are played in blocks that take about half a second, so that a worker can renew its lease and notice a cancellation
in time. The rows do not depend on the size of a block: a game is a function of its number.
"""

import logging
import time
from collections.abc import Callable, Iterator

import numpy as np

from simulator import batch_requests, chunks, closing
from simulator.batch_requests import BatchRequest
from simulator.batches import MOST_GAMES_WITH_ROWS
from simulator.engine.family import family
from simulator.engine.playout import play_block
from simulator.engine.tally import Tally, tally_rows
from simulator.models import Batch, Chunk
from simulator.rows import Rows, RowsDigest, digest_of, packed

logger = logging.getLogger(__name__)

BLOCK_SECONDS = 0.5
FIRST_BLOCK_TURNS = 200_000
MOST_BLOCK_GAMES = 65_536


class Stopped(Exception):
    """The batch was cancelled, or somebody else has the chunk."""


def blocks(request: BatchRequest, first_game: int, games: int) -> Iterator[Rows]:
    """The rows of consecutive games, block after block, each block about as long as BLOCK_SECONDS."""
    size = max(1, FIRST_BLOCK_TURNS // request.cap)
    game, end = first_game, first_game + games
    while game < end:
        size = min(size, MOST_BLOCK_GAMES, end - game)
        started = time.perf_counter()
        yield play_block(request.ruleset, request.players, request.seed, game, size, request.cap, request.until)
        seconds = max(time.perf_counter() - started, 1e-3)
        game += size
        size = max(1, min(4 * size, int(size * BLOCK_SECONDS / seconds)))


def play_waiting_chunk(batch: Batch | None = None) -> bool:
    """Claim a chunk, play it, keep it, close its batch if it was the last. False if nothing waited."""
    chunk = chunks.claim(batch)
    if chunk is None:
        return False
    try:
        _play(chunk)
    except Stopped:
        chunks.release(chunk)
    except Exception as error:
        logger.exception("chunk %s failed", chunk)
        chunks.fail(chunk, f"{type(error).__name__}: {error}")
    closing.close_if_complete(chunk.batch_id)
    return True


def _play(chunk: Chunk) -> None:
    request = batch_requests.of_batch(chunk.batch)
    started = time.perf_counter()
    parts = []
    for rows in blocks(request, chunk.first_game, chunk.games):
        parts.append(rows)
        if not chunks.renew(chunk):
            raise Stopped
    rows = np.concatenate(parts)
    chunks.finish(
        chunk,
        rows=packed(rows) if chunk.batch.rows_kept else None,
        tally=tally_rows(rows, family(request.ruleset.family).measures).to_json(),
        digest=digest_of(rows),
        seconds=time.perf_counter() - started,
    )


def replay_digest(request: BatchRequest, told: Callable[[int], None]) -> tuple[str, Tally]:
    """The digest a batch of this request has, and its tally, from playing it here and keeping nothing.

    told: called after every block with the number of games played so far
    """
    measures = family(request.ruleset.family).measures
    digest, tally, played = RowsDigest(), None, 0
    for rows in blocks(request, 0, request.games):
        digest.add(rows)
        part = tally_rows(rows, measures)
        tally = tally.merged_with(part) if tally else part
        played += len(rows)
        told(played)
    assert tally is not None
    return (digest.hexdigest() if request.games <= MOST_GAMES_WITH_ROWS else tally.digest()), tally
