"""Measure random play and tree search on one core, beside OpenSpiel and plain C where they have it.

Turns, plies and games a second of random play are measured in one thread of this process. Each slice plays the same
games once, so their plies can be counted exactly, once and outside the measured time. Slices of the different
contestants alternate, so that whatever else the machine does falls on all of them.
"""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator import rulesets
from simulator.engine import kernels, loops, playout, shipped
from simulator.engine.compiled import bind
from simulator.engine.family import COMMON_MEASURES, family
from simulator.engine.players.search import Searcher
from simulator.engine.ruleset import Ruleset
from simulator.management.command_line import SimulatorCommand, add_common_arguments
from simulator.problems import whole_number
from tools import yardsticks

MOST_SECONDS = 3_600
YARDSTICKS = {"openspiel": "OpenSpiel", "c": "C"}
SEED, CAP = 1, 2_000
SLICE_SECONDS = 0.2
ITERATIONS = 1_000  # of a tree search that is held against OpenSpiel's
SAME = 1_000  # games by which it is seen that C plays ours


@dataclass(slots=True)
class Contestant:
    """Something that plays `games` games when it is called, and how long it took so far.

    best: seconds of its fastest slice
    """

    name: str
    games: int
    play: Callable[[], object]
    seconds: float = 0.0
    slices: int = 0
    best: float = float("inf")

    def run_slice(self) -> None:
        begun = time.perf_counter()
        self.play()
        taken = time.perf_counter() - begun
        self.seconds += taken
        self.slices += 1
        self.best = min(self.best, taken)

    def per_second(self, things_per_slice: float) -> float:
        return things_per_slice * self.slices / self.seconds


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", nargs="*", help="names or hashes of rulesets; none means all that are shipped")
        parser.add_argument("--seconds", default=2, help="how long each is measured (default %(default)s)")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        seconds = whole_number("seconds", options["seconds"], 1, MOST_SECONDS)
        chosen = {name: rulesets.find(name) for name in options["ruleset"] or shipped.rulesets()}
        self.print_answer(_measure(chosen, seconds), _as_text, options["json"])


def _measure(chosen: dict[str, Ruleset], seconds: int) -> dict[str, Any]:
    return {
        "players": "random",
        "cap": CAP,
        "openspiel": "measured in the same run" if yardsticks.is_installed() else "not installed",
        "c": "measured in the same run" if yardsticks.compiler() else "no compiler (cc, or CC)",
        "rulesets": measure_all(chosen, seconds),
    }


def measure_all(rulesets: Mapping[str, Ruleset], seconds: float) -> list[dict[str, Any]]:
    """Return one row of figures for each ruleset; each contestant plays for about `seconds`."""
    return [_measured(name, ruleset, seconds) for name, ruleset in rulesets.items()]


def _as_text(answer: dict[str, Any]) -> str:
    lines = [f"{'ruleset':<26}{'turns/s':>12}{'plies/s':>12}{'games/s':>10}"]
    for row in answer["rulesets"]:
        line = f"{row['ruleset']:<26}{row['turns_per_second']:>12,}{row['plies_per_second']:>12,}"
        line += f"{row['games_per_second']:>10,}"
        for key, name in YARDSTICKS.items():
            if theirs := row.get(key):
                line += f"   {name} {theirs['game']}: {theirs['games_per_second']:,} games/s, ratio {theirs['ratio']}"
        lines.append(line)
        if search := row.get("search"):
            line = f"{'':<26}{search['player']}: {search['iterations_per_second']:,} iterations/s"
            theirs = search["openspiel_iterations_per_second"]
            lines.append(f"{line}   OpenSpiel MCTS: {theirs:,} iterations/s, ratio {search['ratio']}")
    return "\n".join([*lines, *(f"{name}: {answer[key]}" for key, name in YARDSTICKS.items())])


def _measured(name: str, ruleset: Ruleset, seconds: float) -> dict[str, Any]:
    ours = _contestant(name, lambda games: lambda: _rows(ruleset, games))
    found = {"openspiel": _openspiel(name), "c": _in_c(name, ruleset)}
    beside = {key: contestant for key, contestant in found.items() if contestant}
    alternate([ours, *beside.values()], seconds)
    searches = _searches(name, ruleset, seconds)
    turns, plies = int(_rows(ruleset, ours.games)[:, TURNS].sum()), count_plies(ruleset, ours.games)
    return {
        "ruleset": name,
        "turns_per_second": round(ours.per_second(turns)),
        "plies_per_second": round(ours.per_second(plies)),
        "games_per_second": round(ours.per_second(ours.games)),
        "fastest_slice_turns_per_second": round(turns / ours.best),
        "turns_per_game": round(turns / ours.games, 2),
        "seconds": round(ours.seconds, 3),
        **{key: _compared(ours, theirs) for key, theirs in beside.items()},
        **({"search": searches} if searches else {}),
    }


