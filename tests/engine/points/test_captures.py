"""Ways of taking that a table says, and leaders: positions worked by hand, and documents by chance in both engines."""

import re

import pytest

from simulator.engine import illegal_move
from simulator.engine.boards.figures import board_of
from simulator.engine.documents import parse, with_changes, write_value
from simulator.engine.family import family
from simulator.engine.games import Game
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.session import Session
from tests import choice
from tests.engine.agreement import assert_engines_agree
from tests.engine.points.capture_documents import ruleset_by_chance

GRID = {"shapes": [{"grid": [5, 5]}]}
ALL_WAYS = {"shapes": [{"grid": [5, 5], "diagonals": "all"}]}


def document(first, second, captures, **rules):
    arrays = {"first_array": first.split(), "second_array": second.split()}
    pieces = {f"{side}_pieces": len(arrays[f"{side}_array"]) for side in ("first", "second")}
    return {"family": "points", "board": GRID, **pieces, **arrays, "captures": captures, **rules}


def taken(move, first, second, *rows, **rules):
    """Return the points from which the first move takes pieces of the second player."""
    session = Session(parse(document(first, second, [*rows], **rules)), 1)
    names, before = board_of(session.ruleset.parameters).names, session.position.pieces(1)
    session.play(next(code for code in session.options if session.name_of(code) == move))
    return sorted(names[point] for point in before - session.position.pieces(1))


def moves(first, second, *rows, after="", **rules):
    game = Game(parse(document(first, second, [*rows], **rules)))
    for one in after.split():
        game.play(one)
    return set(game.legal_moves)


ENCLOSE = {"manner": "enclose"}


def test_a_piece_is_enclosed_between_two_on_every_side_at_once():
    assert taken("b3-c3", "b3 c1 e3 c5", "c2 d3 c4", ENCLOSE) == ["c2", "c4", "d3"]
    assert taken("b3-c3", "b3 c1", "c2 d3", {**ENCLOSE, "by": "second"}) == []


def test_who_goes_between_two_is_not_taken():
    assert "b2-b3" in moves("b1", "a2 c2", ENCLOSE, after="b1-b2 a2-a3")


def test_one_is_enclosed_and_no_more_unless_a_row_says_so():
    assert taken("a4-a3", "a4 d3", "b3 c3", ENCLOSE) == []
    assert taken("a4-a3", "a4 d3", "b3 c3", {**ENCLOSE, "number": "any"}) == ["b3", "c3"]
    assert taken("a4-a3", "a4 d3", "b3 c3", {**ENCLOSE, "number": "odd"}) == []


def test_directions_of_enclosing():
    both, board = ("a2 c3", "b2 a1"), {"board": ALL_WAYS}
    assert taken("a2-a3", "a2 c1", "b2 e5", ENCLOSE, **board) == ["b2"]
    assert taken("a2-a3", "a2 c1", "b2 e5", {**ENCLOSE, "directions": "orthogonal"}, **board) == []
    assert taken("a2-a3", *both, {**ENCLOSE, "directions": "orthogonal"}, **board) == []


def test_vacant_points_of_a_region_may_enclose():
    rules = {"regions": {"throne": ["c3"]}}
    assert taken("a4-a3", "a4 e5", "b3 e1", {**ENCLOSE, "against": "throne"}, **rules) == ["b3"]
    assert taken("a4-a3", "a4 e5", "b3 c3", {**ENCLOSE, "against": "throne"}, **rules) == []


def test_where_a_piece_is_taken():
    rules = {"regions": {"open": ["not b3"]}}
    assert taken("a4-a3", "a4 c3", "b3 e1", {**ENCLOSE, "at": "open"}, **rules) == []


def test_what_has_taken_goes_on_if_it_takes_again():
    """As in seega: what has enclosed b1 from c1 encloses d2 from c2, against e2; from d1 it would enclose nothing."""
    on = ("a1 c2 e2", "b1 d2 e5", {**ENCLOSE, "then": "may_go_on"})
    assert moves(*on, after="c2-c1") == {"c1-c2", "stop"}
    assert moves(*on[:2], {**ENCLOSE, "then": "must_go_on"}, after="c2-c1") == {"c1-c2"}
    assert moves(*on[:2], ENCLOSE, after="c2-c1") == {"d2-c2", "d2-d1", "d2-d3", "e5-d5", "e5-e4"}
    assert moves(*on, after="c2-c1 c1-c2") == {"e5-d5", "e5-e4"}


def test_a_corner_is_surrounded_by_the_two_beside_it():
    row = {"manner": "surround", "at": "corners"}
    assert taken("b2-b1", "b2 a2", "a1 e5", row) == ["a1"]
    assert taken("b3-b2", "b3 a1", "a2 e5", {"manner": "surround"}) == []


