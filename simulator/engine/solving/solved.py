"""A solved game: the value of every position that can be reached, under best play of both sides; and forced wins.

Retrograde analysis from the ends. A position is won by a seat that can force the end, with the plies it takes: the
winner as soon as possible, the loser as late as possible. In all others neither seat can force a win; they are draws,
by the rules if play must come to a drawn end as long as nobody gives up his draw, else by endless play.

A game too large for that is searched for a forced win, deepening by one ply at a time and keeping what is learnt, so
that the first depth at which a win is found is the fewest plies that the win takes. Where none is found, it is proved
that none is shorter, and nothing more.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from numbers import Integral
from typing import Any, cast

import numpy as np

from simulator.engine.arguments import ruleset_given, whole
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.graph import (
    Graph,
    UnboundedGame,
    bound_loop,
    empty,
    explore,
    laid_out,
    set_aside,
    without_bounds,
)
from simulator.engine.solving.kernel import retrograde

VALUE_NAMES = ("first_wins", "second_wins", "draw", "endless")


class NotReached(KeyError):
    """No play from the start leads to this position."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would put it into quotes


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a position.

    code: FIRST_WINS … ENDLESS_PLAY; plies: to the end, under best play of both; None where nobody wins
    """

    code: int
    plies: int | None

    @property
    def winner(self) -> int | None:
        return self.code if self.code in (retrograde.FIRST_WINS, retrograde.SECOND_WINS) else None

    def score(self, seat: int) -> int:
        """Return 1 if that seat wins, 0 for a draw of either kind, -1 if it loses."""
        return 0 if self.winner is None else 1 if self.winner == seat else -1

    def as_document(self) -> dict[str, Any]:
        return {"value": VALUE_NAMES[self.code], "plies": self.plies}


@dataclass(slots=True, repr=False)
class Solved:
    """The table of a solved ruleset, `graph` having its bounds set aside. Positions are numbered, the start is 0.

    Whoever asks by a number that no position has, gets a NotReached.

    values: int8[positions]; distances: int32[positions], plies to the end where somebody wins
    starts, sources: the moves by where they lead (see `turn_round`)
    """

    ruleset: Ruleset
    graph: Graph
    values: np.ndarray
    distances: np.ndarray
    starts: np.ndarray
    sources: np.ndarray

    def __repr__(self) -> str:
        return (
            f"<Solved {self.ruleset.name or self.ruleset.hash[:8]}: {self.graph.size:,} positions, {self.value_of(0)}>"
        )

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
        number = self.graph.number(_words(identity))
        if number < 0:
            raise NotReached("no play from the start leads to this position")
        return number

    def value(self, identity: Iterable[int]) -> Value:
        """Return the value of the position with these identity words; raises NotReached."""
        return self.value_of(self.number(identity))

    def _checked(self, number: int) -> int:
        """Return the number of a position; raises NotReached for one that no position has."""
        # Most callers walk through a million positions: what is a plain number within bounds passes at once.
        if type(number) is int and 0 <= number < self.graph.size:
            return number
        if isinstance(number, bool) or not isinstance(number, Integral):
            raise TypeError(f"number must be that of a position, not {number!r}")
        if not 0 <= number < self.graph.size:
            raise NotReached(f"number must be that of a position, from 0 to {self.graph.size - 1:,}, not {number}")
        return int(number)

    def value_of(self, number: int) -> Value:
        """Return the value of a position by its number."""
        number = self._checked(number)
        code = int(self.values[number])
        return Value(code, int(self.distances[number]) if code <= retrograde.SECOND_WINS else None)

    def is_over(self, number: int) -> bool:
        return bool(self.graph.kinds[self._checked(number)] > 1)

    def mover(self, number: int) -> int:
        """Return the seat to move in a running position."""
        if self.is_over(number):
            raise ValueError(f"number {number} is a position in which the game is over, and nobody moves")
        return int(self.graph.kinds[number])

    def move_values(self, number: int) -> dict[int, Value]:
        """Map each move of a running position, by its code, to its value, in the order of the contract."""
        if self.is_over(number):
            return {}
        children = self.graph.children(number)
        return {move: self.value_of(child) for move, child in zip(self.graph.codes(number), children, strict=True)}

    def best_moves(self, number: int) -> list[int]:
        """Return the moves that keep the value of a running position, the quickest win or the slowest loss."""
        if self.is_over(number):
            return []
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
        while not self.is_over(number) and self.values[number] <= retrograde.SECOND_WINS:
            move = self.best_moves(number)[0]
            line.append(move)
            number = self.graph.children(number)[self.graph.codes(number).index(move)]
        return line

    def way_to(self, number: int) -> list[int]:
        """Return the moves of a shortest way from the start to a position."""
        way: list[int] = []
        number = self._checked(number)
        while number:  # positions are numbered breadth first, so the first source is nearest to the start
            source = int(self.sources[self.starts[number]])
            way.append(self.graph.codes(source)[self.graph.children(source).index(number)])
            number = source
        return way[::-1]

    def forced(self, goal: np.ndarray, allowed: np.ndarray, seat: int) -> np.ndarray:
        """Return where `seat` can force a position of `goal` without leaving `allowed` on the way; bool[positions]."""
        for name, positions in (("goal", goal), ("allowed", allowed)):
            if getattr(positions, "shape", None) != (self.graph.size,) or positions.dtype != np.bool_:
                raise TypeError(f"{name} must be an array of {self.graph.size:,} truth values, one for a position")
        whole("seat", seat, 0, 1)
        graph, reached = self.graph, (goal & allowed).astype(np.int8)
        left, queue = np.zeros(graph.size, np.int32), np.zeros(graph.size, np.int32)
        links = (graph.kinds, graph.offsets, self.starts, self.sources)
        retrograde.find_forced(*links, allowed.astype(np.int8), reached, seat, left, queue)
        forced: np.ndarray = reached.astype(bool)
        return forced


def _words(identity: object) -> tuple[int, ...]:
    """Return the words of an identity; raises TypeError."""
    words = tuple(identity) if isinstance(identity, Iterable) and not isinstance(identity, str | bytes) else (None,)
    if not all(isinstance(word, Integral) for word in words):
        raise TypeError(f"identity must be the whole numbers that a position is told from others by, not {identity!r}")
    return cast("tuple[int, ...]", words)


def solve(ruleset: Ruleset | str, progress: Callable[[int], None] = lambda positions: None) -> Solved:
    """Solve a ruleset; raises NotSolvable and TooManyPositions.

    progress: called now and then with the number of positions found so far

    Positions are numbered, the start is 0.

    >>> solved = engine.solve(engine.load("hat-diviyan-keliya-ludovisi"))
    >>> solved.value_of(0)  # 0 the first player wins, 1 the second, 2 a draw, 3 endless
    Value(code=1, plies=14)
    """
    ruleset = ruleset_given(ruleset)
    if not callable(progress):
        raise TypeError(f"progress must be a function of a number of positions, not {progress!r}")
    return _analysed(ruleset, explore(ruleset, progress))


def load(ruleset: Ruleset) -> None:
    """Compile what solving a ruleset takes, or load it from the cache of compiled kernels."""
    _analysed(ruleset, empty(ruleset))


def _analysed(ruleset: Ruleset, graph: Graph) -> Solved:
    starts = np.zeros(graph.size + 1, dtype=np.int64)
    sources = np.zeros(graph.moves, dtype=np.int32)
    retrograde.turn_round(graph.offsets, graph.targets, starts, sources)
    values = np.full(graph.size, retrograde.UNKNOWN, dtype=np.int8)
    distances = np.zeros(graph.size, dtype=np.int32)
    left, queue = np.zeros(graph.size, np.int32), np.zeros(graph.size, np.int32)
    links = (starts, sources, values)
    retrograde.find_wins(graph.kinds, graph.offsets, *links, distances, left, queue)
    retrograde.tell_draws_apart(graph.kinds, graph.offsets, graph.targets, *links, left, queue)
    return Solved(ruleset, graph, values, distances, starts, sources)


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
        # One position, list and counter for each ply: the search is a loop and never allocates.
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
                # The keys have another layout now, so that what was known is lost and the search begins anew.
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
                # The seat needs a move that wins a ply sooner; the other one a move after which nothing shorter is
                # forced.
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
            # Both seats at each depth before the next: the first win that is found is the shortest there is.
            for own in searches:
                if own.within(start, depth, until):
                    return _searched(own, start, depth, refuted, sum(each.looked_at for each in searches))
            refuted = depth
    except OutOfTime:
        pass
    return Searched(None, None, refuted, (), {}, sum(each.looked_at for each in searches))


def _searched(winner: Search, start: np.ndarray, plies: int, refuted: int, looked_at: int) -> Searched:
    mine = winner.game.mover(start) == winner.seat
    # Of the winner's first moves only those that win as soon count; the loser's are all lost within the plies.
    most = plies - 1 if mine else plies
    firsts = {move: winner.plies(child, most) for move, child in winner.game.children(start)}
    return Searched(winner.seat, plies, refuted, tuple(winner.line(start, plies)), firsts, looked_at)
