"""Positions from games between players who think a little, each with its features and what became of the game."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from simulator.batches.requests import has_rounds
from simulator.engine import kernels, shipped
from simulator.engine.ends import WIN
from simulator.engine.family import family
from simulator.engine.players import search
from simulator.engine.players.seating import players_for
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import Ruleset

CAP = 2_000  # turns; a game that is not over by then counts as half won
A_GAME = 16  # positions at most: those of one game tell much the same


@dataclass(frozen=True, slots=True)
class Sample:
    """One position, seen by the first player.

    match:   which ruleset between which players; game: its number
    ahead:   float64[variables], how far he is ahead in each feature of each role
    result:  1 if he won, 0 if he lost, else a half
    """

    match: int
    game: int
    ahead: np.ndarray
    result: float


def features_of(family_name: str) -> ModuleType:
    """The family's features: FEATURES, kind_of_game, role, in_force."""
    return import_module(f"simulator.engine.families.{family_name}.features")


def fitted_features(ruleset: Ruleset) -> list[tuple[str, str]]:
    """(role, feature) of everything that is given a weight."""
    module = features_of(ruleset.family)
    names = [name for name in module.FEATURES if name not in getattr(module, "NOT_FITTED", ())]
    return [(role, name) for role in _roles(ruleset) for name in names]


def kinds(family_name: str) -> dict[str, list[str]]:
    """The shipped rulesets of each kind of game, by name."""
    found: dict[str, list[str]] = {}
    for name in shipped.rulesets():
        ruleset = shipped.load(name)
        if ruleset.family == family_name:
            found.setdefault(features_of(family_name).kind_of_game(ruleset.parameters), []).append(name)
    return found


def _roles(ruleset: Ruleset) -> list[str]:
    """The roles that a game of these rules has."""
    module = features_of(ruleset.family)
    return sorted({module.role(ruleset.parameters, seat) for seat in range(2)})


class Sampler:
    """Games of one ruleset between players by a line of names, and the positions drawn from them."""

    def __init__(self, ruleset: Ruleset, name: str) -> None:
        self.ruleset = ruleset
        self.players = players_for(ruleset, name)
        self.until = "round" if has_rounds(family(ruleset.family)) else "game"
        self.contract = kernels.kernel(ruleset.family).contract
        units = (_unit(*name) for name in fitted_features(ruleset))
        self.units = [self.contract.compile_rules(ruleset.parameters, unit) for unit in units]

    def samples(self, place: int, games: int, seed: int) -> Iterator[Sample]:
        """Of games 0, 1, … of the seed; place: of the match among those that are fitted together."""
        draws = np.random.default_rng(seed)
        for game in range(games):
            moves, row = search.list_moves(self.ruleset, self.players, seed, game, CAP, self.until)
            won = 0.5 if row[0] != WIN or not row[1] else float(row[1] & 1)
            chosen = set(draws.choice(len(moves), min(A_GAME, len(moves)), replace=False).tolist())
            for ahead in self._positions(moves, chosen, seed, game):
                yield Sample(place, game, ahead, won)

    def _positions(self, moves: list[int], chosen: set[int], seed: int, game: int) -> Iterator[np.ndarray]:
        """The features of the positions after the chosen plies of a game."""
        contract, rules = self.contract, self.units[0]
        position, counts, _, streams = kernels.workspace(contract, rules)
        open_streams(streams, seed, game, contract.FIRST_STREAM, contract.LAST_STREAM)
        contract.start(rules, position, streams, counts)
        for ply, move in enumerate(moves):
            contract.play(rules, position, move, streams, counts)
            over = contract.outcome(rules, position)[0] >= 0 or (
                self.until == "round" and contract.round_outcome(counts)[0]
            )
            if ply in chosen and not over:
                yield np.array([contract.evaluate(unit, position, 0) for unit in self.units], dtype=np.float64)


def _unit(role: str, feature: str) -> Any:
    """Weights by which `evaluate` answers how far a player is ahead in one feature."""
    return lambda kind, other: {feature: int(role == other)}
