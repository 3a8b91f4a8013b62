"""Sowing games with tables: one form for one board, what is refused, hand-worked turns, and two engines that agree."""

import contextlib
import json
import random

import pytest
from numba.core import event

from simulator import engine
from simulator.engine import illegal_move, kernels, playout, referee_playout
from simulator.engine.documents import parse
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.drawing import draw_start, motion, move_places
from simulator.engine.families.sowing.notation import board_lines, describe, hole_name, move_name, position_facts
from simulator.engine.families.sowing.referee import contract as referee
from simulator.engine.family import family
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.referee_playout import Ply
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.session import Session
from tests.engine.sowing_documents import rulesets

ON = {"last": "occupied", "then": "on_from_last"}
BOTH = ["opposite", "opposite_outer"]


def ruleset(rows=2, columns=4, counters=2, **more):
    return parse({"family": "sowing", "rows": rows, "holes_per_row": columns, "counters_per_hole": counters, **more})


def placed(rules, holes, **fields):
    """The position before the first move, with counters as written: rows from the lowest up, each from its left."""
    position = referee.start(rules.parameters)
    board = position.board
    numbers = {}
    for row, line in enumerate(holes):
        for column, counters in enumerate(line):
            name = f"{'abcdef'[row]}{column + 1}"
            numbers[name] = counters
    position.holes = [numbers[board.name(hole)] for hole in range(board.size)]
    for key, value in fields.items():
        setattr(position, key, value)
    return position


def seen(position):
    """The rows of a position as `placed` writes them."""
    board = position.board
    by_name = {board.name(hole): counters for hole, counters in enumerate(position.holes)}
    return [[by_name[f"{letter}{n + 1}"] for n in range(board.columns)] for letter in "abcdef"[: board.rows]]


def played(rules, position, *moves):
    """The position after moves by name, played by both engines, which agree on every one."""
    contract = kernels.kernel("sowing").contract
    compiled = contract.compile_rules(rules.parameters)
    words, counts, out, streams = kernels.workspace(contract, compiled)
    open_streams(streams, 1, 1, contract.FIRST_STREAM, contract.LAST_STREAM)
    contract.start(compiled, words, streams, counts)
    size = contract.identity_size(compiled)
    words[:size] = position.words()
    for name in moves:
        legal = referee.moves(rules.parameters, position)
        assert out[: contract.moves(compiled, words, out)].tolist() == legal
        move = {move_name(rules.parameters, position, one): one for one in legal}[name]
        position = referee.play(rules.parameters, position, move).position
        contract.play(compiled, words, move, streams, counts)
        assert tuple(words[:size]) == position.words()
    return position


def moves(rules, position):
    return [move_name(rules.parameters, position, move) for move in referee.moves(rules.parameters, position)]


# One form


