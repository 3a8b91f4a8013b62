"""Boards and rules drawn at random: never a crash, both engines alike, no piece lost, and replay is play."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core import event

from simulator.engine import playout
from simulator.engine.documents import parse
from simulator.engine.ruleset import Ruleset
from tests import choice
from tests.engine.points_documents import assert_is_played, ruleset
from tests.proofs.data import games

SEEDS = st.integers(0, 2**32)


@settings(max_examples=40 if choice.ALL else 12)
@given(SEEDS)
def test_small_boards_are_played(seed):
    found = ruleset(seed)
    if found:
        assert_is_played(found, cap=40)


@pytest.mark.thorough
@settings(max_examples=25)
@given(SEEDS)
def test_boards_of_every_size_are_played(seed):
    found = ruleset(seed, random.Random(seed).choice([128, 256]))
    if found:
        assert_is_played(found)


@pytest.mark.by_turns
def test_most_of_what_is_drawn_can_be_played():
    """A generator of refusals would prove nothing."""
    drawn = [ruleset(seed) for seed in range(20)]
    assert sum(one is not None for one in drawn) > 12
    assert sum(bool(one and one.parameters["laying"]) for one in drawn) > 2


def test_new_documents_need_no_compilation():
    """What a board of each number of words has compiled serves fifty others, with rules of every kind."""
    sizes = ([5, 5], [10, 10], [15, 15])
    rules = {"first_pieces": 2, "second_pieces": 2, "turn_limit": 20}
    boards = [{"family": "points", "board": {"shapes": [{"grid": size}]}, **rules} for size in sizes]
    _play([parse(board) for board in boards])
    documents = [game["document"] for name, game in games().items() if game["document"]["family"] == "points"]
    assert len(documents) >= 50
    with event.install_recorder("numba:compile") as recorder:
        _play([parse(document) for document in documents])
    assert not recorder.buffer


def _play(rulesets: list[Ruleset]) -> None:
    for one in rulesets:
        playout.play_block(one, ("random", "random"), 1, 0, 2, 40, "game")
