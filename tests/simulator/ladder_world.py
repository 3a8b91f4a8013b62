"""What the tests of ladders stand on: batches filled with games that nobody played, and a ladder over them."""

from collections.abc import Sequence

import numpy as np

from simulator.analyses.ladder_matches import check_ladder
from simulator.analyses.ladders import LADDERS
from simulator.batches.service import request_all
from simulator.engine.ends import WIN
from simulator.engine.family import family
from simulator.engine.tally import tally_rows
from simulator.models import Batch, Chunk, Ladder

Games = dict[tuple[str, ...], list[tuple[int, int]]]  # players -> kind of end and winners of each game


def filled(batch: Batch, games: list[tuple[int, int]], different: int | None = None) -> None:
    """Make a batch done, with games of these ends and winners and else nothing in them. different: of how many kinds"""
    measures = family(batch.ruleset.family).measures
    rows = np.zeros((batch.games, len(measures)), dtype=np.int32)
    rows[:, :2] = games
    luck = {"key": "luck_share", "n": batch.games, "value": 0.4, "low": 0.3, "high": 0.5, "text": "40 % (30 to 50)"}
    kinds = batch.games if different is None else different
    Batch.objects.filter(id=batch.id).update(
        state=Batch.State.DONE,
        tally=tally_rows(rows, measures).to_json(),
        summary={"sections": [{"key": "luck", "rows": [luck]}], "variety": {"games": batch.games, "different": kinds}},
    )
    Chunk.objects.filter(batch=batch).update(state=Chunk.State.DONE)


def climbed(
    name: str,
    played: Games,
    rungs: Sequence[str] = ("random", "uct:16"),
    games: int = 0,
    different: int | None = None,
) -> Ladder:
    """A ladder with the games that were played; those of other players are won by the first seat.

    games: of each match; all of those that were played unless given; different: kinds in each batch; all unless given
    """
    request = check_ladder(name, rungs, games=games or sum(map(len, played.values())))
    for batch in request_all(request.requests, announce=False):
        filled(batch, played.get(tuple(batch.players.split(",")), [(WIN, 1)] * batch.games), different)
    return LADDERS.concluded(request)
