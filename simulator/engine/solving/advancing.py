"""Hunts in which the herd only advances, solved by one sweep over the formations of the herd, and their documents.

A herd that never steps back and is never captured cannot repeat itself, so that no graph of positions is needed: for
each formation the sweep stores where the hunter may stand for each side to win. Games with thousands of millions of
positions thus fit into a few gigabytes. The number of plies that a win takes stays unknown.
"""

import math
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from simulator.engine.bits import binomials
from simulator.engine.boards import bitboard
from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import NOWHERE, Board
from simulator.engine.families.points.kernel.compiling import may_step
from simulator.engine.families.points.position import PASS, W_SETS
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.document import common, cost, first_move, line_document, names_of
from simulator.engine.solving.graph import BOUNDS, UnboundedGame, without_bounds
from simulator.engine.solving.kernel.advancing import HERD, HUNTER, POINTS, Hunt, WinTable, look_up, sweep
from simulator.engine.solving.kernel.retrograde import ENDLESS_PLAY, FIRST_WINS, SECOND_WINS
from simulator.engine.solving.solved import Value

# What such a game may have otherwise than the schema's off values; `fits` asks more of some.
SERVED = {
    *("family", "board", "begins", "first_pieces", "second_pieces", "first_array", "second_array", "line_passed"),
    *("first_reach", "first_steps", "second_steps", "first_stuck", "second_stuck", *BOUNDS),
}
BYTES = 18  # of a formation
AT_ONCE = 200_000  # formations between two reports
FILES = ("lows.npy", "highs.npy")


def fits(ruleset: Ruleset) -> bool:
    """Say whether a ruleset is such a hunt: one piece that captures nothing, against men that all stand on the board at
    the start and only step forward, with no other kind of move for either side."""
    if ruleset.family != "points" or not ruleset.document.keys() <= SERVED:
        return False
    rules = ruleset.parameters
    waits = rules["begins"] == "second" and not rules["first_array"]
    herd = rules["second_steps"] == "forward" and len(rules["second_array"]) == rules["second_pieces"]
    board = board_of(rules)
    return rules["first_pieces"] == 1 and herd and not waits and board.is_compass and len(board.points) <= POINTS


def formations(ruleset: Ruleset) -> int:
    """Return the number of sets of points that the herd can occupy, whether play leads there or not."""
    rules = ruleset.parameters
    return math.comb(len(board_of(rules).points), rules["second_pieces"])


def what_fits(ruleset: Ruleset, most_bytes: int) -> str:
    """Say in words how large a herd may be on this board for the table to take at most so many bytes."""
    rules = ruleset.parameters
    points = len(board_of(rules).points)
    herds = [men for men in range(1, rules["second_pieces"] + 1) if BYTES * math.comb(points, men) <= most_bytes]
    return f"a herd of at most {max(herds, default=0)} on this board"


def seconds_expected(ruleset: Ruleset) -> float:
    """Estimate the seconds of the whole sweep from its first formations, after compiling or loading what it needs."""
    # Run twice, since the first run may compile; the formations of the lowest numbers stand for all.
    few = min(AT_ONCE, formations(ruleset))
    hunt, table = hunt_of(ruleset), WinTable(np.zeros((few, 2), np.uint64), np.zeros((few, 2), np.uint8))
    for first in (True, False):
        men, begun = np.arange(ruleset.parameters["second_pieces"]), time.perf_counter()
        sweep(hunt, men, 0, 1 if first else few, table, np.zeros((2, 3), dtype=np.int64))
    return (time.perf_counter() - begun) * formations(ruleset) / few


