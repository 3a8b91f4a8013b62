"""Which holes a move of a sowing game names, and which a ply touched: for drawings that point them out."""

from simulator.engine.families.sowing.notation import hole_name
from simulator.engine.families.sowing.position import PASS, Position
from simulator.engine.families.sowing.referee.turn import Rules
from simulator.engine.referee_playout import Ply

# A relay passes over most of the board, so that pointing out its laps would point out nothing.
UNTOLD = ("lap", "passed_over", "round_end")


def store_name(seat: int) -> str:
    """The place of a seat's store on a drawing; no move names it."""
    return f"store-{seat + 1}"


def move_places(rules: Rules, position: Position, move: int) -> tuple[str, ...]:
    """The hole a turn starts from; passes, loans and layouts name none."""
    return (hole_name(position, position.mover * position.row + move // 2),) if move < PASS else ()


def touched(rules: Rules, ply: Ply) -> tuple[str, ...]:
    """Where the ply began, and where it took, tied or ended."""
    holes = (event.hole for event in ply.played.events if event.kind not in UNTOLD)
    events = (hole_name(ply.before, hole) for hole in holes if hole is not None)
    return tuple(dict.fromkeys((*move_places(rules, ply.before, ply.move), *events)))
