"""The proofs of exact answers: what was solved, what is too large, and that nobody does better than the tables say."""

import itertools
import json
import random
import resource
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from tests.engine.rulesets import RULESETS
from tests.proofs.running import Figures, demand, side_by_side

HAT = "hat-diviyan-keliya"
APPARATUS = Path(__file__).parents[2] / "fixtures" / "apparatus" / f"{HAT}.json"

# G. Irving, J. Donkers, J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000), 139-148: value for the first player by
# holes and counters in each (from 1); as far as the tables fit here.
KALAH = {2: "WLLLWW", 3: "DWWWWL", 4: "WWW"}

# Sowing games on boards that nobody played on, as far as they fit: holes in a row, counters in each.
SOWN = ("puhulmutu-parker", "walak-pussa-parker", "daramuti-parker", "kotu-baendum-parker", "mawkar-katiya-dlp")
SIZES = ((3, 1), (3, 2), (3, 3), (4, 1), (4, 2))

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


def reduced_boards(machine: Any = None) -> Figures:
    """Sowing games on small boards, which are not the historical ones, of one round and of all rounds."""
    from simulator.engine.solving.graph import TooManyPositions

    figures: Figures = {}
    for slug, (holes, counters), rounds in itertools.product(SOWN, SIZES, ("off", "refill")):
        changes = {"holes_per_row": holes, "counters_per_hole": counters, "next_round": rounds}
        ruleset = _on_a_small_board(RULESETS[slug], changes)
        name = f"{slug} {holes}x{counters}, {'one round' if rounds == 'off' else 'all rounds'}"
        try:
            figures[name] = _solved(ruleset)
        except TooManyPositions as error:
            figures[name] = {"refused": str(error)}
    demand(any("value" in answer for answer in figures.values()), "nothing was solved", figures)
    return figures


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


PROOFS = {
    "solving-hat-diviyan": hat_diviyan,
    "solving-kalah": kalah,
    "solving-reduced": reduced_boards,
    "solving-niranchy": niranchy,
    "solving-players": players,
    "solving-shipped": shipped,
}
