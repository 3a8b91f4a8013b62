"""Boards under the pen: what is drawn is the figure that it looks like, whatever was drawn before it."""

from fractions import Fraction
from typing import Any

import pytest

from simulator.engine.boards.drawings import WrongFigure
from simulator.engine.boards.figures import places_of, read_board
from simulator.engine.boards.points import BOARDS
from simulator.engine.boards.strokes import SYMMETRIES, Figure, erase, figure_of, snapped, stroke
from simulator.engine.documents import parse


def drawn(*paths: str, symmetry: str = "off", bends: bool = False, on: Any = None) -> Figure:
    """A figure with these lines: "-1,0 1,0" is one from the left to the right."""
    figure = figure_of(on)
    for path in paths:
        places = [tuple(Fraction(part) for part in place.split(",")) for place in path.split()]
        stroke(figure, places, symmetry, bends=bends)  # type: ignore[arg-type]
        figure.tidy()
    return figure


def played(board: Any) -> Any:
    """The board in its one form."""
    return parse({"family": "points", "board": board, "first_pieces": 1, "second_pieces": 1}).document["board"]


def test_points_alone_are_called_by_column_and_row() -> None:
    figure = drawn("-1,-1", "1,1", "-1,1")
    assert list(figure.points) == ["a1", "a2", "b2"]
    assert figure_of(figure.document()).points == figure.points


def test_a_grid_by_hand_is_the_grid_of_the_gallery() -> None:
    lines = [f"-1,{at} 1,{at}" for at in (-1, 0, 1)] + [f"{at},-1 {at},1" for at in (-1, 0, 1)]
    figure = drawn(*lines, "-1,0", "0,0", "-1,-1 1,1", "-1,1 1,-1")
    assert played(figure.document()) == played({"shapes": [{"grid": [3, 3], "diagonals": "alternating"}]})


def test_a_symmetry_draws_the_images_too() -> None:
    figure = drawn("-1,1", "0,1", "-1,0", symmetry="quarters")
    assert set(figure.points) == {"a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"}
    square = drawn("-1,1 1,1", symmetry="quarters")
    assert (len(square.points), len(square.lines)) == (4, 4)
    assert len(drawn("-2,1 2,1", symmetry="both").lines) == 2
    erase(square, [square.points["a1"]], "half")
    assert len(square.points) == 2


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_images_of_images_are_images(symmetry: str) -> None:
    place = Fraction(3), Fraction(1)
    every = {image(place) for image in SYMMETRIES[symmetry]}
    assert all({image(one) for image in SYMMETRIES[symmetry]} == every for one in every)


@pytest.mark.parametrize("name", BOARDS)
def test_a_named_board_that_is_drawn_on_stays_the_same(name: str) -> None:
    figure = figure_of(name)
    figure.tidy()
    assert played(figure.document()) == name
    assert figure.called == {point: point for point in BOARDS[name].names}


def test_shapes_become_points_where_they_lie() -> None:
    board = {"shapes": [{"grid": [3, 3]}, {"triangle": 2, "at": [0, 2]}]}
    figure = figure_of(board)
    figure.tidy()
    assert played(figure.document()) == played(board)
    assert figure.points == places_of(board)


def test_a_point_taken_out_takes_its_lines_along() -> None:
    figure = figure_of({"shapes": [{"grid": [3, 3]}]})
    erase(figure, [figure.points["b2"]], "off")
    figure.tidy()
    assert (len(figure.points), len(figure.lines)) == (8, 4)
    assert sorted(figure.called) == sorted(figure.points)


def test_a_column_taken_out_lets_names_move_up() -> None:
    figure = figure_of({"shapes": [{"grid": [3, 2]}]})
    for name in ("a1", "a2"):
        erase(figure, [figure.points[name]], "off")
    figure.tidy()
    assert (figure.called["b1"], figure.called["c2"]) == ("a1", "b2")
    assert "a1" not in figure.called


def test_a_piece_of_a_line_is_cut() -> None:
    figure = figure_of({"shapes": [{"grid": [4, 1]}]})
    erase(figure, [figure.points["b1"], figure.points["c1"]], "off")
    assert [sorted(line) for line in figure.lines] == [["a1", "b1"], ["c1", "d1"]]


def test_a_bent_line_is_followed_round_its_bends() -> None:
    plain = drawn("-1,0 0,1", "0,1 1,0")
    bent = drawn("-1,0 0,1", "0,1 1,0", bends=True)
    assert (len(plain.lines), len(bent.lines)) == (2, 1)
    jumps = [[there for row in read_board(one.document())[0].landings for there in row] for one in (plain, bent)]
    assert [max(some) for some in jumps] == [-1, 1]  # from one end over the middle to the other
    ring = drawn("0,1 1,0", "1,0 0,-1", "0,-1 -1,0", "-1,0 0,1", bends=True)
    assert ring.lines[0][0] == ring.lines[0][-1]


def test_a_line_to_its_own_beginning_is_refused() -> None:
    with pytest.raises(WrongFigure):
        drawn("0,0 0,0")
    figure = drawn("0,0 1,0", "1,0 2,0")
    assert len(figure.lines) == 1
    before = figure.document()
    stroke(figure, [figure.points["a1"], figure.points["b1"]], "off")
    assert figure.document() == before


def test_places_are_snapped() -> None:
    assert snapped(0.3, Fraction(1, 2)) == Fraction(1, 2)
    assert snapped(-1.2, Fraction(1)) == -1
