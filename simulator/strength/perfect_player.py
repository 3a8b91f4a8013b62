"""What the perfect player does, by the table of a solved ruleset. Only workers import this module."""

import json
from collections.abc import Sequence
from functools import lru_cache

from simulator.engine.documents import parse
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import Session
from simulator.engine.solving.solved import Solved, solve

TABLES = 2  # that a process keeps


def choose(ruleset: Ruleset, seed: int, moves: Sequence[int]) -> int:
    """One of the moves that keep the value after these moves, drawn by the seed: the quickest win, or the latest loss.

    Raises TooManyPositions for a ruleset that is too large, and ValueError for moves that cannot be played.
    """
    solved, session, number = _table(json.dumps(ruleset.document)), Session(ruleset, seed), 0
    for move in moves:
        number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
        session.play(move)
    return session.drawn(solved.best_moves(number))


@lru_cache(TABLES)
def _table(document: str) -> Solved:
    return solve(parse(json.loads(document)))
