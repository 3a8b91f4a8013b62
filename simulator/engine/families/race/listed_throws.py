"""Every throw of the lots, its chance, and a stream of draws that begins with it: for players who weigh all throws.

A throw is not set from without: who looks at it opens the stream that gives it. So the rules throw as they always do.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import count, product
from typing import Any

from simulator.engine.families.race.chances import NotListed
from simulator.engine.families.race.referee import lots
from simulator.engine.randomness import Draws

Parameters = Mapping[str, Any]


def listed_throws(parameters: Parameters) -> tuple[tuple[Fraction, int], ...]:
    """(chance, key of a stream) of every throw that differs from the others in the game, the chances 1 together.

    Raises NotListed where there are more than two sides, or a throw is a series that has no end of its own.
    """
    if parameters["seats"] != 2 and parameters["teams"] != "opposite":
        raise NotListed(f"not where {parameters['seats']} play each for themselves")
    chances: dict[Any, Fraction] = {}
    for throw, chance in _every_way(parameters):
        if parameters["series"] != "one_at_a_time" and lots.throws_again(parameters, throw):
            raise NotListed("not where a throw can bring another, with which it is played")
        kind = _kind(parameters, throw)
        chances[kind] = chances.get(kind, Fraction(0)) + chance
    keys: dict[Any, int] = {}
    for key in count():
        keys.setdefault(_kind(parameters, lots.cast(parameters, Draws(key))), key)
        if len(keys) == len(chances):
            return tuple((chances[kind], keys[kind]) for kind in sorted(chances))
    raise AssertionError


def _every_way(parameters: Parameters) -> list[tuple[lots.Throw, Fraction]]:
    """What the lots can show, and the chance of each."""
    if parameters["cowries"]:
        up, of = parameters["mouth_chance"]
        chance = {1: Fraction(up, of), 0: Fraction(of - up, of)}
        every = product((0, 1), repeat=parameters["cowries"])
        return [(lots.cowrie_throw(parameters, shells), _product(chance[one] for one in shells)) for shells in every]
    drawn = lots.die_outcomes(parameters)
    ways = list(product(drawn, repeat=parameters["dice"]))
    return [(lots.dice_throw(parameters, faces), Fraction(1, len(ways))) for faces in ways]


def _product(numbers: Any) -> Fraction:
    found = Fraction(1)
    for number in numbers:
        found *= number
    return found


def _kind(parameters: Parameters, throw: lots.Throw) -> tuple[Any, ...]:
    """What the game sees of a throw: of dice the faces, in any order; of shells what they score."""
    return throw.score, throw.named, () if parameters["cowries"] else tuple(sorted(throw.lots))
