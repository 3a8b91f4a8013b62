"""A sowing game as numbers, for programs that learn to play: its moves, and what a position shows."""

from collections.abc import Mapping
from typing import Any

from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.position import Position
from simulator.engine.families.sowing.tables import is_tabled, tables_of
from simulator.engine.family import MoveBlock


def move_blocks(rules: Mapping[str, Any]) -> tuple[MoveBlock, ...]:
    """Return where the codes of a ruleset's moves lie: starts by hole and direction, what is chosen, layouts."""
    own, holes = rules["holes_per_row"], 0
    if is_tabled(rules):
        board = tables_of(rules).board
        own, holes = max(map(len, board.own)), len(board.owner)
    near, layouts = min(2 * own, code.PASS), 0
    if rules["next_round"] != "off" or rules["begins_with"]:
        layouts = 1
    if layouts and rules["short_handed"]:  # a digit a hole but the last, to the base of two or three
        layouts = 1 + 3 ** (own - 1) if rules["short_handed_holes"] == "some_empty" else 1 << own
    blocks = (
        (0, 1, 1, near),
        (code.PASS, 1, code.LEAVE - code.PASS + 1, 1),
        (code.FIRST_FAR, 1, 1, 2 * own - near),
        (code.PICKED, 1, 1, holes),
        (code.LAYOUT, code.LAYOUT_END, 2, layouts),
    )
    return tuple(block for block in blocks if block[2] * block[3])


def observed(rules: Mapping[str, Any], position: Position) -> list[int]:
    """Return the whole position as numbers, in the order of its words without the end: phase, mover, direction, both
    stores, what rules ask for, then the counters of every hole and its mark."""
    words = position.words()
    return [*words[: code.W_END], *words[code.W_HOLES :]]
