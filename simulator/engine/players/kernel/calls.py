"""How a search asks a family: one compiled function per family, called by its address.

A search touches the whole of a family's rules at many places, and a compiler builds a caller together with all it
calls. Bound like the loops, every search would be built anew, with all the rules in it, for each family; called by
address, the searches are built once, and each family once (decision 010). What a call needs lies on a desk, an array
of integers: addresses of arrays, which the caller keeps alive, then what is asked and what is answered.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simulator.engine.compiled import inlined, words

# Places on a desk.
(ACT, AT_RULES, AT_POSITION, AT_COUNTS, AT_OUT, AT_STREAMS, ASKED, ASKED_TOO) = range(8)
(THROWS, MOVE_CODES, EXPLORATION, UNTIL_ROUND, FIRST_STREAM, LAST_STREAM) = range(8, 14)
# What is known of the position on the desk once it was played or looked at: kind of end or -1, winning seats as bits,
# whose move it is. With UNTIL_ROUND the first round's end is the game's.
(END, WINNERS, MOVING) = range(14, 17)
DESK = 17

# What may be asked.
(START, LOOK, PLAY, PLAY_ON, LIST, DRAW_MOVE, EVALUATE, SCALE, KEY) = range(9)


@intrinsic
def address(typing_context: Any, array: Any) -> Any:
    """Where the words of an array begin, as an integer."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(context.make_array(array)(context, builder, arguments[0]).data, ir.IntType(64))

    return types.int64(array), build


@intrinsic
def call(typing_context: Any, function: Any, asked: Any, desk: Any) -> Any:
    """Call a family's function by its address: int64(int64 asked, int64* desk)."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, pointer = ir.IntType(64), ir.IntType(64).as_pointer()
        target = builder.inttoptr(arguments[0], ir.FunctionType(number, [number, pointer]).as_pointer())
        return builder.call(target, [arguments[1], arguments[2]])

    return types.int64(types.int64, types.int64, types.CPointer(types.int64)), build


@inlined
def ask(desk, asked):
    return call(desk[ACT], asked, words(desk))


@inlined
def lay(desk, position, counts):
    """Lay a position and its counts on the desk: what is asked from now on is asked of them."""
    desk[AT_POSITION], desk[AT_COUNTS] = address(position), address(counts)


@inlined
def legal_moves(desk, out):
    """Write the moves of the position on the desk into `out`; returns how many."""
    desk[AT_OUT] = address(out)
    return ask(desk, LIST)


@inlined
def play(desk, move):
    desk[ASKED] = move
    ask(desk, PLAY)


@inlined
def look(desk):
    """See how the position on the desk stands."""
    ask(desk, LOOK)


@inlined
def evaluate(desk, seat):
    desk[ASKED] = seat
    return ask(desk, EVALUATE)


@inlined
def key_of(desk, salt):
    """64 bits of the identity of the position on the desk, other ones for another salt."""
    desk[ASKED] = salt
    return ask(desk, KEY)


@inlined
def play_on(desk, last_turn):
    """Play on at random until the game is over or settled for good, or so many turns were played."""
    desk[ASKED] = last_turn
    ask(desk, PLAY_ON)


@inlined
def draw_move(desk, stream, out):
    """(a uniformly drawn move, number of options)."""
    desk[ASKED], desk[AT_OUT] = stream, address(out)
    move = ask(desk, DRAW_MOVE)
    return move, desk[ASKED_TOO]
