"""The boards of the race games, square by square, against the words they were built from."""

from itertools import pairwise

import pytest

from simulator.engine.boards.race import BOARDS

# name -> (squares, steps of a track, marked squares), counted by hand from the records.
# Cross 3x8: 4 * 24 squares; out 8, round the other arms' 68 - 1 outer squares, back 8. Cross 3x4: 4 * 12 + 4 corners.
# Pancha: 9 + 25; from an end 4 + 1 + 25. Kawade: 11 + 11 + 42 + 5; 5 + 1 + 4 + 42 + 1 + 7 + 5.
# Marin: 11 + 10 + 39 + 2 * 4 + 2 * 4; 5 + 1 + 5 + 39 + 1 + 5 + 5 + 5.
SIZES = {
    "cross_8_castles": (96, 83, 12),
    "cross_8_crosses": (96, 83, 24),
    "cross_8": (96, 83, 0),
    "cross_4_corners": (52, 47, 4),
    "spiral_81": (81, 81, 5),
    "pancha_track": (34, 30, 5),
    "kawade_track": (69, 65, 13),
    "marin_track": (76, 66, 12),
}
CROSSES = [name for name in BOARDS if name.startswith("cross")]


def tracks():
    return [
        (board, seats, track) for board in BOARDS.values() for seats in board.seats for track in board.tracks[seats]
    ]


def names(board, seats, seat):
    return [board.squares[square].name for square in board.tracks[seats][seat]]


@pytest.mark.parametrize("name", BOARDS)
def test_sizes(name):
    board = BOARDS[name]
    marked = sum(square.is_marked for square in board.squares)
    assert (len(board.squares), board.steps, marked) == SIZES[name]
    assert {len(track) for rows in board.tracks.values() for track in rows} == {board.steps}
    assert all(len(board.waiting[seats]) == seats for seats in board.seats)


@pytest.mark.parametrize("name", BOARDS)
def test_squares_have_one_name_and_one_place_each(name):
    board = BOARDS[name]
    assert len({square.name for square in board.squares}) == len(board.squares)
    assert len({(square.x, square.y) for square in board.squares}) == len(board.squares)


def test_a_track_goes_from_square_to_neighbouring_square():
    """Every step is to a square that touches; where a way bends round a corner or into a wide square, no farther."""
    for board, _, track in tracks():
        for here, there in pairwise(track):
            a, b = board.squares[here], board.squares[there]
            reach = (a.width + b.width) / 2
            assert 0 < max(abs(a.x - b.x), abs(a.y - b.y)) <= reach, (board.name, a.name, b.name)


@pytest.mark.parametrize("name", [*CROSSES, "spiral_81"])
def test_every_seats_track_is_the_first_one_turned_a_quarter(name):
    board = BOARDS[name]
    for seat, track in enumerate(board.tracks[4]):
        for mine, first in zip(track, board.tracks[4][0], strict=True):
            x, y = board.squares[first].x, board.squares[first].y
            for _ in range(seat):
                x, y = -y, x
            assert (board.squares[mine].x, board.squares[mine].y) == (x, y)
            assert board.squares[mine].is_marked == board.squares[first].is_marked
    assert board.tracks[2] == (board.tracks[4][0], board.tracks[4][2])
    assert board.tracks[3] == board.tracks[4][:3]


@pytest.mark.parametrize("name", ["pancha_track", "kawade_track", "marin_track"])
def test_the_second_track_mirrors_the_first_until_they_join(name):
    board = BOARDS[name]
    first, second = board.tracks[2]
    for mine, other in zip(first, second, strict=True):
        a, b = board.squares[mine], board.squares[other]
        assert a == b or (a.x, a.y, a.is_marked) == (-b.x, b.y, b.is_marked)


def test_pachisi_way():
    """Down the central row, round the outer rows anticlockwise, and up the central row again."""
    way = names(BOARDS["cross_8"], 4, 0)
    assert way[:10] == ["j8", "j7", "j6", "j5", "j4", "j3", "j2", "j1", "k1", "k2"]
    assert way[15:18] == ["k8", "l9", "m9"]  # from the inner corner of one arm to that of the next
    assert way[-10:] == ["i2", "i1", "j1", "j2", "j3", "j4", "j5", "j6", "j7", "j8"]


