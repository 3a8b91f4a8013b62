"""Puhulmutu's law of fours: after a round that nobody laid out short-handed, both players own a multiple of four.

The proof. Say a round begins with holes and stores of whole fours, as the first one does, and nobody is short-handed.
(a) In play a counter comes into a store only by a capture, and every capture is of exactly four.
(b) The round ends only when a row is empty. (A player who has counters can play: the rule of single counters leaves him
one to start from, and no hole is barred.) What lies in the other row belongs to its owner.
(c) All counters are fifty-six. By (a) both stores are multiples of four, so what is left in the one row is one as well,
and so is what either player owns. Laid out in fours it leaves no remainder: no puta, naga or wala, nothing barred,
and the next round begins as this one did.

(a) and (b) are held on positions of any kind, with fours in the stores, not only on those that games come to; then the
law on whole games, of the referee from round to round, and of the kernel by the thousand.
"""

import random
from itertools import islice

import numpy as np
import pytest

from simulator.engine.documents import parse
from simulator.engine.ends import ENDLESS
from simulator.engine.families.sowing.measures import MEASURES
from simulator.engine.families.sowing.position import BLIND, ORDINARY, Position
from simulator.engine.families.sowing.referee import contract
from simulator.engine.playout import play_block
from simulator.engine.referee_playout import plies
from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import RULESETS

UNDER_THE_LAW = ("puhulmutu-parker", "puhulmutu-dlp", "daramuti-dlp")
ALL, ROW, FOUR = 56, 7, 4
COLUMNS = [measure.name for measure in MEASURES]
PART_HOLES, SHORT_HANDED = COLUMNS.index("part_holes"), COLUMNS.index("short_handed_rounds")


def any_position(chance: random.Random) -> Position:
    """A position of a round nobody laid out short-handed: fours in the stores, blind holes at one end of one row."""
    taken = chance.randrange(ALL // FOUR)
    first = chance.randint(0, taken)
    stores = [FOUR * first, FOUR * (taken - first)]
    holes, marks = [0] * (2 * ROW), [ORDINARY] * (2 * ROW)
    seat, heading = chance.randrange(2), chance.choice((1, -1))
    position = Position(ROW, holes, marks, mover=chance.randrange(2), direction=heading, stores=stores)
    for step in range(chance.randrange(ROW)):
        marks[position.from_first(seat, heading, ROW - 1 - step)] = BLIND
    open_holes = [hole for hole, mark in enumerate(marks) if mark == ORDINARY]
    few = chance.sample(open_holes, chance.randint(2, len(open_holes)))
    for hole in chance.choices(few, k=ALL - sum(stores)):
        holes[hole] += 1
    return position


@pytest.mark.parametrize("name", rulesets_of_the_day(UNDER_THE_LAW, 1))
def test_captures_are_fours_and_a_round_ends_with_an_empty_row(name):
    rules, chance, ended = RULESETS[name].parameters, random.Random(4), 0
    for _ in range(400):
        position = any_position(chance)
        can_play = contract.starts(rules, position)
        assert bool(can_play) == (not position.is_row_empty(position.mover)), position
        for move in can_play:
            played = contract.play(rules, position, move)
            assert {count % FOUR for count in played.taken} == {0}, (position, move)
            if played.rounds_ended:
                ended += 1
                (why,) = [event.keys for event in played.events if event.kind == "round_end"]
                assert why == ("round_end",)
                assert sum(played.owned) == ALL
                assert {count % FOUR for count in played.owned} == {0}, (position, move)
            elif played.position.end != ENDLESS:
                assert {count % FOUR for count in played.position.stores} == {0}
    assert ended > 20


@pytest.mark.by_turns
@pytest.mark.parametrize("name", rulesets_of_the_day(UNDER_THE_LAW, 1))
def test_the_law_holds_from_round_to_round(name):
    rounds = 0
    for game in range(30):
        for ply in islice(plies(RULESETS[name], 1, game), 400):
            if any("short_handed" in event.keys for event in ply.played.events):
                break
            if ply.played.rounds_ended:
                rounds += 1
                assert {count % FOUR for count in ply.played.owned} == {0}
    assert rounds > 20


@pytest.mark.by_turns
@pytest.mark.parametrize("name", rulesets_of_the_day(UNDER_THE_LAW, 1))
def test_no_part_hole_arises_before_a_short_handed_round(name):
    """Nor at all where no short-handed layout is offered. Of other games neither is true."""
    rows = play_block(RULESETS[name], ("random",) * 2, 1, 0, 1000, 2000, "game")
    part_holes, short_handed = rows[:, PART_HOLES], rows[:, SHORT_HANDED]
    assert not part_holes[short_handed == 0].any()
    assert part_holes[short_handed > 0].any()
    plain = {key: value for key, value in RULESETS[name].document.items() if not key.startswith("short_handed")}
    rows = play_block(parse(plain), ("random",) * 2, 1, 0, 1000, 2000, "game")
    assert not rows[:, PART_HOLES].any()
    rows = play_block(RULESETS["walak-pussa-parker"], ("random",) * 2, 1, 0, 200, 2000, "game")
    assert rows[rows[:, SHORT_HANDED] == 0, PART_HOLES].any()


@pytest.mark.parametrize("name", rulesets_of_the_day(UNDER_THE_LAW, 1))
def test_from_which_round_on_the_remainder_is_laid_is_idle(name):
    """There is none in the second round, so that "from the second" and "from the third" are the same games."""
    games = [
        play_block(
            parse({**RULESETS[name].document, "remainder_from_round": first}), ("random",) * 2, 1, 0, 500, 2000, "game"
        )
        for first in (2, 3)
    ]
    np.testing.assert_array_equal(*games)
