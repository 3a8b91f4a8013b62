"""The door to the players who think: what a game of theirs needs, laid out and handed to the compiled searches."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import cfunc, types

from simulator.engine.bind import copy_for
from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.kernels import kernel, workspace
from simulator.engine.players.kernel import acting, calls, playing
from simulator.engine.players.kernel.pointers import as_argument
from simulator.engine.players.kernel.thought import Thought, room_for
from simulator.engine.players.names import Player, player
from simulator.engine.randomness import CHOICE
from simulator.engine.ruleset import Ruleset

Game = tuple[int, int, int, int, str]  # seed, seed of the choices, first game, cap, until


@cache
def _act(family_name: str, rules_at: Any) -> Any:
    """A family's rules as a function with an address."""
    contract = kernel(family_name).contract
    copy = copy_for(acting.act, f"{family_name}_{rules_at.__name__}", contract, {"rules_at": rules_at})
    compiled = cfunc(types.int64(types.int64, types.CPointer(types.int64)), cache=True, error_model="numpy", _nrt=False)
    return compiled(copy)


@dataclass(frozen=True, slots=True)
class Table:
    """What a block of games is played at. The desk holds addresses of the other arrays: they live as long as it."""

    desk: np.ndarray
    rules: np.ndarray
    position: np.ndarray
    counts: np.ndarray
    out: np.ndarray
    streams: np.ndarray
    thought: Thought
    players: np.ndarray


def _laid(ruleset: Ruleset, names: Sequence[str], until: str) -> Table:
    contract, thinkers = kernel(ruleset.family).contract, tuple(player(name) for name in names)
    compiled = contract.compile_rules(ruleset.parameters)
    rules, rules_at = as_argument(compiled)
    position, counts, out, streams = workspace(contract, compiled)
    desk = np.zeros(calls.DESK, dtype=np.int64)
    desk[calls.ACT] = _act(ruleset.family, rules_at).address
    desk[calls.AT_RULES] = rules.ctypes.data
    desk[calls.THROWS] = contract.FIRST_STREAM < CHOICE
    desk[calls.MOVE_CODES] = contract.MOVE_CODES
    desk[calls.EXPLORATION] = contract.EXPLORATION
    desk[calls.UNTIL_ROUND] = until == "round"
    desk[calls.FIRST_STREAM], desk[calls.LAST_STREAM] = contract.FIRST_STREAM, contract.LAST_STREAM
    thought = room_for(thinkers, contract, compiled)
    return Table(desk, rules, position, counts, out, streams, thought, _as_rows(thinkers))


def _as_rows(players: tuple[Player, ...]) -> np.ndarray:
    return np.array([[each.kind, each.budget, each.horizon] for each in players], dtype=np.int64)


def play(
    ruleset: Ruleset,
    names: Sequence[str],
    rows: np.ndarray,
    game: Game,
    halt: np.ndarray | None = None,
    listed: np.ndarray | None = None,
) -> int:
    """Play games into `rows`, int32[games, measures]; returns the plies of the last, whose first moves `listed` takes.

    halt: int64[1]; once another thread makes it not 0, the block stops and its rows say nothing
    """
    at = _laid(ruleset, names, game[-1])
    stop = np.zeros(1, dtype=np.int64) if halt is None else halt
    taken = np.zeros(0, dtype=np.int64) if listed is None else listed
    desk, position, counts, streams, thought, out = at.desk, at.position, at.counts, at.streams, at.thought, at.out
    seed, choice_seed, first_game, cap, _ = game
    plies = playing.play_thinking(
        desk, at.players, rows, position, counts, streams, thought, out, taken, seed, choice_seed, first_game, cap, stop
    )
    return int(plies)


def list_moves(
    ruleset: Ruleset, names: Sequence[str], seed: int, game: int, cap: int, until: str
) -> tuple[list[int], list[int]]:
    """(the moves of one game, as codes in order; its row)."""
    rows = np.empty((1, len(family(ruleset.family).measures)), dtype=np.int32)
    listed = np.zeros(4 * cap, dtype=np.int64)
    plies = play(ruleset, names, rows, (seed, seed, game, cap, until), listed=listed)
    if plies > len(listed):
        listed = np.zeros(plies, dtype=np.int64)
        play(ruleset, names, rows, (seed, seed, game, cap, until), listed=listed)
    return listed[:plies].tolist(), rows[0].tolist()


class NotPlayable(ValueError):
    """A move cannot be played where it is asked for, or the game is over before it."""

    def __init__(self, place: int, moves: Sequence[int]) -> None:
        self.place = place
        what = f"move {place}, {moves[place]}," if place < len(moves) else "a further move"
        super().__init__(f"{what} cannot be played after {list(moves[:place])}")


class Thinker:
    """A player at a table that is laid once, for many positions of one ruleset."""

    def __init__(self, ruleset: Ruleset, name: str) -> None:
        self._at = _laid(ruleset, (name,), "game")

    def choose(self, seed: int, moves: Sequence[int], position: Sequence[int] | np.ndarray | None = None) -> int:
        """What the player does after these moves of game 0 of the seed, whose throws are the game's.

        position: identity words to think about instead of where the moves lead to; nothing is remembered of before
        Raises NotPlayable.
        """
        at = self._at
        at.position[:] = 0
        if position is not None:
            at.position[: len(position)] = position
        played, given = np.array(moves, dtype=np.int64), position is not None
        desk, counts, streams, thought, out = at.desk, at.counts, at.streams, at.thought, at.out
        counts[:] = 0
        move = playing.answer(desk, at.players[0], at.position, counts, streams, thought, out, played, given, seed)
        if move < 0:
            raise NotPlayable(-1 - int(move), moves)
        return int(move)


def choose(
    ruleset: Ruleset, name: str, seed: int, moves: Sequence[int], position: Sequence[int] | np.ndarray | None = None
) -> int:
    """What the player of that name does: `Thinker.choose` at a table of its own."""
    return Thinker(ruleset, name).choose(seed, moves, position)


def load(family_name: str) -> None:
    """Compile the searches and the family's rules for them, or load them; most batches are of random games."""
    for document in kernel(family_name).contract.EXAMPLES:
        ruleset = parse(document)
        seats = family(family_name).seats(ruleset.parameters)
        rows = np.empty((1, len(family(family_name).measures)), dtype=np.int32)
        play(ruleset, ("uct:2/2",) + ("random",) * (seats - 1), rows, (0, 0, 0, 4, "game"))
        choose(ruleset, "greedy", 0, [])
