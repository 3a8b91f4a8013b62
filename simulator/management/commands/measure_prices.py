"""Measure what every player costs in every shipped ruleset, and write it down: some minutes of one core.

Requests of games are weighed by these prices. Measure again after a change of the engine that makes it slower or
faster, or when rulesets are added. Games of a search are taken to be as long as those of a small one, but where
--lengths has measured the strong player's: two who overlook nothing may never come to an end.

Prices are processor time of this thread. Every search is measured in the same positions, taken evenly from two games of
a small search, so that prices of different depths can be compared. Positions of a greedy player would not do: there is
often one move only, or a search sees the end at once (in one reading of Walak-pussa a turn cost three times its price).
"""

import datetime
import json
import platform
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from simulator import rulesets
from simulator.batches.finalize import drawings, figures
from simulator.batches.levels import STRONG, resolve_players
from simulator.batches.prices import FILE
from simulator.batches.requests import DEFAULT_CAP
from simulator.engine import shipped
from simulator.engine.ends import UNFINISHED
from simulator.engine.family import COMMON_MEASURES, FAMILY_NAMES, family
from simulator.engine.players.names import DEEP, MOST_HORIZON, PLAYERS_VERSION, PlayersProblem, players_for
from simulator.engine.players.search import Searcher, list_moves
from simulator.engine.playout import play_block
from simulator.engine.ruleset import Ruleset
from simulator.engine.tally import tally_rows
from simulator.management.command_line import ProgressLine, SimulatorCommand, write_json
from simulator.models import Batch
from simulator.models import Ruleset as RulesetRow
from simulator.statistics.intervals import Z

UNIT = "microseconds of processor time"
SEED = 1
FINISHED_GAMES = 2_000  # the usual number of a request
END, TURNS = ([measure.name for measure in COMMON_MEASURES].index(name) for name in ("end", "turns"))
FEW_STOPPED = 0.05  # of more than that share of games nobody knows how long they are
MOST_GAMES, LENGTH_SECONDS = 400, 0.15
POSITIONS, WITHIN, SLOW = 8, 120, 20_000.0  # among the first plies; microseconds a turn: deeper is not looked
# So many that an iteration is measured; the quickest of several times, since nothing makes a search quicker by chance.
ITERATIONS, HORIZONS, PRIOR, TIMES = 400, (0, 4, 12, 40, 200, MOST_HORIZON), 8, 3
# Who plays the games whose lengths are measured, turns after which they are stopped, and how many are played together.
KINDS = {
    "random": ("random", 2_000, MOST_GAMES),
    "greedy": ("greedy", 2_000, 40),
    "alpha_beta": ("alpha_beta:2", 1_000, 3),
    "expectimax": ("expectimax:1", 1_000, 3),
    "uct": ("uct:48/100", 400, 3),
}


