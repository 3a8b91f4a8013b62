"""The compiled kernel of the race games: against the referee on rulesets nobody ships, and against theory.

The shipped rulesets are held against the referee by the conformance suite. What stands here turns on every rule at
least once, several of them together.
"""

from itertools import islice
from math import comb, sqrt

import numpy as np
import pytest

from simulator.engine import kernels, loops, playout, referee_playout
from simulator.engine.compiled import bind
from simulator.engine.documents import parse, with_changes
from simulator.engine.families.race.kernel import contract
from simulator.engine.families.race.kernel.rooms import ONES, W_STEPS, nth_step, which_reach
from simulator.engine.families.race.kernel.throws import _cast_one_by_one, _cast_shells
from simulator.engine.families.race.measures import MEASURES
from simulator.engine.families.race.position import MOST_MOVES as ROOM
from simulator.engine.families.race.position import PASS, TOGETHER, W_END, W_HAND, W_PIECES
from simulator.engine.families.race.referee import contract as referee
from simulator.engine.families.race.referee.way import goes_over
from simulator.engine.randomness import CHOICE, STREAMS
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import Ruleset
from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import RULESETS

COWRIES = {"cowries": 5, "scores": [6, 1, 2, 3, 4, 25], "again_scores": [1, 6, 25]}
DICE = {"dice": 2, "die_faces": [0, 1, 2, 4]}
DOCUMENTS = {
    "extra points, added up": {
        **COWRIES,
        "board": "cross_8_castles",
        "seats": 3,
        "pieces": 4,
        "extra_scores": [6, 25],
        "extra_spent": "added",
        "entry": "by_extra",
        "series_played": "either",
        "cancel_scores": [6, 25],
        "cancelled": "last_throw",
        "cancel_after": 2,
        "sends_back": "landing_or_passing",
        "no_passing": True,
        "may_decline": True,
    },
    "extra points by score": {
        "board": "pancha_track",
        "seats": 2,
        "pieces": 5,
        "dice": 1,
        "die_faces": [1, 4, 5],
        "again_scores": [4, 5],
        "series_limit": 5,
        "extra_scores": [5],
        "extra_spent": "added",
        "entry": "by_score",
        "enter_scores": [4, 5],
        "entry_spends": "its_score",
        "sends_back": "landing",
        "pairs_reenter": True,
        "overshoot": True,
    },
    "sums only, beyond home": {
        **COWRIES,
        "board": "cross_4_corners",
        "seats": 2,
        "pieces": 3,
        "series_played": "total",
        "sends_back": "landing",
        "safe_squares": True,
        "overshoot": True,
        "home_row_ones": True,
        "cancel_scores": [1, 6],
        "cancel_same": True,
        "cancel_after": 2,
    },
    "ones of a named throw": {
        **COWRIES,
        "board": "kawade_track",
        "seats": 4,
        "pieces": 3,
        "teams": "opposite",
        "mouth_chance": [3, 7],
        "named_mouths": 3,
        "named_score": 4,
        "named_ones": True,
        "named_again": True,
        "entry": "by_score",
        "enter_scores": [1, 6],
        "named_enters": True,
        "first_enter_scores": [1, 2],
        "pairs_reenter": True,
        "sends_back": "landing_or_passing",
        "safe_squares": True,
        "series": "one_at_a_time",
        "goal": "last_square",
    },
    "named faces": {
        **DICE,
        "board": "spiral_81",
        "seats": 3,
        "pieces": 2,
        "start_steps": [3],
        "named_faces": [0, 4],
        "named_score": 9,
        "again_doubles": True,
        "extra_scores": [5, 6],
        "no_passing": True,
        "sends_back": "landing",
        "may_decline": True,
    },
    "divided, out by doubles": {
        **DICE,
        "board": "marin_track",
        "seats": 2,
        "pieces": 4,
        "start_steps": [5, 40, 40, 60],
        "division": "free",
        "again_scores": [5],
        "again_doubles": True,
        "series": "one_at_a_time",
        "exit_doubles": [1, 2, 4],
        "sends_back": "landing_or_passing",
        "no_passing": True,
        "goal": "last_square",
    },
    "divided, in by a double": {
        **DICE,
        "board": "pancha_track",
        "seats": 2,
        "pieces": 6,
        "division": "free",
        "entry": "by_double",
        "enter_double": 2,
        "sends_back": "landing",
        "may_decline": True,
    },
    "the bar": {
        **DICE,
        "die_faces": [1, 3, 4, 6],
        "board": "cross_4_corners",
        "seats": 4,
        "pieces": 5,
        "teams": "opposite",
        "start_steps": [20, 20, 20, 41, 42],
        "division": "each_die",
        "partner_bar": 4,
        "exit_doubles": [3],
        "sends_back": "landing",
        "goal": "last_square",
    },
    "ones that pass a closed square": {
        **COWRIES,
        "board": "kawade_track",
        "seats": 4,
        "pieces": 3,
        "teams": "opposite",
        "named_mouths": 2,
        "named_score": 5,
        "named_ones": True,
        "named_again": True,
        "sends_back": "landing_or_passing",
        "safe_squares": True,
        "safe_meeting": "passed_by_ones",
        "no_passing": True,
    },
    "a shared square left by ones": {
        **COWRIES,
        "board": "kawade_track",
        "seats": 4,
        "pieces": 2,
        "named_mouths": 2,
        "named_score": 5,
        "named_ones": True,
        "sends_back": "landing",
        "safe_squares": True,
        "no_passing": True,
        "leaving_shared": "ones_only",
        "series_played": "either",
    },
}
CASES: dict[str, Ruleset] = {name: parse({"family": "race", **document}) for name, document in DOCUMENTS.items()}
SOME_CASES = rulesets_of_the_day(CASES, 8, group=lambda name: "race")


