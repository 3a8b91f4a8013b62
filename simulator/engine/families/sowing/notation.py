"""How sowing games are written down: moves, boards, and what happens in a turn.

Holes have letters from their owner's left: 1a is the first player's leftmost hole, 2a the second player's. A start is
the letter alone, since nobody starts from the other row, and the direction: `c>` anticlockwise, `c<` clockwise. A
layout is the end it begins from and the counters of each hole from there on: `left 4-4-4-2-0-0-0`, `right twos
2-2-2-0-0-0-1`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.events import Event
from simulator.engine.families.sowing.position import Position
from simulator.engine.families.sowing.referee.rounds import lay_poorer_row
from simulator.engine.naming import SEAT_NAMES, EventText, end_in_words
from simulator.engine.reference_playout import Ply

READING = """How to read it. The first player's row is the lower one. Holes are called a, b, c ... from their owner's
left, so the upper row runs from right to left; 1c is the first player's third hole, 2c the second player's. c> starts
anticlockwise from c, c< clockwise. A number is what a hole holds; x is a blind hole, (2) a barred one, [4] a tied one,
|5| a covered one. In brackets behind a sentence: the parameters of the ruleset that made it happen."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOVE_NAMES = {
    code.PASS: "pass",
    code.BORROW: "borrow",
    code.SHIFT_ONE: "shift 1",
    code.SHIFT_TWO: "shift 2",
    code.LAY_OWN_TURN: "lay a full row",
    code.CALL_DRAW: "call a draw",
}
# mark without its owner -> (its name, how a number of counters looks in such a hole)
MARKS = {
    code.ORDINARY: ("", "{}"),
    code.BLIND: ("blind", "x"),
    code.BARRED: ("barred", "({})"),
    code.PALM: ("covered", "|{}|"),
    code.TIED: ("tied", "[{}]"),
}


def hole_name(position: Position, hole: int) -> str:
    """1c for the third hole of the first player's row."""
    return f"{1 + hole // position.row}{LETTERS[hole % position.row]}"


def move_name(rules: Mapping[str, Any], position: Position, move: int) -> str:
    """A move as it is written; different moves of one position have different names."""
    if move in MOVE_NAMES:
        return MOVE_NAMES[move]
    if move < code.PASS:
        return f"{LETTERS[move // 2]}{'<' if move & 1 else '>'}"
    end, pattern = divmod(move - code.LAYOUT, code.LAYOUT_END)
    counts = _laid(rules, position, move)
    filled = pattern.bit_length() - 1
    twos = pattern.bit_count() - 1
    kind = "" if not pattern else "ones " if not twos else "twos " if twos == filled else "ones and twos "
    return f"{'right' if end else 'left'} {kind}{'-'.join(map(str, counts))}"


def _laid(rules: Mapping[str, Any], position: Position, move: int) -> list[int]:
    """The counters of the row that this layout gives, from the end it begins from."""
    after = position.copy()
    lay_poorer_row(rules, after, position.mover, move)
    counts = [after.holes[hole] for hole in after.own_row(position.mover)]
    return counts if move - code.LAYOUT < code.LAYOUT_END else counts[::-1]


def board_lines(position: Position) -> Iterator[str]:
    """The board: second player's row above, from right to left, first player's below; then the marks in words."""
    row = position.row
    cells = [
        MARKS[_kind(mark)][1].format(counters) for mark, counters in zip(position.marks, position.holes, strict=True)
    ]
    letters = LETTERS[:row]
    yield _line(reversed(letters))
    yield f"{_line(reversed(cells[row:]))}   store {position.stores[1]} (second player)"
    yield f"{_line(cells[:row])}   store {position.stores[0]} (first player)"
    yield _line(letters)
    if any(position.marks):
        yield f"marks: {', '.join(_marked_holes(position))}"


def _line(cells: Any) -> str:
    return "".join(f"{cell:>5}" for cell in cells)


