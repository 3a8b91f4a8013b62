"""A turn of a replay as a page shows it: its moves, and beside each thing that happened the rule that fired."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from catalogue.play.rule_words import RuleWords, Wording
from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """options: among how many moves it was chosen"""

    name: str
    options: int


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened. rules: those that fired and are named here; again: those named further up already."""

    sentence: str
    rules: tuple[RuleWords, ...]
    again: tuple[RuleWords, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnSummary:
    number: int
    who: str
    moves: tuple[ChosenMove, ...]
    happenings: tuple[Happening, ...]
    lines: tuple[str, ...]


def summarise(ruleset: Ruleset, turns: Iterable[dict[str, Any]], wording: Wording | None = None) -> list[TurnSummary]:
    """Turns of a slice (see `simulator.engine.replay_slices`); without a wording no rules beside the events."""
    seats = seat_names(ruleset)
    return [
        TurnSummary(
            turn["turn"],
            seats[turn["seat"]],
            tuple(ChosenMove(ply["move"], ply["options"]) for ply in turn["plies"]),
            tuple(_happenings(turn, wording)) if wording else (),
            tuple(turn["text"]),
        )
        for turn in turns
    ]


def _happenings(turn: dict[str, Any], wording: Wording) -> Iterator[Happening]:
    named: set[str] = set()
    for ply in turn["plies"]:
        for one in ply["sentences"]:
            rules = wording.fired(one["fired"])
            fresh = tuple(rule for rule in rules if rule.key not in named)
            yield Happening(one["sentence"], fresh, tuple(rule for rule in rules if rule.key in named))
            named |= {rule.key for rule in fresh}


def seat_names(ruleset: Ruleset) -> list[str]:
    kind = family(ruleset.family)
    naming = kind.naming(ruleset.parameters)
    return [naming.seat(seat) for seat in range(kind.seats(ruleset.parameters))]


def end_in_words(ruleset: Ruleset, row: dict[str, int], until: str) -> str:
    """How a game ended, as a sentence."""
    seats = seat_names(ruleset)
    after = f"after {row['turns']:,} turn{'' if row['turns'] == 1 else 's'}"
    part = "The first round" if until == "round" else "The game"
    if row["end"] == ENDLESS:
        return f"{part} became endless {after}: the rules never let the mover stop."
    if row["end"] == UNFINISHED:
        return f"{part} was stopped by the cap {after}; nobody knows how it would have ended."
    if row["end"] == DRAW:
        return f"{part} was drawn {after}."
    winners = [name for seat, name in enumerate(seats) if row["winners"] >> seat & 1]
    return f"{part} was won by the {' and the '.join(winners)} {after}."
