"""What is counted of the traffic of a race, and the same from the referee's plies, in plain Python.

A piece has landed where it stands when a ply is over: squares that it passes, or is led on from, are not landed on.
"""

from collections import Counter
from collections.abc import Iterable

from simulator.engine.boards.tracks import board_of
from simulator.engine.channels import Channel, Layout
from simulator.engine.families.race.referee.way import course
from simulator.engine.family import Rules
from simulator.engine.referee_playout import Ply

LANDED, LEFT, SENT_BACK, LAST = range(4)
VERSION = 2
KINDS = (
    ("landed", "Landings of a piece", 1),
    ("left", "Squares left by a move", 1),
    ("sent_back", "Pieces sent back or taken from there", 1),
    ("last", "Where the last piece to move came to stand, or left the board from", 2),
)


def layout(rules: Rules) -> Layout:
    """Return the cells: for each seat the kinds of use of squares."""
    squares = tuple(square.name for square in board_of(rules).squares)
    seats = range(rules["seats"])
    return Layout(tuple(Channel(key, seat, squares, title, since) for seat in seats for key, title, since in KINDS))


def of_game(rules: Rules, plies: Iterable[Ply], cap: int) -> list[int]:
    """Return what a game leaves in each cell, counted from the referee's positions."""
    tracks, squares = course(rules).tracks, len(board_of(rules).squares)
    cells, turns, last = [0] * (len(KINDS) * squares * rules["seats"]), 0, None

    def cell(seat: int, kind: int, square: int) -> int:
        return (len(KINDS) * seat + kind) * squares + square

    def use(seat: int, kind: int, steps: Iterable[int]) -> None:
        nonlocal last
        for step in sorted(steps):
            if (square := tracks[seat][step]) >= 0:
                cells[cell(seat, kind, square)] += 1
                if kind != SENT_BACK:
                    last = cell(seat, LAST, square)

    for ply in plies:
        for seat in range(rules["seats"]):
            before, after = Counter(ply.before.pieces[seat]), Counter(ply.played.position.pieces[seat])
            if seat == ply.seat:
                use(seat, LEFT, (before - after).elements())
                use(seat, LANDED, (after - before).elements())
            else:
                use(seat, SENT_BACK, (before - after).elements())
        turns += ply.played.turn_over
        if turns >= cap:
            break
    if last is not None:
        cells[last] += 1
    return cells
