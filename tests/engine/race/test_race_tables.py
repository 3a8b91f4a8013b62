"""Races that a document draws and sets out: one form of a board, what marks and held squares do, any lots, by the words
of the rules; then random documents, which both engines play alike."""

from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest
from numba.core import event

from simulator.engine import kernels, playout, referee_playout
from simulator.engine.boards.race import BOARDS
from simulator.engine.boards.tracks import board_of, canonical_board
from simulator.engine.documents import parse
from simulator.engine.ends import MOST_PLIES_OF_A_TURN, UNFINISHED
from simulator.engine.families.race.drawing import draw_start
from simulator.engine.families.race.marks import in_place
from simulator.engine.families.race.referee.throws import lots_throw
from simulator.engine.family import family
from simulator.engine.illegal_move import interpret
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.session import Session
from simulator.engine.traffic import Sums
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


def test_a_turn_that_chance_never_ends_is_stopped():
    """Every throw enters the piece on a square that takes it back and gives another throw: no turn comes to an end."""
    tracks = {"rows": ["a1-a4"], "tracks": {"2": ["a1-a4", "a1-a4"]}, "marks": {"pit": ["a1"]}}
    lots = [{"times": 1, "moves": [1]}, {"times": 1, "moves": [1, 1]}]
    marked = [{"mark": "pit", "does": ["again", "returns"]}]
    rest = {"family": "race", "seats": 2, "pieces": 1, "sends_back": "landing"}
    ruleset = parse({**rest, "board": tracks, "lots": lots, "marked": marked})
    traffic = Sums.none(family("race").traffic(ruleset.parameters).cells)
    rows = [
        playout.play_block(ruleset, ("random", "random"), 1, 0, 1, 20, "game", traffic=counted).tolist()
        for counted in (None, traffic)
    ]
    assert rows[0] == rows[1] == [referee_playout.row(ruleset, 1, 0, 20, "game")]
    end, turns, entries = (rows[0][0][place] for place in (0, 2, 7))
    assert (end, turns, entries) == (UNFINISHED, 0, MOST_PLIES_OF_A_TURN)


def test_lots_have_one_form():
    """Rows that bring the same are one, their numbers as small as they can be, in the order of what they bring."""
    rows = [{"times": 2, "moves": [2, 1]}, {"times": 2}, {"times": 2, "moves": [1, 2]}, {"times": 4, "moves": [4]}]
    found = parse({"family": "race", "board": SMALL, "seats": 2, "pieces": 1, "lots": rows})
    assert found.document["lots"] == [{"times": 1}, {"times": 2, "moves": [1, 2]}, {"times": 2, "moves": [4]}]
    assert family("race").sentence("lots", found.parameters) == (
        "In one of the ways they fall the player moves nothing. In 2 of the ways they fall the player moves 1 and 2. "
        "In 2 of the ways they fall the player moves 4."
    )


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


class TestLastSquares:
    """Pieces in place, scores by which alone one goes home, throws of which one number is chosen."""

    CANES, STONES = CASES["doze canes"], CASES["circle of stones"]

    def test_two_on_each_point_win(self):
        position = standing(self.CANES, f"1 2 2 3 3 4 4 5 5 6 6 0 / {'0 ' * 12}", [dice(self.CANES, 1, 6)])
        assert options(self.CANES, position) == ["enter 1"]
        played = play(self.CANES, position, "enter 1")
        assert (played.position.winners, [event.keys for event in played.events][-1]) == (1, ("final_steps", "teams"))

    def test_marks_say_where_each_player_has_to_stand(self):
        """Both ways lead over the marked squares, and one piece stands on each of them."""
        board = {"rows": ["a1-a4"], "tracks": {"2": ["a1-a4", "a4-a1"]}, "marks": {"quarter": ["a2", "a3"]}}
        rules = {"family": "race", "board": board, "seats": 2, "pieces": 2, "dice": 1, "die_faces": [1, 2]}
        ruleset = parse({**rules, "final_marks": ["quarter"]})
        assert [in_place(ruleset.parameters, seat) for seat in range(2)] == [[2, 3], [2, 3]]
        played = play(ruleset, standing(ruleset, "1 3 / 0 0", [dice(ruleset, 1)]), "a1 +1")
        assert (played.position.winners, [event.keys for event in played.events][-1]) == (1, ("final_marks", "teams"))
        with pytest.raises(RulesetProblem, match="3 pieces do not stand as many on each of these squares"):
            parse({**ruleset.document, "pieces": 3})
        with pytest.raises(RulesetProblem, match="the board has no mark quarters"):
            parse({**ruleset.document, "final_marks": ["quarters"]})

    def test_a_piece_goes_home_by_these_scores_only(self):
        """From b1, the last square, by a one and not by a two; from b5 by a five and not by a six."""
        throws = [lots_throw(self.STONES.parameters, row) for row in range(3)]
        assert options(self.STONES, standing(self.STONES, "24 25 / 0 0", throws[:1])) == ["b1 +1"]
        assert options(self.STONES, standing(self.STONES, "20 25 / 0 0", throws[-1:])) == ["b5 +5"]

    def test_one_of_several_numbers_is_played(self):
        position = standing(self.STONES, "3 4 / 0 0", [lots_throw(self.STONES.parameters, 0)])
        assert options(self.STONES, position) == ["a3 +1", "a4 +1", "a3 +2", "a4 +2"]
        played = play(self.STONES, position, "a3 +2")
        assert (played.turn_over, [event.kind for event in played.events]) == (True, ["move"])

    def test_what_cannot_be_is_refused(self):
        lots = self.STONES.document["lots"]
        for changes, key, near in (
            ({"exit_scores": [5]}, "overshoot", True),
            ({"exit_scores": [1, 4]}, "exit_scores", [1]),
            ({"final_steps": [7, 3]}, "final_steps", [3, 7]),
            ({"series": "thrown_first"}, "series", "one_at_a_time"),
            ({"lots": [*lots, {"times": 1, "moves": [8, 8], "choose": True}]}, "lots/3/choose", False),
        ):
            with pytest.raises(RulesetProblem) as refused:
                parse({**self.STONES.document, **changes})
            assert (key, near) in [(problem.key, problem.nearest) for problem in refused.value.problems]


