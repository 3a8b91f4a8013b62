"""How race games are written down: moves, boards, and what happens in a turn.

A move is a piece, called by the square it stands on, and what it plays: `k4 +6` goes six squares on, `enter 5` enters
by a five, `k4 +1 of 11` plays the extra point of a throw it was added to, `k4 +9 in all` the sum of a series.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from simulator.engine.families.race import position as code
from simulator.engine.families.race.events import Event
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee.course import course
from simulator.engine.families.race.referee.hindrances import left
from simulator.engine.families.race.referee.options import series_sum
from simulator.engine.families.race.referee.parts import kinds
from simulator.engine.families.race.sentences import sentence_of, where
from simulator.engine.families.race.square_names import part_name, square_name
from simulator.engine.families.race.throw_names import throw_name
from simulator.engine.naming import SEAT_NAMES, EventText
from simulator.engine.referee_playout import Ply

MOVE_NAMES = {
    code.PASS: "pass",
    code.DECLINE: "decline",
    code.TOGETHER: "leave together",
    code.FREE: "enter by the double",
}


def move_name(rules: Mapping[str, Any], position: Position, move: int) -> str:
    """A move as it is written; different moves of one position have different names."""
    if move in MOVE_NAMES:
        return MOVE_NAMES[move]
    if move >= code.ALONE_OF:
        return f"{move_name(rules, position, move - code.ALONE_OF)} alone"
    share, place = divmod(move, code.FREE)
    number, step = divmod(place, code.STRIDE)
    piece = square_name(position, position.mover, step)
    if share == 1:
        return f"enter +{number}" if step == 0 else f"{piece} +{number}"
    if code.TOTAL <= move < code.TOGETHER:
        return f"{'enter' if step == 0 else piece} +{series_sum(rules, position)[1]} in all"
    kind = kinds(rules)[number]
    if share:
        value = 1 if share == code.EXTRA_OF // code.FREE else kind.value - 1
        return f"{'enter' if step == 0 else piece} +{value} of {kind.value}"
    part = part_name(kind.value, kind.label)
    return f"enter {part}" if step == 0 else f"{piece} +{part}"


def parts_in_hand(position: Position) -> list[str]:
    """What is still to be played of the throw."""
    if position.pool:
        return [f"{position.pool} to be divided"]
    return [part_name(value, label) for value, label in left(position.rules, position)]


def board_lines(position: Position) -> Iterator[str]:
    """Where every player's pieces stand, then what is thrown."""
    for seat in range(len(position.pieces)):
        yield f"{SEAT_NAMES[seat]}: {', '.join(_places(position, seat))}"
    if position.end < 0:
        thrown = f", thrown by the {SEAT_NAMES[position.thrower]}" if position.for_partner else ""
        yield f"{SEAT_NAMES[position.mover]} to play{thrown}: {', '.join(parts_in_hand(position)) or 'nothing'}"


def _places(position: Position, seat: int) -> Iterator[str]:
    row = position.pieces[seat]
    home = course(position.rules).home
    if 0 in row:
        pairs = position.pairs[seat]
        sent = f" (in pairs: {2 * pairs})" if pairs else ""
        yield f"{row.count(0)} waiting{sent}"
    for step in sorted(set(row) - {0, home}):
        count = row.count(step)
        yield square_name(position, seat, step) + (f" ({count})" if count > 1 else "")
    if home in row:
        yield f"{row.count(home)} home"


def position_facts(position: Position) -> dict[str, Any]:
    """A position for programmes: the squares of every player's pieces, in the order of the way."""
    home = course(position.rules).home
    return {
        "pieces": [
            [square_name(position, seat, step) for step in row if 0 < step < home]
            for seat, row in enumerate(position.pieces)
        ],
        "steps": [row[:] for row in position.pieces],
        "waiting": [row.count(0) for row in position.pieces],
        "home": [row.count(home) for row in position.pieces],
        "to_play": parts_in_hand(position),
        "mover": position.mover,
        "thrower": position.thrower,
    }


def ply_facts(ply: Ply) -> dict[str, Any]:
    """What a ply came to, in numbers."""
    return {"sent_back": ply.played.sent_back, "entries": ply.played.entries}


def event_facts(ply: Ply, event: Event) -> dict[str, Any]:
    """An event for programmes; its square has the name it has in text."""
    return {
        "kind": event.kind,
        "seat": event.seat,
        "square": where(ply, event) or None,
        "number": event.number,
        "lots": list(event.lots),
        "name": throw_name(ply.before.rules, event.lots, event.number) if event.kind == "throw" else "",
    }


def describe(ply: Ply) -> list[EventText]:
    """What happened in a ply, in words."""
    return [EventText(event.kind, sentence_of(ply, event), event.keys) for event in ply.played.events]
