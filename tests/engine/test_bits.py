"""Sets as the bits of one integer, against plain Python."""

import random

import numpy as np
import pytest
from numba import njit

from simulator.engine import bits
from simulator.engine.bits import add_16_bytes, nth_bit, nth_bit_of_64, which_equal, which_exceed
from simulator.engine.compiled import kernel_function, words


@kernel_function
def asked(numbers, place, number):
    return which_exceed(words(numbers), place, number), which_equal(words(numbers), place, number)


@kernel_function
def added(numbers, place, table, entry):
    add_16_bytes(words(numbers), place, words(table), entry)


@pytest.mark.parametrize(("nth", "places"), [(nth_bit, 16), (nth_bit_of_64, 63)])
def test_the_nth_bit_is_found_in_any_set(nth, places):
    draws = random.Random(1)
    for word in [1, 1 << (places - 1), (1 << places) - 1, *(draws.getrandbits(places) for _ in range(500))]:
        found = [place for place in range(places) if word >> place & 1]
        assert [nth(word, number) for number in range(len(found))] == found


def test_it_is_found_without_an_instruction_for_it(monkeypatch):
    monkeypatch.setattr(bits, "_deposits", lambda context: False)
    nth = njit(nth_bit_of_64.py_func)
    assert [nth(0b1011 << 40, number) for number in range(3)] == [40, 41, 43]


def test_sixteen_words_are_compared_at_once():
    numbers = np.array([0, 3, -1, 3, 4, 2**40, -(2**40), 3, *range(16)], dtype=np.int64)
    for place in (0, 5, 8):
        seen = numbers[place : place + 16]
        assert asked(numbers, place, 3) == tuple(
            sum(1 << at for at in np.flatnonzero(one)) for one in (seen > 3, seen == 3)
        )


def test_sixteen_signed_bytes_are_added_to_words():
    numbers = np.arange(20, dtype=np.int64) * 1000
    bytes_of = np.array([*range(-8, 8), -128, *range(14), 127], dtype=np.int8)
    expected = numbers.copy()
    expected[3:19] += bytes_of[16:]
    added(numbers, 3, bytes_of.view(np.int64), 2)
    assert numbers.tolist() == expected.tolist()