def test_a_board_has_one_form_however_it_is_written():
    plain = ruleset()
    usual = {
        "circuits": ["b1 a1-a4 b4-b2"],
        "owners": ["a4 a1-a3", "b1-b4"],
        "start": [{"holes": ["a1"], "counters": 2}],
    }
    assert ruleset(**usual).hash == plain.hash
    assert plain.document == {"family": "sowing", "holes_per_row": 4, "counters_per_hole": 2}
    drawn = ruleset(circuits=["a1-a4 b1-b4"]).document
    assert drawn["circuits"] == ["a1-a4 b1-b4"] == ruleset(circuits=["b1-b2 b3 b4 a1-a4"]).document["circuits"]
    start = [{"holes": ["a2", "a1"], "counters": 5}, {"holes": ["b1"], "counters": 0}]
    assert ruleset(start=start).document["start"] == [
        {"holes": ["b1"], "counters": 0},
        {"holes": ["a1-a2"], "counters": 5},
    ]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"circuits": ["a1-a9"]}, "circuits/0"),
        ({"circuits": ["a1-b4"]}, "circuits/0"),
        ({"circuits": ["a1 a1 a2"]}, "circuits/0"),
        ({"owners": ["a1-a4"]}, "owners"),
        ({"owners": ["", "b1"]}, "owners/0"),
        ({"rows": 6, "holes_per_row": 32}, "holes_per_row"),
        ({"rows": 5}, "circuits"),
        ({"start": [{"holes": ["c1"], "counters": 1}]}, "start/0/holes"),
        ({"start": [{"holes": ["a1-a4", "b1-b4"], "counters": 0}]}, "start"),
        ({"after_lap": [ON], "relay": "last"}, "relay"),
        ({"after_lap": [{}, ON]}, "after_lap/0"),
        ({"after_lap": [ON, {"then": "end"}]}, "after_lap/1"),
        ({"after_lap": [{"last": "any", "then": "again"}, ON]}, "after_lap/1"),
        ({"after_lap": [{"last": "makes", "take": ["last"]}]}, "after_lap/0/numbers"),
        ({"after_lap": [{"take": ["opposite_outer"]}]}, "after_lap/0"),
        ({"after_lap": [{"optional": True}]}, "after_lap/0/optional"),
        ({"after_lap": [{"last": "ocupied"}]}, "after_lap/0/last"),
        ({"below_minimum": "if_no_other"}, "below_minimum"),
        ({"minimum": 2, "singles": "last_hole_alone"}, "singles"),
        ({"rows": 4, "store_sown": True}, "store_sown"),
        ({"rows": 4, "next_round": "refill"}, "next_round"),
        ({"backward": ["a1"], "direction": "each_turn"}, "backward"),
        ({"special": [{"holes": ["a1"], "starts": "never", "least": 3}]}, "special/0/starts"),
        ({"special": [{"holes": ["a1"]}]}, "special/0"),
        ({"circuits": ["a1-a4", "a4-a1", "b1-b4"]}, "circuits"),
        ({"circuits": ["a1-a4", "a4-a2", "b1-b4", "b4-b1"]}, "circuits"),
        ({"after_lap": [{"take": ["next"], "one": True}]}, "after_lap/0/one"),
        ({"after_lap": [{"in": "lost", "take": ["last"]}]}, "after_lap/0/in"),
        ({"after_lap": [{"take": ["last"], "then": "sow_taken_with_last"}], "idle_turns": 5}, "idle_turns"),
        ({"arranged": 2, "next_round": "refill"}, "next_round"),
        ({"must_capture": True, "after_lap": [ON]}, "must_capture"),
    ],
)
def test_what_is_no_game_is_refused_with_its_place(changes, key):
    with pytest.raises(RulesetProblem) as refused:
        ruleset(**changes)
    assert key in [problem.key for problem in refused.value.problems]


# Boards


def test_players_sow_round_their_own_half():
    board = referee.start(ruleset(rows=4, columns=3).parameters).board
    ways = [[board.name(board.own[seat][0])] for seat in (0, 1)]
    for seat, way in enumerate(ways):
        hole = board.own[seat][0]
        for _ in range(5):
            hole = board.step(seat, hole, 1)
            way.append(board.name(hole))
    assert ways == [["a1", "a2", "a3", "b3", "b2", "b1"], ["d3", "d2", "d1", "c1", "c2", "c3"]]
    assert [board.name(hole) for hole in board.facing[board.own[0][0]]] == ["c1", "d1"]


def test_three_rows_and_a_ring():
    three = referee.start(ruleset(rows=3, columns=6).parameters).board
    way, hole = [], 0
    for _ in range(18):
        way.append(three.name(hole))
        hole = three.step(0, hole, 1)
    assert way[5:10] == ["a6", "b6", "b5", "b4", "c6"]
    assert [three.name(hole) for hole in three.own[1]] == ["c6", "c5", "c4", "c3", "c2", "c1", "b1", "b2", "b3"]
    ring = referee.start(ruleset(rows=1, columns=6).parameters).board
    assert ring.own[0] == ring.own[1] == tuple(range(6))
    assert [ring.facing[hole][0] for hole in range(6)] == [3, 4, 5, 0, 1, 2]


# Turns worked by hand


def test_a_run_of_captures_goes_back_round_the_corner():
    """Das Bohnenspiel: the last counter makes four; the hole before it holds two, the one before that three."""
    rules = ruleset(after_lap=[{"last": "makes", "numbers": [2, 4, 6], "take": ["last", "run_back"]}])
    after = played(rules, placed(rules, [[0, 0, 3, 1], [3, 0, 1, 1]]), "a3>")
    assert seen(after) == [[0, 0, 0, 0], [3, 0, 0, 0]]
    assert after.stores == [6, 0]


