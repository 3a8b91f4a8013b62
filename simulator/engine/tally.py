"""Tallies: what a batch of games leaves behind.

A tally holds integers only, so that merging the tallies of chunks is exact and their order never matters. Every
interval and every plot can be had from it; the rows are not needed again.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.ends import END_NAMES
from simulator.engine.family import COURSE, GAME, MOBILITY, Measure

# The columns that are known by name, because every family's row begins with them.
END, DECISIONS, OPTIONS = "end", "decisions", "options"
# The group of a measure of a part of the game, in the games in which that part ended.
PART_ENDED = 0
# Counting by bins beats sorting up to about this many bins.
MOST_BINS = 1 << 20
INT64_MOST = (1 << 63) - 1

Integers = NDArray[np.int64]
Counts = tuple[Integers, Integers]


class TallyProblem(ValueError):
    """Rows or tallies that do not fit together."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over games of one ruleset.

    games:      number of games
    labels:     names of the code columns, in the order of the rows
    codes:      how often each combination of codes occurred, keyed in the order of `labels`
    histograms: measure -> group -> (values, counts), values ascending. The group is the kind of end (0 win … 3
                unfinished). For a measure of a part of the game, such as the first round, it is 0 if that part ended,
                else 1 for a game that ended by its rules before, 2 for one that turned out endless in it, 3 for one
                that our cap stopped in it.
    products:   "options*decisions" -> the sum of the products over the games, for ratios and their intervals
    """

    games: int
    labels: tuple[str, ...]
    codes: Mapping[tuple[int, ...], int]
    histograms: Mapping[str, Mapping[int, Counts]]
    products: Mapping[str, int]

    def merged_with(self, other: "Tally") -> "Tally":
        """Return the tally of both sets of games; raises TallyProblem if the two have different columns."""
        return merged((self, other))

    def marginal(self, *labels: str) -> Counter[tuple[int, ...]]:
        """Count how often each combination of these codes occurred, whatever the other codes were."""
        places = [self.labels.index(label) for label in labels]
        counts: Counter[tuple[int, ...]] = Counter()
        for key, count in self.codes.items():
            counts[tuple(key[place] for place in places)] += count
        return counts

    def ends(self) -> tuple[int, ...]:
        """Count the games by kind of end: win, draw, endless, unfinished."""
        by_end = self.marginal(END)
        return tuple(by_end[(kind,)] for kind in range(len(END_NAMES)))

    def to_json(self) -> dict[str, Any]:
        """Return the tally as plain integers in a fixed order, so that equal tallies have equal documents."""
        return {
            "games": self.games,
            "labels": list(self.labels),
            "codes": [[*key, count] for key, count in sorted(self.codes.items())],
            "histograms": {
                name: {str(group): [values.tolist(), counts.tolist()] for group, (values, counts) in sorted(by.items())}
                for name, by in self.histograms.items()
            },
            "products": dict(self.products),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Tally":
        return cls(
            games=document["games"],
            labels=tuple(document["labels"]),
            codes={tuple(key): count for *key, count in document["codes"]},
            histograms={
                name: {int(group): (_integers(values), _integers(counts)) for group, (values, counts) in by.items()}
                for name, by in document["histograms"].items()
            },
            products=dict(document["products"]),
        )

    def digest(self) -> str:
        """Return the SHA-256, in hexadecimal, of the canonical JSON."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def merged(parts: Sequence[Tally]) -> Tally:
    """Return the tally of all their games; raises TallyProblem if they have different columns."""
    first = parts[0]
    if any(part.labels != first.labels or part.histograms.keys() != first.histograms.keys() for part in parts):
        raise TallyProblem("the tallies have different columns, so they are not of one family's games")
    codes: Counter[tuple[int, ...]] = Counter()
    for part in parts:
        codes.update(part.codes)
    return Tally(
        games=sum(part.games for part in parts),
        labels=first.labels,
        codes=codes,
        histograms={name: _merged_groups([part.histograms[name] for part in parts]) for name in first.histograms},
        products={name: sum(part.products[name] for part in parts) for name in first.products},
    )


def tally_rows(rows: NDArray[np.int32], measures: Sequence[Measure]) -> Tally:
    """Reduce rows to counts.

    rows: int32[games, measures], a row per game. Raises TallyProblem if the shape or a kind of end is wrong.
    """
    if rows.ndim != 2 or rows.shape[1] != len(measures):
        raise TallyProblem(f"rows of {len(measures)} columns were expected, not an array of shape {rows.shape}")
    table = np.ascontiguousarray(rows.T)
    columns = {measure.name: table[place] for place, measure in enumerate(measures)}
    if len(rows) and not 0 <= columns[END].min() <= columns[END].max() < len(END_NAMES):
        raise TallyProblem(f"a kind of end is a number from 0 to {len(END_NAMES) - 1}")
    labels = tuple(measure.name for measure in measures if measure.unit == "code")
    histograms = {}
    for measure in measures:
        if measure.unit != "code" and measure.name != OPTIONS and measure.scope != MOBILITY:
            histograms[measure.name] = _histograms(columns[measure.name], _groups(measure.scope, columns))
    for stem, parts in totals(measures).items():
        total = np.asarray(sum(columns[part.name].astype(np.int64) for part in parts))
        histograms[stem] = _histograms(total, _groups(parts[0].scope, columns))
    return Tally(
        games=len(rows),
        labels=labels,
        codes=_joint_counts([columns[label] for label in labels]),
        histograms=histograms,
        products={
            "*".join(names): _sum_of_products([columns[name] for name in names])
            for above, below in ratios(measures)
            for names in ((above,), (below,), (above, above), (above, below), (below, below))
        },
    )


