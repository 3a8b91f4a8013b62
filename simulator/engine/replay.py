"""One game told turn by turn: what was played, what it did, and which parameters of the ruleset made it happen.

The referee plays it, so what is told is what the readable engine does; the conformance suite says that the compiled one
does the same. Each family's `notation` has the words.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from simulator.engine.family import END_NAMES, family
from simulator.engine.reference_playout import Ply, plies
from simulator.engine.ruleset import Ruleset

LAPS_SHOWN = 12  # of one turn, in text: a long relay would bury everything else


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything one player did before the other could act."""

    number: int
    seat: int
    plies: tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A game with its row, the same row as the kernel's (measure -> number)."""

    ruleset: Ruleset
    turns: tuple[Turn, ...]
    row: dict[str, int]

    @property
    def notation(self) -> ModuleType:
        return import_module(f"simulator.engine.families.{self.ruleset.family}.notation")

    @property
    def end(self) -> str:
        return END_NAMES[self.row["end"]]

    @property
    def winners(self) -> list[int]:
        return [seat for seat in range(self.row["winners"].bit_length()) if self.row["winners"] >> seat & 1]


def replay(ruleset: Ruleset, seed: int, game: int, cap: int, until: str) -> Replay:
    """Game number `game` of `seed` between random players, ended as a batch with that cap and `until` ends it."""
    played: list[Ply] = []
    reference_row = import_module(f"simulator.engine.families.{ruleset.family}.reference_row")
    row = reference_row.row(_recorded(plies(ruleset, seed, game), played), cap, until)
    names = [measure.name for measure in family(ruleset.family).measures]
    return Replay(ruleset, tuple(_turns(played)), dict(zip(names, row, strict=True)))


def _recorded(game: Iterator[Ply], played: list[Ply]) -> Iterator[Ply]:
    for ply in game:
        played.append(ply)
        yield ply


def _turns(played: list[Ply]) -> Iterator[Turn]:
    number = 1
    waiting: list[Ply] = []
    for ply in played:
        waiting.append(ply)
        if ply.played.turn_over:
            yield Turn(number, waiting[0].seat, tuple(waiting))
            number, waiting = number + 1, []


def fired(ruleset: Ruleset, keys: tuple[str, ...]) -> list[str]:
    """The parameters among `keys` that this ruleset sets; one at its off value is no rule."""
    return [key for key in keys if key in ruleset.document]


def as_document(told: Replay) -> dict[str, Any]:
    """The game for programmes."""
    return {
        "turns": [
            {"turn": turn.number, "seat": turn.seat, "plies": [_ply_document(told, ply) for ply in turn.plies]}
            for turn in told.turns
        ],
        "end": told.end,
        "winners": told.winners,
        "row": told.row,
    }


def _ply_document(told: Replay, ply: Ply) -> dict[str, Any]:
    notation = told.notation
    return {
        "move": notation.move_name(told.ruleset.parameters, ply.before, ply.move),
        "code": ply.move,
        "options": ply.options,
        **notation.ply_facts(ply),
        "events": [
            {**notation.event_facts(ply, event), "fired": fired(told.ruleset, event.keys)}
            for event in ply.played.events
        ],
        "position": notation.position_facts(ply.played.position),
    }


def as_text(told: Replay) -> Iterator[str]:
    """The game for readers, line by line."""
    yield "Rules"
    for key, _, sentence in family(told.ruleset.family).words(told.ruleset):
        yield f"  {sentence}  [{key}]"
    for turn in told.turns:
        yield ""
        yield from _turn_text(told, turn)
    yield ""
    yield f"{told.end} after {told.row['turns']} turns" + (
        f", {' and '.join(told.notation.SEAT_NAMES[seat] for seat in told.winners)}" if told.winners else ""
    )


def _turn_text(told: Replay, turn: Turn) -> Iterator[str]:
    notation, rules = told.notation, told.ruleset.parameters
    moves = ", ".join(notation.move_name(rules, ply.before, ply.move) for ply in turn.plies)
    options = " × ".join(str(ply.options) for ply in turn.plies)
    yield f"Turn {turn.number}, {notation.SEAT_NAMES[turn.seat]}: {moves}   (of {options})"
    for ply in turn.plies:
        yield from _ply_text(told, ply)
    yield from (f"  {line}" for line in notation.board_lines(turn.plies[-1].played.position))


def _ply_text(told: Replay, ply: Ply) -> Iterator[str]:
    """A sentence a line; laps beyond the first few are only counted."""
    laps = hidden = 0
    for event in told.notation.tell(ply):
        if event.kind == "lap":
            laps += 1
            hidden += laps > LAPS_SHOWN
            if laps > LAPS_SHOWN:
                continue
        yield from _count_of_laps(hidden)
        hidden = 0
        keys = ", ".join(fired(told.ruleset, event.keys))
        yield f"  {event.sentence}{f'  [{keys}]' if keys else ''}"
    yield from _count_of_laps(hidden)


def _count_of_laps(hidden: int) -> Iterator[str]:
    if hidden:
        yield f"  … and {hidden:,} laps more"
