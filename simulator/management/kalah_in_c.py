"""Kalah's random games in plain C, as a yardstick for the compiled kernel: the same plan, generator and games.

The source is compiled when it is asked for, by the compiler of the machine. Where there is none, this yardstick is left
out.
"""

import ctypes
import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

RULESET = "kalah-reference"
SOURCE = Path(__file__).with_name("kalah.c")
MEASURES = 6  # of a row: what ours begins with
OPTIONS = ("-O3", "-march=native", "-shared", "-fPIC")


def compiler() -> str | None:
    """The path of the C compiler of this machine: CC, else cc."""
    return shutil.which(os.environ.get("CC") or "cc")


class Kalah:
    """The compiled games."""

    def __init__(self, command: str) -> None:
        """command: a C compiler. Raises CalledProcessError where it does not compile them."""
        with TemporaryDirectory() as folder:  # a library that is loaded no longer needs its file
            library = Path(folder) / "kalah.so"
            subprocess.run([command, *OPTIONS, "-o", library, SOURCE], check=True, capture_output=True, text=True)
            self._play_games = ctypes.CDLL(str(library)).play_games
        self._play_games.argtypes = (ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64)
        self._play_games.restype = None

    def play(self, seed: int, games: int, cap: int) -> np.ndarray:
        """The rows of the first `games` games; int32[games, MEASURES], as the kernel's begin."""
        rows = np.empty((games, MEASURES), dtype=np.int32)
        self._play_games(rows.ctypes.data, games, seed, 0, cap)
        return rows