def test_what_is_taken_is_sown_on_with_the_last_hole():
    """Katro: in the inner row the nearest hole opposite that holds any is taken and sown on."""
    rows = [{"last": "occupied", "in": "inner", "take": ["opposite_nearest"], "then": "sow_taken_with_last"}, ON]
    rules = ruleset(rows=6, columns=3, ends="empty_loses", after_lap=rows)
    after = played(rules, placed(rules, [[0] * 3, [1, 0, 0], [1, 0, 1], [0, 0, 0], [3, 0, 0], [0, 0, 0]]), "b1>")
    assert seen(after)[:3] == [[1, 1, 1], [0, 0, 0], [0, 1, 2]]
    assert (after.winners, after.stores) == (1, [0, 0])


def test_what_is_taken_is_sown_after_the_last_hole():
    """Hus: both holes opposite are taken and sown from the hole after the last one, which keeps what it holds."""
    rows = [{"last": "occupied", "in": "inner", "if": "opposite_holds", "take": BOTH, "then": "sow_taken_after_last"}]
    rules = ruleset(rows=4, columns=3, minimum=2, ends="stuck_loses", after_lap=[*rows, ON])
    after = played(rules, placed(rules, [[0, 0, 2], [0, 1, 0], [0, 1, 2], [0, 1, 0]]), "a3>")
    assert seen(after) == [[1, 0, 0], [1, 2, 1], [0, 0, 2], [0, 0, 0]]


def test_what_is_taken_is_sown_from_where_the_lap_began():
    """Mweso: only where both holes opposite hold any, and from the hole that the lap began from."""
    rows = [
        {"last": "occupied", "in": "inner", "if": "both_opposite_hold", "take": BOTH, "then": "sow_taken_from_start"}
    ]
    rules = ruleset(rows=4, columns=3, minimum=2, ends="stuck_loses", after_lap=[*rows, ON], backward=["a1", "b2"])
    position = placed(rules, [[0, 0, 2], [0, 1, 0], [2, 1, 2], [0, 1, 0]])
    assert seen(played(rules, position, "a3>")) == [[1, 1, 0], [1, 0, 2], [2, 0, 2], [0, 0, 0]]
    backward = placed(rules, [[0, 0, 2], [0, 1, 1], [2, 1, 2], [0, 1, 2]])
    assert moves(rules, backward) == ["a3>"]
    backward = placed(rules, [[2, 0, 2], [0, 1, 1], [2, 1, 2], [0, 1, 2]])
    assert moves(rules, backward) == ["a1>", "a1<", "a3>"]


def test_a_capture_may_be_left():
    """Papan Dakon: the last counter goes over to the hole opposite, or the lap goes on."""
    rows = [{"last": "occupied", "in": "own", "take": ["last_counter", "opposite"], "optional": True}, ON]
    rules = ruleset(columns=3, after_lap=rows)
    position = placed(rules, [[1, 1, 0], [1, 2, 0]])
    asked = played(rules, position, "a1>")
    assert (moves(rules, asked), asked.mover) == (["take", "leave"], 0)
    taken = played(rules, position, "a1>", "take")
    assert (seen(taken), taken.stores) == ([[0, 1, 0], [1, 0, 0]], [3, 0])
    left = played(rules, position, "a1>", "leave")
    assert (seen(left), left.mover) == ([[0, 0, 1], [1, 2, 1]], 1)


def test_more_holes_of_his_choice():
    """Tsoro: after a capture one more hole of the opponent's."""
    row = {"last": "empty", "in": "inner", "if": "opposite_holds", "take": BOTH, "extra": 1}
    rules = ruleset(rows=4, columns=3, ends="empty_loses", after_lap=[ON, row])
    position = placed(rules, [[0, 0, 1], [0, 0, 0], [0, 0, 1], [3, 0, 2]])
    asked = played(rules, position, "a3>")
    assert moves(rules, asked) == ["take d1"]
    assert move_places(rules.parameters, asked, referee.moves(rules.parameters, asked)[0]) == ("d1",)
    after = played(rules, position, "a3>", "take d1")
    assert (after.stores, after.winners) == ([6, 0], 1)


