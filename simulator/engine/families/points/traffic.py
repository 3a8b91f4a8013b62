"""What is counted of the traffic of a points game, and the same from the referee's plies, in plain Python.

A piece that goes along a line is counted on each piece of it, whoever it passes; one that is set down where no line
leads is counted on none. Occupied is a point at the end of a turn, by whoever stands there.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import Board
from simulator.engine.channels import Channel, Layout
from simulator.engine.family import Rules
from simulator.engine.referee_playout import Ply

LINES, LAID, ENTERED, LEFT, OCCUPIED, TAKEN, LAST = range(7)
VERSION = 1
KINDS = (
    ("lines", "Moves along lines"),
    ("laid", "Pieces laid"),
    ("entered", "Points entered by a move"),
    ("left", "Points left by a move"),
    ("occupied", "Turns at whose end a piece stood there"),
    ("taken", "Pieces taken there"),
    ("last", "Where the last move of a game led"),
)


def layout(rules: Rules) -> Layout:
    """Return the cells: for each seat the kinds of use, of lines and then of points."""
    board = board_of(rules)
    lines = tuple((board.names[one], board.names[other]) for one, other in board.edges)
    channels = [
        Channel(key, seat, tuple(map("-".join, lines)) if key == "lines" else board.names, title)
        for seat in (0, 1)
        for key, title in KINDS
    ]
    return Layout(tuple(channels), lines)


@lru_cache(64)
def paths(board: Board) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the pieces of line, as numbers of `board.edges`, from each point to those that lie on a line with it, on
    the shortest way."""
    number = {edge: place for place, edge in enumerate(board.edges)}
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    for point, rays in enumerate(board.rays):
        for ray in rays:
            here, along = point, list[int]()
            for there in ray:
                along.append(number[min(here, there), max(here, there)])
                known = found.get((point, there))
                if there != point and (known is None or len(known) > len(along)):
                    found[point, there] = tuple(along)
                here = there
    return found


def ways(rules: Rules, board: Board) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the lines of every move that the rules can have from a point to another: none where a piece is set down
    off the lines."""
    found = paths(board)
    if rules["moves_to"] == "vacant" or rules["flies_at"]:
        points = range(len(board.points))
        return {(one, other): found.get((one, other), ()) for one in points for other in points}
    steps = [rules["first_reach"] == rules["second_reach"] == 1, rules["kings"] == "off", not rules["leader"]]
    return (
        {pair: along for pair, along in found.items() if len(along) == 1} if all(steps) and not takes(rules) else found
    )


def takes(rules: Rules) -> bool:
    """Return whether a piece can be taken or removed at all."""
    removes = any(rules[key].startswith("remove") for key in ("line_laying", "line_moving"))
    return removes or rules["captures_by"] != "off" or isinstance(rules["captures"], list)


def of_game(rules: Rules, plies: Iterable[Ply], cap: int) -> list[int]:
    """Return what a game leaves in each cell, counted from the referee's plies and their events."""
    board = board_of(rules)
    along, points, edges = paths(board), len(board.points), len(board.edges)
    size = edges + 6 * points
    cells, turns, last = [0] * (2 * size), 0, None

    def cell(seat: int, kind: int, thing: int) -> int:
        return seat * size + (edges + (kind - 1) * points if kind else 0) + thing

    for ply in plies:
        position = ply.played.position
        for kind, seat, thing, origin in _uses(ply):
            cells[cell(seat, kind, thing)] += 1
            if kind in (LAID, ENTERED):
                last = seat, thing
            if kind == ENTERED and origin is not None:
                for edge in along.get((origin, thing), ()):
                    cells[cell(seat, LINES, edge)] += 1
        if ply.played.turn_over:
            turns += 1
            for seat in (0, 1):
                for point in position.pieces(seat):
                    cells[cell(seat, OCCUPIED, point)] += 1
        if turns >= cap:
            break
    if last is not None:
        cells[cell(last[0], LAST, last[1])] += 1
    return cells


def _uses(ply: Ply) -> Iterator[tuple[int, int, int, int | None]]:
    """Yield (kind of use, seat, point, where a move began) of what happens in a ply."""
    for event in ply.played.events:
        if event.kind == "lay":
            yield LAID, event.seat, event.point, None
        elif event.kind in ("step", "jump"):
            yield LEFT, event.seat, event.origin, None
            yield ENTERED, event.seat, event.point, event.origin
        elif event.kind in ("capture", "removal", "huff"):
            yield TAKEN, 1 - event.seat, event.point, None
