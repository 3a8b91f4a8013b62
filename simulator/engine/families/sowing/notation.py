"""How sowing games are written down: moves, boards, and what happens in a turn.

Holes have letters from their owner's left: 1a is the first player's leftmost hole, 2a the second player's. A start is
the letter alone, since nobody starts from the other row, and the direction: `c>` anticlockwise, `c<` clockwise. A
layout is the end it begins from and the counters of each hole from there on: `left 4-4-4-2-0-0-0`, `right twos
2-2-2-0-0-0-1`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.board import ROW_LETTERS
from simulator.engine.families.sowing.position import Event, Position
from simulator.engine.families.sowing.referee.rounds import lay_poorer_row
from simulator.engine.naming import SEAT_NAMES, EventText, end_in_words
from simulator.engine.referee_playout import Ply

READING = """\
How to read it. The first player's row is the lower one. Holes are called a, b, c ... from their owner's left, so the \
upper row runs from right to left; 1c is the first player's third hole, 2c the second player's. c> starts \
anticlockwise from c, c< clockwise; left 4-4-2-0-0-0-0 lays out a row from its owner's left end on, right \
4-4-2-0-0-0-0 from his right. A number is what a hole holds; x is a blind hole, (2) a barred one, [4] a tied one, |5| \
a covered one. 1c to 2a: every hole from the one to the other in the direction of sowing. In brackets behind a \
sentence: the parameters of the ruleset that made it happen, where they are not the most usual ones."""

READING_BY_NAMES = """\
How to read it. Rows have letters, a the lowest, and holes the number of their place from the left: b3 is the third \
hole of the second row from below. The first player sits below. b3> starts anticlockwise from b3, b3< clockwise; a \
number is what a hole holds, [4] one that somebody has won. In brackets behind a sentence: the parameters of the \
ruleset that made it happen, where they are not the most usual ones."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOVE_NAMES = {
    code.PASS: "pass",
    code.BORROW: "borrow",
    code.SHIFT_ONE: "shift 1",
    code.SHIFT_TWO: "shift 2",
    code.LAY_OWN_TURN: "lay a full row",
    code.CALL_DRAW: "call a draw",
    code.TAKE: "take",
    code.LEAVE: "leave",
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
    """Name a hole: 1c for the third hole of the first player's row; as tables do, in a game that has some."""
    if position.tables is not None:
        return position.board.name(hole)
    return f"{1 + hole // position.row}{LETTERS[hole % position.row]}"


def move_name(rules: Mapping[str, Any], position: Position, move: int) -> str:
    """Write a move; different moves of one position have different names."""
    if move in MOVE_NAMES:
        return MOVE_NAMES[move]
    if code.PICKED <= move < code.LAYOUT:
        return f"take {hole_name(position, move - code.PICKED)}"
    if position.tables is not None and code.is_start(move):
        number, heading = code.start_of(move)
        if position.phase == code.ARRANGE:
            return hole_name(position, position.own_row(position.mover)[number])
        return f"{hole_name(position, position.own_row(position.mover)[number])}{'>' if heading > 0 else '<'}"
    if move < code.PASS:
        return f"{LETTERS[move // 2]}{'<' if move & 1 else '>'}"
    end, pattern = divmod(move - code.LAYOUT, code.LAYOUT_END)
    counts = _laid(rules, position, move)
    kinds = {count for count in counts[:-1] if count}
    kind = "" if not pattern else "ones " if kinds == {1} else "twos " if kinds == {2} else "ones and twos "
    return f"{'right' if end else 'left'} {kind}{'-'.join(map(str, counts))}"


def _laid(rules: Mapping[str, Any], position: Position, move: int) -> list[int]:
    """Return the counters of the row that this layout gives, from the end it begins from."""
    after = position.copy()
    lay_poorer_row(rules, after, position.mover, move)
    counts = [after.holes[hole] for hole in after.own_row(position.mover)]
    return counts if move - code.LAYOUT < code.LAYOUT_END else counts[::-1]


