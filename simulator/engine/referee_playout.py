"""Playouts by the referee: the same games as the kernel's, slowly and in plain Python, and what is counted of them.

The conformance suite compares every row of the kernel with these, and a replay is made of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from simulator.engine.ends import MOST_PLIES_OF_A_TURN, UNFINISHED
from simulator.engine.randomness import CHANCE, CHOICE, STREAMS, Draws, stream_key
from simulator.engine.ruleset import Ruleset


class IllegalMove(ValueError):
    """The move is not among the moves of the position."""


def check_legal(move: int, legal: Sequence[int]) -> None:
    """Raise IllegalMove unless the move is legal."""
    if move not in legal:
        raise IllegalMove(f"{move} is not among the moves {legal}")


def mover(position: Any) -> int:
    """Return the seat to move in a position of any family."""
    return int(position.mover)


def outcome(position: Any) -> tuple[int, int]:
    """Return (kind of end, winning seats as bits); the kind is -1 while the game runs."""
    return position.end, position.winners


def drawn_from(moves: Sequence[int], consent: int | None) -> Sequence[int]:
    """Return the moves that random players draw from: all but a last one that ends the game only by consent."""
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
    """Yield the plies of one game, its throws drawn as the kernel draws them; none after a turn of too many of them.

    choice_seed: another seed for the players' choices
    moves:       codes to be played as far as they go; without them the players are random and draw their moves
    """
    referee = ruleset.module("referee.contract")
    rules = ruleset.parameters
    choices = seed if choice_seed is None else choice_seed
    draws = [Draws(stream_key(seed if k < CHOICE else choices, game, k)) for k in range(STREAMS)]
    # A referee of games of chance takes the draws of every seat's throws.
    chance = (draws[CHANCE:CHOICE],) if getattr(referee, "CHANCE", False) else ()
    consent = referee.consent(rules) if hasattr(referee, "consent") else None
    position = referee.start(rules, *chance)
    listed = None if moves is None else iter(moves)
    of_the_turn = 0
    while referee.outcome(position)[0] < 0 and of_the_turn < MOST_PLIES_OF_A_TURN:
        seat = referee.mover(position)
        options = referee.moves(rules, position)
        if listed is None:
            drawn = drawn_from(options, consent)
            move = drawn[draws[CHOICE + seat].below(len(drawn))]
        elif (move := next(listed, None)) is None:
            return
        played = referee.play(rules, position, move, *chance, legal=options)
        yield Ply(seat, move, len(options), position, played)
        position = played.position
        of_the_turn = 0 if played.turn_over else of_the_turn + 1


def row(ruleset: Ruleset, seed: int, game: int, cap: int, until: str, choice_seed: int | None = None) -> list[int]:
    """Return the row of one game, in the order of the family's measures."""
    columns: list[int] = ruleset.module("referee.contract").row(plies(ruleset, seed, game, choice_seed), cap, until)
    return columns


@dataclass(slots=True)
class RowCounts:
    """What every family counts of a game, in plain Python. leader: the seat or side last seen ahead of all others"""

    turns: int = 0
    decisions: int = 0
    options: int = 0
    lead_changes: int = 0
    leader: int | None = None
    end: int = UNFINISHED
    winners: int = 0

    def count(self, plies: Iterable[Ply], cap: int, one_round: bool = False) -> Self:
        """Count a game until it has ended, by the rules, by its first round, or by the cap."""
        for ply in plies:
            self.add(ply)
            if self.end != UNFINISHED or self.turns >= cap or (one_round and self.has_ended_a_round()):
                break
        return self

    def add(self, ply: Ply) -> None:
        if ply.options > 1:
            self.decisions += 1
            self.options += ply.options
        self.turns += ply.played.turn_over
        if ply.played.position.end >= 0:
            self.end, self.winners = ply.played.position.end, ply.played.position.winners

    def has_ended_a_round(self) -> bool:
        return False

    def follow_lead(self, scores: Sequence[int]) -> None:
        """Note who is ahead after a turn, if one seat or side is ahead of all others."""
        best = max(scores)
        if scores.count(best) == 1:
            now = scores.index(best)
            self.lead_changes += self.leader not in (None, now)
            self.leader = now

    def common_columns(self) -> list[int]:
        """Return the columns of `family.COMMON_MEASURES`."""
        return [self.end, self.winners, self.turns, self.decisions, self.options, self.lead_changes]


Record = TypeVar("Record")


def shallow_copy(record: Record, **changed: Any) -> Record:
    """Copy a referee's record with some slots changed; `dataclasses.replace` would inspect every field each time."""
    kind: Any = type(record)
    other: Record = object.__new__(kind)
    for name in kind.__slots__:
        setattr(other, name, getattr(record, name))
    for name, value in changed.items():
        setattr(other, name, value)
    return other
