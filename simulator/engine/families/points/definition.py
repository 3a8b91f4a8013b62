"""The points family as the rest of the project sees it."""

from collections.abc import Mapping
from typing import Any

from simulator.engine.families.points.constraints import never_fires, problems
from simulator.engine.families.points.drawing import draw, draw_start
from simulator.engine.families.points.measures import MEASURES
from simulator.engine.families.points.notation import READING
from simulator.engine.families.points.parameters import SCHEMA
from simulator.engine.family import Family
from simulator.engine.naming import Part

HUNT, ALIGNMENT = ("hunter", "herd"), ("aligner", "blocker")

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


FAMILY = Family(
    name="points",
    title="Hunting, leaping and alignment games",
    version=1,
    measures=MEASURES,
    schema=SCHEMA,
    draw_start=draw_start,
    draw=draw,
    problems=problems,
    never_fires=never_fires,
    roles=roles,
    parts={"first_capture": FIRST_CAPTURE},
    totals={"taken": "Pieces taken, all seats"},
    reading=READING,
    board=("board", "first_pieces", "second_pieces"),
    quick_plies=400,  # a ply takes 0.2 to 1.5 ms
)
