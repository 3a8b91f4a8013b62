"""What stands again, in both engines: every set of pieces is part of a position, and of no other is it a repetition."""

import numpy as np
import pytest

from simulator.engine import kernels
from simulator.engine.ends import DRAW
from simulator.engine.families.points.kernel.layout import idle_at
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee import contract as referee
from tests.engine.cases import CASES
from tests.engine.points.positions import Rules, move, position

KINGS = CASES["long men, repetition"].parameters
TO_AND_FRO = ["a1-b2", "b2-a1"]
WALK = ["h8-g7", "g7-f8", "f8-e7", "e7-d8", "d8-c7"]


def played(ruled: Rules, stand: Position, line: list[str]) -> list[int]:
    """How the game stood after each turn, -1 while it runs; fails if the kernel makes anything else of it."""
    contract = kernels.kernel("points").contract
    compiled = contract.compile_rules(ruled)
    words, counts, _, streams = kernels.workspace(contract, compiled)
    words[: len(stand.words())] = np.array(stand.words())
    words[idle_at(compiled[1])] = stand.idle
    ends = []
    for written in line:
        stand = referee.play(ruled, stand, move(ruled, written)).position
        contract.play(compiled, words, move(ruled, written), streams, counts)
        assert tuple(words[: len(stand.words())]) == stand.words(), (len(ends), written)
        ends.append(stand.end)
    return ends


def in_turn(first: list[str], second: list[str], turns: int) -> list[str]:
    """Moves of two players who each go on from the beginning of their own when they are through."""
    return [(first, second)[turn % 2][turn // 2 % len((first, second)[turn % 2])] for turn in range(turns)]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_king_that_walks_on_makes_another_position_each_turn(seat):
    """The other king stands again where it stood, three times and oftener."""
    kings = ("a1", "h8") if seat else ("h8", "a1")
    lines = (TO_AND_FRO, WALK) if seat else (WALK, TO_AND_FRO)
    stand = position(KINGS, kings=kings)
    assert set(played(KINGS, stand, in_turn(*lines, 10))) == {-1}


def test_a_position_of_two_kings_three_times_is_a_draw():
    lines = (TO_AND_FRO, ["h8-g7", "g7-h8"])
    assert played(KINGS, position(KINGS, kings=("a1", "h8")), in_turn(*lines, 9)) == [-1] * 8 + [DRAW]
