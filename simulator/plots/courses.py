"""What each side had reached after so many turns, such as the pieces it had taken: means with their intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from simulator.engine.family import COURSE, Measure
from simulator.plots.sheet import SEAT_COLOURS, PlotDrawing, Sheet, sections

LEFT, TOP, WIDE, HIGH = 58, 44, 560, 220
# Line, sign and shift of each seat, so that intervals side by side do not hide each other.
STYLES = (("-", "o", -0.06), ((0, (6, 2)), "s", 0.06), ((0, (1, 1.5)), "^", -0.02), ((0, (6, 2, 1, 2)), "D", 0.02))


def draw(measures: Sequence[Measure], summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing | None:
    """None if the summary has nothing of the kind."""
    rows = sections(summary).get("course", {})
    known = [measure for measure in measures if measure.scope == COURSE and f"{measure.name}_mean" in rows]
    turns = sorted({measure.turn for measure in known})
    if not turns:
        return None
    of_seats: dict[str, list[Mapping[str, Any]]] = {}
    for measure in known:
        of_seats.setdefault(_name(measure), []).append(rows[f"{measure.name}_mean"])
    unit = known[0].unit
    title = f"{unit.capitalize()} taken as the game goes on"
    sheet, axes = Sheet.with_axes(title, context, LEFT, TOP, WIDE, HIGH)
    for seat, (name, found) in enumerate(of_seats.items()):
        _line(axes, seat, name, found)
    axes.set_xticks(range(len(turns)), [f"{turn:,}" for turn in turns])
    axes.set_ylim(bottom=0)
    axes.set(xlim=(-0.4, len(turns) - 0.6), xlabel="turns played (the steps are not equal)", ylabel=unit)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.02), frameon=False, borderaxespad=0)
    lasts = "; ".join(f"{name.lower()} {found[-1]['text']}" for name, found in of_seats.items())
    return sheet.drawing(
        "taken",
        f"A line for each player, from turn {turns[0]:,} on. After {turns[-1]:,} turns: {lasts}.",
        caption="Mean over all games with its 95 % interval. A game that was over before counts with what stood at its "
        "end. Turns beyond the longest game or the cap are not shown.",
        table={
            "columns": ["Turns", *of_seats],
            "rows": [
                [f"{turn:,}", *(found[place]["text"] for found in of_seats.values())]
                for place, turn in enumerate(turns)
            ],
        },
    )


def _name(measure: Measure) -> str:
    """What the measures of one seat have in common."""
    return measure.title.removesuffix(f" after {measure.turn} turns")


def _line(axes: Axes, seat: int, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    line, marker, shift = STYLES[seat % len(STYLES)]
    values = [row["value"] for row in rows]
    errors = [
        [abs(row["value"] - (row["value"] if row[end] is None else row[end])) for row in rows]
        for end in ("low", "high")
    ]
    axes.errorbar(
        [place + shift for place in range(len(rows))], values, yerr=errors, label=name, capsize=3,
        color=SEAT_COLOURS[seat % len(SEAT_COLOURS)], linestyle=line, marker=marker, markersize=5, linewidth=2,
    )  # fmt: skip
