"""Symmetries of a points game: of its board with the start and the rules, each side kept.

What a symmetry maps on each other the rules treat alike, so that play by players who prefer nothing wears it alike.
"""

from dataclasses import dataclass
from functools import cached_property

from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import NOWHERE, Board
from simulator.engine.boards.symmetry import Permutation, on_lines, orbits, symmetries
from simulator.engine.families.points.parameters import POINT_LISTS
from simulator.engine.families.points.referee import movement, rows
from simulator.engine.families.points.regions import WORDS
from simulator.engine.family import Rules

FIRST, SECOND = 0, 1
KINDS = [(seat, leads) for seat in (FIRST, SECOND) for leads in (False, True)]


@dataclass(frozen=True)
class Symmetry:
    """The symmetries of a game, as permutations of the points of its board."""

    board: Board
    group: tuple[Permutation, ...]

    @cached_property
    def points(self) -> list[tuple[int, ...]]:
        """Classes of points that the symmetries map on each other."""
        return orbits(self.group)

    @cached_property
    def lines(self) -> list[tuple[int, ...]]:
        """Classes of pieces of line, as numbers of `board.edges`."""
        return orbits(self.line_group)

    @cached_property
    def line_group(self) -> list[Permutation]:
        """The same symmetries, as permutations of the pieces of line."""
        return on_lines(self.group, self.board.edges)


def symmetry(rules: Rules) -> Symmetry:
    """Find the symmetries of the board that keep the start, the regions and lists of points, and what the rules read
    of lines and directions. Raises TooManySymmetries."""
    board = board_of(rules)
    group = symmetries(
        [_colour(rules, board, point) for point in range(len(board.points))],
        board.lines,
        sets=[rows.rows_of(rules, board, seat) for seat in (FIRST, SECOND)] if reads_rows(rules) else (),
        arrows=_arrows(rules, board),
        reads_lines=reads_lines(rules),
    )
    return Symmetry(board, group)


def _colour(rules: Rules, board: Board, point: int) -> tuple[object, ...]:
    name = board.names[point]
    listed = [name in rules[key] for key in POINT_LISTS]
    regions = [name in points for points in rules["regions"].values()]
    words = [point in points for points in _words(rules, board)]
    leaders = [row["at"] == name for row in rules["leader"]]
    return (*listed, *regions, *words, *leaders, board.rank(point) if rules["line_passed"] != "off" else 0)


def _words(rules: Rules, board: Board) -> list[frozenset[int]]:
    """Return the points of the words, such as edge, that a table names in place of a region."""
    from_tables = [row for key in movement.TABLES for row in movement.table_rows(rules, key)]
    named = sorted(
        {value for row in from_tables for value in row.values() if isinstance(value, str) and value in WORDS}
    )
    return [frozenset(WORDS[word](board)) for word in named]


def reads_rows(rules: Rules) -> bool:
    """Return whether a row brings something, or may not be formed."""
    plan = any(row["rows"] == "forbidden" for row in movement.table_rows(rules, "laying"))
    return plan or any(
        rules[key] != off for key, off in (("line_laying", "off"), ("line_moving", "off"), ("longer_row", "counts"))
    )


def reads_lines(rules: Rules) -> bool:
    """Return whether it matters which pieces of line go straight on: to leaps, to long steps, and to rows."""
    long = any(movement.reach_of(rules, *kind) > 1 for kind in KINDS) or rules["kings"] == "flying"
    takes = bool(movement.table_rows(rules, "captures")) or rules["captures_by"] != "off"
    return long or takes or reads_rows(rules)


def _arrows(rules: Rules, board: Board) -> list[set[tuple[int, int]]]:
    """Return the ways on which each kind of piece steps, and those on which each side takes."""
    kinds = [movement.ways_of_steps(rules, board, *kind) for kind in KINDS]
    for seat in (FIRST, SECOND):
        if movement.captures(rules, seat):
            kinds.append(board.ways_in(movement.jump_directions(rules, seat)))
        for row in movement.table_rows(rules, "captures"):
            kinds.append(board.ways_in(movement.compass(row["directions"], seat)))
    found = []
    for ways in kinds:
        steps = {(point, board.towards[point][way]) for point, row in enumerate(ways) for way in row}
        found.append({step for step in steps if step[1] != NOWHERE})
    return found
