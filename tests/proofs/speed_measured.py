"""What `tests.proofs.speed` measures in a tree, whichever revision it is: run as `python -c` in its root.

bare SECONDS: random games of Kalah a second, of processor time
slices: for every line "RULESET GAMES" the processor time, the turns and a digest of these games, as a line of JSON
whole GAMES FOLDER: seconds from the request of so many games of Kalah to its figures, through two workers
searches PLAYER…: iterations a second of each, of processor time, in several games: {ruleset: {player: …}}
"""

import json
import sys
import time
import zlib
from pathlib import Path
from typing import Any

from simulator.engine.family import COMMON_MEASURES, family
from simulator.engine.playout import play_block
from simulator.engine.ruleset import Ruleset

try:
    from simulator.engine.documents import parse
except ImportError:  # where it was before
    from simulator.engine.ruleset import parse  # type: ignore[no-redef]

RULESET = "kalah-reference"
SEARCHED = ("kalah-reference", "oware-reference", "mawkar-katiya-ludii", "dam-parker", "peralikatuma-parker")
BLOCK, CAP = 20_000, 2_000
OPENING = 40  # turns of a game of searches: before lines are seen to their end
LEAST_SECONDS = 2.0
TURNS = [measure.name for measure in COMMON_MEASURES].index("turns")


def bare(seconds: str) -> float:
    ruleset, games = _shipped(RULESET), 0
    play_block(ruleset, ("random", "random"), 1, 0, BLOCK, CAP, "game")
    begun = time.process_time()
    while time.process_time() - begun < float(seconds):
        play_block(ruleset, ("random", "random"), 1, games, BLOCK, CAP, "game")
        games += BLOCK
    return games / (time.process_time() - begun)


def slices() -> None:
    for line in sys.stdin:
        slug, games = line.split()
        ruleset = _shipped(slug)
        players = ("random",) * family(ruleset.family).seats(ruleset.parameters)
        begun = time.process_time()
        rows = play_block(ruleset, players, 5, 0, int(games), CAP, "game")
        seconds = time.process_time() - begun
        found = {"seconds": seconds, "turns": int(rows[:, TURNS].sum()), "games": zlib.crc32(rows.tobytes())}
        print(json.dumps(found), flush=True)  # noqa: T201


def whole(games: str, folder: str) -> float:
    import django

    django.setup()
    from tests.services.machine import Machine

    try:
        from simulator.servers import running_broker
    except ImportError:  # where it was before
        from simulator.workers.servers import running_broker
    with running_broker(Path(folder) / "broker.log") as broker:
        machine = Machine(Path(folder), broker.url, 30, 5)
        machine.manage("migrate", "--verbosity", "0")
        machine.manage("load_fixtures")
        with machine.worker(children=2):
            machine.simulate(RULESET, "--games", "100000")  # both children have the kernel
            begun = time.perf_counter()
            machine.simulate(RULESET, "--games", games, "--seed", "2")
            return time.perf_counter() - begun


def searches(*players: str) -> dict[str, dict[str, float]]:
    return {slug: {player: _iterations_per_second(slug, player) for player in players} for slug in SEARCHED}


def _iterations_per_second(slug: str, player: str) -> float:
    ruleset = _shipped(slug)
    seats = (player,) * family(ruleset.family).seats(ruleset.parameters)
    play_block(ruleset, seats, 1, 0, 1, 2, "game")
    turns, game, begun = 0, 0, time.process_time()
    while time.process_time() - begun < LEAST_SECONDS:
        turns += int(play_block(ruleset, seats, 1, game, 1, OPENING, "game")[0, TURNS])
        game += 1
    iterations = int(player.partition(":")[2].partition("/")[0])
    return turns * iterations / (time.process_time() - begun)


def _shipped(slug: str) -> Ruleset:
    return parse(json.loads(Path("fixtures", "rulesets", f"{slug}.json").read_text(encoding="utf-8"))["document"])


PARTS: dict[str, Any] = {"bare": bare, "slices": slices, "whole": whole, "searches": searches}

if __name__ == "__main__":
    print(json.dumps(PARTS[sys.argv[1]](*sys.argv[2:])))  # noqa: T201
