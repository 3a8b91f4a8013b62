"""Claims that a solution decides: whether a first move is better than every other, if both sides play without fault.

A test of this kind is `{"kind": "solution", "ruleset": slug, "first_move": "+b4"}`. No game is played for it: the table
of a solved ruleset says what every first move comes to.
"""

from collections.abc import Mapping
from typing import Any

from catalogue.claims.definitions import ClaimTest
from catalogue.claims.figures import Finding
from catalogue.texts.outcomes import Outcome
from simulator.statistics.bounded import BoundedFigure

NO_FIGURE = BoundedFigure(None, None, None, None, None, 0)
WINS = ("first_wins", "second_wins")


def problems(test: ClaimTest, document: Mapping[str, Any]) -> list[str]:
    """What is wrong with a test of this solution."""
    names = [move["name"] for move in document["first_moves"]]
    if test.first_move in names:
        return []
    return [f"{test.first_move} is no first move of {test.rulesets[0]}: there are {', '.join(names)}"]


def answer(test: ClaimTest, document: Mapping[str, Any]) -> Finding:
    """What a solution says of it: better is a win before a draw before a loss, a quicker win, a later loss."""
    mover = document["start"]["mover"]
    own = next(move for move in document["first_moves"] if move["name"] == test.first_move)
    others = [move for move in document["first_moves"] if move["name"] != test.first_move]
    if not others:
        return Finding(Outcome.UNTESTABLE, NO_FIGURE, "There is no other first move.")
    best = max(others, key=lambda move: _worth(move, mover))
    said = f"{test.first_move} {_comes_to(own, mover)}"
    if _worth(own, mover) > _worth(best, mover):
        return Finding(
            Outcome.SUPPORTED, NO_FIGURE, f"{said}; the best of the others, {best['name']}, {_comes_to(best, mover)}."
        )
    if _worth(own, mover) == _worth(best, mover):
        equal = sum(_worth(move, mover) == _worth(own, mover) for move in others)
        if equal == len(others):
            return Finding(
                Outcome.NOT_SUPPORTED, NO_FIGURE, f"{said}, and so does every one of the other {len(others)}."
            )
        return Finding(
            Outcome.NOT_SUPPORTED, NO_FIGURE, f"{said}, as the best of the others do: {equal} of {len(others)}."
        )
    return Finding(Outcome.NOT_SUPPORTED, NO_FIGURE, f"{said}, but {best['name']} {_comes_to(best, mover)}.")


def _worth(move: Mapping[str, Any], mover: int) -> tuple[int, int]:
    if move["value"] not in WINS:
        return 0, 0
    return (1, -move["plies"]) if move["value"] == WINS[mover] else (-1, move["plies"])


def _comes_to(move: Mapping[str, Any], mover: int) -> str:
    if move["value"] not in WINS:
        return "comes to a draw"
    word = "wins" if move["value"] == WINS[mover] else "loses"
    return f"{word} within {move['plies']} plies"
