"""A position of a points game, as one row of integers too, and what happens in a ply.

The words are the position's identity: two positions that differ in none of them are the same. What only bounds remember
(turns without a change, turns played, repeated positions) is carried along and is no part of it. The referee tells its
plies as events, each with the parameters that made it happen, so that a replay can show the clause that fired.
"""

from dataclasses import dataclass, field
from typing import Any

from simulator.engine.boards import bitboard
from simulator.engine.referee_playout import shallow_copy


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    kind:   "lay", "put_aside" (laying is over), "none_to_lay", "step", "jump", "capture", "row", "removal", "crowning",
            "again", "stop", "huff", "leave", "pass" or "game_end"
    keys:   the parameters of the ruleset that fired
    seat:   whose doing it is; of a game's end the winner, or None
    point:  where: the point laid on, stepped or jumped to, of the piece taken, removed or huffed, of a row's new piece
    origin: where a step or jump began
    pieces: how many pieces were put aside; of a row that may be part of a line, how many it has
    rows:   how many rows of three a piece has formed
    """

    kind: str
    keys: tuple[str, ...] = ()
    seat: int | None = None
    point: int | None = None
    origin: int | None = None
    pieces: int = 0
    rows: int = 0


# Phases: a piece is laid or moved; an opposing piece is removed; a piece that has jumped may jump again; over; a piece
# that could have jumped may be huffed.
PLAY, REMOVE, CHAIN, OVER, HUFF = range(5)

# Moves. Laying on p is p, removing or huffing from p is 128 + p, to leave what could be huffed is 258, a step is
# 1024 + 128 * from + to, a jump 32768 + 128 * from + to. On a board of more than 128 points a removal is 512 + p, a
# step 1024 + 256 * from + to, a jump 131072 + 256 * from + to.
LAY, REMOVE_MOVE, PASS, STOP, LEAVE, STEP, JUMP = 0, 128, 256, 257, 258, 1024, 32768
FROM = 128
REMOVE_WIDE, JUMP_WIDE, FROM_WIDE = 512, 131072, 256
MOST_POINTS = 256
MOST_MOVES = 128 * 128  # every piece to every vacant point


def removal(points: int, point: int) -> int:
    """Return the code of removing or huffing a piece, on a board of so many points."""
    return (REMOVE_MOVE if points <= FROM else REMOVE_WIDE) + point


def step(points: int, origin: int, to: int) -> int:
    """Return the code of a step."""
    return STEP + (FROM if points <= FROM else FROM_WIDE) * origin + to


def jump(points: int, origin: int, to: int) -> int:
    """Return the code of a jump."""
    return JUMP + FROM * origin + to if points <= FROM else JUMP_WIDE + FROM_WIDE * origin + to


def read_move(points: int, move: int) -> tuple[str, int, int]:
    """Return what a move is ("lay", "remove", "pass", "stop", "leave", "step" or "jump"), the point it begins on, and
    the point it leads to; of a single point both are that one."""
    origins, jumps = (FROM, JUMP) if points <= FROM else (FROM_WIDE, JUMP_WIDE)
    if move >= jumps:
        return ("jump", *divmod(move - jumps, origins))
    if move >= STEP:
        return ("step", *divmod(move - STEP, origins))
    if move in SINGLE:
        return SINGLE[move], -1, -1
    kind, point = ("lay", move) if move < origins else ("remove", move - removal(points, 0))
    return kind, point, point


SINGLE = {PASS: "pass", STOP: "stop", LEAVE: "leave"}

# Places of the words; behind them the sets as words of 64 bits: men and kings of either seat; then what is taken
# and still stands or, where a turn begins, what may be huffed: only one of the two is ever there.
(W_PHASE, W_MOVER, W_HAND, _, W_CHAIN, W_CHAIN_DIRECTION, W_HOPS, W_LAID, W_END, W_WINNERS, W_SETS) = range(11)

RUNNING = -1
MOST_LOOKED_AT, MOST_DEEP = 2000, 24  # jumps that are tried behind one, and how far, to find what takes the most
MEMORY = 64  # turns that the rule on repetition looks back on


@dataclass(slots=True)
class Position:
    """One position on a board of `points` points.

    board:           the Board, where its lines are to be drawn or its points named; without one, that of the records
                     which has as many points
    men, kings:      the points where each seat's pieces stand
    lifted:          pieces taken in this turn that still stand; they are in no other set
    huffable:        pieces of the player who moved last that could have jumped and did not, till the other has acted
    hands:           pieces each seat has still to lay; has_common_supply: both lay from one, which both numbers tell
    chain:           the point of the piece that has jumped and may go on, or None
    chain_direction: 1 + direction of a king's last jump, 0 for a man; where a table says how pieces take, 1 if the
                     piece may stop. hops: jumps made in this turn, at most 2. All three are kept only in phase CHAIN
    has_leaders:     the kings are no crowned men, but leaders
    laid:            1 in phase REMOVE if the row was formed by laying; 1 at the beginning of a turn if the turn before
                     laid a piece and a rule asks
    end:             -1 while running, else the kind of end; winners: seats as bits
    idle:            turns in succession in which nothing was laid, taken or removed; turns: turns played
    memory:          what stood at the beginnings of turns since the last laying, capture or removal, the present one
                     last (bounds only)
    """

    points: int
    men: list[set[int]] = field(default_factory=lambda: [set(), set()])
    kings: list[set[int]] = field(default_factory=lambda: [set(), set()])
    lifted: set[int] = field(default_factory=set)
    huffable: set[int] = field(default_factory=set)
    phase: int = PLAY
    mover: int = 0
    hands: list[int] = field(default_factory=lambda: [0, 0])
    has_common_supply: bool = False
    has_leaders: bool = False
    chain: int | None = None
    chain_direction: int = 0
    hops: int = 0
    laid: int = 0
    end: int = RUNNING
    winners: int = 0
    idle: int = 0
    turns: int = 0
    memory: tuple[tuple[object, ...], ...] = ()
    board: Any = None

    def copy(self) -> "Position":
        return shallow_copy(
            self,
            men=[set(men) for men in self.men],
            kings=[set(kings) for kings in self.kings],
            lifted=set(self.lifted),
            huffable=set(self.huffable),
            hands=self.hands[:],
        )

    def words(self) -> tuple[int, ...]:
        """Return the identity of the position as integers, in the kernel's order."""
        return (
            self.phase,
            self.mover,
            *self.hands,
            0 if self.chain is None else self.chain + 1,
            self.chain_direction,
            self.hops,
            self.laid,
            self.end,
            self.winners,
            *(
                word
                for points in (*self.men, *self.kings, self.lifted | self.huffable)
                for word in bitboard(points, self.points)
            ),
        )

    @property
    def special(self) -> str:
        """What a piece is called that is no man."""
        return "leader" if self.has_leaders else "king"

    def pieces(self, seat: int) -> set[int]:
        """Return where the pieces of a seat stand, men and kings; those taken and not yet lifted are none."""
        return self.men[seat] | self.kings[seat]

    def has_piece(self, seat: int, point: int) -> bool:
        """Return whether a piece of that seat stands there; one that is taken and not yet lifted is none."""
        return point in self.men[seat] or point in self.kings[seat]

    def count(self, seat: int) -> int:
        """Return the number of a seat's pieces, on the board and in hand."""
        return len(self.men[seat]) + len(self.kings[seat]) + self.hands[seat]

    def is_vacant(self, point: int) -> bool:
        return not (
            point in self.men[0]
            or point in self.men[1]
            or point in self.kings[0]
            or point in self.kings[1]
            or point in self.lifted
        )

    def vacant(self) -> list[int]:
        """Return every vacant point, ascending."""
        return [point for point in range(self.points) if self.is_vacant(point)]

    @property
    def is_laying(self) -> bool:
        """Whether a player still has a piece in hand."""
        return any(self.hands)
