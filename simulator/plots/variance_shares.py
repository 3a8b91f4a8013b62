"""Which doubt matters: for each question the share of the variance it has, on its own and with others, sorted."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from simulator.plots.sheet import BLUE, GREY, PlotDrawing, Sheet, drawing_style
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
        shown = [*rows, {**rest, "total": None}]
        sheet = Sheet(title, TOP + BAR * len(shown) + 42, context)
        axes = sheet.axes(LEFT, TOP, RIGHT - LEFT, BAR * len(shown))
        for place, row in enumerate(shown):
            _bars(axes, place, row, GREY if row is shown[-1] else BLUE)
        axes.set_yticks(range(len(shown)), [textwrap.fill(row["title"], LABEL_LENGTH) for row in shown])
        axes.tick_params(axis="y", length=0, labelsize=10)
        axes.set_ylim(len(shown) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.set_xlabel("% of the variance between the combinations")
        told = "; ".join(f"{row['title']} {row['first']['text']}" for row in shown)
        return sheet.drawing(kind, f"Horizontal bars, sorted, a bar for each question: {told}.", caption, _table(shown))


def _bars(axes: Axes, place: int, row: Row, colour: str) -> None:
    """Filled: on its own; below it, outlined: with others."""
    total = row["total"]
    width = 0.36 if total else 0.6
    _bar(axes, place - (0.2 if total else 0), row["first"], width, {"color": colour})
    if total:
        _bar(axes, place + 0.2, total, width, {"facecolor": "none", "edgecolor": colour, "hatch": "////"})
    axes.annotate(
        row["first"]["text"], (101, place - (0.2 if total else 0)), va="center", fontsize=10, annotation_clip=False
    )
    if total:
        axes.annotate(total["text"], (101, place + 0.2), va="center", fontsize=10, annotation_clip=False)


def _bar(axes: Axes, place: float, share: Row, height: float, style: dict[str, Any]) -> None:
    value, low, high = (100 * share[name] for name in ("value", "low", "high"))
    axes.barh(place, value, height=height, **style)
    axes.plot([low, high], [place, place], color=INK, linewidth=1.2)


def _table(rows: Sequence[Row]) -> dict[str, Any]:
    with_total = any(row["total"] for row in rows)
    columns = ["Question", "On its own", *(["With others"] if with_total else [])]
    cells = [
        [row["title"], row["first"]["text"], *([row["total"]["text"] if row["total"] else "–"] if with_total else [])]
        for row in rows
    ]
    return {"columns": columns, "rows": cells}
