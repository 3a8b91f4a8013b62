"""Claims that a solution decides: whether a first move is better than every other, if both sides play without fault.

A test of this kind is `{"kind": "solution", "ruleset": slug, "first_move": "+b4"}`. No game is played for it: the table
of a solved ruleset says what every first move comes to. Pure Python.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalogue.texts.outcomes import Outcome

WINS = ("first_wins", "second_wins")


@dataclass(frozen=True, slots=True)
class SolvedTest:
    """ruleset: its name; first_move: as the family writes it."""

    ruleset: str
    first_move: str

    @property
    def sentence(self) -> str:
        return f"If both sides play without fault, {self.first_move} is better than every other first move."


@dataclass(frozen=True, slots=True)
class Answer:
    """text: what the table says of the move and of the best of the others."""

    outcome: Outcome
    text: str


def read(test: Mapping[str, Any]) -> SolvedTest:
    """The test; raises KeyError for what it does not say."""
    return SolvedTest(str(test["ruleset"]), str(test["first_move"]))


def problems(test: SolvedTest, document: Mapping[str, Any]) -> list[str]:
    """What is wrong with a test of this solution."""
    names = [move["name"] for move in document["first_moves"]]
    if test.first_move in names:
        return []
    return [f"{test.first_move} is no first move of {test.ruleset}: there are {', '.join(names)}"]


def answer(test: SolvedTest, document: Mapping[str, Any]) -> Answer:
    """What a solution says of it: better is a win before a draw before a loss, a quicker win, a later loss."""
    mover = document["start"]["mover"]
    own = next(move for move in document["first_moves"] if move["name"] == test.first_move)
    others = [move for move in document["first_moves"] if move["name"] != test.first_move]
    if not others:
        return Answer(Outcome.UNTESTABLE, "There is no other first move.")
    best = max(others, key=lambda move: _worth(move, mover))
    said = f"{test.first_move} {_comes_to(own, mover)}"
    if _worth(own, mover) > _worth(best, mover):
        return Answer(Outcome.SUPPORTED, f"{said}; the best of the others, {best['name']}, {_comes_to(best, mover)}.")
    if _worth(own, mover) == _worth(best, mover):
        equal = sum(_worth(move, mover) == _worth(own, mover) for move in others)
        if equal == len(others):
            return Answer(Outcome.NOT_SUPPORTED, f"{said}, and so does every one of the other {len(others)}.")
        return Answer(Outcome.NOT_SUPPORTED, f"{said}, as the best of the others do: {equal} of {len(others)}.")
    return Answer(Outcome.NOT_SUPPORTED, f"{said}, but {best['name']} {_comes_to(best, mover)}.")


def _worth(move: Mapping[str, Any], mover: int) -> tuple[int, int]:
    if move["value"] not in WINS:
        return 0, 0
    return (1, -move["plies"]) if move["value"] == WINS[mover] else (-1, move["plies"])


def _comes_to(move: Mapping[str, Any], mover: int) -> str:
    if move["value"] not in WINS:
        return "comes to a draw"
    word = "wins" if move["value"] == WINS[mover] else "loses"
    return f"{word} within {move['plies']} plies"
