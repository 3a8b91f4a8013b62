"""The ways of taking that a table says, row by row. Plain Python, for the referee.

A leap, or a landing, is a move of its own. What encloses, surrounds, goes between, withdraws, approaches or shuts in
takes by where a piece comes to, whether it stepped or leapt; it is looked at when what was leapt over is off the board.
Of several rows that take one piece the first is told; what follows is the strictest that any of them says.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simulator.engine.boards.points import NOWHERE, Board
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee import movement
from simulator.engine.families.points.referee.movement import SEATS, Rules
from simulator.engine.families.points.regions import region

Row = dict[str, Any]
THEN = ("end", "may_go_on", "must_go_on")
FITS = {
    "one": lambda count: count == 1,
    "two": lambda count: count == 2,
    "three": lambda count: count == 3,
    "odd": lambda count: count % 2 == 1,
    "any": lambda count: count > 0,
}


@dataclass(frozen=True, slots=True)
class Leap:
    """A leap to a point, or a landing on one: what it takes, and by which row."""

    to: int
    taken: tuple[int, ...]
    row: int


def leaps(rules: Rules, board: Board, position: Position, seat: int, point: int) -> list[Leap]:
    """Return the leaps and landings of the piece there, by ascending point; of two rows to one point the first."""
    found: dict[int, Leap] = {}
    for number, row in _rows(rules, position, seat, point, ("leap", "land")):
        make = _leap if row["manner"] == "leap" else _landing
        for way in _ways(board, row, seat, point):
            if made := make(rules, position, seat, point, row, board.rays[point][way]):
                found.setdefault(made[0], Leap(*made, number))
    return [found[to] for to in sorted(found)]


def around(
    rules: Rules, board: Board, position: Position, seat: int, origin: int, to: int, steps: bool
) -> tuple[dict[int, int], set[int]]:
    """Return the pieces that one takes which has come from a point to another and stands there, each with its row, and
    all rows that take any.

    steps: whether it went along a line, without a leap
    """
    found, by = dict[int, int](), set[int]()
    for number, row in _rows(rules, position, seat, to, tuple(MANNERS)):
        points = MANNERS[row["manner"]](_Move(rules, board, position, seat, origin, to, steps), row)
        for point in points:
            found.setdefault(point, number)
            by.add(number)
    return found, by


def takes(rules: Rules, board: Board, position: Position, seat: int, origin: int, to: int, leap: Leap | None) -> bool:
    """Return whether a step or a leap takes anything."""
    if leap and leap.taken:
        return True
    after = position.copy()
    for pieces in (after.men[seat], after.kings[seat]):
        if origin in pieces:
            pieces.remove(origin)
            pieces.add(to)
    steps = leap is None and not movement.flies(rules, position, seat)
    return bool(around(rules, board, after, seat, origin, to, steps)[0])


def what_follows(rules: Rules, rows: set[int]) -> str:
    """Return what follows where these rows have taken: the strictest of what they say."""
    then = [row["then"] for number, row in enumerate(movement.table_rows(rules, "captures")) if number in rows]
    return max(then, key=THEN.index, default="end")


def _rows(
    rules: Rules, position: Position, seat: int, point: int, manners: tuple[str, ...]
) -> Iterator[tuple[int, Row]]:
    """Yield the rows of these manners by which the piece there may take."""
    for number, row in enumerate(movement.table_rows(rules, "captures")):
        if (
            row["manner"] in manners
            and row["by"] in ("both", SEATS[seat])
            and is_one(position, seat, point, row["with"])
        ):
            yield number, row


def is_one(position: Position, seat: int, point: int, which: str) -> bool:
    """Return whether a piece of that seat stands there, and is one of those that a column means."""
    man, leader = point in position.men[seat], point in position.kings[seat]
    return {"men": man, "leader": leader}.get(which, man or leader)


def _ways(board: Board, row: Row, seat: int, point: int) -> tuple[int, ...]:
    return board.ways_in(movement.compass(row["directions"], seat))[point]


def _can_be_taken(rules: Rules, position: Position, seat: int, row: Row, point: int) -> bool:
    """Return whether an opposing piece stands there that the row means."""
    if not is_one(position, 1 - seat, point, row["of"]):
        return False
    return not row["at"] or point in region(rules, row["at"])


def _run(position: Position, ray: tuple[int, ...], seats: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points along a way, from the first on, on which pieces of these players stand next to each other."""
    for distance, point in enumerate(ray):
        if not any(position.has_piece(seat, point) for seat in seats):
            return ray[:distance]
    return ray