def test_a_piece_without_a_vacant_point_beside_it_is_shut_in():
    row = {"manner": "shut_in"}
    assert taken("b2-b1", "b2", "a1 a2", row) == ["a1"]


def test_going_between_takes_both():
    row = {"manner": "go_between"}
    assert taken("b1-b2", "b1", "a2 c2 b3", row) == ["a2", "c2"]
    assert taken("a1-a2", "a1", "b2 e5", row) == []


def test_landing_takes_what_stands_there():
    row = {"manner": "land"}
    assert taken("a1xa2", "a1 e1", "a2 e5", row) == ["a2"]
    assert "a1xa4" in moves("a1 e1", "a4 e5", row, first_reach=4)
    assert "a1xa4" not in moves("a1 e1", "a3 a4 e5", row, first_reach=4)


def test_leaps_over_several_in_a_line():
    row = {"manner": "leap", "number": "odd"}
    assert taken("a1xa5", "a1", "a2 a3 a4", row) == ["a2", "a3", "a4"]
    assert moves("a1", "a2 a3 e5", row) == {"a1-b1"}
    assert "a1xa4" in moves("a1", "a2 a3 e5", {**row, "number": "two"})


def test_leaps_that_take_nothing():
    row = {"manner": "leap", "of": "nothing", "over": "any"}
    assert taken("a1xc1", "a1 b1 d4", "e5", row) == []
    assert taken("a1xa3", "a1 c3", "a2 b3", row, ENCLOSE) == ["b3"]
    assert "a1xc1" not in moves("a1 b1", "e5", {**row, "over": "opposing"})


def test_a_leap_may_form_a_row():
    """Tsoro yematatu: on the triangle of seven points a piece may leap over another to the one that is vacant."""
    triangle = {"family": "points", "board": {"shapes": [{"triangle": 3}]}, "first_pieces": 3, "second_pieces": 3}
    rules = {"first_array": ["a1", "b2", "e1"], "second_array": ["c1", "c2", "d2"], "line_moving": "win"}
    leap = {"manner": "leap", "of": "nothing", "over": "any"}
    game = Game(parse({**triangle, **rules, "captures": [leap]}))
    assert "e1xc3" in game.legal_moves
    game.play("e1xc3")
    assert game.outcome().winners == (0,)


def test_stepping_away_and_up_to_a_line():
    assert taken("c3-d3", "c3", "a3 b3 e5", {"manner": "withdraw", "number": "any"}) == ["a3", "b3"]
    assert taken("c3-d3", "c3", "a3 b3 e5", {"manner": "withdraw"}) == ["b3"]
    assert taken("b3-c3", "b3", "d3 e3", {"manner": "approach", "number": "any"}) == ["d3", "e3"]


def test_captures_that_are_compulsory():
    found = moves("b3 d1", "c3 a4", ENCLOSE, capture_compulsory=True)
    assert found == moves("b3 d1", "c3 a4", ENCLOSE)
    assert moves("b3 d2", "c3 a4", ENCLOSE, capture_compulsory=True) == {"d2-d3"}


def test_the_leader_has_regions_where_it_wins_and_enters():
    leader = {"side": "first", "at": "c3", "wins_at": "corners", "enters": "throne"}
    rules = {"leader": [leader], "regions": {"throne": ["c3"]}, "first_reach": 4}
    found = moves("c3 b3", "e5", ENCLOSE, after="c3-c4 e5-e4", **rules)
    assert "c4-c3" in found
    assert not found & {"b3-c3", "b3-d3"}
    rules["leader"] = [{**leader, "passed": True}]
    found = moves("c3 b3", "e5", ENCLOSE, after="c3-c4 e5-e4", **rules)
    assert "b3-d3" in found
    assert "b3-c3" not in found
    game = Game(parse(document("c3 b3", "e5", [ENCLOSE], **rules)))
    for move in ("c3-c5", "e5-e4", "c5-a5"):
        game.play(move)
    assert game.outcome().winners == (0,)


def test_the_leader_has_regions_where_it_loses():
    leader = {"side": "second", "at": "c3", "wins_at": "edge", "loses_at": "field"}
    rules = {"leader": [leader], "regions": {"field": ["b2-d4"]}}
    game = Game(parse(document("a1 a5", "c3", [ENCLOSE], **rules)))
    for move in ("a1-a2", "c3-c4"):
        game.play(move)
    assert game.outcome().winners == (0,)
    needless = {**rules, "leader": [{**leader, "loses_at": "edge"}], "regions": {}}
    with pytest.raises(RulesetProblem, match="it wins on all of these points"):
        parse(document("a1 a5", "c3", [ENCLOSE], **needless))


