"""What the perfect player does, by the table of a solved ruleset. Only workers import this module."""

import json
from collections.abc import Sequence
from functools import lru_cache

from simulator.engine.compilation import compile_missing
from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import Session
from simulator.engine.solving import advancing, expected
from simulator.engine.solving.solved import Solved, load, solve
from simulator.strength.solution_tables import folder_of, has_table

TABLES = 2  # that a process keeps


def choose(ruleset: Ruleset, seed: int, moves: Sequence[int]) -> int:
    """One of the moves that keep the value after these moves, drawn by the seed: the quickest win, or the latest loss.

    Raises TooManyPositions for a ruleset that is too large, and ValueError for moves that cannot be played.
    """
    session = Session(ruleset, seed)
    if has_table(ruleset):
        look_up = _after_throws if family(ruleset.family).throws else _looked_up
        return session.drawn(look_up(ruleset, session, moves))
    solved, number = _table(json.dumps(ruleset.document)), 0
    for move in moves:
        number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
        session.play(move)
    return session.drawn(solved.best_moves(number))


def _after_throws(ruleset: Ruleset, session: Session, moves: Sequence[int]) -> list[int]:
    """The moves after which the chance of winning is greatest."""
    for move in moves:
        session.play(move)
    return expected.best_moves(
        expected.race_of(ruleset), expected.opened(ruleset, folder_of(ruleset)), session.position.words()
    )


def _looked_up(ruleset: Ruleset, session: Session, moves: Sequence[int]) -> list[int]:
    """The moves that keep the value, by a table of which little is read."""
    solved = advancing.opened(ruleset, folder_of(ruleset))
    position = solved.game.start()
    for move in moves:
        session.play(move)
        position = dict(solved.game.children(position))[move]
    return solved.best_moves(position)


def prepare(ruleset: Ruleset) -> None:
    """Compile, or load, what `choose` takes, which is no part of a turn."""
    if not has_table(ruleset):
        load(ruleset)
    elif family(ruleset.family).throws:
        compile_missing([ruleset.family])
    else:
        solved = advancing.opened(ruleset, folder_of(ruleset))
        solved.value(solved.game.start())


@lru_cache(TABLES)
def _table(document: str) -> Solved:
    return solve(parse(json.loads(document)))