def ratios(measures: Sequence[Measure]) -> list[tuple[str, str]]:
    """List the pairs of measures that matter only as a ratio: options over decisions, over all seats and by seat."""
    by_seat: dict[int | None, dict[str, str]] = {}
    for measure in measures:
        if measure.scope == MOBILITY:
            by_seat.setdefault(measure.seat, {})[measure.unit] = measure.name
    return [(OPTIONS, DECISIONS), *((names[OPTIONS], names[DECISIONS]) for names in by_seat.values())]


def totals(measures: Sequence[Measure]) -> dict[str, list[Measure]]:
    """Group the measures counted for each seat under the name of their total: "captures" for captures_0, captures_1."""
    by_stem: dict[str, list[Measure]] = {}
    for measure in measures:
        if measure.seat is not None and measure.unit != "code" and measure.scope not in (MOBILITY, COURSE):
            by_stem.setdefault(measure.name.removesuffix(f"_{measure.seat}"), []).append(measure)
    return {stem: parts for stem, parts in by_stem.items() if len(parts) > 1}


def ended_label(scope: str) -> str:
    """Name the code column that says whether this part of the game ended."""
    return f"{scope}_ended"


def winner_label(scope: str) -> str:
    """Name the code column that says which seat was ahead when this part of the game ended."""
    return f"{scope}_winner"


def _groups(scope: str, columns: Mapping[str, NDArray[np.int32]]) -> NDArray[np.int32]:
    """Return the group of each game for a measure of this scope; see `Tally.histograms`."""
    if scope in (GAME, COURSE):
        return columns[END]
    return np.where(columns[ended_label(scope)] == 1, PART_ENDED, np.maximum(columns[END], 1))


def _histograms(values: NDArray[Any], groups: NDArray[np.int32]) -> dict[int, Counts]:
    if not len(values):
        return {}
    lowest = int(values.min())
    width = len(END_NAMES)
    # Value and group become one number, so that one pass counts the histograms of all groups.
    keys = (values.astype(np.int64) - lowest) * width + groups
    if (int(values.max()) - lowest + 1) * width <= MOST_BINS:
        counts = np.bincount(keys)
        keys = np.flatnonzero(counts)
        counts = counts[keys]
    else:
        keys, counts = np.unique(keys, return_counts=True)
    by_group: dict[int, Counts] = {}
    for group in range(width):
        chosen = keys % width == group
        if chosen.any():
            by_group[group] = (keys[chosen] // width + lowest, counts[chosen])
    return by_group


def _joint_counts(columns: Sequence[NDArray[np.int32]]) -> dict[tuple[int, ...], int]:
    if not len(columns[0]):
        return {}
    lowest = [int(column.min()) for column in columns]
    widths = [int(column.max()) - low + 1 for column, low in zip(columns, lowest, strict=True)]
    if prod(widths) > INT64_MOST:
        raise TallyProblem("the codes of a row take too many values to be counted together")
    # Each combination of codes becomes one number in a mixed radix, which `unravel_index` takes apart again.
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    for column, low, width in zip(columns, lowest, widths, strict=True):
        keys = keys * width + (column - low)
    keys, counts = np.unique(keys, return_counts=True)
    places = np.unravel_index(keys, widths)
    codes = np.stack(places, axis=1) + np.array(lowest)
    return {tuple(key): count for key, count in zip(codes.tolist(), counts.tolist(), strict=True)}


def _sum_of_products(columns: Sequence[NDArray[np.int32]]) -> int:
    bound = len(columns[0]) * prod(int(np.abs(column, dtype=np.int64).max(initial=0)) for column in columns)
    # Python integers where 64 bits could overflow: slower, and exact.
    exact: Any = np.int64 if bound <= INT64_MOST else object
    product = columns[0].astype(exact)
    for column in columns[1:]:
        product = product * column.astype(exact)
    return int(product.sum())


def _merged_groups(parts: Sequence[Mapping[int, Counts]]) -> dict[int, Counts]:
    merged_by_group = {}
    for group in sorted({group for by in parts for group in by}):
        pairs = [by[group] for by in parts if group in by]
        merged_by_group[group] = pairs[0] if len(pairs) == 1 else merged_counts(pairs)
    return merged_by_group


def merged_counts(pairs: Sequence[Counts]) -> Counts:
    """Merge histograms into one; none at all give an empty one."""
    if not pairs:
        return _integers([]), _integers([])
    values, places = np.unique(np.concatenate([pair[0] for pair in pairs]), return_inverse=True)
    counts = np.zeros(len(values), dtype=np.int64)
    np.add.at(counts, places, np.concatenate([pair[1] for pair in pairs]))
    return values, counts


def _integers(values: Sequence[int]) -> Integers:
    return np.array(values, dtype=np.int64)
