"""Horizontal bars: how games ended, and how much of the variance each question has.

Results are wins by seat, draws, endless and unfinished games, with their intervals. The bars of a study show for each
question the share of the variance that it has on its own and together with others, sorted.
"""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from simulator.plots.sheet import (
    BLUE,
    GREEN,
    GREY,
    INK,
    PURPLE,
    SEAT_COLOURS,
    PlotDrawing,
    Sheet,
    drawing_style,
    name_rows,
    percent,
    room_for,
    sections,
)

OTHER_ENDS = {"draw": GREEN, "endless": PURPLE, "unfinished": GREY}
RESULT_BAR, RESULT_TOP, RESULT_LEFT, RESULT_RIGHT = 34, 4, 170, 420
VARIANCE_BAR, VARIANCE_TOP, VARIANCE_LEFT, VARIANCE_RIGHT = 42, 4, 268, 470
LABEL_LENGTH = 34  # characters of a label on a line
Row = Mapping[str, Any]


def draw_results(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing:
    rows = [row for row in sections(summary)["results"].values() if row["unit"] == "share"]
    title = "Results of the first round" if context.get("until") == "round" else "Results of the games"
    words = "Share of all games by result, with Wilson 95 % intervals. Endless and unfinished games are no draws."
    return _drawn("results", title, rows, context, words, "Result")


def draw_shares(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing | None:
    """What the rules bring about, beside what players make of it; None where there is nothing of the kind."""
    rows = [row for row in sections(summary).get("draws", {}).values() if row["value"] is not None]
    if not any(row["count"] for row in rows):
        return None
    words = "Share of all games in which it came about, with Wilson 95 % intervals. "
    words += " ".join(dict.fromkeys(row["note"] for row in rows if row["note"]))
    return _drawn("draws", "Equal rounds and draws", rows, context, words.rstrip(), "What came about")


def _drawn(
    kind: str, title: str, rows: Sequence[Mapping[str, Any]], context: Mapping[str, Any], words: str, column: str
) -> PlotDrawing:
    left = room_for((row["title"] for row in rows), RESULT_LEFT)
    sheet, axes = Sheet.with_axes(title, context, left, RESULT_TOP, RESULT_RIGHT - left, RESULT_BAR * len(rows))
    for place, row in enumerate(rows):
        value, low, high = (100 * row[name] for name in ("value", "low", "high"))
        axes.barh(place, value, height=0.62, color=_colour(row["key"]))
        axes.errorbar(value, place, xerr=[[value - low], [high - value]], fmt="none", ecolor=INK, capsize=4)
        axes.annotate(row["text"], (high, place), xytext=(8, 0), textcoords="offset points", va="center")
    name_rows(axes, [row["title"] for row in rows])
    axes.invert_yaxis()
    axes.set(xlim=(0, 100), xlabel="% of all games")  # so that plots of two batches can be held side by side
    shares = "; ".join(f"{row['title'].lower()} {row['text']}" for row in rows)
    return sheet.drawing(
        kind,
        f"Horizontal bars, a bar for each {column.lower()}: {shares}.",
        caption=words,
        table={
            "columns": [column, "Games", "Share", "Low (95 %)", "High (95 %)"],
            "rows": [
                [row["title"], f"{row['count']:,}", *(percent(row[name]) for name in ("value", "low", "high"))]
                for row in rows
            ],
        },
    )


def _colour(key: str) -> str:
    seat = key.removeprefix("won_")
    return SEAT_COLOURS[int(seat) % len(SEAT_COLOURS)] if seat.isdigit() else OTHER_ENDS.get(key, GREEN)


def draw_variance_shares(
    kind: str, title: str, rows: Sequence[Row], rest: Row, context: Mapping[str, Any], caption: str
) -> PlotDrawing:
    """A bar for each question and one for the rest.

    rows: {"title", "first", "total"}, sorted; a share is {"value", "low", "high", "text"}, or None if it is not known
    rest: {"title", "first"}
    """
    with drawing_style():
        bars = [*rows, {**rest, "total": None}]
        sheet, axes = Sheet.with_axes(
            title, context, VARIANCE_LEFT, VARIANCE_TOP, VARIANCE_RIGHT - VARIANCE_LEFT, VARIANCE_BAR * len(bars)
        )
        for place, row in enumerate(bars):
            _bars(axes, place, row, GREY if row is bars[-1] else BLUE)
        name_rows(axes, [textwrap.fill(row["title"], LABEL_LENGTH) for row in bars], labelsize=10)
        percents = "% of the variance between the combinations"
        axes.set(ylim=(len(bars) - 0.5, -0.5), xlim=(0, 100), xlabel=percents)
        shares = "; ".join(f"{row['title']} {row['first']['text']}" for row in bars)
        return sheet.drawing(
            kind, f"Horizontal bars, sorted, a bar for each question: {shares}.", caption, _variance_table(bars)
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


def _variance_table(rows: Sequence[Row]) -> dict[str, Any]:
    with_total = any(row["total"] for row in rows)
    columns = ["Question", "On its own", *(["With others"] if with_total else [])]
    cells = [
        [row["title"], row["first"]["text"], *([row["total"]["text"] if row["total"] else "–"] if with_total else [])]
        for row in rows
    ]
    return {"columns": columns, "rows": cells}
