"""How the games ended: wins by seat, draws, endless and unfinished games, with their intervals."""

from collections.abc import Mapping
from typing import Any

from simulator.plots.sheet import GREEN, GREY, PURPLE, SEAT_COLOURS, PlotDrawing, Sheet, percent, room_for, sections
from simulator.plots.svg import INK

OTHER_ENDS = {"draw": GREEN, "endless": PURPLE, "unfinished": GREY}
BAR, TOP, LEFT, RIGHT = 34, 4, 170, 420


def draw(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing:
    rows = [row for row in sections(summary)["results"].values() if row["unit"] == "share"]
    title = "Results of the first round" if context.get("until") == "round" else "Results of the games"
    sheet = Sheet(title, TOP + BAR * len(rows) + 42, context)
    left = room_for((row["title"] for row in rows), LEFT)
    axes = sheet.axes(left, TOP, RIGHT - left, BAR * len(rows))
    for place, row in enumerate(rows):
        value, low, high = (100 * row[name] for name in ("value", "low", "high"))
        axes.barh(place, value, height=0.62, color=_colour(row["key"]))
        axes.errorbar(value, place, xerr=[[value - low], [high - value]], fmt="none", ecolor=INK, capsize=4)
        axes.annotate(row["text"], (high, place), xytext=(8, 0), textcoords="offset points", va="center")
    axes.set_yticks(range(len(rows)), [row["title"] for row in rows])
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, max(100 * row["high"] for row in rows))
    axes.set_xlabel("% of all games")
    shares = "; ".join(f"{row['title'].lower()} {row['text']}" for row in rows)
    description = f"Horizontal bars, a bar for each result: {shares}."
    return sheet.drawing(
        "results",
        description,
        caption="Share of all games by result, with Wilson 95 % intervals. Endless and unfinished games are no draws.",
        table={
            "columns": ["Result", "Games", "Share", "Low (95 %)", "High (95 %)"],
            "rows": [
                [row["title"], f"{row['count']:,}", *(percent(row[name]) for name in ("value", "low", "high"))]
                for row in rows
            ],
        },
    )


def _colour(key: str) -> str:
    seat = key.removeprefix("won_")
    return SEAT_COLOURS[int(seat) % len(SEAT_COLOURS)] if seat.isdigit() else OTHER_ENDS[key]
