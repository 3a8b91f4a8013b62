"""What the shades of a figure mean is said once for each shade, and is true of every bar."""

from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.figure import Bar, FigureRow, OutcomeFigure


def bar(label: str, *titles: str) -> Bar:
    parts = (*((f"won-{place}", title) for place, title in enumerate(titles)), ("draw", "drawn"))
    segments = tuple(Segment(kind, title, 0.0, 0.4 * (kind != "draw"), "") for kind, title in parts)
    return Bar(FigureRow(label.lower(), label, label, "/", 0, None), Outcomes(segments, "", "", 100))


def key(*bars: Bar) -> list[tuple[str, str]]:
    return [(one.kind, one.title) for one in OutcomeFigure(bars).shades]


def test_where_all_call_a_side_alike_its_name_is_enough() -> None:
    both = ("won by the aligner", "won by the blocker")
    assert key(bar("Portal", *both), bar("Ludii", *both)) == [("won-0", both[0]), ("won-1", both[1])]


def test_where_a_reading_calls_a_side_otherwise_it_is_said_which() -> None:
    """Niranchy: after Ludovisi nobody aligns alone, so that the sides are only first and second."""
    bars = [
        bar("Ludovisi", "won by the first player", "won by the second player"),
        bar("Portal", "won by the aligner", "won by the blocker"),
        bar("Ludii", "won by the aligner", "won by the blocker"),
    ]
    assert key(*bars) == [
        ("won-0", "won by the first player (Ludovisi) or the aligner (Portal, Ludii)"),
        ("won-1", "won by the second player (Ludovisi) or the blocker (Portal, Ludii)"),
    ]