def test_holes_that_reach_a_number_while_sowing():
    """Pallankuli: a four made on the way is its owner's; the last counter takes the next hole when it falls alone."""
    rows = [ON, {"last": "empty", "take": ["next"]}]
    rules = ruleset(after_lap=rows, while_sowing=[{"numbers": [4]}])
    after = played(rules, placed(rules, [[0, 0, 3, 1], [2, 0, 1, 3]]), "a3>")
    assert (seen(after), after.stores) == ([[1, 1, 1, 0], [0, 1, 0, 0]], [2, 4])


def test_everywhere_and_the_first_counter_into_its_own_hole():
    """Oure Ngat: the first counter stays; every pile of two, four or six is taken."""
    rules = ruleset(
        origin_first=True,
        round_end="board_empty",
        stuck="passes",
        after_lap=[{"numbers": [2, 4, 6], "take": ["everywhere"]}],
    )
    after = played(rules, placed(rules, [[3, 1, 5, 0], [4, 0, 0, 7]]), "a1>")
    assert (seen(after), after.stores) == ([[1, 0, 0, 0], [0, 0, 0, 7]], [12, 0])


def test_first_moves_and_fewest_counters():
    rules = ruleset(openings=[{"who": "first", "holes": ["a4"]}], minimum=2, below_minimum="if_no_other_into_empty")
    position = referee.start(rules.parameters)
    assert moves(rules, position) == ["a4>"]
    assert moves(rules, played(rules, position, "a4>")) == ["b4>", "b3>", "b2>", "b1>"]
    bare = placed(rules, [[1, 1, 0, 0], [2, 0, 0, 0]], remainder=2)
    assert moves(rules, bare) == ["a2>"]


def test_a_turn_starts_after_the_last_one():
    """Sat Gol: the next hole with counters after the one where the turn before ended."""
    rows = [{"if": "next_holds", "then": "on_from_next"}, {"take": ["beyond"]}]
    rules = ruleset(rows=1, columns=7, begins_at="after_last", after_lap=rows)
    after = played(rules, placed(rules, [[2, 0, 0, 0, 3, 1, 0]]), "a1>")
    assert (seen(after), after.stores, moves(rules, after)) == ([[0, 1, 1, 0, 0, 1, 0]], [3, 0], ["a6>"])


def test_a_hole_that_must_be_played_when_it_is_full():
    """Koro: the hole at a player's right is not started from, except when it has come to fourteen counters."""
    rules = ruleset(columns=3, special=[{"holes": ["a3", "b1"], "starts": "must", "least": 14}], minimum=2)
    assert moves(rules, placed(rules, [[2, 3, 13], [2, 2, 2]])) == ["a1>", "a2>"]
    assert moves(rules, placed(rules, [[2, 3, 14], [2, 2, 2]])) == ["a3>"]


def test_the_hole_that_is_played_sets_the_direction():
    """Um el Tuweisat: clockwise from the left, anticlockwise from the right, either way from the middle."""
    special = [{"holes": ["a1", "b3"], "way": "clockwise"}, {"holes": ["a2", "b2"], "way": "either"}]
    rules = ruleset(columns=3, counters=3, special=special)
    position = referee.start(rules.parameters)
    assert moves(rules, position) == ["a1<", "a2>", "a2<", "a3>"]
    after = played(rules, position, "a1<")
    assert (seen(after), after.direction) == ([[0, 3, 3], [4, 4, 4]], 1)


def test_stores_on_the_way_are_sown_by_their_owner():
    special = [{"holes": ["a3", "b1"], "starts": "never", "sown": "by_owner", "taken": False}]
    row = {"last": "makes", "numbers": [2], "take": ["last", "next"]}
    rules = ruleset(columns=3, special=special, after_lap=[row])
    after = played(rules, placed(rules, [[0, 4, 5], [6, 0, 0]]), "a2>")
    assert (seen(after), after.stores) == ([[1, 0, 6], [6, 1, 1]], [0, 0])
    after = played(rules, placed(rules, [[0, 3, 1], [6, 0, 0]]), "a2>")
    assert (seen(after), after.stores) == ([[0, 0, 2], [6, 1, 1]], [0, 0])
    assert moves(rules, after) == ["b3>", "b2>"]


