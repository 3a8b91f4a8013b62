"""The published schema of the points games, and documents that are no game.

These are refused by name, each with the nearest valid value.
"""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from simulator.engine.documents import parse, with_changes
from simulator.engine.families.points import parameters
from simulator.engine.family import family
from simulator.engine.ruleset import RulesetProblem
from tests.engine.points.positions import filled
from tests.engine.rulesets import POINTS, RULESETS

PROPERTIES = parameters.PROPERTIES
REQUIRED = {"family", "board", "first_pieces", "second_pieces"}
OPTIONAL = [key for key in PROPERTIES if key not in REQUIRED]

HUNT = {
    "board": "alquerque_triangles",
    "first_pieces": 2,
    "second_pieces": 24,
    "captures_by": "first",
    "second_loses_below": 1,
    "first_stuck": "loses",
}
MORRIS = {"board": "squares_3", "first_pieces": 9, "second_pieces": 9, "line_laying": "remove"}
LINE = {
    "board": "chequered_12",
    "first_pieces": 1,
    "second_pieces": 6,
    "second_array": ["a12", "c12", "e12", "g12", "i12", "k12"],
    "second_steps": "forward",
    "line_passed": "level",
}
DRAUGHTS = {
    "board": "chequered_8",
    "first_pieces": 2,
    "second_pieces": 2,
    "first_array": ["a1", "c1"],
    "second_array": ["b8", "d8"],
    "captures_by": "both",
}


def test_the_schema_is_a_file_of_its_own_valid_and_closed():
    path = Path(parameters.__file__).parents[2] / "schemas" / "points.json"
    assert json.loads(path.read_text(encoding="utf-8")) == parameters.SCHEMA
    Draft202012Validator.check_schema(parameters.SCHEMA)
    assert parameters.SCHEMA["additionalProperties"] is False
    assert set(parameters.SCHEMA["required"]) == REQUIRED
    assert not [key for key in REQUIRED if "default" in PROPERTIES[key]]


def test_every_key_is_titled_and_described():
    for key in PROPERTIES:
        assert re.fullmatch(r"[A-Z][^.]*[^.\s]", PROPERTIES[key]["title"])
        assert re.fullmatch(r"[A-Z].*\.", PROPERTIES[key]["description"])


def test_every_optional_key_has_a_valid_off_value():
    for key in OPTIONAL:
        spec = PROPERTIES[key]
        Draft202012Validator(spec).validate(spec["default"])
        if "enum" in spec:
            assert spec["default"] == spec["enum"][0]  # the kernel's 0


def test_the_rules_of_koti_keliya_in_words():
    lines = {key: sentence for key, _, sentence in family("points").words(RULESETS["koti-keliya-ludii"])}
    assert lines["second_array"] == (
        "Pieces of the second player stand on these squares at the start: a12, c12, e12, g12, i12, k12."
    )
    assert lines["first_reach"] == (
        "A piece of the first player may go up to 2 squares along one diagonal in a step, if all of them are vacant."
    )
    assert lines["second_steps"] == "Pieces of the second player step forward only: down the board."


def test_the_order_of_an_array_is_no_part_of_a_document():
    turned = {**LINE, "family": "points", "second_array": LINE["second_array"][::-1]}
    assert parse(turned).hash == parse({**LINE, "family": "points"}).hash


def found(document, **changes):
    """(key, nearest valid value) of everything that is wrong with a document."""
    return [(key, nearest) for key, _, nearest in parameters.problems(filled(**{**document, **changes}))]


def test_games_to_start_from_are_games():
    assert found(HUNT) == found(MORRIS) == found(LINE) == found(DRAUGHTS) == []


