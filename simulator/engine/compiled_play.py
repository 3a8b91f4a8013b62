"""Games by the thousand, one of them told turn by turn, and a player's move: what takes the compiled engine.

Importing this module imports numba. What a family's games take is compiled when they are first played, which may take
a minute, and kept (`kernel_cache` says where).
"""

import numpy as np

from simulator.engine.family import family
from simulator.engine.games import Game, GameOver
from simulator.engine.players.search import choose, list_moves
from simulator.engine.players.seating import players_for
from simulator.engine.playout import BLOCK, play_block
from simulator.engine.replay import Replay, replay
from simulator.engine.ruleset import Ruleset

CAP = 2000  # turns after which a game is left unfinished, unless another number is said
RANDOM = "random"


def play_games(
    ruleset: Ruleset, games: int, seed: int = 0, players: str = RANDOM, cap: int = CAP, until: str = "game"
) -> np.ndarray:
    """Games 0 … games - 1 of a seed, as a structured array [games] with one int32 field a measure (see `measures`).

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
    names = _names(ruleset, players)
    rows = [
        play_block(ruleset, names, seed, first, min(BLOCK, games - first), cap, until)
        for first in range(0, games, BLOCK)
    ]
    fields = np.dtype([(measure.name, np.int32) for measure in family(ruleset.family).measures])
    return np.concatenate(rows).view(fields)[:, 0] if rows else np.empty(0, fields)


def replay_game(
    ruleset: Ruleset, game: int, seed: int = 0, players: str = RANDOM, cap: int = CAP, until: str = "game"
) -> Replay:
    """One game of `play_games`, turn by turn, with the rules that fired; printed, it is a text.

    >>> found = engine.replay_game(engine.load("kalah-reference"), 2, seed=1)
    >>> found.row["turns"], found.end, found.winners
    (45, 'win', [0])
    >>> found.fired().most_common(2)
    [('store_again', 7), ('capture_opposite', 5)]
    >>> print(found)
    Rules
    ...
    Turn 1, first player: ...

    Raises PlayersProblem.
    """
    names = _names(ruleset, players)
    moves = None if set(names) == {RANDOM} else list_moves(ruleset, names, seed, game, cap, until)[0]
    return replay(ruleset, seed, game, cap, until, moves)


def choose_move(game: Game, player: str) -> str:
    """The move that a player of that name chooses now, in notation; the same game always gets the same answer.

    >>> game = engine.Game(engine.load("kalah-reference"))
    >>> engine.choose_move(game, "alpha_beta:2")
    'f>'

    Raises PlayersProblem and GameOver.
    """
    name = _names(game.ruleset, player)[0]
    if game.outcome() is not None:
        raise GameOver(f"{name} has nothing to choose: the game is over")
    return game.session.name_of(choose(game.ruleset, name, game.session.seed, game.session.moves))


def _names(ruleset: Ruleset, players: str) -> tuple[str, ...]:
    """A name for every seat; raises PlayersProblem."""
    return players_for(ruleset, players)
