"""Games and their mirror images, in which the other seat begins: to whoever begins, both must be worth the same.

Of points games `begins` makes the image, for their boards and armies here are the same when turned by half. Sowing
games have no such parameter, and need none: turned by half, the start position is itself, so that the other seat simply
begins. Races are not mirrored: where a lot is thrown first, and for whom, is theirs alone.
"""

import numpy as np

from simulator.engine.documents import with_changes
from simulator.engine.ends import WIN
from simulator.engine.family import family
from simulator.engine.players.search import Searcher
from simulator.engine.playout import play_block
from tests.engine.players.plain_players import Game
from tests.engine.rulesets import RULESETS

STRIDE = 10_000  # seeds of a game's plies, whose searches are asked for one by one


def results(slug: str, player: str, games: int, beginner: int, seed: int = 1) -> np.ndarray:
    """What each game came to for whoever began, the player in both seats: 1, 0, or a half if nobody won."""
    if RULESETS[slug].family == "sowing":
        ends = np.array([_sown(slug, player, beginner, seed + game) for game in range(games)])
    else:
        ends = _rows(slug, player, games, beginner, 2_000, seed)[:, :2]
    return np.where((ends[:, 0] == WIN) & (ends[:, 1] > 0), ends[:, 1] >> beginner & 1, 0.5)


def leads(slug: str, player: str, games: int, beginner: int, turns: int, seed: int = 1) -> np.ndarray:
    """By how many pieces whoever began was ahead in each points game after so many turns, or at its end before."""
    rows = _rows(slug, player, games, beginner, turns, seed)
    names = [measure.name for measure in family("points").measures]
    taken = [rows[:, names.index(f"taken_{seat}")].astype(float) for seat in (0, 1)]
    return taken[beginner] - taken[1 - beginner]


def standard_errors(one: np.ndarray, other: np.ndarray) -> float:
    """How many standard errors the means lie asunder: none or infinitely many where nothing varies."""
    spread = one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other)
    difference = abs(one.mean() - other.mean())
    if spread == 0:
        return float("inf") if difference else 0.0
    return float(difference / spread**0.5)


def _rows(slug: str, player: str, games: int, beginner: int, cap: int, seed: int) -> np.ndarray:
    ruleset = with_changes(RULESETS[slug], {"begins": ("first", "second")[beginner]})
    return play_block(ruleset, (player, player), seed, 0, games, cap, "game")


def _sown(slug: str, player: str, beginner: int, seed: int) -> tuple[int, int]:
    """(kind of end, winning seats as bits)."""
    game, searcher = Game(RULESETS[slug]), Searcher(RULESETS[slug], player)
    position, ply = game.referee.start(game.rules), 0
    position.mover = beginner
    while game.referee.outcome(position)[0] < 0:
        options = game.moves(position)
        move = options[0] if len(options) == 1 else searcher.choose(seed * STRIDE + ply, [], position.words())
        position, ply = game.play(position, move, []).position, ply + 1
    return game.referee.outcome(position)
