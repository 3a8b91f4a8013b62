"""Boards as data: two ways of writing one figure are one board, and every figure is played by both engines alike."""

import random
import re

import pytest

from simulator.engine.boards.figures import board_of, canonical, read_figure
from simulator.engine.boards.points import BOARDS
from simulator.engine.documents import parse, with_changes, write_value
from simulator.engine.family import family
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.session import Session
from tests.engine.agreement import assert_engines_agree

ALTERNATING = {"shapes": [{"grid": [5, 5], "diagonals": "alternating"}]}
PLACED = (([0, -3], 0), ([0, 3], 180), ([3, 0], 90), ([-3, 0], 270))
TRIANGLES = [{"triangle": 3, "at": at, "turn": turn} for at, turn in PLACED]
FIVE = {"p": [0, 0], "q": [2, 0], "r": [3, 2], "s": [1, 3.5], "t": [-1, 2]}
FOUR = {"a": [0, 0], "b": [1, 2], "c": [3, 2.5], "d": [5, 1]}
FORK = {"a": [0, 0], "b": [1, 0], "c": [2, 1], "d": [2, -1]}
FIGURES = {
    "alquerque": ALTERNATING,
    "pentagram": {"shapes": [{"star": 5}]},
    "wheel": {"shapes": [{"rings": 1, "round": 8, "joined": "corners", "centre": True}]},
    "circles": {"shapes": [{"rings": 3, "round": 6, "joined": "corners"}]},
    "cross": {"shapes": [{"cross": [3, 7], "diagonals": "alternating"}]},
    "meeting": {"shapes": [{"grid": [4, 3], "diagonals": "meeting"}]},
    "all diagonals": {"shapes": [{"grid": [4, 4], "diagonals": "all"}]},
    "ten by ten": {"shapes": [{"grid": [10, 10], "colour": "dark"}]},
    "three words": {"shapes": [{"grid": [12, 12], "diagonals": "between"}]},
    "bent by hand": {"points": FOUR, "lines": ["a b c d", "a c", "b d"]},
    "closed by hand": {"points": FIVE, "lines": ["p q r s t p"]},
}


def document(board, **rules):
    return {"family": "points", "board": board, "first_pieces": 1, "second_pieces": 1, **rules}


NAMED = {
    "alquerque_triangles": {"shapes": [*ALTERNATING["shapes"], *TRIANGLES]},
    "triangle_10": {"shapes": [{"triangle": 4, "at": [7, 1], "scale": 2.5}]},
    "squares_3": {"shapes": [{"rings": 3, "joined": "middles"}]},
    "squares_3_diagonals": {"shapes": [{"rings": 3, "joined": "both"}]},
    "chequered_12": {"shapes": [{"grid": [12, 12], "colour": "light", "turn": 180}]},
    "chequered_8": {"shapes": [{"grid": [8, 8], "colour": "dark"}]},
}


@pytest.mark.parametrize("name", NAMED)
def test_a_figure_that_is_a_named_board_is_its_name(name):
    named = BOARDS[name]
    by_hand = {
        "points": {point.name: [3 * point.x + 1, 3 * point.y] for point in named.points},
        "lines": [" ".join(named.names[point] for point in reversed(line)) for line in named.lines],
        "squares": named.is_chequered,
    }
    hashes = {parse(document(board)).hash for board in (name, NAMED[name], by_hand)}
    assert len(hashes) == 1
    assert parse(document(NAMED[name])).document["board"] == name


def test_names_of_a_figure_become_those_of_the_named_board():
    """The apex of the triangle is d4 by column and row, and b4 after Ludovisi, who numbers its lines."""
    drawn = parse(document(NAMED["triangle_10"], first_array=["d4"], second_array=["g1"]))
    assert (drawn.document["first_array"], drawn.document["second_array"]) == (["b4"], ["c1"])


@pytest.mark.parametrize("name", FIGURES)
def test_the_canonical_form_is_its_own(name):
    board, _ = read_figure(FIGURES[name])
    form = canonical(board)
    assert read_figure(form)[0] == board
    assert canonical(read_figure(form)[0]) == form
    mirrored = {**form, "lines": [" ".join(reversed(line.split())) for line in reversed(form["lines"])]}
    assert read_figure(mirrored)[0] == board


def test_pieces_of_line_are_joined_and_divided():
    whole = {"points": {"a": [0, 0], "b": [1, 1], "c": [2, 2]}, "lines": ["a c"]}
    parts = {"points": {"c": [2, 2], "a": [0, 0], "b": [1, 1]}, "lines": ["b a", "b c"]}
    assert read_figure(whole)[0] == read_figure(parts)[0]
    assert read_figure(whole)[0].lines == ((0, 1, 2),)