def test_one_of_the_neighbours_is_chosen():
    """Gifia: a last counter that makes no two or four takes one of the holes beside it that hold two or four."""
    rules = ruleset(after_lap=[{"numbers": [2, 4], "take": ["beside"], "one": True}])
    position = placed(rules, [[1, 0, 4, 1], [1, 1, 1, 1]])
    assert seen(played(rules, position, "a1>")) == [[0, 1, 0, 1], [1, 1, 1, 1]]
    asked = played(rules, placed(rules, [[1, 1, 2, 1], [1, 1, 1, 1]]), "a1>")
    assert (seen(asked), asked.mover) == ([[0, 2, 0, 1], [1, 1, 1, 1]], 1)
    position = placed(rules, [[2, 1, 0, 2], [1, 1, 1, 1]])
    asked = played(rules, position, "a1>")
    assert moves(rules, asked) == ["take a2", "take a4"]
    after = played(rules, position, "a1>", "take a4")
    assert (seen(after), after.stores, after.mover) == ([[0, 2, 1, 0], [1, 1, 1, 1]], [2, 0], 1)


def test_holes_are_won():
    """Leyla: the fourth counter in a hole of the opponent wins it and the one opposite; who falls into it gives two."""
    rows = [
        {"last": "makes", "numbers": [4], "in": "opposing", "wins": ["last", "opposite"]},
        {"in": "lost", "take": ["last_two"]},
        ON,
    ]
    rules = ruleset(after_lap=rows)
    won = played(rules, placed(rules, [[0, 0, 0, 2], [2, 2, 3, 2]]), "a4>")
    assert (seen(won), won.marks) == ([[0, 0, 0, 0], [2, 2, 4, 3]], [0, 0, 6, 0, 0, 6, 0, 0])
    assert moves(rules, won) == ["b4>", "b2>", "b1>"]
    assert position_facts(won)["owners"] == {"a3": 0, "b3": 0}
    won.mover = 0
    won.holes[3] = 2
    assert seen(played(rules, won, "a4>")) == [[0, 0, 0, 0], [2, 2, 5, 4]]
    after = played(rules, won, "a4>", "b4>")
    assert (seen(after), after.stores) == ([[1, 0, 0, 0], [3, 3, 6, 0]], [0, 0])
    lost = placed(rules, [[0, 0, 0, 1], [1, 1, 4, 1]], marks=won.marks[:], mover=1)
    after = played(rules, lost, "b4>")
    assert (seen(after), after.stores) == ([[0, 0, 0, 1], [1, 1, 3, 0]], [0, 2])


def test_each_direction_may_have_a_way_of_its_own():
    """Katro: either way the rows are sown to and fro from the outer one inward."""
    ways = ["a1-a2 b2-b1 c1-c2", "a2-a1 b1-b2 c2-c1", "f2-f1 e1-e2 d2-d1", "f1-f2 e2-e1 d1-d2"]
    rules = ruleset(rows=6, columns=2, direction="each_turn", circuits=ways)
    position = placed(rules, [[3, 0], [0, 0], [0, 0], [1, 1], [1, 1], [1, 1]])
    assert seen(played(rules, position, "a1>"))[:3] == [[0, 1], [1, 1], [0, 0]]
    assert seen(played(rules, position, "a1<"))[:3] == [[0, 0], [1, 1], [0, 1]]
    assert len(rules.document["circuits"]) == 4
    turned = [way for forward in ways[::2] for way in (forward, " ".join(reversed(_single(forward))))]
    assert ruleset(rows=6, columns=2, circuits=turned).hash == ruleset(rows=6, columns=2).hash


def _single(way):
    return [f"{part[0]}{number}" for part in way.split() for number in (part[1], part[4])]


def test_who_can_capture_must():
    """Choro: a player whose first lap can take something plays one that does."""
    rules = ruleset(must_capture=True, after_lap=[{"last": "empty", "if": "next_empty", "take": ["opposite_beyond"]}])
    position = placed(rules, [[1, 0, 0, 1], [1, 1, 1, 1]])
    assert moves(rules, position) == ["a1>"]
    after = played(rules, position, "a1>")
    assert (seen(after), after.stores) == ([[0, 1, 0, 1], [1, 1, 1, 0]], [1, 0])
    assert moves(rules, placed(rules, [[1, 1, 0, 1], [1, 1, 1, 1]])) == ["a1>", "a2>", "a4>"]


