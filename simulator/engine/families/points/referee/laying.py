"""The plan of laying: which row of the table `laying` holds for the piece that a player lays now. Plain Python, for the
referee.

The rows that are a player's hold one after the other, each for so many of his pieces; behind the last of them he lays
as he likes. So the number of pieces he has laid says which row it is, and nothing needs to be remembered.
"""

from dataclasses import dataclass
from typing import Any

from simulator.engine.boards.points import Board
from simulator.engine.families.points import regions
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee.rows import SEATS, Rules, stands_in_row
from simulator.engine.schemas import schema
from simulator.engine.tables import filled

LAYS_ONLY, INSTEAD, ANSWERS = "after", "instead", "answered"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a player's laying: from which piece on and until before which one, counted from 0; how many in a turn;
    on which points; whether no row may be formed; whether he may move instead; the row of the table, or none."""

    begins: int
    until: int
    at_once: int = 1
    points: frozenset[int] | None = None
    forbids_rows: bool = False
    moving: str = LAYS_ONLY
    row: int | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The place in the document, for what happens by it."""
        return () if self.row is None else (f"laying[{self.row}]",)


def rows_of_plan(rules: Rules) -> list[dict[str, Any]]:
    """Return the rows of the table with all their columns."""
    found: list[dict[str, Any]] = filled(rules["laying"], schema("points")["properties"]["laying"])
    return found


def parts(rules: Rules, board: Board, seat: int) -> list[Part]:
    """Return the parts of that seat's laying, in order; the last one holds for whatever is left."""
    found, begins = list[Part](), 0
    hand = rules[f"{SEATS[seat]}_pieces"] - len(rules[f"{SEATS[seat]}_array"])
    for number, row in enumerate(rows_of_plan(rules)):
        if row["by"] not in ("both", SEATS[seat]):
            continue
        until = begins + row["pieces"] if row["pieces"] else max(hand, begins)
        found.append(
            Part(
                begins,
                until,
                row["at_once"],
                allowed(rules, board, row),
                row["rows"] == "forbidden",
                row["moving"],
                number,
            )
        )
        begins = until
    return [*found, Part(begins, max(hand, begins) + 1)]


def allowed(rules: Rules, board: Board, row: Rules) -> frozenset[int] | None:
    """Return the points that a row allows, or None for all."""
    if not row["within"] and not row["outside"]:
        return None
    within = regions.region(rules, row["within"]) if row["within"] else frozenset(range(len(board.points)))
    return within - regions.region(rules, row["outside"])


def part(rules: Rules, board: Board, position: Position, seat: int, more: int = 0) -> Part:
    """Return the part that holds for the piece the seat lays next, or laid `more` pieces ago."""
    hand = rules[f"{SEATS[seat]}_pieces"] - len(rules[f"{SEATS[seat]}_array"])
    laid = hand - position.hands[seat] - more
    return next(one for one in parts(rules, board, seat) if laid < one.until)


def by_plan(rules: Rules, board: Board, position: Position, seat: int, vacant: list[int]) -> list[int]:
    """Return those of some vacant points on which the plan lets that seat lay."""
    if not rules["laying"]:
        return vacant
    now, own = part(rules, board, position, seat), position.pieces(seat)
    return [
        point
        for point in vacant
        if (now.points is None or point in now.points)
        and not (now.forbids_rows and stands_in_row(rules, board, own | {point}, seat, point))
    ]


def may_move_instead(rules: Rules, board: Board, position: Position) -> bool:
    """Return whether the mover, who has pieces in hand, may make a move of a piece on the board."""
    if not rules["laying"]:
        return False
    moving = part(rules, board, position, position.mover).moving
    return moving == INSTEAD or (moving == ANSWERS and not position.laid & MUST_ANSWER)


MUST_ANSWER = 2  # among what a position says of the turn before: it laid a piece, and the mover has to lay one, too


def is_answered(rules: Rules, board: Board, position: Position) -> bool:
    """Return whether the mover has to lay, since the other has just laid."""
    seat = position.mover
    has_plan = rules["laying"] and position.hands[seat]
    return bool(has_plan) and part(rules, board, position, seat).moving == ANSWERS


def lays_another(rules: Rules, board: Board, position: Position, seat: int) -> tuple[str, ...]:
    """Return the place of the row by which a seat that has just laid a piece lays another in the same turn, if any."""
    if not rules["laying"] or not position.hands[seat]:
        return ()
    last = part(rules, board, position, seat, more=1)
    hand = rules[f"{SEATS[seat]}_pieces"] - len(rules[f"{SEATS[seat]}_array"])
    laid = hand - position.hands[seat]
    return last.keys if laid < last.until and (laid - last.begins) % last.at_once else ()
