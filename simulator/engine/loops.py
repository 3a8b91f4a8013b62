"""Generic loops over any family's kernel contract. They are compiled only as copies that `bind` makes.

The names that are not defined here (`FIRST_STREAM`, `LAST_STREAM`, `start`, `mover`, `outcome`, `random_move`, `moves`,
`play`, `round_outcome`) are the family's.
"""
# ruff: noqa: F821
# mypy: ignore-errors

from simulator.engine.ends import DRAW, UNFINISHED, WIN
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below, open_streams

TURNS, DECISIONS, OPTIONS = 0, 1, 2


def play_games(rules, rows, position, streams, counts, out, seed, choice_seed, first_game, cap, until_round):
    """Play len(rows) games between random players and write their rows; int32[games, measures].

    seed: where chance begins; choice_seed: where the players' choices do
    """
    for g in range(len(rows)):
        # Throws and choices have seeds of their own, so that other choices can be tried against the same throws.
        open_streams(streams, seed, first_game + g, FIRST_STREAM, CHOICE - 1)
        open_streams(streams, choice_seed, first_game + g, CHOICE, LAST_STREAM)
        start(rules, position, streams, counts)
        end, winners = outcome(rules, position)
        while end < 0 and counts[TURNS] < cap:
            if until_round and round_outcome(counts)[0]:
                break
            seat = mover(rules, position)
            move, options = random_move(rules, position, streams, CHOICE + seat, out)
            if options > 1:
                counts[DECISIONS] += 1
                counts[OPTIONS] += options
            play(rules, position, move, streams, counts)
            end, winners = outcome(rules, position)
        if until_round and end != 2 and round_outcome(counts)[0]:
            first = round_outcome(counts)[1]
            end = DRAW if first < 0 else WIN
            winners = 0 if first < 0 else 1 << first
        rows[g, 0] = UNFINISHED if end < 0 else end
        rows[g, 1] = winners
        # A row is the end, the winners, and the counts in the order of the measures.
        for i in range(2, rows.shape[1]):
            rows[g, i] = counts[i - 2]


def expand(rules, positions, children, kinds, streams, counts, out):
    """Play every move of every position; int64[positions, words] into children, int64[room, words].

    kinds: int8[room], what came of each: 0 the turn goes on, 1 the turn is over, 2 the game is over.
    Returns (positions played, children written); stops before a position whose moves would not fit.
    """
    found = 0
    for i in range(len(positions)):
        options = moves(rules, positions[i], out)
        if found + options > len(children):
            return i, found
        for k in range(options):
            child = children[found]
            for w in range(len(child)):  # a slice would be copied by way of the heap
                child[w] = positions[i, w]
            counts[:] = 0
            play(rules, child, out[k], streams, counts)
            kinds[found] = 2 if outcome(rules, child)[0] >= 0 else 1 if counts[TURNS] else 0
            found += 1
    return len(positions), found


def count_plies(rules, games, position, streams, counts, out, seed, cap):
    """Return how many plies the first `games` games between random players have."""
    plies = 0
    for g in range(games):
        open_streams(streams, seed, g, FIRST_STREAM, LAST_STREAM)
        start(rules, position, streams, counts)
        while outcome(rules, position)[0] < 0 and counts[TURNS] < cap:
            move, _ = random_move(rules, position, streams, CHOICE + mover(rules, position), out)
            play(rules, position, move, streams, counts)
            plies += 1
    return plies


__all__ = ["below", "count_plies", "expand", "play_games"]
