"""A sowing position, as one row of integers too, and what happens in a turn.

The words are the position's identity: two positions that differ in none of them are the same. What only bounds remember
(turns without a capture, repeated positions) and the position a turn began from stand behind them. The referee tells
its turns as events, each with the parameters that made it happen, so that a replay can show the clause that fired.
"""

from dataclasses import dataclass, field

from simulator.engine.families.sowing.board import NOBODY as NOBODY
from simulator.engine.families.sowing.board import Board, two_rows
from simulator.engine.families.sowing.tables import Tables
from simulator.engine.referee_playout import shallow_copy


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    kind:     "passed_over", "game_end", or one that `sentences.SENTENCES` has words for
    keys:     the parameters of the ruleset that fired
    seat:     whom it concerns
    hole:     place on the board, or None
    counters: how many counters it moved
    why:      which of the kind's sentences tells it
    path:     of a lap: the holes into which its counters fell, in order; STORE for the mover's store. Only drawings
              ask, so that it is no part of what two events are compared by
    """

    kind: str
    keys: tuple[str, ...] = ()
    seat: int = 0
    hole: int | None = None
    counters: int = 0
    why: str = ""
    path: tuple[int, ...] = field(default=(), compare=False)


STORE = -1  # in place of a hole: the mover's own store


# Phases: a hole is chosen; the poorer player lays out; the richer player's layout is a turn of its own; over; a player
# takes something or leaves it; he picks a hole of the opponent's; before the game each lays a counter in turn.
SOW, LAY, LAY_RICH, OVER, CHOOSE, PICK, ARRANGE = range(7)

# Marks of a hole. The owner of a mark is its lowest bit.
ORDINARY, BLIND = 0, 1
BARRED = 2  # puta, naga, a partly filled hole: 2 + owner
PALM = 4  # covered by its owner: 4 + owner
TIED = 6  # tied by its owner: 6 + owner

# Moves. A start is 2 * hole + (0 anticlockwise, 1 clockwise), holes counted from the mover's left.
PASS, BORROW, SHIFT_ONE, SHIFT_TWO, LAY_OWN_TURN, CALL_DRAW, TAKE, LEAVE = range(32, 40)
FIRST_FAR = 64  # starts beyond the sixteenth hole go on here
PICKED = 512  # and a hole
# Layouts: LAYOUT + 4096 * end + pattern; end 0 is the mover's left. Pattern 0 is the usual layout; else 1, then a bit a
# hole for 2 instead of 1; where holes between may stay empty 1 + what the holes hold, as digits to the base of three.
LAYOUT = 8192
LAYOUT_END = 4096
MOST_MOVES = 2 * LAYOUT_END + 64


def start_move(number: int, heading: int) -> int:
    """Return the move that starts from a player's hole of that number."""
    move = 2 * number + (heading < 0)
    return move if move < PASS else move + FIRST_FAR - PASS


def start_of(move: int) -> tuple[int, int]:
    """Return the number of the player's hole that a move starts from, and its heading."""
    number, backward = divmod(move if move < PASS else move - FIRST_FAR + PASS, 2)
    return number, -1 if backward else 1


def is_start(move: int) -> bool:
    return move < PASS or FIRST_FAR <= move < PICKED


# Loans: 0 none; 1 + seat may borrow; 3 + seat has borrowed; 5 + seat has shifted.
MAY_BORROW, HAS_BORROWED, HAS_SHIFTED = 1, 3, 5

# Places of the words.
(W_PHASE, W_MOVER, W_DIRECTION, W_STORE, _, W_MOVED, W_ROUND, W_STARTER, W_RICHER, W_EXCESS, W_REMAINDER) = range(11)
W_SHORT, W_SHORT_NUMBER, W_LOAN, W_END, W_WINNERS, W_HOLES = range(11, 17)

RUNNING = -1
MANY = 7  # counters in a hole: one with as many or more is alike to whoever only weighs a position


@dataclass(slots=True)
class Position:
    """One position on a board with rows of `row` holes.

    holes, marks: a number for each hole, as the board counts them: on two rows anticlockwise, seat 0's row from its
                  left, then seat 1's row from its left
    direction:    1 anticlockwise, -1 clockwise, 0 not chosen yet
    moved:        seats that have made their first move, as bits; kept only if a rule asks
    richer:       1 + seat that was richer at the start of this round, 0 for none; kept only if a rule asks
    excess:       what the richer player put aside; remainder: what the poorer player's part hole held
    short:        1 + the short-handed seat, 0 for none; short_number: 1 if it laid ones, 2 if twos
    end:          -1 while running, else the kind of end; winners: seats as bits
    idle:         turns in succession without a capture; memory: positions since the last capture (both bounds only)
    rounds:       which round this is, for those who read; no rule asks, and it is no part of the identity
    board:        the holes; that of two rows unless another is given
    tables:       of a game that is played by some; None for others
    laps:         so many laps of this turn have been sown before a decision within it
    In a game with tables `excess` is what a player decides on within a turn (1 + 16 * hole + row, or the holes he still
    picks), `remainder` the turns so far, no further than a rule asks, and `short_number` 1 + where the last turn ended.
    """

    row: int
    holes: list[int]
    marks: list[int]
    phase: int = SOW
    mover: int = 0
    direction: int = 0
    stores: list[int] = field(default_factory=lambda: [0, 0])
    moved: int = 0
    round: int = 1
    starter: int = 0
    richer: int = 0
    excess: int = 0
    remainder: int = 0
    short: int = 0
    short_number: int = 0
    loan: int = 0
    end: int = RUNNING
    winners: int = 0
    idle: int = 0
    memory: tuple[tuple[int, ...], ...] = ()
    rounds: int = 1
    before_turn: "Position | None" = None
    board: Board = None  # type: ignore[assignment]
    tables: Tables = None  # type: ignore[assignment]
    laps: int = 0

    def __post_init__(self) -> None:
        if self.board is None:
            self.board = two_rows(self.row)

    def copy(self) -> "Position":
        return shallow_copy(self, holes=self.holes[:], marks=self.marks[:], stores=self.stores[:])

    def words(self) -> tuple[int, ...]:
        """Return the identity of the position as integers, in the kernel's order."""
        return (
            self.phase,
            self.mover,
            self.direction,
            *self.stores,
            self.moved,
            self.round,
            self.starter,
            self.richer,
            self.excess,
            self.remainder,
            self.short,
            self.short_number,
            self.loan,
            self.end,
            self.winners,
            *self.holes,
            *self.marks,
        )

    def own_row(self, seat: int) -> tuple[int, ...]:
        return self.board.own[seat]

    def owner_of_hole(self, hole: int) -> int:
        """Return whose hole it is; -1 if it is nobody's."""
        return self.board.owner[hole]

    def opposite(self, hole: int) -> int:
        return self.board.facing[hole][0]

    def from_first(self, seat: int, direction: int, steps: int) -> int:
        """Return the hole of that seat's row that is `steps` after its first one in the direction of sowing."""
        own = self.board.own[seat]
        return own[steps if direction > 0 else len(own) - 1 - steps]

    def is_barred(self, hole: int) -> bool:
        return self.marks[hole] in (BARRED, BARRED + 1, TIED, TIED + 1)

    def is_row_empty(self, seat: int) -> bool:
        return not any(self.holes[hole] for hole in self.own_row(seat))
