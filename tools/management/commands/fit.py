"""Fit the weights by which players judge a position whose end they do not see, from games of a family's rulesets.

Every shipped ruleset plays games between players of one name; what is fitted for each kind of game goes into
simulator/engine/weights, with how it was found. Players that search play differently then: PLAYERS_VERSION rises.

Positions are drawn from games between players that search a little, each with its features and the game's result. The
chance that the first player wins is taken to be 1 / (1 + exp(-(a + b · x))): x how far that player is ahead in each
feature, a what the seats are worth between these players, which an evaluation leaves out. A small penalty on b, in
standard deviations of the features, keeps what is seldom seen near 0. A weight is b as a whole number, with SCALE for
the lead of three games in four. One game of five is kept out of the fit: on these a fit is judged by its log loss,
beside what the plain evaluation says with the multiple that fits best, and beside the seats alone.
"""

import json
import shlex
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from itertools import product
from math import log
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from simulator.batches.requests import has_rounds
from simulator.engine import ends, kernels, randomness_kernel, shipped
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players import search
from simulator.engine.players.names import players_for
from simulator.engine.ruleset import Ruleset
from simulator.engine.weights import SCALE, fitted, path
from simulator.management.command_line import ProgressLine, SimulatorCommand, add_common_arguments

PLAYER, GAMES = "uct:20/20", 200
LINE = "{kind}: log loss {plain:.4f} by the plain evaluation, {fitted:.4f} fitted ({positions:,} positions)"
CAP = 2_000  # turns; a game that is not over by then counts as half won
A_GAME = 16  # positions at most: those of one game tell much the same
PENALTY = 1e-3
KEEP_PLAIN = "plain"  # where nothing that was fitted gained in play
KEPT_OUT = 5  # one game of so many
NEVER_BAD = ("men", "kings", "room", "reach", "owned", "store", "steps")
# What players went by before weights were fitted, in the same measure: the base line of a fit.
PLAIN: dict[str, dict[str, dict[str, int]]] = {
    "points": {
        "each": {"men": 500, "kings": 1125},
        "fewer": {"men": 500, "kings": 1125, "room": 125},
        "more": {"men": 500, "kings": 1125},
    },
    "sowing": {"each": {"owned": 125}},
    "race": {"each": {"steps": 62}},
}


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


