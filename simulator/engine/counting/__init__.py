"""Games with their traffic counted: the compiled loop of a family, and its arrays. Importing this imports numba."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from simulator.engine import kernel_cache, kernels
from simulator.engine.compiled import copy_for, kernel_function
from simulator.engine.counting.kernel import loop
from simulator.engine.family import family
from simulator.engine.players import search
from simulator.engine.players.kernel import playing
from simulator.engine.players.names import FAULTLESS
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving import faultless
from simulator.engine.traffic import Sums

OF_A_FAMILY = ("begin_traffic", "keep_traffic", "count_traffic", "end_traffic")
RANDOM = "random"


@cache
def _loop(family_name: str) -> tuple[Any, Any]:
    """Return the compiled loop of a family, and its module of traffic."""
    contract = kernels.kernel(family_name).contract
    of_family = import_module(f"simulator.engine.families.{family_name}.kernel.traffic")
    named = {name: getattr(of_family, name) for name in OF_A_FAMILY}
    if hasattr(of_family, "play_noting"):  # a family whose rules count by themselves
        named["play"] = of_family.play_noting
    copy = copy_for(loop.play_counted, family_name, contract, named)
    copy.__dict__[kernel_cache.REACHED_BY] += (Path(str(of_family.__file__)),)
    return kernel_function(copy), of_family


class Counter:
    """Plays games of one ruleset and adds their traffic to sums."""

    def __init__(self, ruleset: Ruleset, sums: Sums) -> None:
        self.play, of_family = _loop(ruleset.family)
        self.ruleset, self.sums = ruleset, sums
        contract, parameters = kernels.kernel(ruleset.family).contract, ruleset.parameters
        self.rules = contract.compile_rules(parameters)
        self.position, self.counts, self.out, self.streams = kernels.workspace(contract, self.rules)
        if hasattr(of_family, "more_counts"):
            self.counts = np.zeros(len(self.counts) + of_family.more_counts(parameters), dtype=np.int64)
        layout = family(ruleset.family).traffic(parameters)
        self.spans = np.array(layout.spans, dtype=np.int64).reshape(-1, 3)
        self.tables = of_family.tables(parameters)
        self.before = np.zeros(int(contract.identity_size(self.rules)), dtype=np.int64)
        self.cells = np.zeros(layout.cells + of_family.room(parameters), dtype=np.int64)

    def add(self, rows: np.ndarray, games: search.GameRange, listed: np.ndarray | None = None, plies: int = -1) -> None:
        """Play games between random players, or one of listed moves, into `rows`, and add their traffic."""
        *numbers, until = games
        moves = np.zeros(0, dtype=np.int64) if listed is None else listed
        self.play(
            self.rules, rows, self.position, self.before, self.streams, self.counts, self.out, self.tables, self.cells,
            self.spans, self.sums.shares, self.sums.games, self.sums.counts, moves, plies, *numbers,
            np.int64(until == "round"),
        )  # fmt: skip


def play(
    ruleset: Ruleset,
    players: Sequence[str],
    rows: np.ndarray,
    games: search.GameRange,
    sums: Sums,
    halt: np.ndarray | None = None,
) -> None:
    """Play games into `rows`, int32[games, measures], and add their traffic to the sums.

    Games of players who search are played as ever; their moves are listed, and what they leave is counted from these.
    So are the moves of players without fault.
    """
    counter = Counter(ruleset, sums)
    if set(players) == {RANDOM} and not family(ruleset.family).turns_may_not_end(ruleset.parameters):
        counter.add(rows, games)
        return
    seed, choices, first, cap, until = games
    halt = np.zeros(1, dtype=np.int64) if halt is None else halt
    if set(players) == {FAULTLESS}:
        known = faultless.table(ruleset)
        for number in range(len(rows)):
            if halt[0]:
                return
            game = known.play(choices, first + number, cap)
            moves = np.array(game.moves, dtype=np.int64)
            counter.add(rows[number : number + 1], (seed, choices, first + number, cap, until), moves, len(moves))
            rows[number] = game.row  # of listed moves not all is counted
        return
    arrays = search.SearchArrays(ruleset, players, until)
    listed, scratch = np.zeros(4 * cap, dtype=np.int64), rows[:1].copy()
    for number in range(len(rows)):
        if halt[0]:
            return
        one, numbers = rows[number : number + 1], (seed, choices, first + number, cap)
        while True:
            plies = playing.play_games(arrays.frame, arrays.players, one, *arrays.written, listed, *numbers, halt)
            if plies <= len(listed):
                break
            listed = np.zeros(2 * plies, dtype=np.int64)
        counter.add(scratch, (*numbers, until), listed, plies)