def _searches(name: str, ruleset: Ruleset, seconds: float) -> dict[str, Any] | None:
    """Return tree search from the start with as many iterations as OpenSpiel's, every game played on to its end."""
    if name not in yardsticks.SEARCHED or not yardsticks.is_installed():
        return None
    game, player = yardsticks.GAMES[name], f"uct:{ITERATIONS}"
    searcher, theirs = Searcher(ruleset, player), yardsticks.Search(game, ITERATIONS, SEED)
    ours = _contestant(player, lambda number: lambda: [searcher.choose(seed, []) for seed in range(number)])
    other = _contestant(game, lambda number: lambda: [theirs.choose() for _ in range(number)])
    alternate([ours, other], seconds)
    found = {one: round(each.per_second(each.games * ITERATIONS)) for one, each in (("ours", ours), ("theirs", other))}
    return {
        "player": player,
        "iterations_per_second": found["ours"],
        "openspiel_iterations_per_second": found["theirs"],
        "ratio": round(found["ours"] / found["theirs"], 2),
    }


def _compared(ours: Contestant, theirs: Contestant) -> dict[str, Any]:
    return {
        "game": theirs.name,
        "games_per_second": round(theirs.per_second(theirs.games)),
        "seconds": round(theirs.seconds, 3),
        "ratio": round(ours.per_second(ours.games) / theirs.per_second(theirs.games), 2),
    }


def _rows(ruleset: Ruleset, games: int) -> np.ndarray:
    players = ("random",) * family(ruleset.family).seats(ruleset.parameters)
    return playout.play_block(ruleset, players, SEED, 0, games, CAP, "game")


def _openspiel(name: str) -> Contestant | None:
    game = yardsticks.GAMES.get(name)
    if game is None or not yardsticks.is_installed():
        return None
    return _contestant(game, lambda games: yardsticks.Rollouts(game, games, SEED).play)


def _in_c(name: str, ruleset: Ruleset) -> Contestant | None:
    """Plain C, where there is a compiler; raises RuntimeError if its games were others than ours."""
    command = yardsticks.compiler()
    if name != yardsticks.RULESET or command is None:
        return None
    kalah = yardsticks.Kalah(command)
    if not np.array_equal(kalah.play(SEED, SAME, CAP), _rows(ruleset, SAME)[:, : yardsticks.MEASURES]):
        raise RuntimeError(f"the games of {name} in C are not those of the kernel: their speeds say nothing")
    return _contestant("kalah", lambda games: lambda: kalah.play(SEED, games, CAP))


def _contestant(name: str, player_of: Callable[[int], Callable[[], object]]) -> Contestant:
    """Return a contestant that is warm, with as many games in a slice as take SLICE_SECONDS."""
    games = 1
    while True:
        play = player_of(games)
        play()
        begun = time.perf_counter()
        play()
        taken = time.perf_counter() - begun
        if taken >= SLICE_SECONDS / 2:
            return Contestant(name, games, play)
        games = max(2 * games, min(100 * games, int(games * SLICE_SECONDS / max(taken, 1e-9))))


def alternate(contestants: Iterable[Contestant], seconds: float) -> None:
    """Slices in turn until every contestant has played for `seconds`."""
    waiting = list(contestants)
    while waiting:
        for contestant in waiting:
            contestant.run_slice()
        waiting = [contestant for contestant in waiting if contestant.seconds < seconds]


def count_plies(ruleset: Ruleset, games: int) -> int:
    """Return the plies of those games: a turn has several where a player lays out and sows, or moves again."""
    compiled = kernels.kernel(ruleset.family)
    count = bind(loops.count_plies, ruleset.family, compiled.contract)
    rules = compiled.contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(compiled.contract, rules)
    return int(count(rules, games, position, streams, counts, out, SEED, np.int64(CAP)))


TURNS = [measure_all.name for measure_all in COMMON_MEASURES].index("turns")  # its place in a row
