"""Who won, and the four kinds of end: shares of all games.

Draws, endless and unfinished games stay in the denominator, so the shares of a batch add up to one. They are not
counted as half a win to anybody.
"""

from collections.abc import Sequence

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED
from simulator.engine.family import FLAG, Measure
from simulator.engine.naming import Naming
from simulator.engine.tally import Tally, ended_label, winner_label
from simulator.statistics.intervals import difference_of_shares
from simulator.statistics.rows import BALANCE, SHARE, Row, not_measured, row, share_row
from simulator.statistics.wording import difference_text

ADVANTAGE = "First-player advantage"
ADVANTAGE_NOTE = "Share won by the first player less share won by the second; games nobody won count for neither."
# The kinds of end without a winner: code, key, title, note.
OTHER_ENDS = (
    (DRAW, "draw", "Drawn by the rules", ""),
    (ENDLESS, "endless", "Endless", "A turn never released the mover."),
    (UNFINISHED, "unfinished", "Unfinished", "Our cap stopped the game: neither draw nor loss."),
)


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
    for measure in (one for one in measures if one.share):
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