def test_players_lay_their_counters_before_the_game():
    """Mweso: each lays his counters as he likes, and then the game begins."""
    rules = ruleset(columns=2, arranged=2, start=[{"holes": ["a1-a2", "b1-b2"], "counters": 0}], minimum=2)
    position = referee.start(rules.parameters)
    assert (moves(rules, position), position.stores) == (["a1", "a2"], [2, 2])
    laid = played(rules, position, "a1", "b2", "a1", "b1")
    assert (seen(laid), laid.stores, moves(rules, laid)) == ([[2, 0], [1, 1]], [0, 0], ["a1>"])
    after = played(rules, laid, "a1>")
    assert seen(after) == [[0, 1], [1, 2]]
    agree(rules, 3, 30)


def test_the_outermost_row_and_a_counter_left():
    rules = ruleset(rows=4, columns=2, begins_at="outermost_row", leaves_one=True, ends="stuck_loses")
    assert moves(rules, placed(rules, [[1, 0], [3, 2], [1, 1], [1, 1]])) == ["b1>", "b2>"]
    after = played(rules, placed(rules, [[1, 0], [3, 0], [1, 1], [1, 1]]), "b1>")
    assert (seen(after)[:2], after.winners) == ([[2, 1], [1, 0]], 1)


def test_a_lap_that_never_ends_leaves_the_position():
    rules = ruleset(columns=2, counters=1, after_lap=[{"then": "on_from_last"}], lap_limit=20)
    after = played(rules, referee.start(rules.parameters), "a1>")
    assert (after.end, seen(after)) == (2, [[1, 1], [1, 1]])


# Two engines


def agree(rules, number=2, most=80):
    contract = kernels.kernel("sowing").contract
    compiled = contract.compile_rules(rules.parameters)
    position, counts, out, streams = kernels.workspace(contract, compiled)
    size = contract.identity_size(compiled)
    for game in range(number):
        open_streams(streams, 7, game, contract.FIRST_STREAM, contract.LAST_STREAM)
        contract.start(compiled, position, streams, counts)
        for ply, _ in zip(referee_playout.plies(rules, 7, game), range(most), strict=False):
            assert tuple(position[:size]) == ply.before.words()
            assert out[: contract.moves(compiled, position, out)].tolist() == referee.moves(
                rules.parameters, ply.before
            )
            move, options = contract.random_move(compiled, position, streams, CHOICE + ply.seat, out)
            assert (move, options) == (ply.move, ply.options)
            contract.play(compiled, position, move, streams, counts)
            after = ply.played.position
            assert tuple(position[:size]) == after.words()
            assert sum(after.holes) + sum(after.stores) == sum(ply.before.holes) + sum(ply.before.stores)
    rows = playout.play_block(rules, ("random", "random"), 7, 0, number, most, "game").tolist()
    assert rows == [referee.row(referee_playout.plies(rules, 7, game), most, "game") for game in range(number)]


@pytest.mark.parametrize("seed", range(3))
def test_both_engines_agree_on_random_documents(seed):
    for rules in rulesets(random.Random(f"sowing {seed}"), 12):
        agree(rules)


@pytest.mark.by_turns
def test_spoilt_documents_are_refused_and_never_crash():
    chance = random.Random("spoilt")
    words = ["a1", "a1-a9", "", "any", -1, 0, 7, 99, True, None, [], {}, [[]], {"holes": ["b2"]}, 1.5, "on_from_last"]
    for rules in rulesets(chance, 150):
        written = json.loads(json.dumps(rules.document))
        for _ in range(chance.randint(1, 3)):
            part = written
            while isinstance(part, dict | list) and part:
                key = chance.choice(list(part) if isinstance(part, dict) else range(len(part)))
                if chance.random() < 0.6 or not isinstance(part[key], dict | list) or not part[key]:
                    part[key] = chance.choice(words)
                    break
                part = part[key]
        with contextlib.suppress(RulesetProblem):
            referee.start(parse(written).parameters)


