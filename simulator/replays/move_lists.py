"""Listing the moves of a game that somebody wants to see. Only workers and commands import this module.

The compiled engine lists what its players did, the referee plays it and says which rule fired. If the referee reaches
another row than the compiled engine, the two engines differ: that is an error, and nothing is kept.
"""

from simulator.batches.requests import BatchRequest, request_of_batch
from simulator.batches.service import is_of_this_engine
from simulator.engine.compilation import compile_players
from simulator.engine.players.search import list_moves
from simulator.engine.replay import Replay, named_row, replay, replay_beginning
from simulator.models import GameRecord
from simulator.replays.service import MOST_TURNS, keep


class EnginesDiffer(Exception):
    """The referee and the compiled engine have played one game otherwise, which must never happen."""


def list_game(record_id: int) -> bool:
    """List and replay the game of that record. False if it waits no more."""
    return GameRecord.work_on_next(_list, id=record_id)


def _list(record: GameRecord) -> None:
    if not is_of_this_engine(record.batch):
        raise ValueError(f"played by version {record.batch.family_version} of the engine, not the one installed here")
    keep(record, *replay_listed(request_of_batch(record.batch), record.game, MOST_TURNS))


def replay_listed(request: BatchRequest, game: int, most_turns: int) -> tuple[list[int], Replay]:
    """(the moves of a game between any players, as codes; the game, or its first turns if it has more than so many).

    Raises EnginesDiffer.
    """
    compile_players(request.ruleset.family)
    moves, row = list_moves(request.ruleset, request.players, request.seed, game, request.cap, request.until)
    counted = named_row(request.ruleset, row)
    if counted["turns"] > most_turns:
        return moves, replay_beginning(request.ruleset, request.seed, game, moves, row, most_turns)
    played = replay(request.ruleset, request.seed, game, request.cap, request.until, moves)
    if played.row != counted:
        rows = f"{played.row} by the referee, {counted} by the compiled engine"
        raise EnginesDiffer(f"game {game} of {request.id}: {rows}")
    return moves, played
