"""Quantile strips: for each measure the middle half of the games as a box, the middle 80 % as a line, the median."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from simulator.engine.family import Measure
from simulator.plots.sheet import BLUE, SMALL, VERMILION, PlotDrawing, Sheet, name_rows, room_for
from simulator.plots.svg import INK

LEFT, RIGHT, TOP, STRIP, AXIS = 262, 612, 4, 38, 48
QUANTILES = (10, 25, 50, 75, 90)

Rows = Mapping[str, Mapping[str, Any]]


def draw(
    kind: str, title: str, measures: Sequence[Measure], rows: Rows, context: Mapping[str, Any], note: str = ""
) -> PlotDrawing | None:
    """One panel for each unit. None if no median is known.

    rows: the summary's, by key; note: ends the caption
    """
    known = [m for m in measures if rows.get(f"{m.name}_q50", {}).get("value") is not None]
    if not known:
        return None
    panels = [[m for m in known if m.unit == unit] for unit in dict.fromkeys(m.unit for m in known)]
    sheet = Sheet(title, TOP + sum(STRIP * len(panel) + AXIS for panel in panels), context)
    top, left = TOP, room_for((m.title for m in known), LEFT)
    for panel in panels:
        axes = sheet.axes(left, top, RIGHT - left, STRIP * len(panel))
        _panel(axes, panel, rows)
        top += STRIP * len(panel) + AXIS
    medians = "; ".join(f"{m.title.lower()} {rows[f'{m.name}_q50']['text']}" for m in known)
    description = f"Strips of quantiles, a strip for each measure. Medians: {medians}."
    return sheet.drawing(
        kind,
        description,
        caption="Line: from the 10 % to the 90 % quantile. Box: from the 25 % to the 75 % quantile. Upright: the "
        "median; the shaded field about it is its exact 95 % interval. A quantile the games did not reach is left out."
        + note,
        table={
            "columns": ["Measure", "Games", "Mean", *(f"{percent} %" for percent in QUANTILES), "Median with interval"],
            "rows": [_cells(measure, rows) for panel in panels for measure in panel],
        },
    )


def _panel(axes: Axes, panel: Sequence[Measure], rows: Rows) -> None:
    most = 0.0
    for place, measure in enumerate(panel):
        found = {percent: rows[f"{measure.name}_q{percent}"]["value"] for percent in QUANTILES}
        low, high = (_reached(found, percents) for percents in ((10, 25, 50), (90, 75, 50)))
        colour = VERMILION if measure.seat == 1 else BLUE
        axes.plot([low, high], [place, place], color=colour, linewidth=1.5)
        left, right = _reached(found, (25, 50)), _reached(found, (75, 50))
        axes.barh(place, right - left, left=left, height=0.5, facecolor="none", edgecolor=colour, linewidth=1.5)
        _median(axes, place, rows[f"{measure.name}_q50"], colour)
        axes.text(found[50], place - 0.3, f"{found[50]:,.0f}", ha="center", va="bottom", fontsize=SMALL)
        most = max(most, high)
    name_rows(axes, [measure.title for measure in panel])
    axes.spines["left"].set_visible(False)
    axes.set(ylim=(len(panel) - 0.5, -0.75), xlim=(0, max(1.0, most * 1.03)), xlabel=panel[0].unit)


def _median(axes: Axes, place: int, median: Mapping[str, Any], colour: str) -> None:
    low, high = median["low"], median["high"]
    if low is not None and high is not None:
        axes.barh(place, high - low, left=low, height=0.5, color=colour, alpha=0.35, linewidth=0)
    axes.plot([median["value"]] * 2, [place - 0.25, place + 0.25], color=INK, linewidth=2.5)


def _reached(found: Mapping[int, float | None], percents: tuple[int, ...]) -> float:
    """The outermost of these quantiles that the games reached; the median always is."""
    return next(value for percent in percents if (value := found[percent]) is not None)


def _cells(measure: Measure, rows: Rows) -> list[str]:
    mean = next(row for key in ("mean", "restricted_mean") if (row := rows.get(f"{measure.name}_{key}")))
    values = [rows[f"{measure.name}_q{percent}"]["value"] for percent in QUANTILES]
    cells = ["not reached" if value is None else f"{value:,.0f}" for value in values]
    return [measure.title, f"{mean['n']:,}", mean["text"], *cells, rows[f"{measure.name}_q50"]["text"]]
