"""The proofs of exact answers, and what exact answers tell of the players; their figures as one JSON document.

    python -m tests.proofs.solving [NAME…]

What was solved beside what others have published, and what is too large; nobody does better than the tables say.
Without names all of them. Exit status 1 if a proof failed.
"""

import itertools
import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from simulator.engine.documents import parse, with_changes
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from tests.engine.hunting_positions import disagreeing
from tests.engine.rulesets import RULESETS
from tests.proofs.running import Figures, demand, run, side_by_side

HAT = "hat-diviyan-keliya"
APPARATUS = Path(__file__).parents[2] / "fixtures" / "apparatus" / f"{HAT}.json"

# G. Irving, J. Donkers, J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000), 139-148: value for the first player by
# holes and counters in each (from 1); as far as the tables fit here.
KALAH = {2: "WLLLWW", 3: "DWWWWL", 4: "WWW"}


NIRANCHY_SECONDS, NIRANCHY_PLIES = 600, 24

DEEPEST = 4
OPPONENTS = ("random", "greedy", "alpha_beta:4", "uct:200")
GAMES, LONGEST = 10, 300  # against each opponent and from each seat; plies, after which play is taken to be endless


def hat_diviyan(machine: Any = None) -> Figures:
    """Every reading, and every combination of answers to the questions of the apparatus.

    The leopards win in all of them, wherever the tiger is laid: no first point is better than another.
    """
    from simulator.engine.solving.document import solution
    from simulator.engine.solving.solved import load, solve

    figures: Figures = {"readings": {}}
    for name in (one for one in RULESETS if one.startswith(HAT)):
        document, _ = solution(RULESETS[name])
        figures["readings"][name] = document
    begun = time.perf_counter()
    load(RULESETS[f"{HAT}-ludovisi"])
    found: Counter[str] = Counter()
    for ruleset in _combinations():
        solved = solve(ruleset)
        moves = {(value.code, value.plies) for value in solved.move_values(0).values()}
        tiger = "laid anywhere, all points alike" if len(moves) == 1 else "laid anywhere, points differ"
        if ruleset.parameters["begins"] == "second":
            tiger = "on the apex from the start"
        found[f"value {solved.value_of(0).code}, {solved.value_of(0).plies} plies, tiger {tiger}"] += 1
    figures["combinations"] = dict(found)
    figures["combinations_seconds"] = round(time.perf_counter() - begun, 1)
    figures["peak_mb"] = _peak_mb()
    demand(all(key.startswith("value 1,") for key in found), "the leopards do not win everywhere", figures)
    demand(not any("differ" in key for key in found), "a first point is better than another", figures)
    return figures


def _combinations() -> Iterator[Ruleset]:
    apparatus = json.loads(APPARATUS.read_text(encoding="utf-8"))
    answers = [[one["values"] for one in each["answers"] if one["values"]] for each in apparatus["questions"]]
    for values in itertools.product(*answers):
        document = dict(RULESETS[f"{HAT}-ludovisi"].document)
        for each in values:
            document |= each
        yield parse(document)


def kalah(machine: Any = None) -> Figures:
    """Small boards of Kalah have the values that were published."""
    figures: Figures = {}
    for holes, row in KALAH.items():
        for counters, expected in enumerate(row, start=1):
            document = {**RULESETS["kalah-reference"].document, "holes_per_row": holes, "counters_per_hole": counters}
            answer = _solved(parse(document))
            figures[f"{holes}x{counters}"] = answer
            said = {"first_wins": "W", "draw": "D", "second_wins": "L"}.get(answer["value"])
            demand(said == expected, f"kalah {holes}x{counters}: {answer['value']}, published {expected}", figures)
    return figures


def _solved(ruleset: Ruleset) -> Figures:
    from simulator.engine.solving.solved import load, solve

    load(ruleset)
    begun = time.perf_counter()
    solved = solve(ruleset)
    return {
        **solved.value_of(0).as_document(),
        "positions": solved.graph.size,
        "moves": solved.graph.moves,
        "longest_win": int(solved.distances.max()),
        "seconds": round(time.perf_counter() - begun, 2),
        "table_mb": round(solved.bytes / 2**20, 1),
        "peak_mb": _peak_mb(),
    }


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _on_a_small_board(ruleset: Ruleset, changes: dict[str, Any]) -> Ruleset:
    """The ruleset without those rules that make no sense on the changed board."""
    document = {**ruleset.document, **changes}
    while True:
        try:
            return parse(document)
        except RulesetProblem as error:
            senseless = {problem.key for problem in error.problems} & (document.keys() - changes.keys())
            if not senseless:
                raise
            document = {key: value for key, value in document.items() if key not in senseless}


def _forced_win(name: str) -> Figures:
    from simulator.engine.solving.document import forced_win

    answer: Figures = forced_win(RULESETS[name], NIRANCHY_SECONDS, NIRANCHY_PLIES)
    return answer


def niranchy(machine: Any = None) -> Figures:
    """The laying of Niranchy, by search: who can force a row, and how soon. In all three readings somebody can."""
    figures = side_by_side(_forced_win, (one for one in RULESETS if one.startswith("niranchy")))
    for name, answer in figures.items():
        demand(answer["start"]["value"] is not None, f"{name}: nothing within {answer['refuted_plies']} plies", figures)
        demand(answer["line"]["plies"] == answer["start"]["plies"] <= 12, f"{name}: the line is no best play", figures)
    return figures


def shipped(machine: Any = None) -> Figures:
    """Which shipped rulesets fit: each is counted first. It takes about a minute for each that does not."""
    figures = side_by_side(
        _solved_or_counted, (name for name, ruleset in RULESETS.items() if not family(ruleset.family).throws)
    )
    fitting = {name for name, answer in figures.items() if "value" in answer}
    demand(
        fitting == {one for one in RULESETS if one.startswith(HAT)}, f"other rulesets fit: {sorted(fitting)}", figures
    )
    return figures


