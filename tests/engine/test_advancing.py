"""Hunts solved by a sweep over formations: against the table of every position, for every rule that they may have."""

import itertools
import math

import numpy as np
import pytest

from simulator.engine import bits
from simulator.engine.documents import parse
from simulator.engine.solving import advancing
from simulator.engine.solving.solved import Solved, solve
from tests.engine.hunting_positions import disagreeing
from tests.engine.rulesets import RULESETS

KOTI = RULESETS["koti-keliya-parker"]
LAST_ROW = {"chequered_8": ("b8", "d8", "f8", "h8"), "chequered_12": ("a12", "c12", "e12", "g12")}
SAMPLED = 1500
# Every rule that such a hunt may have, each at its other values.
RULES = (
    {},
    {"first_reach": 1},
    {"first_reach": 3, "line_passed": "level"},
    {"first_stuck": "passes", "second_stuck": "loses", "line_passed": "off"},
    {"first_stuck": "loses_after_pass", "second_stuck": "loses_after_pass"},
    {"first_stuck": "passes", "first_steps": "forward", "first_reach": 1},
    {"begins": "second", "first_array": ["a1"]},
)


def hunt(board="chequered_8", men=2, **rules):
    document = {**KOTI.document, "board": board, "second_pieces": men, "second_array": list(LAST_ROW[board][:men])}
    return parse({key: value for key, value in (document | rules).items() if value not in ("passes", "off")})


def kind(code):
    """Return which side wins, or 2 if neither does: the sweep does not tell draws apart."""
    return min(code, 2)


def differing(swept: advancing.Advanced, solved: Solved, sampled=SAMPLED):
    """Yield the positions whose values differ, of the first hundred and others drawn at random."""
    numbers = [*range(100), *np.random.default_rng(1).integers(0, solved.graph.size, sampled).tolist()]
    position = np.zeros_like(swept.game.position)
    for number in numbers:
        identity = solved.graph.identity(number)
        position[: len(identity)] = identity
        position[len(identity) :] = 0
        if kind(swept.value(position).code) != kind(solved.value_of(number).code):
            yield identity


@pytest.mark.by_turns
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_positions_have_the_values_of_the_table(rules):
    ruleset = hunt(**rules)
    swept, solved = advancing.solve_advancing(ruleset), solve(ruleset)
    assert list(differing(swept, solved)) == []


@pytest.mark.thorough
@pytest.mark.parametrize(("board", "men"), [("chequered_8", 3), ("chequered_12", 2)])
def test_larger_herds_and_boards_of_two_words_do_too(board, men):
    ruleset = hunt(board, men)
    swept, solved = advancing.solve_advancing(ruleset), solve(ruleset)
    assert swept.table.highs.any() == (board == "chequered_12")
    assert list(differing(swept, solved)) == []


@pytest.mark.parametrize("reach", [1, 2])
def test_a_value_is_the_best_of_what_the_kernel_plays_next(reach):
    """On the large board, whose sets take two words."""
    swept = advancing.solve_advancing(hunt("chequered_12", first_reach=reach))
    assert swept.table.highs.any()
    assert disagreeing(swept, 200) == []
    swept.table.lows[:] ^= np.uint64(1 << 20)  # a table with a fault is seen
    assert disagreeing(swept, 200)


def test_what_is_counted_is_every_place_of_both():
    """Two men of the herd on 32 squares, the hunter anywhere else: where the game goes on or is over."""
    ruleset = hunt(line_passed="off", first_stuck="passes")
    swept = advancing.solve_advancing(ruleset)
    assert swept.counts[:, 0].tolist() == [advancing.formations(ruleset) * 30] * 2
    assert advancing.formations(ruleset) == math.comb(32, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("reach", [1, 2])
def test_the_records_small_board_agrees_on_every_square(reach):
    """Eight by eight, four cattle: with the double step the leopard wins from everywhere, with single steps never."""
    ruleset = hunt(men=4, first_reach=reach)
    swept, solved = advancing.solve_advancing(ruleset), solve(ruleset)
    values = [value.code for value in swept.move_values(swept.game.start()).values()]
    assert values == [value.code for value in solved.move_values(0).values()]
    assert values == [0 if reach == 2 else 1] * 28
    assert list(differing(swept, solved, 5_000)) == []


def test_faultless_play_ends_as_the_start_says():
    for reach in (1, 2):
        document = advancing.swept_document(advancing.solve_advancing(hunt(first_reach=reach)))
        solved = solve(hunt(first_reach=reach))
        number = 0
        for move in document["line"]["moves"]:
            assert kind(solved.value_of(number).code) == kind(solved.value_of(0).code)
            number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
        assert solved.is_over(number)
        assert document["start"] == {"mover": 0, "value": "first_wins", "plies": None}
        erring = [move["replies"]["all"] - move["replies"]["keeping"] for move in document["first_moves"]]
        assert min(erring) == 0


@pytest.mark.thorough
def test_a_table_on_disk_says_the_same(tmp_path):
    kept, made = advancing.solve_advancing(hunt(), folder=tmp_path), advancing.solve_advancing(hunt())
    again = advancing.opened(hunt(), tmp_path)
    assert sum(part.nbytes for part in kept.table) == advancing.BYTES * advancing.formations(hunt())
    for table in (kept.table, again.table):
        assert np.array_equal(table.lows, made.table.lows)
        assert np.array_equal(table.highs, made.table.highs)
    assert again.best_moves(again.game.start()) == made.best_moves(made.game.start())


def test_progress_is_reported_to_the_end(monkeypatch):
    monkeypatch.setattr(advancing, "AT_ONCE", 100)
    done = []
    solved = advancing.solve_advancing(hunt(), done.append)
    assert done == [100, 200, 300, 400, advancing.formations(hunt())]
    assert np.array_equal(solved.table.lows, advancing.solve_advancing(hunt()).table.lows)


def test_which_rulesets_are_such_hunts():
    assert {name for name, ruleset in RULESETS.items() if advancing.fits(ruleset)} == {
        "koti-keliya-parker",
        "koti-keliya-ludii",
    }
    for change in ({"captures_by": "first"}, {"second_steps": "any"}, {"begins": "second"}, {"second_reach": 2}):
        assert not advancing.fits(hunt(**change)), change
    assert not advancing.fits(parse({**hunt().document, "second_pieces": 3}))  # one of the herd is still to be laid


def test_what_would_fit_is_the_largest_herd():
    assert advancing.formations(KOTI) == 156_238_908
    assert advancing.what_fits(KOTI, 10**9) == "a herd of at most 5 on this board"
    assert advancing.what_fits(KOTI, 1) == "a herd of at most 0 on this board"


def test_sets_are_ranked_in_colexicographic_order():
    choose = bits.binomials(9, 4)
    sets = sorted(itertools.combinations(range(9), 4), key=lambda members: members[::-1])
    walking = np.arange(4)
    for number, members in enumerate(sets):
        assert walking.tolist() == list(members)
        assert bits.rank(choose, np.array(members)) == number
        written = np.zeros(4, dtype=np.int64)
        bits.unrank(choose, number, written)
        assert written.tolist() == list(members)
        for place, lower in itertools.product(range(4), range(9)):
            if lower < members[place] and lower not in members:
                after = sorted({*members, lower} - {members[place]})
                assert bits.rank_after(choose, walking, number, place, lower) == sets.index(tuple(after))
        if number + 1 < len(sets):
            bits.advance(walking)
