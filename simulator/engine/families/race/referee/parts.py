"""The parts of a throw: what of it one piece plays, and how a series of throws is laid ready to be played."""

from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

from simulator.engine.families.race.position import Position, Rules
from simulator.engine.families.race.referee.lots import Throw, named_score, plain_scores

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
_values_of = itemgetter(*KINDS_REST_ON)


def kinds(rules: Rules) -> tuple[PartKind, ...]:
    """Every kind of part that a document's throws can leave in the hand, ascending by value, then by label."""
    return _kinds(*[tuple(value) if isinstance(value, list) else value for value in _values_of(rules)])


@lru_cache(1_000)  # of what-ifs there is no end
def _kinds(*values: Any) -> tuple[PartKind, ...]:
    rules: dict[str, Any] = dict(zip(KINDS_REST_ON, values, strict=True))
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
    """The place in the hand of a kind of part; raises ValueError if no throw leaves such a part."""
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
    owed = position.waiting(position.mover)
    for throw in series:
        for value, label in parts(rules, throw, owed):
            position.hand[number_of(rules, value, label)] += 1
            owed -= label == EXTRA


def parts(rules: Rules, throw: Throw, waiting: int) -> list[tuple[int, int]]:
    """(value, label) of the parts of one throw, while so many pieces wait that no extra point has paid for."""
    if throw.named and rules["named_ones"]:
        return [(1, ONE)] * throw.score
    if throw.named:
        return [(throw.score, NAMED)] if throw.score else []
    if rules["division"] == "each_die":
        return [(face, THROW) for face in throw.lots if face]
    if throw.score not in rules["extra_scores"]:
        return [(throw.score, THROW)] if throw.score else []
    if waiting > 0 or rules["extra_spent"] == "any_piece":
        return [(throw.score, THROW), (1, EXTRA)]
    return [(throw.score + 1, JOINED)]
