"""Races that a document draws and sets out: one form of a board, what marks and held squares do, any lots, by the words
of the rules; then random documents, which both engines play alike."""

from itertools import islice
from random import Random

import pytest

from simulator.engine import kernels, playout, referee_playout
from simulator.engine.boards.race import BOARDS
from simulator.engine.boards.tracks import board_of, canonical_board
from simulator.engine.documents import parse
from simulator.engine.families.race.drawing import draw_start
from simulator.engine.families.race.referee.throws import lots_throw
from simulator.engine.family import family
from simulator.engine.illegal_move import interpret
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.session import Session
from tests import choice
from tests.engine.cases import CASES
from tests.engine.race.positions import dice, options, play, standing, steps

UR, TABLES = CASES["royal game of ur"], CASES["backgammon"]
SMALL = {"rows": ["a1-a3"], "tracks": {"2": ["a1-a3", "a3-a1"]}}


def drawn(board):
    """A named board as a document may draw it, moved away from its corner."""
    squares = {square.name: [square.x + 7, square.y - 3] for square in board.squares}
    tracks = {
        str(seats): [" ".join(board.squares[square].name for square in way) for way in ways]
        for seats, ways in board.tracks.items()
    }
    marks = {mark: [board.squares[square].name for square in those] for mark, those in board.marks.items()}
    return {"squares": squares, "tracks": tracks, "marks": marks, "home_row": board.home_row}


@pytest.mark.parametrize("name", ["pancha_track", "kawade_track", "cross_8"])
def test_a_figure_that_has_a_name_becomes_its_name(name):
    figure = drawn(BOARDS[name])
    assert canonical_board(figure) == name
    first = next(iter(figure["squares"]))
    figure["squares"][first] = [figure["squares"][first][0], figure["squares"][first][1] - 3]
    assert canonical_board(figure) != name


def test_two_ways_to_write_a_figure_are_one_document():
    by_places = {
        "squares": {"a1": [3, 1.0], "a2": [4, 1], "a3": [5, 1]},
        "tracks": {"2": ["a1 a2 a3", "a3-a1"]},
        "marks": {},
    }
    rest = {"family": "race", "seats": 2, "pieces": 1, "dice": 1, "die_faces": [1, 2]}
    one, other = parse({**rest, "board": by_places}), parse({**rest, "board": SMALL})
    assert one.hash == other.hash
    assert one.document["board"] == SMALL
    assert parse(one.document).hash == one.hash


def test_lots_have_one_form():
    """Rows that bring the same are one, their numbers as small as they can be, in the order of what they bring."""
    rows = [{"times": 2, "moves": [2, 1]}, {"times": 2}, {"times": 2, "moves": [1, 2]}, {"times": 4, "moves": [4]}]
    found = parse({"family": "race", "board": SMALL, "seats": 2, "pieces": 1, "lots": rows})
    assert found.document["lots"] == [{"times": 1}, {"times": 2, "moves": [1, 2]}, {"times": 2, "moves": [4]}]
    assert family("race").sentence("lots", found.parameters) == "Once: nothing. 2 times: 1 and 2. 2 times: 4."