@pytest.mark.parametrize(
    ("document", "changes", "key", "nearest"),
    [
        # more pieces than points
        (HUNT, {"second_pieces": 48}, "second_pieces", 47),
        (MORRIS, {"first_pieces": 24}, "first_pieces", 15),
        (MORRIS, {"first_pieces": 22, "second_pieces": 23, "laying_leaves": 2}, "second_pieces", 22),
        (LINE, {"second_pieces": 5}, "second_array", ["a12", "c12", "e12", "g12", "i12"]),
        # a point that does not exist, or is named twice
        (DRAUGHTS, {"first_array": ["a1", "c2"]}, "first_array", ["a1", "c1"]),
        (DRAUGHTS, {"second_array": ["a1", "d8"]}, "second_array", ["d8"]),
        (DRAUGHTS, {"kings": "short", "first_crowned_at": ["b9"]}, "first_crowned_at", ["b8"]),
        # an end that holds at the start
        (HUNT, {"second_loses_below": 25}, "second_loses_below", 24),
        (LINE, {"first_array": ["b11"], "second_array": ["b9"], "second_pieces": 1}, "line_passed", "off"),
        (LINE, {"first_array": ["b9"], "second_array": ["d9"], "second_pieces": 1}, "line_passed", "behind"),
        (HUNT, {"repetition": 1}, "repetition", 2),
        # a piece with no move, a player with no move
        (LINE, {"second_array": ["b1", "c12"], "second_pieces": 2, "line_passed": "off"}, "second_array", ["c12"]),
        (
            HUNT,
            {"first_pieces": 1, "first_array": ["a3"], "second_array": ["b4", "a5", "c5", "a7"]},
            "first_stuck",
            "passes",
        ),
        # pieces in hand that can never be laid, and rules of laying when nothing is laid
        (MORRIS, {"laying_leaves": 6}, "laying_leaves", 0),
        (DRAUGHTS, {"laying_ends": "both_hands"}, "laying_ends", "own_hand"),
        (DRAUGHTS, {"first_move_by": "second"}, "first_move_by", "alternate"),
        (HUNT, {"laying_ends": "either_hand", "first_array": ["e5", "a3"]}, "laying_ends", "own_hand"),
        # rows on a board without rows
        (HUNT, {"line_moving": "win"}, "line_moving", "off"),
        # kings without crowning points, crowning points without kings
        (DRAUGHTS, {"kings": "flying"}, "kings", "off"),
        (DRAUGHTS, {"first_crowned_at": ["b8"]}, "first_crowned_at", []),
        (DRAUGHTS, {"king_turns": "at_edge", "chain": "may_go_on"}, "king_turns", "anywhere"),
        # rules that never fire
        (MORRIS, {"capture_compulsory": True}, "capture_compulsory", False),
        (HUNT, {"first_loses_below": 1}, "first_loses_below", 0),
        (HUNT, {"lifted": "after_turn"}, "lifted", "at_once"),
        (MORRIS, {"moves_to": "vacant", "flies_at": 3}, "flies_at", 0),
        (HUNT, {"first_stuck": "passes", "stuck_after_laying": "passes"}, "stuck_after_laying", "counts"),
        (MORRIS, {"line_laying": "win", "removable": "outside_lines_only"}, "removable", "any"),
        (DRAUGHTS, {"first_steps": "forward_and_sideways"}, "first_steps", "forward"),
    ],
)
def test_an_impossible_document_is_refused_by_name(document, changes, key, nearest):
    assert (key, nearest) in found(document, **changes)


def test_neither_player_can_move():
    """Two rows of men, face to face across the whole board, that only go forward."""
    rows = {"first_array": ["a1", "c1", "e1", "g1"], "second_array": ["b2", "d2", "f2", "h2"]}
    blocked = {**rows, "first_pieces": 4, "second_pieces": 4, "captures_by": "off", "first_steps": "forward"}
    assert found(DRAUGHTS, **blocked) == []
    assert found(DRAUGHTS, **blocked, second_steps="forward") == [("board", None)]


def test_a_refusal_says_what_is_wrong():
    with pytest.raises(RulesetProblem, match=r"the board has no point j10 \(nearest valid value: \["):
        parse({"family": "points", **HUNT, "first_array": ["j10"]})
    with pytest.raises(RulesetProblem, match="the board has 49 points, room for 47 of these pieces"):
        with_changes(RULESETS["diviyan-keliya-parker"], {"second_pieces": "60"})


def test_the_nearest_value_mends_a_wrong_number_of_pieces():
    """What is offered is valid: a document mended with it is a game, or wrong in some other key."""
    for slug in POINTS:
        document = POINTS[slug].document
        problems = parameters.problems(filled(**{**document, "second_pieces": 72}))
        for key, _, nearest in problems:
            mended = parameters.problems(filled(**{**document, "second_pieces": 72, key: nearest}))
            assert key not in [again for again, _, _ in mended], slug
        assert problems, slug
