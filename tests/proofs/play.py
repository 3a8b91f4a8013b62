"""The proofs of play, one after another; their figures as one JSON document.

    python -m tests.proofs.play [PART…]

Parts: mirror-… (search favours no seat), scale-… (each level of the scale beats the one below), strong-… (the strong
level against other searches), openspiel (against OpenSpiel's search at equal time), perfect-… (against the perfect
player), niranchy and the exact answers by their own names. Without parts all of them, which takes hours: what was
played of a match is kept, and goes on where it was broken off. Exit status 1 if a proof failed.
"""

import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from simulator.engine.documents import with_changes
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import Session
from tests.engine.hunting_positions import disagreeing
from tests.engine.rulesets import RULESETS
from tests.proofs import play_matches, play_scale, players_solving
from tests.proofs.running import Figures, demand, run

MARIN = "pancha-keliya-complex-marin-dice"
RANDOM_GAMES, PLAYED = 1_000_000, 1_000  # of random players; by the table
# What another programme had computed: of the first player.
REVIEWED = {"best against best": 0.5120, "best against random": 0.844, "random against best": 1 - 0.831}
KOTI = "koti-keliya-parker"
SOLUTIONS = Path(__file__).parents[2] / "fixtures" / "solutions"
SAMPLED = 20_000  # positions held against the kernel's moves
SQUARES = 66  # that the leopard may begin on
MOST_SECONDS, MOST_BYTES = 600, 6 * 10**9
MACHINE = {"seconds", "peak_bytes"}  # what differs between two that did the same


def koti_double_step(machine: Any = None) -> Figures:
    """With the double step the leopard wins from all squares; the solution that is shipped says the same."""
    return _koti(RULESETS[KOTI], "first_wins", KOTI)


def koti_single_steps(machine: Any = None) -> Figures:
    """With single steps the cattle win, wherever the leopard begins."""
    return _koti(with_changes(RULESETS[KOTI], {"first_reach": "1"}), "second_wins")


def koti_ludii(machine: Any = None) -> Figures:
    """As the Ludii programme plays it, the leopard wins where he is level with the foremost already."""
    return _koti(RULESETS["koti-keliya-ludii"], "first_wins", "koti-keliya-ludii")


def _koti(ruleset: Ruleset, winner: str, shipped: str = "") -> Figures:
    from simulator.engine.solving.advancing import swept

    begun = time.process_time()
    document, _ = swept(ruleset)
    values = Counter(move["value"] for move in document["first_moves"])
    figures: Figures = {
        "first_moves": dict(values),
        **{key: document[key] for key in ("start", "positions", "counts", "seconds", "peak_bytes", "table_bytes")},
        "processor_seconds": round(time.process_time() - begun, 1),
    }
    demand(values == {winner: SQUARES}, f"the squares come to {dict(values)}", figures)
    demand(document["seconds"] <= MOST_SECONDS, f"it took {document['seconds']} s", figures)
    demand(document["peak_bytes"] <= MOST_BYTES, f"it took {document['peak_bytes']:,} bytes", figures)
    if shipped:
        kept = json.loads((SOLUTIONS / f"{shipped}.json").read_text(encoding="utf-8"))
        different = [key for key in document if key not in MACHINE and document[key] != kept[key]]
        demand(not different, f"the shipped solution has otherwise: {different}", figures)
    return figures


def koti_perfect_player(machine: Any = None) -> Figures:
    """A table on the disk agrees with the kernel's moves, and by it the leopard beats random cattle in every game."""
    import numpy as np

    from simulator.engine.solving.advancing import opened, solve_advancing

    ruleset, turns = RULESETS[KOTI], []
    with tempfile.TemporaryDirectory() as folder:
        solve_advancing(ruleset, folder=Path(folder))
        solved, chance = opened(ruleset, Path(folder)), np.random.default_rng(1)
        wrong = disagreeing(solved, SAMPLED)
        demand(
            not wrong, f"{len(wrong)} of {SAMPLED} positions are not what the kernel's moves come to", {"wrong": wrong}
        )
        begun = time.perf_counter()
        for _ in range(20):
            position, plies = solved.game.start(), 0
            while solved.game.contract.outcome(solved.game.rules, position)[0] < 0:
                mine = solved.game.mover(position) == 0
                moves = solved.best_moves(position) if mine else solved.game.codes(position)
                position, plies = dict(solved.game.children(position))[int(chance.choice(moves))], plies + 1
                demand(solved.value(position).winner == 0, "a win was given away", {"plies": plies})
            turns.append(plies)
        seconds = time.perf_counter() - begun
    return {
        "agreeing_positions": SAMPLED,
        "games": len(turns),
        "plies": turns,
        "milliseconds_a_ply": round(1000 * seconds / sum(turns), 2),
    }


