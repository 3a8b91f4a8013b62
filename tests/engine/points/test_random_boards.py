"""Boards and rules drawn at random: never a crash, both engines alike, no piece lost, and replay is play."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.points_documents import assert_is_played, ruleset

SEEDS = st.integers(0, 2**32)


@given(SEEDS)
def test_small_boards_are_played(seed):
    found = ruleset(seed)
    if found:
        assert_is_played(found, cap=40)


@pytest.mark.thorough
@given(SEEDS)
def test_boards_of_every_size_are_played(seed):
    found = ruleset(seed, random.Random(seed).choice([128, 256]))
    if found:
        assert_is_played(found)


def test_most_of_what_is_drawn_can_be_played():
    """A generator of refusals would prove nothing."""
    drawn = [ruleset(seed) for seed in range(20)]
    assert sum(one is not None for one in drawn) > 12
    assert sum(bool(one and one.parameters["laying"]) for one in drawn) > 2
