"""What happens in a turn, one thing at a time, and which parameters made it happen.

The referee tells its turns as events, so that a replay can show beside each capture, relay, mark or removal the clause
that fired.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    kind:     "passed_over", "game_end", or one that `sentences.SENTENCES` has words for
    keys:     the parameters of the ruleset that fired
    seat:     whom it concerns
    hole:     place on the board, or None
    counters: how many counters it moved
    why:      which of the kind's sentences tells it
    """

    kind: str
    keys: tuple[str, ...] = ()
    seat: int = 0
    hole: int | None = None
    counters: int = 0
    why: str = ""