# changes -> the key that is refused and the nearest valid value
REFUSED = [
    ({"board": {"rows": ["a1-a3"], "tracks": {"2": ["a1-a4", "a3-a1"]}}}, "board/tracks/2/0", "a3"),
    ({"board": {"rows": ["a1-a3"], "tracks": {"2": ["a1-a3", "a2 a1"]}}}, "board/tracks", None),
    ({"board": {"rows": ["a1-a3"], "tracks": {"2": ["a1-a3"] * 3}}}, "board/tracks/2", None),
    ({"board": {"rows": ["a1-c3"], "tracks": {"2": ["a1", "a1"]}}}, "board/rows/0", None),
    ({"board": {"squares": {"a1": [0, 0], "a2": [0.2, 0]}, "tracks": {"2": ["a1 a2"] * 2}}}, "board", None),
    ({"board": {"rows": ["a1-a99", "b1-b99"], "tracks": {"2": ["a1-a99 b1-b99"] * 2}}}, "board", None),
    ({"seats": 3}, "seats", 2),
    ({"marked": [{"mark": "star", "does": ["safe"]}]}, "marked/0/mark", "rosette"),
    ({"marked": [{"mark": "rosette"}]}, "marked/0", None),
    ({"marked": [{"mark": "rosette", "to": "c1"}]}, "marked/0/to", ""),
    ({"marked": [{"mark": "rosette", "does": ["agan"]}]}, "marked/0/does/0", "again"),
    ({"safe_squares": True}, "safe_squares", False),
    ({"dice": 1, "die_faces": [1, 2]}, "dice", 0),
    ({"lots": [{"times": 1, "moves": [1, 2, 3, 4, 5]}, {"times": 2}]}, "lots/1/moves", [1, 2, 3, 4]),
    ({"lots": [{"times": 1, "moves": [1], "again": True}, {"times": 1, "again": True}]}, "lots", None),
    ({"again_scores": [1]}, "again_scores", []),
    ({"own_on_square": 7}, "own_on_square", 0),
    ({"block_of": 8, "own_on_square": 0}, "block_of", 7),
    ({"block_of": 2}, "block_of", 0),
    ({"home_field": 20}, "home_field", 14),
    ({"overshoot_by": "hindmost"}, "overshoot_by", "any_piece"),
    ({"enter_all_scores": [1]}, "enter_all_scores", []),
]


@pytest.mark.parametrize(("changes", "key", "near"), REFUSED)
def test_impossible_tables_are_refused_by_place(changes, key, near):
    with pytest.raises(RulesetProblem) as refused:
        parse({**UR.document, **changes})
    assert key in (found := {problem.key: problem.nearest for problem in refused.value.problems})
    if near is not None:
        assert found[key] == near


def throw(ruleset, *moves):
    """The row of the lots that brings just these numbers."""
    rows = ruleset.parameters["lots"]
    return lots_throw(ruleset.parameters, [row.get("moves", []) for row in rows].index(list(moves)))


class TestRoyalGameOfUr:
    """Finkel: who lands on a rosette throws again and cannot be taken there; one piece on a square."""

    def test_a_rosette_gives_another_throw(self):
        played = play(UR, standing(UR, "0 0 0 0 0 0 2 / 0 0 0 0 0 0 0", [throw(UR, 2)]), "a2 +2")
        assert (played.position.mover, played.turn_over) == (0, False)
        assert [event.kind for event in played.events][:2] == ["move", "again"]

    def test_no_two_own_pieces_on_a_square_none_on_a_held_rosette(self):
        position = standing(UR, "0 0 0 0 2 4 6 / 0 0 0 0 0 0 8", [throw(UR, 2)])
        # a2 would come to a4, a4 to b2, b2 to the rosette b4: all are taken; only entering on a2 is left, taken too.
        assert options(UR, position) == ["pass"]

    def test_a_piece_elsewhere_is_sent_back(self):
        position = standing(UR, "0 0 0 0 0 0 5 / 0 0 0 0 0 0 7", [throw(UR, 2)])
        assert steps(play(UR, position, "b1 +2").position) == "0 0 0 0 0 0 7 / 0 0 0 0 0 0 0"


class TestBackgammon:
    """A point that two hold is closed; who was sent back comes in first; home only when all are at home."""

    def test_a_point_that_two_hold_is_closed(self):
        own = "1 1 " + "19 " * 13
        position = standing(TABLES, f"{own} / 19 19 {'20 ' * 13}", [throw(TABLES, 4, 5)])
        # The other's steps 19 and 20 are points 6 and 5 before his home: the first player's steps 6 and 5.
        assert not [name for name in options(TABLES, position) if name in ("a12 +4", "a12 +5")]

    def test_who_was_sent_back_comes_in_first(self):
        position = standing(TABLES, f"0 {'19 ' * 14} / {'20 ' * 15}", [throw(TABLES, 1, 2)])
        assert options(TABLES, position) == ["enter 1", "enter 2"]

    def test_more_than_needed_only_from_behind(self):
        position = standing(TABLES, f"{'20 ' * 2} {'23 ' * 13} / {'1 ' * 15}", [throw(TABLES, 3, 6)])
        assert options(TABLES, position) == ["b8 +3", "b8 +6"]
        assert options(TABLES, play(TABLES, position, "b8 +6").position) == ["b8 +3"]

    def test_as_many_numbers_as_can_be_are_played(self):
        """By a12 +1 the 3 would be lost: from a11 it leads to a point that is held, and b11 may not yet go home."""
        position = standing(TABLES, f"1 23 {'25 ' * 13} / 20 20 {'25 ' * 13}", [throw(TABLES, 1, 3)])
        assert options(TABLES, position) == ["b11 +1", "a12 +3"]


