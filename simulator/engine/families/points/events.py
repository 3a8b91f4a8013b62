"""What happens in a ply, one thing at a time, and which parameters made it happen.

The referee tells its plies as events, so that a replay can show beside each capture, row or crowning the clause that
fired.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    kind:   "lay", "put_aside" (laying is over), "none_to_lay", "step", "jump", "capture", "row", "removal", "crowning",
            "again", "stop", "huff", "leave", "pass" or "game_end"
    keys:   the parameters of the ruleset that fired
    seat:   whose doing it is; of a game's end the winner, or None
    point:  where: the point laid on, stepped or jumped to, of the piece taken, removed or huffed, of a row's new piece
    origin: where a step or jump began
    pieces: how many pieces were put aside
    rows:   how many rows of three a piece has formed
    """

    kind: str
    keys: tuple[str, ...] = ()
    seat: int | None = None
    point: int | None = None
    origin: int | None = None
    pieces: int = 0
    rows: int = 0