def test_a_leader_is_called_by_the_names_of_its_figure():
    board = {"points": {"low": [0, 0], "mid": [0, 1], "top": [0, 2]}, "lines": ["low mid top"]}
    rules = {"first_pieces": 1, "second_pieces": 1, "second_array": ["top"], "leader": [{"side": "first", "at": "low"}]}
    found = parse({"family": "points", "board": board, "first_array": ["low"], "captures": [ENCLOSE], **rules})
    assert found.parameters["leader"] == [{"side": "first", "at": "a1"}]


def test_who_loses_the_leader_has_lost():
    rules = {"leader": [{"side": "second", "at": "c3"}]}
    game = Game(parse(document("a3 d3", "c3 e5", [ENCLOSE], **rules)))
    game.play("a3-b3")
    assert game.outcome().winners == (0,)
    rules["leader"][0]["taken"] = "goes_on"
    assert taken("a3-b3", "a3 d3", "c3 e5", ENCLOSE, **rules) == ["c3"]


def test_which_piece_takes_and_which_is_taken():
    rules = {"leader": [{"side": "first", "at": "a4"}]}
    assert taken("a4-a3", "a4 c3", "b3 e5", {**ENCLOSE, "with": "men"}, **rules) == []
    assert taken("a4-a3", "a4 c3", "b3 e5", ENCLOSE, **rules) == ["b3"]


REFUSED = [
    ({"captures": [{"manner": "enclos"}]}, "captures/0/manner: must be one of leap, enclose"),
    ({"captures": [{"by": "first"}]}, "captures/0/manner: this column must be set"),
    ({"captures": [ENCLOSE], "captures_by": "both"}, "captures_by: say it in captures_by or in captures"),
    ({"captures": [ENCLOSE, ENCLOSE]}, "captures/1: never fires: row 1 says the same"),
    ({"captures": [{"manner": "leap", "of": "leader"}]}, "captures/0: never fires: the other player has no leader"),
    ({"captures": [{**ENCLOSE, "over": "any"}]}, "captures/0/over: never fires for enclose"),
    ({"captures": [{**ENCLOSE, "of": "nothing"}]}, "captures/0/of: nothing is taken by leaps alone"),
    ({"captures": [{**ENCLOSE, "at": "throne"}]}, "captures/0/at: no region is called throne"),
    ({"captures": [{"manner": "withdraw"}, {"manner": "approach"}]}, "captures/1/manner: a step could take both ways"),
    ({"leader": [{"side": "first", "at": "a1"}]}, "leader/0/at: no piece of the first player begins on a1"),
    ({"captures": [ENCLOSE], "kings": "short"}, "kings: "),
    ({"captures": [ENCLOSE], "chain": "may_go_on"}, "chain: never fires unless captures_by"),
]


@pytest.mark.parametrize(("rules", "words"), REFUSED)
def test_tables_that_cannot_be_played_are_refused_by_place(rules, words):
    with pytest.raises(RulesetProblem, match=re.escape(words)):
        parse({**document("a3 d3", "c3 e5", "any"), **rules})


def test_one_form_of_a_table():
    """No row is the word that stands for no table; directions that all lines have are left out."""
    plain = parse(document("a3", "c3", "any")).hash
    assert parse(document("a3", "c3", [])).hash == plain
    rows = [{**ENCLOSE, "directions": "orthogonal", "by": "both"}]
    assert parse(document("a3", "c3", rows)).document["captures"] == [ENCLOSE]


def test_a_row_is_read_typed_and_asked_about():
    ruleset = parse(document("a3 d3", "c3 e5", [{**ENCLOSE, "by": "first", "then": "may_go_on"}]))
    said = dict(family("points").rows("captures", ruleset.parameters))["captures[0]"]
    assert said == (
        "Pieces of the first player take by enclosing between two opposing pieces; "
        "what has taken may move again if it takes again."
    )
    changed = with_changes(ruleset, {"captures.0.then": "must_go_on"})
    assert changed.document["captures"][0]["then"] == "must_go_on"
    assert with_changes(ruleset, {"captures": write_value(changed.document["captures"])}).hash == changed.hash
    assert with_changes(ruleset, {"captures": "any", "first_stuck": "loses"}).document.get("captures") is None


def test_a_square_of_the_leader_alone_is_the_reason():
    leader = {"side": "first", "at": "e1", "enters": "throne"}
    rules = {"leader": [leader], "regions": {"throne": ["c3"]}}
    session = Session(parse(document("b3 e1", "e5", [ENCLOSE], **rules)), 1)
    found = illegal_move.interpret(session, "b3-c3").refusals[0]
    assert found.keys[0] == "leader[0]"


@pytest.mark.parametrize("seed", range(40 if choice.ALL else 12))
def test_both_engines_play_tables_by_chance_alike(seed):
    assert_engines_agree(ruleset_by_chance(seed), games=2, cap=40)