def _solved_or_counted(name: str) -> Figures:
    from simulator.engine.solving.graph import TooManyPositions

    begun = time.perf_counter()
    try:
        answer = _solved(RULESETS[name])
    except TooManyPositions as error:
        answer = {"found": error.positions, "played_on": error.expanded}
    return {**answer, "seconds": round(time.perf_counter() - begun, 1)}


def solved_games() -> dict[str, Ruleset]:
    """Games with tables of some thousand positions, in both families."""
    small = {"holes_per_row": 3, "counters_per_hole": 2}
    return {
        **{name: RULESETS[name] for name in RULESETS if name.startswith(HAT)},
        "kalah 3x2": _on_a_small_board(RULESETS["kalah-reference"], small),
        "oware 3x1": _on_a_small_board(RULESETS["oware-reference"], {**small, "counters_per_hole": 1}),
        "mawkar katiya 3x2": _on_a_small_board(RULESETS["mawkar-katiya-dlp"], small),
    }


def value_keeping(ruleset: Ruleset, deepest: int = DEEPEST, every: int = 1) -> Figures:
    """alpha_beta:D moves without loss wherever the end is at most D plies away; lost positions have nothing to lose.

    every: look at every so-manieth of these positions
    """
    from simulator.engine.players.search import choose
    from simulator.engine.solving.solved import solve

    solved = solve(ruleset)
    answer: Figures = {"positions": {}, "wrong": []}
    for depth in range(1, deepest + 1):
        is_near = (solved.graph.kinds <= 1) & (solved.values <= 1) & (solved.distances <= depth)
        near = [int(number) for number in is_near.nonzero()[0]]
        for number in near[::every]:
            identity = solved.graph.identity(number)
            move = choose(ruleset, f"alpha_beta:{depth}", 1, [], identity)
            seat = solved.mover(number)
            if solved.move_values(number)[move].score(seat) < solved.value_of(number).score(seat):
                answer["wrong"].append({"depth": depth, "position": identity, "move": move})
        answer["positions"][depth] = len(near[::every])
    return answer


def against_the_table(ruleset: Ruleset, opponent: str, games: int = GAMES) -> Figures:
    """Scores of a player against the table, from each seat: never above the proven value of the start for that seat."""
    from simulator.engine.solving.solved import solve

    solved = solve(ruleset)
    scores = {seat: [_score(solved, opponent, seat, game) for game in range(games)] for seat in (0, 1)}
    proven = {seat: solved.value_of(0).score(seat) for seat in (0, 1)}
    better = [seat for seat in (0, 1) if max(scores[seat]) > proven[seat]]
    return {"proven": proven, "scores": scores, "better_than_proven": better}


def _score(solved: Any, opponent: str, seat: int, game: int) -> int:
    """One game: 1 if the opponent of the table wins from that seat, 0 if nobody does, -1 if he loses."""
    from simulator.engine.players.search import choose

    chance, number = random.Random(game), 0
    for ply in range(LONGEST):
        if solved.is_over(number):
            return int(solved.value_of(number).score(seat))
        if solved.mover(number) == seat:
            identity = solved.graph.identity(number)
            move = choose(solved.graph.game.ruleset, opponent, 1_000 * game + ply, [], identity)
        else:
            move = chance.choice(solved.best_moves(number))
        number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
    return 0


def players(machine: Any = None) -> Figures:
    """What the tables say of the players: near the end alpha-beta keeps the value; nobody beats a proven value."""
    figures: Figures = {}
    for name, ruleset in solved_games().items():
        kept = value_keeping(ruleset)
        met = {opponent: against_the_table(ruleset, opponent) for opponent in OPPONENTS}
        figures[name] = {"alpha_beta": kept, "against_the_table": met}
        demand(not kept["wrong"], f"{name}: alpha-beta gave a value away", figures)
        wrong = [opponent for opponent, answer in met.items() if answer["better_than_proven"]]
        demand(not wrong, f"{name}: {wrong} did better than was proved", figures)
    return figures


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
    demand(
        all(abs(bound - 0.5192) < 5e-5 for bounds in chances.values() for bound in bounds), "it is not 0.5192", figures
    )
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


def candidates(machine: Any = None) -> Figures:
    """All candidates of the slab come to what is shipped; it takes minutes and 3 GB."""
    from simulator.strength.solutions import OF_CANDIDATES, solved_candidates

    kept = json.loads((SOLUTIONS / OF_CANDIDATES / "coriovallum.json").read_text(encoding="utf-8"))
    written = (SOLUTIONS.parent / "candidates" / "coriovallum.json").read_text(encoding="utf-8")
    begun = time.process_time()
    again = solved_candidates(json.loads(written))
    figures: Figures = {
        "values": dict(Counter(one["start"]["value"] for one in again["candidates"])),
        "positions": sum(one["positions"]["reached"] for one in again["candidates"]),
        "processor_seconds": round(time.process_time() - begun, 1),
        "peak_mb": _peak_mb(),
    }
    demand(again == kept, "the shipped solutions say otherwise", figures)
    return figures


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "candidates": candidates,
    "hat-diviyan": hat_diviyan,
    "kalah": kalah,
    "niranchy": niranchy,
    "players": players,
    "shipped": shipped,
    "koti-double-step": koti_double_step,
    "koti-single-steps": koti_single_steps,
    "koti-ludii": koti_ludii,
    "koti-perfect-player": koti_perfect_player,
    "marin-one-counter": marin_one_counter,
    "marin-two-counters": marin_two_counters,
}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
