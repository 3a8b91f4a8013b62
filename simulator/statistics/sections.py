"""The rows of a summary, section by section: results, decisions, the course of the game, and luck.

Results are who won, and the four kinds of end, as shares of all games. Draws, endless and unfinished games stay in the
denominator, so the shares of a batch add up to one; they are not counted as half a win to anybody.

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

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED
from simulator.engine.family import COURSE, FLAG, Measure
from simulator.engine.naming import Naming
from simulator.engine.tally import Tally, ended_label, ratios, winner_label
from simulator.statistics.distributions import distribution
from simulator.statistics.intervals import TAIL, Interval, difference_of_shares, ratio
from simulator.statistics.rows import (
    BALANCE,
    NO_GAMES,
    SHARE,
    Row,
    amount_text,
    difference_text,
    mean_row,
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
Pairs = npt.NDArray[np.int64]  # [outcomes, outcomes]: how often the first game ended in k and the second in l


def winner_counts(tally: Tally, seats: int) -> list[int]:
    """Games won by each seat; a game that several seats won counts for each of them."""
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
    """How a part of the game, such as the first round, ended; `scope` names its code columns."""
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
    """In what share of the games it came about that is told as a share: what the rules bring, and what players do.

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
            found = sum(int(counts[values > 0].sum()) for values, counts in groups.values())
            rows.append(share_row(key, measure.share, found, tally.games, note))
    return rows


def ended_games(tally: Tally, scope: str) -> int:
    """Games in which this part came to its end."""
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
    """The branching of the game, and of each seat if the family counts options by seat."""
    return [_branching_row(tally, branching) for branching in branchings(measures, naming)]


def _branching_row(tally: Tally, found: Branching) -> Row:
    sums, above, below = tally.products, found.options, found.decisions
    figure = ratio(
        sums[above], sums[below],
        sums[f"{above}*{above}"], sums[f"{above}*{below}"], sums[f"{below}*{below}"], tally.games,
    )  # fmt: skip
    text = amount_text(figure, UNIT) if figure else NO_GAMES
    whose = "All options over all decisions of all games"
    if found.seat is not None:
        whose = "This player’s options over this player’s decisions, of all games"
    return row(found.key, found.title, figure, unit="options", n=tally.games, text=text, note=f"{whose}; {FORCED}")


def paired_outcomes(first: npt.NDArray[np.integer], second: npt.NDArray[np.integer]) -> Pairs:
    """How often each pair of outcomes came; `first` and `second`: a code per game, in the order of the games."""
    codes, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    size = len(codes)
    joint = places[: len(first)] * size + places[len(first) :]
    counts: Pairs = np.bincount(joint, minlength=size * size).reshape(size, size)
    return counts


def luck_share(pairs: Pairs, seed: int) -> Interval | None:
    """The luck share with its 95 % bootstrap limits, or None if every game ended alike, so that nothing is decided."""
    value = _correlation(pairs[np.newaxis])[0]
    if np.isnan(value):
        return None
    games = int(pairs.sum())
    resampled = np.random.Generator(np.random.PCG64(seed)).multinomial(games, pairs.ravel() / games, size=RESAMPLES)
    found = _correlation(resampled.reshape(RESAMPLES, *pairs.shape))
    low, high = np.nanquantile(found, [TAIL, 1 - TAIL])
    return Interval(float(value), float(low), float(high))


def _correlation(pairs: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """(agreeing pairs - those expected) / (all pairs - those expected), of each table; nan where all is expected."""
    games = pairs.sum(axis=(1, 2))
    agreeing = np.trace(pairs, axis1=1, axis2=2) / games
    shares = (pairs.sum(axis=1) + pairs.sum(axis=2)) / (2 * games[:, np.newaxis])
    expected = (shares**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: npt.NDArray[np.float64] = np.where(expected < 1, (agreeing - expected) / (1 - expected), np.nan)
    return found


def luck_row(pairs: Pairs, seed: int) -> Row:
    """The figure for a page."""
    figure, games = luck_share(pairs, seed), int(pairs.sum())
    note = (
        f"Correlation of the results of {games:,} pairs of games with the same throws and other choices; "
        f"bootstrap over the pairs, seed {seed}. 0 %: the throws decide nothing; 100 %: nothing else does."
    )
    text = share_text(figure) if figure else "every game ended alike"
    return row("luck_share", "Decided by the throws alone", figure, unit=SHARE, n=games, text=text, note=note)


def course_rows(tally: Tally, measures: Sequence[Measure], cap: int) -> list[Row]:
    """The means, turn by turn; none if nothing of the kind ever happened."""
    within_cap = [measure for measure in measures if measure.scope == COURSE and measure.turn <= cap]
    longest = max(int(turns[-1]) for turns, _ in tally.histograms["turns"].values())
    # After the longest game nothing changes any more: the first such turn says it all.
    last = next((measure.turn for measure in within_cap if measure.turn >= longest), cap)
    rows = []
    for measure in within_cap:
        if measure.turn <= last:
            rows.append(mean_row(measure, distribution(measure, tally.histograms[measure.name], cap)))
    return rows if any(row["value"] for row in rows) else []
