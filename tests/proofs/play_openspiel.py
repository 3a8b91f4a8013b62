"""The proof against OpenSpiel at equal time: the strong level in Kalah and Oware against its Monte Carlo search.

OpenSpiel's search, solver and all, has as many simulations as its turns need to take as long as ours in games of the
two, and a fifth more; what both took in the games that count is counted too, and the proof holds only where it had no
less. The two engines' copies of the game are held together as in `players_openspiel`.
"""

import statistics
import time
from functools import partial
from math import sqrt
from typing import Any

import pyspiel

from simulator.management import openspiel_rollouts
from tests.proofs.players_openspiel import MEGABYTES, NAMES, other_action, other_move, result_of
from tests.proofs.running import Figures, demand, side_by_side

GAMES, AT_ONCE, LEAST = 100, 10, 0.65
FIRST_GUESS, TRIES, TIMED = 1_000, 5, 8  # simulations; how often they are put right, by so many games each
MOST_GROWTH = 4.0  # at once: what OpenSpiel has solved it thinks about no longer
IN_ITS_FAVOUR = 1.2  # times what was found, of few games: in those that count it is to have no less


def equal_time(machine: Any = None, games: int = GAMES) -> Figures:
    """Share of the points and the time of both; raises Unproved."""
    figures: Figures = {}
    for slug in NAMES:
        simulations = _simulations(slug)
        parts = [(first, min(first + AT_ONCE, games)) for first in range(0, games, AT_ONCE)]
        played = side_by_side(partial(_games, slug, simulations), parts).values()
        results = [game for part in played for game in part]
        scores = [score for score, _, _ in results]
        share = statistics.fmean(scores)
        figures[slug] = {
            "games": games,
            "simulations": simulations,
            "share": round(share, 3),
            "error": round(1.96 * sqrt(statistics.pvariance(scores) / games), 3),
            "seconds": round(sum(ours for _, ours, _ in results), 1),
            "openspiel_seconds": round(sum(theirs for _, _, theirs in results), 1),
        }
    for slug, found in figures.items():
        demand(found["share"] > LEAST, f"{slug}: a share of {found['share']}", figures)
        demand(found["openspiel_seconds"] >= found["seconds"], f"{slug}: OpenSpiel had less time", figures)
    return figures


def _strong(slug: str) -> Any:
    from simulator.batches.scale import STRONG, player_of
    from simulator.engine.players.search import Searcher
    from tests.engine.rulesets import RULESETS

    return Searcher(RULESETS[slug], player_of(RULESETS[slug], STRONG))


def _bot(slug: str, simulations: int, seed: int) -> Any:
    game = pyspiel.load_game(NAMES[slug])
    return pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        openspiel_rollouts.UCT_C,
        simulations,
        MEGABYTES,
        True,
        seed,
        False,
    )


def _simulations(slug: str) -> int:
    """With how many OpenSpiel's turns take no less than ours: found in other games of the two against each other."""
    simulations = FIRST_GUESS
    for first in range(GAMES, GAMES + TRIES * TIMED, TIMED):
        parts = [(first, first + TIMED // 2), (first + TIMED // 2, first + TIMED)]
        played = side_by_side(partial(_games, slug, simulations), parts).values()
        times = [(ours, theirs) for part in played for _, ours, theirs in part]
        ratio = sum(ours for ours, _ in times) / sum(theirs for _, theirs in times)
        simulations = max(1, round(simulations * min(ratio, MOST_GROWTH)))
    return round(simulations * IN_ITS_FAVOUR)


def _games(slug: str, simulations: int, part: tuple[int, int]) -> list[tuple[float, float, float]]:
    from tests.proofs.operation import prepare

    prepare()
    _strong(slug).choose(0, [])  # what is compiled is fetched before anything is timed
    return [_game(slug, simulations, number) for number in range(*part)]


def _game(slug: str, simulations: int, number: int) -> tuple[float, float, float]:
    """(our points, our seconds, theirs) of one game."""
    thinker, our_seat, moves, seconds = _strong(slug), number % 2, list[int](), [0.0, 0.0]
    bot, state = _bot(slug, simulations, number), pyspiel.load_game(NAMES[slug]).new_initial_state()
    while not state.is_terminal():
        seat = state.current_player()
        begun = time.process_time()
        move = thinker.choose(number, moves) if seat == our_seat else other_move(slug, seat, bot.step(state))
        seconds[seat != our_seat] += time.process_time() - begun
        state.apply_action(other_action(slug, seat, move))
        moves.append(move)
    ours, theirs = seconds
    return result_of(slug, number, moves, state, our_seat), ours, theirs
