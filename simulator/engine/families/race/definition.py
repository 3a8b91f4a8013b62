"""The race family as the rest of the project sees it."""

from simulator.engine.board_sheet import weighed
from simulator.engine.families.race.chances import listed_throws
from simulator.engine.families.race.drawing import draw, draw_start
from simulator.engine.families.race.measures import MEASURES, kind_of_game
from simulator.engine.families.race.notation import how_to_read
from simulator.engine.families.race.parameters import (
    SCHEMA,
    board_in_words,
    canonical,
    inactive_rules,
    leads_back,
    problems,
)
from simulator.engine.families.race.position import side
from simulator.engine.families.race.traffic import VERSION, layout
from simulator.engine.family import Family

FAMILY = Family(
    name="race",
    title="Race games",
    rules_version=1,
    row_version=1,
    measures=MEASURES,
    kind_of_game=kind_of_game,
    extent=lambda parameters: int(parameters["seats"] * parameters["pieces"]),
    schema=SCHEMA,
    seats=lambda parameters: int(parameters["seats"]),
    throws=True,
    listed_throws=listed_throws,
    side=side,
    ends=lambda parameters: (),  # a race goes on until somebody has brought his pieces home
    draw_start=draw_start,
    draw=draw,
    canonical=canonical,
    tells={"board": board_in_words},
    problems=problems,
    turns_may_not_end=leads_back,
    inactive_rules=inactive_rules,
    totals={
        "sent_back": "Pieces sent back, all seats",
        "wait": "Turns until the first piece stood on the board, all seats",
        "home": "Pieces brought home, all seats",
    },
    reading=how_to_read,
    gist=(
        ("pieces",),
        ("scores", "die_faces", "lots"),
        ("entry", "enter_scores"),
        ("sends_back", "safe_squares"),
        ("goal", "overshoot"),
    ),
    traffic=layout,
    traffic_version=VERSION,
    draw_weights=lambda ruleset, *told: weighed(draw_start(ruleset), *told),
    quick_plies=1_000,  # a ply takes 0.2 to 0.5 ms
)
