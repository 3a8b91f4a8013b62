"""Lines over the turns: the share of games still running, for one ruleset or several, and what each side had reached.

Beside the running games of one batch it is drawn what became of the others. A course is a mean with its interval after
so many turns, such as the pieces that each side had taken.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from simulator.engine.family import COURSE, Measure
from simulator.plots import sheet
from simulator.plots.sheet import PlotDrawing, Sheet, counted_in, drawing_style, percent, sections

ENDS = (
    ("win", "won", sheet.BLUE, (6, 2)),
    ("draw", "drawn", sheet.GREEN, (6, 2, 1, 2)),
    ("endless", "endless", sheet.PURPLE, (1, 1.5)),
)
ROUNDS = {"win": "one owned more", "draw": "ended equal"}  # what first rounds come to
LEFT, TOP, WIDE, HIGH = 58, 10, 415, 260
TABLE_ROWS = 12
# Labels nearer to each other than this share of the height would overlap.
LABEL_STEP = 0.065

Dashes = tuple[float, ...] | None
# Name, colour, dashes and last value of a line.
Label = tuple[str, str, Dashes, float]
COMPARED_WIDE = 360
COMPARED_STYLES: tuple[tuple[str, Dashes], ...] = (
    (sheet.INK, None), (sheet.BLUE, (6, 2)), (sheet.VERMILION, (6, 2, 1, 2)),
    (sheet.GREEN, (1, 1.5)), (sheet.PURPLE, (10, 3)), (sheet.GREY, (3, 1)),
)  # fmt: skip
LONGEST_LABEL = 18
Curve = Mapping[str, Sequence[float]]
COURSE_LEFT, COURSE_TOP, COURSE_WIDE, COURSE_HIGH = 58, 44, 560, 220
# Line, sign and shift of each seat, so that intervals side by side do not hide each other.
SEAT_STYLES = (("-", "o", -0.06), ((0, (6, 2)), "s", 0.06), ((0, (1, 1.5)), "^", -0.02), ((0, (6, 2, 1, 2)), "D", 0.02))


def draw_lengths(summary: Mapping[str, Any], context: Mapping[str, Any]) -> PlotDrawing:
    curve = {name: np.array(column) for name, column in summary["curve"].items()}
    words = ROUNDS if counted_in(context) == "first rounds" else {}
    ends = [(key, words.get(key, word), *style) for key, word, *style in ENDS if summary["counts"][key]]
    paper, axes = running_axes(context, WIDE, int(curve["turn"][-1]))
    turns = curve["turn"]
    draw_running(axes, curve, sheet.INK)
    for name, _, colour, dashes in ends:
        axes.step(turns, 100 * curve[name], where="post", color=colour, linewidth=2, dashes=dashes)
    labels: list[Label] = [("still running", sheet.INK, None, curve["running"][-1])]
    labels += [(word, colour, dashes, curve[name][-1]) for name, word, colour, dashes in ends]
    label_ends(axes, labels)
    lasts = ", ".join(f"{percent(share, 1)} {word}" for word, _, _, share in labels)
    return paper.drawing(
        "lengths",
        f"Curves from turn 0 to turn {turns[-1]:,}: one falls from 100 % still running, one rises for each kind of "
        f"end. After {turns[-1]:,} turns {lasts}.",
        caption="Solid line: share of all games that have not ended after so many turns, with its 95 % band. Broken "
        "lines: share that has ended so by then (cumulative incidence). At every turn the lines add up to 100 %.",
        table=_table(curve, ends),
    )


def running_axes(context: Mapping[str, Any], width: int, last: int) -> tuple[Sheet, Axes]:
    """Return a sheet for curves from turn 0 to the last."""
    counted = counted_in(context)
    paper, axes = Sheet.with_axes(f"{counted.capitalize()} still running by turn", context, LEFT, TOP, width, HIGH)
    axes.set(xlim=(0, max(1, last)), ylim=(0, 100), xlabel="turns played", ylabel=f"% of all {counted}")
    return paper, axes


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
    place = -LABEL_STEP  # so that the first label may stand at 0
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


def draw_compared_lengths(
    curves: Sequence[Curve], names: Sequence[str], context: Mapping[str, Any], cap: int
) -> PlotDrawing:
    """Draw the curves of lengths of several rulesets, up to the cap.

    curves: as `lengths.curve` gives them; names: of the rulesets, in the same order
    """
    with drawing_style():
        return _draw_compared([_up_to(curve, cap) for curve in curves], names, context, cap)


def _draw_compared(
    curves: Sequence[Mapping[str, np.ndarray]], names: Sequence[str], context: Any, cap: int
) -> PlotDrawing:
    longest = max(1, *(int(curve["turn"][-1]) for curve in curves))
    paper, axes = running_axes(context, COMPARED_WIDE, longest)
    labels: list[Label] = []
    for name, curve, (colour, dashes) in zip(_short(names), curves, cycle(COMPARED_STYLES), strict=False):
        to_the_end = {key: np.append(column, column[-1]) for key, column in curve.items()}
        draw_running(axes, to_the_end | {"turn": np.append(curve["turn"], longest)}, colour, dashes)
        labels.append((name, colour, dashes, curve["running"][-1]))
    label_ends(axes, labels)
    last = ", ".join(
        f"{percent(curve['running'][-1], 1)} under {name}" for curve, name in zip(curves, names, strict=True)
    )
    return paper.drawing(
        "lengths",
        f"A falling curve for each ruleset, from turn 0 to turn {longest:,}. Still running at the end: {last}.",
        caption=f"Share of all {counted_in(context)} that have not ended after so many turns, with its 95 % band; a "
        f"line for each ruleset. Nothing is shown beyond turn {cap:,}, the smallest cap.",
        table=_compared_table(curves, names, longest),
    )


def _up_to(curve: Curve, cap: int) -> Mapping[str, np.ndarray]:
    columns = {name: np.array(curve[name], dtype=float) for name in ("turn", "running", "low", "high")}
    kept = columns["turn"] <= cap
    return {name: column[kept] for name, column in columns.items()}


def _short(names: Sequence[str]) -> list[str]:
    """Return the names without the words with which all of them begin, numbered in their order."""
    words = [name.split("-") for name in names]
    while min(map(len, words)) > 1 and len({first for first, *_ in words}) == 1:
        words = [rest for _, *rest in words]
    ends = ["-".join(rest) for rest in words]
    cut = [end if len(end) <= LONGEST_LABEL else f"{end[: LONGEST_LABEL - 1]}…" for end in ends]
    return [f"{place}. {end}" for place, end in enumerate(cut, 1)]


def _compared_table(curves: Sequence[Mapping[str, np.ndarray]], names: Sequence[str], longest: int) -> dict[str, Any]:
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


def draw_course(
    measures: Sequence[Measure], summary: Mapping[str, Any], context: Mapping[str, Any]
) -> PlotDrawing | None:
    """Draw what each side had reached by turn; None if the summary has nothing of the kind."""
    rows = sections(summary).get("course", {})
    known = [measure for measure in measures if measure.scope == COURSE and f"{measure.name}_mean" in rows]
    turns = sorted({measure.turn for measure in known})
    if not turns:
        return None
    of_seats: dict[str, list[Mapping[str, Any]]] = {}
    for measure in known:
        name = measure.title.removesuffix(f" after {measure.turn} turns")  # what the measures of a seat have in common
        of_seats.setdefault(name, []).append(rows[f"{measure.name}_mean"])
    unit = known[0].unit
    title = f"{unit.capitalize()} taken as the game goes on"
    paper, axes = Sheet.with_axes(title, context, COURSE_LEFT, COURSE_TOP, COURSE_WIDE, COURSE_HIGH)
    for seat, (name, course) in enumerate(of_seats.items()):
        _line(axes, seat, name, course)
    axes.set_xticks(range(len(turns)), [f"{turn:,}" for turn in turns])
    axes.set_ylim(bottom=0)
    axes.set(xlim=(-0.4, len(turns) - 0.6), xlabel="turns played (the steps are not equal)", ylabel=unit)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.02), frameon=False, borderaxespad=0)
    lasts = "; ".join(f"{name.lower()} {course[-1]['text']}" for name, course in of_seats.items())
    return paper.drawing(
        "taken",
        f"A line for each player, from turn {turns[0]:,} on. After {turns[-1]:,} turns: {lasts}.",
        caption="Mean over all games with its 95 % interval. A game that was over before counts with what stood at its "
        "end. Turns beyond the longest game or the cap are not shown.",
        table={
            "columns": ["Turns", *of_seats],
            "rows": [
                [f"{turn:,}", *(course[place]["text"] for course in of_seats.values())]
                for place, turn in enumerate(turns)
            ],
        },
    )


def _line(axes: Axes, seat: int, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    line, marker, shift = SEAT_STYLES[seat % len(SEAT_STYLES)]
    values = [row["value"] for row in rows]
    errors = [
        [abs(row["value"] - (row["value"] if row[end] is None else row[end])) for row in rows]
        for end in ("low", "high")
    ]
    axes.errorbar(
        [place + shift for place in range(len(rows))], values, yerr=errors, label=name, capsize=3,
        color=sheet.seat_colour(seat), linestyle=line, marker=marker, markersize=5, linewidth=2,
    )  # fmt: skip
