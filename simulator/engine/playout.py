"""Games by the thousand, one of them turn by turn, and single moves of a player: all that needs the compiled engine.

Importing this module imports numba, so only workers and commands that play import it. What a family's games need is
compiled when they are first played, which may take a minute, and cached (`kernel_cache` says where). Random players
play in the family's own loop, players who search in `players.search`.
"""

import numpy as np

from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.games import Game, GameOver
from simulator.engine.kernels import kernel, workspace
from simulator.engine.players import search
from simulator.engine.players.names import players_for
from simulator.engine.replay import Replay, replay
from simulator.engine.ruleset import Ruleset

CAP = 2000  # turns after which a game is left unfinished, unless the caller gives another number
RANDOM = "random"
BLOCK = 65_536  # the most games one call should play: between calls a worker looks up


def load(family_name: str) -> None:
    """Compile the family's playout loop, or load it from the cache of compiled kernels."""
    for document in kernel(family_name).contract.EXAMPLES:
        ruleset = parse(document)
        players = (RANDOM,) * family(family_name).seats(ruleset.parameters)
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
    """Play games `first_game` … `first_game + games - 1`; returns their rows, int32[games, measures].

    A pure function of its arguments and the family's version: game g is the same whichever block it is in.
    players:     a name for every seat, as `players.names` reads them
    until:       "game", or "round" to end every game with its first round
    choice_seed: another seed for the players' choices, so that the same throws are played otherwise
    halt:        int64[1]; once another thread makes it not 0, the block stops and its rows mean nothing

    Raises ValueError for another `until`.
    """
    if until not in ("game", "round"):
        raise ValueError(f"until must be game or round, not {until!r}")
    compiled = kernel(ruleset.family)
    rules = compiled.contract.compile_rules(ruleset.parameters)
    rows = np.empty((games, len(family(ruleset.family).measures)), dtype=np.int32)
    position, counts, out, streams = workspace(compiled.contract, rules)
    choices = seed if choice_seed is None else choice_seed
    until_round = np.int64(until == "round")
    if set(players) == {RANDOM}:
        compiled.play_games(rules, rows, position, streams, counts, out, seed, choices, first_game, cap, until_round)
    else:
        search.play(ruleset, players, rows, (seed, choices, first_game, cap, until), halt)
    return rows


def play_games(
    ruleset: Ruleset, games: int, seed: int = 0, players: str = RANDOM, cap: int = CAP, until: str = "game"
) -> np.ndarray:
    """Play games 0 … games - 1 of a seed; returns a structured array [games], an int32 field a measure (`measures`).

    The field `end` is a place in END_NAMES, and `winners` has the bit of every seat that won. A game that the cap
    stopped is "unfinished": its figures are lower bounds.

    players: one name for all seats, or one a seat: "random", "greedy", "alpha_beta:4", "uct:1000", "uct:100,random"
    cap:     turns after which a game is stopped
    until:   "game", or "round" to end every game with its first round

    >>> games = engine.play_games(engine.load("kalah-reference"), 1000, seed=1)
    >>> len(games), games["turns"][:5].tolist()
    (1000, [34, 51, 45, 42, 42])
    >>> np.bincount(games["end"], minlength=4).tolist()  # win, draw, endless, unfinished
    [944, 56, 0, 0]

    Raises PlayersProblem.
    """
    names = players_for(ruleset, players)
    rows = [
        play_block(ruleset, names, seed, first, min(BLOCK, games - first), cap, until)
        for first in range(0, games, BLOCK)
    ]
    fields = np.dtype([(measure.name, np.int32) for measure in family(ruleset.family).measures])
    return np.concatenate(rows).view(fields)[:, 0] if rows else np.empty(0, fields)


def replay_game(
    ruleset: Ruleset, game: int, seed: int = 0, players: str = RANDOM, cap: int = CAP, until: str = "game"
) -> Replay:
    """Replay one game of `play_games` turn by turn, with the rules that fired; printed, it is a text.

    >>> replay = engine.replay_game(engine.load("kalah-reference"), 2, seed=1)
    >>> replay.row["turns"], replay.end, replay.winners
    (45, 'win', [0])
    >>> replay.fired().most_common(2)
    [('store_again', 7), ('capture_opposite', 5)]
    >>> print(replay)
    Rules
    ...
    Turn 1, first player: ...

    Raises PlayersProblem.
    """
    names = players_for(ruleset, players)
    moves = None if set(names) == {RANDOM} else search.list_moves(ruleset, names, seed, game, cap, until)[0]
    return replay(ruleset, seed, game, cap, until, moves)


def choose_move(game: Game, player: str) -> str:
    """Return the move that a player chooses now, in notation; the same game always gets the same answer.

    >>> game = engine.Game(engine.load("kalah-reference"))
    >>> engine.choose_move(game, "alpha_beta:2")
    'f>'

    Raises PlayersProblem and GameOver.
    """
    name = players_for(game.ruleset, player)[0]
    if game.outcome() is not None:
        raise GameOver(f"{name} has nothing to choose: the game is over")
    return game.session.name_of(search.choose(game.ruleset, name, game.session.seed, game.session.moves))
