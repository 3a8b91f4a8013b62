"""Positions of a hunt drawn at random, and whether a table agrees there with what the family's kernel plays next."""

from collections.abc import Iterator

import numpy as np

from simulator.engine.boards.points import BOARDS
from simulator.engine.families.points.position import PASS, RUNNING, W_END, W_MOVER, W_SETS
from simulator.engine.solving.advancing import Advanced


def drawn_positions(swept: Advanced, number: int, seed: int = 1) -> Iterator[np.ndarray]:
    """So many positions in which the game goes on: a formation, a place for the hunter, whoever is to move."""
    chance, rules = np.random.default_rng(seed), swept.ruleset.parameters
    board, men = BOARDS[rules["board"]], rules["second_pieces"]
    words = 1 if len(board.points) <= 64 else 2
    while number:
        hunter, *herd = chance.choice(len(board.points), men + 1, replace=False).tolist()
        position = np.zeros_like(swept.game.position)
        position[W_MOVER], position[W_END] = chance.integers(2), RUNNING
        for side, points in enumerate(([hunter], herd)):
            bits = sum(1 << point for point in points)
            for word in range(words):
                part = bits >> 64 * word & (1 << 64) - 1
                position[W_SETS + words * side + word] = part - (1 << 64) if part >> 63 else part
        ahead = board.rank(hunter) - max(map(board.rank, herd))
        is_stuck = swept.game.codes(position.copy()) == [PASS]
        if ahead < 0 and not is_stuck:
            number -= 1
            yield position


def disagreeing(swept: Advanced, number: int) -> list[tuple[int, ...]]:
    """Those of the positions drawn whose value is not the best of what the kernel's moves lead to."""
    found = []
    for position in drawn_positions(swept, number):
        seat = swept.game.mover(position)
        value, after = swept.value(position), swept.move_values(position.copy()).values()
        if value.score(seat) != max(one.score(seat) for one in after):
            found.append(tuple(position.tolist()))
    return found