def test_ladders_lead_up_and_snakes_down():
    """From c1 by two to the ladder c3, which leads to b4; who lands on the snake a6 goes down to c6."""
    ruleset = CASES["ladders and snakes"]
    played = play(ruleset, standing(ruleset, "0 0 0 1 / 0 0 0 13", [dice(ruleset, 2)]), "c1 +2")
    assert steps(played.position) == "0 0 0 13 / 0 0 0 0"  # and sends back who stands there
    assert [event.kind for event in played.events][:3] == ["move", "led", "sent_back"]
    played = play(ruleset, standing(ruleset, "0 0 0 21 / 0 0 0 0", [dice(ruleset, 1)]), "a5 +1")
    assert steps(played.position) == "0 0 0 6 / 0 0 0 0"


@pytest.mark.parametrize("name", ["royal game of ur", "panchi", "race of three", "long race to and fro"])
def test_a_drawn_board_shows_squares_marks_and_ways(name):
    ruleset = CASES[name]
    svg, board = draw_start(ruleset), board_of(ruleset.parameters)
    assert all(f'data-place="{square.name}"' in svg for square in board.squares)
    assert svg.count('class="way"') == ruleset.parameters["seats"]
    places = [*board.waiting[ruleset.parameters["seats"]], board.home]
    assert len(set(places)) == len(places)


def test_chances_of_a_small_race_are_as_worked_by_hand():
    """A piece needs 3 by throws of 1 or 2, each as likely: in 2 throws with 1/2, and in k more with 1/2 to the power of
    k + 1. The first wins if his are no more than the other's: 1/2 · (1 + 1/4 + 1/16 + …) = 2/3."""
    lots = [{"times": 1, "moves": [1]}, {"times": 1, "moves": [2]}]
    board = {"rows": ["a1 a2", "b1 b2"], "tracks": {"2": ["a1 a2", "b1 b2"]}}
    ruleset = parse({"family": "race", "board": board, "seats": 2, "pieces": 1, "lots": lots})
    games = 20_000
    rows = playout.play_block(ruleset, ("random",) * 2, 5, 0, games, 500, "game")
    assert abs((rows[:, 1] == 1).mean() - 2 / 3) < 4 * (2 / 9 / games) ** 0.5


