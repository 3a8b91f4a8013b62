"""How a search asks a family: one compiled function per family, called by its address.

A search touches the whole of a family's rules at many places, and a compiler builds a caller together with all it
calls. Bound like the loops, every search would be built again, with all the rules in it, for each family; called by
address, the searches are built once, and each family once (decision 010). What a call needs lies in a frame, an array
of integers: addresses of arrays, which the caller keeps alive, then the argument and the results.

Beside the calls stands what all searches share: what a position or a finished game is worth, and shuffling.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simulator.engine.compiled import inlined, kernel_function, words
from simulator.engine.ends import WIN
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below


@intrinsic
def words_at(typing_context: Any, place: Any) -> Any:
    """Return a pointer to the integers that begin at an address."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())

    return types.CPointer(types.int64)(types.int64), build


@intrinsic
def draws_at(typing_context: Any, place: Any) -> Any:
    """Return a pointer to the streams of draws that begin at an address."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())

    return types.CPointer(types.uint64)(types.int64), build


@intrinsic
def copy_words(typing_context: Any, source: Any, target: Any, number: Any) -> Any:
    """Copy so many words of 8 bytes; the two places must not overlap."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from_words, to_words, count = arguments
        cgutils.raw_memcpy(builder, to_words, from_words, count, 8)
        return context.get_dummy_value()

    return types.none(types.CPointer(types.int64), types.CPointer(types.int64), types.int64), build


@inlined
def plain_rules(place):
    """Return the rules at an address, of a family whose rules are one array."""
    return words_at(place)


@inlined
def rules_of_one_word(place):
    """Return the rules at an address, of a family with sets of at most 64 points."""
    return words_at(place), (0,)


@inlined
def rules_of_two_words(place):
    """Return the rules at an address, of a family with sets of at most 128 points."""
    return words_at(place), (0, 0)


@inlined
def rules_of_four_words(place):
    """Return the rules at an address, of a family with sets of at most 256 points."""
    return words_at(place), (0, 0, 0, 0)


OF_WORDS = {1: rules_of_one_word, 2: rules_of_two_words, 4: rules_of_four_words}


def as_argument(rules: Any) -> tuple[Any, Any]:
    """Return (the array of compiled rules, the function that makes rules of its address)."""
    if isinstance(rules, tuple):
        return rules[0], OF_WORDS[len(rules[1])]
    return rules, plain_rules


# Places in a frame.
(DISPATCH, AT_RULES, AT_POSITION, AT_COUNTS, AT_OUT, AT_STREAMS, ARGUMENT, SECOND_RESULT) = range(8)
(THROWS, MOVE_CODES, EXPLORATION, UNTIL_ROUND, FIRST_STREAM, LAST_STREAM) = range(8, 14)
# What is known of the position in the frame once it was played or looked at: kind of end or -1, winning seats as bits,
# whose move it is. With UNTIL_ROUND the first round's end is the game's.
(END, WINNERS, MOVING) = range(14, 17)
CONSENT = 17  # the move that ends a game only by consent, which stands last among the moves, or -1
PRIOR, HORIZON = 18, 19  # of the player who searches, like EXPLORATION
SEATS, SCALE = 20, 21  # SCALE: the family's EVALUATION_SCALE
# Of a game that was played on: whether the move before it had ended it; if it is not over, its evaluation for seat 0.
AT_ONCE, AHEAD = 22, 23
COUNTS, KEPT = 24, 25  # words of a place before its position; how many places of a search are taken
TAKEN = 26  # place among counts of what the first seat has taken; that of the second is next
FRAME_WORDS = 27

# Operations. PLAY_OUT plays a move and then on.
(START, READ_OUTCOME, PLAY, PLAY_ON, PLAY_OUT, LIST, DRAW_MOVE, EVALUATE, KEY, COPY) = range(10)


@intrinsic
def address(typing_context: Any, array: Any) -> Any:
    """Return the address at which the words of an array begin, as an integer."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(context.make_array(array)(context, builder, arguments[0]).data, ir.IntType(64))

    return types.int64(array), build


@intrinsic
def call_address(typing_context: Any, function: Any, operation: Any, frame: Any) -> Any:
    """Call a family's function by its address: int64(int64 operation, int64* frame)."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, pointer = ir.IntType(64), ir.IntType(64).as_pointer()
        target = builder.inttoptr(arguments[0], ir.FunctionType(number, [number, pointer]).as_pointer())
        return builder.call(target, [arguments[1], arguments[2]])

    return types.int64(types.int64, types.int64, types.CPointer(types.int64)), build


@inlined
def call(frame, operation):
    """Carry out an operation on the position in the frame; returns its first result."""
    return call_address(frame[DISPATCH], operation, words(frame))


@inlined
def set_position(frame, position, counts):
    """Put a position and its counts in the frame: operations are about them from now on."""
    frame[AT_POSITION], frame[AT_COUNTS] = address(position), address(counts)


@inlined
def _address_of_place(places, row):
    return address(places) + 8 * row * places.shape[1]


