"""What a position is worth to those who do not see its end, by weights that are given, counted by hand."""

import numpy as np

from simulator.engine import kernels
from tests.engine.points.positions import position, rules

CATTLE = ("a12", "c12", "e12", "g12", "i12", "k12")
HUNT = {"board": "chequered_12", "first_pieces": 1, "second_pieces": 6, "second_array": list(CATTLE)}


WEIGHTS = {"fewer": {"men": 4, "room": 1, "reach": 100}, "more": {"men": 4}, "each": {"men": 4}}


def worth(ruled, first: str, second: str, weights=WEIGHTS) -> list[int]:
    """To each seat, by the kernel."""
    contract = kernels.kernel("points").contract
    compiled = contract.compile_rules(ruled, lambda kind, role: weights[role])
    words = np.zeros(contract.position_size(compiled), dtype=np.int64)
    identity = position(ruled, first, second).words()
    words[: len(identity)] = identity
    return [int(contract.evaluate(compiled, words, seat)) for seat in (0, 1)]


def test_pieces_are_counted_from_those_at_the_start() -> None:
    ruled = rules(board="chequered_12", first_pieces=2, second_pieces=2)
    assert worth(ruled, "e6 l1", "k12 a12") == [0, 0]
    assert worth(ruled, "e6 l1", "k12") == [4, -4]


def test_the_few_need_room_and_reach() -> None:
    """On the white squares l1 lies beside k2 alone; e6 beside d5, f5, d7 and f7, and the whole board is in reach."""
    ruled = rules(**HUNT, first_stuck="loses")
    free = 72 - 7  # white squares without pieces
    assert worth(ruled, "e6", " ".join(CATTLE)) == [4 + 100 * free, -4 - 100 * free]
    assert worth(ruled, "l1", f"k2 {' '.join(CATTLE[:5])}") == [0, 0]  # shut in, and nobody is taken
    assert worth(ruled, "l1", f"k2 {' '.join(CATTLE[:4])}") == [4, -4]  # with one man taken


def test_where_the_others_do_not_count_a_player_has_his_own() -> None:
    ruled = rules(board="chequered_12", first_pieces=2, second_pieces=2)
    assert worth(ruled, "e6 l1", "k12", {"each": {"men": 4, "others": 0}}) == [0, -4]


def test_places_that_are_named_are_worth_as_much_as_is_said() -> None:
    ruled = rules(board="chequered_12", first_pieces=2, second_pieces=2)
    assert worth(ruled, "e6 l1", "k12 a12", {"each": {"on l1": 7, "on k12": 7, "on d5": 7}}) == [0, 0]
    assert worth(ruled, "e6 l1", "c12 a12", {"each": {"on l1": 7, "on k12": 7}}) == [7, -7]
