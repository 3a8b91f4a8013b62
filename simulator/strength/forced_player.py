"""What the perfect player does where a forced win was found by search: he sees every one that is no longer than that.

From the seat that wins he wins whatever is played. From the other he holds out as long as can be, and misses no win
that a mistake of the winner gives him within the plies that are left of the proof.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.engine.players.expectations import OPEN, Expectation, by_score
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving.search import Search

PLACES = 2**16  # that a search remembers
LEAST_PLIES = 3  # that he looks ahead, however long the game has lasted


def think(ruleset: Ruleset, moves: Sequence[int], document: Mapping[str, Any]) -> tuple[list[int], Expectation]:
    """The moves to choose from after these, which can be played, and what they come to. document: the solution"""
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
    return [move for move, found in plies.items() if found == start["plies"] - 1], by_score(1, start["plies"])


def _latest(lost: Mapping[int, int | None], most: int) -> tuple[list[int], Expectation]:
    """The moves after which no loss was found, or those after which it comes last. most: plies looked ahead"""
    if None in lost.values():
        return [move for move, found in lost.items() if found is None], Expectation(value=OPEN, plies=most)
    late = max(found for found in lost.values() if found is not None)
    return [move for move, found in lost.items() if found == late], by_score(-1, late + 1)
