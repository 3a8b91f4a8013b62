"""Steps that never lead farther from some points than a piece stands, worked by hand."""

from typing import Any

import pytest

from simulator import engine
from simulator.engine.boards.figures import board_of
from simulator.engine.documents import parse
from simulator.engine.families.points.parameters import sides_are_alike
from simulator.engine.family import family
from tests.engine.agreement import assert_engines_agree

# 1 2 3    a1 is the den: b1 and a2 lie one line from it, c1, b2 and a3 two, c2 and b3 three, c3 four.
GRID: dict[str, Any] = {
    "family": "points",
    "board": {"shapes": [{"grid": [3, 3]}]},
    "first_pieces": 1,
    "second_pieces": 1,
    "first_array": ["b2"],
    "second_array": ["a1"],
    "regions": {"den": ["a1"]},
    "nearing": [{"by": "first", "of": "den"}],
}


def test_distances_are_counted_in_pieces_of_line() -> None:
    board = board_of(parse(GRID).parameters)
    far = dict(zip(board.names, board.distances([board.number("a1")]), strict=True))
    assert far == {"a1": 0, "b1": 1, "c1": 2, "a2": 1, "b2": 2, "c2": 3, "a3": 2, "b3": 3, "c3": 4}
    apart = parse({**GRID, "board": {"points": {"p": [0, 0], "q": [1, 0], "r": [0, 2], "s": [2, 2]},
                   "lines": ["p q", "r s"]}, "first_array": ["r"], "second_array": ["p"], "regions": {},
                   "nearing": []})  # fmt: skip
    assert board_of(apart.parameters).distances([0]) == [0, 1, 5, 5]


def test_a_piece_comes_nearer_or_keeps_its_distance() -> None:
    game = engine.Game(parse(GRID))
    assert game.legal_moves == ["b2-b1", "b2-a2"]
    assert engine.Game(parse({**GRID, "begins": "second"})).legal_moves == ["a1-b1", "a1-a2"]
    assert_engines_agree(parse(GRID))


def test_the_rule_is_read_and_told() -> None:
    rows = [{"by": "first", "of": "edge"}, {"of": "end"}]
    both = parse({**GRID, "regions": {"end": ["c3"]}, "nearing": rows})
    assert both.document["nearing"] == [rows[1], rows[0]]
    sentences = family("points").sentences(both)["nearing"]
    assert "A piece of either player never steps farther, counted in lines, from the end." in sentences
    assert not sides_are_alike(parse(GRID).parameters)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nearing": [{"of": "dens"}]}, 'nearing/0/of: no region is called dens .*"den"'),
        ({"moves_to": "vacant"}, "nearing: never fires unless moves_to"),
        ({"first_reach": 2}, "nearing: never fires unless first_reach"),
        ({"nearing": [{"of": "den"}, {"by": "first", "of": "den"}]}, "nearing/1: never fires: no step that it forbids"),
        (
            {"leader": [{"side": "first", "at": "b2", "reach": 2, "taken": "goes_on"}]},
            "leader/0/reach: cannot be more than 1 where steps keep near",
        ),
    ],
)
def test_what_cannot_be_beside_it(change: dict[str, Any], message: str) -> None:
    with pytest.raises(engine.RulesetProblem, match=message):
        parse({**GRID, **change})