def test_ladders_lead_up_and_snakes_down():
    """From c1 by two to the ladder c3, which leads to b4; who lands on the snake a6 goes down to c6."""
    ruleset = CASES["ladders and snakes"]
    played = play(ruleset, standing(ruleset, "0 0 0 1 / 0 0 0 13", [dice(ruleset, 2)]), "c1 +2")
    assert steps(played.position) == "0 0 0 13 / 0 0 0 0"  # and sends back who stands there
    assert [event.kind for event in played.events][:3] == ["move", "led", "sent_back"]
    played = play(ruleset, standing(ruleset, "0 0 0 21 / 0 0 0 0", [dice(ruleset, 1)]), "a5 +1")
    assert steps(played.position) == "0 0 0 6 / 0 0 0 0"


class TestRunningFights:
    """Lane and Michaelsen: pieces sleep where they begin, wake by a one, go round, and are taken for good."""

    TAB, DALDOES, PALOS = (CASES[name] for name in ("tâb", "daldøs", "los palos"))

    def standing(self, ruleset, first, second, *thrown):
        """A position of two; pieces that are not told are taken."""
        gone = ruleset.module("referee.way").course(ruleset.parameters).home
        rows = (
            " ".join(map(str, [*row, *[gone] * (ruleset.parameters["pieces"] - len(row))])) for row in (first, second)
        )
        return standing(ruleset, " / ".join(rows), thrown)

    def test_only_a_one_wakes_and_the_piece_goes_on_from_its_square(self):
        position = self.standing(self.TAB, [3, 9], [1], throw(self.TAB, 1))
        assert options(self.TAB, position) == ["a3 +1", "a9 +1"]
        assert steps(play(self.TAB, position, "a3 +1").position).split(" / ")[0].startswith("9 13 ")
        assert options(self.TAB, self.standing(self.TAB, [3, 9], [1], throw(self.TAB, 2))) == ["pass"]

    def test_a_one_that_can_wake_moves_no_piece_that_is_awake(self):
        assert options(self.TAB, self.standing(self.TAB, [3, 20], [1], throw(self.TAB, 1))) == ["a3 +1"]
        assert options(self.TAB, self.standing(self.TAB, [3, 20], [1], throw(self.TAB, 2))) == ["b8 +2"]
        assert options(self.TAB, self.standing(self.TAB, [20], [1], throw(self.TAB, 1))) == ["b8 +1"]

    def test_a_way_goes_round(self):
        """From d1, the last of 9 + 36 steps, by three to b7: the way goes on with b9, its tenth square."""
        played = play(self.TAB, self.standing(self.TAB, [45], [1], throw(self.TAB, 3)), "d1 +3")
        assert played.position.pieces[0][0] == 9 + 12
        assert [event.keys for event in played.events if event.kind == "move"] == [("division", "round_to")]

    def test_who_has_no_piece_left_has_lost(self):
        """The second player's last piece sleeps on d9, his first step, which is the first player's 28th square."""
        position = self.standing(self.TAB, [9 + 26], [1], throw(self.TAB, 2))
        played = play(self.TAB, position, "c8 +2")
        assert [event.kind for event in played.events][-2:] == ["taken", "game_end"]
        assert (played.position.winners, played.sent_back, played.home) == (1, 1, (0, 0))

    def test_no_piece_lands_on_or_passes_its_own(self):
        """The sleeping piece on a2 stands behind that on a1, which alone wakes."""
        position = self.standing(self.DALDOES, [15, 16], [1], dice(self.DALDOES, 1, 3))
        assert options(self.DALDOES, position) == ["a1 +1"]
        after = play(self.DALDOES, position, "a1 +1").position
        assert options(self.DALDOES, after) == ["b1 +3"]
        blocked = self.standing(self.DALDOES, [40, 41], [1], dice(self.DALDOES, 2, 2))
        assert options(self.DALDOES, blocked) == ["b9 +2"]

    def test_partners_win_together(self):
        gone = 25
        position = standing(self.PALOS, f"5 {gone} {gone} / 11 {gone} {gone} / 0 0 0 / {gone} {gone} {gone}", [])
        four = self.PALOS.module("referee.throws").cowrie_throw(self.PALOS.parameters, (1, 1, 1, 1, 0))
        self.PALOS.module("referee.throws").lay_ready(self.PALOS.parameters, position, [four])
        # The second player's eleventh step is b5, the first one's ninth.
        played = play(self.PALOS, position, "b1 +4")
        assert played.position.winners == 0b0101

    def test_ways_that_are_too_short_are_refused(self):
        for changes, key, near in (
            ({"round_to": 0}, "round_to", 1),
            ({"round_to": 33}, "round_to", 30),
            ({"wake_scores": [5]}, "wake_scores", []),
            ({"overshoot": True}, "overshoot", False),
            ({"sends_back": "off"}, "taking", False),
            ({"taking": False}, "round_to", 0),
        ):
            with pytest.raises(RulesetProblem) as refused:
                parse({**self.TAB.document, **changes})
            assert (key, near) in [(problem.key, problem.nearest) for problem in refused.value.problems]

    def test_an_illegal_move_names_sleep(self):
        position = self.standing(self.TAB, [3, 20], [1], throw(self.TAB, 2))
        session = Session(self.TAB, seed=1)
        session.set_position(position)
        assert {"wake_scores"} <= {one for refusal in interpret(session, "a3 +2").refusals for one in refusal.keys}


