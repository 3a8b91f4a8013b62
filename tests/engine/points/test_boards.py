"""The boards of the points games, against the numbers and the words of the sources."""

from collections import Counter

import pytest

from simulator.engine.boards.points import BOARDS, NORTH, NORTH_EAST, NOWHERE, SOUTH_WEST, opposite

ALQUERQUE = BOARDS["alquerque_triangles"]
TRIANGLE = BOARDS["triangle_10"]


@pytest.mark.parametrize(
    ("name", "points", "edges"),
    [
        ("alquerque_triangles", 49, 96),
        ("triangle_10", 10, 15),
        ("squares_3", 24, 32),
        ("squares_3_diagonals", 24, 40),
        ("chequered_12", 72, 121),  # 2 * 11 * 11 diagonal neighbours on the whole board, half of them white
        ("chequered_8", 32, 49),  # 2 * 7 * 7, half of them dark
    ],
)
def test_points_and_lines(name, points, edges):
    assert (len(BOARDS[name].points), len(BOARDS[name].edges)) == (points, edges)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_points_are_numbered_from_the_lowest_rank_left_to_right(board):
    places = [(point.y, point.x) for point in board.points]
    assert places == sorted(set(places))
    assert [board.number(name) for name in board.names] == list(range(len(board.points)))
    assert all(int(point.name[1:]) == point.y for point in board.points)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_lines_lead_both_ways_and_keep_their_direction(board):
    for here, neighbours in enumerate(board.towards):
        for direction, there in enumerate(neighbours):
            if there != NOWHERE:
                assert board.towards[there][opposite(direction)] == here
                line = next(line for line in board.lines if here in line and there in line)
                beyond = board.towards[there][direction]
                assert beyond == NOWHERE or beyond in line


def along(board, name, direction):
    """The names of the points from one of them to the end of the line."""
    found, point = [], board.number(name)
    while point != NOWHERE:
        found.append(board.names[point])
        point = board.towards[point][direction]
    return " ".join(found)


def test_diagonals_run_through_the_sides_into_the_triangles():
    """ "The diagonals which run into the angles of the square and through the middle of each of its sides are also
    drawn. A triangle of six places for the pieces, enclosed by two extended diagonals, projects at the middle of each
    face"."""
    assert along(ALQUERQUE, "c1", NORTH_EAST) == "c1 d2 e3 f4 g5 h6 i7"
    assert along(ALQUERQUE, "g7", SOUTH_WEST) == "g7 f6 e5 d4 c3"
    outside = [point.name for point in ALQUERQUE.points if not (2 <= point.x <= 6 and 3 <= point.y <= 7)]
    assert Counter(
        "right" if name[0] in "hi" else "left" if name[0] in "ab" else "upper" if name[1] in "89" else "lower"
        for name in outside
    ) == {"right": 6, "left": 6, "upper": 6, "lower": 6}
    assert along(ALQUERQUE, "i3", NORTH) == "i3 i5 i7"


def test_diagonals_alternate_on_the_square():
    """The corners have them, their neighbours do not: three ways from a corner, but those beside it have three too."""
    ways = {point.name: 8 - ALQUERQUE.towards[i].count(NOWHERE) for i, point in enumerate(ALQUERQUE.points)}
    assert (ways["c3"], ways["d3"], ways["d4"], ways["e4"], ways["e5"], ways["g5"]) == (3, 3, 8, 4, 8, 8)


def test_the_triangle_has_a_middle_line_and_rows_of_three():
    """ "A triangular diagram with one perpendicular line in the middle and two cross lines at right angles to it"."""
    assert along(TRIANGLE, "b4", SOUTH_WEST) == "b4 a3 a2 a1"
    assert [8 - row.count(NOWHERE) for row in TRIANGLE.towards] == [2, 3, 2, 3, 4, 3, 3, 4, 3, 3]


def test_rows_of_three_are_the_sides_the_arms_and_the_diagonals():
    assert len(BOARDS["squares_3"].rows_of_three) == 12 + 4
    assert len(BOARDS["squares_3_diagonals"].rows_of_three) == 12 + 4 + 4
    assert {len(row) for row in BOARDS["squares_3_diagonals"].rows_of_three} == {3}
    assert not ALQUERQUE.rows_of_three


def test_white_squares_lie_six_in_each_row_of_twelve():
    """ "Placed on the white squares … that is, in six out of each row of twelve squares"; the lower left is not one."""
    board = BOARDS["chequered_12"]
    assert set(Counter(point.y for point in board.points).values()) == {6}
    assert "a1" not in board.names
    assert "l1" in board.names
    assert along(board, "l1", 3) == "l1 k2 j3 i4 h5 g6 f7 e8 d9 c10 b11 a12"


def test_the_edge_of_a_chequered_board():
    # Six white squares in the first and in the last row, six in either outer column; two corners counted twice.
    assert len(BOARDS["chequered_12"].edge) == 6 + 6 + 6 + 6 - 2
    dark = BOARDS["chequered_8"]
    assert " ".join(dark.names[point] for point in sorted(dark.edge)) == "a1 c1 e1 g1 h2 a3 h4 a5 h6 a7 b8 d8 f8 h8"
