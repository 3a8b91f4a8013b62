"""How likely each throw is, exactly, in races of two whose positions before a throw are told by the pieces alone."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race.kernel import compiling
from simulator.engine.families.race.kernel.compiling import chance

# Rules by which a position is more than where the pieces stand and who throws, or a throw more than one move.
SEVERAL = {
    "again_scores": "a throw can bring another, so that many are played together",
    "again_doubles": "a throw can bring another, so that many are played together",
    "named_again": "a throw can bring another, so that many are played together",
    "first_enter_scores": "whether a player has entered a piece has to be known",
    "pairs_reenter": "which pieces were sent back together has to be known",
}


class NotListed(ValueError):
    """The chances of a ruleset cannot be listed throw by throw."""


def throws(parameters: Mapping[str, Any]) -> dict[int, Fraction]:
    """The chance of each kind of part, by its place in the hand; -1 for throws that bring nothing. Raises NotListed."""
    if parameters["seats"] != 2:
        raise NotListed(f"only games of two are solved, and here are {parameters['seats']} seats")
    if parameters["division"] == "free":
        raise NotListed("a throw is divided freely, over more than one move")
    for key, why in SEVERAL.items():
        if parameters[key]:
            raise NotListed(f"{why} ({key})")
    if not _alike(parameters):
        raise NotListed("the two tracks are not alike")
    kinds, found = compiling.kinds(parameters), dict[int, Fraction]()
    for cast in compiling.casts(parameters):
        laid = compiling.parts(parameters, cast)
        if sum(number for _, number in laid) > 1:
            raise NotListed("a throw has several parts, which are played one after the other")
        kind = kinds.index(laid[0][0]) if laid else -1
        found[kind] = found.get(kind, Fraction(0)) + chance(parameters, cast)
    return found


def home_of(parameters: Mapping[str, Any]) -> int:
    """The step of a piece that is home."""
    return compiling.ends(parameters)[0]


def _alike(parameters: Mapping[str, Any]) -> bool:
    """Whether the players meet on the same squares and stand safe on the same steps, whoever is who."""
    board = BOARDS[parameters["board"]]
    one, other = board.tracks[2]
    meetings = {(a, b) for a, square in enumerate(one) for b, there in enumerate(other) if square == there}
    safe = [[board.squares[square].is_marked for square in track] for track in (one, other)]
    return meetings == {(b, a) for a, b in meetings} and safe[0] == safe[1]