@pytest.mark.parametrize(
    "name", ["royal game of ur", "tâb", "los palos", "panchi", "race of three", "long race to and fro"]
)
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
    for row in document["lots"]:
        row["choose"] = len(set(row["moves"])) > 1 and random.random() < 0.2
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
    if random.random() < 0.2:
        document["exit_scores"] = random.sample(range(1, 7), 2)
    if random.random() < 0.15:
        document["final_steps"] = sorted(random.randint(length // 2, length) for _ in range(document["pieces"]))
    if random.random() < 0.4:
        document["start_steps"] = sorted(random.sample(range(1, length + 1), min(length // 2, document["pieces"])))
        values |= {
            "taking": [True],
            "round_to": [0, 1, length // 2],
            "wake_scores": [[], [1], [1, 3]],
            "wakes_first": [False, True],
            "no_passing_own": [False, True],
            "sends_back": ["landing", "landing_or_passing"],
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
            if problem.key == "start_steps":
                problem = replace(problem, nearest=[])
            if not place and problem.nearest is not None:
                document = {**document, table: problem.nearest}
            elif table == "marked":
                document = {**document, table: [row for n, row in enumerate(document[table]) if n != int(place[0])]}
            else:
                return None
    return None


@cache
def some_rulesets():
    found = (mended(random_document(Random(seed))) for seed in range(30))
    return [ruleset for ruleset in found if ruleset is not None]


def test_most_random_documents_can_be_played():
    assert len(some_rulesets()) >= 25


def test_new_documents_need_no_compilation():
    """What two games have compiled, one of them of single squares, serves others."""
    for ruleset in (UR, CASES["panchi"]):
        playout.play_block(ruleset, ("random",) * 2, 1, 0, 1, 20, "game")
    with event.install_recorder("numba:compile") as recorder:
        for ruleset in some_rulesets():
            playout.play_block(ruleset, ("random",) * ruleset.parameters["seats"], 1, 0, 2, 40, "game")
    assert not recorder.buffer


@pytest.mark.parametrize("seed", range(80 if choice.ALL else 8))
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
