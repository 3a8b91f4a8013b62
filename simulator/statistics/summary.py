"""The figures of a batch, section by section, as a document for pages, plots and the API.

A share is of all games of the batch, whatever became of them. Every row is
`{key, title, value, low, high, unit, n, text, note}`: `n` is the number of games it rests on, `text` the figure in
words with its interval; `value` is null where the games do not give the figure, and `text` then says why.

Results are who won, and the four kinds of end, as shares of all games. Draws, endless and unfinished games stay in the
denominator, so the shares of a batch add up to one; they are not counted as half a win to anybody. Where the cap
stopped games, each share is given once more among those that ended. An end that no rule brings about cannot happen, and
its share has no limits. Of first rounds nobody wins any: a side owns more after it, or it ended equal, which rows and
counts have under the code of a draw.

Branching is options over decisions. The course is what had been reached after so many turns, such as the pieces each
side had taken: a game that was over before counts with what stood at its end, so every game of the batch has a value
at every turn up to the cap, and beyond the cap nothing is known.

The luck share says how far the throws alone decide a game. Every game is played a second time with the same throws and
other choices. Were the throws all, both would end alike; did they decide nothing, no oftener than any two games. The
share is the intraclass correlation of the results (for two outcomes the correlation of one side's wins), with an
interval by bootstrap over the pairs of games.

Source: Fleiss, J. L. & Cuzick, J. 1979. The reliability of dichotomous judgments: unequal numbers of judges per
subject. Applied Psychological Measurement 3: 537–542 (the correlation of categories within pairs).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED
from simulator.engine.family import CODE, COURSE, FLAG, GAME, MOBILITY, Measure
from simulator.engine.naming import PLAIN, SEAT_NAMES, Naming, Part
from simulator.engine.tally import DECISIONS, END, OPTIONS, Tally, ended_label, ratios, totals, winner_label
from simulator.statistics.distributions import curve, distribution
from simulator.statistics.intervals import CONFIDENCE, TAIL, Interval, difference_of_shares, ratio
from simulator.statistics.rows import (
    BALANCE,
    NO_GAMES,
    SHARE,
    Row,
    amount_text,
    difference_text,
    mean_row,
    measure_rows,
    not_measured,
    row,
    share_row,
    share_text,
)

ADVANTAGE = "First-player advantage"
ADVANTAGE_NOTE = "Share won by the first player less share won by the second; games nobody won count for neither."
# The kinds of end without a winner: code, key, title, note.
OTHER_ENDS = (
    (DRAW, "draw", "Drawn by the rules", ""),
    (ENDLESS, "endless", "Endless", "A turn never released the mover."),
    (UNFINISHED, "unfinished", "Unfinished", "Our cap stopped the game: neither draw nor loss."),
)
FORCED = "a forced move is no decision."
UNIT = "options a decision"
RESAMPLES = 2_000
DRAWS = "Equal rounds and draws"
STATISTICS_VERSION = 2  # changes when a figure would come out differently
OF_ENDED = "_of_ended"  # after the key of a share of all games: of those that the cap did not stop
CANNOT = "cannot happen"
ENDS_OF_GAMES = {
    "win": "won",
    "draw": "drawn by the rules",
    "endless": "endless: a turn never released the mover",
    "unfinished": "stopped by the cap",
}
ENDS_OF_ROUNDS = {**ENDS_OF_GAMES, "win": "one side owned more after it", "draw": "ended equal"}
ROLE = re.compile(r"\b\w+ \((\w+ player)\)")  # as earlier releases called a side: "hunter (first player)"
Pairs = npt.NDArray[np.int64]  # [outcomes, outcomes]: how often the first game ended in k and the second in l
Section = dict[str, Any]


def winner_counts(tally: Tally, seats: int) -> list[int]:
    """Return the games won by each seat; a game that several seats won counts for each of them."""
    by_mask = tally.marginal("winners")
    return [sum(count for (mask,), count in by_mask.items() if mask >> seat & 1) for seat in range(seats)]


def result_rows(tally: Tally, seats: int, naming: Naming) -> list[Row]:
    ends, games = tally.ends(), tally.games
    rows = [
        share_row(f"won_{seat}", f"Won by the {naming.seat(seat)}", won, games)
        for seat, won in enumerate(winner_counts(tally, seats))
    ]
    if seats == 2:
        rows.append(_advantage(tally))
    return rows + [share_row(key, title, ends[end], games, note) for end, key, title, note in OTHER_ENDS]


def _advantage(tally: Tally) -> Row:
    by_mask = tally.marginal("winners")
    both, first, second = by_mask[(3,)], by_mask[(1,)], by_mask[(2,)]
    figure = difference_of_shares(both, first, second, tally.games - both - first - second)
    text = difference_text(figure)
    return row("first_player_advantage", ADVANTAGE, figure, unit=BALANCE, n=tally.games, text=text, note=ADVANTAGE_NOTE)


def part_rows(tally: Tally, scope: str, seats: int, naming: Naming) -> list[Row]:
    """Return the rows of how a part of the game, such as the first round, ended; `scope` names its code columns."""
    part = naming.part(scope)
    labels = ended_label(scope), winner_label(scope)
    if labels[0] not in tally.labels:
        return []
    ended = ended_games(tally, scope)
    rows = [share_row(f"{scope}_ended", part.ended, ended, tally.games)]
    if labels[1] not in tally.labels or not ended:
        return rows
    by_winner = tally.marginal(*labels)
    note = f"Of {part.among}."
    for seat in range(seats):
        title = f"{part.winner}: {naming.seat(seat)}"
        rows.append(share_row(f"{scope}_won_{seat}", title, by_winner[(1, seat)], ended, note))
    if part.equal:
        rows.append(share_row(f"{scope}_equal", part.equal, by_winner[(1, -1)], ended, note))
    return rows


def came_about_rows(tally: Tally, measures: Sequence[Measure], consent: str) -> list[Row]:
    """Return the rows of measures that are shares of the games: what the rules bring about, and what players do.

    consent: what these players do where the rules let them end the game by consent; empty where they never may
    """
    rows = []
    for measure in (shared for shared in measures if shared.share):
        is_policy = measure.unit == FLAG
        if is_policy and not consent:
            continue
        key, note = f"{measure.name}_share", f"Policy of the players: {consent}." if is_policy else measure.note
        groups = tally.histograms.get(measure.name)
        if groups is None:
            rows.append(not_measured(key, measure.share, SHARE, note))
        else:
            happened = sum(int(counts[values > 0].sum()) for values, counts in groups.values())
            rows.append(share_row(key, measure.share, happened, tally.games, note))
    return rows


def ended_games(tally: Tally, scope: str) -> int:
    """Return the games in which this part came to its end."""
    return sum(count for (flag,), count in tally.marginal(ended_label(scope)).items() if flag == 1)


class Branching(NamedTuple):
    """The names of the measures whose ratio it is. seat: None if it is that of all seats"""

    options: str
    decisions: str
    seat: int | None
    key: str
    title: str


def branchings(measures: Sequence[Measure], naming: Naming) -> Iterator[Branching]:
    """Yield the branching of the game, and of each seat if the family counts options by seat."""
    seats = {measure.name: measure.seat for measure in measures}
    for above, below in ratios(measures):
        seat = seats[above]
        if seat is None:
            yield Branching(above, below, None, "branching", "Branching")
        else:
            yield Branching(above, below, seat, f"branching_{seat}", f"Branching, {naming.seat(seat)}")


def mobility_rows(tally: Tally, measures: Sequence[Measure], naming: Naming) -> list[Row]:
    """Return the branching of the game, and of each seat if the family counts options by seat."""
    return [_branching_row(tally, branching) for branching in branchings(measures, naming)]


def _branching_row(tally: Tally, branching: Branching) -> Row:
    sums, above, below = tally.products, branching.options, branching.decisions
    figure = ratio(
        sums[above], sums[below],
        sums[f"{above}*{above}"], sums[f"{above}*{below}"], sums[f"{below}*{below}"], tally.games,
    )  # fmt: skip
    text = amount_text(figure, UNIT) if figure else NO_GAMES
    whose = "All options over all decisions of all games"
    if branching.seat is not None:
        whose = "This player’s options over this player’s decisions, of all games"
    return row(
        branching.key, branching.title, figure, unit="options", n=tally.games, text=text, note=f"{whose}; {FORCED}"
    )


def paired_outcomes(first: npt.NDArray[np.integer], second: npt.NDArray[np.integer]) -> Pairs:
    """Return how often each pair of outcomes came; `first` and `second`: a code per game, in the order of the games."""
    codes, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    size = len(codes)
    joint = places[: len(first)] * size + places[len(first) :]
    counts: Pairs = np.bincount(joint, minlength=size * size).reshape(size, size)
    return counts


def luck_share(pairs: Pairs, seed: int) -> Interval | None:
    """Return the luck share with its 95 % bootstrap limits; None if every game ended alike."""
    value = _correlation(pairs[np.newaxis])[0]
    if np.isnan(value):
        return None
    games = int(pairs.sum())
    resampled = np.random.Generator(np.random.PCG64(seed)).multinomial(games, pairs.ravel() / games, size=RESAMPLES)
    correlations = _correlation(resampled.reshape(RESAMPLES, *pairs.shape))
    low, high = np.nanquantile(correlations, [TAIL, 1 - TAIL])
    return Interval(float(value), float(low), float(high))


def _correlation(pairs: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """Return (agreeing − expected) / (all − expected) pairs of each table; nan where all are expected to agree."""
    games = pairs.sum(axis=(1, 2))
    agreeing = np.trace(pairs, axis1=1, axis2=2) / games
    shares = (pairs.sum(axis=1) + pairs.sum(axis=2)) / (2 * games[:, np.newaxis])
    expected = (shares**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations: npt.NDArray[np.float64] = np.where(expected < 1, (agreeing - expected) / (1 - expected), np.nan)
    return correlations


def luck_row(pairs: Pairs, seed: int) -> Row:
    """Return the row of the luck share."""
    figure, games = luck_share(pairs, seed), int(pairs.sum())
    note = (
        f"Correlation of the results of {games:,} pairs of games with the same throws and other choices; "
        f"bootstrap over the pairs, seed {seed}. 0 %: the throws decide nothing; 100 %: nothing else does."
    )
    text = share_text(figure) if figure else "every game ended alike"
    return row("luck_share", "Decided by the throws alone", figure, unit=SHARE, n=games, text=text, note=note)


def course_rows(tally: Tally, measures: Sequence[Measure], cap: int) -> list[Row]:
    """Return the rows of the means, turn by turn; none if nothing of the kind ever happened."""
    within_cap = [measure for measure in measures if measure.scope == COURSE and measure.turn <= cap]
    longest = max(int(turns[-1]) for turns, _ in tally.histograms["turns"].values())
    # After the longest game nothing changes any more: the first such turn says it all.
    last = next((measure.turn for measure in within_cap if measure.turn >= longest), cap)
    rows = []
    for measure in within_cap:
        if measure.turn <= last:
            rows.append(mean_row(measure, distribution(measure, tally.histograms[measure.name], cap)))
    return rows if any(row["value"] for row in rows) else []


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
    """Compute every figure of a batch. context: what the batch was (seed, players, ruleset …), which is passed on.

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


