"""How likely each throw of the lots is, exactly: for solving a race, and for players who weigh every throw.

Solving needs races of two whose positions before a throw are told by the pieces alone (`throws`). A player needs for
each throw a stream of draws that begins with it (`listed_throws`): the throw is not set from without, but the player
who looks at it opens the stream that gives it, so that the rules throw as they always do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, product
from typing import Any

from simulator.engine.boards.tracks import board_of
from simulator.engine.families.race.kernel import compiling
from simulator.engine.families.race.kernel.compiling import chance
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee import contract
from simulator.engine.families.race.referee import throws as lots
from simulator.engine.randomness import Draws

Parameters = Mapping[str, Any]

# Rules by which a position is more than where the pieces stand and who throws, or a throw more than one move.
SEVERAL = {
    "again_scores": "a throw can bring another, so that many are played together",
    "again_doubles": "a throw can bring another, so that many are played together",
    "named_again": "a throw can bring another, so that many are played together",
    "again_sending_back": "what a piece does can bring another throw",
    "again_home": "what a piece does can bring another throw",
    "marked": "what a piece does can bring another throw",
    "taking": "pieces are taken for good",
    "first_enter_scores": "whether a player has entered a piece has to be known",
    "pairs_reenter": "which pieces were sent back together has to be known",
}


MOST_LISTED = 4_096  # times as seldom as all throws together the most seldom may be


class NotListed(ValueError):
    """The chances of a ruleset cannot be listed throw by throw."""


def throws(parameters: Parameters) -> dict[int, Fraction]:
    """Return the chance of each kind of part, by its place in the hand; -1 for throws that bring nothing. Raises
    NotListed."""
    if parameters["seats"] != 2:
        raise NotListed(f"only games of two are solved, and here are {parameters['seats']} seats")
    if parameters["division"] == "free":
        raise NotListed("a throw is divided freely, over more than one move")
    for key, why in SEVERAL.items():
        if parameters[key]:
            raise NotListed(f"{why} ({key})")
    if not _alike(parameters):
        raise NotListed("the two tracks are not alike")
    if any(row.get("again") for row in parameters["lots"]):
        raise NotListed(f"{SEVERAL['again_scores']} (lots)")
    kinds, found = compiling.kinds(parameters), dict[int, Fraction]()
    for cast in compiling.casts(parameters):
        laid = compiling.parts(parameters, cast)
        if sum(number for _, number in laid) > 1:
            raise NotListed("a throw has several parts, which are played one after the other")
        kind = kinds.index(laid[0][0]) if laid else -1
        found[kind] = found.get(kind, Fraction(0)) + chance(parameters, cast)
    return found


def home_of(parameters: Parameters) -> int:
    """Return the step of a piece that is home."""
    return compiling.ends(parameters)[0]


def leaving(parameters: Parameters, squares: Sequence[int]) -> Fraction:
    """Return the chance that one throw can take home all pieces of the first player that are not there yet.

    squares: how far before the end of its way each of them stands
    """
    home = home_of(parameters)
    steps = sorted([*[home - missing for missing in squares], *[home] * (parameters["pieces"] - len(squares))])
    others = [[1] * parameters["pieces"] for _ in range(1, parameters["seats"])]
    found = Fraction(0)
    for throw, how_likely in _every_way(parameters):
        position = Position(parameters, [steps, *others])
        lots.lay_ready(parameters, position, [throw])
        found += how_likely * _can_leave(parameters, position)
    return found


def _can_leave(parameters: Parameters, position: Position) -> bool:
    """Return whether some way of playing this throw brings all pieces of the mover home."""
    seat, draws = position.mover, [Draws(0)] * parameters["seats"]
    waiting = [position]
    while waiting:
        here = waiting.pop()
        for move in contract.moves(parameters, here):
            played = contract.play(parameters, here, move, draws)
            if played.home[seat] == parameters["pieces"]:
                return True
            is_another_throw = any(event.kind == "throw" for event in played.position.thrown)
            if played.position.mover == seat and not is_another_throw and not played.passed:
                waiting.append(played.position)
    return False


def _alike(parameters: Parameters) -> bool:
    """Return whether the players meet on the same squares and stand safe on the same steps, whoever is who."""
    board = board_of(parameters)
    first, second = board.tracks[2]
    meetings = {(a, b) for a, square in enumerate(first) for b, there in enumerate(second) if square == there}
    safe = [[board.squares[square].is_marked for square in track] for track in (first, second)]
    return meetings == {(b, a) for a, b in meetings} and safe[0] == safe[1]


def listed_throws(parameters: Parameters) -> tuple[tuple[Fraction, int], ...]:
    """Return (chance, key of a stream) of every throw that differs from the others in the game, the chances 1 together.

    Raises NotListed where there are more than two sides, or a throw is a series that has no end of its own.
    """
    if parameters["seats"] != 2 and parameters["teams"] != "opposite":
        raise NotListed(f"not where {parameters['seats']} play each for themselves")
    chances: dict[Any, Fraction] = {}
    for throw, how_likely in _every_way(parameters):
        if parameters["series"] != "one_at_a_time" and lots.throws_again(parameters, throw):
            raise NotListed("not where a throw can bring another, with which it is played")
        kind = _kind(parameters, throw)
        chances[kind] = chances.get(kind, Fraction(0)) + how_likely
    times = [row["times"] for row in parameters["lots"]]
    if times and sum(times) > MOST_LISTED * min(times):
        raise NotListed("some throw is so rare that no stream is found that begins with it")
    keys: dict[Any, int] = {}
    # Streams are tried in order until each kind of throw has one that begins with it: the first keys do.
    for key in count():
        keys.setdefault(_kind(parameters, lots.cast(parameters, Draws(key))), key)
        if len(keys) == len(chances):
            return tuple((chances[kind], keys[kind]) for kind in sorted(chances))
    raise AssertionError


@dataclass(frozen=True, slots=True)
class Listed:
    """A throw that the game tells from all others. kind: what it is told by; chance: of one cast; drawn: the numbers
    below their bounds that bring it, one for each draw of a cast; lots: what lies there then, of the first of several
    ways"""

    kind: tuple[Any, ...]
    chance: Fraction
    drawn: tuple[int, ...]
    lots: tuple[int, ...]


def every_cast(parameters: Parameters) -> tuple[Listed, ...]:
    """Return what one cast of the lots can bring, each that differs from the others in the game, in a lasting order.

    Of a series these are the single casts: whoever plays by them decides one after the other.
    """
    chances: dict[Any, Fraction] = {}
    first: dict[Any, lots.Throw] = {}
    for throw, how_likely in _every_way(parameters):
        if how_likely:
            kind = _kind(parameters, throw)
            first.setdefault(kind, throw)
            chances[kind] = chances.get(kind, Fraction(0)) + how_likely
    return tuple(
        Listed(kind, chances[kind], _drawn(parameters, first[kind]), first[kind].lots) for kind in sorted(chances)
    )


def kind_of_cast(parameters: Parameters, draws: Draws) -> tuple[Any, ...]:
    """Cast the lots and return by which kind `every_cast` knows it."""
    return _kind(parameters, lots.cast(parameters, draws))


def _drawn(parameters: Parameters, throw: lots.Throw) -> tuple[int, ...]:
    """Return the numbers that a cast draws where it brings this throw, as `throws.cast` reads them."""
    if parameters["cowries"]:
        up = parameters["mouth_chance"][0]
        return tuple(0 if mouth else up for mouth in throw.lots)
    if parameters["lots"]:
        return (sum(row["times"] for row in parameters["lots"][: throw.lots[0]]),)
    outcomes = lots.die_outcomes(parameters)
    return tuple(outcomes.index(face) for face in throw.lots)


def _every_way(parameters: Parameters) -> list[tuple[lots.Throw, Fraction]]:
    """Return what the lots can show, and the chance of each."""
    if parameters["cowries"]:
        up, of = parameters["mouth_chance"]
        chance = {1: Fraction(up, of), 0: Fraction(of - up, of)}
        every = product((0, 1), repeat=parameters["cowries"])
        return [
            (lots.cowrie_throw(parameters, shells), _product(chance[mouth] for mouth in shells)) for shells in every
        ]
    if parameters["lots"]:
        times = [row["times"] for row in parameters["lots"]]
        return [
            (throw, Fraction(number, sum(times)))
            for throw, number in zip(lots.every_throw(parameters), times, strict=True)
        ]
    drawn = lots.die_outcomes(parameters)
    ways = list(product(drawn, repeat=parameters["dice"]))
    return [(lots.dice_throw(parameters, faces), Fraction(1, len(ways))) for faces in ways]


def _product(numbers: Any) -> Fraction:
    found = Fraction(1)
    for number in numbers:
        found *= number
    return found


def _kind(parameters: Parameters, throw: lots.Throw) -> tuple[Any, ...]:
    """Return what the game sees of a throw: of dice the faces, in any order; of shells what they score; of lots in a
    table what is played."""
    if parameters["lots"]:
        return throw.moves, throw.again, throw.choose
    return throw.score, throw.named, () if parameters["cowries"] else tuple(sorted(throw.lots))
