"""The points family as the rest of the project sees it."""

from collections.abc import Mapping
from typing import Any

from simulator.engine.families.points.constraints import never_fires, problems
from simulator.engine.families.points.drawing import draw, draw_start
from simulator.engine.families.points.measures import MEASURES
from simulator.engine.families.points.parameters import SCHEMA
from simulator.engine.families.points.reading import how_to_read
from simulator.engine.family import Family
from simulator.engine.naming import Part

HUNT, ALIGNMENT = ("hunter", "herd"), ("aligner", "blocker")
# What the pieces of a hunt are called in the sources, by what makes its board: board, pieces of either player.
PIECES = {
    ("alquerque_triangles", 2, 24): ("leopards", "cattle"),
    ("triangle_10", 1, 7): ("tiger", "leopards"),
    ("chequered_12", 1, 6): ("leopard", "cattle"),
}

FIRST_CAPTURE = Part(
    title="First capture",
    ended="A piece was taken",
    among="the games in which a piece was taken",
    winner="First to take",
    equal="",
    left_out="{} games that were over before a piece was taken are left out.",
    others="The {} in which none was are left out.",
    may_fail=True,
)
FIRST_ROW = Part(
    title="First row of three",
    ended="A row of three was formed",
    among="the games in which a row of three was formed",
    winner="First to form a row of three",
    equal="",
    left_out="{} games that were over before a row was formed are left out.",
    others="The {} in which none was are left out.",
    may_fail=True,
)
FIRST_MOVED = Part(
    title="The piece that moved first",
    ended="The piece that moved first was taken",
    among="the games in which the piece that moved first was taken",
    winner="Taker of the piece that moved first",
    equal="",
    left_out="{} games that were over before it was taken are left out.",
    others="The {} in which it was not are left out.",
    may_fail=True,
)


def roles(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What the seats are: hunter and herd where one side only captures or is to be passed, aligner and blocker where
    one side's rows win and the other's do not; empty where both are after the same."""
    if parameters["captures_by"] == "first" or parameters["line_passed"] != "off":
        return HUNT
    if parameters["captures_by"] == "second":
        return HUNT[::-1]
    if "win" in (parameters["line_laying"], parameters["line_moving"]) and parameters["line_by"] != "both":
        return ALIGNMENT if parameters["line_by"] == "first" else ALIGNMENT[::-1]
    return ()


def owners(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What the players of a recorded hunt are called in a replay: "owner of the leopards", as Parker has it."""
    pieces = PIECES.get(tuple(parameters[key] for key in BOARD), ()) if roles(parameters) == HUNT else ()
    return tuple(f"owner of the {name}" for name in pieces)


BOARD = ("board", "first_pieces", "second_pieces")
FAMILY = Family(
    name="points",
    title="Hunting, leaping and alignment games",
    version=2,
    measures=MEASURES,
    schema=SCHEMA,
    draw_start=draw_start,
    draw=draw,
    problems=problems,
    never_fires=never_fires,
    roles=roles,
    owners=owners,
    parts={"first_capture": FIRST_CAPTURE, "first_row": FIRST_ROW, "first_moved": FIRST_MOVED},
    totals={"taken": "Pieces taken, all seats"},
    reading=how_to_read,
    board=BOARD,
    quick_plies=400,  # a ply takes 0.2 to 1.5 ms
)
