"""Two or more batches of the same game numbers, compared two by two: every measure with its difference and verdict.

A compared measure is
`{key, title, unit, section, note, first, second, difference, equivalence, scale, margin, p, p_adjusted, p_same,
p_same_adjusted, verdict, games_needed, pairing_gain, n, …}`. `first`, `second`, `difference` and `equivalence` are
`{value, low, high}`, the first three also with their `text`. Shares of all games add `discordant` (games in which it
happened under one ruleset only) and `cohens_h`; amounts add `ratio` and, where every game counts once, `cliffs_delta`;
the length adds `ratio_of_medians` and `medians`. What the games do not give is null.

`equivalence` is the 90 % interval of what has to lie within the margin. Of shares that is the difference (`scale` is
"difference"). Of amounts it is the ratio, which has to lie between 1 / (1 + margin) and 1 + margin (`scale` is
"ratio"): so a verdict is the same whichever of the two comes first. An amount that is nothing in one of them has no
ratio, and is never called the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import log, log1p
from typing import Any

from simulator.engine.ends import UNFINISHED
from simulator.engine.family import Measure
from simulator.engine.naming import Naming
from simulator.statistics import paired
from simulator.statistics.columns import Column, Numbers, Rows, columns_of, cut, has_parts
from simulator.statistics.intervals import Interval, Z, newcombe, share
from simulator.statistics.rows import (
    SHARE,
    Words,
    amount_text,
    change_text,
    difference_text,
    plain_text,
    share_text,
    with_text,
)
from simulator.statistics.verdicts import adjusted, by_interval, games_needed, verdict

Compared = dict[str, Any]
Figures = tuple[paired.PairedFigure, paired.PairedFigure]  # of the two rulesets

RESULTS = "Results"
Z_90 = 1.6448536269514722  # the normal quantile of (1 + EQUIVALENCE) / 2


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """The rows of a batch, int32[games, measures], and the turns after which its games were stopped."""

    rows: Rows
    cap: int


@dataclass(frozen=True, slots=True)
class ComparisonTerms:
    """How batches are compared.

    margins:     differences smaller than these do not matter: "shares" as they are, "amounts" as a part of the smaller
                 of the two figures
    seed:        of the bootstrap, which draws so many resamples
    until_round: whether only first rounds were played
    """

    measures: Sequence[Measure]
    seats: int
    naming: Naming
    margins: Mapping[str, float]
    seed: int
    until_round: bool = False
    resamples: int = paired.RESAMPLES


def compare(batches: Sequence[PlayedBatch], terms: ComparisonTerms) -> list[Compared]:
    """`{"first", "second", "games", "cap", "identical", "measures"}` for every two batches, by their places.

    Games are compared up to the smallest cap. Raises ValueError if the batches have different numbers of games.
    """
    if len({len(batch.rows) for batch in batches}) != 1:
        raise ValueError("batches of different numbers of games make no pairs")
    cap = min(batch.cap for batch in batches)
    with_parts = not terms.until_round and has_parts([batch.rows for batch in batches], terms.measures)
    columns = [_columns(batch, batches, cap, terms, with_parts) for batch in batches]
    pairs: list[Compared] = []
    for first, second in combinations(range(len(batches)), 2):
        same = paired.identical(batches[first].rows, batches[second].rows)
        games = len(batches[first].rows)
        measures = _measures(columns[first], columns[second], cap, terms)
        alike = {**share(same, games)._asdict(), "count": same, "text": share_text(share(same, games))}
        pairs.append(
            {"first": first, "second": second, "games": games, "cap": cap, "identical": alike, "measures": measures}
        )
    _add_verdicts([measure for pair in pairs for measure in pair["measures"]])
    return pairs


def _columns(
    batch: PlayedBatch, batches: Sequence[PlayedBatch], cap: int, terms: ComparisonTerms, with_parts: bool
) -> list[Column]:
    rows, measures = batch.rows, terms.measures
    if len({played.cap for played in batches}) > 1:
        rows = cut(rows, measures, cap)
        measures = [measure for measure in measures if measure.name in ("end", "winners", "turns")]
    return columns_of(rows, measures, seats=terms.seats, cap=cap, naming=terms.naming, with_parts=with_parts)


def _measures(first: Sequence[Column], second: Sequence[Column], cap: int, terms: ComparisonTerms) -> list[Compared]:
    unfinished = [column.above for column in (*first, *second) if column.key == "unfinished"]
    assert len(unfinished) == 2, f"rows say which games are unfinished (end {UNFINISHED})"
    stopped = any(column.any() for column in unfinished)
    measures = []
    for one, other in zip(first, second, strict=True):
        if _says_the_same(one, first) and _says_the_same(other, second):
            continue
        one = one if one.note else replace(one, note=other.note)
        if one.section != RESULTS and not (one.above.any() or other.above.any()):
            continue  # it never happens in either
        figures = _figures(one, other)
        if figures is None:
            continue
        measure = (_shares if one.is_share else _amounts)(one, other, figures, terms)
        if one.key == "turns":
            measure |= _medians(one.above, other.above, unfinished, cap, terms)
        if stopped and one.grows:
            measure["title"] += f", up to turn {cap:,}"
        measures.append(measure)
    return measures


def _figures(one: Column, other: Column) -> Figures | None:
    """Return the figures of both columns; None if a batch has no game with such a value."""
    first, second = paired.paired_figure(one.above, one.below), paired.paired_figure(other.above, other.below)
    return (first, second) if first and second else None


def _says_the_same(column: Column, columns: Sequence[Column]) -> bool:
    """Return whether a seat's measure is the total of all seats, because no other seat has any."""
    total = next((other for other in columns if other.key == column.key.rpartition("_")[0]), None)
    return total is not None and total.unit == column.unit and bool((total.above == column.above).all())


