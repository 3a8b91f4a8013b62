"""The points family as the rest of the project sees it."""

from simulator.engine.boards.figures import board_of
from simulator.engine.families.points.drawing import draw, draw_start, draw_weights
from simulator.engine.families.points.measures import MEASURES, kind_of_game
from simulator.engine.families.points.notation import how_to_read
from simulator.engine.families.points.parameters import (
    BOARD,
    SCHEMA,
    board_in_words,
    canonical,
    ends,
    inactive_rules,
    owners,
    problems,
    roles,
    sides_are_alike,
)
from simulator.engine.families.points.traffic import VERSION, layout
from simulator.engine.family import Family
from simulator.engine.naming import Part

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


FAMILY = Family(
    name="points",
    title="Hunting, leaping and alignment games",
    rules_version=2,
    row_version=2,
    measures=MEASURES,
    kind_of_game=kind_of_game,
    extent=lambda parameters: int(parameters["first_pieces"] + parameters["second_pieces"]),
    schema=SCHEMA,
    draw_start=draw_start,
    draw=draw,
    canonical=canonical,
    problems=problems,
    inactive_rules=inactive_rules,
    ends=ends,
    sides_are_alike=sides_are_alike,
    roles=roles,
    owners=owners,
    parts={"first_capture": FIRST_CAPTURE, "first_row": FIRST_ROW, "first_moved": FIRST_MOVED},
    totals={"taken": "Pieces taken, all seats"},
    reading=how_to_read,
    board=BOARD,
    tells={"board": board_in_words},
    gist=(
        ("first_pieces", "first_array"),
        ("laying_ends", "kings", "first_reach"),
        ("moves_to", "first_steps", "second_steps"),
        ("line_laying", "captures_by"),
        ("line_moving",),
        ("second_loses_below", "first_loses_below", "line_passed"),
        ("first_stuck", "second_stuck"),
    ),
    quick_plies=400,  # a ply takes 0.2 to 1.5 ms
    traffic=layout,
    traffic_version=VERSION,
    draw_weights=lambda ruleset, *told: draw_weights(board_of(ruleset.parameters), *told),
)
