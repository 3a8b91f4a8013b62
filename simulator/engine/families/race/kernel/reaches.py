"""How likely one throw brings one piece so many steps on: what an evaluation knows of the throws to come."""

from collections.abc import Mapping, Set
from fractions import Fraction
from math import comb
from typing import Any

from simulator.engine.families.race.kernel import rules as rule
from simulator.engine.families.race.kernel import tables


def reaches(parameters: Mapping[str, Any]) -> list[int]:
    """For each distance up to FARTHEST the chance of it, in parts of 1 << CHANCE_BITS; none of those beyond."""
    found = [Fraction(0)] * (rule.FARTHEST + 1)
    for cast in tables.casts(parameters):
        for distance in _distances(parameters, cast):
            if distance < rule.FARTHEST:
                found[distance] += chance(parameters, cast)
    return [round(one * (1 << rule.CHANCE_BITS)) for one in found]


def _distances(parameters: Mapping[str, Any], cast: tables.Cast) -> Set[int]:
    """How far one piece can go by a throw, and where passing sends back too, all that it goes by."""
    if parameters["division"] == "free":
        return set(range(1, cast.score + 1))
    found = {0}
    for (value, _), number in tables.parts(parameters, cast):
        found |= {so_far + value * times for so_far in found for times in range(1, number + 1)}
    if parameters["sends_back"] == "landing_or_passing":
        found = set(range(max(found) + 1))
    return found - {0}


def chance(parameters: Mapping[str, Any], cast: tables.Cast) -> Fraction:
    """Of one way the lots can lie; see `Cast.place`."""
    shells = parameters["cowries"]
    if shells:
        up, of = parameters["mouth_chance"]
        mouths, marked = divmod(cast.place, 2)
        ways = comb(shells - 1, mouths - marked)
        return Fraction(ways * up**mouths * (of - up) ** (shells - mouths), of**shells)
    drawn = tables.outcomes(parameters)
    places = [cast.place] if parameters["dice"] == 1 else divmod(cast.place, rule.DIE)
    chance = Fraction(1)
    for place in places:
        chance *= Fraction(drawn.count(place), len(drawn))
    return chance