def players(ruleset: Ruleset) -> tuple[str, ...]:
    return ("random",) * ruleset.parameters["seats"]


@pytest.mark.parametrize("name", SOME_CASES)
def test_plies_agree(name):
    """The same moves in the same order and the same positions; also when nothing but the identity is known."""
    ruleset = CASES[name]
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(contract, rules)
    identity = contract.identity_size(rules)
    for game in range(3):
        open_streams(streams, 11, game, contract.FIRST_STREAM, contract.LAST_STREAM)
        contract.start(rules, position, streams, counts)
        for number, ply in enumerate(referee_playout.plies(ruleset, 11, game)):
            assert tuple(position[:identity]) == ply.before.words()
            unknown = np.where(np.arange(len(position)) < identity, position, 0)
            legal = referee.moves(ruleset.parameters, ply.before)
            assert out[: contract.moves(rules, unknown, out)].tolist() == legal
            drawn = contract.random_move(rules, position, streams, CHOICE + ply.seat, out)
            assert drawn == (ply.move, ply.options)
            contract.play(rules, position, drawn[0], streams, counts)
            if number > 300:
                break


@pytest.mark.parametrize("name", SOME_CASES)
def test_rows_agree(name):
    ruleset = CASES[name]
    rows = playout.play_block(ruleset, players(ruleset), 5, 2, 4, 120, "game")
    assert rows.tolist() == [referee_playout.row(ruleset, 5, 2 + game, 120, "game") for game in range(4)]


def test_bar_positions_let_two_leave_together():
    """In some game of the bar two pieces leave together: otherwise the case above would not hold that rule."""
    ruleset = CASES["the bar"]
    moves = {ply.move for game in range(3) for ply in islice(referee_playout.plies(ruleset, 11, game), 300)}
    assert TOGETHER in moves


def test_ones_pass_and_leave_in_these_games():
    """Two ones go over a closed square, and a shared one keeps a piece: otherwise two cases above held nothing."""
    over = CASES["ones that pass a closed square"]
    before = [ply.before for game in range(3) for ply in islice(referee_playout.plies(over, 11, game), 300)]
    assert any(goes_over(over.parameters, one, step) for one in before for step in one.pieces[one.mover])
    left = CASES["a shared square left by ones"]
    told = [ply.played.events for game in range(3) for ply in islice(referee_playout.plies(left, 11, game), 300)]
    assert any(why.obstacle.kind == "leaving" for events in told for event in events for why in event.hindrances)


def test_expand_writes_every_child():
    """Every move of a position is played once, from the position it was asked for."""
    ruleset = CASES["divided, out by doubles"]
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(contract, rules)
    open_streams(streams, 3, 0, contract.FIRST_STREAM, contract.LAST_STREAM)
    contract.start(rules, position, streams, counts)
    number = contract.moves(rules, position, out)
    children = np.zeros((number, len(position)), dtype=np.int64)
    kinds = np.zeros(number, dtype=np.int8)
    expand = bind(loops.expand, "race", contract)
    assert expand(rules, position[None, :], children, kinds, streams, counts, out) == (1, number)
    assert len({tuple(child) for child in children}) == number


def test_a_game_that_is_over_has_no_moves():
    rules = contract.compile_rules(CASES["the bar"].parameters)
    position, _, out, _ = kernels.workspace(contract, rules)
    assert contract.moves(rules, position, out) == 0  # kind of end 0: won
    position[W_END] = -1
    assert out[: contract.moves(rules, position, out)].tolist() == [PASS]


