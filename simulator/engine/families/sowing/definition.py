"""The sowing family as the rest of the project sees it."""

from simulator.engine.board_sheet import weighed
from simulator.engine.families.sowing.drawing import draw, draw_start
from simulator.engine.families.sowing.measures import MEASURES, kind_of_game, notes
from simulator.engine.families.sowing.notation import READING, READING_BY_NAMES
from simulator.engine.families.sowing.parameters import SCHEMA, ends, inactive_rules, problems
from simulator.engine.families.sowing.referee.contract import consent
from simulator.engine.families.sowing.tables import canonical, is_tabled
from simulator.engine.families.sowing.traffic import VERSION, layout
from simulator.engine.family import Family

FAMILY = Family(
    name="sowing",
    title="Sowing games",
    rules_version=4,
    row_version=4,
    measures=MEASURES,
    kind_of_game=kind_of_game,
    extent=lambda parameters: int(parameters["rows"] * parameters["holes_per_row"]),
    schema=SCHEMA,
    draw_start=draw_start,
    draw=draw,
    canonical=canonical,
    problems=problems,
    inactive_rules=inactive_rules,
    ends=ends,
    consent=consent,
    consent_since=3,
    notes=notes,
    reading=lambda parameters: READING_BY_NAMES if is_tabled(parameters) else READING,
    board=("rows", "holes_per_row", "counters_per_hole", "circuits", "owners", "start"),
    gist=(
        ("counters_per_hole",),
        ("direction",),
        ("relay",),
        ("capture_opposite", "capture_making", "capture_next", "after_lap"),
        ("round_end", "stuck"),
        ("next_round", "ruined_below"),
    ),
    traffic=layout,
    traffic_version=VERSION,
    draw_weights=lambda ruleset, *told: weighed(draw_start(ruleset), *told),
    quick_plies=2_000,  # a ply takes 0.1 to 0.3 ms
)
