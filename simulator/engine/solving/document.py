"""What a solution says, as one JSON document: for the command, the row that is kept, the page and the API."""

import resource
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from simulator.engine.family import family
from simulator.engine.referee_playout import plies
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.graph import set_aside
from simulator.engine.solving.solved import VALUE_NAMES, Searched, Solved, Value, load, search, solve

MOST_SEARCHED_PLIES = 60


def solved_document(solved: Solved) -> dict[str, Any]:
    """Return the document of retrograde analysis; all but `seconds` and the bytes is the same on every machine."""
    graph, start = solved.graph, solved.value_of(0)
    free = graph.game.ruleset
    return {
        "method": "retrograde",
        **common(solved.ruleset),
        "start": {"mover": solved.mover(0), **start.as_document()},
        "first_moves": _first_moves(solved),
        "line": line_document(free, [], solved.best_line(0)),
        "positions": {
            "reached": graph.size,
            "running": int((graph.kinds <= 1).sum()),
            "ended": int((graph.kinds > 1).sum()),
            "moves": graph.moves,
        },
        "counts": [_counts(solved, mover) for mover in (0, 1)],
        "ends": dict(zip(VALUE_NAMES, np.bincount(graph.kinds, minlength=6)[2:].tolist(), strict=True)),
        "longest": [longest for winner in (0, 1) if (longest := _longest(solved, winner))],
        "table_bytes": solved.bytes,
    }


def searched_document(ruleset: Ruleset, result: Searched, most: int) -> dict[str, Any]:
    """Return the document of a search for a forced win. most: plies that it was to look ahead at most"""
    names = names_of(ruleset, [], list(result.first_moves))
    value = None if result.winner is None else VALUE_NAMES[result.winner]
    mover = int(ruleset.module("referee.contract").start(ruleset.parameters).mover)
    return {
        "method": "search",
        **common(ruleset),
        "start": {"mover": mover, "value": value, "plies": result.plies},
        "first_moves": [
            {"move": move, "name": name, "value": value if plies else None, "plies": plies}
            for (move, plies), name in zip(result.first_moves.items(), names, strict=True)
        ],
        "line": line_document(ruleset, [], result.line),
        "refuted_plies": result.refuted,
        "most_plies": most,
        "looked_at": result.looked_at,
    }


def solution(
    ruleset: Ruleset, progress: Callable[[int], None] = lambda positions: None
) -> tuple[dict[str, Any], Solved]:
    """Solve a ruleset; returns (the document with time and memory, the table). Raises NotSolvable, TooManyPositions."""
    load(ruleset)  # compiling is no part of what a solution takes
    started = time.perf_counter()
    solved = solve(ruleset, progress)
    seconds = time.perf_counter() - started
    return {**solved_document(solved), **cost(seconds)}, solved


def forced_win(ruleset: Ruleset, seconds: float, most: int = MOST_SEARCHED_PLIES) -> dict[str, Any]:
    """Search for a forced win for so many seconds at most and return the document; raises NotSolvable."""
    started = time.perf_counter()
    result = search(ruleset, most, seconds)
    return {**searched_document(ruleset, result, most), **cost(time.perf_counter() - started)}


def cost(seconds: float) -> dict[str, Any]:
    """Return what a solution took: seconds, and the most memory that this process ever held."""
    # Linux counts it in kilobytes.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": round(seconds, 3), "peak_bytes": peak}


def common(ruleset: Ruleset) -> dict[str, Any]:
    """Return what every solution says of its ruleset."""
    return {
        "family": ruleset.family,
        "family_version": family(ruleset.family).rules_version,
        "set_aside": set_aside(ruleset),
    }


def _first_moves(solved: Solved) -> list[dict[str, Any]]:
    """List every first move with its value, the replies that keep it, and the mover's chance against random play."""
    if solved.is_over(0):
        return []
    moves, seat = solved.move_values(0), solved.mover(0)
    names = names_of(solved.graph.game.ruleset, [], list(moves))
    children = solved.graph.children(0)
    table = against_random(solved, seat) if solved.graph.size <= MOST_POSITIONS else None
    return [
        {
            **first_move(move, name, value, *_next(solved, child)),
            "against_random": None if table is None else round(float(table[child]), 6),
        }
        for (move, value), name, child in zip(moves.items(), names, children, strict=True)
    ]


