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

LANDED, LEFT, SENT_BACK = range(3)
KINDS = (
    ("landed", "Landings of a piece"),
    ("left", "Squares left by a move"),
    ("sent_back", "Pieces sent back or taken from there"),
)


def layout(rules: Rules) -> Layout:
    """Return the cells: for each seat the kinds of use of squares."""
    squares = tuple(square.name for square in board_of(rules).squares)
    return Layout(tuple(Channel(key, seat, squares, title) for seat in range(rules["seats"]) for key, title in KINDS))


def of_game(rules: Rules, plies: Iterable[Ply], cap: int) -> list[int]:
    """Return what a game leaves in each cell, counted from the referee's positions."""
    tracks, squares = course(rules).tracks, len(board_of(rules).squares)
    cells, turns = [0] * (3 * squares * rules["seats"]), 0

    def use(seat: int, kind: int, steps: Iterable[int]) -> None:
        for step in steps:
            if (square := tracks[seat][step]) >= 0:
                cells[(3 * seat + kind) * squares + square] += 1

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
    return cells