@dataclass
class Advanced:
    """The table of a hunt, its bounds set aside.

    counts: int64[2, 3], see `sweep`; all zero for a table that was opened
    """

    ruleset: Ruleset
    game: UnboundedGame
    hunt: Hunt
    table: WinTable
    counts: np.ndarray

    @cached_property
    def _words(self) -> int:
        return len(bitboard((), len(board_of(self.ruleset.parameters).points)))

    def value(self, position: np.ndarray) -> Value:
        """Return what best play comes to from a position of the kernel; the plies are unknown."""
        end, winners = self.game.contract.outcome(self.game.rules, position)
        if end >= 0:
            return Value({1: FIRST_WINS, 2: SECOND_WINS}.get(int(winners), ENDLESS_PLAY), None)
        hunter, herd = self._places(position)
        if hunter < 0:
            # The hunter is still to be laid: he takes the best of all points.
            values = [self.value(child) for _, child in self.game.children(position)]
            return max(values, key=lambda value: value.score(HUNTER))
        sets = np.zeros((6, 2), dtype=np.uint64)
        look_up(self.hunt, herd, self.table, sets)
        # The six sets are three for the hunter to move and three for the herd; the first of each says where play goes
        # on.
        at = 3 * self.game.mover(position)
        for side, code in ((HUNTER, FIRST_WINS), (HERD, SECOND_WINS)):
            if int(sets[at + 1 + side, hunter >> 6]) >> (hunter & 63) & 1:
                return Value(code, None)
        return Value(ENDLESS_PLAY, None)

    def move_values(self, position: np.ndarray) -> dict[int, Value]:
        """Map each move of a running position to its value, in the order of the contract."""
        return {move: self.value(child) for move, child in self.game.children(position)}

    def best_moves(self, position: np.ndarray) -> list[int]:
        """Return the moves that keep the value of a running position.

        A winning hunter chooses among them those that soonest leave the herd a step: while it can only pass, he could
        go round and round without ever winning.
        """
        seat, children = self.game.mover(position), dict(self.game.children(position))
        scores = {move: self.value(child).score(seat) for move, child in children.items()}
        best = [move for move, score in scores.items() if score == max(scores.values())]
        if seat == HERD or max(scores.values()) < 1:
            return best
        # The table has no plies, so that of winning moves only this tells the one that makes headway.
        passes = {move: self._passes(children[move]) for move in best}
        return [move for move in best if passes[move] == min(passes.values())]

    def _passes(self, position: np.ndarray) -> int:
        """Count the passes of the herd, which is to move, until it has a step or the game is won, if the hunter
        hurries."""
        waiting, seen = [position], set[bytes]()
        for passes in range(POINTS):
            if any(self.is_over(waiter) or self.game.codes(waiter) != [PASS] for waiter in waiting):
                return passes
            # A breadth-first search, a pass of the herd and a winning step of the hunter at a time.
            after = [child for waiter in waiting for _, child in self.game.children(waiter)]
            children = {self._key(child): child for passed in after for _, child in self.game.children(passed)}
            waiting = [
                child for key, child in children.items() if key not in seen and self.value(child).winner == HUNTER
            ]
            seen.update(children)
        raise AssertionError("a hunter who wins comes to an end")

    def line(self) -> list[int]:
        """Return faultless play from the start to the end, each move the first of the best; empty where nobody wins."""
        position, line = self.game.start(), list[int]()
        while self.value(position).winner is not None and not self.is_over(position):
            line.append(self.best_moves(position)[0])
            position = dict(self.game.children(position))[line[-1]]
        return line

    def is_over(self, position: np.ndarray) -> bool:
        return bool(self.game.contract.outcome(self.game.rules, position)[0] >= 0)

    def _key(self, position: np.ndarray) -> bytes:
        return position[: self.game.contract.identity_size(self.game.rules)].tobytes()

    def _places(self, position: np.ndarray) -> tuple[int, np.ndarray]:
        """Return (the point of the hunter, or -1; the points of the herd) in a position of the kernel."""
        sets = [self._members(position[W_SETS + self._words * side :][: self._words]) for side in (HUNTER, HERD)]
        return sets[HUNTER][0] if sets[HUNTER] else -1, np.array(sets[HERD], dtype=np.int64)

    def _members(self, words: Iterable[Any]) -> list[int]:
        bits = sum((int(word) & (2**64 - 1)) << 64 * place for place, word in enumerate(words))
        return [point for point in range(POINTS) if bits >> point & 1]


def solve_advancing(
    ruleset: Ruleset, progress: Callable[[int], None] = lambda done: None, folder: Path | None = None
) -> Advanced:
    """Solve a ruleset that fits.

    progress: called now and then with the number of formations that are decided
    folder:   where the table is to be files instead of memory
    """
    solved = Advanced(
        ruleset, without_bounds(ruleset), hunt_of(ruleset), _room(ruleset, folder), np.zeros((2, 3), dtype=np.int64)
    )
    men, number = np.arange(ruleset.parameters["second_pieces"]), 0
    while number < formations(ruleset):
        number = sweep(solved.hunt, men, number, AT_ONCE, solved.table, solved.counts)
        progress(number)
    return solved


def opened(ruleset: Ruleset, folder: Path) -> Advanced:
    """Open a table that was solved into files; little of it is ever in memory. Raises FileNotFoundError."""
    table = WinTable(*(np.load(folder / name, mmap_mode="r") for name in FILES))
    return Advanced(ruleset, without_bounds(ruleset), hunt_of(ruleset), table, np.zeros((2, 3), dtype=np.int64))


def _room(ruleset: Ruleset, folder: Path | None) -> WinTable:
    # 72 points: 64 in a word and 8 in a byte, for each side, are the 18 bytes of BYTES.
    shape, kinds = (formations(ruleset), 2), (np.uint64, np.uint8)
    if folder is None:
        return WinTable(*(np.zeros(shape, kind) for kind in kinds))
    folder.mkdir(parents=True, exist_ok=True)
    files = zip(FILES, kinds, strict=True)
    return WinTable(*(np.lib.format.open_memmap(folder / name, "w+", kind, shape) for name, kind in files))


