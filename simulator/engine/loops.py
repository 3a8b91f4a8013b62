"""Generic loops over any family's kernel contract. They are compiled only as copies that `bind` makes.

The names that are not defined here (`start`, `mover`, `outcome`, `random_move`, `moves`, `play`, `round_outcome`) are the family's.
"""
# ruff: noqa: F821
# mypy: ignore-errors

from simulator.engine.family import DRAW, UNFINISHED, WIN
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below, open_streams

TURNS, DECISIONS, OPTIONS = 0, 1, 2


def play_games(rules, rows, position, streams, counts, out, seed, first_game, cap, until_round):
    """Play len(rows) games between random players and write their rows; int32[games, measures]."""
    for g in range(len(rows)):
        open_streams(streams, seed, first_game + g, CHOICE)
        start(rules, position, streams, counts)
        end, winners = outcome(rules, position)
        while end < 0 and counts[TURNS] < cap:
            if until_round and round_outcome(counts)[0]:
                break
            seat = mover(rules, position)
            move, options = random_move(rules, position, streams, seat, out)
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
        for i in range(2, rows.shape[1]):
            rows[g, i] = counts[i - 2]


def expand(rules, positions, after, scratch, streams, counts, out, stack):
    """Play every whole turn from every running position (rows of `positions`, identity and tail).

    Writes what follows into `after` (int64[room, words]) and returns how many, or -1 if there is no room. A turn of several
    plies is walked depth first on `stack`.
    """
    found = 0
    for i in range(len(positions)):
        stack[0] = positions[i]
        depth = 1
        while depth:
            depth -= 1
            scratch[:] = stack[depth]
            options = moves(rules, scratch, out)
            for k in range(options):
                stack[depth + options - 1 - k, 0] = stack[depth + options - 1 - k, 0]
            base = depth
            for k in range(options):
                trial = after[found] if found < len(after) else scratch
                if found >= len(after):
                    return -1
                trial[:] = scratch
                turns = counts[TURNS]
                play(rules, trial, out[k], streams, counts)
                if counts[TURNS] > turns:
                    found += 1
                else:
                    stack[base] = trial
                    base += 1
            depth = base
    return found


__all__ = ["below", "expand", "play_games"]
