"""Which places of the board a move of a race game names, and which a turn touched: for drawings that point them out.

A square is called as in the notation, without the mark of a second time round: it is one square on the board.
"""

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race import position as code
from simulator.engine.families.race.position import Position, Rules
from simulator.engine.families.race.referee.course import course
from simulator.engine.families.race.referee.options import entry_distance, series_sum
from simulator.engine.families.race.referee.parts import kinds
from simulator.engine.referee_playout import Ply

HOME = "home"


def waiting_name(seat: int) -> str:
    """Where the pieces of a seat wait off the board."""
    return f"waiting-{seat + 1}"


def place_name(rules: Rules, seat: int, step: int) -> str:
    """Where a piece of that seat stands on that step of its way, or on the last step if it would go beyond."""
    way = course(rules)
    if step == 0:
        return waiting_name(seat)
    return HOME if step >= way.home else BOARDS[rules["board"]].squares[way.tracks[seat][step]].name


def move_places(rules: Rules, position: Position, move: int) -> tuple[str, ...]:
    """Where the piece stands and where it goes; passing and declining name no place."""
    if move in (code.PASS, code.DECLINE):
        return ()
    step, distance = _way_of(rules, position, move)
    return place_name(rules, position.mover, step), place_name(rules, position.mover, step + distance)


def _way_of(rules: Rules, position: Position, move: int) -> tuple[int, int]:
    """(the step the piece stands on, how far it goes)."""
    if move == code.TOGETHER:
        return course(rules).corner, position.double
    share, place = divmod(move % code.ALONE_OF, code.FREE)
    number, step = divmod(place, code.STRIDE)
    if share == code.FREE // code.FREE:
        distance = number  # none where all waiting pieces enter by a double
    elif share:
        distance = 1 if share == code.EXTRA_OF // code.FREE else kinds(rules)[number].value - 1
    else:
        distance = series_sum(rules, position)[1] if place >= code.TOTAL else kinds(rules)[number].value
    return step, distance if step else entry_distance(rules, distance)


def touched(rules: Rules, ply: Ply) -> tuple[str, ...]:
    """The places of the move, and the squares from which pieces were sent back."""
    squares = BOARDS[rules["board"]].squares
    sent_back = (event.square for event in ply.played.events if event.kind == "sent_back")
    struck = (squares[square].name for square in sent_back if square is not None)
    return tuple(dict.fromkeys((*move_places(rules, ply.before, ply.move), *struck)))
