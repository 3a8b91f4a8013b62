"""The proof against OpenSpiel: Kalah and Oware, Monte Carlo search with a thousand games played on each, 400 games.

Each engine plays its own copy of the game and is told the other's moves; seats are exchanged game by game. Ours is not
weaker if its share of the points is at least one half, within the error of 400 games. Speed is counted on one core in
the same process, the two engines turn about, from the start position.
"""

import statistics
import time
from math import sqrt
from typing import Any

import pyspiel

from simulator.engine.players.search import Searcher
from simulator.engine.reference_playout import plies
from simulator.management import openspiel_rollouts
from tests.engine.rulesets import RULESETS
from tests.proofs.running import Figures, demand, side_by_side

GAMES, ITERATIONS, ROUNDS = 400, 1_000, 60
NAMES = {"kalah-reference": "mancala", "oware-reference": "oware"}
MEGABYTES = 100
AT_ONCE = 20  # games that one process plays before it tells of them


def openspiel(machine: Any = None, games: int = GAMES) -> Figures:
    """Share of the points and iterations a second; raises Unproved if ours is weaker or not twice as fast."""
    figures: Figures = {}
    for slug, name in NAMES.items():
        figures[slug] = {**_speed(slug, name), **_strength(slug, name, games)}
        ratio = figures[slug]["iterations_a_second"] / figures[slug]["openspiel_iterations_a_second"]
        figures[slug]["ratio"] = round(ratio, 2)
    for slug, figure in figures.items():
        demand(figure["ratio"] >= 2, f"{slug}: {figure['ratio']} times OpenSpiel's iterations a second", figures)
        demand(figure["share"] + figure["error"] >= 0.5, f"{slug}: a share of {figure['share']} of the points", figures)
    return figures


def other_action(slug: str, seat: int, move: int) -> int:
    """OpenSpiel's number of the start from a hole; its Kalah counts all holes and stores in one round."""
    hole = move // 2
    return hole + (8 if seat else 1) if slug == "kalah-reference" else hole


def other_move(slug: str, seat: int, action: int) -> int:
    """Our move by OpenSpiel's number."""
    return next(move for move in range(0, 12, 2) if other_action(slug, seat, move) == action)


def _bot(game: Any, seed: int) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, openspiel_rollouts.UCT_C, ITERATIONS, MEGABYTES, False, seed, False)


def _speed(slug: str, name: str) -> Figures:
    """Median of the seconds of many decisions, turn about."""
    ruleset, game = RULESETS[slug], pyspiel.load_game(name)
    ours, theirs = [], []
    thinker = Searcher(ruleset, f"uct:{ITERATIONS}")
    thinker.choose(0, [])
    for seed in range(ROUNDS):
        begun = time.process_time()
        thinker.choose(seed, [])
        ours.append(time.process_time() - begun)
        bot, state = _bot(game, seed), game.new_initial_state()
        begun = time.process_time()
        bot.step(state)
        theirs.append(time.process_time() - begun)
    return {
        "iterations_a_second": round(ITERATIONS / statistics.median(ours)),
        "openspiel_iterations_a_second": round(ITERATIONS / statistics.median(theirs)),
    }


def _strength(slug: str, name: str, games: int) -> Figures:
    parts = [(slug, name, first, min(first + AT_ONCE, games)) for first in range(0, games, AT_ONCE)]
    scores = [score for part in side_by_side(_games, parts).values() for score in part]
    share = statistics.fmean(scores)
    error = 1.96 * sqrt(statistics.pvariance(scores) / len(scores))
    return {
        "games": games,
        "won": scores.count(1.0),
        "drawn": scores.count(0.5),
        "share": round(share, 4),
        "error": round(error, 4),
    }


def _games(part: tuple[str, str, int, int]) -> list[float]:
    slug, name, first, after = part
    return [_game(slug, name, number) for number in range(first, after)]


def _game(slug: str, name: str, number: int) -> float:
    """Our score in one game: the points of OpenSpiel's own count decide who won."""
    ruleset, game = RULESETS[slug], pyspiel.load_game(name)
    bot, state, moves = _bot(game, number), game.new_initial_state(), []
    thinker, our_seat = Searcher(ruleset, f"uct:{ITERATIONS}"), number % 2
    while not state.is_terminal():
        seat = state.current_player()
        if seat == our_seat:
            move = thinker.choose(number, moves)
            state.apply_action(other_action(slug, seat, move))
        else:
            action = bot.step(state)
            move = other_move(slug, seat, action)
            state.apply_action(action)
        moves.append(move)
    return result_of(slug, number, moves, state, our_seat)


def result_of(slug: str, number: int, moves: list[int], state: Any, our_seat: int) -> float:
    """Our points of a game that is over, in which the two programmes have to agree."""
    ended = list(plies(RULESETS[slug], number, 0, moves=moves))[-1].played.position
    ours = 0.5 if not ended.winners else float(ended.winners == 1 << our_seat)
    theirs = (state.returns()[our_seat] + 1) / 2
    assert ours == theirs, f"{slug}, game {number}: the two programmes tell another result of {moves}"
    return ours
