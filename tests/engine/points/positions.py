"""Positions of points games written by hand, moves written as they are read, and single plies played by both engines.

`+c3` lays a piece, `c3-d4` steps, `c3xe5` jumps and lands on e5, `xc3` removes a piece; `pass` and `stop` are words.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.engine import kernels
from simulator.engine.boards.points import BOARDS, Board
from simulator.engine.families.points import parameters
from simulator.engine.families.points.kernel.layout import idle_at
from simulator.engine.families.points.measures import TAKEN_0, TURNS
from simulator.engine.families.points.position import FROM, JUMP, LAY, LEAVE, PASS, REMOVE_MOVE, STEP, STOP, Position
from simulator.engine.families.points.referee import contract as referee

Rules = Mapping[str, Any]
POINT = r"[a-l]\d+"
WORDS = {"pass": PASS, "stop": STOP, "leave": LEAVE}


def rules(**document: Any) -> dict[str, Any]:
    """Parameters of a game made up for a test; fails if the document is no game."""
    found = filled(**document)
    assert parameters.problems(found) == []
    return found


def filled(**document: Any) -> dict[str, Any]:
    """Every parameter, those that are not given at their off value."""
    assert document.keys() <= parameters.PROPERTIES.keys()
    return {
        key: document.get(key, "points" if key == "family" else spec.get("default"))
        for key, spec in parameters.PROPERTIES.items()
    }


def position(
    ruled: Rules, first: str = "", second: str = "", kings: tuple[str, str] = ("", ""), **fields: Any
) -> Position:
    """Men and kings on the points named; nothing in hand, first player to move, unless `fields` says otherwise."""
    board = BOARDS[ruled["board"]]
    stand = Position(len(board.points), [_points(board, first), _points(board, second)])
    stand.kings = [_points(board, names) for names in kings]
    stand.board = board
    stand.has_common_supply = ruled["supply"] == "common"
    for key, value in fields.items():
        setattr(stand, key, list(value) if key == "hands" else value)
    return stand


def _points(board: Board, names: str) -> set[int]:
    return {board.number(name) for name in names.split()}


def names(ruled: Rules, points: set[int]) -> str:
    """The names of some points, in the order of the board."""
    return " ".join(BOARDS[ruled["board"]].names[point] for point in sorted(points))


def move(ruled: Rules, words: str) -> int:
    """The integer of a written move."""
    number = BOARDS[ruled["board"]].number
    if words in WORDS:
        return WORDS[words]
    if found := re.fullmatch(rf"({POINT})([-x])({POINT})", words):
        return (STEP if found[2] == "-" else JUMP) + FROM * number(found[1]) + number(found[3])
    return (LAY if words[0] == "+" else REMOVE_MOVE) + number(words[1:])


def written(ruled: Rules, code: int) -> str:
    """A move as it is written."""
    at = BOARDS[ruled["board"]].names
    if code in WORDS.values():
        return next(word for word, known in WORDS.items() if known == code)
    if code >= STEP:
        origin, to = divmod(code - (JUMP if code >= JUMP else STEP), FROM)
        return f"{at[origin]}{'x' if code >= JUMP else '-'}{at[to]}"
    return f"x{at[code - REMOVE_MOVE]}" if code >= REMOVE_MOVE else f"+{at[code]}"


def moves(ruled: Rules, stand: Position) -> list[str]:
    """The legal moves, written, in the order of the contract."""
    return [written(ruled, code) for code in referee.moves(ruled, stand)]


def play(ruled: Rules, stand: Position, words: str) -> referee.Played:
    """What the referee makes of a written move; fails if the kernel, from the same words, makes anything else of it."""
    code = move(ruled, words)
    played = referee.play(ruled, stand, code)
    if not ruled["repetition"]:  # a position's words do not say what stood before
        _play_compiled(ruled, stand, code, played)
    aside = sum(event.pieces for event in played.events)
    before, after = (_pieces(ruled, place) for place in (stand, played.position))
    assert after == before - sum(played.taken) - aside
    standing = [*played.position.men, *played.position.kings, played.position.lifted]
    assert len(set().union(*standing)) == sum(len(points) for points in standing)
    return played


def _pieces(ruled: Rules, stand: Position) -> int:
    """On the board and in hand; a common supply, which both hands tell, once."""
    return stand.count(0) + stand.count(1) - (stand.hands[1] if ruled["supply"] == "common" else 0)


def _play_compiled(ruled: Rules, stand: Position, code: int, played: referee.Played) -> None:
    contract = kernels.kernel("points").contract
    compiled = contract.compile_rules(ruled)
    words, counts, out, streams = kernels.workspace(contract, compiled)
    identity = stand.words()
    words[: len(identity)] = np.array(identity)
    words[idle_at(compiled[1])] = stand.idle
    assert out[: contract.moves(compiled, words, out)].tolist() == referee.moves(ruled, stand)
    contract.play(compiled, words, code, streams, counts)
    assert tuple(words[: len(identity)]) == played.position.words()
    assert (counts[TURNS], *counts[TAKEN_0 : TAKEN_0 + 2]) == (played.turn_over, *played.taken)


def play_all(ruled: Rules, stand: Position, line: str) -> referee.Played:
    """The last of several plies played one after another."""
    for words in line.split():
        played = play(ruled, stand, words)
        stand = played.position
    return played


def kinds(played: referee.Played) -> list[str]:
    return [event.kind for event in played.events]
