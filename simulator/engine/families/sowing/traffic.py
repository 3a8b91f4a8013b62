"""What is counted of the traffic of a sowing game, and the same from the referee's plies, in plain Python."""

from collections.abc import Iterable

from simulator.engine.channels import Channel, Layout
from simulator.engine.families.sowing.notation import hole_name
from simulator.engine.families.sowing.referee.contract import start
from simulator.engine.family import Rules
from simulator.engine.referee_playout import Ply

KINDS = (("dropped", "Counters that fell into the hole"), ("begun", "Laps begun from the hole"))


def layout(rules: Rules) -> Layout:
    """Return the cells: for each seat the kinds of use of holes."""
    position = start(rules)
    holes = tuple(hole_name(position, hole) for hole in range(len(position.holes)))
    return Layout(tuple(Channel(key, seat, holes, title) for seat in (0, 1) for key, title in KINDS))


def of_game(rules: Rules, plies: Iterable[Ply], cap: int) -> list[int]:
    """Return what a game leaves in each cell, counted from the laps that the referee tells."""
    holes = len(start(rules).holes)
    cells, turns = [0] * (4 * holes), 0
    for ply in plies:
        for event in ply.played.events:
            if event.kind == "lap":
                if event.why != "taken":
                    cells[(2 * event.seat + 1) * holes + event.hole] += 1
                for hole in event.path:
                    if hole >= 0:
                        cells[2 * event.seat * holes + hole] += 1
        turns += ply.played.turn_over
        if turns >= cap:
            break
    return cells