def _next(solved: Solved, number: int) -> tuple[int, Collection[Value]]:
    """Return (the seat to move, the values of its moves); no values where the game is over."""
    return (0, ()) if solved.is_over(number) else (solved.mover(number), solved.move_values(number).values())


def first_move(move: int, name: str, value: Value, seat: int, following: Collection[Value]) -> dict[str, Any]:
    """Return a first move with its value, and of the moves of `seat` that follow how many there are and keep it."""
    keeping = sum(after.score(seat) == value.score(seat) for after in following)
    replies = {"all": len(following), "keeping": keeping}
    return {"move": move, "name": name, **value.as_document(), "replies": replies}


def _counts(solved: Solved, mover: int) -> dict[str, int]:
    """Count the running positions with that seat to move, by value."""
    # The kind of a running position is the seat to move, so that comparing it picks these positions.
    values = np.bincount(solved.values[solved.graph.kinds == mover], minlength=len(VALUE_NAMES)).tolist()
    return {
        "mover": mover,
        "all": sum(values),
        "lost": values[1 - mover],
        **dict(zip(VALUE_NAMES, values, strict=True)),
    }


def _longest(solved: Solved, winner: int) -> dict[str, Any] | None:
    """Return the position that a seat wins by force in the most plies, how it comes about and how it is won, or
    None."""
    won = np.where(solved.values == winner, solved.distances, -1)
    number = int(won.argmax())
    if won[number] <= 0:
        return None
    free, before, line = solved.graph.game.ruleset, solved.way_to(number), solved.best_line(number)
    return {
        "winner": winner,
        "mover": solved.mover(number),
        "positions": int((won == won[number]).sum()),
        "before": line_document(free, [], before),
        "line": line_document(free, before, line),
    }


def line_document(ruleset: Ruleset, before: Sequence[int], line: Sequence[int]) -> dict[str, Any]:
    """Return moves as codes and in notation, with their plies and turns, from the position that `before` leads to.

    The ruleset is played without its bounds, as it was solved.
    """
    played = list(plies(ruleset, 0, 0, moves=[*before, *line]))[len(before) :]
    return {
        "plies": len(line),
        "turns": sum(ply.played.turn_over for ply in played),
        "moves": list(line),
        "names": [ruleset.module("notation").move_name(ruleset.parameters, ply.before, ply.move) for ply in played],
    }


def names_of(ruleset: Ruleset, before: Sequence[int], moves: Sequence[int]) -> list[str]:
    """Write moves of one position in notation."""
    return [line_document(ruleset, before, [move])["names"][0] for move in moves]


MOST_POSITIONS = 300_000
SETTLED = 1e-9  # the most that the last ply computed may have changed a chance
MOST_PLIES = 100_000


def against_random(solved: Solved, seat: int) -> np.ndarray:
    """Return the chance of that seat in every position against an opponent who moves at random; float64[positions].

    The seat plays so that its chance of winning is greatest, the other chooses each of its moves equally often. Where
    every first move is worth the same against best play, this still distinguishes them. The chance is the limit of that
    of winning within n plies: plies are added until one more changes no chance by SETTLED. Raises ValueError for a
    table of more than MOST_POSITIONS.
    """
    graph = solved.graph
    if graph.size > MOST_POSITIONS:
        raise ValueError(f"chances are computed over at most {MOST_POSITIONS:,} positions, not {graph.size:,}")
    running = np.flatnonzero(graph.kinds <= 1)
    chances: np.ndarray = (graph.kinds == 2 + seat).astype(np.float64)
    if not len(running):
        return chances
    mine = graph.kinds[running] == seat
    firsts, options = graph.offsets[running], np.diff(graph.offsets)[running]
    for _ in range(MOST_PLIES):
        # One gather over all moves; positions have their moves side by side, which `reduceat` folds by their offsets.
        after = chances[graph.targets]
        best, mean = np.maximum.reduceat(after, firsts), np.add.reduceat(after, firsts) / options
        now = np.where(mine, best, mean)
        change = np.abs(now - chances[running]).max()
        chances[running] = now
        if change < SETTLED:
            break
    return chances