def _shares(one: Column, other: Column, figures: Figures, terms: ComparisonTerms) -> Compared:
    margin = terms.margins["shares"]
    if one.unit != SHARE:
        return _means(one, figures, margin, difference_text, most=2)
    if one.below is not None and other.below is not None:
        return _shares_of_some(one, other, figures, margin)
    pairs = paired.PairedShares.of(one.above, other.above)
    shares = [share(int(column.above.sum()), len(column.above)) for column in (one, other)]
    change = paired.Difference(
        pairs.difference(),
        pairs.difference(paired.EQUIVALENCE),
        pairs.mcnemar(),
        pairs.same_p(margin),
        paired.pairing_gain(*figures),
    )
    measure = _measure(one, shares, change, margin, share_text, difference_text)
    return measure | {
        "discordant": {"first_only": pairs.first, "second_only": pairs.second},
        "cohens_h": pairs.cohens_h(),
    }


def _shares_of_some(one: Column, other: Column, figures: Figures, margin: float) -> Compared:
    """Return the shares of the games in which a part ended, which need not be the same games under both rulesets."""
    counts = [(int(column.above.sum()), int(column.below.sum())) for column in (one, other) if column.below is not None]
    phi = paired.correlation(*figures)

    def limits(z: float) -> Interval:
        return newcombe(share(*counts[1], z), share(*counts[0], z), phi)

    change = replace(
        paired.difference(*figures, margin),
        interval=limits(Z),
        equivalence=limits(Z_90),
        p_same=by_interval(limits, margin),
    )
    return _measure(one, [share(*count) for count in counts], change, margin, share_text, difference_text)


def _amounts(one: Column, other: Column, figures: Figures, terms: ComparisonTerms) -> Compared:
    margin = terms.margins["amounts"]
    measure = _means(one, figures, margin, lambda change: change_text(change, one.unit))
    relative = paired.Ratio.of(*figures)
    measure |= {
        "ratio": with_text(relative.interval(), plain_text) if relative else None,
        "scale": "ratio",
        "equivalence": (relative.interval(paired.EQUIVALENCE) if relative else Interval(1.0, None, None))._asdict(),
        "p_same": relative.same_p(margin) if relative else None,
    }
    if one.below is None:
        measure["cliffs_delta"] = with_text(paired.cliffs_delta(one.above, other.above), plain_text)
    return measure


def _means(one: Column, figures: Figures, margin: float, change_words: Words, most: int | None = None) -> Compared:
    """Compare the means of two columns.

    most: how much the measure can change in a game, if that is bounded: pairs that are alike in all games then leave
    room for the share of others that so many games may have missed
    """
    change = paired.difference(*figures, margin)
    if most and change.p is None:
        missed = partial(_missed, len(one.above), most)
        same = by_interval(missed, margin)
        change = replace(change, interval=missed(Z), equivalence=missed(Z_90), p_same=same)
    return _measure(one, [figure.interval() for figure in figures], change, margin, _words_of(one), change_words)


def _missed(games: int, most: int, z: float) -> Interval:
    """Return the interval where no pair differs: at most Wilson's upper limit of 0, each as large as can be."""
    high = share(0, games, z).high
    assert high is not None
    return Interval(0.0, -most * high, most * high)


def _words_of(column: Column) -> Words:
    if column.is_share:
        return share_text if column.unit == SHARE else difference_text
    return lambda figure: amount_text(figure, column.unit)


def _measure(
    column: Column,
    figures: Sequence[Interval],
    change: paired.Difference,
    margin: float,
    words: Words,
    change_words: Words,
) -> Compared:
    first, second = figures
    return {
        **{name: getattr(column, name) for name in ("key", "title", "unit", "section", "note")},
        "n": len(column.above),
        "first": with_text(first, words),
        "second": with_text(second, words),
        "difference": with_text(change.interval, change_words),
        "equivalence": change.equivalence._asdict(),
        "scale": "difference",
        "margin": margin,
        "p": change.p,
        "p_same": change.p_same,
        "pairing_gain": change.gain,
    }


def _medians(
    first: Numbers, second: Numbers, unfinished: Sequence[Numbers], cap: int, terms: ComparisonTerms
) -> Compared:
    """Compare the medians; unfinished games count as longer than any that ended."""
    lengths = [turns + over for turns, over in zip((first, second), unfinished, strict=True)]
    ratio = paired.ratio_of_medians(lengths[0], lengths[1], (cap, cap), seed=terms.seed, resamples=terms.resamples)
    return {
        "medians": [paired.median(turns, cap) for turns in lengths],
        "ratio_of_medians": with_text(ratio, plain_text) if ratio else None,
    }


def _add_verdicts(measures: Sequence[Compared]) -> None:
    corrected = [adjusted([measure[name] for measure in measures]) for name in ("p", "p_same")]
    for measure, p, p_same in zip(measures, *corrected, strict=True):
        conclusion = verdict(p_same, p)
        needed = _games_needed(measure) if conclusion == "undecided" else None
        measure |= {"p_adjusted": p, "p_same_adjusted": p_same, "verdict": str(conclusion), "games_needed": needed}


def _games_needed(measure: Compared) -> int | None:
    if measure["scale"] == "difference":
        low, high = (measure["difference"][name] for name in ("low", "high"))
        return games_needed(low, high, measure["n"], measure["margin"])
    limits = measure["ratio"] or {"low": None, "high": None}
    low, high = (None if limits[name] is None else log(limits[name]) for name in ("low", "high"))
    return games_needed(low, high, measure["n"], log1p(measure["margin"]))