def board_lines(position: Position) -> Iterator[str]:
    """Yield the board: second player's row above, from right to left, first player's below; then the marks in words."""
    row = position.row
    if position.tables is not None:
        yield from _lines_by_names(position)
        return
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
        made = position.short_number + 1
        yield f"short-handed: the {SEAT_NAMES[position.short - 1]}, who captures only by making {made}"
    if position.richer:
        numbers = _numbers(position)
        yield f"numbers of this round: {', '.join(f'{n} of the {SEAT_NAMES[seat]}' for seat, n in numbers.items())}"


def _lines_by_names(position: Position) -> Iterator[str]:
    """Yield the board with the letters and numbers of its holes, the highest row first, and then the stores."""
    board = position.board
    for row in reversed(range(board.rows)):
        holes = range(row * board.columns, (row + 1) * board.columns)
        cells = [MARKS[_kind(position.marks[hole])][1].format(position.holes[hole]) for hole in holes]
        yield f"{ROW_LETTERS[row]} {_line(cells if board.is_lower(row) else reversed(cells))}"
    yield f"  {_line(range(1, board.columns + 1))}"
    yield f"stores: {position.stores[0]} (first player), {position.stores[1]} (second player)"


def _line(cells: Any) -> str:
    return "".join(f"{cell:>5}" for cell in cells)


def mark_name(position: Position, mark: int) -> str:
    """Return what a marked hole is: one that is tied in other games was won in one with tables."""
    if position.tables is not None and mark in (code.TIED, code.TIED + 1):
        return "won"
    return MARKS[_kind(mark)][0]


def _kind(mark: int) -> int:
    return mark if mark in (code.ORDINARY, code.BLIND) else mark & ~1


def _marked_holes(position: Position) -> Iterator[str]:
    for hole, mark in enumerate(position.marks):
        if mark != code.ORDINARY:
            owner = "" if mark == code.BLIND else f", the {SEAT_NAMES[mark & 1]}'s"
            yield f"{hole_name(position, hole)} {mark_name(position, mark)}{owner}"


def _numbers(position: Position) -> dict[int, int]:
    """Map each seat to its private number of a round begun with an excess: that excess, or the part hole."""
    richer = position.richer - 1
    numbers = {richer: position.excess, 1 - richer: position.remainder}
    return {seat: numbers[seat] for seat in (0, 1) if numbers[seat]}


def position_facts(position: Position) -> dict[str, Any]:
    """Describe a position for programs: rows from their owners' left.

    marks and owners: by the hole's name, what kind of mark, and the seat it belongs to; short_handed: the seat and the
    number it laid, or None; numbers: seat -> its private number in a round begun with an excess
    """
    row, holes = position.row, position.holes
    marked = {hole_name(position, hole): mark for hole, mark in enumerate(position.marks) if mark != code.ORDINARY}
    return {
        "rows": [holes[begin : begin + row] for begin in range(0, len(holes), row)],
        "stores": position.stores[:],
        "marks": {name: mark_name(position, mark) for name, mark in marked.items()},
        "owners": {name: mark & 1 for name, mark in marked.items() if mark != code.BLIND},
        "mover": position.mover,
        "direction": {1: "anticlockwise", -1: "clockwise"}.get(position.direction),
        "round": position.rounds,
        "short_handed": {"seat": position.short - 1, "number": position.short_number} if position.short else None,
        "numbers": {str(seat): number for seat, number in _numbers(position).items()} if position.richer else {},
    }


def ply_facts(ply: Ply) -> dict[str, Any]:
    """Return what a ply came to, in numbers; `owned`: what each owned when it ended a round, else None."""
    owned = list(ply.played.owned) if ply.played.rounds_ended else None
    return {"laps": ply.played.laps, "taken": list(ply.played.taken), "owned": owned}


