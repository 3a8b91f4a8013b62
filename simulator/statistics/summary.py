"""The figures of a batch, section by section, as a document for pages, plots and the API.

A share is of all games of the batch, whatever became of them. Every row is
`{key, title, value, low, high, unit, n, text, note}`: `n` is the number of games it rests on, `text` the figure in
words with its interval; `value` is null where the games do not give the figure, and `text` then says why.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED
from simulator.engine.family import CODE, COURSE, GAME, MOBILITY, Measure
from simulator.engine.naming import PLAIN, Naming, Part
from simulator.engine.tally import DECISIONS, END, OPTIONS, Tally, totals
from simulator.statistics.distributions import curve, distribution
from simulator.statistics.intervals import CONFIDENCE
from simulator.statistics.rows import Row, measure_rows, not_measured
from simulator.statistics.sections import (
    Pairs,
    came_about_rows,
    course_rows,
    ended_games,
    luck_row,
    mobility_rows,
    part_rows,
    result_rows,
    winner_counts,
)

# Changes when a figure would come out differently.
STATISTICS_VERSION = 1

DRAWS = "Equal rounds and draws"
Section = dict[str, Any]


def summarise(
    tally: Tally,
    measures: Sequence[Measure],
    *,
    cap: int,
    seats: int,
    context: Mapping[str, Any],
    naming: Naming = PLAIN,
    pairs: Pairs | None = None,
) -> dict[str, Any]:
    """Every figure of a batch. `context` is what the batch was (seed, players, ruleset …) and is handed on as it is.

    naming: what seats, parts and totals are called; the measures' own titles are taken as they are
    pairs:  how games of the same throws ended with other choices, where there are throws

    Raises ValueError for a tally of no games.
    """
    if not tally.games:
        raise ValueError("a batch of no games has no figures")
    ends = tally.ends()
    figures = _Figures(tally, measures, cap, naming)
    one_round, consent = context.get("until") == "round", context.get("consent", "")
    played = " of the first round" if one_round else ""
    sections = [
        _section("results", f"Results{played}", result_rows(tally, seats, naming)),
        _section("draws", DRAWS, [] if one_round else came_about_rows(tally, measures, consent)),
        _section("length", f"Length{played}", figures.of(["turns"])),
        _section(
            "play", "Decisions", [*mobility_rows(tally, measures, naming), *figures.of([DECISIONS, "lead_changes"])]
        ),
        _section("game", f"Course{played or ' of the game'}", figures.of(family_measures(measures))),
        _section("course", "As the game goes on", course_rows(tally, measures, cap)),
        _section("luck", "Luck", [] if pairs is None else [luck_row(pairs, context["seed"])]),
    ]
    # Games that are over with their first round say nothing more of it in columns of its own.
    for scope in [] if one_round or _never_a_second_round(tally, measures) else parts(measures):
        part = naming.part(scope)
        if part.may_fail and not ended_games(tally, scope):
            continue
        of_part = [measure.name for measure in measures if measure.scope == scope]
        rows = [*part_rows(tally, scope, seats, naming), *figures.of(of_part, part)]
        sections.append(_section(scope, part.title, rows))
    return {
        "version": STATISTICS_VERSION,
        "confidence": CONFIDENCE,
        "context": dict(context),
        "games": tally.games,
        "cap": cap,
        "seats": seats,
        "counts": {
            "win": ends[0],
            "draw": ends[DRAW],
            "endless": ends[ENDLESS],
            "unfinished": ends[UNFINISHED],
            "won_by_seat": winner_counts(tally, seats),
        },
        "sums": dict(tally.products),
        "sections": [section for section in sections if section["rows"]],
        "curve": curve(tally.histograms["turns"], tally.games),
    }


def parts(measures: Sequence[Measure]) -> list[str]:
    """The parts of a game that have measures of their own, such as "first_round"."""
    whole = (GAME, CODE, MOBILITY, COURSE)
    return list(dict.fromkeys(m.scope for m in measures if m.unit != "code" and m.scope not in whole))


def with_totals(measures: Sequence[Measure], naming: Naming) -> dict[str, Measure]:
    """The measures by name, and the totals over the seats of those that are counted for each seat."""
    found = {measure.name: measure for measure in measures if measure.is_amount and measure.name != OPTIONS}
    for stem, of_seats in totals(measures).items():
        found[stem] = Measure(stem, naming.total(stem), of_seats[0].unit, of_seats[0].scope)
    return found


def _never_a_second_round(tally: Tally, measures: Sequence[Measure]) -> bool:
    rounds = [m.name for m in measures if m.unit == "rounds" and m.name in tally.histograms]
    return bool(rounds) and all(values[-1] <= 1 for name in rounds for values, _ in tally.histograms[name].values())


class _Figures:
    """The rows of measures, by name."""

    def __init__(self, tally: Tally, measures: Sequence[Measure], cap: int, naming: Naming) -> None:
        self.tally, self.measures, self.cap = tally, with_totals(measures, naming), cap

    def of(self, names: Sequence[str], part: Part | None = None) -> list[Row]:
        rows = []
        for name in names:
            measure = self.measures[name]
            if name not in self.tally.histograms:  # a batch of a version of the family that did not count it
                rows.append(not_measured(f"{name}_mean", f"{measure.title}, mean", measure.unit))
                continue
            found = distribution(measure, self.tally.histograms[name], self.cap)
            rows += measure_rows(measure, found, part)
        return rows


def family_measures(measures: Sequence[Measure]) -> list[str]:
    """What this family counts over the whole game, besides what every family counts; a total before its seats."""
    common = {END, "turns", DECISIONS, OPTIONS, "lead_changes"}
    names = [m.name for m in measures if m.scope == GAME and m.is_amount and m.name not in common]
    for stem, of_seats in totals(measures).items():
        names.insert(names.index(of_seats[0].name), stem)
    return names


def _section(key: str, title: str, rows: list[Row]) -> Section:
    return {"key": key, "title": title, "rows": rows}