def reported(summary: Mapping[str, Any], possible: Collection[int], naming: Naming = PLAIN) -> dict[str, Any]:
    """Return a summary as it is kept and shown, whatever release computed its figures; nothing changes if it is so.

    possible: the ends that games of these rules can have; naming: what seats are called today

    An end that cannot happen has no limits; shares of all games are given among those that ended too, where the cap
    stopped some; first rounds are called so.
    """
    of_rounds, counts = summary["context"].get("until") == "round", summary["counts"]
    ended = summary["games"] - counts["unfinished"]
    sections = []
    for section in summary["sections"]:
        rows = [_renamed(one, naming) for one in section["rows"] if not (of_rounds and one["unit"] == "rounds")]
        if section["key"] == "results":
            rows = [_as_it_can_end(_of_round(row) if of_rounds else row, possible) for row in rows]
            rows = list(_with_ended(rows, ended if ended < summary["games"] else 0))
        sections.append({**section, "rows": rows})
    ends = ENDS_OF_ROUNDS if of_rounds else ENDS_OF_GAMES
    return {**summary, "version": STATISTICS_VERSION, "ends": ends, "sections": sections}


def _renamed(row: Row, naming: Naming) -> Row:
    """Call the sides in a title what they are called today."""

    def today(found: re.Match[str]) -> str:
        seat = naming.seat(SEAT_NAMES.index(found[1])) if found[1] in SEAT_NAMES else found[0]
        return found[0] if seat in row["title"] else seat

    return {**row, "title": ROLE.sub(today, row["title"])}


