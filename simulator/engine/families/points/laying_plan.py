"""What cannot be in a plan of laying: parts that never come, regions too small for their pieces, and rules that would
leave it open what a turn is."""

from collections.abc import Iterator

from simulator.engine.boards.points import Board
from simulator.engine.families.points.referee import laying
from simulator.engine.families.points.referee.rows import SEATS, every_row
from simulator.engine.family import Impossible, Rules

FORBIDS = "forbidden"


def forbids_rows(rules: Rules) -> bool:
    """Return whether somewhere in the plan no row may be formed."""
    return any(row["rows"] == FORBIDS for row in laying.rows_of_plan(rules))


def problems(rules: Rules, board: Board) -> Iterator[Impossible]:
    """Yield what is wrong with the plan; it is whole, and players have pieces in hand."""
    if not rules["laying"]:
        return
    if rules["supply"] == "common":
        yield "laying", "no plan can be made where both players lay from one supply", []
        return
    for number, row in enumerate(laying.rows_of_plan(rules)):
        place, held = f"laying/{number}", list(_held(rules, board, number))
        if not held:
            yield place, "never fires: nobody has so many pieces in hand; leave this row out", None
        yield from _row(rules, board, row, place, max(held, default=0))


def _held(rules: Rules, board: Board, number: int) -> Iterator[int]:
    """Yield for how many pieces of a player a row holds, for each for whom it does."""
    for seat, side in enumerate(SEATS):
        hand = rules[f"{side}_pieces"] - len(rules[f"{side}_array"])
        for part in laying.parts(rules, board, seat):
            if part.row == number and part.begins < min(part.until, hand):
                yield min(part.until, hand) - part.begins


def _row(rules: Rules, board: Board, row: Rules, place: str, pieces: int) -> Iterator[Impossible]:
    points = laying.allowed(rules, board, row)
    if points is not None and len(points) < pieces:
        which = "within" if row["within"] else "outside"
        yield f"{place}/{which}", f"{pieces} pieces are laid on {len(points)} points", ""
    if row["rows"] == FORBIDS and not every_row(rules, board):
        yield f"{place}/rows", f"the board {board.name} has no rows of {rules['row_length'] or 'three'}", "allowed"
    if row["at_once"] > 1 and rules["line_laying"] in ("lay_again", "remove"):
        yield f"{place}/at_once", "cannot be more than 1 where a row brings something in the same turn", 1
    if row["at_once"] > 1 and row["moving"] != laying.LAYS_ONLY:
        yield f"{place}/moving", "cannot be where several pieces are laid in a turn", laying.LAYS_ONLY
    if row["at_once"] > max(pieces, 1):
        yield f"{place}/at_once", f"the row holds for {pieces} pieces", max(pieces, 1)
    if row["moving"] != laying.LAYS_ONLY and rules["laying_ends"] == "both_hands":
        yield f"{place}/moving", "never fires: nobody moves before all pieces are laid", laying.LAYS_ONLY
    if row["moving"] != laying.LAYS_ONLY and rules["line_laying"] == "lay_again":
        yield f"{place}/moving", "cannot be where a row lets a player lay again", laying.LAYS_ONLY
