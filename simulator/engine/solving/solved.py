"""A solved game: the value of every position that can be reached, under best play of both sides.

Retrograde analysis from the ends. A position is won by a seat that can force the end, with the plies it takes: the
winner as soon as possible, the loser as late as possible. In all others neither seat can force a win; they are draws,
by the rules if play must come to a drawn end as long as nobody gives up his draw, else by endless play.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.graph import Graph, empty, explore, set_aside
from simulator.engine.solving.kernel.retrograde import (
    FIRST_WINS,
    SECOND_WINS,
    UNKNOWN,
    find_forced,
    find_wins,
    tell_draws_apart,
    turn_round,
)

VALUE_NAMES = ("first_wins", "second_wins", "draw", "endless")


class NotReached(KeyError):
    """No play from the start leads to this position."""


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a position.

    code: FIRST_WINS … ENDLESS_PLAY; plies: to the end, under best play of both; None where nobody wins
    """

    code: int
    plies: int | None

    @property
    def winner(self) -> int | None:
        return self.code if self.code in (FIRST_WINS, SECOND_WINS) else None

    def score(self, seat: int) -> int:
        """Return 1 if that seat wins, 0 for a draw of either kind, -1 if it loses."""
        return 0 if self.winner is None else 1 if self.winner == seat else -1

    def as_document(self) -> dict[str, Any]:
        return {"value": VALUE_NAMES[self.code], "plies": self.plies}


@dataclass(slots=True)
class Solved:
    """The table of a solved ruleset, `graph` having its bounds set aside.

    values: int8[positions]; distances: int32[positions], plies to the end where somebody wins
    starts, sources: the moves by where they lead (see `turn_round`)
    """

    ruleset: Ruleset
    graph: Graph
    values: np.ndarray
    distances: np.ndarray
    starts: np.ndarray
    sources: np.ndarray

    @property
    def set_aside(self) -> dict[str, int]:
        return set_aside(self.ruleset)

    @property
    def bytes(self) -> int:
        return self.graph.bytes + sum(
            part.nbytes for part in (self.values, self.distances, self.starts, self.sources)
        )  # fmt: skip

    def number(self, identity: Iterable[int]) -> int:
        """Return the number of a position by its identity words; raises NotReached."""
        number = self.graph.number(tuple(identity))
        if number < 0:
            raise NotReached("no play from the start leads to this position")
        return number

    def value(self, identity: Iterable[int]) -> Value:
        """Return the value of the position with these identity words; raises NotReached."""
        return self.value_of(self.number(identity))

    def value_of(self, number: int) -> Value:
        """Return the value of a position by its number."""
        code = int(self.values[number])
        return Value(code, int(self.distances[number]) if code <= SECOND_WINS else None)

    def is_over(self, number: int) -> bool:
        return bool(self.graph.kinds[number] > 1)

    def mover(self, number: int) -> int:
        """Return the seat to move in a running position."""
        return int(self.graph.kinds[number])

    def move_values(self, number: int) -> dict[int, Value]:
        """Map each move of a running position, by its code, to its value, in the order of the contract."""
        children = self.graph.children(number)
        return {move: self.value_of(child) for move, child in zip(self.graph.codes(number), children, strict=True)}

    def best_moves(self, number: int) -> list[int]:
        """Return the moves that keep the value of a running position, the quickest win or the slowest loss."""
        value = self.value_of(number)
        after = None if value.plies is None else value.plies - 1
        moves = self.move_values(number).items()
        seat = self.mover(number)
        if value.winner is None:
            return [move for move, next_value in moves if next_value.score(seat) == 0]
        return [move for move, next_value in moves if next_value.code == value.code and next_value.plies == after]

    def best_line(self, number: int) -> list[int]:
        """Return the moves from a won position to the end, each the first of the best; empty where nobody wins."""
        line: list[int] = []
        while not self.is_over(number) and self.values[number] <= SECOND_WINS:
            move = self.best_moves(number)[0]
            line.append(move)
            number = self.graph.children(number)[self.graph.codes(number).index(move)]
        return line

    def way_to(self, number: int) -> list[int]:
        """Return the moves of a shortest way from the start to a position."""
        way: list[int] = []
        while number:  # positions are numbered breadth first, so the first source is nearest to the start
            source = int(self.sources[self.starts[number]])
            way.append(self.graph.codes(source)[self.graph.children(source).index(number)])
            number = source
        return way[::-1]

    def forced(self, goal: np.ndarray, allowed: np.ndarray, seat: int) -> np.ndarray:
        """Return where `seat` can force a position of `goal` without leaving `allowed` on the way; bool[positions]."""
        graph, reached = self.graph, (goal & allowed).astype(np.int8)
        left, queue = np.zeros(graph.size, np.int32), np.zeros(graph.size, np.int32)
        links = (graph.kinds, graph.offsets, self.starts, self.sources)
        find_forced(*links, allowed.astype(np.int8), reached, seat, left, queue)
        forced: np.ndarray = reached.astype(bool)
        return forced


def solve(ruleset: Ruleset, progress: Callable[[int], None] = lambda positions: None) -> Solved:
    """Solve a ruleset; raises NotSolvable and TooManyPositions. progress: see `explore`.

    Positions are numbered, the start is 0.

    >>> solved = engine.solve(engine.load("hat-diviyan-keliya-ludovisi"))
    >>> solved.value_of(0)  # 0 the first player wins, 1 the second, 2 a draw, 3 endless
    Value(code=1, plies=14)
    """
    return _analysed(ruleset, explore(ruleset, progress))


def load(ruleset: Ruleset) -> None:
    """Compile what solving a ruleset takes, or load it from the cache of compiled kernels."""
    _analysed(ruleset, empty(ruleset))


def _analysed(ruleset: Ruleset, graph: Graph) -> Solved:
    starts = np.zeros(graph.size + 1, dtype=np.int64)
    sources = np.zeros(graph.moves, dtype=np.int32)
    turn_round(graph.offsets, graph.targets, starts, sources)
    values = np.full(graph.size, UNKNOWN, dtype=np.int8)
    distances = np.zeros(graph.size, dtype=np.int32)
    left, queue = np.zeros(graph.size, np.int32), np.zeros(graph.size, np.int32)
    links = (starts, sources, values)
    find_wins(graph.kinds, graph.offsets, *links, distances, left, queue)
    tell_draws_apart(graph.kinds, graph.offsets, graph.targets, *links, left, queue)
    return Solved(ruleset, graph, values, distances, starts, sources)
