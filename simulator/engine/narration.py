"""The narration of a game: events and boards in words, with the players called what the ruleset calls them.

Notations speak of the first and the second player. Where the seats have roles, or pieces with a name, the narration
speaks of the owner of the leopards instead.
"""

from textwrap import fill
from typing import Any

from simulator.engine.family import family
from simulator.engine.naming import EventText, seat_name, seat_title
from simulator.engine.referee_playout import Ply
from simulator.engine.ruleset import Ruleset

WIDTH = 115  # characters in a line


def reading(ruleset: Ruleset) -> str:
    """Explain how the text of a game is to be read, in lines of at most WIDTH characters."""
    text = _called(ruleset, family(ruleset.family).reading(ruleset.parameters))
    return "\n".join(fill(line, WIDTH, break_on_hyphens=False) for line in text.splitlines())


def events(ruleset: Ruleset, ply: Ply) -> list[EventText]:
    """Put the events of a ply into words."""
    events: list[EventText] = ruleset.module("notation").describe(ply)
    return [EventText(event.kind, _called(ruleset, event.sentence), event.keys) for event in events]


def board(ruleset: Ruleset, position: Any) -> list[str]:
    """Draw the board of a position as text, line by line."""
    return [_called(ruleset, line) for line in ruleset.module("notation").board_lines(position)]


def seat(ruleset: Ruleset, number: int) -> str:
    """Name a seat: "owner of the tiger (first player)", or "first player"."""
    names = _names(ruleset)
    return seat_title(number, names[number]) if names else seat_name(number)


def seats(ruleset: Ruleset) -> str:
    """Say which player has which role, in a sentence; empty where the players have no other names."""
    names = [f"the {seat_name(number)} is the {name}" for number, name in enumerate(_names(ruleset))]
    return f"{', '.join(names)}.".capitalize() if names else ""


def _called(ruleset: Ruleset, text: str) -> str:
    for number, name in enumerate(_names(ruleset)):
        text = text.replace(seat_name(number), name)
    return text


def _names(ruleset: Ruleset) -> tuple[str, ...]:
    kind = family(ruleset.family)
    return kind.owners(ruleset.parameters) or kind.roles(ruleset.parameters)
