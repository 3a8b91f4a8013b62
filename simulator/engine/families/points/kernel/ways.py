"""What every piece has beside it, in every way at once: the moves of many pieces are counted without looking at each.

For each way that lines lead there is a set of the points from which a piece stands next that way, one set for each
player, and a set of the points from which the point behind that is filled. So the steps in a way are the player's
pieces less those two sets, and the jumps his pieces in the opponent's set less the third: words of bits, counted.

The sets are kept from one position to the next as notes, and follow the pieces that came and went since: a step changes
two points. Notes are no part of a position. They say which pieces they were made of, so that any position may come
next, and those of zeros are right of an empty board.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simulator.engine.bits import WORD, flip_8, highest_bit, lowest_bit
from simulator.engine.compiled import inlined
from simulator.engine.families.points.kernel import layout
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.rules import BLOCK

# The sets of a board are words of way 0, of way 1 …, then zeros. Notes: whose board, either player's pieces, then the
# three kinds of sets.
KEY, PIECES, SETS = 0, 1, 16
BESIDE, BEHIND = 0, 2
HALF = 32  # bits of the number of steps, below that of jumps


@inlined
def sets_at(rules, which):
    """Return where sets begin among notes: pieces beside of the first player, of the second, pieces behind these."""
    return SETS + which * rules[rule.R_LANES]


@inlined
def steps_table(rules, kind):
    """Return where it stands from which points a kind of piece may step, way by way."""
    return rules[rule.R_AT_LANES] + kind * rules[rule.R_LANES]


@inlined
def jumps_table(rules, kind):
    return steps_table(rules, 3 + kind)


@inlined
def over_table(rules, point):
    """Return where the points next to one stand, way by way, if there is a point behind."""
    return steps_table(rules, 6 + point)


@inlined
def landing_table(rules, point):
    """Return where the points stand, way by way, that are behind the points next to one."""
    return over_table(rules, rules[rule.R_POINTS] + point)


@inlined
def follow(rules, position, wide, notes):
    """Bring the notes up to the pieces of a position."""
    lanes = rules[rule.R_LANES]
    if notes[KEY] != rules[rule.R_BOARD_KEY]:
        for i in range(SETS + 3 * lanes):
            notes[i] = 0
        notes[KEY] = rules[rule.R_BOARD_KEY]
    # For each point from where it is next, way by way, and from where it is behind the next; then zeros.
    table, row = over_table(rules, 2 * rules[rule.R_POINTS]), 2 * lanes
    nothing = table + row * rules[rule.R_POINTS]
    for seat in range(2):
        beside, behind = sets_at(rules, BESIDE + seat), sets_at(rules, BEHIND)
        for w in range(len(wide)):
            pieces = layout.pieces(position, wide, seat, w)
            changed = notes[PIECES + seat * len(wide) + w] ^ pieces
            notes[PIECES + seat * len(wide) + w] = pieces
            while changed:
                # Two at a time, as a step leaves them.
                first, last = lowest_bit(changed), highest_bit(changed)
                one = table + row * (64 * w + first)
                other = nothing if first == last else table + row * (64 * w + last)
                changed &= ~(1 << first | 1 << last)
                for lane in range(0, lanes, BLOCK):
                    flip_8(notes, beside + lane, rules, one + lane, other + lane)
                    flip_8(notes, behind + lane, rules, one + lanes + lane, other + lanes + lane)


@inlined
def count(rules, position, wide, notes, seat, which, kind):
    """Return (steps, jumps) of a set of the player's pieces, and add those that can jump to the jumpers."""
    own, other, behind = sets_at(rules, BESIDE + seat), sets_at(rules, BESIDE + 1 - seat), sets_at(rules, BEHIND)
    may_step, may_jump, found = steps_table(rules, kind), jumps_table(rules, kind), 0
    for lane in range(0, rules[rule.R_LANES], BLOCK):
        found += _count_8(
            (notes, own + lane, other + lane, behind + lane),
            (rules, may_step + lane, may_jump + lane),
            (position, which, layout.jumpers_at(wide)),
            wide,
        )
    return found & ((1 << HALF) - 1), found >> HALF


@intrinsic
def _count_8(typing_context: Any, notes: Any, rules: Any, position: Any, wide: Any) -> Any:
    """Return the steps, and 2 ** HALF times the jumps, that one vector of sets has; add to the jumpers.

    notes:    (they, where pieces of the player's are beside, where opposing ones are, where any are behind)
    rules:    (they, from where it may be stepped, and jumped)
    position: (it, where the set of pieces begins, where that of the jumpers does)
    """
    size = len(wide)

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vector(base: Any, place: Any, length: int) -> Any:
            return builder.bitcast(builder.gep(base, [place]), ir.VectorType(WORD, length).as_pointer())

        def chosen(one: Any, other: Any, places: list[int]) -> Any:
            return builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places))

        def folded(whole: Any, length: int, join: Any) -> Any:
            half = BLOCK
            while half > length:
                half //= 2
                one, other = (chosen(whole, whole, list(range(k, k + half))) for k in (0, half))
                whole = join(one, other)
            return whole

        def counted(bits: Any) -> Any:
            kind = ir.FunctionType(bits.type, [bits.type])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{BLOCK}i64"), [bits])

        (noted, *sets), (table, *may), (at, which, jumpers) = (
            cgutils.unpack_tuple(builder, argument) for argument in arguments[:3]
        )
        own, other, behind = (builder.load(vector(noted, place, BLOCK), align=8) for place in sets)
        may_step, may_jump = (builder.load(vector(table, place, BLOCK), align=8) for place in may)
        pieces = builder.load(vector(at, which, size), align=8)
        pieces = chosen(pieces, pieces, [lane % size for lane in range(BLOCK)])
        steps = builder.and_(builder.and_(pieces, may_step), builder.not_(builder.or_(own, other)))
        jumps = builder.and_(builder.and_(pieces, may_jump), builder.and_(other, builder.not_(behind)))
        upper = ir.Constant(jumps.type, [ir.Constant(WORD, HALF)] * BLOCK)
        both = builder.add(counted(steps), builder.shl(counted(jumps), upper))
        add_to = vector(at, jumpers, size)
        found = builder.or_(builder.load(add_to, align=8), folded(jumps, size, builder.or_))
        builder.store(found, add_to, align=8)
        return builder.extract_element(folded(both, 1, builder.add), ir.Constant(ir.IntType(32), 0))

    return types.int64(notes, rules, position, wide), build


@inlined
def links_table(rules, seat):
    """Return where the links of a player's men begin: what is said in `rules`, then tables by what stands where."""
    return rules[rule.R_AT_LINKS + seat]


@inlined
def links(rules, position, wide, seat):
    """Return the moves of men on a small board as the bits of a word, in the order of the contract."""
    table, own = links_table(rules, seat), position[layout.set_at(wide, layout.MEN + seat)]
    vacant, other = position[layout.vacant_at(wide)], position[layout.opposing_at(wide)]
    begin = to = over = 0
    # Some points at a time: what links have their pieces at their beginning, and nothing at their end.
    begins = table + rule.LINKS_HEAD
    for at in range(begins, begins + 3 * rule.SOME * rules[rule.R_SOMES], 3 * rule.SOME):
        begin |= rules[at + (own & rule.SOME - 1)]
        to |= rules[at + rule.SOME + (vacant & rule.SOME - 1)]
        over |= rules[at + 2 * rule.SOME + (other & rule.SOME - 1)]
        own, vacant, other = own >> rule.SOME_BITS, vacant >> rule.SOME_BITS, other >> rule.SOME_BITS
    return begin & to & over
