"""The proofs of play, one after another; their figures as one JSON document.

    python -m tests.proofs.play [PART…]

Parts: scale-… (each level of the scale beats the one below), strong-… (the strong level against other searches),
openspiel (against OpenSpiel's search at equal time), perfect-… (against the perfect player), replies (how soon a level
answers). Without parts all of them, which takes hours: what was played of a match is kept, and goes on where it was
broken off. Exit status 1 if a proof failed.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from simulator.engine.session import Session
from tests.engine.rulesets import RULESETS
from tests.proofs import play_matches, play_scale
from tests.proofs.running import Figures, demand, run

LEVELS = ("random", "greedy", "club", "strong")
PERFECT_GAMES = {"hat-diviyan-keliya-ludovisi": 100, "koti-keliya-parker": 40, "pancha-keliya-complex-marin-dice": 40}
COST, MOST_PLIES = 0.001, 80
OPENINGS = 12  # lengths of openings, in plies, from none
# What each move of a running position is worth to its mover, from 0 to 1.
Worths = Callable[[Session], Mapping[int, float]]


def against_the_perfect(slug: str, machine: Any = None) -> Figures:
    """Of every level: decisions, the share that kept the value, and what was lost on average by one that did not."""
    from simulator.batches.levels import parse_level, resolve_players
    from simulator.engine.players.search import Searcher

    ruleset, figures = RULESETS[slug], Figures()
    with tempfile.TemporaryDirectory() as folder:
        worths = WORTHS[slug](ruleset, Path(folder))
        for level in LEVELS:
            thinker, losses = Searcher(ruleset, resolve_players(ruleset, parse_level(level))), list[float]()
            for number in range(PERFECT_GAMES[slug]):
                losses += _losses(Session(ruleset, number), thinker, worths, number % 2)
            kept = [loss for loss in losses if loss < COST]
            figures[level] = {
                "decisions": len(losses),
                "kept": round(len(kept) / len(losses), 3) if losses else None,
                "mean_loss": round(sum(losses) / len(losses), 4) if losses else None,
            }
    return figures


def _losses(session: Session, thinker: Any, worths: Worths, seat: int) -> list[float]:
    """What each of a level's decisions in a game against the perfect player cost it."""
    losses, chance = [], random.Random(session.seed)
    for _ in range(session.seed // 2 % OPENINGS):
        if not session.is_over:
            session.play(chance.choice(session.options))
    while not session.is_over and len(session.plies) < MOST_PLIES:
        worth = worths(session)
        best = max(worth.values())
        if session.mover != seat:
            session.play(next(move for move, value in worth.items() if value >= best - COST))
            continue
        move = thinker.choose(session.seed, session.moves)
        if best - min(worth.values()) >= COST:
            losses.append(best - worth[move])
        session.play(move)
    return losses


def _by_every_position(ruleset: Any, folder: Path) -> Worths:
    from simulator.engine.solving.solved import solve

    solved = solve(ruleset)

    def worths(session: Session) -> Mapping[int, float]:
        number = 0
        for move in session.moves:
            number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
        return {move: _as_share(value, session.mover) for move, value in solved.move_values(number).items()}

    return worths


def _by_formations(ruleset: Any, folder: Path) -> Worths:
    from simulator.engine.solving.advancing import solve_advancing

    solved = solve_advancing(ruleset, folder=folder)

    def worths(session: Session) -> Mapping[int, float]:
        position = solved.game.start()
        for move in session.moves:
            position = dict(solved.game.children(position))[move]
        return {move: _as_share(value, session.mover) for move, value in solved.move_values(position).items()}

    return worths


def _by_chances(ruleset: Any, folder: Path) -> Worths:
    from simulator.engine.solving import expected

    solved, race = expected.solve_expected(ruleset), expected.race_of(ruleset)
    return lambda session: expected.move_chances(race, solved, session.position.words())


def _as_share(value: Any, seat: int) -> float:
    return (1 + float(value.score(seat))) / 2


WORTHS: dict[str, Callable[[Any, Path], Worths]] = dict(
    zip(PERFECT_GAMES, (_by_every_position, _by_formations, _by_chances), strict=True)
)
AGAINST_THE_PERFECT = {f"perfect-{slug}": partial(against_the_perfect, slug) for slug in PERFECT_GAMES}


CHILDREN, LONGEST_WAIT = 2, 6.0  # waited for a reply while every child is busy with chunks
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
    demand(max(figures["seconds_busy"]) < LONGEST_WAIT, f"a reply took {LONGEST_WAIT} s or more", figures)
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


PROOFS: dict[str, Callable[[Any], Figures]] = {
    **play_scale.SCALES,
    "openspiel": play_matches.equal_time,
    **AGAINST_THE_PERFECT,
    "replies": replies,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