def _kind(mark: int) -> int:
    return mark if mark in (code.ORDINARY, code.BLIND) else mark & ~1


def _marked_holes(position: Position) -> Iterator[str]:
    for hole, mark in enumerate(position.marks):
        if mark != code.ORDINARY:
            owner = "" if mark == code.BLIND else f", the {SEAT_NAMES[mark & 1]}'s"
            yield f"{hole_name(position, hole)} {MARKS[_kind(mark)][0]}{owner}"


def position_facts(position: Position) -> dict[str, Any]:
    """A position for programmes: rows from their owners' left."""
    row = position.row
    return {
        "rows": [position.holes[:row], position.holes[row:]],
        "stores": position.stores[:],
        "marks": {
            hole_name(position, hole): MARKS[_kind(mark)][0]
            for hole, mark in enumerate(position.marks)
            if mark != code.ORDINARY
        },
        "mover": position.mover,
        "direction": {1: "anticlockwise", -1: "clockwise"}.get(position.direction),
        "round": position.round,
    }


def ply_facts(ply: Ply) -> dict[str, Any]:
    """What a ply came to, in numbers."""
    return {"laps": ply.played.laps, "taken": list(ply.played.taken)}


def event_facts(ply: Ply, event: Event) -> dict[str, Any]:
    """An event for programmes; its hole has the name it has in text."""
    where = None if event.hole is None else hole_name(ply.before, event.hole)
    return {"kind": event.kind, "seat": event.seat, "hole": where, "counters": event.counters}


def describe(ply: Ply) -> list[EventText]:
    """What happened in a ply, in words; the holes that a lap passed over stand in the lap's own sentence."""
    texts: list[EventText] = []
    lap = 0
    for event in ply.played.events:
        if event.kind == "passed_over":
            texts[lap] = _passing(texts[lap], hole_name(ply.before, event.hole or 0), event.keys)
            continue
        if event.kind == "lap":
            lap = len(texts)
        texts.append(EventText(event.kind, _sentence(ply, event), event.keys))
    return texts


def _passing(lap: EventText, hole: str, keys: tuple[str, ...]) -> EventText:
    link = ", " if ", passing over " in lap.sentence else ", passing over "
    return replace(lap, sentence=f"{lap.sentence}{link}{hole}", keys=tuple(dict.fromkeys((*lap.keys, *keys))))


def _sentence(ply: Ply, event: Event) -> str:
    who = f"the {SEAT_NAMES[event.seat]}"
    where = "" if event.hole is None else hole_name(ply.before, event.hole)
    sentences = {
        "lap": f"{event.counters} sown from {where}",
        "capture": f"{who} takes {event.counters} from {where}",
        "tie": f"{who} ties {where}, which holds {event.counters}",
        "end_of_turn": f"the turn ends at {where}",
        "round_end": "the round is over",
        "matching": f"{who} moves {event.counters} from {where} to their store, to match",
        "endless": "the turn never ends: the position before it stands",
        "pass": f"{who} cannot move and passes",
    }
    if event.kind == "loan":
        return _loan(ply, event, who, where)
    if event.kind == "layout":
        return _layout(event, who)
    if event.kind == "game_end":
        return end_in_words(ply.played.position.winners)
    return sentences[event.kind]


def _loan(ply: Ply, event: Event, who: str, where: str) -> str:
    if ply.move in (code.SHIFT_ONE, code.SHIFT_TWO):
        return f"{who} moves {event.counters} on to {where}"
    if event.hole is None:
        return f"{who} borrows one counter from each of the last two holes of the other row"
    return f"{who} gives one counter back to {where}"


def _layout(event: Event, who: str) -> str:
    if "next_round" in event.keys:
        return f"a new round, begun by {who}"
    if "layout_turn" in event.keys:
        return f"{who} lays a full row"
    return f"{who} lays out {event.counters} counters"
