"""Sets of candidate rulesets for one board: the 134 of a Roman slab, and how a set is made and refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from simulator.engine.candidates import candidates, varied
from simulator.engine.documents import with_changes
from simulator.engine.playout import count_positions
from simulator.engine.ruleset import Ruleset, RulesetProblem
from tests.choice import of_the_day
from tests.engine.agreement import assert_engines_agree

SLAB = json.loads(Path("fixtures/candidates/coriovallum.json").read_text(encoding="utf-8"))
COUNTS = json.loads(Path(__file__).with_name("coriovallum_counts.json").read_text(encoding="utf-8"))
ROWS = {row["name"]: row for row in SLAB["candidates"]}


def candidate(name: str) -> Ruleset:
    """One of the slab's: reading all of them takes a second."""
    [one] = candidates({**SLAB, "candidates": [ROWS[name]]})
    return one.ruleset


def as_the_programme_counts(ruleset: Ruleset) -> Ruleset:
    """A player who is shut in passes there, and has lost a turn later; nothing else is otherwise."""
    stuck = [f"{side}_stuck" for side in ("first", "second") if ruleset.parameters[f"{side}_stuck"] == "loses"]
    return with_changes(ruleset, dict.fromkeys(stuck, "loses_after_pass")) if stuck else ruleset


def test_the_slab_has_134_candidates_two_of_them_twice() -> None:
    found = candidates(SLAB)
    assert (len(SLAB["candidates"]), len(ROWS), len(found)) == (134, 134, 132)
    assert {name for one in found for name in (one.name, *one.also)} == ROWS.keys()
    assert [one.also[0] for one in found if one.also] == [
        "haretavl-switch-two-dogs-starting-position-no-extension-joined-diagonal",
        "haretavl-switch-two-dogs-starting-position-1-no-extension-no-joined-diagonal",
    ]
    assert (len(COUNTS["programme"]), len(COUNTS["here"])) == (58, 76)


@pytest.mark.parametrize("name", of_the_day(ROWS, 40))
def test_positions_are_as_many_as_the_programme_counts(name: str) -> None:
    """For 58 by the programme (1.3.12), for the others here; where nobody is shut in, the turns are the same."""
    expected = (COUNTS["programme"].get(name) or COUNTS["here"][name])[:4]
    late = as_the_programme_counts(candidate(name))
    assert [[count.positions, count.ended] for count in count_positions(late, len(expected))] == expected


@pytest.mark.parametrize("name", of_the_day(ROWS, 4))
def test_both_engines_play_a_candidate_alike(name: str) -> None:
    assert_engines_agree(candidate(name), games=2, cap=200)


TINY: dict[str, Any] = {
    "boards": {"cross": {"shapes": [{"grid": [3, 3]}]}, "slanted": {"shapes": [{"grid": [3, 3], "diagonals": "all"}]}},
    "rules": {
        "shut in": {"first_pieces": 2, "second_pieces": 1, "second_stuck": "loses"},
        "two": {"like": "shut in", "second_pieces": 2},
    },
    "candidates": [
        {
            "name": "dogs",
            "rules": "shut in",
            "vary": {"board": ["cross", "slanted"], "first_pieces": [2, 3], "begins": ["first", "second"]},
            "unless": [{"first_pieces": 3, "begins": "second"}],
        },
        {"name": "hares", "rules": "two", "board": "cross"},
        {"name": "hares again", "rules": "shut in", "board": "cross", "second_pieces": 2},
    ],
}


def test_a_set_is_made_by_varying_keys() -> None:
    found = candidates(TINY)
    assert [(one.name, one.also, one.board) for one in found] == [
        ("dogs board=cross first_pieces=2 begins=first", (), "cross"),
        ("dogs board=cross first_pieces=2 begins=second", (), "cross"),
        ("dogs board=cross first_pieces=3 begins=first", (), "cross"),
        ("dogs board=slanted first_pieces=2 begins=first", (), "slanted"),
        ("dogs board=slanted first_pieces=2 begins=second", (), "slanted"),
        ("dogs board=slanted first_pieces=3 begins=first", (), "slanted"),
        ("hares", ("hares again",), "cross"),
    ]
    assert found[1].ruleset.document["begins"] == "second"


def test_pieces_are_laid_or_placed() -> None:
    """2 or 3 dogs, 1 or 2 hares, laid or placed, either begins; of three dogs there are no two hares."""
    vary = {
        "first_pieces": [2, 3], "second_pieces": [1, 2], "setup": ["laid", "placed"], "begins": ["first", "second"],
    }  # fmt: skip
    places = {"first": ["a1", "b1", "c1"], "second": ["a3", "b3"]}
    cross = TINY["boards"]["cross"]
    made = varied(cross, {"second_stuck": "loses"}, vary, [{"first_pieces": 3, "second_pieces": 2}], places)
    found = {one.name: one.ruleset.document for one in candidates(made)}
    assert len(found) == 3 * 2 * 2
    placed = found["first_pieces=2 second_pieces=1 setup=placed begins=second"]
    assert (len(placed["first_array"]), len(placed["second_array"]), placed["begins"]) == (2, 1, "second")
    assert "first_array" not in found["first_pieces=2 second_pieces=1 setup=laid begins=first"]
    with pytest.raises(RulesetProblem, match="are 16 rulesets; a set has at most 15"):
        candidates(made, most=15)
    with pytest.raises(RulesetProblem, match="places/second: names 1 points for the 2 pieces of the second player"):
        candidates(varied(cross, {"second_stuck": "loses"}, vary, (), {**places, "second": ["a3"]}))
    with pytest.raises(RulesetProblem, match=r'setup: nothing is called lade .*"laid"'):
        candidates(varied(cross, {}, {"setup": ["lade"]}))


@pytest.mark.parametrize(
    ("change", "most", "message"),
    [
        ({}, 9, "candidates: are 10 rulesets; a set has at most 9"),
        ({"candidates": [{"name": "a", "board": "crss"}]}, 9, '0/board: nothing is called crss .*"cross"'),
        ({"candidates": [{"name": "a", "board": "cross", "rules": "one"}]}, 9, "0/rules: nothing is called one"),
        ({"candidates": [{"name": "a", "board": "cross", "rules": "two", "begin": 1}]}, 9, '0/begin: .*"begins"'),
        ({"rules": {"two": {"like": "shut in"}, "shut in": {"like": "two"}}}, 10, "rules/shut in: are like themselves"),
    ],
)
def test_a_set_is_refused_at_its_place(change: dict[str, Any], most: int, message: str) -> None:
    with pytest.raises(RulesetProblem, match=message):
        candidates({**TINY, **change}, most)
