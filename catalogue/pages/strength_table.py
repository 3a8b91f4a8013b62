"""The differences over the levels of play as a table: one pair of readings after another, a column for each level."""

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import pairwise

from catalogue.findings.over_levels import DifferenceOverLevels
from simulator.statistics.over_levels import LevelDifference


@dataclass(frozen=True, slots=True)
class Cell:
    """On one level. value: "+4.1", in percentage points; certainty: "+3.1 to +5.1" """

    value: str
    certainty: str


@dataclass(frozen=True, slots=True)
class Row:
    """cells: for each column, None where the level is not known"""

    difference: DifferenceOverLevels
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """title: "Ludii against Parker"; notes: (level, whose games are few on it)"""

    title: str
    notes: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class StrengthTable:
    """levels: the columns, from the weakest; pairs: in the order of what is found first of each"""

    levels: tuple[str, ...]
    pairs: tuple[Pair, ...]


def strength_table(found: Sequence[DifferenceOverLevels]) -> StrengthTable | None:
    """None if there is nothing to tell."""
    if not found:
        return None
    levels = _in_order([[level.level for level in one.judged.levels] for one in found])
    by_pair: dict[str, list[DifferenceOverLevels]] = {}
    for one in found:
        by_pair.setdefault(f"{one.second.name} against {one.first.name}", []).append(one)
    return StrengthTable(levels, tuple(_pair(title, own, levels) for title, own in by_pair.items()))


def _in_order(known: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The levels of all of them. Each is in order, and none need know all."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for levels in known:
        for weaker, stronger in pairwise(levels):
            sorter.add(stronger, weaker)
    return tuple(sorter.static_order())


def _pair(title: str, found: Sequence[DifferenceOverLevels], levels: Sequence[str]) -> Pair:
    notes = tuple((level, "; ".join(few)) for level, few in found[0].few_kinds.items() if few)
    rows = []
    for one in found:
        cells = {level.level: _cell(level) for level in one.judged.levels}
        rows.append(Row(one, tuple(cells.get(level) for level in levels)))
    return Pair(title, notes, tuple(rows))


def _cell(found: LevelDifference) -> Cell:
    value, low, high = (f"{100 * one:+.1f}".replace("-", "−") for one in (found.interval.value, *found.interval.limits))
    return Cell(value, f"{low} to {high}" if any(found.games) else "proved")