@pytest.mark.parametrize(("name", "outer"), [("cross_8", 68), ("cross_4_corners", 40)])
def test_who_shares_squares_on_a_cross(name, outer):
    """All seats tread the outer squares; the inner squares of a central row are their owner's alone."""
    board = BOARDS[name]
    sets = [set(track) for track in board.tracks[4]]
    assert len(set.intersection(*sets)) == outer
    alone = len(sets[0] - sets[1] - sets[2] - sets[3])
    assert alone == board.home_row - 1
    assert 4 * alone + outer == len(board.squares)


@pytest.mark.parametrize("name", CROSSES)
def test_the_opposite_seat_comes_half_a_round_later(name):
    board = BOARDS[name]
    first, opposite = board.tracks[4][0], board.tracks[4][2]
    step = board.home_row + board.opposite_lag  # counted from 0: a square of the outer way, half a round on
    assert first[step] == opposite[step - board.opposite_lag]


def test_castles():
    """ "Crosses are marked on the fifth outer squares from the central enclosure, and on the fourth squares if the
    middle rows"."""
    board = BOARDS["cross_8_castles"]
    marked = {(square.x, square.y) for square in board.squares if square.is_marked}
    assert {(-1, -6), (0, -5), (1, -6)} < marked  # the enclosure reaches to -1: -6 is the fifth square, -5 the fourth


def test_crosses_of_pahada():
    """ "The outer corners of each square are marked with a cross, as are the third and sixth space from the same
    corner"."""
    board = BOARDS["cross_8_crosses"]
    right = [square.y for square in board.squares if square.is_marked and square.x == 1 and square.y < 0]
    assert sorted(right) == [-9, -6, -3]


def test_spiral_turns_at_its_32nd_square():
    """ "Starting in an anti-clockwise direction around the outer edges of the board, then changing to a clockwise
    direction when reaching the 32nd space in the track"."""
    way = names(BOARDS["spiral_81"], 2, 0)
    assert way[:6] == ["e1", "f1", "g1", "h1", "i1", "i2"]
    assert way[30:35] == ["c1", "d1", "d2", "c2", "b2"]
    assert way[31] == "d1"
    assert way[-3:] == ["f6", "f5", "e5"]
    assert len(set(way)) == 81


def test_houses_of_pancha():
    """ "At the point of junction there is a square marked by diagonals and termed a House (Ge); four others occur at
    bends in the diagram"."""
    board = BOARDS["pancha_track"]
    way = names(board, 2, 0)
    assert [way.index(square.name) + 1 for square in board.squares if square.is_marked] == [5, 10, 15, 20, 25]


def test_kawade_circuit():
    """Opposite directions round the square, over its fifth square before and after, then up the stem and the arc."""
    board = BOARDS["kawade_track"]
    first, second = names(board, 2, 0), names(board, 2, 1)
    assert [first.index("b5") + 1, len(first) - first[::-1].index("b5")] == [10, 53]
    assert first[10:52] == second[10:52][::-1]
    assert first[52:] == ["b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12", "d1", "d2", "d3", "d4", "d5"]
    sides = [square for square in board.squares if square.name[0] == "c" and square.x == 5.5]
    assert len(sides) == 12
    assert [square.y for square in sides if square.is_marked] == [4, 9, 10, 15]
    assert board.tracks[4] == board.tracks[2] * 2


def test_marins_diagonals_meet_at_an_apex():
    """ "Five squares extend upwards diagonally from the end of each of these lines, joining at an apex"."""
    board = BOARDS["marin_track"]
    for seat, (arm, roof) in enumerate((("d", "e"), ("f", "g"))):
        way = names(board, 2, seat)
        assert [name[0] for name in way[-10:]] == [arm] * 4 + ["c"] + [roof] * 4 + ["c"]
        apex = board.squares[board.number(way[-1])]
        assert (apex.x, apex.y, apex.is_marked) == (0, 15, True)
        diagonal = [board.squares[board.number(name)] for name in way[-6:]]
        for lower, upper in pairwise(diagonal):
            assert (abs(upper.x) - abs(lower.x), upper.y - lower.y) == (-1, 1)