def test_a_line_goes_on_round_a_bend_if_it_is_drawn_so():
    points = {"a": [0, 0], "b": [1, 0], "c": [1, 1]}
    bent, ending = (read_figure({"points": points, "lines": lines})[0] for lines in (["a b c"], ["a b", "b c"]))
    assert (bent.lines, ending.lines) == (((0, 1, 2),), ((0, 1), (1, 2)))
    assert 2 in bent.landings[0]
    assert set(ending.landings[0]) == {-1}


def test_a_line_that_begins_where_another_ends_is_no_way_on():
    bend = {"points": {"a": [0, 0], "b": [2, 1], "c": [3, 3]}, "lines": ["a b", "b c"]}
    assert not read_figure(bend)[0].is_compass
    far = {"first_array": ["a1"], "second_array": [], "first_reach": 8, "second_reach": 8, "first_stuck": "loses"}
    assert_engines_agree(parse(document(bend, **far, second_stuck="passes", idle_turns=10)))


def test_a_line_that_comes_back_over_its_points_is_refused():
    """From a by c, which lies on the way, to b, and back to c."""
    figure = {"points": {"a": [0, 9], "b": [0, 0], "c": [0, 1]}, "lines": ["a b c"]}
    with pytest.raises(RulesetProblem, match="board/lines: a line does not turn back on itself"):
        parse(document(figure))


def test_also_and_without():
    """Without the middle of a grid nothing leads across it."""
    figure = {**ALTERNATING, "also": {"points": {"z": [0, 4]}, "lines": ["c5 z"]}, "without": {"points": ["c3"]}}
    board, names = read_figure(figure)
    assert names["z"] == "c6"
    assert "c3" not in board.names
    assert "a3 b3" in canonical(board)["lines"]
    assert len(board.points) == 25


def test_ranges_of_points():
    drawn = parse(document(ALTERNATING, first_pieces=10, first_array=["a1-e2"]))
    assert len(drawn.document["first_array"]) == 10


REFUSED = [
    ({"shapes": [{"grid": [17, 17]}]}, "board/shapes/0: a board has at most 256 points"),
    ({"shapes": [{"grid": [3, 3], "lines": 4}]}, "board/shapes/0/lines: a grid has no lines"),
    ({"shapes": [{"grid": [3, 3], "star": 5}]}, "board/shapes/0: is grid and star at once"),
    ({"shapes": [{"turn": 3}]}, "board/shapes/0: is no shape"),
    (
        {"shapes": [{"grid": [3, 3], "diagonals": "alternatin"}]},
        "board/shapes/0/diagonals: must be one of off, alternating",
    ),
    ({"shapes": [{"grid": [3, 3]}], "also": {"lines": ["a1 d4"]}}, "board/also/lines/0: the figure has no point d4"),
    ({"points": {"a": [0, 0], "b": [1, 0]}, "lines": []}, "board: a board has points, and lines that join them"),
    (
        {"points": {"a": [0, 0], "b": [1, 0], "c": [2, 1], "d": [2, -1]}, "lines": ["a b c", "a b d"]},
        "goes on in two ways",
    ),
    ({"shapes": [{"cross": [3, 6]}]}, "board/shapes/0/cross"),
    (
        {"shapes": [{"grid": [3, 3]}], "without": {"lines": ["a1 c3"]}},
        "board/without/lines/0: no piece of line joins a1 and c3",
    ),
    (
        {"shapes": [{"grid": [3, 3]}], "squares": True},
        "board/squares: squares of one colour are joined by diagonals only",
    ),
    ("alquerque", "board: must be one of alquerque_triangles"),
    (7, "board: must be "),
]


@pytest.mark.parametrize(("board", "words"), REFUSED)
def test_what_is_no_board_is_refused_by_place(board, words):
    with pytest.raises(RulesetProblem, match=re.escape(words)):
        parse(document(board))


def test_every_column_has_a_name_of_its_own():
    """Three circles of sixty-one points have more columns than one letter of twelve, or two, can name."""
    circles = parse(document({"shapes": [{"rings": 3, "round": 61}]}))
    names = board_of(circles.parameters).names
    assert len(set(names)) == 183
    assert {name.rstrip("0123456789") for name in names} >= {"a", "l", "aa", "ll", "aaa"}


