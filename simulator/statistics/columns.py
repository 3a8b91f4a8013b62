"""The columns by which rulesets are compared: one number a game, or two whose ratio is meant.

A share is a number that is 1 or 0. A measure of a part of the game counts in the games in which that part ended, and
branching is options over decisions; both are Σ above / Σ below, so that one formula serves for every mean.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simulator.engine.ends import UNFINISHED
from simulator.engine.family import GAME, Measure
from simulator.engine.naming import Naming
from simulator.engine.tally import DECISIONS, END, ended_label, totals, winner_label
from simulator.statistics import summary
from simulator.statistics.rows import BALANCE, SHARE

Rows = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Column:
    """One measure of every game of a batch.

    above:   int64[games]; the figure is Σ above / Σ below
    below:   int64[games]; None if every game counts once
    section: of the table it stands in
    grows:   whether the cap may have cut it short
    """

    key: str
    title: str
    unit: str
    section: str
    above: Numbers
    below: Numbers | None = None
    grows: bool = False
    note: str = ""

    @property
    def is_share(self) -> bool:
        return self.unit in (SHARE, BALANCE)


class GameTable:
    """The rows of one batch, column by column and under the names of the measures.

    measures: those of the seats that there are: a row has columns of every seat that a family knows
    """

    def __init__(self, rows: Rows, measures: Sequence[Measure], seats: int) -> None:
        table = np.ascontiguousarray(rows.T)
        self.games = len(rows)
        self.measures = [measure for measure in measures if measure.seat is None or measure.seat < seats]
        self.named: Mapping[str, Rows] = {measure.name: table[place] for place, measure in enumerate(measures)}

    def __getitem__(self, name: str) -> Numbers:
        return self.named[name].astype(np.int64)

    def __contains__(self, name: str) -> bool:
        return name in self.named


def cut(rows: Rows, measures: Sequence[Measure], cap: int) -> Rows:
    """Rows as the results and lengths of a smaller cap would have them: longer games are unfinished at it.

    What else such a game would have counted up to there is not known, so only `end`, `winners` and `turns` are kept.
    """
    names = [measure.name for measure in measures]
    end, winners, turns = (names.index(name) for name in ("end", "winners", "turns"))
    kept = rows[:, [end, winners, turns]].copy()
    longer = kept[:, 2] > cap
    kept[longer] = (UNFINISHED, 0, cap)
    return kept


def _running_to_the_cap(rows: Rows, measures: Sequence[Measure], cap: int) -> Rows:
    """Return the rows with the cap as the turns of unfinished games: one stopped within a turn has counted fewer."""
    names = [measure.name for measure in measures]
    end, turns = names.index(END), names.index("turns")
    if not (within := (rows[:, end] == UNFINISHED) & (rows[:, turns] < cap)).any():
        return rows
    kept = rows.copy()
    kept[within, turns] = cap
    return kept


def columns_of(
    rows: Rows, measures: Sequence[Measure], *, seats: int, cap: int, naming: Naming, with_parts: bool = True
) -> list[Column]:
    """Everything of a batch that can be compared, in the order of a page.

    rows: int32[games, measures]; with_parts: whether parts, such as a first round, say anything of their own
    """
    table = GameTable(_running_to_the_cap(rows, measures, cap), measures, seats)
    columns = [*_results(table, seats, naming), *_amounts(table, ["turns"], "Length", naming)]
    if DECISIONS not in table:
        return columns
    columns += [*_branching(table, naming), *_amounts(table, [DECISIONS, "lead_changes"], "Decisions", naming)]
    columns += _amounts(table, summary.family_measures(table.measures), "Course of the game", naming)
    columns += [
        Column(f"{measure.name}_share", measure.share, SHARE, summary.DRAWS, (table[measure.name] > 0).astype(np.int64))
        for measure in table.measures
        if measure.share
    ]
    if with_parts:
        for scope in summary.parts(table.measures):
            columns += _part(table, scope, seats, cap, naming)
    return columns


def has_parts(batches: Sequence[Rows], measures: Sequence[Measure]) -> bool:
    """Return whether parts of the game differ from the whole: not if no game of any batch has a second round."""
    rounds = [place for place, measure in enumerate(measures) if measure.unit == "rounds"]
    return not rounds or any(rows[:, place].max(initial=0) > 1 for rows in batches for place in rounds)


def _results(table: GameTable, seats: int, naming: Naming) -> list[Column]:
    won = [table["winners"] >> seat & 1 for seat in range(seats)]
    columns = [
        Column(f"won_{seat}", f"Won by the {naming.seat(seat)}", SHARE, "Results", won[seat]) for seat in range(seats)
    ]
    if seats == 2:
        lead = won[0] - won[1]
        columns.append(
            Column("first_player_advantage", summary.ADVANTAGE, BALANCE, "Results", lead, note=summary.ADVANTAGE_NOTE)
        )
    return columns + [
        Column(key, title, SHARE, "Results", (table[END] == end).astype(np.int64))
        for end, key, title, _ in summary.OTHER_ENDS
    ]


def _amounts(table: GameTable, names: Sequence[str], section: str, naming: Naming) -> list[Column]:
    columns = []
    for name in names:
        measure = summary.with_totals(table.measures, naming)[name]
        of_seats = [] if name in table else [part.name for part in totals(table.measures)[name]]
        values = table[name] if name in table else np.sum([table[part] for part in of_seats], axis=0)
        columns.append(Column(name, measure.title, measure.unit, section, values, grows=measure.scope == GAME))
    return columns


def _branching(table: GameTable, naming: Naming) -> list[Column]:
    note = f"All options over all decisions; {summary.FORCED}"
    return [
        Column(
            branching.key,
            branching.title,
            summary.UNIT,
            "Decisions",
            table[branching.options],
            table[branching.decisions],
            note=note,
        )
        for branching in summary.branchings(table.measures, naming)
    ]


def _part(table: GameTable, scope: str, seats: int, cap: int, naming: Naming) -> list[Column]:
    part, label = naming.part(scope), ended_label(scope)
    if label not in table:
        return []
    ended = (table[label] == 1).astype(np.int64)
    section = part.title
    columns = [Column(f"{scope}_ended", part.ended, SHARE, section, ended)]
    if winner_label(scope) in table:
        note = f"Of {part.among}."
        for seat in range(seats):
            first = ended * (table[winner_label(scope)] == seat)
            title = f"{part.winner}: {naming.seat(seat)}"
            columns.append(Column(f"{scope}_won_{seat}", title, SHARE, section, first, ended, note=note))
    # 1 where the cap stopped the game before the part had ended: its turns count as the cap.
    running = (1 - ended) * (table[END] == UNFINISHED)
    for measure in (counted for counted in table.measures if counted.scope == scope and counted.unit != "code"):
        column = Column(measure.name, measure.title, measure.unit, section, ended * table[measure.name], ended)
        if measure.unit == "turns":
            note = f"A game that the cap stopped before counts as {cap:,} turns." if running.any() else ""
            column = replace(column, above=column.above + cap * running, below=ended + running, note=note)
        else:
            column = replace(column, note=f"Over {part.among}.")
        columns.append(column)
    return columns
