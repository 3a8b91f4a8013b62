"""The plots of a batch, in the order a page shows them, drawn by the worker that closes it.

No process that answers pages imports this package.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.engine.family import Measure
from simulator.engine.tally import Tally
from simulator.plots import bars, lines
from simulator.plots.sheet import PlotDrawing, drawing_style, sections, up_to_cap

# Changes when a plot would look different.
PLOT_VERSION = 6

# Measures of the whole game with a plot of their own, or that only serve to compute another.
ELSEWHERE = ("turns", "rounds", "options", "code")


def draw_all(
    tally: Tally, measures: Sequence[Measure], context: Mapping[str, Any], summary: Mapping[str, Any]
) -> list[PlotDrawing]:
    """Return the plots of a batch.

    context: games, seed, players, cap, until, ruleset (the hash) and engine; summary: what `summarise` gave.
    """
    with drawing_style():
        drawn: list[PlotDrawing | None] = [
            bars.draw_results(summary, context),
            bars.draw_shares(summary, context),
            lines.draw_lengths(summary, context),
        ]
        drawn += [
            bars.draw_histogram(measure, tally.histograms[measure.name], context)
            for measure in measures
            if _has_histogram(measure, tally)
        ]
        drawn += _strips(measures, summary, context)
        drawn.append(lines.draw_course(measures, summary, context))
    return [drawing for drawing in drawn if drawing]


def _has_histogram(measure: Measure, tally: Tally) -> bool:
    """Return whether a measure is drawn as a histogram: turns always, rounds only in games that have more than one."""
    if measure.name not in ("turns", "rounds"):
        return False
    groups = tally.histograms[measure.name].values()
    return measure.name == "turns" or any(values[-1] > 1 for values, _ in groups)


def _strips(
    measures: Sequence[Measure], summary: Mapping[str, Any], context: Mapping[str, Any]
) -> list[PlotDrawing | None]:
    by_section = sections(summary)
    rows = {**by_section.get("play", {}), **by_section.get("game", {})}
    whole = [m for m in measures if m.scope == "game" and m.is_amount and m.unit not in ELSEWHERE]
    title = "The course of the first round" if context.get("until") == "round" else "The course of the game"
    note = up_to_cap(summary["counts"]["unfinished"], summary["cap"])
    drawn = [bars.draw_strips("course", title, whole, rows, context, note)]
    for scope in dict.fromkeys(m.scope for m in measures if m.scope in by_section and m.scope != "game"):
        of_part = [m for m in measures if m.scope == scope]
        name = scope.replace("_", " ")
        drawn.append(bars.draw_strips(scope.replace("_", "-"), f"The {name}", of_part, by_section[scope], context))
    return drawn
