"""Playing games: the door to the compiled kernels.

Importing this module imports numba, so only workers and commands that play import it. Random players are played here;
games of players who search, lists of moves and single answers are had from `players.search`.
"""

import numpy as np

from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.kernels import kernel, workspace
from simulator.engine.ruleset import Ruleset

BLOCK = 65_536  # the most games one call should play: between calls a worker looks up


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
        from simulator.engine.players import search

        search.play(ruleset, players, rows, (seed, choices, first_game, cap, until), halt)
    return rows