def test_new_documents_need_no_compilation():
    agree(ruleset(after_lap=[ON]), 1, 20)
    with event.install_recorder("numba:compile") as recorder:
        for rules in rulesets(random.Random("compiled"), 50):
            playout.play_block(rules, ("random", "random"), 1, 0, 2, 40, "game")
    assert not recorder.buffer


@pytest.mark.thorough
def test_both_engines_agree_on_many_random_documents():
    for rules in rulesets(random.Random("sowing, many"), 300):
        agree(rules)


def test_further_rounds_with_tables():
    rules = ruleset(
        columns=5,
        counters=4,
        after_lap=[ON, {"last": "empty", "take": ["next"]}],
        while_sowing=[{"numbers": [4], "last": True}],
        round_end="either_row_empty",
        next_round="refill",
        ruined_below=4,
        unfilled_closed=True,
        round_starter="alternate",
    )
    agree(rules, 6, 300)


# Told, drawn, tried


def test_a_game_is_told_and_drawn_by_the_names_of_its_holes():
    row = {"last": "empty", "in": "inner", "if": "opposite_holds", "take": BOTH, "then": "sow_taken_after_last"}
    rules = ruleset(rows=4, columns=3, ends="empty_loses", after_lap=[ON, row])
    position = placed(rules, [[0, 0, 1], [0, 0, 0], [0, 0, 1], [3, 0, 2]])
    assert list(board_lines(position))[1:3] == ["c     0    0    1", "b     0    0    0"]
    assert position_facts(position)["rows"] == [[0, 0, 1], [0, 0, 0], [1, 0, 0], [2, 0, 3]]
    move = referee.moves(rules.parameters, position)[0]
    ply = Ply(0, move, 1, position, referee.play(rules.parameters, position, move))
    told = [text.sentence for text in describe(ply)]
    assert told[:3] == [
        "1 sown from a3",
        "the last counter falls into b3, which was empty",
        "the first player takes 1 counter from c3 into his hand",
    ]
    assert "3 sown on from b3" in told
    assert motion(rules.parameters, ply)[:4] == [("lift", "a3"), ("drop", "b3"), ("lift", "c3"), ("lift", "d3")]
    drawing = draw_start(rules)
    assert all(f'data-place="{hole_name(position, hole)}"' in drawing for hole in range(12))
    assert (
        family("sowing")
        .sentence("after_lap", rules.parameters)
        .endswith(
            "A last counter in an empty hole in his own inner row (while the hole opposite holds any) takes the hole "
            "opposite and the hole behind that: what was taken is sown on from there."
        )
    )


@pytest.mark.parametrize(("rows", "columns"), [(1, 7), (3, 6), (4, 16), (6, 6), (2, 32)])
def test_every_board_is_drawn(rows, columns):
    drawing = draw_start(ruleset(rows=rows, columns=columns))
    assert drawing.count("data-place") == rows * columns + 2


def test_a_refused_move_names_the_rule():
    rules = ruleset(minimum=2, openings=[{"who": "first", "holes": ["a4"]}], start=[{"holes": ["a1"], "counters": 1}])
    session = Session(rules, 1)
    for text, keys in (("a2", ("openings[0]",)), ("b1", ("owners",)), ("a1", ("openings[0]", "minimum"))):
        refusal = illegal_move.interpret(session, text).refusals[0]
        assert set(keys) & set(refusal.keys), (text, refusal)


def test_a_start_far_on_a_board_has_a_move_of_its_own():
    rules = ruleset(rows=4, columns=32, counters=1, ends="empty_loses")
    position = referee.start(rules.parameters)
    listed = referee.moves(rules.parameters, position)
    assert len(set(listed)) == 64
    assert [code.start_of(move)[0] for move in listed] == list(range(64))
    assert all(code.is_start(move) for move in listed)
    agree(rules, 1, 30)


def test_a_game_of_tables_is_begun_like_any_other():
    game = engine.Game(ruleset(rows=4, after_lap=[ON]))
    game.play("a1>")
    assert game.mover == 1
    again = engine.Game(game.ruleset, moves=["a1a"])
    assert str(again) == str(game)