def _leap(
    rules: Rules, position: Position, seat: int, point: int, row: Row, ray: tuple[int, ...]
) -> tuple[int, tuple[int, ...]] | None:
    run = _run(position, ray, (0, 1))
    stops, _ = movement.barred(rules, seat, point in position.kings[seat])
    if len(run) == len(ray) or ray[len(run)] in stops or not FITS[row["number"]](len(run)):
        return None
    opposing = tuple(over for over in run if position.has_piece(1 - seat, over))
    own = len(run) - len(opposing)
    if (own and row["over"] == "opposing") or (opposing and row["over"] == "own"):
        return None
    if row["of"] == "nothing":
        return ray[len(run)], ()
    if not all(_can_be_taken(rules, position, seat, row, over) for over in opposing):
        return None
    return ray[len(run)], opposing


def _landing(
    rules: Rules, position: Position, seat: int, point: int, row: Row, ray: tuple[int, ...]
) -> tuple[int, tuple[int, ...]] | None:
    is_leader = point in position.kings[seat]
    stops, passes = movement.barred(rules, seat, is_leader)
    for to in ray[: movement.reach_of(rules, seat, is_leader)]:
        if position.is_vacant(to) and (to not in stops or to in passes):
            continue
        fits = to not in stops and _can_be_taken(rules, position, seat, row, to)
        return (to, (to,)) if fits else None
    return None


@dataclass(frozen=True, slots=True)
class _Move:
    rules: Rules
    board: Board
    position: Position
    seat: int
    origin: int
    to: int
    steps: bool

    def takes(self, row: Row, point: int) -> bool:
        return _can_be_taken(self.rules, self.position, self.seat, row, point)

    def holds(self, row: Row, point: int) -> bool:
        """Return whether a piece of the player who takes stands there, or what counts as one."""
        return is_one(self.position, self.seat, point, row["with"]) or self.is_against(row, point)

    def is_against(self, row: Row, point: int) -> bool:
        return bool(row["against"]) and self.position.is_vacant(point) and point in region(self.rules, row["against"])


def _enclosed(move: _Move, row: Row) -> Iterator[int]:
    for way in _ways(move.board, row, move.seat, move.to):
        ray = move.board.rays[move.to][way]
        run = _run(move.position, ray, (1 - move.seat,))
        if FITS[row["number"]](len(run)) and len(run) < len(ray) and move.holds(row, ray[len(run)]):
            yield from run if all(move.takes(row, point) for point in run) else ()


def _surrounded(move: _Move, row: Row) -> Iterator[int]:
    """Yield what stands beside the piece, and has its own side's pieces, or any where it is shut in, all round it."""
    for point in move.board.towards[move.to]:
        if point == NOWHERE or not move.takes(row, point):
            continue
        beside = [move.board.towards[point][way] for way in _ways(move.board, row, move.seat, point)]
        if row["manner"] == "shut_in":
            is_round = all(not move.position.is_vacant(one) or move.is_against(row, one) for one in beside)
        else:
            is_round = all(move.holds(row, one) for one in beside)
        if move.to in beside and is_round:
            yield point


def _parted(move: _Move, row: Row) -> Iterator[int]:
    """Yield the two pieces between which one has gone."""
    for way in _ways(move.board, row, move.seat, move.to):
        back = move.board.across[move.to][way]
        pair = [move.board.towards[move.to][one] for one in (way, back) if back != NOWHERE]
        if pair and all(move.takes(row, point) for point in pair):
            yield from pair


def _in_line(move: _Move, row: Row) -> Iterator[int]:
    """Yield what stands in the line of a step: before it, or behind where it began."""
    rays = move.board.rays[move.origin]
    along = [way for way in range(len(rays)) if move.to in rays[way]]
    if not move.steps or not along:
        return
    way = min(along, key=lambda way: rays[way].index(move.to))
    if way not in _ways(move.board, row, move.seat, move.origin):
        return
    back = move.board.across[move.origin][way]
    ahead = rays[way][rays[way].index(move.to) + 1 :]
    ray = ahead if row["manner"] == "approach" else rays[back] if back != NOWHERE else ()
    run = _run(move.position, ray, (1 - move.seat,))
    if row["number"] == "one":
        run = run[:1]
    if FITS[row["number"]](len(run)) and all(move.takes(row, point) for point in run):
        yield from run


MANNERS = {
    "enclose": _enclosed,
    "surround": _surrounded,
    "shut_in": _surrounded,
    "go_between": _parted,
    "withdraw": _in_line,
    "approach": _in_line,
}
