"""Regions: points by one name, ranges, words for points of every board; lists of points take them all."""

import re

import pytest

from simulator.engine.documents import parse
from simulator.engine.ruleset import RulesetProblem

GRID = {"shapes": [{"grid": [5, 5]}]}


def document(**rules):
    return {"family": "points", "board": GRID, "first_pieces": 1, "second_pieces": 1, "first_array": ["c3"], **rules}


def goal(*words, **rules):
    return parse(document(first_goal=list(words), **rules)).document["first_goal"]


def test_a_list_has_words_ranges_and_regions():
    assert goal("corners") == ["a1", "a5", "e1", "e5"]
    assert len(goal("edge")) == 16
    assert goal("centre") == ["c3"]
    assert goal("homes", regions={"homes": ["a1-b1", "e5"]}) == ["a1", "b1", "e5"]


def test_not_leaves_points_out():
    assert goal("a1-c1", "not b1") == ["a1", "c1"]
    assert len(goal("not centre")) == 24
    assert len(goal("edge", "not corners")) == 12


def test_a_region_may_name_another():
    assert len(goal("field", regions={"field": ["not castle"], "castle": ["c3", "c4"]})) == 23


def test_one_form_however_a_list_is_written():
    """A region that lists alone name has its points there; what is written otherwise is the same game."""
    named = parse(document(first_goal=["homes"], regions={"homes": ["corners"]}))
    assert named.hash == parse(document(first_goal=["e5", "a1", "e1", "a5"])).hash
    assert "regions" not in named.document


REFUSED = [
    ({"homes": ["a1"]}, "regions/homes: nothing names this region"),
    ({"homes": ["a7"]}, "regions/homes: the board has no point a7"),
    ({"edge": ["a1"]}, "regions/edge: edge are points of every board"),
    ({"homes": ["a1", "not a1"]}, "regions/homes: no point is left in this region"),
    ({"Homes": ["a1"]}, "regions: is not written as it should be: 'Homes'"),
    ({"homes": []}, "regions/homes: must have 1 parts or more"),
]


@pytest.mark.parametrize(("regions", "words"), REFUSED)
def test_what_is_no_region_is_refused_by_name(regions, words):
    with pytest.raises(RulesetProblem, match=re.escape(words)):
        parse(document(regions=regions))
