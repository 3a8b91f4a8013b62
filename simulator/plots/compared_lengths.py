"""The share of games still running by turn, one line for each of several rulesets that played the same game numbers."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np

from simulator.plots.lengths import TABLE_ROWS, Dashes, Label, draw_running, label_ends, running_axes
from simulator.plots.sheet import BLUE, GREEN, GREY, PURPLE, VERMILION, PlotDrawing, drawing_style, percent
from simulator.plots.svg import INK

WIDE = 360
STYLES: tuple[tuple[str, Dashes], ...] = (
    (INK, None), (BLUE, (6, 2)), (VERMILION, (6, 2, 1, 2)), (GREEN, (1, 1.5)), (PURPLE, (10, 3)), (GREY, (3, 1)),
)  # fmt: skip
LONGEST_LABEL = 18

Curve = Mapping[str, Sequence[float]]


def draw(curves: Sequence[Curve], names: Sequence[str], context: Mapping[str, Any], cap: int) -> PlotDrawing:
    """Nothing is drawn beyond the cap.

    curves: as `lengths.curve` gives them; names: of the rulesets, in the same order
    """
    with drawing_style():
        return _draw([_up_to(curve, cap) for curve in curves], names, context, cap)


def _draw(curves: Sequence[Mapping[str, np.ndarray]], names: Sequence[str], context: Any, cap: int) -> PlotDrawing:
    longest = max(1, *(int(curve["turn"][-1]) for curve in curves))
    sheet, axes = running_axes(context, WIDE, longest)
    labels: list[Label] = []
    for name, curve, (colour, dashes) in zip(_short(names), curves, cycle(STYLES), strict=False):
        to_the_end = {key: np.append(column, column[-1]) for key, column in curve.items()}
        draw_running(axes, to_the_end | {"turn": np.append(curve["turn"], longest)}, colour, dashes)
        labels.append((name, colour, dashes, curve["running"][-1]))
    label_ends(axes, labels)
    last = ", ".join(
        f"{percent(curve['running'][-1], 1)} under {name}" for curve, name in zip(curves, names, strict=True)
    )
    return sheet.drawing(
        "lengths",
        f"A falling curve for each ruleset, from turn 0 to turn {longest:,}. Still running at the end: {last}.",
        caption="Share of all games not over after that many turns, with its 95 % band; a line for each ruleset. "
        f"Nothing is told beyond turn {cap:,}, the smallest cap.",
        table=_table(curves, names, longest),
    )


def _up_to(curve: Curve, cap: int) -> Mapping[str, np.ndarray]:
    columns = {name: np.array(curve[name], dtype=float) for name in ("turn", "running", "low", "high")}
    kept = columns["turn"] <= cap
    return {name: column[kept] for name, column in columns.items()}


def _short(names: Sequence[str]) -> list[str]:
    """Names without the words with which all of them begin, numbered as they were asked for."""
    words = [name.split("-") for name in names]
    while min(map(len, words)) > 1 and len({first for first, *_ in words}) == 1:
        words = [rest for _, *rest in words]
    ends = ["-".join(rest) for rest in words]
    cut = [end if len(end) <= LONGEST_LABEL else f"{end[: LONGEST_LABEL - 1]}…" for end in ends]
    return [f"{place}. {end}" for place, end in enumerate(cut, 1)]


def _table(curves: Sequence[Mapping[str, np.ndarray]], names: Sequence[str], longest: int) -> dict[str, Any]:
    turns = np.unique(np.linspace(0, longest, TABLE_ROWS).round().astype(int))
    rows = []
    for turn in turns:
        places = [int(np.searchsorted(curve["turn"], turn, side="right")) - 1 for curve in curves]
        shares = [
            f"{percent(curve['running'][at])} ({percent(curve['low'][at])} to {percent(curve['high'][at])})"
            for curve, at in zip(curves, places, strict=True)
        ]
        rows.append([f"{turn:,}", *shares])
    return {"columns": ["Turn", *names], "rows": rows}
