"""How the games ended: wins by seat, draws, endless and unfinished games, with their intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.plots.sheet import (
    GREEN,
    GREY,
    PURPLE,
    SEAT_COLOURS,
    PlotDrawing,
    Sheet,
    name_rows,
    percent,
    room_for,
    sections,
)
from simulator.plots.svg import INK

OTHER_ENDS = {"draw": GREEN, "endless": PURPLE, "unfinished": GREY}
BAR, TOP, LEFT, RIGHT = 34, 4, 170, 420


def draw(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing:
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
    left = room_for((row["title"] for row in rows), LEFT)
    sheet, axes = Sheet.with_axes(title, context, left, TOP, RIGHT - left, BAR * len(rows))
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