def test_evaluate_counts_the_steps_of_sides():
    """Seats 0 and 2 are partners: 1 + 3 - (2 + 4) for them, the opposite for the others."""
    ruleset = with_changes(RULESETS["asi-keliya-dlp"], {"pieces": "1"})
    rules = contract.compile_rules(ruleset.parameters, lambda kind, role: {"steps": 1})
    position = np.zeros(contract.position_size(rules), dtype=np.int64)
    position[W_PIECES : W_PIECES + 4] = (1, 2, 3, 4)
    assert [contract.evaluate(rules, position, seat) for seat in range(4)] == [-2, 2, -2, 2]


def test_a_single_player_is_weighed_against_all_others():
    """Three times 1 less 2 + 3 + 4."""
    ruleset = with_changes(RULESETS["asi-keliya-dlp"], {"pieces": "1", "teams": "off"})
    rules = contract.compile_rules(ruleset.parameters, lambda kind, role: {"steps": 1})
    position = np.zeros(contract.position_size(rules), dtype=np.int64)
    position[W_PIECES : W_PIECES + 4] = (1, 2, 3, 4)
    assert [contract.evaluate(rules, position, seat) for seat in range(4)] == [-6, -2, 2, 6]


def test_rooms_are_compared_all_at_once():
    """Rooms 5, 0 and 127: a distance of 6 is only for the third, 128 for none; the second of two that reach."""
    rooms = 5 | 0 << 8 | 127 << 16
    assert which_reach.py_func(rooms, 5) == 0x80 | 0x80 << 16
    assert which_reach.py_func(rooms, 6) == 0x80 << 16
    assert which_reach.py_func(rooms, 128) == 0
    assert sum(1 << 8 * place for place in range(7)) == ONES


def test_shells_fall_as_they_are_drawn_one_by_one():
    """Both ways of drawing a cast give the same shells and leave the stream at the same place."""
    rules = contract.compile_rules(CASES["ones of a named throw"].parameters)
    streams = np.zeros((2, STREAMS, 2), dtype=np.uint64)
    for game in range(200):
        for which in range(2):
            open_streams(streams[which], 1, game, contract.FIRST_STREAM, contract.LAST_STREAM)
        flat = streams.reshape(2, -1)
        for _ in range(5):
            assert _cast_shells(rules, flat[0], 1) == _cast_one_by_one(rules, flat[1], 1)
        assert np.array_equal(streams[0], streams[1])


def test_first_throws_are_binomial():
    """Six shells that fall either way equally often: k mouths in comb(6, k) of 64 throws (chi-square, 6 degrees)."""
    ruleset = RULESETS["kawade-kelia-culin"]
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, _, streams = kernels.workspace(contract, rules)
    games, seen = 8_000, np.zeros(7)
    for game in range(games):
        open_streams(streams, 77, game, contract.FIRST_STREAM, contract.LAST_STREAM)
        contract.start(rules, position, streams, counts)
        hand = position[W_HAND : W_HAND + 6]
        seen[0 if not hand.any() else 1 + int(hand.argmax())] += 1
    expected = np.array([comb(6, mouths) for mouths in range(7)]) * games / 64
    assert ((seen - expected) ** 2 / expected).sum() < 22.46  # 0.1 % of good generators exceed this


def test_waiting_for_entry_is_geometric():
    """Pancha keliya: 13 of 64 throws enter a piece (6, 5 and 1), so the first comes after 64 / 13 turns on average."""
    ruleset = RULESETS["pancha-keliya-dlp"]
    games, chance = 20_000, 13 / 64
    rows = playout.play_block(ruleset, players(ruleset), 1, 0, games, 5_000, "game")
    places = [place for place, measure in enumerate(MEASURES) if measure.name in ("wait_0", "wait_1")]
    waits = rows[:, places]
    assert abs(waits.mean() - 1 / chance) < 4 * sqrt((1 - chance) / chance**2 / waits.size)
    assert abs((waits == 1).mean() - chance) < 4 * sqrt(chance * (1 - chance) / waits.size)


def test_no_list_of_moves_is_too_long():
    """A position lists at most every part by every piece three ways, sums and two more: within the room for them."""
    kinds, pieces = 24, 6
    assert 3 * kinds * pieces + pieces + 2 <= ROOM


def test_nth_step_counts_pieces_from_the_lowest():
    position = np.zeros(W_STEPS + 1, dtype=np.int64)
    position[W_STEPS] = 3 | 9 << 8 | 40 << 16
    assert [nth_step(position, 0x80 | 0x80 << 16, number) for number in range(2)] == [3, 40]
