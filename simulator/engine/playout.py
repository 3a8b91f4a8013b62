"""Playing games: the door to the compiled kernels.

Importing this module imports numba, so only workers and commands that play import it. Random players are played here;
games of players who think, lists of moves and single answers are had from `players.thinking`.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from simulator.engine.family import family
from simulator.engine.randomness import STREAMS
from simulator.engine.ruleset import Ruleset, parse

BLOCK = 65_536  # the most games one call should play: between calls a worker looks up


@dataclass(frozen=True, slots=True)
class Kernel:
    """A family's compiled functions."""

    contract: ModuleType
    play_games: Any
    expand: Any


@cache
def kernel(family_name: str) -> Kernel:
    """The kernel of a family; nothing is compiled before it is called."""
    family(family_name)
    contract = import_module(f"simulator.engine.families.{family_name}.kernel.contract")
    from simulator.engine import loops
    from simulator.engine.bind import bind

    return Kernel(contract, bind(loops.play_games, family_name, contract), bind(loops.expand, family_name, contract))


def load(family_name: str) -> None:
    """Compile the family's playout loop, or load it from the cache of compiled kernels."""
    for document in kernel(family_name).contract.EXAMPLES:
        ruleset = parse(document)
        players = ("random",) * family(family_name).seats(ruleset.parameters)
        play_block(ruleset, players, 0, 0, 1, 10, "game")


def play_block(
    ruleset: Ruleset,
    players: tuple[str, ...],
    seed: int,
    first_game: int,
    games: int,
    cap: int,
    until: str,
    choice_seed: int | None = None,
    halt: np.ndarray | None = None,
) -> np.ndarray:
    """Rows of games `first_game` … `first_game + games - 1`: int32[games, measures].

    A pure function of its arguments and the family's version: game g is the same whichever block it is in.
    players:     a name for every seat, as `players.names` reads them
    until:       "game", or "round" to end every game with its first round
    choice_seed: another seed for the players' choices, so that the same throws are played otherwise
    halt:        int64[1]; once another thread makes it not 0, the block stops and its rows say nothing
    """
    if until not in ("game", "round"):
        raise ValueError(f"until must be game or round, not {until!r}")
    compiled = kernel(ruleset.family)
    rules = compiled.contract.compile_rules(ruleset.parameters)
    rows = np.empty((games, len(family(ruleset.family).measures)), dtype=np.int32)
    position, counts, out, streams = workspace(compiled.contract, rules)
    choices = seed if choice_seed is None else choice_seed
    until_round = np.int64(until == "round")
    if set(players) == {"random"}:
        compiled.play_games(rules, rows, position, streams, counts, out, seed, choices, first_game, cap, until_round)
    else:
        from simulator.engine.players import thinking

        thinking.play(ruleset, players, rows, (seed, choices, first_game, cap, until), halt)
    return rows


def workspace(contract: ModuleType, rules: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All that a playout writes into, made once a block: position, counts, list of moves, draws."""
    position = np.zeros(contract.position_size(rules), dtype=np.int64)
    return (
        position,
        np.zeros(contract.COUNTS, dtype=np.int64),
        np.zeros(contract.MOST_MOVES, dtype=np.int64),
        np.zeros((STREAMS, 2), dtype=np.uint64),
    )
