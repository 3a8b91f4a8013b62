"""A proof: somebody who plays against an engine does not wait behind batches, and gets the same reply on every machine.

`replies` returns its figures and raises Unproved.
"""

import json
import time
from typing import Any

from tests.proofs.running import Figures, demand

CHILDREN, MOST_SECONDS = 2, 6.0  # waited for a reply while every child is busy with chunks
BUSY = ("puhulmutu-parker", "--games", "400000", "--cap", "2000", "--seed", "7")
# ruleset, player and moves that were played before (as codes), a line each
ASKED = (
    ("kalah-reference", "uct:1000", (4,)),
    ("hat-diviyan-keliya-ludovisi", "alpha_beta:4", (0,)),
    ("pancha-keliya-dlp", "uct:200", ()),
)
ASK = """
import json
from simulator import rulesets
from simulator.strength.replies import request_reply
reply = request_reply(rulesets.find({name!r}), {player!r}, 1, {moves!r})
print(json.dumps([reply.key, reply.state, reply.move]))
"""
CHOOSE = """
from simulator import rulesets
from simulator.engine.players.search import choose
print(choose(rulesets.find({name!r}), {player!r}, 1, {moves!r}))
"""


def replies(machine: Any) -> Figures:
    """Asked for once with idle workers, then with busy ones under other seeds; seconds until each reply is there."""
    figures: Figures = {"seconds_idle": [], "seconds_busy": [], "moves": {}}
    machine.manage("migrate", "--verbosity", "0", "--skip-checks")
    with machine.worker(CHILDREN):
        for name, player, moves in ASKED:  # what the players think with is compiled by the first
            _seconds(machine, name, player, moves, seed=1)
        figures["seconds_idle"] = [_seconds(machine, *asked, seed=2) for asked in ASKED]
        busy = machine.start("simulate", *BUSY, "--json")
        while not machine.count("SELECT COUNT(*) FROM simulator_chunk WHERE state = 'claimed'"):
            time.sleep(0.1)
        figures["seconds_busy"] = [_seconds(machine, *asked, seed=3) for asked in ASKED]
        figures["was_busy"] = busy.poll() is None
        busy.terminate()
        busy.wait(30)
        for name, player, moves in ASKED:
            kept = machine.query("SELECT move FROM simulator_reply WHERE seed = 1 AND player = ?", player)[0][0]
            words = CHOOSE.format(name=name, player=player, moves=list(moves))
            chosen = int(machine.manage("shell", "-v", "0", "-c", words).stdout.split()[-1])
            figures["moves"][name] = [kept, chosen]
    demand(figures["was_busy"], "the workers were idle before the replies were there", figures)
    demand(max(figures["seconds_busy"]) < MOST_SECONDS, f"a reply took {MOST_SECONDS} s or more", figures)
    demand(all(one == other for one, other in figures["moves"].values()), "two processes reply otherwise", figures)
    return figures


def _seconds(machine: Any, name: str, player: str, moves: tuple[int, ...], seed: int) -> float:
    """Ask, and wait until it is done; the time to start the asking process is not counted."""
    words = ASK.format(name=name, player=player, moves=list(moves)).replace(", 1, ", f", {seed}, ")
    key, state, _ = json.loads(machine.manage("shell", "-v", "0", "-c", words).stdout.splitlines()[-1])
    begun = time.perf_counter()
    while state == "waiting":
        time.sleep(0.02)
        state, error = machine.query("SELECT state, error FROM simulator_reply WHERE key = ?", key)[0]
        demand(state != "failed", f"{player} in {name} failed: {error}", {})
    return round(time.perf_counter() - begun, 2)