@dataclass(frozen=True, slots=True)
class Fit:
    """Fitted weights. log_loss: on the games kept out, of the seats alone, the plain evaluation and the fitted one"""

    weights: dict[str, dict[str, int]]
    log_loss: dict[str, float]
    positions: int


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("family", choices=FAMILY_NAMES)
        parser.add_argument("--kind", help="only this kind of game")
        parser.add_argument(
            "--only", default="", help="features, with commas between them; plain: the plain weights stay"
        )
        parser.add_argument(
            "--players", action="append", help=f"a line of players, repeatable ({PLAYER} if none is given)"
        )
        parser.add_argument("--games", type=int, default=GAMES, help="of every ruleset (default %(default)s)")
        parser.add_argument("--times", type=int, default=1, help="multiply all weights (default %(default)s)")
        add_common_arguments(parser, "--seed", "--json")

    def handle(self, **options: Any) -> None:
        family_name, document = options["family"], dict(fitted(options["family"]))
        only = [name for name in options["only"].split(",") if name]
        lines, line = options["players"] or [PLAYER], ProgressLine(self.stderr)
        chosen = {kind: names for kind, names in kinds(family_name).items() if options["kind"] in (None, kind)}
        for done, (kind, names) in enumerate(chosen.items()):
            line.show(kind, 100 * done // len(chosen))
            found = fit(family_name, names, only, lines, int(options["games"]), int(options["seed"]), options["times"])
            document[kind] = {
                "fitted": date.today().isoformat(),
                "by": "manage.py " + shlex.join(["fit", family_name, *_typed({**options, "kind": kind})]),
                "rulesets": names,
                "positions": found.positions,
                "log_loss": found.log_loss,
                "weights": found.weights,
            }
        line.end()
        path(family_name).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        self.print_answer(document, as_text, options["json"])


def _typed(options: dict[str, Any]) -> list[str]:
    """Return the options with which one kind is fitted so again."""
    only = ["--only", options["only"]] if options["only"] else []
    players = [word for line in options["players"] or [PLAYER] for word in ("--players", line)]
    return [
        "--kind",
        options["kind"],
        *only,
        *players,
        "--games",
        str(options["games"]),
        "--seed",
        str(options["seed"]),
    ]


def as_text(document: dict[str, Any]) -> str:
    """Return the document for people."""
    fits = ((kind, found) for kind, found in document.items() if "log_loss" in found)
    return "\n".join(LINE.format(kind=kind, positions=found["positions"], **found["log_loss"]) for kind, found in fits)


def features_of(family_name: str) -> ModuleType:
    """Return the module with the family's features: FEATURES, kind_of_game, role, in_force."""
    return import_module(f"simulator.engine.families.{family_name}.measures")


def fitted_features(ruleset: Ruleset) -> list[tuple[str, str]]:
    """Return (role, feature) of everything that is given a weight."""
    module = features_of(ruleset.family)
    names = [name for name in module.FEATURES if name not in getattr(module, "NOT_FITTED", ())]
    return [(role, name) for role in _roles(ruleset) for name in names]


def kinds(family_name: str) -> dict[str, list[str]]:
    """Return the shipped rulesets of each kind of game, by name."""
    found: dict[str, list[str]] = {}
    for name in shipped.rulesets():
        ruleset = shipped.load(name)
        if ruleset.family == family_name:
            found.setdefault(features_of(family_name).kind_of_game(ruleset.parameters), []).append(name)
    return found


def _roles(ruleset: Ruleset) -> list[str]:
    """Return the roles that a game of these rules has."""
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
        """Yield samples of games 0, 1, … of the seed. place: of the match among those that are fitted together"""
        draws = np.random.default_rng(seed)
        for game in range(games):
            moves, row = search.list_moves(self.ruleset, self.players, seed, game, CAP, self.until)
            won = 0.5 if row[0] != ends.WIN or not row[1] else float(row[1] & 1)
            chosen = set(draws.choice(len(moves), min(A_GAME, len(moves)), replace=False).tolist())
            for ahead in self._positions(moves, chosen, seed, game):
                yield Sample(place, game, ahead, won)

    def _positions(self, moves: list[int], chosen: set[int], seed: int, game: int) -> Iterator[np.ndarray]:
        """Yield the features of the positions after the chosen plies of a game."""
        contract, rules = self.contract, self.units[0]
        position, counts, _, streams = kernels.workspace(contract, rules)
        randomness_kernel.open_streams(streams, seed, game, contract.FIRST_STREAM, contract.LAST_STREAM)
        contract.start(rules, position, streams, counts)
        for ply, move in enumerate(moves):
            contract.play(rules, position, move, streams, counts)
            over = contract.outcome(rules, position)[0] >= 0 or (
                self.until == "round" and contract.round_outcome(counts)[0]
            )
            if ply in chosen and not over:
                yield np.array([contract.evaluate(unit, position, 0) for unit in self.units], dtype=np.float64)


def _unit(role: str, feature: str) -> Any:
    """Return the weights by which `evaluate` answers how far a player is ahead in one feature."""
    return lambda kind, other: {feature: int(role == other)}


def fit(
    family_name: str,
    names: Sequence[str],
    only: Sequence[str],
    players: Sequence[str],
    games: int,
    seed: int,
    times: int,
) -> Fit:
    """Return the weights of one kind of game, from so many games of each of its rulesets between each line of players.

    only: the features that may weigh anything, if any are named; KEEP_PLAIN alone leaves the plain weights as they are
    times: all weights are multiplied by it, where search tells moves apart better so
    """
    rulesets = [shipped.load(name) for name in names]
    samples = [
        sample
        for place, (ruleset, line) in enumerate(product(rulesets, players))
        for sample in Sampler(ruleset, line).samples(place, games, seed)
    ]
    variables = fitted_features(rulesets[0])
    ahead = np.array([sample.ahead for sample in samples])
    is_used = np.array([not only or feature in only for _, feature in variables])
    plain = ahead @ np.array([PLAIN[family_name][role].get(feature, 0) for role, feature in variables])
    least = [0.0 if feature in NEVER_BAD else None for _, feature in variables]
    seats = Regression(samples, np.zeros((len(samples), 0)), [])
    fitted, base = Regression(samples, ahead * is_used, least), Regression(samples, plain[:, None], [0.0])
    found: dict[str, dict[str, int]] = {}
    for (role, feature), slope in zip(variables, fitted.slopes, strict=True):
        number = round(times * slope * SCALE / log(3))
        if number:
            found.setdefault(role, {})[feature] = number
    if list(only) == [KEEP_PLAIN]:
        found = {role: dict(PLAIN[family_name][role]) for role in sorted({role for role, _ in variables})}
    losses = {"seats": seats.loss, "plain": base.loss, "fitted": fitted.loss}
    return Fit(found, {name: round(loss, 4) for name, loss in losses.items()}, len(samples))


class Regression:
    """A logistic regression of results. slopes: float64[variables]; loss: mean on the games kept out"""

    def __init__(self, samples: Sequence[Sample], ahead: np.ndarray, least: Sequence[float | None]) -> None:
        places = np.array([sample.match for sample in samples])
        is_seat = (places[:, None] == np.arange(places.max() + 1)).astype(np.float64)
        results = np.array([sample.result for sample in samples])
        kept_out = np.array([sample.game % KEPT_OUT == 0 for sample in samples])
        spread = np.where(ahead.std(axis=0) > 0, ahead.std(axis=0), np.inf)
        inputs, seats = np.hstack([is_seat, ahead / spread]), is_seat.shape[1]
        penalty = np.array([0.0] * seats + [PENALTY] * ahead.shape[1])

        def objective(slopes: np.ndarray) -> tuple[float, np.ndarray]:
            says, known = inputs[~kept_out] @ slopes, results[~kept_out]
            loss = np.mean(np.logaddexp(0, says) - known * says) + penalty @ slopes**2 / 2
            gradient = inputs[~kept_out].T @ (expit(says) - known) / len(says) + penalty * slopes
            return float(loss), gradient

        bounds = [(None, None)] * seats + [(low, None) for low in least]
        found = minimize(objective, np.zeros(inputs.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B")
        says = inputs[kept_out] @ found.x
        self.loss = float(np.mean(np.logaddexp(0, says) - results[kept_out] * says))
        self.slopes: Any = found.x[seats:] / spread
