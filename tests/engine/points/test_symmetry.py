"""Symmetries of boards with their rules, against groups that are known."""

from itertools import pairwise
from typing import Any

import pytest

from simulator.engine.boards.symmetry import TooManySymmetries, orbits, symmetries
from simulator.engine.candidates import candidates
from simulator.engine.documents import parse
from simulator.engine.families.points.symmetry import symmetry
from tests.engine.rulesets import RULESETS
from tests.engine.test_candidates import SLAB, candidate

BARE = {"family": "points", "first_pieces": 3, "second_pieces": 3}
THREE_MENS = {"shapes": [{"grid": [3, 3], "diagonals": "alternating"}]}
ALQUERQUE = {"shapes": [{"grid": [5, 5], "diagonals": "alternating"}]}
SQUARE = [(0, 1, 2), (6, 7, 8), (0, 3, 6), (2, 5, 8), (1, 4, 7), (3, 4, 5)]


def rules_on(board: Any, **keys: Any) -> dict[str, Any]:
    return parse({**BARE, "board": board, **keys}).parameters


@pytest.mark.parametrize(
    ("points", "lines", "expected"),
    [
        (4, [(0, 1, 2, 3, 0)], 8),  # a square
        (4, [(0, 1), (1, 2), (2, 3), (3, 0)], 8),
        (5, [(0, 1), (0, 2), (0, 3), (0, 4)], 24),  # a star of four: any order of its ends
        (5, [(1, 0, 2), (3, 0, 4)], 8),  # as two straight lines that cross
        (9, SQUARE, 8),
        (3, [(0, 1, 2)], 2),
    ],
)
def test_groups_that_are_known(points: int, lines: list[tuple[int, ...]], expected: int) -> None:
    group = symmetries([0] * points, lines)
    assert len(group) == len(set(group)) == expected
    assert group[0] == tuple(range(points))
    assert {tuple(one[to] for to in other) for one in group for other in group} == set(group)


def test_lines_that_nothing_reads_need_not_stay_lines() -> None:
    assert len(symmetries([0] * 5, [(1, 0, 2), (3, 0, 4)], reads_lines=False)) == 24


def test_colours_sets_and_arrows_are_kept() -> None:
    assert orbits(symmetries([0, 0, 1, 0], [(0, 1, 2, 3, 0)])) == [(0,), (1, 3), (2,)]
    assert len(symmetries([0] * 9, SQUARE, sets=[[{0, 1, 2}]])) == 2
    round_it = [pair for one in ((0, 1, 2, 5, 8, 7, 6, 3, 0),) for pair in pairwise(one)]
    assert len(symmetries([0] * 9, SQUARE, arrows=[round_it])) == 4


def test_too_many_are_refused() -> None:
    with pytest.raises(TooManySymmetries, match="a figure of 9 points"):
        symmetries([0] * 9, [(0, point) for point in range(1, 9)])


@pytest.mark.parametrize(
    ("board", "keys", "expected"),
    [
        (THREE_MENS, {"line_moving": "win"}, (8, [4, 4, 1], 3)),
        (ALQUERQUE, {"captures_by": "both"}, (8, [4, 8, 4, 4, 4, 1], 9)),
        ("squares_3", {"line_moving": "remove"}, (16, [8, 8, 4, 4], 3)),
        ("squares_3", {"line_moving": "remove", "first_array": ["d1"]}, (2, None, 18)),
        ("squares_3", {"first_steps": "forward", "second_reach": 2}, (2, None, 18)),
        ("triangle_10", {}, (2, None, 9)),
    ],
)  # fmt: skip
def test_games_on_boards_that_are_known(board: Any, keys: dict[str, Any], expected: tuple[Any, ...]) -> None:
    found = symmetry(rules_on(board, **keys))
    group, points, lines = expected
    assert (len(found.group), len(found.lines)) == (group, lines)
    if points:
        assert sorted(map(len, found.points)) == sorted(points)


def test_a_symmetry_maps_lines_on_lines() -> None:
    """Three men's morris: corners, middles of sides and the middle; sides, spokes to sides and to corners."""
    found = symmetry(rules_on(THREE_MENS, line_moving="win"))
    assert [[found.board.names[point] for point in one] for one in found.points] == [
        ["a1", "c1", "a3", "c3"], ["b1", "a2", "c2", "b3"], ["b2"],
    ]  # fmt: skip
    assert [len(one) for one in found.lines] == [8, 4, 4]


def test_every_shipped_game_has_a_group() -> None:
    for name, ruleset in RULESETS.items():
        if ruleset.family == "points":
            found = symmetry(ruleset.parameters)
            assert sum(map(len, found.points)) == len(found.board.points), name
            assert sum(map(len, found.lines)) == len(found.board.edges), name


def test_the_boards_of_the_slab() -> None:
    """The boards turn and mirror; a line above or below turns by itself, and one alone keeps top from bottom. A start
    may break all of it."""
    sizes = {one.name: len(symmetry(one.ruleset.parameters).group) for one in candidates(SLAB)}
    laid = {name: size for name, size in sizes.items() if name.startswith("blocking")}
    assert list(laid.values()) == [4, 4, 16, 4, 4, 16]
    found = symmetry(candidate("blocking-game-four-pieces-no-extension-joined-diagonal").parameters)
    assert [len(one) for one in found.lines] == [4, 4, 4, 1, 2]
    assert sizes["haretavl-starting-position-no-extension-joined-diagonal"] == 2
    assert sizes["haretavl-four-dogs-two-hares-starting-position-1-no-extension-joined-diagonal"] == 2
    assert sizes["jeu-militaire-no-extension-joined-diagonal"] == 1