def random_document(random: Random) -> dict:
    """A race on squares in rows, with ways, marks, lots and rules drawn by chance; not all fit together."""
    wide, high = random.randint(3, 9), random.randint(1, 4)
    names = [f"{'abcd'[row]}{number}" for row in range(high) for number in range(1, wide + 1)]
    seats, length = random.choice((2, 2, 3, 4)), random.randint(3, min(2 * len(names), 30))
    ways = [" ".join(random.choice(names) for _ in range(length)) for _ in range(seats)]
    if random.random() < 0.7:
        start = random.sample(names, len(names))
        ways = [" ".join((start[seat:] + start[:seat])[: min(length, len(start))]) for seat in range(seats)]
    rows = [f"{'abcd'[row]}1-{'abcd'[row]}{wide}" for row in range(high)]
    marks = {mark: random.sample(names, random.randint(1, 3)) for mark in ("one", "two") if random.random() < 0.7}
    document = {
        "family": "race",
        "board": {"rows": rows, "tracks": {str(seats): ways}, "marks": marks},
        "seats": seats,
        "pieces": random.choice((1, 2, 4, 7, 15)),
        "lots": [
            {
                "times": random.randint(1, 5),
                "moves": [random.randint(1, 6) for _ in range(random.randint(0, 4))],
                "again": random.random() < 0.1,
            }
            for _ in range(random.randint(2, 6))
        ],
        "marked": [
            {
                "mark": mark,
                "does": random.sample(["again", "safe", "returns", "closed"], random.randint(0, 2)),
                "to": random.choice(["", "", random.choice(names)]),
            }
            for mark in marks
        ],
    }
    values = {
        "sends_back": ["off", "landing", "landing_or_passing"],
        "own_on_square": [0, 0, 1, 2],
        "block_of": [0, 0, 2, 3],
        "block_stops": ["landing", "passing"],
        "enter_first": [False, True],
        "home_field": [0, 0, 2],
        "plays_most": [False, True],
        "overshoot": [False, True],
        "overshoot_by": ["any_piece", "hindmost"],
        "no_passing": [False, False, True],
        "safe_meeting": ["shared", "passed_over"],
        "again_sending_back": [False, True],
        "again_home": [False, True],
        "may_decline": [False, True],
        "goal": ["beyond_last", "last_square"],
    }
    return {**document, **{key: random.choice(of) for key, of in values.items()}}


def mended(document):
    """The ruleset of a document once what is refused is set to the nearest valid value; None if that does not help."""
    for _ in range(30):
        try:
            return parse(document)
        except RulesetProblem as refused:
            problem = refused.problems[0]
            assert problem.key
            table, *place = problem.key.split("/")
            if not place and problem.nearest is not None:
                document = {**document, table: problem.nearest}
            elif table == "marked":
                document = {**document, table: [row for n, row in enumerate(document[table]) if n != int(place[0])]}
            else:
                return None
    return None


def test_most_random_documents_can_be_played():
    assert sum(mended(random_document(Random(seed))) is not None for seed in range(40)) >= 30


@pytest.mark.parametrize("seed", range(400 if choice.ALL else 8))
def test_engines_agree_on_random_documents(seed):
    """Moves in the same order, positions word by word; every piece stays somewhere on its way."""
    ruleset = mended(random_document(Random(seed)))
    if ruleset is None:
        return
    contract, referee = kernels.kernel("race").contract, ruleset.module("referee.contract")
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(contract, rules)
    identity = contract.identity_size(rules)
    open_streams(streams, seed, 0, contract.FIRST_STREAM, contract.LAST_STREAM)
    contract.start(rules, position, streams, counts)
    for ply in islice(referee_playout.plies(ruleset, seed, 0), 120):
        assert tuple(position[:identity]) == ply.before.words()
        assert out[: contract.moves(rules, position, out)].tolist() == referee.moves(ruleset.parameters, ply.before)
        move, _ = contract.random_move(rules, position, streams, CHOICE + ply.seat, out)
        assert move == ply.move
        contract.play(rules, position, move, streams, counts)
    names = ruleset.module("notation")
    assert names.move_name(ruleset.parameters, ply.before, ply.move)
    assert all("{" not in one.sentence for one in names.describe(ply))


def test_an_illegal_move_names_the_rule_of_single_squares():
    """Two own pieces on a square, a square that two hold, a piece that waits: each is told with its rule."""
    two = standing(UR, "0 0 0 0 0 2 4 / 0 0 0 0 0 0 0", [throw(UR, 2)])
    held = standing(TABLES, f"1 1 {'19 ' * 13} / 19 19 {'20 ' * 13}", [throw(TABLES, 4, 6)])
    waiting = standing(TABLES, f"0 1 {'19 ' * 13} / {'20 ' * 15}", [throw(TABLES, 1, 2)])
    for ruleset, position, text, key in (
        (UR, two, "a2 +2", "own_on_square"),
        (TABLES, held, "a12 +4", "block_of"),
        (TABLES, waiting, "a12 +1", "enter_first"),
    ):
        session = Session(ruleset, seed=1)
        session.set_position(position)
        assert {key} <= {one for refusal in interpret(session, text).refusals for one in refusal.keys}
