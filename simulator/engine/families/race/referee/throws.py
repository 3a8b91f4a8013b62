"""The lots: what is thrown and scored, a series of throws, and the parts of them that one piece plays.

The order of draws is part of the contract. A throw of cowries draws once a shell, the marked shell first: below the
second number of `mouth_chance`, and the mouth is up if the draw is below the first. A throw of dice draws once a die,
below the sum of `face_weights` (without them: the number of faces), and the face is the one whose share of that sum
the draw falls into, in the order of `die_faces`. Lots in a table draw once, below the sum of `times`, and the row is
the one whose share of that sum the draw falls into.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import Any

from simulator.engine.boards.tracks import text_of
from simulator.engine.families.race.position import Event, Position, Rules
from simulator.engine.randomness import Draws


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw. double: the number that both of two dice show, else 0; named: whether it has a name of its own.

    moves, again: of lots in a table, what is played of it piece by piece, and whether it gives another
    choose: whether only one of the moves is played
    """

    lots: tuple[int, ...]
    score: int
    named: bool = False
    double: int = 0
    moves: tuple[int, ...] = ()
    again: bool = False
    choose: bool = False


def cast(rules: Rules, draws: Draws) -> Throw:
    """Throw the lots once."""
    if rules["cowries"]:
        up, of = rules["mouth_chance"]
        shells = tuple(int(draws.below(of) < up) for _ in range(rules["cowries"]))
        return cowrie_throw(rules, shells)
    if rules["lots"]:
        drawn, number = draws.below(sum(row["times"] for row in rules["lots"])), 0
        while drawn >= rules["lots"][number]["times"]:
            drawn -= rules["lots"][number]["times"]
            number += 1
        return lots_throw(rules, number)
    outcomes = die_outcomes(rules)
    return dice_throw(rules, tuple(outcomes[draws.below(len(outcomes))] for _ in range(rules["dice"])))


def die_outcomes(rules: Rules) -> list[int]:
    """Return what a die shows for each of its draws, all equally likely: every face as often as its weight says."""
    faces = rules["die_faces"]
    weights = rules["face_weights"] or [1] * len(faces)
    return [face for face, weight in zip(faces, weights, strict=True) for _ in range(weight)]


def every_throw(rules: Rules) -> Iterator[Throw]:
    """Yield all that the lots can show, one for each way in which shells or dice can lie."""
    if rules["cowries"]:
        yield from (cowrie_throw(rules, shells) for shells in product((0, 1), repeat=rules["cowries"]))
    elif rules["lots"]:
        yield from (lots_throw(rules, number) for number in range(len(rules["lots"])))
    else:
        yield from (dice_throw(rules, faces) for faces in product(rules["die_faces"], repeat=rules["dice"]))


def lots_throw(rules: Rules, number: int) -> Throw:
    """Return what a row of the table of lots brings."""
    row = rules["lots"][number]
    moves = tuple(row.get("moves", ()))
    choose = row.get("choose", False)
    score = max(moves) if choose else sum(moves)
    return Throw((number,), score, moves=moves, again=row.get("again", False), choose=choose)


def cowrie_throw(rules: Rules, shells: tuple[int, ...]) -> Throw:
    """Return what shells score; shells[0] is the marked one, 1 is a mouth up."""
    mouths = sum(shells)
    named = bool(rules["named_mouths"]) and mouths == rules["named_mouths"] and not shells[0]
    return _scored(rules, shells, rules["scores"][mouths], named, 0)


def dice_throw(rules: Rules, faces: tuple[int, ...]) -> Throw:
    """Return what dice score together."""
    named = len(faces) == 2 and sorted(faces) == rules["named_faces"]
    double = faces[0] if len(faces) > 1 and len(set(faces)) == 1 else 0
    return _scored(rules, faces, sum(faces), named, double)


def _scored(rules: Rules, lots: tuple[int, ...], score: int, named: bool, double: int) -> Throw:
    return Throw(lots, rules["named_score"] or score if named else score, named, double)


def throws_again(rules: Rules, throw: Throw) -> tuple[str, ...]:
    """Return the parameters that give another throw after this one; empty if there is none."""
    if throw.named:
        return ("named_again",) if rules["named_again"] else ()
    if throw.again:
        return ("lots",)
    keys = ("again_scores",) if throw.score in rules["again_scores"] else ()
    is_double = rules["again_doubles"] and len(set(throw.lots)) == 1
    return (*keys, "again_doubles") if is_double else keys


def plain_scores(rules: Rules) -> set[int]:
    """Return what one throw can score without the named one; the faces, if each die is played by itself."""
    if rules["cowries"]:
        return set(rules["scores"])
    if rules["lots"]:
        return {move for throw in every_throw(rules) for move in throw.moves}
    faces = rules["die_faces"]
    if rules["dice"] == 1 or rules["division"] == "each_die":
        return set(faces)
    return {
        first + second for first in faces for second in faces if sorted({first, second}) != list(rules["named_faces"])
    }


def named_score(rules: Rules) -> int:
    """Return what the named throw scores."""
    if rules["named_score"]:
        return int(rules["named_score"])
    return int(rules["scores"][rules["named_mouths"]] if rules["cowries"] else sum(rules["named_faces"]))


# What kind of part: a throw by its score, the named throw, one of its ones, an extra point, a throw joined with one.
THROW, NAMED, ONE, EXTRA, JOINED = range(5)


