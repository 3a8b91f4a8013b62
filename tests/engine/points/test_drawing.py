"""The pictures of the boards: every line and point of the geometry, pieces told apart by shape, words for who cannot
see them."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from simulator.engine.boards.points import BOARDS
from simulator.engine.families.points.drawing import draw, draw_start
from simulator.engine.family import family
from tests.engine.points.positions import position
from tests.engine.rulesets import POINTS, RULESETS

SVG = "{http://www.w3.org/2000/svg}"
DAM = RULESETS["dam-parker"].parameters


def shapes(svg: str, name: str) -> list[ElementTree.Element]:
    """What is drawn on the board: the board itself is not, nor the room that a point leaves for a click."""
    unseen = ("ground", "spot room")
    return [shape for shape in ElementTree.fromstring(svg).iter(f"{SVG}{name}") if shape.get("class") not in unseen]


def words(svg: str, name: str) -> str:
    return "".join(shapes(svg, name)[0].itertext())


@pytest.mark.parametrize(
    ("slug", "lines", "vacant", "discs", "squares"),
    [
        # Ten lines of the square, six diagonals, two cross lines in each triangle. A sample of each player's pieces
        # stands beside what is in hand.
        ("diviyan-keliya-parker", 24, 49, 1, 1),
        ("hat-diviyan-keliya-dlp", 6, 9, 2, 1),
        ("peralikatuma-parker", 24, 3, 23, 23),
        ("kotu-ellima-ludovisi", 24, 1, 24, 24),
        ("nerenchi-keliya-ludii", 16, 24, 1, 1),
        ("niranchy-ludii", 20, 24, 1, 1),
    ],
)
def test_lines_points_and_pieces_of_the_start(slug, lines, vacant, discs, squares):
    svg = draw_start(RULESETS[slug])
    circles = shapes(svg, "circle")
    assert len(shapes(svg, "path")) == lines
    assert len([circle for circle in circles if circle.get("r") == "3.5"]) == vacant
    assert len([circle for circle in circles if circle.get("r") == "12"]) == discs
    assert len(shapes(svg, "rect")) == squares


@pytest.mark.parametrize(
    ("slug", "side", "squares"),
    [("dam-parker", 12, 30), ("koti-keliya-parker", 12, 7), ("english-draughts-reference", 8, 12)],
)
def test_a_chequered_board_has_a_dark_corner_at_the_left(slug, side, squares):
    svg = draw_start(RULESETS[slug])
    board = [rect for rect in shapes(svg, "rect") if rect.get("width") == "40"]
    assert (len(board), len(shapes(svg, "rect"))) == (side**2, side**2 + squares)
    assert len([rect for rect in board if rect.get("class") == "dark"]) == side**2 // 2
    lower_left = min(board, key=lambda rect: (float(rect.get("x")), -float(rect.get("y"))))
    assert lower_left.get("class") == "dark"


def test_dam_is_played_on_white_and_draughts_on_dark_squares():
    """Parker: "placed on the white squares"."""
    for slug, shaded in (("dam-parker", "cell"), ("english-draughts-reference", "dark")):
        svg = draw_start(RULESETS[slug])
        board = {
            (float(rect.get("x")) + 20, float(rect.get("y")) + 20): rect.get("class")
            for rect in shapes(svg, "rect")
            if rect.get("width") == "40"
        }
        discs = [(float(disc.get("cx")), float(disc.get("cy"))) for disc in shapes(svg, "circle")]
        assert {board[disc] for disc in discs} == {shaded}


def test_a_king_has_a_second_ring_and_a_lifted_piece_is_a_cross():
    board = BOARDS["chequered_12"]
    stand = position(DAM, "b1", "c12", kings=("d1", "e12"))
    stand.lifted = {board.number("f5")}
    svg = draw(RULESETS["dam-parker"], stand, "A position")
    assert [circle.get("r") for circle in shapes(svg, "circle")] == ["12", "12", "17"]
    assert [rect.get("width") for rect in shapes(svg, "rect") if rect.get("width") != "40"] == ["22", "22", "32"]
    assert len(shapes(svg, "path")) == 1


def test_the_picture_in_words():
    svg = draw_start(RULESETS["hat-diviyan-keliya-dlp"])
    assert words(svg, "title") == "The board before the first move"
    assert words(svg, "desc") == (
        "Triangle of ten points. Owner of the tiger (first player), discs: men on b4. "
        "Owner of the leopards (second player), squares: 7 in hand."
    )


def test_a_place_says_who_stands_there():
    def standing(svg):
        return dict(re.findall(r'<g data-place="([^"]+)"[^>]*><title>([^<]*)</title>', svg))

    assert standing(draw_start(RULESETS["hat-diviyan-keliya-dlp"])) == {"b4": "man of the owner of the tiger"}
    dam = Counter(standing(draw_start(RULESETS["dam-parker"])).values())
    assert dam == {"man of the first player": 30, "man of the second player": 30}
    svg = draw(RULESETS["dam-parker"], position(DAM, "b1", "c12", kings=("d1", "e12")), "A position")
    assert standing(svg) == {
        "b1": "man of the first player",
        "d1": "king of the first player",
        "c12": "man of the second player",
        "e12": "king of the second player",
    }


@pytest.mark.parametrize("slug", POINTS)
def test_everything_lies_on_the_sheet(slug):
    svg = family("points").draw_start(POINTS[slug])
    _, _, width, height = map(float, ElementTree.fromstring(svg).get("viewBox").split())
    for text in shapes(svg, "text"):
        assert float(text.get("x")) >= 9
        assert float(text.get("x")) <= width - 9
        assert 9 <= float(text.get("y")) <= height - 3
    for circle in shapes(svg, "circle"):
        size = float(circle.get("r")) + 1
        assert size <= float(circle.get("cx")) <= width - size
        assert size <= float(circle.get("cy")) <= height - size
