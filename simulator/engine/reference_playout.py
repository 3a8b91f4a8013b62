"""Playouts by the referee: the same games as the kernel's, slowly and in plain Python.

The conformance suite holds every row of the kernel against these, and a replay is made of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.engine.randomness import CHANCE, CHOICE, STREAMS, Draws, stream_key
from simulator.engine.ruleset import Ruleset


class IllegalMove(ValueError):
    """The move is not among the moves of the position."""


def check_legal(move: int, legal: Sequence[int]) -> None:
    """Raises IllegalMove."""
    if move not in legal:
        raise IllegalMove(f"{move} is not among the moves {legal}")


def mover(position: Any) -> int:
    """The seat to move: of every family's positions."""
    return int(position.mover)


def outcome(position: Any) -> tuple[int, int]:
    """(kind of end, winning seats as bits); the kind is -1 while the game runs."""
    return position.end, position.winners


def drawn_from(moves: Sequence[int], consent: int | None) -> Sequence[int]:
    """What random players draw from: all moves but the last, if that ends the game only by consent."""
    return moves[:-1] if moves[-1] == consent else moves


@dataclass(frozen=True, slots=True)
class Ply:
    """One call of the referee's `play`: who moved, from how many options, what came of it."""

    seat: int
    move: int
    options: int
    before: Any
    played: Any


def plies(
    ruleset: Ruleset, seed: int, game: int, choice_seed: int | None = None, moves: Sequence[int] | None = None
) -> Iterator[Ply]:
    """The plies of one game, its throws drawn as the kernel draws them.

    choice_seed: another seed for the players' choices
    moves:       what the players chose, to be played as far as it goes; without it they are random players, and draw
    """
    referee = ruleset.module("referee.contract")
    rules = ruleset.parameters
    choices = seed if choice_seed is None else choice_seed
    draws = [Draws(stream_key(seed if k < CHOICE else choices, game, k)) for k in range(STREAMS)]
    # A referee of games of chance takes the draws of every seat's throws.
    chance = (draws[CHANCE:CHOICE],) if getattr(referee, "CHANCE", False) else ()
    consent = referee.consent(rules) if hasattr(referee, "consent") else None
    position = referee.start(rules, *chance)
    chosen = None if moves is None else iter(moves)
    while referee.outcome(position)[0] < 0:
        seat = referee.mover(position)
        options = referee.moves(rules, position)
        if chosen is None:
            drawn = drawn_from(options, consent)
            move = drawn[draws[CHOICE + seat].below(len(drawn))]
        elif (move := next(chosen, None)) is None:
            return
        played = referee.play(rules, position, move, *chance, legal=options)
        yield Ply(seat, move, len(options), position, played)
        position = played.position


def row(ruleset: Ruleset, seed: int, game: int, cap: int, until: str, choice_seed: int | None = None) -> list[int]:
    """The row of one game, in the order of the family's measures."""
    columns: list[int] = ruleset.module("referee.row").row(plies(ruleset, seed, game, choice_seed), cap, until)
    return columns
