"""Which open question matters: for each the share of the variance it has, on its own and with others, sorted."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from simulator.plots.sheet import BLUE, GREY, PlotDrawing, Sheet, drawing_style, name_rows
from simulator.plots.svg import INK

BAR, TOP, LEFT, RIGHT = 42, 4, 268, 470
LABEL_LENGTH = 34  # characters of a label on a line

Row = Mapping[str, Any]


def draw(
    kind: str, title: str, rows: Sequence[Row], rest: Row, context: Mapping[str, Any], caption: str
) -> PlotDrawing:
    """A bar for each question and one for the rest.

    rows: {"title", "first", "total"}, sorted; a share is {"value", "low", "high", "text"}, or None if it is not known
    rest: {"title", "first"}
    """
    with drawing_style():
        bars = [*rows, {**rest, "total": None}]
        sheet, axes = Sheet.with_axes(title, context, LEFT, TOP, RIGHT - LEFT, BAR * len(bars))
        for place, row in enumerate(bars):
            _bars(axes, place, row, GREY if row is bars[-1] else BLUE)
        name_rows(axes, [textwrap.fill(row["title"], LABEL_LENGTH) for row in bars], labelsize=10)
        percents = "% of the variance between the combinations"
        axes.set(ylim=(len(bars) - 0.5, -0.5), xlim=(0, 100), xlabel=percents)
        shares = "; ".join(f"{row['title']} {row['first']['text']}" for row in bars)
        return sheet.drawing(
            kind, f"Horizontal bars, sorted, a bar for each question: {shares}.", caption, _table(bars)
        )


def _bars(axes: Axes, place: int, row: Row, colour: str) -> None:
    """Filled: on its own; below it, outlined: with others."""
    if row["total"] is None:
        _bar(axes, place, row["first"], 0.6, color=colour)
        return
    _bar(axes, place - 0.2, row["first"], 0.36, color=colour)
    _bar(axes, place + 0.2, row["total"], 0.36, facecolor="none", edgecolor=colour, hatch="////")


def _bar(axes: Axes, place: float, share: Row, height: float, **style: Any) -> None:
    value, low, high = (100 * share[name] for name in ("value", "low", "high"))
    axes.barh(place, value, height=height, **style)
    axes.plot([low, high], [place, place], color=INK, linewidth=1.2)
    axes.annotate(share["text"], (101, place), va="center", fontsize=10, annotation_clip=False)


def _table(rows: Sequence[Row]) -> dict[str, Any]:
    with_total = any(row["total"] for row in rows)
    columns = ["Question", "On its own", *(["With others"] if with_total else [])]
    cells = [
        [row["title"], row["first"]["text"], *([row["total"]["text"] if row["total"] else "–"] if with_total else [])]
        for row in rows
    ]
    return {"columns": columns, "rows": cells}
