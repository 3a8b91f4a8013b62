"""What somebody tried in a points game, and the rules that may stand in its way."""

import re
from collections.abc import Iterator

from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import Board
from simulator.engine.families.points import position as code
from simulator.engine.families.points.position import Position
from simulator.engine.illegal_move import Attempt, RelaxedRule
from simulator.engine.session import Session

# The parameters that may keep a piece from doing something, and those that would allow it.
FORBIDDING = (
    "capture_compulsory",
    "most_captures",
    "huff",
    "leader",
    "first_steps",
    "second_steps",
    "nearing",
    "first_reach",
    "second_reach",
    "captures",
    "chain",
    "king_chain",
    "lay_safe",
    "laying",
    "longer_row",
    "removable",
    "kings",
    "king_lands",
    "king_turns",
    "flies_at",
    "moves_to",
    "laying_ends",
)
ALLOWING = ("first_reach", "second_reach", "moves_to", "captures_by")
ROW_FIRST = "A row was formed: first remove one of the other player’s pieces."
HUFF_FIRST = "Before you move, take off one of the pieces that could have jumped, or leave them all."
# Two letters where a board has more than twenty-five files; an x between two points is a jump, so no file is called x.
POINT = r"[a-wyz]{1,2}\d{1,3}"
WHY_NO_WORD = {
    "pass": (code.PASS, "There is no reason to pass."),
    "stop": (code.STOP, "No piece has jumped, so none can stop."),
    "leave": (code.LEAVE, "There is no piece that could be huffed."),
}


def read(session: Session, text: str) -> list[Attempt] | None:
    """Return the attempts that a text (`c3`, `c3-d4`, `c3 e5`, `stop`) names, or None if it names none."""
    if text in WHY_NO_WORD:
        move, why = WHY_NO_WORD[text]
        return [Attempt((move,), why)]
    board = board_of(session.ruleset.parameters)
    named = re.findall(POINT, text)
    if not named or re.sub(rf"{POINT}|[\s+x-]", "", text) or any(name not in board.names for name in named):
        return None
    points = [board.number(name) for name in named]
    if len(points) == 1:
        return [_one_point(session, board, points[0])]
    return [_two_points(session, board, points[0], points[1])] if len(points) == 2 else None


def _one_point(session: Session, board: Board, point: int) -> Attempt:
    position, seat, name = session.position, session.mover, board.names[point]
    own, opposing = point in position.pieces(seat), point in position.pieces(1 - seat)
    if position.phase == code.REMOVE:
        if not opposing:
            return Attempt((), f"There is no piece of the other player’s on {name}. {ROW_FIRST}", _row_keys(position))
        return Attempt((code.removal(position.points, point),), f"The piece on {name} cannot be removed.")
    if position.phase == code.HUFF:
        if not opposing:
            return Attempt((), HUFF_FIRST, ("huff",))
        return Attempt(
            (code.removal(position.points, point),), f"The piece on {name} could not have jumped.", ("huff",)
        )
    if own:
        codes = tuple(
            make(position.points, point, to)
            for to in range(len(board.points))
            for make in (code.step, code.jump)
            if to != point
        )
        return Attempt(codes, f"The piece on {name} has nowhere to go.")
    if opposing:
        return Attempt((), f"The piece on {name} is the other player’s.")
    if not position.is_vacant(point):
        return Attempt((), f"The piece on {name} was taken in this turn and still stands.", ("lifted",))
    if not position.hands[seat]:
        return Attempt((), f"{name} is vacant, and there is no piece in hand to lay on it.")
    return Attempt((code.LAY + point,), f"No piece can be laid on {name}.")


def _two_points(session: Session, board: Board, origin: int, to: int) -> Attempt:
    position, seat = session.position, session.mover
    start, end = board.names[origin], board.names[to]
    if position.phase == code.REMOVE:
        return Attempt((), ROW_FIRST, _row_keys(position))
    if position.phase == code.HUFF:
        return Attempt((), HUFF_FIRST, ("huff",))
    if origin in position.pieces(1 - seat):
        return Attempt((), f"The piece on {start} is the other player’s.")
    if origin not in position.pieces(seat):
        return Attempt((), f"There is no piece on {start}.")
    if not position.is_vacant(to):
        return Attempt((), f"{end} is not vacant.")
    return Attempt(
        (code.step(position.points, origin, to), code.jump(position.points, origin, to)),
        _way_between(board, position, seat, origin, to),
    )


def _row_keys(position: Position) -> tuple[str, ...]:
    return ("line_laying",) if position.laid else ("line_moving",)


def _way_between(board: Board, position: Position, seat: int, origin: int, to: int) -> str:
    """Return what a look at the board says of the way from one point to another."""
    start, end = board.names[origin], board.names[to]
    between = _between(board, origin, to)
    if between is None:
        return f"No straight line on the board leads from {start} to {end}."
    own = [board.names[point] for point in between if point in position.pieces(seat)]
    occupied = [point for point in between if not position.is_vacant(point)]
    if own:
        return f"A piece of the same player stands on {own[0]}, between {start} and {end}."
    if len(occupied) > 1:
        return f"More than one piece stands between {start} and {end}."
    if occupied:
        return f"The piece on {board.names[occupied[0]]} cannot be jumped over from {start} to {end}."
    return f"{end} is farther from {start} than the piece may go, and there is nothing in between to jump over."


def _between(board: Board, origin: int, to: int) -> list[int] | None:
    found = [list(ray[: ray.index(to)]) for ray in board.rays[origin] if to in ray]
    return min(found, key=len, default=None)


def undone(session: Session) -> Iterator[RelaxedRule]:
    """Yield capturing by one side only, a chain that binds its piece, laying before moving, taken pieces that stand."""
    position: Position = session.position
    if session.ruleset.parameters["captures_by"] not in ("off", "both"):
        yield RelaxedRule(("captures_by",), {"captures_by": "both"})
    if position.phase == code.CHAIN:
        by_table = isinstance(session.ruleset.parameters["captures"], list)
        yield RelaxedRule(("captures" if by_table else "chain",), {}, _end_chain, is_general=True)
    if position.hands[session.mover]:
        yield RelaxedRule(("laying_ends",), {}, _empty_hands)
    if position.lifted:
        yield RelaxedRule(("lifted",), {}, lambda changed: changed.lifted.clear())


def _end_chain(position: Position) -> None:
    position.phase, position.chain, position.chain_direction, position.hops = code.PLAY, None, 0, 0


def _empty_hands(position: Position) -> None:
    position.hands = [0, 0]
