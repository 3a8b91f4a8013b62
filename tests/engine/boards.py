"""Boards written by hand, and single plies played on them by both engines.

A row is written from its owner's left, one word a hole, or one character a hole where that is enough: `4` an ordinary
hole, `x` a blind one, and a number with a letter for a marked hole: `1p` barred for the owner of the row (puta, naga),
`4t0` tied by the first player, `5h` covered by its owner's hand, `3w` a part hole that belongs to the other player.
"""

import re
from typing import Any

import numpy as np

from simulator.engine import kernels
from simulator.engine.families.sowing.kernel.layout import idle_at
from simulator.engine.families.sowing.measures import CAPTURES_0, CAPTURES_1, LAPS, TURNS
from simulator.engine.families.sowing.position import BARRED, BLIND, LAYOUT, LAYOUT_END, ORDINARY, PALM, TIED, Position
from simulator.engine.families.sowing.referee import contract as referee
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import Ruleset

ANTICLOCKWISE, CLOCKWISE = 1, -1
WORD = re.compile(r"(\d+)(p|w|h|t0|t1|)")


def board(first: str, second: str, direction: int = ANTICLOCKWISE, **fields: Any) -> Position:
    """The position of two written rows; first player to move unless `mover` says otherwise."""
    holes, marks = [], []
    for seat, row in enumerate((first, second)):
        for word in row.split() if " " in row else row:
            count, mark = _hole(word, seat)
            holes.append(count)
            marks.append(mark)
    stores = list(fields.pop("stores", (0, 0)))
    return Position(len(holes) // 2, holes, marks, direction=direction, stores=stores, **fields)


def _hole(word: str, seat: int) -> tuple[int, int]:
    if word == "x":
        return 0, BLIND
    found = WORD.fullmatch(word)
    assert found, f"no hole is written {word!r}"
    kinds = {"": ORDINARY, "p": BARRED + seat, "w": BARRED + 1 - seat, "h": PALM + seat, "t0": TIED, "t1": TIED + 1}
    return int(found[1]), kinds[found[2]]


def rows(position: Position) -> tuple[str, str]:
    """The two rows of a position, written as `board` reads them."""
    written = []
    for seat in (0, 1):
        words = []
        for hole in position.own_row(seat):
            count, mark = position.holes[hole], position.marks[hole]
            names = {
                ORDINARY: "",
                BARRED + seat: "p",
                BARRED + 1 - seat: "w",
                PALM + seat: "h",
                TIED: "t0",
                TIED + 1: "t1",
            }
            words.append("x" if mark == BLIND else f"{count}{names[mark]}")
        written.append(" ".join(words))
    return written[0], written[1]


def begin(hole: int, direction: int = ANTICLOCKWISE) -> int:
    """The move that starts from that hole of the mover, counted from his left as 0."""
    return 2 * hole + (direction == CLOCKWISE)


def lay(*counts: int, end: int = 0) -> int:
    """The move that lays ones and twos from an end (0 the mover's left), the last number the surplus."""
    filled = [count for count in counts[:-1] if count]
    return LAYOUT + LAYOUT_END * end + (1 << len(filled)) + sum((count - 1) << i for i, count in enumerate(filled))


def lay_fours(end: int = 0) -> int:
    """The move that lays full holes from an end (0 the mover's left)."""
    return LAYOUT + LAYOUT_END * end


def play(ruleset: Ruleset, position: Position, move: int) -> referee.Played:
    """What the referee makes of a move; fails if the kernel, from the same words, makes anything else of it."""
    played = referee.play(ruleset.parameters, position, move)
    contract = kernels.kernel(ruleset.family).contract
    rules = contract.compile_rules(ruleset.parameters)
    words, counts, out, streams = kernels.workspace(contract, rules)
    open_streams(streams, 1, 1, contract.FIRST_STREAM, contract.LAST_STREAM)
    identity = position.words()
    words[: len(identity)] = np.array(identity)
    words[idle_at(rules)] = position.idle
    assert out[: contract.moves(rules, words, out)].tolist() == referee.moves(ruleset.parameters, position)
    contract.play(rules, words, move, streams, counts)
    after = played.position
    assert tuple(words[: len(identity)]) == after.words()
    assert (counts[LAPS], counts[TURNS]) == (played.laps, played.turn_over)
    assert (counts[CAPTURES_0], counts[CAPTURES_1]) == played.taken
    assert sum(after.holes) + sum(after.stores) == sum(position.holes) + sum(position.stores)
    return played


def starts(ruleset: Ruleset, position: Position) -> list[int]:
    """The holes the mover may start from, counted from his left."""
    return sorted({move // 2 for move in referee.starts(ruleset.parameters, position)})