@inlined
def set_place(frame, places, row):
    """Put a place, counts and a position in one row, in the frame."""
    frame[AT_COUNTS] = _address_of_place(places, row)
    frame[AT_POSITION] = frame[AT_COUNTS] + 8 * frame[COUNTS]


@inlined
def copy_place(frame, places, source, target):
    """Copy what a place says into another, and put that in the frame. What it does not say may be much, and stays."""
    set_place(frame, places, source)
    frame[ARGUMENT] = _address_of_place(places, target)
    call(frame, COPY)
    set_place(frame, places, target)


@inlined
def legal_moves(frame, out):
    """Write the moves of the position in the frame into `out`; returns how many."""
    frame[AT_OUT] = address(out)
    return call(frame, LIST)


@inlined
def without_consent(frame, out, options):
    """Return how many of the moves in `out` are left without the one that ends the game only by consent."""
    return options - (out[options - 1] == frame[CONSENT])


@inlined
def play(frame, move):
    """Play a move on the position in the frame, then read how it stands."""
    frame[ARGUMENT] = move
    call(frame, PLAY)


@inlined
def read_outcome(frame):
    """Set END, WINNERS and MOVING from the position in the frame."""
    call(frame, READ_OUTCOME)


@inlined
def evaluate(frame, seat):
    """Return the family's evaluation, an integer, of the position in the frame for a seat."""
    frame[ARGUMENT] = seat
    return call(frame, EVALUATE)


@inlined
def key_of(frame, salt):
    """Return a 64-bit hash of the identity of the position in the frame; another salt gives another hash."""
    frame[ARGUMENT] = salt
    return call(frame, KEY)


@inlined
def play_on(frame, horizon):
    """Play on at random until the game is over or settled for good, or until `horizon` turns are played.

    A game that is not over then is evaluated for seat 0, into AHEAD.
    """
    frame[HORIZON] = horizon
    call(frame, PLAY_ON)


@inlined
def play_out(frame, move, horizon):
    """Play a move, then play on as `play_on` does, in one call."""
    frame[ARGUMENT], frame[HORIZON] = move, horizon
    call(frame, PLAY_OUT)


@inlined
def draw_move(frame, stream, out):
    """Return (a uniformly drawn move, number of options)."""
    frame[ARGUMENT], frame[AT_OUT] = stream, address(out)
    move = call(frame, DRAW_MOVE)
    return move, frame[SECOND_RESULT]


WHOLE = 1024  # the score of a game that was won
MOST_HASTE = WHOLE // 4  # turns
MATE = 1 << 20  # the value of a position that is won at once
MATED = MATE - 4096  # the least value of a win some plies on


@kernel_function
def score(frame, end, winners, seat, turns):
    """Return what a game that was played on is worth to a seat after so many turns, 0 … WHOLE.

    A win is the whole; a game that was cut is judged by the family's evaluation e as (1 + e / (|e| + s)) / 2 of it, s
    being the family's EVALUATION_SCALE, which keeps the order of evaluations. What lies above or below a half shrinks
    with the turns, to half of it after MOST_HASTE: a player who wins whatever he does would otherwise never finish. All
    divisions round down.
    """
    half = WHOLE // 2
    if end == WIN:
        beyond = half if winners >> seat & 1 else -half
    elif end >= 0:
        beyond = 0
    else:
        ahead = _ahead(frame, seat)
        size = abs(ahead) + frame[SCALE]
        # Shifted by `size` to be positive, since the division must round down for both signs alike.
        beyond = half * (ahead + size) // size - half
    # The factor falls from 1 to 1/2 over MOST_HASTE turns.
    return half + beyond * (WHOLE - 2 * min(turns, MOST_HASTE)) // WHOLE


@inlined
def _ahead(frame, seat):
    """Return the evaluation of a game for a seat: of two seats, one is behind by what the other is ahead."""
    if seat == 0:
        return frame[AHEAD]
    return evaluate(frame, seat) if frame[SEATS] > 2 else -frame[AHEAD]


@kernel_function
def value(frame, end, winners, seat, plies):
    """Return what a position is worth to a seat after so many plies: sooner wins are better, sooner losses worse."""
    if end == WIN:
        return MATE - plies if winners >> seat & 1 else plies - MATE
    if end >= 0:
        return 0
    return evaluate(frame, seat)


@inlined
def copy(source, target):
    """Copy a row of integers into another of the same length."""
    copy_words(words(source), words(target), len(target))


@inlined
def throws_drawn(frame, streams):
    """Count the words that the streams of chance have given: more after a move means that lots were thrown."""
    drawn = 0
    for stream in range(frame[FIRST_STREAM], CHOICE):
        drawn += np.int64(streams[stream, 1])
    return drawn


@kernel_function
def shuffle(out, options, streams):
    """Shuffle the first `options` moves of `out`, every order equally likely (Fisher and Yates)."""
    # Each place from the last down gets one of those not yet placed.
    for last in range(options - 1, 0, -1):
        other = below(streams, CHOICE, last + 1)
        out[last], out[other] = out[other], out[last]
