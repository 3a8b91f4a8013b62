"""What is counted of the traffic of a sowing game, and the same from the referee's plies, in plain Python."""

from collections.abc import Iterable

from simulator.engine.channels import Channel, Layout
from simulator.engine.families.sowing.notation import hole_name
from simulator.engine.families.sowing.referee.contract import start
from simulator.engine.family import Rules
from simulator.engine.referee_playout import Ply

DROPPED, BEGUN, TAKEN, LAST = range(4)
VERSION = 2
KINDS = (
    ("dropped", "Counters that fell into the hole", 1),
    ("begun", "Laps begun from the hole", 1),
    ("taken", "Counters taken from the hole", 2),
    ("last", "Where the last lap of a game ended", 2),
)


def layout(rules: Rules) -> Layout:
    """Return the cells: for each seat the kinds of use of holes."""
    position = start(rules)
    holes = tuple(hole_name(position, hole) for hole in range(len(position.holes)))
    return Layout(tuple(Channel(key, seat, holes, title, since) for seat in (0, 1) for key, title, since in KINDS))


def of_game(rules: Rules, plies: Iterable[Ply], cap: int) -> list[int]:
    """Return what a game leaves in each cell, counted from the laps and captures that the referee tells.

    Whoever takes counters is the side of a capture. A lap that ends in a store, or never, ends in no hole.
    """
    holes = len(start(rules).holes)
    cells, turns, last = [0] * (2 * len(KINDS) * holes), 0, None

    def cell(seat: int, kind: int, hole: int) -> int:
        return (len(KINDS) * seat + kind) * holes + hole

    for ply in plies:
        for event in ply.played.events:
            if event.kind == "capture":
                cells[cell(event.seat, TAKEN, event.hole)] += event.counters
            elif event.kind == "lap":
                if event.why != "taken":
                    cells[cell(event.seat, BEGUN, event.hole)] += 1
                for hole in event.path:
                    if hole >= 0:
                        cells[cell(event.seat, DROPPED, hole)] += 1
                if len(event.path) == event.counters and event.path[-1] >= 0:
                    last = cell(event.seat, LAST, event.path[-1])
        turns += ply.played.turn_over
        if turns >= cap:
            break
    if last is not None:
        cells[last] += 1
    return cells
