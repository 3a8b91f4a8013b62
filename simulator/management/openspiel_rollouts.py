"""OpenSpiel's own random rollouts and its tree search, as yardsticks for the compiled kernel.

OpenSpiel (https://github.com/google-deepmind/open_spiel) plays our reference games in C++. Its evaluator is not
called from Python directly: a tree search of a single simulation evaluates its root, which is exactly that many random
playouts from the start, without leaving C++. The package is needed for development only, and may be missing.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

GAMES = {
    "kalah-reference": "mancala",
    "oware-reference": "oware",
    "nine-mens-morris-reference": "nine_mens_morris",
    "english-draughts-reference": "checkers",
}
SEARCHED = ("kalah-reference", "oware-reference")  # whose tree search is held against ours
UCT_C = 2.0  # exploration, as OpenSpiel's own examples set it


def is_installed() -> bool:
    return find_spec("pyspiel") is not None


class Rollouts:
    """Random playouts of one of OpenSpiel's games."""

    def __init__(self, game: str, playouts: int, seed: int) -> None:
        """playouts: how many one call of `play` makes."""
        pyspiel: Any = import_module("pyspiel")
        rules = pyspiel.load_game(game)
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=playouts, seed=seed)
        self._start = rules.new_initial_state()
        self._search = pyspiel.MCTSBot(
            rules, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=1, solve=False, seed=seed, verbose=False
        )

    def play(self) -> float:
        """Play them; returns the first player's mean result, from -1 to 1."""
        return float(self._search.mcts_search(self._start).total_reward)


class Search:
    """OpenSpiel's tree search from the start: so many iterations, of one random playout each."""

    def __init__(self, game: str, iterations: int, seed: int) -> None:
        pyspiel: Any = import_module("pyspiel")
        rules = pyspiel.load_game(game)
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        self._start = rules.new_initial_state()
        self._search = pyspiel.MCTSBot(
            rules,
            evaluator,
            uct_c=UCT_C,
            max_simulations=iterations,
            max_memory_mb=100,
            solve=False,
            seed=seed,
            verbose=False,
        )

    def choose(self) -> int:
        return int(self._search.step(self._start))