def marin_one_counter(machine: Any = None) -> Figures:
    """With one counter nobody chooses anything: 0.5192, whoever plays."""
    chances = _bounds(with_changes(RULESETS[MARIN], {"pieces": "1"}))[0]
    figures: Figures = {"chances": chances}
    demand(all(abs(one - 0.5192) < 5e-5 for bounds in chances.values() for one in bounds), "it is not 0.5192", figures)
    return figures


def marin_two_counters(machine: Any = None) -> Figures:
    """Random against random within 0.0005 of 0.5119 and as simulated; best play; what is shipped. By its table it wins
    as often against random play as was computed."""
    chances, solved = _bounds(RULESETS[MARIN])
    wins = _simulated(RULESETS[MARIN])
    played = _played_by_table(solved)
    figures: Figures = {"chances": chances, "random_wins": wins, "best_wins_against_random": played}
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    by_lot = chances["random against random"][0]
    demand(abs(by_lot - 0.5119) < 0.0005, "random against random is not 0.5119", figures)
    demand(abs(wins - by_lot) < 3 * (0.25 / RANDOM_GAMES) ** 0.5, "simulation says otherwise", figures)
    for name, expected in REVIEWED.items():
        demand(abs(chances[name][0] - expected) < 0.0005, f"{name} is not {expected}", figures)
    certain = chances["best against random"][0]
    demand(abs(played - certain) < 4 * (0.25 / PLAYED) ** 0.5, "the table does not play as well as it says", figures)
    kept = json.loads((SOLUTIONS / f"{MARIN}.json").read_text(encoding="utf-8"))
    shipped = {f"{one['first']} against {one['second']}": (one["lower"], one["upper"]) for one in kept["chances"]}
    demand(shipped == chances, "the shipped solution says otherwise", figures)
    return figures


def _bounds(ruleset: Ruleset) -> tuple[dict[str, tuple[float, float]], Any]:
    from simulator.engine.solving.expected import POLICY_NAMES, solve_expected

    solved = solve_expected(ruleset)
    return {f"{a} against {b}": solved.bounds(place) for place, (a, b) in enumerate(POLICY_NAMES)}, solved


def _simulated(ruleset: Ruleset) -> float:
    """The share of games between random players that the first wins."""
    from simulator.engine.playout import play_games

    return float((play_games(ruleset, RANDOM_GAMES, seed=11)["winners"] == 1).mean())


def _played_by_table(solved: Any) -> float:
    """The share of games that the first player wins by the table against random moves."""
    from simulator.engine.session import Session
    from simulator.engine.solving.expected import best_moves, race_of

    race, wins = race_of(solved.ruleset), 0
    for seed in range(PLAYED):
        session, chance = Session(solved.ruleset, seed), random.Random(seed)
        while not session.is_over:
            mine = session.mover == 0
            options = best_moves(race, solved, session.position.words()) if mine else session.options
            session.play(chance.choice(options))
        wins += session.winners == 1
    return wins / PLAYED


EXACT: dict[str, Callable[[Any], Figures]] = {
    "koti-double-step": koti_double_step,
    "koti-single-steps": koti_single_steps,
    "koti-ludii": koti_ludii,
    "koti-perfect-player": koti_perfect_player,
    "marin-one-counter": marin_one_counter,
    "marin-two-counters": marin_two_counters,
}


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
    from tests.engine.rulesets import RULESETS

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


PROOFS: dict[str, Callable[[Any], Figures]] = {
    **play_matches.MIRRORED,
    **play_scale.SCALES,
    "openspiel": play_matches.equal_time,
    **AGAINST_THE_PERFECT,
    **EXACT,
    "niranchy": players_solving.niranchy,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
