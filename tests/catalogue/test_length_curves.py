"""Length curves on common axes: how many games are not over, by turn."""

from catalogue.outcomes.bars import LabelledCurve, length_curves

SHORT = LabelledCurve("Ludii", 1, False, {"turn": [0, 50, 100], "running": [1.0, 0.5, 0.0]})
LONG = LabelledCurve("Parker", 0, False, {"turn": [0, 100, 200, 400], "running": [1.0, 0.75, 0.5, 0.25]})


def test_lines_share_one_axis_and_go_on_to_its_end() -> None:
    found = length_curves([LONG, SHORT])
    assert found.longest == 400
    assert [line.points for line in found.lines] == [
        "0.0,0.0 25.0,10.0 50.0,20.0 100.0,30.0 100.0,30.0",
        "0.0,0.0 12.5,20.0 25.0,40.0 100.0,40.0",
    ]


def test_the_axis_ends_where_all_games_are_all_but_over() -> None:
    tail = LabelledCurve("Tail", 0, False, {"turn": [0, 10, 20, 2000], "running": [1.0, 0.5, 0.009, 0.001]})
    assert length_curves([tail]).longest == 20


def test_the_description_names_the_shares_half_way() -> None:
    assert length_curves([LONG, SHORT]).words == "Games that are not over after 200 turns: Parker 50 %, Ludii 0 %."