def test_seventeen_ways_are_too_many():
    points = {"m": [0, 0], **{f"{chr(97 + number)}1": [number - 8, 5] for number in range(17)}}
    lines = [f"m {name}" for name in points if name != "m"]
    points = {name.replace("x", "y"): place for name, place in points.items()}
    with pytest.raises(RulesetProblem, match=r"17 ways lead from .*: a point has at most 16"):
        parse(document({"points": points, "lines": lines}))


def test_captures_that_could_not_be_told_apart_are_refused():
    """Round a circle of four points a jump leads to the point opposite, over either neighbour."""
    circle = {"shapes": [{"rings": 1, "round": 4}]}
    with pytest.raises(RulesetProblem, match="two jumps lead from"):
        parse(document(circle, captures_by="both"))
    parse(document(circle))


def game_on(board, seed=0):
    """Rules by chance that fit the board: laying, steps, captures, rows."""
    drawn, points = random.Random(seed), len(read_figure(board)[0].points)
    rules = {"first_stuck": "loses", "second_stuck": "loses", "idle_turns": 40}
    rules["first_pieces"], rules["second_pieces"] = (drawn.randint(1, max(1, min(points // 2 - 1, 20))) for _ in "ab")
    rules["first_reach"] = drawn.choice([1, 1, 3])
    rules["second_steps"] = drawn.choice(["any", "forward"])
    if drawn.random() < 0.7 and not read_figure(board)[0].forks:
        rules |= {"captures_by": "both", "chain": drawn.choice(["off", "may_go_on", "must_go_on"])}
        rules |= {"second_loses_below": 1, "lay_safe": drawn.choice(["off", "every_piece"])}
        rules["capture_compulsory"] = drawn.random() < 0.3
    return document(board, **rules)


@pytest.mark.parametrize("name", FIGURES)
def test_both_engines_play_a_figure_alike(name):
    for seed in range(2):
        assert_engines_agree(parse(game_on(FIGURES[name], seed)))


KINGS = {
    "captures_by": "both",
    "kings": "flying",
    "chain": "must_go_on",
    "king_lands": "any_beyond",
    "first_array": ["a1-j3"],
    "second_array": ["a8-j10"],
    "first_crowned_at": ["a6-j6"],
    "second_crowned_at": ["a5-j5"],
    "first_loses_below": 1,
    "second_loses_below": 1,
}


def test_kings_fly_along_lines_with_bends():
    """The pentagram's lines are straight, but no compass knows them; one of the two by hand bends."""
    star = {"shapes": [{"star": 7}]}
    rules = {
        "first_pieces": 3,
        "second_pieces": 3,
        "first_array": [],
        "second_array": [],
        **{key: KINGS[key] for key in KINGS if "array" not in key},
    }
    names = list(read_figure(star)[0].names)
    rules |= {"first_crowned_at": names[-6:], "second_crowned_at": names[:6]}
    assert_engines_agree(parse(document(star, **rules)), games=4, cap=120)
    assert_engines_agree(
        parse(document(FIGURES["ten by ten"], **{**KINGS, "first_pieces": 15, "second_pieces": 15})), cap=120
    )


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_written_and_pointed_to(name):
    ruleset = parse(game_on(FIGURES[name]))
    kind, board = family("points"), board_of(ruleset.parameters)
    svg = kind.draw_start(ruleset)
    assert [place for place in re.findall('data-place="([^"]*)"', svg) if place[:4] != "hand"] == list(board.names)
    width = int(re.search('width="([0-9]+)"', svg)[1])
    assert 260 <= width <= 900
    spots = [
        tuple(map(float, one)) for one in re.findall('<circle cx="([^"]*)" cy="([^"]*)" r="([^"]*)" class="spot', svg)
    ]
    # At 320 pixels nearest points are at least nine apart, and no room for a click overlaps its neighbour's middle.
    nearest = min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in spots for b in spots if a != b)
    assert nearest * min(1, 320 / width) >= 9
    assert nearest > spots[0][2]
    session = Session(ruleset, 1)
    assert len({session.name_of(code) for code in session.options}) == len(session.options)
    assert all(set(session.places_of(code)) <= {*board.names} for code in session.options)
    assert kind.sentences(ruleset)["board"].startswith(f"The board has {len(board.points)} ")
    assert kind.reading(ruleset.parameters)


def test_a_board_is_typed_as_json():
    base = parse(document(ALTERNATING))
    assert with_changes(base, {"board": write_value(base.document["board"])}).hash == base.hash
    assert with_changes(base, {"board": "squares_3"}).document["board"] == "squares_3"
