"""Computing the replies that wait. Only workers import this module: it brings the compiled engine.

Where a forced win was found by search, the perfect player sees every win that is no longer than that. From the seat
that wins, the player wins whatever is played; from the other it holds out as long as can be, and misses no win that a
mistake of the winner allows within the plies that are left of the proof.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from simulator import rulesets
from simulator.batches import prices, versions
from simulator.batches.playing import PATIENCE, Allowance
from simulator.engine.compilation import compile_players
from simulator.engine.documents import parse
from simulator.engine.players.names import OPEN, Expectation, by_score
from simulator.engine.players.search import think
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import Session
from simulator.engine.solving import advancing, expected
from simulator.engine.solving.solved import Search, Solved, solve
from simulator.models import Reply
from simulator.strength import replies, solutions

PLACES = 2**16  # that a search remembers
LEAST_PLIES = 3  # that he looks ahead, however long the game has lasted
TABLES = 2  # that a process keeps
Document = Mapping[str, Any]
Answer = tuple[list[int], Expectation]  # the moves to choose from, what they come to
MOST_SECONDS = 10.0  # of processor time, beside many times what the turn should take


def think_within_proof(
    ruleset: Ruleset, moves: Sequence[int], document: Mapping[str, Any]
) -> tuple[list[int], Expectation]:
    """Return the moves to choose from after these moves, and what they lead to. document: the solution"""
    if not moves:
        return _first_moves(document)
    searches = [Search(ruleset, seat, PLACES) for seat in (0, 1)]
    game = searches[0].game
    position = game.start()
    for move in moves:
        position = dict(game.children(position))[move]
    most = max(LEAST_PLIES, document["start"]["plies"] - len(moves))
    own, other = searches if game.mover(position) == 0 else searches[::-1]
    children = dict(game.children(position))
    plies = own.plies(position, most)
    if plies is not None:
        return [move for move, child in children.items() if own.within(child, plies - 1)], by_score(1, plies)
    return _latest({move: other.plies(child, most) for move, child in children.items()}, most)


def _first_moves(document: Mapping[str, Any]) -> tuple[list[int], Expectation]:
    start, plies = document["start"], {move["move"]: move["plies"] for move in document["first_moves"]}
    if start["value"] != ("first_wins", "second_wins")[start["mover"]]:
        return _latest(plies, start["plies"])
    return [move for move, after in plies.items() if after == start["plies"] - 1], by_score(1, start["plies"])


def _latest(lost: Mapping[int, int | None], most: int) -> tuple[list[int], Expectation]:
    """Return the moves after which no loss was found, or those after which it comes last. most: plies looked ahead"""
    if None in lost.values():
        return [move for move, after in lost.items() if after is None], Expectation(value=OPEN, plies=most)
    late = max(after for after in lost.values() if after is not None)
    return [move for move, after in lost.items() if after == late], by_score(-1, late + 1)


def think_perfectly(ruleset: Ruleset, seed: int, moves: Sequence[int], document: Document) -> tuple[int, Expectation]:
    """Return one of the moves that keep the value after these moves, and that value.

    The move is drawn by the seed: of the quickest wins, or the latest losses.

    document: the solution of the ruleset
    Raises TooManyPositions for a ruleset that is too large, and ValueError for moves that cannot be played.
    """
    session = Session(ruleset, seed)
    for move in moves:
        session.play(move)
    best, expected_value = WAYS[document["method"]](session, document)
    return session.draw_move(best), expected_value


def prepare(ruleset: Ruleset, document: Document) -> None:
    """Compile, or load, what `choose` takes, which is no part of a turn."""
    line = document["line"]["moves"]
    think_perfectly(ruleset, 0, line[:2] if len(line) > 2 else [], document)


def _by_every_position(session: Session, document: Document) -> Answer:
    solved, number = _table(json.dumps(session.ruleset.document)), 0
    for move in session.moves:
        number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
    value = solved.value_of(number)
    return solved.best_moves(number), by_score(value.score(solved.mover(number)), value.plies)


def _by_formations(session: Session, document: Document) -> Answer:
    solved = advancing.opened(session.ruleset, solutions.folder_of(session.ruleset))
    position = solved.game.start()
    for move in session.moves:
        position = dict(solved.game.children(position))[move]
    return solved.best_moves(position), by_score(solved.value(position).score(session.mover))


def _by_chances(session: Session, document: Document) -> Answer:
    race = expected.race_of(session.ruleset)
    solved = expected.opened(session.ruleset, solutions.folder_of(session.ruleset))
    words = session.position.words()
    chance = max(expected.move_chances(race, solved, words).values())
    return expected.best_moves(race, solved, words), Expectation(share=round(chance, 4))


WAYS: Mapping[str, Callable[[Session, Document], Answer]] = {
    "retrograde": _by_every_position,
    "sweep": _by_formations,
    "value_iteration": _by_chances,
    "search": lambda session, document: think_within_proof(session.ruleset, session.moves, document),
}


@lru_cache(TABLES)
def _table(document: str) -> Solved:
    return solve(parse(json.loads(document)))


def think_reply(**which: str) -> bool:
    """Compute the reply of that `key`, or the one that waits longest. False if none waits that this worker can."""
    return Reply.work_on_next(_think, versions.of_installed_versions(), **which)


def _think(reply: Reply) -> None:
    expected = reply.work / prices.UNITS / 1e6
    replies.keep(reply, *Allowance(MOST_SECONDS + PATIENCE * expected).run(_thought(reply)))


def _thought(reply: Reply) -> Callable[[], tuple[int, Expectation | None]]:
    """Return what is to be computed, once all that is compiled for it is there."""
    ruleset = rulesets.as_engine(reply.ruleset)
    if reply.player == replies.PERFECT:
        kept = solutions.solution_of(ruleset, ruleset.hash)
        if kept is None or kept.document is None:
            raise ValueError("the solution that the perfect player goes by is not kept any more")
        prepare(ruleset, kept.document)
        return partial(think_perfectly, ruleset, reply.seed, reply.moves, kept.document)
    compile_players(ruleset.family)
    return partial(think, ruleset, reply.player, reply.seed, reply.moves)


def think_waiting_replies() -> None:
    """Compute the replies that wait, between two blocks of a batch, so that no reader waits for a whole chunk."""
    while think_reply():
        pass
