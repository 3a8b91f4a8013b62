"""A family's rules as one compiled function, for the searches that call it by its address.

The names in lower case that are not defined here are the family's contract; `rules_at` and the constants in capitals
are given where it is bound.
"""
# ruff: noqa: F821
# mypy: ignore-errors

import numpy as np

from simulator.engine.ends import DRAW, ENDLESS, WIN
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.calls import copy_words, draws_at, words_at
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import mix

TURNS = 0


def dispatch(operation, frame):
    """Carry out an operation on the position in the frame."""
    rules, position = rules_at(frame[calls.AT_RULES]), words_at(frame[calls.AT_POSITION])
    counts, out = words_at(frame[calls.AT_COUNTS]), words_at(frame[calls.AT_OUT])
    streams = draws_at(frame[calls.AT_STREAMS])
    if operation == calls.LIST:
        return moves(rules, position, out)
    if operation == calls.DRAW_MOVE:
        move, frame[calls.SECOND_RESULT] = random_move(rules, position, streams, frame[calls.ARGUMENT], out)
        return move
    if operation == calls.EVALUATE:
        return evaluate(rules, position, frame[calls.ARGUMENT])
    if operation == calls.KEY:
        key = np.uint64(frame[calls.ARGUMENT])
        for i in range(identity_size(rules)):
            key = mix(key ^ np.uint64(position[i]))
        return np.int64(key)
    if operation == calls.COPY:
        # No rule looks at a count. Tree search asks for turns, and where the first round is the game, how that ended.
        copy_words(counts, words_at(frame[calls.ARGUMENT]), frame[calls.COUNTS] if frame[calls.UNTIL_ROUND] else 1)
        target = words_at(frame[calls.ARGUMENT] + 8 * frame[calls.COUNTS])
        copy_words(position, target, size_in_use(rules, position))
        return 0
    if operation == calls.START:
        start(rules, position, streams, counts)
    elif operation == calls.PLAY or operation == calls.PLAY_OUT:
        if operation == calls.PLAY or frame[calls.HORIZON] == 0:
            look_past(rules, position)
        play(rules, position, frame[calls.ARGUMENT], streams, counts)
    goes_on = operation == calls.PLAY_ON or operation == calls.PLAY_OUT
    one_round, stop = frame[calls.UNTIL_ROUND], counts[TURNS] + frame[calls.HORIZON] if goes_on else 0
    end, winners = outcome(rules, position)
    frame[calls.AT_ONCE] = (end >= 0) | (one_round and round_outcome(counts)[0])
    # A game that is settled for good need not be played to its end: the winner can no longer change.
    for_good = -1
    while end < 0 and counts[TURNS] < stop and not (one_round and round_outcome(counts)[0]):
        for_good = settled(rules, position, one_round)
        if for_good >= 0:
            break
        move, _ = random_move(rules, position, streams, CHOICE, out)
        # The last turn that is played: the family need not prepare for a further one.
        if counts[TURNS] + 1 >= stop:
            look_past(rules, position)
        play(rules, position, move, streams, counts)
        end, winners = outcome(rules, position)
    if one_round and end != ENDLESS and round_outcome(counts)[0]:
        first = round_outcome(counts)[1]
        end = DRAW if first < 0 else WIN
        winners = 0 if first < 0 else 1 << first
    elif for_good >= 0:
        end, winners = WIN, 1 << for_good
    if goes_on and end < 0:
        frame[calls.AHEAD] = evaluate(rules, position, 0)
    frame[calls.END], frame[calls.WINNERS], frame[calls.MOVING] = end, winners, mover(rules, position)
    return 0