def hunt_of(ruleset: Ruleset) -> Hunt:
    """Lay out the rules and the board for the sweep."""
    rules, board = ruleset.parameters, board_of(ruleset.parameters)
    points = range(len(board.points))
    steps = [
        [to for way, to in enumerate(board.towards[point]) if to >= 0 and may_step(rules, HERD, way)]
        for point in points
    ]
    ways = sorted(_ways(board, rules))
    sizes = [len(list(group)) for _, group in groupby(ways, key=lambda way: way[0])]
    return Hunt(
        reach=rules["first_reach"],
        loses=(int(rules["first_stuck"] != "passes"), int(rules["second_stuck"] != "passes")),
        board=_sets([points])[0],
        # Numbers of formations follow from binomials: no table of sets is kept.
        choose=binomials(len(points), rules["second_pieces"]),
        steps=np.array([[len(row), *row, *[0] * (8 - len(row))] for row in steps], dtype=np.int64),
        passed=_sets([point for point in points if _is_passed(board, rules, point, top)] for top in points),
        firsts=np.cumsum([0, *sizes]),
        offsets=np.array([offset for _, offset, _ in ways], dtype=np.int64),
        ways=_sets(members for _, _, members in ways),
    )


def _is_passed(board: Board, rules: Any, hunter: int, foremost: int) -> bool:
    ahead, rule = board.rank(hunter) - board.rank(foremost), rules["line_passed"]
    # He is past the herd once no man stands on a higher rank, which the highest occupied point alone tells.
    return rule != "off" and (ahead > 0 or (ahead == 0 and rule == "level"))


def _ways(board: Board, rules: Any) -> Iterable[tuple[int, int, tuple[int, ...]]]:
    """Yield (direction, difference to the next point, the points from which that difference leads on)."""
    points_by_way: dict[tuple[int, int], list[int]] = {}
    for point, row in enumerate(board.towards):
        for direction, to in enumerate(row):
            if to != NOWHERE and may_step(rules, HUNTER, direction):
                # Points that are equally far from their neighbour can be shifted together, as one set.
                points_by_way.setdefault((direction, to - point), []).append(point)
    return ((direction, offset, tuple(points)) for (direction, offset), points in points_by_way.items())


def _sets(sets: Iterable[Iterable[int]]) -> np.ndarray:
    """Return sets of points as uint64[sets, 2]."""
    bits = [sum(1 << member for member in members) for members in sets]
    return np.array([[word & (2**64 - 1), word >> 64] for word in bits], dtype=np.uint64)


SWEEP = "sweep"


def swept(
    ruleset: Ruleset, progress: Callable[[int], None] = lambda done: None, folder: Path | None = None
) -> tuple[dict[str, Any], Advanced]:
    """Solve a hunt; returns (the document with time and memory, the table), see `solve_advancing`."""
    begun = time.perf_counter()
    solved = solve_advancing(ruleset, progress, folder)
    return {**swept_document(solved), **cost(time.perf_counter() - begun)}, solved


def swept_document(solved: Advanced) -> dict[str, Any]:
    """Return the document of a sweep: it gives no plies, and counts positions that no play leads to with the others."""
    start = solved.game.start()
    free = solved.game.ruleset
    return {
        "method": SWEEP,
        **common(solved.ruleset),
        "start": {"mover": solved.game.mover(start), **solved.value(start).as_document()},
        "first_moves": _first_moves(solved, start),
        "line": line_document(free, [], solved.line()),
        "positions": {"formations": formations(solved.ruleset), "running": int(solved.counts[:, 0].sum())},
        "counts": [_counts(solved, mover) for mover in (0, 1)],
        "table_bytes": sum(part.nbytes for part in solved.table),
    }


def _first_moves(solved: Advanced, start: np.ndarray) -> list[dict[str, Any]]:
    values = solved.move_values(start)
    names = names_of(solved.game.ruleset, [], list(values))
    children = [child for _, child in solved.game.children(start)]
    return [
        first_move(move, name, value, *_next(solved, child))
        for (move, value), name, child in zip(values.items(), names, children, strict=True)
    ]


def _next(solved: Advanced, position: np.ndarray) -> tuple[int, Collection[Value]]:
    """Return (the seat to move, the values of its moves); no values where the game is over."""
    if solved.is_over(position):
        return 0, ()
    return solved.game.mover(position), solved.move_values(position).values()


def _counts(solved: Advanced, mover: int) -> dict[str, int]:
    running, first, second = solved.counts[mover].tolist()
    values = {"first_wins": first, "second_wins": second, "draw": 0, "endless": running - first - second}
    return {"mover": mover, "all": running, "lost": (second, first)[mover], **values}