@dataclass(frozen=True, slots=True)
class _Games:
    """Games that were played. rows: int32[games, measures]; spent: microseconds that they took"""

    rows: np.ndarray
    spent: float
    cap: int

    @property
    def turn(self) -> float:
        return self.spent / max(int(self.rows[:, TURNS].sum()), 1)

    @property
    def length(self) -> list[float]:
        """[mean turns, share that was stopped, after so many turns]"""
        stopped = self.rows[:, END] == UNFINISHED
        return [_rounded(self.rows[:, TURNS].mean()), _rounded(stopped.mean()), self.cap]


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", nargs="*", help="only these, and the others as they were; none means all")
        part = parser.add_mutually_exclusive_group()
        part.add_argument("--finishing", action="store_true", help="only what figures and plots of a batch cost")
        part.add_argument(
            "--searches", action="store_true", help="only what iterations cost, held against a turn of random play"
        )
        part.add_argument("--plies", action="store_true", help="only what searches by plies cost, depth by depth")
        part.add_argument(
            "--lengths", action="store_true", help="only how long games of the strong player are: half a minute each"
        )
        part.add_argument("--medians", action="store_true", help="only the median length of random games")
        parser.add_argument("--to", type=Path, default=FILE, help="the file (default %(default)s)")

    def handle(self, **options: Any) -> None:
        target: Path = options["to"]
        chosen = {name: rulesets.find(name) for name in options["ruleset"] or shipped.measured()}
        parts = [part for part in ("finishing", "searches", "plies", "lengths", "medians") if options[part]]
        is_partial = options["ruleset"] or parts
        kept = json.loads(target.read_text(encoding="utf-8")) if is_partial else {"rulesets": {}, "finishing": {}}
        newest = {shipped.load(name).hash for name in shipped.measured()}
        rows = {content: row for content, row in kept["rulesets"].items() if content in newest}
        finishing = {} if options["finishing"] else dict(kept["finishing"])
        line = ProgressLine(self.stderr)
        for number, (name, ruleset) in enumerate(chosen.items(), start=1):
            line.show(f"{number} of {len(chosen)}: {name}", 100 * number // len(chosen))
            if parts == ["medians"]:
                rows[ruleset.hash]["median"] = median_length(ruleset)
            elif parts == ["lengths"]:
                strong = resolve_players(ruleset, STRONG)
                rows[ruleset.hash]["turns"][strong] = length(ruleset, strong)
            elif parts == ["searches"]:
                rows[ruleset.hash] |= searches(ruleset, rows[ruleset.hash]["turn"])
            elif parts == ["plies"]:
                rows[ruleset.hash] |= plies(ruleset, rows[ruleset.hash]["turn"])
            else:
                finishing[ruleset.family] = max(finishing.get(ruleset.family, 0.0), finishing_price(ruleset))
            if not parts:
                rows[ruleset.hash] = measure(name, ruleset)
            _write(target, rows, finishing)
        line.end()
        self.stdout.write(f"{len(rows)} rulesets are priced in {target}")


def _write(target: Path, rows: dict[str, Any], finishing: dict[str, float]) -> None:
    """Write the file. finishing: by family, what figures and plots of its dearest ruleset cost"""
    ordered = dict(sorted(rows.items(), key=lambda item: item[1]["name"]))
    write_json(target, {**_header(), "finishing": dict(sorted(finishing.items())), "rulesets": ordered})


def _header() -> dict[str, Any]:
    return {
        "measured": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "by": "manage.py measure_prices",
        "unit": UNIT,
        "processor": platform.machine(),
        "versions": {**{name: family(name).rules_version for name in FAMILY_NAMES}, "players": PLAYERS_VERSION},
    }


def measure(name: str, ruleset: Ruleset) -> dict[str, Any]:
    """Return a row of the file, as `simulator.batches.prices.Prices` says."""
    seats = family(ruleset.family).seats(ruleset.parameters)
    kinds = {kind: line for kind, line in KINDS.items() if kind not in DEEP or _can_look_ahead(ruleset, line[0])}
    played = {kind: _some_games(ruleset, (name,) * seats, *terms) for kind, (name, *terms) in kinds.items()}
    turn = played["random"].turn
    thought = _Thought(ruleset, (KINDS["uct"][0],) * seats, turn)
    return {
        "name": name,
        "family": ruleset.family,
        "turn": _rounded(turn),
        "greedy": _rounded(played["greedy"].turn),
        **{kind: thought.deepening(kind) if kind in kinds else [] for kind in DEEP},
        **_of_iterations(thought),
        "turns": {kind: games.length for kind, games in played.items()},
        "median": median_length(ruleset),
    }


def median_length(ruleset: Ruleset) -> list[int] | None:
    """Return the median length of random games in turns with its 95 % limits, as `Prices.median` says.

    The limits are those order statistics of the lengths which the binomial distribution gives (Conover 1999, ch. 3).
    """
    _, cap, _ = KINDS["random"]
    players = ("random",) * family(ruleset.family).seats(ruleset.parameters)
    rows = play_block(ruleset, players, SEED, 0, FINISHED_GAMES, cap, "game")
    if (rows[:, END] == UNFINISHED).mean() > FEW_STOPPED:
        return None
    turns, half, apart = np.sort(rows[:, TURNS]), len(rows) / 2, Z * len(rows) ** 0.5 / 2
    return [int(turns[place]) for place in (int(half), int(half - apart), ceil(half + apart))]


def _of_iterations(thought: "_Thought", hour: float = 1.0) -> dict[str, Any]:
    """Return the parts `uct` and `prior` of a row. hour: by which what is measured now is multiplied"""
    uct = {str(horizon): thought.price(f"uct:{ITERATIONS}/{horizon}") / ITERATIONS for horizon in HORIZONS}
    looking = thought.price(f"uct:{ITERATIONS}/4:prior={PRIOR}") / ITERATIONS - uct["4"]
    return {
        "uct": {horizon: _rounded(hour * price) for horizon, price in uct.items()},
        "prior": _rounded(hour * max(looking, 0.0)),
    }


def searches(ruleset: Ruleset, turn: float) -> dict[str, Any]:
    """Return what iterations cost, in a row that was measured when a turn of random play took so many microseconds.

    A machine is not as fast in every hour: it is held against random play of now.
    """
    seats = family(ruleset.family).seats(ruleset.parameters)
    now = _some_games(ruleset, ("random",) * seats, *KINDS["random"][1:]).turn
    return _of_iterations(_Thought(ruleset, (KINDS["uct"][0],) * seats, now), turn / now)


def plies(ruleset: Ruleset, turn: float) -> dict[str, Any]:
    """Return what searches by plies cost, in a row that was measured with such a turn of random play."""
    seats = family(ruleset.family).seats(ruleset.parameters)
    thought = _Thought(ruleset, (KINDS["uct"][0],) * seats, turn)
    able = [kind for kind in DEEP if _can_look_ahead(ruleset, KINDS[kind][0])]
    return {kind: thought.deepening(kind) if kind in able else [] for kind in DEEP}


def length(ruleset: Ruleset, player: str) -> list[float]:
    """Return how long games of that player are, as `Prices.turns` says."""
    seats = family(ruleset.family).seats(ruleset.parameters)
    _, cap, step = KINDS["uct"]
    return _some_games(ruleset, (player,) * seats, cap, step).length


def _can_look_ahead(ruleset: Ruleset, name: str) -> bool:
    try:
        players_for(ruleset, name)
    except PlayersProblem:
        return False
    return True


def finishing_price(ruleset: Ruleset) -> float:
    """Return the microseconds of what is done once the games of a batch are played: its figures and its plots."""
    kind = family(ruleset.family)
    players = ("random",) * kind.seats(ruleset.parameters)
    batch = Batch(
        id="0" * 16,
        ruleset=RulesetRow(hash=ruleset.hash, family=ruleset.family, document=ruleset.document),
        players=",".join(players),
        games=FINISHED_GAMES,
        seed=SEED,
        cap=DEFAULT_CAP,
        until=Batch.Until.GAME,
        family_version=kind.rules_version,
    )
    tally = tally_rows(play_block(ruleset, players, SEED, 0, FINISHED_GAMES, DEFAULT_CAP, "game"), kind.measures)
    spent = []
    for _ in range(2):  # the first time what draws is loaded
        begun = time.thread_time()
        drawings(batch, tally, figures(batch, tally))
        spent.append(time.thread_time() - begun)
    return _rounded(min(spent) * 1e6)


def _some_games(ruleset: Ruleset, players: tuple[str, ...], cap: int, step: int) -> _Games:
    """Play at least `step` games, and more until they have taken LENGTH_SECONDS."""
    play_block(ruleset, players, SEED, 0, 1, 2, "game")  # loaded before the clock starts
    parts: list[np.ndarray] = []
    begun = time.thread_time()
    while not parts or (time.thread_time() - begun < LENGTH_SECONDS and len(parts) * step < MOST_GAMES):
        parts.append(play_block(ruleset, players, SEED, len(parts) * step, step, cap, "game"))
    return _Games(np.concatenate(parts), (time.thread_time() - begun) * 1e6, cap)


class _Thought:
    """Positions of two games, and what it costs to think there. turn: microseconds of a turn of random play"""

    def __init__(self, ruleset: Ruleset, players: tuple[str, ...], turn: float) -> None:
        self.ruleset, self.turn = ruleset, turn
        self.places: list[tuple[int, list[int]]] = []  # seed, and moves of its game 0
        plies = turns = 0
        for seed in (SEED, SEED + 1):
            moves, row = list_moves(ruleset, players, seed, 0, WITHIN, "game")
            plies, turns = plies + len(moves), turns + row[TURNS]
            within = min(len(moves), WITHIN)
            step = max(1, 2 * within // POSITIONS)
            self.places += [(seed, moves[:place]) for place in range(0, within, step)]
        self.plies_a_turn = plies / max(turns, 1)
        self.coming_there = self._mean("random")

    def price(self, name: str) -> float:
        """Return the microseconds of a turn of that player."""
        return max(self._mean(name) - self.coming_there, 0.0) * self.plies_a_turn + self.turn

    def _mean(self, name: str) -> float:
        Searcher(self.ruleset, name).choose(*self.places[0])  # loaded before the clock starts
        # Anew each time: what a search has found in these positions it still knows when they come again. One that takes
        # long by its plies is measured once.
        times = 1 if name.partition(":")[0] in DEEP else TIMES
        return min(self._once(Searcher(self.ruleset, name).choose) for _ in range(times))

    def _once(self, choose: Callable[[int, list[int]], int]) -> float:
        begun = time.thread_time()
        for seed, moves in self.places:
            choose(seed, moves)
        return (time.thread_time() - begun) * 1e6 / len(self.places)

    def deepening(self, kind: str) -> list[float]:
        """Return prices of a kind at depth 1, 2, … up to the first that is slow; none less than the one before."""
        prices: list[float] = []
        while len(prices) < DEEP[kind] and (not prices or prices[-1] < SLOW):
            prices.append(_rounded(max(self.price(f"{kind}:{len(prices) + 1}"), *prices[-1:], self.turn)))
        return prices


def _rounded(number: float) -> float:
    """Return the number rounded to four digits: no more are known."""
    return float(f"{number:.4g}")