@dataclass(frozen=True, slots=True, order=True)
class PartKind:
    """A kind of part: how far it takes a piece, what it is, and whether it is one by which pieces enter."""

    value: int
    label: int
    enters: bool = False


# The parameters that decide which kinds there are.
KINDS_REST_ON = (
    "lots",
    "cowries",
    "scores",
    "dice",
    "die_faces",
    "division",
    "named_mouths",
    "named_faces",
    "named_score",
    "named_ones",
    "named_enters",
    "enter_scores",
    "extra_scores",
    "extra_spent",
)
_values_of = itemgetter(*KINDS_REST_ON[1:])


def kinds(rules: Rules) -> tuple[PartKind, ...]:
    """Return every kind of part that a document's throws can leave in the hand, ascending by value, then by label."""
    return _kinds(text_of(rules["lots"]), *[tuple(one) if isinstance(one, list) else one for one in _values_of(rules)])


@lru_cache(1_000)  # of what-ifs there is no end
def _kinds(lots: str, *values: Any) -> tuple[PartKind, ...]:
    rules: dict[str, Any] = dict(zip(KINDS_REST_ON, (json.loads(lots), *values), strict=True))
    if rules["division"] == "free":
        return ()
    found = {PartKind(score, THROW, score in rules["enter_scores"]) for score in plain_scores(rules)}
    if rules["named_mouths"] or rules["named_faces"]:
        score = 1 if rules["named_ones"] else named_score(rules)
        found.add(PartKind(score, ONE if rules["named_ones"] else NAMED, rules["named_enters"]))
    if rules["extra_scores"]:
        found.add(PartKind(1, EXTRA))
        if rules["extra_spent"] == "added":
            found |= {PartKind(score + 1, JOINED) for score in rules["extra_scores"]}
    return tuple(sorted(kind for kind in found if kind.value > 0))


def number_of(rules: Rules, value: int, label: int) -> int:
    """Return the place in the hand of a kind of part; raises ValueError if no throw leaves such a part."""
    return [(kind.value, kind.label) for kind in kinds(rules)].index((value, label))


def lay_ready(rules: Rules, position: Position, series: list[Throw]) -> None:
    """Lay the parts of a series into the hand, or its pips into the pool.

    The first extra points of a series pay for the pieces that wait; what is left is spent as `extra_spent` says.
    """
    position.clear_throw()
    if rules["division"] != "whole" and series:
        position.double = series[-1].double
    if rules["division"] == "free":
        position.pool = sum(throw.score for throw in series)
        if rules["exit_alone"] == "any_die":
            position.faces = sum(1 << face for throw in series for face in set(throw.lots))
        return
    position.faces = int(any(throw.choose for throw in series))
    owed = position.waiting(position.mover)
    for throw in series:
        for value, label in parts(rules, throw, owed):
            position.hand[number_of(rules, value, label)] += 1
            owed -= label == EXTRA


def parts(rules: Rules, throw: Throw, waiting: int) -> list[tuple[int, int]]:
    """Return (value, label) of the parts of one throw, while so many pieces wait that no extra point has paid for."""
    if throw.named and rules["named_ones"]:
        return [(1, ONE)] * throw.score
    if throw.named:
        return [(throw.score, NAMED)] if throw.score else []
    if rules["lots"]:
        return [(move, THROW) for move in throw.moves if move]
    if rules["division"] == "each_die":
        return [(face, THROW) for face in throw.lots if face]
    if throw.score not in rules["extra_scores"]:
        return [(throw.score, THROW)] if throw.score else []
    if waiting > 0 or rules["extra_spent"] == "any_piece":
        return [(throw.score, THROW), (1, EXTRA)]
    return [(throw.score + 1, JOINED)]


CANCELLING = ("cancel_scores", "cancel_after", "cancel_same", "cancelled")


def take_throws(rules: Rules, position: Position, draws: Draws) -> None:
    """Make the mover's throw, or his series of throws, and lay its parts ready."""
    series: list[Throw] = []
    events: list[Event] = []
    run = 0  # throws in succession, at the end of the series, that may be cancelled
    for _ in range(rules["series_limit"]):
        throw = cast(rules, draws)
        again = throws_again(rules, throw)
        keys = (*_scoring(rules, throw), *again, *_extra(rules, throw))
        events.append(Event("throw", keys, position.thrower, None, throw.score, throw.lots))
        # Judged before the throw joins the series, since the rule compares it with the one before.
        run = _run(rules, series, throw, run)
        series.append(throw)
        if run == rules["cancel_after"]:
            gone = run if rules["cancelled"] == "whole_run" else 1
            del series[-gone:]
            run = 0
            events.append(Event("cancelled", CANCELLING, position.thrower, None, gone))
        position.again = int(bool(again) and rules["series"] == "one_at_a_time")
        if not again or position.again:
            break
    lay_ready(rules, position, series)
    position.thrown = tuple(events)


def _scoring(rules: Rules, throw: Throw) -> tuple[str, ...]:
    if rules["lots"]:
        return ("lots",)
    return ("named_mouths", "named_faces", "named_score", "named_ones") if throw.named else ("scores", "die_faces")


def _extra(rules: Rules, throw: Throw) -> tuple[str, ...]:
    return ("extra_scores",) if throw.score in rules["extra_scores"] and not throw.named else ()


def _run(rules: Rules, series: list[Throw], throw: Throw, run: int) -> int:
    if throw.named or throw.score not in rules["cancel_scores"]:
        return 0
    return run + 1 if not run or not rules["cancel_same"] or series[-1].score == throw.score else 1
