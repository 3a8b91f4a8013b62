"""Yardsticks for the speed of the engine: Kalah in plain C, and OpenSpiel's rollouts and tree search.

The C source plays the same games by the same plan and generator. It is compiled when it is needed, by the compiler of
the machine. A yardstick that is not installed is left out.
"""

import ctypes
import os
import shutil
import subprocess
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

RULESET = "kalah-reference"
SOURCE = Path(__file__).with_name("kalah.c")
MEASURES = 6  # of a row: what ours begins with
OPTIONS = ("-O3", "-march=native", "-shared", "-fPIC")
GAMES = {
    "kalah-reference": "mancala",
    "oware-reference": "oware",
    "nine-mens-morris-reference": "nine_mens_morris",
    "english-draughts-reference": "checkers",
}
SEARCHED = ("kalah-reference", "oware-reference")  # whose tree search is held against ours
UCT_C = 2.0  # exploration, as OpenSpiel's own examples set it


def compiler() -> str | None:
    """Return the path of the C compiler of this machine: CC, else cc."""
    return shutil.which(os.environ.get("CC") or "cc")


class Kalah:
    """The compiled games."""

    def __init__(self, command: str) -> None:
        """Compile the games. command: a C compiler; raises CalledProcessError where it fails"""
        with TemporaryDirectory() as folder:  # a library that is loaded no longer needs its file
            library = Path(folder) / "kalah.so"
            subprocess.run([command, *OPTIONS, "-o", library, SOURCE], check=True, capture_output=True, text=True)
            self._play_games = ctypes.CDLL(str(library)).play_games
        self._play_games.argtypes = (ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64)
        self._play_games.restype = None

    def play(self, seed: int, games: int, cap: int) -> np.ndarray:
        """Return the rows of the first `games` games; int32[games, MEASURES], as the kernel's begin."""
        rows = np.empty((games, MEASURES), dtype=np.int32)
        self._play_games(rows.ctypes.data, games, seed, 0, cap)
        return rows


def is_installed() -> bool:
    return find_spec("pyspiel") is not None


class Rollouts:
    """Random playouts of one of OpenSpiel's games."""

    def __init__(self, game: str, playouts: int, seed: int) -> None:
        """Load a game of OpenSpiel. playouts: of one call of `play`"""
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
