"""How sowing games are written down: moves, boards, and what happens in a turn.

Holes have letters from their owner's left: 1a is the first player's leftmost hole, 2a the second player's. A start is
the letter alone, since nobody starts from the other row, and the direction: `c>` anticlockwise, `c<` clockwise. A
layout is the end it begins from and the counters of each hole from there on: `left 4-4-4-2-0-0-0`, `right twos
2-2-2-0-0-0-1`.
"""

from collections import Counter
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
|5| a covered one. 1c to 2a: every hole from the one to the other in the direction of sowing. In brackets behind a
sentence: the parameters of the ruleset that made it happen."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOVE_NAMES = {
    code.PASS: "pass",
    code.BORROW: "borrow",
    code.SHIFT_ONE: "shift 1",
    code.SHIFT_TWO: "shift 2",
    code.LAY_OWN_TURN: "lay a full row",
    code.CALL_DRAW: "call a draw",
}
# Why a turn ends -> how that is told of a hole.
ENDS = {
    "empty": "the last counter falls into {}, which was empty: the turn ends",
    "as_empty": "the last counter falls into {}, which counts as empty: the turn ends",
    "fell": "the last counter falls into {}: the turn ends",
    "store": "the last counter falls into the store: the turn ends",
    "captured": "the turn ends with that",
    "nothing": "nothing is taken: the turn ends",
    "barred": "the last counter falls into {}, which is barred: the turn ends",
    "next_empty": "{} comes next and is empty: the turn ends",
    "next_barred": "{} comes next and is barred: the turn ends",
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
    kinds = {count for count in counts[:-1] if count}
    kind = "" if not pattern else "ones " if kinds == {1} else "twos " if kinds == {2} else "ones and twos "
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
    if position.short:
        yield f"short-handed: the {SEAT_NAMES[position.short - 1]}, who captures by making {position.short_number + 1}"
    if position.richer:
        numbers = _numbers(position)
        yield f"numbers of this round: {', '.join(f'{n} of the {SEAT_NAMES[seat]}' for seat, n in numbers.items())}"


def _line(cells: Any) -> str:
    return "".join(f"{cell:>5}" for cell in cells)


def _kind(mark: int) -> int:
    return mark if mark in (code.ORDINARY, code.BLIND) else mark & ~1


def _marked_holes(position: Position) -> Iterator[str]:
    for hole, mark in enumerate(position.marks):
        if mark != code.ORDINARY:
            owner = "" if mark == code.BLIND else f", the {SEAT_NAMES[mark & 1]}'s"
            yield f"{hole_name(position, hole)} {MARKS[_kind(mark)][0]}{owner}"


def _numbers(position: Position) -> dict[int, int]:
    """Seat -> the private number of a round that one player began with an excess: that excess, or the part hole."""
    richer = position.richer - 1
    numbers = {richer: position.excess, 1 - richer: position.remainder}
    return {seat: numbers[seat] for seat in (0, 1) if numbers[seat]}


def position_facts(position: Position) -> dict[str, Any]:
    """A position for programmes: rows from their owners' left.

    marks and owners: by the hole's name, what kind of mark, and the seat it belongs to; short_handed: the seat and the
    number it laid, or None; numbers: seat -> its private number in a round begun with an excess
    """
    row = position.row
    marked = {hole_name(position, hole): mark for hole, mark in enumerate(position.marks) if mark != code.ORDINARY}
    return {
        "rows": [position.holes[:row], position.holes[row:]],
        "stores": position.stores[:],
        "marks": {name: MARKS[_kind(mark)][0] for name, mark in marked.items()},
        "owners": {name: mark & 1 for name, mark in marked.items() if mark != code.BLIND},
        "mover": position.mover,
        "direction": {1: "anticlockwise", -1: "clockwise"}.get(position.direction),
        "round": position.rounds,
        "short_handed": {"seat": position.short - 1, "number": position.short_number} if position.short else None,
        "numbers": {str(seat): number for seat, number in _numbers(position).items()} if position.richer else {},
    }


def ply_facts(ply: Ply) -> dict[str, Any]:
    """What a ply came to, in numbers; `owned`: what each owned when it ended a round, else None."""
    owned = list(ply.played.owned) if ply.played.rounds_ended else None
    return {"laps": ply.played.laps, "taken": list(ply.played.taken), "owned": owned}


def event_facts(ply: Ply, event: Event) -> dict[str, Any]:
    """An event for programmes; its hole has the name it has in text."""
    where = None if event.hole is None else hole_name(ply.before, event.hole)
    return {"kind": event.kind, "seat": event.seat, "hole": where, "counters": event.counters}


def describe(ply: Ply) -> list[EventText]:
    """What happened in a ply, in words; the holes that a lap passed over stand in the lap's own sentence."""
    texts: list[EventText] = []
    lap, passed, keys = 0, list[int](), tuple[str, ...]()
    for event in (*ply.played.events, None):
        if event is not None and event.kind == "passed_over":
            passed.append(event.hole or 0)
            keys = event.keys
            continue
        if passed and (event is None or event.kind == "lap"):
            texts[lap] = _passing(ply, texts[lap], passed, keys)
            passed = []
        if event is not None:
            lap = len(texts) if event.kind == "lap" else lap
            texts.append(EventText(event.kind, _sentence(ply, event), event.keys))
    return texts


def _passing(ply: Ply, lap: EventText, passed: list[int], keys: tuple[str, ...]) -> EventText:
    """The lap, with the holes it passed over: neighbours as a stretch, and each stretch once however often it came."""
    heading = -1 if ply.move & 1 else 1
    stretches = Counter(_stretches(ply.before, passed, heading))
    holes = ", ".join(f"{name}{f' ({times} times)' if times > 1 else ''}" for name, times in stretches.items())
    return replace(lap, sentence=f"{lap.sentence}, passing over {holes}", keys=tuple(dict.fromkeys((*lap.keys, *keys))))


def _stretches(position: Position, passed: list[int], heading: int) -> Iterator[str]:
    """Holes in the order of sowing, as single ones or from the first to the last of those that follow each other."""
    first = last = passed[0]
    for hole in [*passed[1:], None]:
        if hole is not None and hole == (last + heading) % (2 * position.row) and hole != first:
            last = hole
            continue
        names = hole_name(position, first), hole_name(position, last)
        yield names[0] if first == last else f"{names[0]} to {names[1]}"
        if hole is not None:
            first = last = hole


def _sentence(ply: Ply, event: Event) -> str:
    who = f"the {SEAT_NAMES[event.seat]}"
    where = "" if event.hole is None else hole_name(ply.before, event.hole)
    owned = ply.played.owned
    sentences = {
        "lap": f"{event.counters} sown from {where}",
        "capture": f"{who} takes {event.counters} from {where}",
        "tie": f"{who} ties {where}, which holds {event.counters}, and the turn ends",
        "vacant": f"{where} comes next and {'counts as' if event.counters else 'is'} empty",
        "barred": f"{where}, which holds {event.counters}, is barred for {who}",
        "round_end": f"the round is over: the first player owns {owned[0]}, the second player {owned[1]}",
        "matching": f"{who} moves {event.counters} from {where} to their store, to match",
        "endless": "the turn never ends: the position before it stands",
        "pass": f"{who} cannot move and passes",
    }
    if event.kind == "end_of_turn":
        return ENDS[event.why].format(where)
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
