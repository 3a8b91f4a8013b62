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

# Name, colour, dashes and last value of a line.
Label = tuple[str, str, tuple[float, ...] | None, float]


def draw(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing:
    curve = {name: np.array(column) for name, column in summary["curve"].items()}
    ends = [end for end in ENDS if summary["counts"][end[0]]]
    sheet = Sheet("Games still running by turn", TOP + HIGH + 42, context)
    axes = sheet.axes(LEFT, TOP, WIDE, HIGH)
    turns = curve["turn"]
    axes.fill_between(turns, 100 * curve["low"], 100 * curve["high"], step="post", color=INK, alpha=0.2, linewidth=0)
    axes.step(turns, 100 * curve["running"], where="post", color=INK, linewidth=2)
    for name, _, colour, dashes in ends:
        axes.step(turns, 100 * curve[name], where="post", color=colour, linewidth=2, dashes=dashes)
    labels: list[Label] = [("still running", INK, None, curve["running"][-1])]
    labels += [(word, colour, dashes, curve[name][-1]) for name, word, colour, dashes in ends]
    label_ends(axes, labels)
    axes.set_xlim(0, max(1, turns[-1]))
    axes.set_ylim(0, 100)
    axes.set_xlabel("turns played")
    axes.set_ylabel("% of all games")
    description = (
        f"Curves from turn 0 to turn {turns[-1]:,}: one falls from 100 % still running, one rises for each kind "
    )
    description += (
        f"of end. After {turns[-1]:,} turns "
        + ", ".join(f"{percent(share, 1)} {word}" for word, _, _, share in labels)
        + "."
    )
    return sheet.drawing(
        "lengths",
        description,
        caption="Solid line: share of all games not over after that many turns, with its 95 % band. Broken lines: "
        "share that has ended so by then (cumulative incidence). At every turn the lines add up to 100 %.",
        table=_table(curve, ends),
    )


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
