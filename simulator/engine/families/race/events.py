"""What happens in a turn, one thing at a time, and which parameters made it happen.

The referee tells its turns as events, so that a replay can show beside each throw, entry and piece sent back the clause
that fired.
"""

from dataclasses import dataclass

Part = tuple[int, int]  # of a throw: value and label (`referee.parts`); what is left of a divided throw is one part


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps a piece from going somewhere.

    kind:   "home", "far", "exit", "ones", "passing", "meeting", "bar" or "corner"; "score", "first" (of a player's
            first piece), "extra" and "double" say by what alone a piece enters, "whole" that no throw is played in part
    keys:   the parameters that say so
    number: how many squares home is away, or what a double must show
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

    kind:   "throw", "cancelled", "entry", "move", "sent_back", "safe", "home", "opened", "lost", "pass", "decline" or
            "game_end"
    keys:   the parameters of the ruleset that fired
    seat:   whom it concerns
    square: place among the board's squares, or None
    number: what a throw scored, how far a piece went, how many pieces were sent back, safe or entered, what was lost
    lots:   of a throw: each shell (1 mouth up, 0 down; the marked one first) or each die's face
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
