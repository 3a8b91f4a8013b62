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

Where the cap stopped games, every end is also compared among the games that ended (`…_of_ended`). A difference that is
not there among these as well is one of how many games were stopped, and is called so.

What is not compared: ends that the rules of one of the two make impossible, which have no interval (`impossible`); how
long games go on where a bound of our own ends idle play in one of them and not in the other (`withheld`); and who wins
where the seats are not the same sides in both (`unlike_sides`): it would only say which side begins.

Nothing is concluded of the rules where the games of one of the two are of few kinds, nor where all games are alike in
both: they are then the same game, as far as it was played. Where two players were asked (`of_two_players`) a verdict
is that of both.
"""

from collections.abc import Collection, Mapping, Sequence
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
from simulator.statistics.verdicts import (
    LEVEL,
    Verdict,
    adjusted,
    by_interval,
    games_needed,
    of_both,
    p_apart,
    verdict,
)

Compared = dict[str, Any]
Figures = tuple[paired.PairedFigure, paired.PairedFigure]  # of the two rulesets

RESULTS = "Results"
OF_ENDED = "_of_ended"
ROUNDS = "rounds"  # unit
WHO_WINS = ("won_", "first_player_advantage")  # how the keys begin
Z_90 = 1.6448536269514722  # the normal quantile of (1 + EQUIVALENCE) / 2


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """A batch to be compared.

    rows:       int32[games, measures]
    cap:        the turns after which its games were stopped
    impossible: ends that its rules do not allow, by their keys: "draw", "endless"
    bound:      what ends idle play by a bound of our own; None where nothing does
    kinds:      of how many kinds its games are; None where it is not known
    few:        whether they are so few that they tell of those who played alone
    sides:      what each seat is in these rules, "aligner"; seats that are not the same are not compared
    """

    rows: Rows
    cap: int
    impossible: Collection[str] = ()
    bound: int | None = None
    kinds: int | None = None
    few: bool = False
    sides: tuple[str, ...] = ()


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
    """`{"first", "second", "games", "cap", "kinds", "identical", "impossible", "withheld", "unlike_sides", "measures"}`
    for every two batches, by their places; `unlike_sides` only where the seats are not the same sides.

    Games are compared up to the smallest cap. Raises ValueError if the batches have different numbers of games.
    """
    if len({len(batch.rows) for batch in batches}) != 1:
        raise ValueError("batches of different numbers of games make no pairs")
    cap = min(batch.cap for batch in batches)
    with_parts = not terms.until_round and has_parts([batch.rows for batch in batches], terms.measures)
    columns = [_columns(batch, batches, cap, terms, with_parts) for batch in batches]
    pairs: list[Compared] = []
    for first, second in combinations(range(len(batches)), 2):
        both = batches[first], batches[second]
        same = paired.identical(both[0].rows, both[1].rows)
        games = len(both[0].rows)
        skipped = _skipped(both, columns[first])
        one, other = ([column for column in columns[place] if column.key not in skipped] for place in (first, second))
        pairs.append({
            "first": first,
            "second": second,
            "games": games,
            "cap": cap,
            "kinds": [batch.kinds for batch in both],
            "identical": {**share(same, games)._asdict(), "count": same, "text": share_text(share(same, games))},
            "impossible": _impossible(both, columns[first], columns[second]),
            "withheld": [column.title for column in columns[first] if column.key in skipped and column.grows],
            **({"unlike_sides": [list(batch.sides) for batch in both]} if both[0].sides != both[1].sides else {}),
            "measures": _measures(one, other, cap, terms),
        })  # fmt: skip
    _add_verdicts([measure for pair in pairs for measure in pair["measures"]])
    for pair in pairs:
        _limit_verdicts(pair, any(batches[pair[place]].few for place in ("first", "second")))
    return pairs


def of_two_players(pairs: Sequence[Compared], again: Sequence[Compared]) -> None:
    """Give each measure of the pairs what a second player shows of it, and the verdict of both.

    again: the same pairs, as the second player played them. A measure gains `again`, which is the measure of the
    second or null where that never happened in his games, and `alone`, the verdict of the first by himself.
    """
    both: list[tuple[Compared, Compared | None]] = []
    for pair, other in zip(pairs, again, strict=True):
        pair["again"] = {name: other[name] for name in ("kinds", "identical", "impossible")}
        found = {measure["key"]: measure for measure in other["measures"]}
        for measure in pair["measures"]:
            key = measure["key"]
            both.append((measure, found.get(key) or found.get(key.removesuffix(OF_ENDED))))
    apart = adjusted([p_apart(_limits(measure), _limits(second)) if second else None for measure, second in both])
    for (measure, second), p in zip(both, apart, strict=True):
        measure |= {"alone": measure["verdict"], "again": second}
        measure["verdict"] = str(_of_both(measure, second, p < LEVEL))
        measure["games_needed"] = _most_needed(measure, second)


def _limits(measure: Compared) -> Interval:
    return Interval(*(measure["difference"][name] for name in ("value", "low", "high")))


def _of_both(measure: Compared, second: Compared | None, apart: bool) -> Verdict:
    alone = Verdict(measure["verdict"])
    # What never happened in the games of the second differs in none of them.
    other = Verdict(second["verdict"]) if second else Verdict.SAME
    if alone == other and alone in (Verdict.IDENTICAL, Verdict.KINDS, Verdict.STOPPED):
        return alone
    agree = second is not None and measure["difference"]["value"] * second["difference"]["value"] > 0
    return of_both(_plain(alone), _plain(other), agree, apart and Verdict.KINDS not in (alone, other))


def _plain(alone: Verdict) -> Verdict:
    """Return what one player shows, as one of the three plain verdicts."""
    if alone == Verdict.IDENTICAL:
        return Verdict.SAME
    return alone if alone in (Verdict.SAME, Verdict.DIFFERS) else Verdict.UNDECIDED


def _most_needed(measure: Compared, second: Compared | None) -> int | None:
    """Return with how many games both may be decided; None unless it is undecided for want of games."""
    if measure["verdict"] not in (Verdict.UNDECIDED, Verdict.ONE_PLAYER):
        return None
    return max(filter(None, (one["games_needed"] for one in (measure, second) if one)), default=None)


def _skipped(both: Sequence[PlayedBatch], columns: Sequence[Column]) -> set[str]:
    """Return the keys of what is not compared of two batches."""
    skipped = {key for batch in both for key in batch.impossible}
    if both[0].bound != both[1].bound:
        skipped |= {column.key for column in columns if column.grows}
    if both[0].sides != both[1].sides:
        skipped |= {column.key for column in columns if column.section == RESULTS and column.key.startswith(WHO_WINS)}
    return skipped


def _impossible(both: Sequence[PlayedBatch], *columns: Sequence[Column]) -> list[Compared]:
    """Return `{"key", "title", "first", "second"}` of each end that one of the rulesets does not allow.

    Under a ruleset that allows it its share stands in words, else null: it cannot happen there.
    """
    found = []
    for one, other in zip(*columns, strict=True):
        if one.section == RESULTS and any(one.key in batch.impossible for batch in both):
            texts = [
                None if one.key in batch.impossible else share_text(share(int(column.above.sum()), len(column.above)))
                for batch, column in zip(both, (one, other), strict=True)
            ]
            found.append({"key": one.key, "title": one.title, "first": texts[0], "second": texts[1]})
    return found


def _columns(
    batch: PlayedBatch, batches: Sequence[PlayedBatch], cap: int, terms: ComparisonTerms, with_parts: bool
) -> list[Column]:
    rows, measures = batch.rows, terms.measures
    if len({played.cap for played in batches}) > 1:
        rows = cut(rows, measures, cap)
        measures = [measure for measure in measures if measure.name in ("end", "winners", "turns")]
    columns = columns_of(rows, measures, seats=terms.seats, cap=cap, naming=terms.naming, with_parts=with_parts)
    if terms.until_round:  # when one round is played, how many are begun says nothing of rounds
        columns = [_of_a_round(column, terms) for column in columns if column.unit != ROUNDS]
    return columns


def _of_a_round(column: Column, terms: ComparisonTerms) -> Column:
    """Return a result in the words for a first round, after which nobody has won the game, and none is drawn."""
    titles = {f"won_{seat}": f"More owned by the {terms.naming.seat(seat)}" for seat in range(terms.seats)}
    titles |= {"draw": "Ended equal", "first_player_advantage": "Advantage of the first player in the first round"}
    return replace(column, title=titles[column.key]) if column.key in titles else column


def _measures(first: Sequence[Column], second: Sequence[Column], cap: int, terms: ComparisonTerms) -> list[Compared]:
    unfinished = [column.above for column in (*first, *second) if column.key == "unfinished"]
    assert len(unfinished) == 2, f"rows say which games are unfinished (end {UNFINISHED})"
    stopped = any(column.any() for column in unfinished)
    if stopped:
        first, second = (_with_ended(columns, over) for columns, over in zip((first, second), unfinished, strict=True))
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


def _with_ended(columns: Sequence[Column], unfinished: Numbers) -> list[Column]:
    """Return the columns, each result followed by the same of the games that ended."""
    found = []
    for column in columns:
        found.append(column)
        if column.section == RESULTS and column.key != "unfinished":
            title = f"{column.title}, of games that ended"
            found.append(replace(column, key=column.key + OF_ENDED, title=title, below=1 - unfinished, note=""))
    return found


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


def _limit_verdicts(pair: Compared, few: bool) -> None:
    """Withdraw verdicts that are not of the rules: games of few kinds, games that are all alike, and stopped games."""
    measures = {measure["key"]: measure for measure in pair["measures"]}
    for key, measure in measures.items():
        of_ended = measures.get(key + OF_ENDED)
        if pair["identical"]["count"] == pair["games"]:
            measure |= {"verdict": str(Verdict.IDENTICAL), "games_needed": None}
        elif few:
            measure |= {"verdict": str(Verdict.KINDS), "games_needed": None}
        elif key + OF_ENDED in measures or _is_hidden(key, measures):
            measure["verdict"] = str(_of_all_and_ended(measure, of_ended))


def _is_hidden(key: str, measures: Mapping[str, Compared]) -> bool:
    """Return whether it is a result that is known of no game that ended, though some were stopped."""
    stopped = measures["unfinished"]
    some = stopped["first"]["value"] or stopped["second"]["value"]
    return bool(some) and measures[key]["section"] == RESULTS and key != "unfinished" and not key.endswith(OF_ENDED)


def _of_all_and_ended(measure: Compared, of_ended: Compared | None) -> Verdict:
    alone = Verdict(measure["verdict"])
    other = Verdict(of_ended["verdict"]) if of_ended else Verdict.UNDECIDED
    if alone == Verdict.DIFFERS:
        agree = of_ended is not None and measure["difference"]["value"] * of_ended["difference"]["value"] > 0
        return alone if other == Verdict.DIFFERS and agree else Verdict.STOPPED
    return alone if alone == other else Verdict.UNDECIDED


def _games_needed(measure: Compared) -> int | None:
    if measure["scale"] == "difference":
        low, high = (measure["difference"][name] for name in ("low", "high"))
        return games_needed(low, high, measure["n"], measure["margin"])
    limits = measure["ratio"] or {"low": None, "high": None}
    low, high = (None if limits[name] is None else log(limits[name]) for name in ("low", "high"))
    return games_needed(low, high, measure["n"], log1p(measure["margin"]))
