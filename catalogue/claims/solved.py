"""Claims that a solution decides: whether a first move is better than every other, or how long faultless play lasts.

A test of this kind is `{"kind": "solution", "ruleset": slug, "first_move": "+b4"}`, with `"by": "chance"` where the
opponent is to move at random, or has `at_least`, a number of plies, in place of the move. No game is played for it: the
table of a solved ruleset says what every first move comes to.
"""

from collections.abc import Mapping
from typing import Any

from catalogue.claims.definitions import ClaimTest
from catalogue.claims.figures import Finding
from catalogue.texts.outcomes import Outcome
from simulator.engine.naming import seat_name
from simulator.statistics.bounded import BoundedFigure

NO_FIGURE = BoundedFigure(None, None, None, None, None, 0)
WINS = ("first_wins", "second_wins")


def problems(test: ClaimTest, document: Mapping[str, Any]) -> list[str]:
    """What is wrong with a test of this solution."""
    names = [move["name"] for move in document["first_moves"]]
    if not test.first_move or test.first_move in names:
        return []
    return [f"{test.first_move} is no first move of {test.rulesets[0]}: there are {', '.join(names)}"]


def answer(test: ClaimTest, document: Mapping[str, Any]) -> Finding:
    """What a solution says of it."""
    if not test.first_move:
        return _how_long(test, document)
    return _by_chance(test, document) if test.by == "chance" else _by_value(test, document)


def _how_long(test: ClaimTest, document: Mapping[str, Any]) -> Finding:
    start = document["start"]
    if start["value"] not in WINS:
        return Finding(Outcome.SUPPORTED, NO_FIGURE, "Neither side can force a win, so that the game need not end.")
    outcome = Outcome.SUPPORTED if start["plies"] >= test.demand.value else Outcome.NOT_SUPPORTED
    winner = seat_name(WINS.index(start["value"]))
    return Finding(outcome, NO_FIGURE, f"The {winner} wins, and the game then lasts {start['plies']} plies.")


def _by_chance(test: ClaimTest, document: Mapping[str, Any]) -> Finding:
    """The chance of winning of a mover who makes the most of it against random moves."""
    chances = {move["name"]: move["against_random"] for move in document["first_moves"]}
    others = {name: chance for name, chance in chances.items() if name != test.first_move}
    if not others or None in chances.values():
        why = "There is no other first move." if not others else "The table is too large for chances."
        return Finding(Outcome.UNTESTABLE, NO_FIGURE, why)
    best = max(others, key=lambda name: float(others[name]))
    own = chances[test.first_move]
    outcome = Outcome.SUPPORTED if own > others[best] else Outcome.NOT_SUPPORTED
    said = f"{test.first_move} wins {100 * own:.2f} % of games"
    return Finding(outcome, NO_FIGURE, f"{said}; the best of the others, {best}, {100 * others[best]:.2f} %.")


def _by_value(test: ClaimTest, document: Mapping[str, Any]) -> Finding:
    """Better is a win before a draw before a loss, a quicker win, a later loss."""
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
