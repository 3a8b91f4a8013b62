"""A family's rules as one compiled function, for the searches that call it by its address.

The names in lower case that are not defined here are the family's contract; `rules_at` and the constants in capitals
are given where it is bound.
"""
# ruff: noqa: F821
# mypy: ignore-errors

import numpy as np

from simulator.engine.family import DRAW, ENDLESS, WIN
from simulator.engine.players.kernel.calls import (
    ASKED,
    ASKED_TOO,
    AT_COUNTS,
    AT_OUT,
    AT_POSITION,
    AT_RULES,
    AT_STREAMS,
    DRAW_MOVE,
    END,
    EVALUATE,
    KEY,
    LIST,
    MOVING,
    PLAY,
    PLAY_ON,
    SCALE,
    START,
    UNTIL_ROUND,
    WINNERS,
)
from simulator.engine.players.kernel.pointers import draws_at, words_at
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import mix

TURNS = 0


def act(asked, desk):
    """Answer what is asked of the position on the desk."""
    rules, position = rules_at(desk[AT_RULES]), words_at(desk[AT_POSITION])
    counts, out, streams = words_at(desk[AT_COUNTS]), words_at(desk[AT_OUT]), draws_at(desk[AT_STREAMS])
    if asked == LIST:
        return moves(rules, position, out)
    if asked == DRAW_MOVE:
        move, desk[ASKED_TOO] = random_move(rules, position, streams, desk[ASKED], out)
        return move
    if asked == EVALUATE:
        return evaluate(rules, position, desk[ASKED])
    if asked == SCALE:
        return EVALUATION_SCALE
    if asked == KEY:
        key = np.uint64(desk[ASKED])
        for i in range(identity_size(rules)):
            key = mix(key ^ np.uint64(position[i]))
        return np.int64(key)
    if asked == START:
        start(rules, position, streams, counts)
    elif asked == PLAY:
        play(rules, position, desk[ASKED], streams, counts)
    one_round, stop = desk[UNTIL_ROUND], desk[ASKED] if asked == PLAY_ON else 0
    end, winners = outcome(rules, position)
    for_good = -1
    while end < 0 and counts[TURNS] < stop and not (one_round and round_outcome(counts)[0]):
        for_good = settled(rules, position, one_round)
        if for_good >= 0:
            break
        move, _ = random_move(rules, position, streams, CHOICE, out)
        play(rules, position, move, streams, counts)
        end, winners = outcome(rules, position)
    if one_round and end != ENDLESS and round_outcome(counts)[0]:
        first = round_outcome(counts)[1]
        end = DRAW if first < 0 else WIN
        winners = 0 if first < 0 else 1 << first
    elif for_good >= 0:
        end, winners = WIN, 1 << for_good
    desk[END], desk[WINNERS], desk[MOVING] = end, winners, mover(rules, position)
    return 0
