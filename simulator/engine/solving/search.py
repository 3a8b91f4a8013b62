"""Forced wins in games too large to be solved: is there one within a number of plies?

The search deepens by one ply at a time and keeps what it learns, so that the first depth at which it finds a win is the
fewest plies that the win takes. Where it finds none, it has proved that none is shorter, and nothing more.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.graph import UnboundedGame, bound_loop, laid_out, without_bounds

KNOWN_PLACES = 2**22
AT_ONCE = 2_000_000  # positions looked at between two looks at the clock
CODES = 2**16  # move codes of every family are below


class OutOfTime(Exception):
    """The search was given up; `depth` is the number of plies within which nothing had been proved yet."""


@cache
def _force(family_name: str) -> Any:
    from simulator.engine.solving.kernel import forcing

    return bound_loop(family_name, forcing.force)


class Search:
    """A search for forced wins of one seat, with all that it has learnt; the rules' bounds are set aside."""

    def __init__(self, ruleset: Ruleset, seat: int, places: int = KNOWN_PLACES) -> None:
        self.game: UnboundedGame = without_bounds(ruleset)
        self.seat = seat
        self.looked_at = 0
        self._places = places
        self._fields = self.game.fields()
        self._width = 1
        self._credit = np.zeros((2, CODES), dtype=np.int64)
        self._known = np.full((self._places, 3 + self._width), -1, dtype=np.int64)

    def _forget(self) -> None:
        if self._known.shape[1] == 3 + self._width:
            self._known.fill(-1)  # new memory of that size costs several times as much
        else:
            self._known = np.full((self._places, 3 + self._width), -1, dtype=np.int64)

    def within(self, position: np.ndarray, depth: int, until: float = float("inf")) -> bool:
        """Say whether the seat can force a win within `depth` plies of a position; raises OutOfTime at time `until`."""
        from simulator.engine.solving.kernel.forcing import ENTERED, FORCED, INTERRUPTED, NARROW_FIELD

        if depth < 0:
            return False
        game = self.game
        line = np.zeros((depth + 1, len(position)), dtype=np.int64)
        lists = np.zeros((depth + 1, len(game.out)), dtype=np.int64)
        totals, nexts, places = np.zeros((3, depth + 1), dtype=np.int64)
        state = np.array([0, ENTERED, 0, 0, 0], dtype=np.int64)
        while True:
            line[0] = position
            key = np.zeros(self._width, dtype=np.int64)
            levels = (line, lists, totals, nexts, places, self._known, self._credit, key, state)
            ends = (self.seat, depth, AT_ONCE, game.streams, game.counts)
            before = int(state[2])
            came_to = _force(game.ruleset.family)(game.rules, self._fields, *levels, *ends)
            self.looked_at += int(state[2]) - before
            if came_to == NARROW_FIELD:
                self._fields, self._width = laid_out(self._fields, int(state[3]), int(state[4]))
                self._forget()
                state[0], state[1] = 0, ENTERED
            elif came_to != INTERRUPTED:
                return bool(came_to == FORCED)
            elif time.monotonic() > until:
                raise OutOfTime

    def plies(self, position: np.ndarray, most: int, until: float = float("inf")) -> int | None:
        """Return the fewest plies within which the seat can force a win, or None if more than `most` are needed."""
        return next((depth for depth in range(1, most + 1) if self.within(position, depth, until)), None)

    def line(self, position: np.ndarray, plies: int) -> Iterator[int]:
        """Yield a line of best play from a position that is won in `plies`: quickest win, slowest loss, the first of
        each."""
        game = self.game
        while plies:
            wants = game.mover(position) == self.seat
            for move, child in game.children(position):
                if (wants and self.within(child, plies - 1)) or (not wants and not self.within(child, plies - 2)):
                    yield move
                    position, plies = child, plies - 1
                    break


@dataclass(frozen=True, slots=True)
class Searched:
    """The result of a search for both seats.

    winner: who can force a win, and in how many plies; None if nobody was found to
    refuted: plies within which it is proved that neither seat can force one
    first_moves: plies to that win after each first move, None where it is not forced so soon
    """

    winner: int | None
    plies: int | None
    refuted: int
    line: tuple[int, ...]
    first_moves: dict[int, int | None]
    looked_at: int


def search(ruleset: Ruleset, most_plies: int, seconds: float) -> Searched:
    """Search for the shortest forced win from the start, by either seat, for so many seconds."""
    until = time.monotonic() + seconds
    searches = [Search(ruleset, seat) for seat in (0, 1)]
    start = searches[0].game.start()
    refuted = 0
    try:
        for depth in range(1, most_plies + 1):
            for own in searches:
                if own.within(start, depth, until):
                    return _searched(own, start, depth, refuted, sum(each.looked_at for each in searches))
            refuted = depth
    except OutOfTime:
        pass
    return Searched(None, None, refuted, (), {}, sum(each.looked_at for each in searches))


def _searched(winner: Search, start: np.ndarray, plies: int, refuted: int, looked_at: int) -> Searched:
    mine = winner.game.mover(start) == winner.seat
    most = plies - 1 if mine else plies
    firsts = {move: winner.plies(child, most) for move, child in winner.game.children(start)}
    return Searched(winner.seat, plies, refuted, tuple(winner.line(start, plies)), firsts, looked_at)
