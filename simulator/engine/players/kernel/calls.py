"""How a search asks a family: one compiled function per family, called by its address.

A search touches the whole of a family's rules at many places, and a compiler builds a caller together with all it
calls. Bound like the loops, every search would be built anew, with all the rules in it, for each family; called by
address, the searches are built once, and each family once (decision 010). What a call needs lies in a frame, an array
of integers: addresses of arrays, which the caller keeps alive, then the argument and the results.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simulator.engine.compiled import inlined, words

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
    """Where the words of an array begin, as an integer."""

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
    """How many of the moves in `out` are left without the one that ends the game only by consent."""
    return options - (out[options - 1] == frame[CONSENT])


@inlined
def play(frame, move):
    frame[ARGUMENT] = move
    call(frame, PLAY)


@inlined
def read_outcome(frame):
    """See how the position in the frame stands."""
    call(frame, READ_OUTCOME)


@inlined
def evaluate(frame, seat):
    frame[ARGUMENT] = seat
    return call(frame, EVALUATE)


@inlined
def key_of(frame, salt):
    """64 bits of the identity of the position in the frame, other ones for another salt."""
    frame[ARGUMENT] = salt
    return call(frame, KEY)


@inlined
def play_on(frame, horizon):
    """Play on at random until the game is over or settled for good, or so many turns were played.

    What is not over then is evaluated.
    """
    frame[HORIZON] = horizon
    call(frame, PLAY_ON)


@inlined
def play_out(frame, move, horizon):
    """`play`, then `play_on`."""
    frame[ARGUMENT], frame[HORIZON] = move, horizon
    call(frame, PLAY_OUT)


@inlined
def draw_move(frame, stream, out):
    """(a uniformly drawn move, number of options)."""
    frame[ARGUMENT], frame[AT_OUT] = stream, address(out)
    move = call(frame, DRAW_MOVE)
    return move, frame[SECOND_RESULT]