def _of_round(row: Row) -> Row:
    """Say of a first round what is said of a game."""
    title = row["title"].replace("Won by the", "Owned more after it: the").replace("Drawn by the rules", "Ended equal")
    note = row["note"]
    if row["key"] == "first_player_advantage":
        note = "Share after which the first player owned more less share after which the second did."
    return {**row, "title": title, "note": note.replace("stopped the game: neither draw nor loss", "stopped it")}


def _as_it_can_end(row: Row, possible: Collection[int]) -> Row:
    """Leave the limits out, and say so, where no rule brings an end about; of what games did it is always possible."""
    code = next((end for end, key, _, _ in OTHER_ENDS if key == row["key"]), None)
    if code is None:
        return row
    if code in possible or row["count"]:
        return {**row, "possible": True}
    return {**row, "low": None, "high": None, "text": CANNOT, "possible": False}


def _with_ended(rows: Sequence[Row], ended: int) -> Iterator[Row]:
    """Yield the rows, and behind each share of all games that of the games that ended. ended: how many, 0 if all did"""
    there = {one["key"] for one in rows}
    for one in rows:
        yield one
        key = f"{one['key']}{OF_ENDED}"
        tells = ended and one["unit"] == SHARE and one["key"] != "unfinished" and one.get("possible", True)
        if tells and key not in there and not one["key"].endswith(OF_ENDED):
            yield share_row(key, f"{one['title']}, of those that ended", one["count"], ended)


