"""What happens in a turn, one thing at a time, and which parameters made it happen.

The referee tells its turns as events, so that a replay can show beside each throw, entry and piece sent back the clause
that fired.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    kind:   "throw", "cancelled", "entry", "move", "sent_back", "home", "opened", "lost", "pass", "decline" or
            "game_end"
    keys:   the parameters of the ruleset that fired
    seat:   whom it concerns
    square: place among the board's squares, or None
    number: what a throw scored, how far a piece went, how many pieces were sent back or entered, what was lost
    lots:   of a throw: each shell (1 mouth up, 0 down; the marked one first) or each die's face
    """

    kind: str
    keys: tuple[str, ...] = ()
    seat: int = 0
    square: int | None = None
    number: int = 0
    lots: tuple[int, ...] = ()
