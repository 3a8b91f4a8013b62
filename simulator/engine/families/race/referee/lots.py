"""The lots: what is thrown, what it scores, and whether another throw follows.

The order of draws is part of the contract. A throw of cowries draws once a shell, the marked shell first: below the
second number of `mouth_chance`, and the mouth is up if the draw is below the first. A throw of dice draws once a die,
below the sum of `face_weights` (without them: the number of faces), and the face is the one whose share of that sum
the draw falls into, in the order of `die_faces`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from simulator.engine.families.race.position import Rules
from simulator.engine.randomness import Draws


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw. double: the number that both of two dice show, else 0; named: whether it has a name of its own."""

    lots: tuple[int, ...]
    score: int
    named: bool = False
    double: int = 0


def cast(rules: Rules, draws: Draws) -> Throw:
    """Throw the lots once."""
    if rules["cowries"]:
        up, of = rules["mouth_chance"]
        shells = tuple(int(draws.below(of) < up) for _ in range(rules["cowries"]))
        return cowrie_throw(rules, shells)
    outcomes = die_outcomes(rules)
    return dice_throw(rules, tuple(outcomes[draws.below(len(outcomes))] for _ in range(rules["dice"])))


def die_outcomes(rules: Rules) -> list[int]:
    """What a die shows for each of its draws, all equally likely: every face as often as its weight says."""
    faces = rules["die_faces"]
    weights = rules["face_weights"] or [1] * len(faces)
    return [face for face, weight in zip(faces, weights, strict=True) for _ in range(weight)]


def every_throw(rules: Rules) -> Iterator[Throw]:
    """All that the lots can show, one for each way in which shells or dice can lie."""
    if rules["cowries"]:
        yield from (cowrie_throw(rules, shells) for shells in product((0, 1), repeat=rules["cowries"]))
    else:
        yield from (dice_throw(rules, faces) for faces in product(rules["die_faces"], repeat=rules["dice"]))


def cowrie_throw(rules: Rules, shells: tuple[int, ...]) -> Throw:
    """What shells score; shells[0] is the marked one, 1 is a mouth up."""
    mouths = sum(shells)
    named = bool(rules["named_mouths"]) and mouths == rules["named_mouths"] and not shells[0]
    return _scored(rules, shells, rules["scores"][mouths], named, 0)


def dice_throw(rules: Rules, faces: tuple[int, ...]) -> Throw:
    """What dice score together."""
    named = len(faces) == 2 and sorted(faces) == rules["named_faces"]
    double = faces[0] if len(faces) > 1 and len(set(faces)) == 1 else 0
    return _scored(rules, faces, sum(faces), named, double)


def _scored(rules: Rules, lots: tuple[int, ...], score: int, named: bool, double: int) -> Throw:
    return Throw(lots, rules["named_score"] or score if named else score, named, double)


def throws_again(rules: Rules, throw: Throw) -> tuple[str, ...]:
    """The parameters that give another throw after this one; empty if there is none."""
    if throw.named:
        return ("named_again",) if rules["named_again"] else ()
    keys = ("again_scores",) if throw.score in rules["again_scores"] else ()
    is_double = rules["again_doubles"] and len(set(throw.lots)) == 1
    return (*keys, "again_doubles") if is_double else keys


def plain_scores(rules: Rules) -> set[int]:
    """What one throw can score without the named one; the faces, if each die is played by itself."""
    if rules["cowries"]:
        return set(rules["scores"])
    faces = rules["die_faces"]
    if rules["dice"] == 1 or rules["division"] == "each_die":
        return set(faces)
    return {
        first + second for first in faces for second in faces if sorted({first, second}) != list(rules["named_faces"])
    }


def named_score(rules: Rules) -> int:
    """What the named throw scores."""
    if rules["named_score"]:
        return int(rules["named_score"])
    return int(rules["scores"][rules["named_mouths"]] if rules["cowries"] else sum(rules["named_faces"]))
