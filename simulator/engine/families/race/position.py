"""A race position, as one row of integers too, and what happens in a turn.

A throw is part of the position: its parts lie in `hand` (or, if throws are divided freely, its sum in `pool`) until
they are played. Pieces of one seat are alike, so that their steps are kept in ascending order. The referee tells its
turns as events, each with the parameters that made it happen, so that a replay can show the clause that fired.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.referee_playout import shallow_copy

Part = tuple[int, int]  # of a throw: value and label (`referee.parts`); what is left of a divided throw is one part


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps a piece from going somewhere.

    kind:   "home", "far", "exit", "ones", "passing", "leaving", "meeting", "bar", "corner", "waiting", "behind",
            "field", "block", "own", "past_own", "asleep", "wakes", "leaves", "stays" or "closed";
            "score", "first" (of a player's first piece), "extra" and "double" say
            by what alone a piece enters, "whole" that no throw is played in part
    keys:   the parameters that say so
    number: how many squares home is away, what a double must show, or how many pieces or squares the rule speaks of
    step:   of the mover's track, where somebody or something stands in the way
    """

    kind: str
    keys: tuple[str, ...] = ()
    number: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class Hindrance:
    """What keeps a piece on `step` (0: it waits) from playing parts of the throw."""

    step: int
    obstacle: Obstacle
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    kind:   "throw", "cancelled", "entry", "move", "sent_back", "taken", "safe", "home", "again", "led", "returned",
            "opened", "lost", "pass", "decline" or "game_end"
    keys:   the parameters of the ruleset that fired
    seat:   whom it concerns
    square: place among the board's squares, or None
    number: what a throw scored, how far a piece went, how many pieces were sent back, safe or entered, what was lost
    lots:   of a throw: each shell (1 mouth up, 0 down; the marked one first) or each die's face; of `lots`, the row
    left:   of what was lost: the parts of the throw
    hindrances: why it was lost, or why nothing at all could be played
    """

    kind: str
    keys: tuple[str, ...] = ()
    seat: int = 0
    square: int | None = None
    number: int = 0
    lots: tuple[int, ...] = ()
    left: tuple[Part, ...] = ()
    hindrances: tuple[Hindrance, ...] = ()


Rules = Mapping[str, Any]

SEATS = 4  # the most a board can seat
HAND = 24  # the most kinds of part a document can have
STRIDE = 256  # more than any track has steps

# Moves. A part played by a piece: kind * STRIDE + the piece's step (0: it enters).
TOTAL = HAND * STRIDE  # + step: the sum of a series by one piece
TOGETHER = TOTAL + STRIDE  # two pieces leave the bar by a double
PASS = TOGETHER + 1
DECLINE = TOGETHER + 2
FREE = 8192  # + distance * STRIDE + step: so many pips of a divided throw; distance 0: waiting pieces enter
EXTRA_OF = 16384  # + kind * STRIDE + step: the extra point of a throw it was added to; the rest stays in the hand
REST_OF = 24576  # + kind * STRIDE + step: such a throw without its extra point, which stays in the hand
ALONE_OF = 32768  # + kind * STRIDE, or TOTAL: one of two pieces enters that were sent back together
MOST_MOVES = 512
MOST_AHEAD = 8  # parts in hand of which as many as can be have to be played; with more there is no such rule

# Places of the words.
(W_MOVER, W_END, W_WINNERS, W_AGAIN, W_POOL, W_DOUBLE, W_DIVIDED, W_OPENED, W_ENTERED, W_FACES, W_FOR_PARTNER) = range(
    11
)
W_HAND = 11
W_PAIRS = W_HAND + HAND
W_PIECES = W_PAIRS + SEATS

RUNNING = -1


@dataclass(slots=True)
class Position:
    """One position.

    rules:    the parameters it is played by; no part of what makes it one position rather than another
    pieces:   for each seat the steps of its pieces, ascending: 0 waits, 1 is the first square of its track, the step of
              `Course.home` is home, or where pieces are taken for good, off the board
    hand:     how many parts of each kind (`throws.kinds`) are still to be played
    pool:     pips still to be played of a throw that is divided freely
    double:   the number that both dice of the last throw show, else 0; kept only if dice are not played as a whole
    divided:  where the piece stands that has had its share of the pool, 0 if none has
    again:    1 if a further throw is due once this one is played: by itself, or for what a piece has done
    opened:   seats whose home row has been opened by two partners leaving together, as bits
    entered:  seats that have entered a piece, as bits; kept only if a rule asks
    faces:    the numbers that the dice of an undivided pool show, as bits; kept only if a rule asks; of lots in a
              table 1 while only one of the numbers is played
    for_partner: 1 if the mover plays what his partner threw, whose pieces are all home
    pairs:    for each seat how many pairs wait that were sent back together; kept only if a rule asks
    thrown:   how the throw in hand came about, until the first ply plays of it; for telling only
    end:      -1 while running, else the kind of end; winners: seats as bits
    """

    rules: Rules
    pieces: list[list[int]]
    mover: int = 0
    end: int = RUNNING
    winners: int = 0
    again: int = 0
    pool: int = 0
    double: int = 0
    divided: int = 0
    opened: int = 0
    entered: int = 0
    faces: int = 0
    for_partner: int = 0
    hand: list[int] = field(default_factory=lambda: [0] * HAND)
    pairs: list[int] = field(default_factory=lambda: [0] * SEATS)
    thrown: tuple[Event, ...] = ()

    def copy(self) -> "Position":
        return shallow_copy(self, pieces=[row[:] for row in self.pieces], hand=self.hand[:], pairs=self.pairs[:])

    def words(self) -> tuple[int, ...]:
        """Return the position as integers, in the kernel's order; all of them are its identity."""
        return (
            self.mover,
            self.end,
            self.winners,
            self.again,
            self.pool,
            self.double,
            self.divided,
            self.opened,
            self.entered,
            self.faces,
            self.for_partner,
            *self.hand,
            *self.pairs,
            *(step for row in self.pieces for step in row),
        )

    def shift(self, seat: int, step: int, to: int) -> None:
        """Move one piece of a seat that stands on `step`; raises ValueError if none does."""
        self.pieces[seat].remove(step)
        self.pieces[seat].append(to)
        self.pieces[seat].sort()

    @property
    def thrower(self) -> int:
        """The seat whose turn it is: the mover's, or his partner's who throws for him."""
        return partner(self.mover) if self.for_partner else self.mover

    def waiting(self, seat: int) -> int:
        """Return how many pieces of a seat wait off the board."""
        return self.pieces[seat].count(0)

    def clear_throw(self) -> None:
        """Clear the throw."""
        self.hand = [0] * HAND
        self.pool = self.double = self.divided = self.faces = 0


def partner(seat: int) -> int:
    """Return the seat opposite."""
    return (seat + 2) % SEATS


def side(rules: Rules, seat: int) -> int:
    """Return the side a seat plays for: partners have the same."""
    return seat % 2 if rules["teams"] == "opposite" else seat


def asleep(rules: Rules) -> int:
    """Return on how many steps pieces sleep: where some do, the squares of the start are trodden twice, first asleep
    and then awake."""
    return int(max(rules["start_steps"], default=0)) if rules["wake_scores"] else 0


def side_bits(rules: Rules, seat: int) -> int:
    """Return all seats of that seat's side, as bits."""
    return sum(1 << other for other in range(rules["seats"]) if side(rules, other) == side(rules, seat))
