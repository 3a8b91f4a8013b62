"""A game as far as it has been played, with the referee at the board and moves as codes.

It is game 0 of its seed: its throws are those of that game, whichever players play it, so that a worker reaches the
same position from the seed and the moves alone.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from simulator.engine.family import family
from simulator.engine.randomness import CHANCE, CHOICE, GAMMA, MASK, SEARCH, Draws, mix, stream_key
from simulator.engine.referee_playout import Ply, drawn_from
from simulator.engine.ruleset import Ruleset

GAME = 0


class Session:
    """A referee's position and the plies that led to it.

    options: codes of the legal moves, in the order of the contract; empty once the game is over
    """

    referee: ModuleType
    notation: ModuleType
    places: ModuleType
    end: int
    winners: int
    options: list[int]

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.ruleset, self.seed = ruleset, seed
        self.referee, self.notation, self.places = (
            ruleset.module(part) for part in ("referee.contract", "notation", "drawing")
        )
        throws = [Draws(stream_key(seed, GAME, stream)) for stream in range(CHANCE, CHOICE)]
        self._chance = (throws,) if family(ruleset.family).throws else ()
        self.plies: list[Ply] = []
        self.set_position(self.referee.start(ruleset.parameters, *self._chance))

    def set_position(self, position: Any) -> None:
        """Continue from this position of the referee's."""
        self.position = position
        self.end, self.winners = self.referee.outcome(position)
        self.options = self.referee.moves(self.ruleset.parameters, position) if self.end < 0 else []

    @property
    def is_over(self) -> bool:
        return self.end >= 0

    @property
    def mover(self) -> int:
        seat: int = self.referee.mover(self.position)
        return seat

    @property
    def moves(self) -> list[int]:
        """The codes of the moves that have been played."""
        return [ply.move for ply in self.plies]

    @property
    def turn(self) -> int:
        """The number of the turn that comes next or is being played, from 1."""
        return 1 + len([ply for ply in self.plies if ply.played.turn_over])

    def play(self, move: int) -> None:
        """Play a legal move; raises IllegalMove."""
        seat, options = self.mover, self.options
        played = self.referee.play(self.ruleset.parameters, self.position, move, *self._chance, legal=options)
        self.plies.append(Ply(seat, move, len(options), self.position, played))
        self.set_position(played.position)

    def name_of(self, move: int) -> str:
        """Write a move of the present position in the family's notation."""
        return str(self.notation.move_name(self.ruleset.parameters, self.position, move))

    def places_of(self, move: int) -> tuple[str, ...]:
        """Return the places of the board that a move of the present position names."""
        return tuple(self.places.move_places(self.ruleset.parameters, self.position, move))

    def draw_move(self, options: Sequence[int] | None = None) -> int:
        """Draw the move of a random player here, the same that a worker draws when it is asked for a reply.

        options: the moves to draw from in place of all legal ones, in their order, at least one
        """
        key = mix((stream_key(self.seed, GAME, SEARCH + len(self.plies)) ^ CHOICE) + GAMMA & MASK)
        options = self.options if options is None else options
        moves = drawn_from(options, family(self.ruleset.family).consent(self.ruleset.parameters)) or options
        return moves[Draws(key).below(len(moves))]
