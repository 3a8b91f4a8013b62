"""What a position is worth to those who do not see its end, counted by hand."""

import numpy as np

from simulator.engine import kernels
from tests.engine.points.positions import position, rules

CATTLE = ("a12", "c12", "e12", "g12", "i12", "k12")
HUNT = {"board": "chequered_12", "first_pieces": 1, "second_pieces": 6, "second_array": list(CATTLE)}


def worth(ruled, first: str, second: str) -> list[int]:
    """To each seat, by the kernel."""
    contract = kernels.kernel("points").contract
    compiled = contract.compile_rules(ruled)
    words = np.zeros(contract.position_size(compiled), dtype=np.int64)
    identity = position(ruled, first, second).words()
    words[: len(identity)] = identity
    return [int(contract.evaluate(compiled, words, seat)) for seat in (0, 1)]


def test_pieces_are_counted_from_those_at_the_start() -> None:
    ruled = rules(**HUNT)
    assert worth(ruled, "e6", " ".join(CATTLE)) == [0, 0]
    assert worth(ruled, "e6", " ".join(CATTLE[:4])) == [8, -8]  # two men of four quarters


def test_the_few_who_lose_when_they_are_shut_in_need_room() -> None:
    """On the white squares e6 lies beside d5, f5, d7 and f7; l1 beside k2 alone."""
    ruled = rules(**HUNT, first_stuck="loses")
    assert worth(ruled, "e6", " ".join(CATTLE)) == [4, -4]
    assert worth(ruled, "e6", f"d7 f5 {' '.join(CATTLE[:4])}") == [2, -2]
    assert worth(ruled, "l1", f"k2 {' '.join(CATTLE[:4])}") == [4, -4]  # shut in, with one man taken


def test_in_a_game_of_equals_room_is_worth_nothing() -> None:
    ruled = rules(board="chequered_12", first_pieces=2, second_pieces=2, first_stuck="loses", second_stuck="loses")
    assert worth(ruled, "e6 l1", "k12") == [4, -4]
