"""Horizontal bars: how games ended, and how much of the variance each question has.

Results are wins by seat, draws, endless and unfinished games, with their intervals. The bars of a study show for each
question the share of the variance that it has on its own and together with others, sorted.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from simulator.engine.ends import UNFINISHED
from simulator.engine.family import Measure
from simulator.engine.tally import Counts, merged_counts
from simulator.plots import sheet
from simulator.plots.sheet import (
    PlotDrawing,
    Sheet,
    counted_in,
    drawing_style,
    name_rows,
    percent,
    room_for,
    sections,
    up_to_cap,
)

OF_ENDED = "_of_ended"  # rows of another denominator
OTHER_ENDS = {"draw": sheet.GREEN, "endless": sheet.PURPLE, "unfinished": sheet.GREY}
RESULT_BAR, RESULT_TOP, RESULT_LEFT, RESULT_RIGHT = 34, 4, 170, 420
VARIANCE_BAR, VARIANCE_TOP, VARIANCE_LEFT, VARIANCE_RIGHT = 42, 4, 268, 470
LABEL_LENGTH = 34  # characters of a label on a line
Row = Mapping[str, Any]
LEFT, TOP, WIDE, HIGH = 58, 26, 560, 220
MOST_CLASSES = 32
# The last class is open: it takes the longest one in a hundred games, or a few giants would flatten the rest.
SHOWN_SHARE = 0.99
STRIP_LEFT, STRIP_RIGHT, STRIP_TOP, STRIP, AXIS = 262, 612, 4, 38, 48
QUANTILES = (10, 25, 50, 75, 90)
Rows = Mapping[str, Mapping[str, Any]]


def draw_results(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing:
    results = sections(summary)["results"].values()
    rows = [
        row
        for row in results
        if row["unit"] == "share" and row["low"] is not None and not row["key"].endswith(OF_ENDED)
    ]
    title = "Results of the first round" if context.get("until") == "round" else "Results of the games"
    counted = counted_in(context)
    words = f"Share of all {counted} by result, with Wilson 95 % intervals. Endless and unfinished ones are no draws."
    return _drawn("results", title, rows, context, words, "Result")


def draw_shares(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing | None:
    """Return what the rules bring about, beside what players make of it; None where there is nothing of the kind."""
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
    paper, axes = Sheet.with_axes(title, context, left, RESULT_TOP, RESULT_RIGHT - left, RESULT_BAR * len(rows))
    for place, row in enumerate(rows):
        value, low, high = (100 * row[name] for name in ("value", "low", "high"))
        axes.barh(place, value, height=0.62, color=_colour(row["key"]))
        axes.errorbar(value, place, xerr=[[value - low], [high - value]], fmt="none", ecolor=sheet.INK, capsize=4)
        axes.annotate(row["text"], (high, place), xytext=(8, 0), textcoords="offset points", va="center")
    name_rows(axes, [row["title"] for row in rows])
    axes.invert_yaxis()
    axes.set(xlim=(0, 100), xlabel="% of all games")  # so that plots of two batches can be held side by side
    shares = "; ".join(f"{row['title'].lower()} {row['text']}" for row in rows)
    return paper.drawing(
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
    return sheet.seat_colour(int(seat)) if seat.isdigit() else OTHER_ENDS.get(key, sheet.GREEN)


def draw_variance_shares(
    kind: str, title: str, rows: Sequence[Row], rest: Row, context: Mapping[str, Any], caption: str
) -> PlotDrawing:
    """Draw a bar for each question and one for the rest.

    rows: {"title", "first", "total"}, sorted; a share is {"value", "low", "high", "text"}, or None if it is not known
    rest: {"title", "first"}
    """
    with drawing_style():
        bars = [*rows, {**rest, "total": None}]
        paper, axes = Sheet.with_axes(
            title, context, VARIANCE_LEFT, VARIANCE_TOP, VARIANCE_RIGHT - VARIANCE_LEFT, VARIANCE_BAR * len(bars)
        )
        for place, row in enumerate(bars):
            _bars(axes, place, row, sheet.GREY if row is bars[-1] else sheet.BLUE)
        name_rows(axes, [textwrap.fill(row["title"], LABEL_LENGTH) for row in bars], labelsize=10)
        percents = "% of the variance between the combinations"
        axes.set(ylim=(len(bars) - 0.5, -0.5), xlim=(0, 100), xlabel=percents)
        shares = "; ".join(f"{row['title']} {row['first']['text']}" for row in bars)
        return paper.drawing(
            kind, f"Horizontal bars, sorted, a bar for each question: {shares}.", caption, _variance_table(bars)
        )


def _bars(axes: Axes, place: int, row: Row, colour: str) -> None:
    """Draw the share on its own, filled, and below it the share with others, outlined."""
    if row["total"] is None:
        _bar(axes, place, row["first"], 0.6, color=colour)
        return
    _bar(axes, place - 0.2, row["first"], 0.36, color=colour)
    _bar(axes, place + 0.2, row["total"], 0.36, facecolor="none", edgecolor=colour, hatch="////")


def _bar(axes: Axes, place: float, share: Row, height: float, **style: Any) -> None:
    value, low, high = (100 * share[name] for name in ("value", "low", "high"))
    axes.barh(place, value, height=height, **style)
    axes.plot([low, high], [place, place], color=sheet.INK, linewidth=1.2)
    axes.annotate(share["text"], (101, place), va="center", fontsize=10, annotation_clip=False)


def _variance_table(rows: Sequence[Row]) -> dict[str, Any]:
    with_total = any(row["total"] for row in rows)
    columns = ["Question", "On its own", *(["With others"] if with_total else [])]
    cells = [
        [row["title"], row["first"]["text"], *([row["total"]["text"] if row["total"] else "–"] if with_total else [])]
        for row in rows
    ]
    return {"columns": columns, "rows": cells}


@dataclass(frozen=True, slots=True)
class Classes:
    """Equal classes of whole numbers from `first`, each `width` wide, and games beyond them."""

    first: int
    width: int
    counts: np.ndarray
    beyond: int

    @property
    def end(self) -> int:
        """The first number beyond the classes."""
        return self.first + self.width * len(self.counts)

    def names(self) -> list[str]:
        starts = range(self.first, self.end, self.width)
        closed = [f"{low:,}" if self.width == 1 else f"{low:,}–{low + self.width - 1:,}" for low in starts]
        return [*closed, f"{self.end:,} or more"] if self.beyond else closed


def classes(counted: Counts, beyond: int) -> Classes:
    """Group values into at most MOST_CLASSES classes of width 1, 2, 5, 10, 20, …

    beyond: games known only to lie above every value
    """
    values, games = counted
    sums = np.cumsum(games)
    last = int(values[np.searchsorted(sums, SHOWN_SHARE * sums[-1])])
    first = int(values[0])
    if first >= 0 and last < 2 * MOST_CLASSES:
        first = min(first, 1)
    widths = (factor * 10**power for power in count() for factor in (1, 2, 5))
    width = next(width for width in widths if last // width - first // width < MOST_CLASSES)
    first = first // width * width
    size = (last - first) // width + 1
    places = (values - first) // width
    inside = places < size
    counts = np.bincount(places[inside], weights=games[inside], minlength=size).astype(np.int64)
    return Classes(first, width, counts, int(games[~inside].sum()) + beyond)


def draw_histogram(measure: Measure, groups: Mapping[int, Counts], context: Mapping[str, Any]) -> PlotDrawing | None:
    """Draw the distribution of a measure; None if no value is known."""
    lengths = measure.unit == "turns"
    known = [counts for group, counts in groups.items() if not (lengths and group == UNFINISHED)]
    if not known:
        return None
    unfinished = int(groups[UNFINISHED][1].sum()) if UNFINISHED in groups else 0
    bins = classes(merged_counts(known), unfinished if lengths else 0)
    games = int(bins.counts.sum()) + bins.beyond
    kind = f"{measure.name.replace('_', '-')}-histogram"
    title = f"{measure.title}: distribution"
    top = int(bins.counts.argmax())
    description = f"Histogram; the fullest class is {_amount(bins.names()[top], measure.unit)} with "
    description += percent(bins.counts[top] / games, 1)
    description += f"; {percent(bins.beyond / games, 1)} at {bins.end:,} or more." if bins.beyond else "."
    return _drawn_histogram(title, bins, games, measure, context).drawing(
        kind,
        description,
        caption=_caption(measure, bins, unfinished, context["cap"]),
        table={
            "columns": [measure.unit.capitalize(), "Games", "Share"],
            "rows": [
                [name, f"{count:,}", percent(count / games)]
                for name, count in zip(bins.names(), [*bins.counts.tolist(), bins.beyond], strict=False)
            ],
        },
    )


def _amount(name: str, unit: str) -> str:
    return f"{name} {unit.removesuffix('s')}" if name == "1" else f"{name} {unit}"


def _caption(measure: Measure, bins: Classes, unfinished: int, cap: int) -> str:
    classes_of = f"in classes of {bins.width:,}" if bins.width > 1 else "by number of"
    words = f"Share of all games {classes_of} {measure.unit}."
    if bins.beyond:
        words += f" The hatched bar holds all games of {bins.end:,} or more"
        words += f", {unfinished:,} unfinished ones among them." if unfinished and measure.unit == "turns" else "."
    return words if measure.unit == "turns" else words + up_to_cap(unfinished, cap)


def _drawn_histogram(title: str, bins: Classes, games: int, measure: Measure, context: Mapping[str, Any]) -> Sheet:
    paper, axes = Sheet.with_axes(title, context, LEFT, TOP, WIDE, HIGH)
    starts = bins.first + bins.width * np.arange(len(bins.counts))
    # A class of one number stands over that number, a wider one between its limits.
    shift = -0.5 if bins.width == 1 else 0.0
    left = starts + shift + 0.05 * bins.width
    axes.bar(left, 100 * bins.counts / games, width=0.9 * bins.width, align="edge", color=sheet.BLUE)
    end = bins.end + shift
    if bins.beyond:
        gap = bins.width
        hatched: dict[str, Any] = {"facecolor": "none", "edgecolor": sheet.INK, "hatch": "////"}
        axes.bar(end + gap, 100 * bins.beyond / games, 2 * bins.width, align="edge", linewidth=0.8, **hatched)
        label = f"{bins.end:,} or more\n{percent(bins.beyond / games, 1)}"
        axes.text(end + gap + bins.width, 100 * bins.beyond / games, label, ha="center", va="bottom")
        end += gap + 3.5 * bins.width
    axes.set_xlim(bins.first + shift, end)
    axes.set_xticks([tick for tick in axes.get_xticks() if bins.first <= tick <= bins.end + shift])
    title = measure.title.lower()
    axes.set(xlabel=title if measure.unit in title else measure.unit, ylabel="% of all games")
    return paper


def draw_strips(
    kind: str, title: str, measures: Sequence[Measure], rows: Rows, context: Mapping[str, Any], note: str = ""
) -> PlotDrawing | None:
    """Draw one panel for each unit; None if no median is known.

    rows: the summary's, by key; note: ends the caption
    """
    known = [m for m in measures if rows.get(f"{m.name}_q50", {}).get("value") is not None]
    if not known:
        return None
    panels = [[m for m in known if m.unit == unit] for unit in dict.fromkeys(m.unit for m in known)]
    paper = Sheet(title, STRIP_TOP + sum(STRIP * len(panel) + AXIS for panel in panels), context)
    top, left = STRIP_TOP, room_for((m.title for m in known), STRIP_LEFT)
    for panel in panels:
        axes = paper.axes(left, top, STRIP_RIGHT - left, STRIP * len(panel))
        _panel(axes, panel, rows)
        top += STRIP * len(panel) + AXIS
    medians = "; ".join(f"{m.title.lower()} {rows[f'{m.name}_q50']['text']}" for m in known)
    description = f"Strips of quantiles, a strip for each measure. Medians: {medians}."
    return paper.drawing(
        kind,
        description,
        caption="Line: from the 10 % to the 90 % quantile. Box: from the 25 % to the 75 % quantile. Upright: the "
        "median; the shaded field about it is its exact 95 % interval. A quantile the games did not reach is left out."
        + note,
        table={
            "columns": [
                "Measure",
                "Games",
                "Mean",
                *(f"{quantile} %" for quantile in QUANTILES),
                "Median with interval",
            ],
            "rows": [_cells(measure, rows) for panel in panels for measure in panel],
        },
    )


def _panel(axes: Axes, panel: Sequence[Measure], rows: Rows) -> None:
    most = 0.0
    for place, measure in enumerate(panel):
        quantiles = {quantile: rows[f"{measure.name}_q{quantile}"]["value"] for quantile in QUANTILES}
        low, high = (_reached(quantiles, percents) for percents in ((10, 25, 50), (90, 75, 50)))
        colour = sheet.VERMILION if measure.seat == 1 else sheet.BLUE
        axes.plot([low, high], [place, place], color=colour, linewidth=1.5)
        left, right = _reached(quantiles, (25, 50)), _reached(quantiles, (75, 50))
        axes.barh(place, right - left, left=left, height=0.5, facecolor="none", edgecolor=colour, linewidth=1.5)
        _median(axes, place, rows[f"{measure.name}_q50"], colour)
        axes.text(quantiles[50], place - 0.3, f"{quantiles[50]:,.0f}", ha="center", va="bottom", fontsize=sheet.SMALL)
        most = max(most, high)
    name_rows(axes, [measure.title for measure in panel])
    axes.spines["left"].set_visible(False)
    axes.set(ylim=(len(panel) - 0.5, -0.75), xlim=(0, max(1.0, most * 1.03)), xlabel=panel[0].unit)


def _median(axes: Axes, place: int, median: Mapping[str, Any], colour: str) -> None:
    low, high = median["low"], median["high"]
    if low is not None and high is not None:
        axes.barh(place, high - low, left=low, height=0.5, color=colour, alpha=0.35, linewidth=0)
    axes.plot([median["value"]] * 2, [place - 0.25, place + 0.25], color=sheet.INK, linewidth=2.5)


def _reached(quantiles: Mapping[int, float | None], percents: tuple[int, ...]) -> float:
    """Return the outermost of these quantiles that the games reached; the median always is."""
    return next(value for quantile in percents if (value := quantiles[quantile]) is not None)


def _cells(measure: Measure, rows: Rows) -> list[str]:
    mean = next(row for key in ("mean", "restricted_mean") if (row := rows.get(f"{measure.name}_{key}")))
    values = [rows[f"{measure.name}_q{quantile}"]["value"] for quantile in QUANTILES]
    cells = ["not reached" if value is None else f"{value:,.0f}" for value in values]
    return [measure.title, f"{mean['n']:,}", mean["text"], *cells, rows[f"{measure.name}_q50"]["text"]]
