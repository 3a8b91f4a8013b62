"""What the perfect player does, by the solution of a ruleset. Only workers import this module."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from simulator.engine.documents import parse
from simulator.engine.players.expectations import Expectation, by_score
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import Session
from simulator.engine.solving import advancing, expected
from simulator.engine.solving.solved import Solved, solve
from simulator.strength import forced_player
from simulator.strength.solution_tables import folder_of

TABLES = 2  # that a process keeps
Document = Mapping[str, Any]
Answer = tuple[list[int], Expectation]  # the moves to choose from, what they come to


def think(ruleset: Ruleset, seed: int, moves: Sequence[int], document: Document) -> tuple[int, Expectation]:
    """One of the moves that keep the value after these moves, and that value.

    The move is drawn by the seed: of the quickest wins, or the latest losses.

    document: the solution of the ruleset
    Raises TooManyPositions for a ruleset that is too large, and ValueError for moves that cannot be played.
    """
    session = Session(ruleset, seed)
    for move in moves:
        session.play(move)
    best, expected_value = WAYS[document["method"]](session, document)
    return session.drawn(best), expected_value


def prepare(ruleset: Ruleset, document: Document) -> None:
    """Compile, or load, what `choose` takes, which is no part of a turn."""
    line = document["line"]["moves"]
    think(ruleset, 0, line[:2] if len(line) > 2 else [], document)


def _by_every_position(session: Session, document: Document) -> Answer:
    solved, number = _table(json.dumps(session.ruleset.document)), 0
    for move in session.moves:
        number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
    value = solved.value_of(number)
    return solved.best_moves(number), by_score(value.score(solved.mover(number)), value.plies)


def _by_formations(session: Session, document: Document) -> Answer:
    solved = advancing.opened(session.ruleset, folder_of(session.ruleset))
    position = solved.game.start()
    for move in session.moves:
        position = dict(solved.game.children(position))[move]
    return solved.best_moves(position), by_score(solved.value(position).score(session.mover))


def _by_chances(session: Session, document: Document) -> Answer:
    solved, race = expected.opened(session.ruleset, folder_of(session.ruleset)), expected.race_of(session.ruleset)
    words = session.position.words()
    chance = max(expected.move_chances(race, solved, words).values())
    return expected.best_moves(race, solved, words), Expectation(share=round(chance, 4))


def _by_search(session: Session, document: Document) -> Answer:
    return forced_player.think(session.ruleset, session.moves, document)


WAYS: Mapping[str, Callable[[Session, Document], Answer]] = {
    "retrograde": _by_every_position,
    "sweep": _by_formations,
    "value_iteration": _by_chances,
    "search": _by_search,
}


@lru_cache(TABLES)
def _table(document: str) -> Solved:
    return solve(parse(json.loads(document)))
