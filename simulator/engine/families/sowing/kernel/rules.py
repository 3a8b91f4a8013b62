"""Where the numbers of a ruleset stand in the kernel's array of rules, and how compiled code reads them.

The parameters come first, in the order of the schema: `R_<KEY>` is the place of one, `<KEY>_<WORD>` the number of one
of its words. Behind them stands what follows from them, and for plain rules the table of laps.

Some of these numbers are known to the compiler: the type of the words says which. Code that is compiled for such a type
reads what is known as a constant, so that what a ruleset never has is not even asked. Nothing changes rules while games
are played: what was read once need not be read again.
"""

import operator
from collections.abc import Mapping
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from simulator.engine.families.sowing.position import MANY
from simulator.engine.schemas import constant, keys, schema
from simulator.engine.tables import columns_of


class Rules(types.Type):
    """The words of an array of rules.

    known: place in the array -> the number that stands there
    """

    dtype = types.int64

    def __init__(self, name: str, known: Mapping[int, int]) -> None:
        self.known = dict(known)
        super().__init__(name)


register_model(Rules)(models.PointerModel)


def known_words(rules: Any, kind: Rules) -> Any:
    """Return what an intrinsic answers that takes an array of rules, or its words, for words of that kind."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(rules, types.CPointer | Rules):
            return arguments[0]
        return context.make_array(rules)(context, builder, *arguments).data

    return kind(rules), build


@infer
class _ReadByName(AbstractTemplate):
    key = "static_getitem"

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, *args) if isinstance(args[0], Rules) else None


@infer_global(operator.getitem)
class _ReadByPlace(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, args[0], types.int64) if isinstance(args[0], Rules) else None


@lower_builtin("static_getitem", Rules, types.Any)
def _read_by_name(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    words, place = arguments
    if place in sig.args[0].known:
        return ir.Constant(ir.IntType(64), sig.args[0].known[place])
    return _read(builder, words, ir.Constant(ir.IntType(64), place))


@lower_builtin(operator.getitem, Rules, types.int64)
def _read_by_place(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _read(builder, *arguments)


def _read(builder: Any, words: Any, place: Any) -> Any:
    number = builder.load(builder.gep(words, [place]))
    number.set_metadata("invariant.load", builder.module.add_metadata([]))
    return number


def __getattr__(name: str) -> int:
    return constant("sowing", name)


KEYS = keys("sowing")
# What follows from the parameters. A ruleset is plain if it has no rule of ABSENT, at most eight holes a row and few
# enough counters for its table of laps. HANDS is one more than its largest hand. AROUND: the holes of the board;
# TABLED: the game is played by its tables; LISTED: all moves are listed before one is drawn.
(MAY_BE_ENDLESS, HAS_MARKS, MAY_TURN, PLAIN, HANDS, AROUND, TABLED, LISTED, WEIGHTS) = range(len(KEYS), len(KEYS) + 9)
# What each feature weighs: HOLES_OF + number, for which an empty hole is none, and weighs nothing. OTHERS says whether
# the features of the other player count.
STORE, ROW, HOLES_OF = WEIGHTS, WEIGHTS + 1, WEIGHTS + 2
TO_STORE, TEMPO, OTHERS, TABLE = range(HOLES_OF + MANY + 1, HOLES_OF + MANY + 5)
# An entry of the table, for each direction, hole and hand: increments of sixteen holes, a byte each; the place of the
# last counter (-1: the store); how many fall into the store.
ENTRY, ENTRY_LAST, ENTRY_STORE = 4, 2, 3

# Behind the rules of a game with tables: by seat, how many holes a turn may start from, and which; then by hole whose
# it is, who starts there (a bit a seat), by seat which follows and which comes before, those opposite, how far its row
# is from the middle in halves of a row, which row that is, whether it is at an end of it, its counters at the start,
# whether it is played backward, who must start there in which turn, and what is special of it; then the rows of both.
MOST, MOST_OWN, MOST_FACING, MOST_ROWS, MOST_PASSINGS = 128, 64, 3, 12, 4
OWN_COUNT, OWN = TABLE, TABLE + 2
OWNER, PLAYED_BY, AFTER = (OWN + 2 * MOST_OWN + MOST * number for number in range(3))
BEFORE, FACING = AFTER + 2 * MOST, AFTER + 4 * MOST
FAR, ROW_OF, IS_END, START, BACKWARD, OPENING, LEAST, KIND = (
    FACING + MOST * (MOST_FACING + number) for number in range(8)
)
NEVER, MUST, KEPT, BY_OWNER, WAYS = 1, 2, 4, 8, 4  # bits of a special hole, and the place of its way behind them
PROPERTIES = schema("sowing")["properties"]
COLUMNS, PASSING_COLUMNS = (len(columns_of(PROPERTIES[key])) for key in ("after_lap", "while_sowing"))
ROWS = KIND + MOST
ROW_AT, PASSINGS = ROWS + 1, ROWS + 1 + MOST_ROWS * COLUMNS
PASSING_AT = PASSINGS + 1
COUNTERS, TURNS_COUNTED, TURNED, TABLES_END = (PASSING_AT + MOST_PASSINGS * PASSING_COLUMNS + n for n in range(4))

# The rules that plain rulesets lack.
ABSENT = (
    *map(KEYS.index, ("first_move_from_end", "singles", "singles_exempt", "relay", "pass_over", "capture_making_then")),
    *map(KEYS.index, ("tied_ends", "capture_next", "idle_turns", "next_round", "short_handed", "loan", "en_passant")),
    *(KEYS.index("palm"), MAY_BE_ENDLESS, HAS_MARKS, MAY_TURN),
)
TRAFFIC = -1  # no place of the array: whether what is sown is counted, which the type alone says
ANY_RULES = Rules("AnyRules", {PLAIN: 0, TRAFFIC: 0})
PLAIN_RULES = Rules("PlainRules", {PLAIN: 1, TRAFFIC: 0, **dict.fromkeys(ABSENT, 0)})
COUNTED_RULES = Rules("CountedRules", {TRAFFIC: 1})


@intrinsic
def any_rules(typing_context: Any, rules: Any) -> Any:
    """Return the words of an array of rules, whatever they are."""
    return known_words(rules, ANY_RULES)


@intrinsic
def plain_rules(typing_context: Any, rules: Any) -> Any:
    """Return the words of an array of rules that are plain."""
    return known_words(rules, PLAIN_RULES)


@intrinsic
def counted_rules(typing_context: Any, rules: Any) -> Any:
    """Return the words of an array of rules, of games whose traffic is counted."""
    return known_words(rules, COUNTED_RULES)
