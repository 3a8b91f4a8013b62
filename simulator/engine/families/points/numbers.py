"""A points game as numbers, for programs that learn to play: its moves, and what a position shows."""

from collections.abc import Mapping
from typing import Any

from simulator.engine.boards.figures import board_of
from simulator.engine.families.points import position as code
from simulator.engine.families.points.position import Position
from simulator.engine.family import MoveBlock


def move_blocks(rules: Mapping[str, Any]) -> tuple[MoveBlock, ...]:
    """Return where the codes of a ruleset's moves lie: laying and removing by point, steps and jumps from each to
    each."""
    points = len(board_of(rules).points)
    width = code.FROM if points <= code.FROM else code.FROM_WIDE
    blocks = [
        (code.LAY, 1, 1, points),
        (code.removal(points, 0), 1, 1, points),
        (code.PASS, 1, len(code.SINGLE), 1),
        (code.step(points, 0, 0), width, points, points),
    ]
    if rules["captures_by"] != "off" or isinstance(rules["captures"], list):
        blocks.append((code.jump(points, 0, 0), width, points, points))
    return tuple(sorted(blocks))


def observed(rules: Mapping[str, Any], position: Position) -> list[int]:
    """Return the whole position as numbers: what is done next, then a 1 for each point that has a man of the first
    player, of the second, a king or leader of either, a piece that is taken or may be huffed, or that jumps on."""
    chain = set() if position.chain is None else {position.chain}
    planes = (*position.men, *position.kings, position.lifted | position.huffable, chain)
    return [
        *(position.phase, position.mover, *position.hands, position.chain_direction, position.hops, position.laid),
        *(int(point in plane) for plane in planes for point in range(position.points)),
    ]
