"""The share of games still running by turn, one line for each of several rulesets that played the same game numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simulator.plots.lengths import HIGH, LEFT, TABLE_ROWS, TOP, Label, label_ends
from simulator.plots.sheet import BLUE, GREEN, GREY, PURPLE, VERMILION, PlotDrawing, Sheet, drawing_style, percent
from simulator.plots.svg import INK

WIDE = 360
STYLES = (
    (INK, None), (BLUE, (6, 2)), (VERMILION, (6, 2, 1, 2)), (GREEN, (1, 1.5)), (PURPLE, (10, 3)), (GREY, (3, 1)),
)  # fmt: skip
LONGEST_LABEL = 18

Curve = Mapping[str, Sequence[float]]


def draw(curves: Sequence[Curve], names: Sequence[str], context: Mapping[str, Any], cap: int) -> PlotDrawing:
    """Nothing is told beyond the cap.

    curves: as `lengths.curve` gives them; names: of the rulesets, in the same order
    """
    with drawing_style():
        return _draw([_up_to(curve, cap) for curve in curves], names, context, cap)


def _draw(curves: Sequence[Mapping[str, np.ndarray]], names: Sequence[str], context: Any, cap: int) -> PlotDrawing:
    sheet = Sheet("Games still running by turn", TOP + HIGH + 42, context)
    axes = sheet.axes(LEFT, TOP, WIDE, HIGH)
    short = _short(names)
    longest = max(1, *(int(curve["turn"][-1]) for curve in curves))
    labels: list[Label] = []
    for place, curve in enumerate(curves):
        colour, dashes = STYLES[place % len(STYLES)]
        turns = np.append(curve["turn"], longest)
        low, high, running = (100 * np.append(curve[key], curve[key][-1]) for key in ("low", "high", "running"))
        axes.fill_between(turns, low, high, step="post", color=colour, alpha=0.2, linewidth=0)
        (line,) = axes.step(turns, running, where="post", color=colour, linewidth=2)
        if dashes:
            line.set_dashes(dashes)
        labels.append((short[place], colour, dashes, curve["running"][-1]))
    label_ends(axes, labels)
    axes.set_xlim(0, longest)
    axes.set_ylim(0, 100)
    axes.set_xlabel("turns played")
    axes.set_ylabel("% of all games")
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
    shown = [end if len(end) <= LONGEST_LABEL else f"{end[: LONGEST_LABEL - 1]}…" for end in ends]
    return [f"{place}. {end}" for place, end in enumerate(shown, 1)]


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