def parts(measures: Sequence[Measure]) -> list[str]:
    """Return the parts of a game that have measures of their own, such as "first_round"."""
    whole = (GAME, CODE, MOBILITY, COURSE)
    return list(dict.fromkeys(m.scope for m in measures if m.unit != "code" and m.scope not in whole))


def with_totals(measures: Sequence[Measure], naming: Naming) -> dict[str, Measure]:
    """Return the measures by name, and the totals over the seats of those that are counted for each seat."""
    by_name = {measure.name: measure for measure in measures if measure.is_amount and measure.name != OPTIONS}
    for stem, of_seats in totals(measures).items():
        by_name[stem] = Measure(stem, naming.total(stem), of_seats[0].unit, of_seats[0].scope)
    return by_name


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
            values = distribution(measure, self.tally.histograms[name], self.cap)
            rows += measure_rows(measure, values, part)
        return rows


def family_measures(measures: Sequence[Measure]) -> list[str]:
    """Return the measures of the whole game that only this family has; a total before its seats."""
    common = {END, "turns", DECISIONS, OPTIONS, "lead_changes"}
    names = [m.name for m in measures if m.scope == GAME and m.is_amount and m.name not in common]
    for stem, of_seats in totals(measures).items():
        names.insert(names.index(of_seats[0].name), stem)
    return names


def _section(key: str, title: str, rows: list[Row]) -> Section:
    return {"key": key, "title": title, "rows": rows}
