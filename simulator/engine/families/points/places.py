"""Which points a move of a points game names, and which a ply touched: for drawings that point them out."""

from simulator.engine.boards.points import BOARDS
from simulator.engine.families.points.position import FROM, JUMP, LAY, LEAVE, PASS, REMOVE_MOVE, STEP, STOP, Position
from simulator.engine.families.points.referee.movement import Rules
from simulator.engine.referee_playout import Ply


def hand_name(seat: int) -> str:
    """The place, on a drawing, of what a seat has still to lay; no move names it."""
    return f"hand-{seat + 1}"


def move_places(rules: Rules, position: Position, move: int) -> tuple[str, ...]:
    """The point laid on, removed or huffed from; of a step or jump where it begins and where it ends."""
    names = BOARDS[rules["board"]].names
    if move in (PASS, STOP, LEAVE):
        return ()
    if move < PASS:
        return (names[move - (LAY if move < REMOVE_MOVE else REMOVE_MOVE)],)
    return tuple(names[point] for point in divmod(move - (JUMP if move >= JUMP else STEP), FROM))


def touched(rules: Rules, ply: Ply) -> tuple[str, ...]:
    """The points of the move, and of every piece taken, removed or crowned."""
    names = BOARDS[rules["board"]].names
    events = (names[event.point] for event in ply.played.events if event.point is not None)
    return tuple(dict.fromkeys((*move_places(rules, ply.before, ply.move), *events)))
