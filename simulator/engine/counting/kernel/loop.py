"""The loop that plays games and counts their traffic, compiled only as copies for families (`counted`).

Beside a contract's functions it names those of a family's `kernel.traffic`: `begin_traffic`, `keep_traffic`,
`count_traffic` and `end_traffic`. The loop of games without traffic is another one, which knows nothing of this.
"""
# ruff: noqa: F821
# mypy: ignore-errors

from simulator.engine.compiled import inlined, words
from simulator.engine.ends import DRAW, UNFINISHED, WIN
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below, open_streams

TURNS, DECISIONS, OPTIONS = 0, 1, 2
BLOCKS, SHIFT = 256, 20
SCALE = 1 << SHIFT


@inlined
def fold(cells, spans, channels, shares, sums):
    """Add a game's shares and counts, and empty its cells.

    All shares of a kind of use are taken by one reciprocal, in SCALE squared, and rounded to the nearest.
    """
    here = 0
    while here < channels:
        beyond, total = here, 0
        while beyond < channels and spans[3 * beyond] == spans[3 * here]:
            for cell in range(spans[3 * beyond + 1], spans[3 * beyond + 2]):
                total += cells[cell]
            beyond += 1
        if total:
            reciprocal = SCALE * SCALE // total
            for span in range(here, beyond):
                # Whether a cell was used is as good as chance: what costs less than a wrong guess is done for all.
                for cell in range(spans[3 * span + 1], spans[3 * span + 2]):
                    used = cells[cell]
                    shares[cell] += (used * reciprocal + (SCALE >> 1)) >> SHIFT
                    sums[cell] += used
                    cells[cell] = 0
        here = beyond


def play_counted(
    rules,
    rows,
    position,
    before,
    streams,
    counts,
    out,
    tables,
    cells,
    spans,
    shares,
    games,
    sums,
    listed,
    plies,
    seed,
    choice_seed,
    first_game,
    cap,
    until_round,
):
    """Play len(rows) games, write their rows and add their traffic.

    plies:  as many moves as are listed, which are played instead of drawn ones; -1 if moves are drawn
    tables: what the family's traffic needs; cells: int64, what is counted of a game, and behind it room for work
    spans:  int64[channels, 3], as `traffic.Layout` has them
    shares, games, sums: what `traffic.Sums` has
    """
    for g in range(len(rows)):
        open_streams(streams, seed, first_game + g, FIRST_STREAM, CHOICE - 1)
        open_streams(streams, choice_seed, first_game + g, CHOICE, LAST_STREAM)
        start(rules, position, streams, counts)
        begin_traffic(rules, tables, position, counts, cells)
        end, winners = outcome(rules, position)
        ply = 0
        while end < 0 and counts[TURNS] < cap and ply != plies:
            if until_round and round_outcome(counts)[0]:
                break
            seat = mover(rules, position)
            if plies < 0:
                move, options = random_move(rules, position, streams, CHOICE + seat, out)
                if options > 1:
                    counts[DECISIONS] += 1
                    counts[OPTIONS] += options
            else:
                move = listed[ply]
            ply += 1
            keep_traffic(rules, tables, position, counts, seat, before)
            turn = counts[TURNS]
            play(rules, position, move, streams, counts)
            count_traffic(rules, tables, before, position, counts, move, seat, turn, cells)
            end, winners = outcome(rules, position)
        if until_round and end != 2 and round_outcome(counts)[0]:
            first = round_outcome(counts)[1]
            end = DRAW if first < 0 else WIN
            winners = 0 if first < 0 else 1 << first
        end_traffic(rules, tables, position, counts, cells)
        stopped = 1 if end < 0 else 0
        block = (first_game + g) & (BLOCKS - 1)
        fold(words(cells), words(spans), len(spans), words(shares[stopped, block]), words(sums[stopped]))
        games[stopped, block] += 1
        rows[g, 0] = UNFINISHED if end < 0 else end
        rows[g, 1] = winners
        for i in range(2, rows.shape[1]):
            rows[g, i] = counts[i - 2]


__all__ = ["below", "play_counted"]
