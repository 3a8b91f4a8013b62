"""The proof of strength: Monte Carlo search against random play, by a sequential test, wherever skill can matter.

In every ruleset without lots the two play in pairs of games, seats exchanged, until Wald's test tells a share of the
points of at least 0.90 from one of at most 0.80, both errors 5 %, or 200 games are played. Games that come in rounds
are judged by their first round. A drawn game is half a point; one that our cap stopped is none, so that the cap never
helps the player whose strength is to be proved.
"""

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from simulator.engine.ends import UNFINISHED, WIN
from simulator.engine.family import family
from simulator.statistics.sequential import Decision, SequentialTest
from tests.engine.rulesets import RULESETS
from tests.proofs.running import Figures, demand, side_by_side

STRONG, WEAK = "uct:2000", "random"
SEED, CAP = 1, 2_000
BLOCK = 13  # games in each seat that are played at a time: won one and all, as many as decide
TEST = SequentialTest()

# Rulesets in which the share is not expected, and why. A share that is there all the same is told as a failure too, so
# that no exception outlives its reason.
LOPSIDED = (
    "the leopard wins nearly every game of random players, and in half of the games the search has the cattle: it wins "
    "many times more of those than random cattle do, but by far not nine in ten"
)
SHUT_IN = (
    "the cattle win by shutting the leopards in, to which random games hardly ever come, so that the search does not "
    "see the way; one who looks a few plies ahead does"
)
EXCEPTIONS = {
    "koti-keliya-parker": LOPSIDED,
    "koti-keliya-ludii": LOPSIDED,
    "diviyan-keliya-dlp": SHUT_IN,
    "diviyan-keliya-ludii": SHUT_IN,
    "diviyan-keliya-parker": SHUT_IN,
}
LOOKS_AHEAD = "alpha_beta:5"  # passes the test in the rulesets where the search does not see the way
RANDOM_GAMES = 400  # of random players, beside which an exception is told
TIMES_BETTER = 10  # in the seat that is hard to win from


def strength(machine: Any = None, names: Sequence[str] = (), strong: str = STRONG) -> Figures:
    """Decision, share and number of games of each ruleset; raises Unproved if one is not as expected.

    machine: of no use here; names: of rulesets, all without lots if none are given
    """
    chosen = list(names) or [name for name, ruleset in RULESETS.items() if not family(ruleset.family).throws]
    begun = time.perf_counter()
    figures = side_by_side(partial(judged, strong=strong), chosen)
    whole = {
        "player": strong,
        "against": WEAK,
        "test": {"p0": TEST.p0, "p1": TEST.p1, "alpha": TEST.alpha, "beta": TEST.beta, "most_games": TEST.most_games},
        "rulesets": figures,
        "seconds": round(time.perf_counter() - begun, 1),
    }
    for name, strengths in figures.items():
        as_expected = (strengths["decision"] == Decision.ENOUGH) != (name in EXCEPTIONS)
        demand(as_expected, f"{name}: {strengths['decision']} ({EXCEPTIONS.get(name, 'not an exception')})", whole)
        if EXCEPTIONS.get(name) == SHUT_IN:
            demand(strengths[LOOKS_AHEAD]["decision"] == Decision.ENOUGH, f"{name}: {LOOKS_AHEAD} is no better", whole)
        if EXCEPTIONS.get(name) == LOPSIDED:
            random = strengths["random_by_seat"]
            hard = random.index(min(random))
            better = (
                strengths["by_seat"][hard] >= TIMES_BETTER * random[hard]
                and strengths["by_seat"][1 - hard] >= random[1 - hard]
            )
            demand(better, f"{name}: no better than random players, {random}", whole)
    return whole


def judged(name: str, strong: str = STRONG) -> Figures:
    """One ruleset's test, in a process of its own, and beside an exception what shows that skill matters yet."""
    strengths = _judged(name, strong)
    if name not in EXCEPTIONS:
        return strengths
    strengths["exception"] = EXCEPTIONS[name]
    if strengths["exception"] == SHUT_IN:
        return {**strengths, LOOKS_AHEAD: _judged(name, LOOKS_AHEAD)}
    from simulator.engine.playout import play_block

    rows = play_block(RULESETS[name], (WEAK, WEAK), SEED, 0, RANDOM_GAMES, CAP, strengths["until"])
    won = [sum(_points(int(row[0]), int(row[1]), seat) for row in rows) / RANDOM_GAMES for seat in (0, 1)]
    return {**strengths, "random_by_seat": won}


def _judged(name: str, strong: str) -> Figures:
    """seconds: of the processor, per game; without compilation"""
    from simulator.engine.playout import play_block

    ruleset = RULESETS[name]
    play_block(ruleset, ("uct:1", "random"), SEED, 0, 1, 2, "game")  # compiles what it has to
    until = "round" if any(one.scope == "first_round" for one in family(ruleset.family).measures) else "game"
    begun = time.process_time()
    by_seat: list[list[float]] = [[], []]
    stopped = 0
    games, points, decision = 0, 0.0, Decision.GO_ON
    while decision == Decision.GO_ON:
        pair = games // 2
        if pair == len(by_seat[0]):
            for seat in (0, 1):
                ends, scores = _scores(ruleset, strong, seat, pair, until)
                by_seat[seat] += scores
                stopped += ends.count(UNFINISHED)
        points += by_seat[0][pair] + by_seat[1][pair]
        games += 2
        decision = TEST.decision(points, games)
    seconds = time.process_time() - begun
    played = 2 * len(by_seat[0])
    seats = [round(sum(scores[: games // 2]) / (games // 2), 3) for scores in by_seat]
    strengths: Figures = {
        "decision": str(decision),
        "games": games,
        "share": round(points / games, 3),
        "by_seat": seats,
        "log_ratio": round(TEST.log_ratio(points, games), 3),
        "until": until,
        "stopped": f"{stopped} of {played}",
        "seconds_per_game": round(seconds / played, 3),
    }
    return strengths


def _scores(ruleset: Any, strong: str, seat: int, pair: int, until: str) -> tuple[list[int], list[float]]:
    """Kinds of end, and points of the strong player in a seat, whose games have numbers of their own."""
    from simulator.engine.playout import play_block

    players = (strong, WEAK) if seat == 0 else (WEAK, strong)
    rows = play_block(ruleset, players, SEED, seat * 1_000_000 + pair, BLOCK, CAP, until)
    return rows[:, 0].tolist(), [_points(int(row[0]), int(row[1]), seat) for row in rows]


def _points(end: int, winners: int, seat: int) -> float:
    if end == UNFINISHED:
        return 0.0
    if end == WIN and winners:
        return 1.0 if winners >> seat & 1 else 0.0
    return 0.5
