"""Documents by chance with captures in a table and with leaders, on boards of all kinds; others are drawn anew."""

import random

from simulator.engine.boards.figures import read_figure
from simulator.engine.documents import parse
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.engine.schemas import schema
from simulator.engine.tables import columns_of

BOARDS = (
    {"shapes": [{"grid": [5, 5]}]},
    {"shapes": [{"grid": [5, 5], "diagonals": "alternating"}]},
    {"shapes": [{"grid": [7, 7], "diagonals": "all"}]},
    {"shapes": [{"cross": [3, 7]}]},
    {"shapes": [{"rings": 2, "round": 8, "joined": "corners", "centre": True}]},
    {"shapes": [{"star": 7}]},
    {"shapes": [{"grid": [9, 8]}]},
    {"points": {"a": [0, 0], "b": [1, 2], "c": [3, 2.5], "d": [5, 1]}, "lines": ["a b c d", "a c", "b d"]},
)
COLUMNS = columns_of(schema("points")["properties"]["captures"])


def ruleset_by_chance(seed: int) -> Ruleset:
    """Return a ruleset whose captures, leaders and regions are drawn."""
    drawn = random.Random(seed)
    while True:
        try:
            return parse(document(drawn))
        except RulesetProblem:
            continue


def document(drawn: random.Random) -> dict[str, object]:
    board = drawn.choice(BOARDS)
    names = list(read_figure(board)[0].names)
    drawn.shuffle(names)
    many = max(1, len(names) * drawn.choice([2, 3, 4]) // 10)
    arrays = [sorted(names[:many]), sorted(names[many : 2 * many])]
    found: dict[str, object] = {
        "family": "points",
        "board": board,
        "first_pieces": many + (drawn.random() < 0.3),
        "second_pieces": many,
        "first_array": arrays[0],
        "second_array": arrays[1],
        "captures": [_row(drawn) for _ in range(drawn.randint(1, 4))],
        "first_reach": drawn.choice([1, 1, 4]),
        "second_steps": drawn.choice(["any", "any", "forward"]),
        "capture_compulsory": drawn.random() < 0.3,
        "first_stuck": "loses",
        "idle_turns": drawn.choice([0, 30]),
        "flies_at": drawn.choice([0, 0, 2]),
        "regions": {"castle": sorted(names[-2:])},
    }
    sides = [side for side in ("first", "second") if drawn.random() < 0.4]
    found["leader"] = [_leader(drawn, side, arrays[side == "second"]) for side in sides]
    return found if "castle" in str([found["captures"], found["leader"]]) else {**found, "regions": {}}


def _row(drawn: random.Random) -> dict[str, str]:
    """Return a row in which most columns are at their off values."""
    row = {}
    for name, column in COLUMNS.items():
        if name == "manner" or drawn.random() < (0.7 if name == "then" else 0.25):
            row[name] = drawn.choice(column.get("enum") or ["castle", "edge", "corners", "all"])
    return row


def _leader(drawn: random.Random, side: str, array: list[str]) -> dict[str, object]:
    row: dict[str, object] = {"side": side, "at": drawn.choice(array)}
    if drawn.random() < 0.5:
        row |= {"enters": "castle", "passed": drawn.random() < 0.5}
    if drawn.random() < 0.5:
        row["wins_at"] = drawn.choice(["edge", "corners"])
    if drawn.random() < 0.3:
        row["loses_at"] = "all"
    if drawn.random() < 0.4:
        row |= {"reach": drawn.randint(1, 6), "directions": drawn.choice(["any", "orthogonal", "forward"])}
    return row
