"""The share of games still running by turn, and beside it what became of the others."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from simulator.plots.sheet import BLUE, GREEN, PURPLE, PlotDrawing, Sheet, percent
from simulator.plots.svg import INK

ENDS = (("win", "won", BLUE, (6, 2)), ("draw", "drawn", GREEN, (6, 2, 1, 2)), ("endless", "endless", PURPLE, (1, 1.5)))
LEFT, TOP, WIDE, HIGH = 58, 10, 415, 260
TABLE_ROWS = 12
# Labels nearer to each other than this share of the height would overlap.
LABEL_STEP = 0.065

Dashes = tuple[float, ...] | None
# Name, colour, dashes and last value of a line.
Label = tuple[str, str, Dashes, float]


def draw(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing:
    curve = {name: np.array(column) for name, column in summary["curve"].items()}
    ends = [end for end in ENDS if summary["counts"][end[0]]]
    sheet, axes = running_axes(context, WIDE, int(curve["turn"][-1]))
    turns = curve["turn"]
    draw_running(axes, curve, INK)
    for name, _, colour, dashes in ends:
        axes.step(turns, 100 * curve[name], where="post", color=colour, linewidth=2, dashes=dashes)
    labels: list[Label] = [("still running", INK, None, curve["running"][-1])]
    labels += [(word, colour, dashes, curve[name][-1]) for name, word, colour, dashes in ends]
    label_ends(axes, labels)
    lasts = ", ".join(f"{percent(share, 1)} {word}" for word, _, _, share in labels)
    return sheet.drawing(
        "lengths",
        f"Curves from turn 0 to turn {turns[-1]:,}: one falls from 100 % still running, one rises for each kind of "
        f"end. After {turns[-1]:,} turns {lasts}.",
        caption="Solid line: share of all games not over after that many turns, with its 95 % band. Broken lines: "
        "share that has ended so by then (cumulative incidence). At every turn the lines add up to 100 %.",
        table=_table(curve, ends),
    )


def running_axes(context: Mapping[str, Any], width: int, last: int) -> tuple[Sheet, Axes]:
    """A sheet for curves from turn 0 to the last."""
    sheet, axes = Sheet.with_axes("Games still running by turn", context, LEFT, TOP, width, HIGH)
    axes.set(xlim=(0, max(1, last)), ylim=(0, 100), xlabel="turns played", ylabel="% of all games")
    return sheet, axes


def draw_running(axes: Axes, curve: Mapping[str, np.ndarray], colour: str, dashes: Dashes = None) -> None:
    """The share still running, with its band."""
    turns, low, high, running = (curve["turn"], *(100 * curve[key] for key in ("low", "high", "running")))
    axes.fill_between(turns, low, high, step="post", color=colour, alpha=0.2, linewidth=0)
    (line,) = axes.step(turns, running, where="post", color=colour, linewidth=2)
    if dashes:
        line.set_dashes(dashes)


def label_ends(axes: Axes, labels: list[Label]) -> None:
    """A sample of each line, its name and last value at its right end, moved apart where they would overlap."""
    ordered = sorted(labels, key=lambda label: label[3])
    # Room is kept above for the labels still to come, so that the topmost stays on the sheet.
    ceilings = [1 - LABEL_STEP * above for above in range(len(ordered) - 1, -1, -1)]
    place = -LABEL_STEP
    for (word, colour, dashes, share), ceiling in zip(ordered, ceilings, strict=True):
        place = max(min(float(share), ceiling), place + LABEL_STEP)
        (sample,) = axes.plot([1.015, 1.055], [place] * 2, color=colour, linewidth=2, transform=axes.transAxes)
        sample.set_clip_on(False)
        if dashes:
            sample.set_dashes(dashes)
        axes.text(1.07, place, f"{word} {percent(share, 1)}", transform=axes.transAxes, va="center")


def _table(curve: Mapping[str, np.ndarray], ends: list[Any]) -> dict[str, Any]:
    points = len(curve["turn"])
    chosen = np.unique(np.linspace(0, points - 1, min(points, TABLE_ROWS)).round().astype(int))
    names = ["running", "low", "high", *(end[0] for end in ends)]
    return {
        "columns": ["Turn", "Still running", "Low (95 %)", "High (95 %)", *(end[1].capitalize() for end in ends)],
        "rows": [[f"{curve['turn'][i]:,}", *(percent(curve[name][i]) for name in names)] for i in chosen],
    }
