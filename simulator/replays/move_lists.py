"""Listing the moves of a game that somebody wants to see. Only workers and commands import this module.

The compiled engine lists what its players did, the referee plays it and says which rule fired. If the referee reaches
another row than the compiled engine, the two engines differ: that is an error, and nothing is kept.
"""

from simulator.batches.playing import allowance_for
from simulator.batches.processor_time import Allowance
from simulator.batches.requests import BatchRequest, request_of_batch
from simulator.batches.versions import playable
from simulator.engine.compilation import compile_players
from simulator.engine.players.search import list_moves
from simulator.engine.replay import Replay, named_row, replay, replay_beginning
from simulator.models import GameRecord
from simulator.replays.service import MOST_TURNS, keep


class EnginesDiffer(Exception):
    """The referee and the compiled engine have played one game otherwise, which must never happen."""


def list_game(record_id: int) -> bool:
    """List and replay the game of that record. False if it waits no more, or not for us."""
    return GameRecord.work_on_next(_list, playable("batch__"), id=record_id)


def _list(record: GameRecord) -> None:
    request = request_of_batch(record.batch)
    keep(record, *replay_listed(request, record.game, MOST_TURNS, allowance_for(request, games=1)))


def replay_listed(
    request: BatchRequest, game: int, most_turns: int, allowance: Allowance | None = None
) -> tuple[list[int], Replay]:
    """(the moves of a game between any players, as codes; the game, or its first turns if it has more than so many).

    Raises EnginesDiffer, and TookTooLong if there is an allowance of processor time and it is spent.
    """
    compile_players(request.ruleset.family)
    line = (request.ruleset, request.players, request.seed, game, request.cap, request.until)
    moves, row = (allowance or Allowance()).run(lambda: list_moves(*line))
    counted = named_row(request.ruleset, row)
    if counted["turns"] > most_turns:
        return moves, replay_beginning(request.ruleset, request.seed, game, moves, row, most_turns)
    played = replay(request.ruleset, request.seed, game, request.cap, request.until, moves)
    if played.row != counted:
        rows = f"{played.row} by the referee, {counted} by the compiled engine"
        raise EnginesDiffer(f"game {game} of {request.id}: {rows}")
    return moves, played