def event_facts(ply: Ply, event: Event) -> dict[str, Any]:
    """Describe an event for programs; its hole has the name it has in text."""
    where = None if event.hole is None else hole_name(ply.before, event.hole)
    return {"kind": event.kind, "seat": event.seat, "hole": where, "counters": event.counters}


def describe(ply: Ply) -> list[EventText]:
    """Return what happened in a ply, in words; the holes that a lap passed over stand in the lap's own sentence."""
    texts: list[EventText] = []
    # Events of one kind that follow each other make one sentence: the holes a lap passed over, or those that feed it.
    for kind, group in groupby(_lap_by_lap(ply.played.events), key=lambda event: event.kind):
        events = list(group)
        if kind == "passed_over":
            texts[-1] = _passing(ply, texts[-1], events)
        elif kind == "origin":
            taken = replace(events[0], counters=len(events))
            texts.append(EventText(kind, _sentence(ply, taken), taken.keys))
        else:
            texts += [EventText(kind, _sentence(ply, event), event.keys) for event in events]
    return texts


def _lap_by_lap(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events, those of each lap in the order in which they are told: the holes passed over, and then all
    others."""
    waiting: list[Event] = []
    for event in events:
        if event.kind == "lap":
            yield from waiting
            waiting = []
        if event.kind in ("lap", "passed_over"):
            yield event
        else:
            waiting.append(event)
    yield from waiting


def _passing(ply: Ply, lap: EventText, passed: list[Event]) -> EventText:
    """Return the lap, with the holes it passed over: neighbours as a stretch, and each stretch once however often it
    came."""
    heading = -1 if ply.move & 1 else 1
    stretches = Counter(_stretches(ply.before, [event.hole or 0 for event in passed], heading))
    holes = ", ".join(f"{name}{f' ({times} times)' if times > 1 else ''}" for name, times in stretches.items())
    keys = (key for event in passed for key in event.keys)
    return replace(lap, sentence=f"{lap.sentence}, passing over {holes}", keys=tuple(dict.fromkeys((*lap.keys, *keys))))


def _stretches(position: Position, passed: list[int], heading: int) -> Iterator[str]:
    """Write holes in the order of sowing: single ones, or the first and the last of those that follow each other."""
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
    if event.kind == "game_end":
        return end_in_words(ply.played.position.winners)
    sentence = SENTENCES[event.kind][event.why].format(
        who=f"the {SEAT_NAMES[event.seat]}",
        other=f"the {SEAT_NAMES[1 - event.seat]}",
        where="" if event.hole is None else hole_name(ply.before, event.hole),
        state="" if event.hole is None else mark_name(ply.before, ply.before.marks[event.hole]) or "empty",
        n=event.counters,
        counters=f"{event.counters} counter{'' if event.counters == 1 else 's'}",
    )
    if event.kind == "round_end":
        first, second = ply.played.owned
        return f"the round is over, since {sentence}: the first player owns {first}, the second player {second}"
    lays = event.kind == "layout" and event.why in ("full", "usual", "short_handed")
    kept = ply.played.position.stores[event.seat]
    return f"{sentence} and keeps {kept} in his store" if lays and kept else sentence


SENTENCES: dict[str, dict[str, str]] = {
    "lap": {"": "{n} sown from {where}", "taken": "{n} sown on from {where}"},
    "laid": {"": "{who} lays a counter into {where}, which then holds {n}"},
    "carried": {"": "{who} takes {counters} from {where} into his hand"},
    "choice": {
        "": "the last counter falls into {where}: {who} may take what it captures, or leave it",
        "one": "the last counter falls into {where}: {who} chooses one of the holes that it captures",
    },
    "win": {"": "{who} wins {where}, which holds {n}"},
    "origin": {"": "every open hole is to be passed over: {where}, from which the lap started, takes {counters}"},
    "gain": {"": "{who} passes {where}, which he covers, and gains one counter"},
    "fell": {
        "gained": "the last counter is the one gained at {where}",
        "empty": "the last counter falls into {where}, which was empty",
        "held": "the last counter falls into {where}, which held {n}",
        "made": "the last counter falls into {where}, which then holds {n}",
        "barred": "the last counter falls into {where}, which is {state}",
        "as_empty": "the last counter falls into {where}, which is {state} and counts as empty",
    },
    "vacant": {
        "empty": "{where} comes next and is empty",
        "as_empty": "{where} comes next, is {state} and counts as empty",
        "absent": "{where} comes next, is {state} and is passed over as if it were not there",
    },
    "capture": {"": "{who} takes {n} from {where}"},
    "slam": {"": "{n} in {where} would take every counter of {other}'s row: nothing is taken"},
    "tie": {"": "{who} ties {where}, which holds {n}, and the turn ends"},
    "again": {
        "table": "the last counter falls into {where}: {who} moves again",
        "": "the last counter falls into the store: {who} moves again",
    },
    "end_of_turn": {
        "empty": "the last counter falls into {where}, which was empty: the turn ends",
        "fell": "the last counter falls into {where}: the turn ends",
        "as_empty": "the last counter falls into {where}, which is {state} and counts as empty: the turn ends",
        "barred": "the last counter falls into {where}, which is {state}: the turn ends",
        "store": "the last counter falls into the store: the turn ends",
        "captured": "the turn ends with that",
        "table": "the last counter fell into {where}: the turn ends",
        "next": "{where} comes next and is {state}: the turn ends",
        "next_full": "{where} comes next and holds {n}: the turn ends",
        "beyond": "{where} beyond it is {state}: the turn ends",
        "opposite": "{where} opposite it is {state}: the turn ends",
        "short": "{who} is short-handed and takes nothing by that: the turn ends",
    },
    "forbidden": {
        "barred": "the lap would go on from {where}, which is {state}, and may not",
        "single": "the lap would go on from {where}, which holds {n}, and may not",
        "row": "the lap would go on from {where} and may not: no hole of {who}'s row holds two or more",
    },
    "endless": {
        "laps": "the turn would take more than {n:,} laps and is endless: the position before it stands",
        "full": "every open hole is to be passed over, and the sowing never ends: the position before it stands",
    },
    "round_end": {
        "row_empty": "{who} has nothing in his row",
        "side_empty": "{who} has no counters left on his side and has lost",
        "cannot_move": "{who} cannot move and has lost",
        "rows_empty": "both rows are empty",
        "board_empty": "the board is empty",
        "board_unplayable": "nobody may play what is left on the board",
        "stuck": "{who} has counters in his row and may play none of them",
        "neither": "neither player can move",
        "lap": "the lap may not go on",
        "idle": "nothing was taken for {n} turns",
        "repeated": "a position has come again",
        "majority": "{who} has taken more than half of all counters",
        "halves": "each player has taken half of all counters",
    },
    "layout": {
        "fewer": "a new round, begun by {who}, who owns fewer",
        "turns": "a new round, begun by {who}, who did not begin the last one",
        "equal": "a new round: both own equally many, and {who}, who did not begin the last one, begins",
        "equal_second": "a new round: both own equally many, and {who} begins as if he owned fewer",
        "full": "{who} lays a full row",
        "usual": "{who} lays out {counters}",
        "short_handed": "{who}, who is short-handed, lays out {counters}",
    },
    "draw_offered": {"": "{who} may call the game a draw"},
    "barred": {"": "{where}, which holds {n}, is barred: it is {who}'s"},
    "matching": {"": "{who} moves {n} from {where} into his store, to balance the partly filled hole"},
    "loan": {
        "borrowed": "{who} borrows one counter from each of the last two holes of the other row",
        "returned": "{who} gives one counter back to {where}",
        "shifted": "{who} moves {n} on to {where}",
    },
    "pass": {
        "": "{who} cannot move and passes",
        "layout": "{who} can play nothing of this layout: {other} begins",
    },
}
