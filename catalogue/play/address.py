"""The address of a position: who plays, the seed, and the moves so far. It holds everything, and the server nothing.

The same address is the same position for everybody. Whoever reads it can work out throws to come from the seed.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from simulator.batches import levels
from simulator.batches.requests import MOST_SEED
from simulator.engine.family import family
from simulator.engine.players.names import PlayersProblem, player
from simulator.engine.ruleset import Problem, Ruleset, nearest
from simulator.engine.session import SEPARATOR
from simulator.problems import WrongRequest, whole_number
from simulator.strength.replies import PERFECT

YOU = "you"
BESIDE = (YOU, PERFECT)  # who is no player of the engine's
LONGEST = 6_000  # characters of moves: with the rest of an address as much as the servers on the way take
NEW_SEEDS = 1_000_000
OFFERED = ("random", "greedy", *levels.TARGETS, "alpha_beta:2", "alpha_beta:4")
OPPONENT = levels.CLUB


@dataclass(frozen=True, slots=True)
class Address:
    """players: a name for every seat, `you` for whoever sits before the screen; moves: as `writing` writes them."""

    players: tuple[str, ...]
    seed: int
    moves: str = ""

    @property
    def items(self) -> list[tuple[str, str]]:
        found = [("players", ",".join(self.players)), ("seed", str(self.seed))]
        return [*found, ("moves", self.moves)] if self.moves else found

    @property
    def query(self) -> str:
        return urlencode(self.items, safe=",:/*=")

    def after(self, moves: str) -> "Address":
        return replace(self, moves=moves)

    @property
    def exchanged(self) -> "Address":
        """Everybody one seat on."""
        return replace(self, players=(self.players[-1], *self.players[:-1]))

    def taken_back_to(self, ply: int) -> "Address":
        """The position before the ply of that number, from 0."""
        return self.after(SEPARATOR.join(self.moves.split(SEPARATOR)[:ply]))


def read(ruleset: Ruleset, parameters: Mapping[str, Sequence[str]]) -> Address:
    """The address that these parameters mean, its moves not looked at; a new seed if there is none.

    parameters: values by parameter; several of `players` are those of one seat each
    Raises WrongRequest with the first thing that is wrong, and the nearest valid value in place of all of it.
    """
    for key, values in parameters.items():
        if key != "players" and len(values) > 1:
            raise WrongRequest([Problem(key, f"is set {len(values)} times; once is enough", values[0])])
    typed = parameters.get("seed", [""])[0].strip()
    players = players_named(ruleset, ",".join(parameters.get("players", [])) or YOU)
    seed = whole_number("seed", typed, 0, MOST_SEED) if typed else secrets.randbelow(NEW_SEEDS)
    moves = parameters.get("moves", [""])[0]
    if len(moves) > LONGEST:
        cut = moves[:LONGEST].rpartition(SEPARATOR)[0]
        raise WrongRequest([Problem("moves", f"are {len(moves)} characters long, more than {LONGEST}", cut)])
    return Address(players, seed, moves)


def players_named(ruleset: Ruleset, text: str) -> tuple[str, ...]:
    """Who sits where, from "you,uct:1000". Raises WrongRequest."""
    kind, names = family(ruleset.family), [name.strip() for name in text.split(",")]
    seats = kind.seats(ruleset.parameters)
    nearest = [_nearest_name(name) for name in names]
    stands_for = ["random" if name in BESIDE else name for name in names]
    try:
        known = levels.players_for(ruleset, ",".join(stands_for))
    except PlayersProblem as error:
        fitting = [name for name in nearest if not name.startswith("alpha_beta") or offers(ruleset, name)]
        near = [*fitting, *[levels.resolve_players(ruleset, OPPONENT)] * seats][:seats]
        raise WrongRequest([Problem("players", str(error), ",".join(_with_you(near)))]) from None
    names = names * seats if len(names) == 1 else names
    players = tuple(name if name in BESIDE else canonical for name, canonical in zip(names, known, strict=True))
    if YOU not in players:
        message = "nobody sits before the screen: one of the players must be “you”"
        raise WrongRequest([Problem("players", message, ",".join(_with_you(players)))])
    return players


def _nearest_name(name: str) -> str:
    try:
        return name if name in (*BESIDE, *levels.TARGETS) else str(player(name))
    except PlayersProblem:
        return nearest(name, (*BESIDE, *levels.KNOWN))


def _with_you(players: Sequence[str]) -> list[str]:
    return list(players) if YOU in players else [YOU, *players[1:]]


def offers(ruleset: Ruleset, name: str) -> bool:
    """Whether a player of that name can play it at all."""
    try:
        levels.players_for(ruleset, name)
    except PlayersProblem:
        return False
    return True
