"""Matches of two players in one ruleset, as long as it takes: Wald's test looks at them after every round of sides.

A side is played as often by the one as by the other. A game that nobody won is worth each side's fair part of a point,
one that is not over after CAP turns is played and counts for nobody; if the first FRUITLESS all are not, no more are
played. Games that come in rounds are judged by their first. What was played is kept beside this module after every
round of sides, with all that determines it, and is played again where that has changed: a proof that was broken off
goes on.
"""

import json
import statistics
import time
from dataclasses import asdict
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

import pyspiel

from simulator.engine.ends import UNFINISHED, WIN
from simulator.engine.referee_playout import plies
from tests.engine.rulesets import RULESETS
from tests.proofs.running import Figures, demand, side_by_side
from tools import yardsticks
from tools.sequential import Decision, SequentialTest

KEPT = Path(__file__).with_name("matches")
SEED, CAP, MOST_GAMES, FRUITLESS = 1, 600, 60, 12
NOTHING: Figures = {"decision": str(Decision.GO_ON), "points": 0.0, "games": 0, "unfinished": 0, "seconds": 0.0}
ODDS = 13 / 7  # by which the stronger is expected to beat the odds of a fair part: 0.65 of two sides, 0.38 of four


def sequential(sides: int) -> SequentialTest:
    """Is it more than a fair part of the points that a player makes?"""
    odds = ODDS / (sides - 1)
    return SequentialTest(p0=1 / sides, p1=odds / (1 + odds), most_games=MOST_GAMES)


def match(slug: str, one: str, other: str) -> Figures:
    """How the one does, on any side, where the other plays all others. one, other: levels or players"""
    from simulator.batches.levels import resolve_players
    from simulator.engine.family import family
    from simulator.engine.players.names import PLAYERS_VERSION, sides_of

    ruleset = RULESETS[slug]
    sides, kind = sides_of(ruleset), family(ruleset.family)
    test = sequential(len(sides))
    until = "round" if any(measure.scope == "first_round" for measure in kind.measures) else "game"
    players = {"one": resolve_players(ruleset, one), "other": resolve_players(ruleset, other)}
    versions = {"family": kind.rules_version, "players": PLAYERS_VERSION}
    terms = {**players, "until": until, "seed": SEED, "cap": CAP, "fruitless": FRUITLESS, "test": asdict(test)}
    asked = {"ruleset": ruleset.hash, **terms, "versions": versions}
    file = KEPT / f"{one}-{other}".replace(":", "-").replace("/", "-") / f"{slug}.json"
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    found: Figures = kept["figures"] if kept.get("asked") == asked else {**players, **NOTHING}
    while found["decision"] == Decision.GO_ON:
        found = {**players, **_round(found, ruleset, terms, sides, test)}
        _keep(file, {"asked": asked, "figures": found})
    return found


def _keep(file: Path, document: Figures) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    fresh.replace(file)


def _round(so_far: Figures, ruleset: Any, terms: Figures, sides: Any, test: SequentialTest) -> Figures:
    """The figures after one more game from each side."""
    from simulator.engine.players.names import seating
    from simulator.engine.playout import play_block
    from simulator.statistics.intervals import share

    points, games, unfinished = so_far["points"], so_far["games"], so_far["unfinished"]
    number = (games + unfinished) // len(sides)
    begun = time.process_time()
    for own in sides:
        players = seating(sides, own, terms["one"], terms["other"])
        row = play_block(ruleset, players, SEED, number, 1, CAP, terms["until"])[0]
        if row[0] == UNFINISHED:
            unfinished += 1
            continue
        is_won = row[0] == WIN and row[1]
        points += bool(int(row[1]) & sum(1 << seat for seat in own)) if is_won else 1 / len(sides)
        games += 1
    decision = test.decision(points, games)
    is_last = (number + 1) * len(sides) >= test.most_games or (unfinished >= FRUITLESS and games == 0)
    return {
        "decision": str(Decision.UNDECIDED if is_last and decision == Decision.GO_ON else decision),
        "share": [None if one is None else round(one, 3) for one in share(points, games)] if games else None,
        "points": points,
        "games": games,
        "fair": round(1 / len(sides), 3),
        "unfinished": unfinished,
        "seconds": round(so_far["seconds"] + time.process_time() - begun, 1),
    }


NAMES = {"kalah-reference": "mancala", "oware-reference": "oware"}
MEGABYTES = 100
EQUAL_GAMES, AT_ONCE, LEAST_SHARE = 100, 10, 0.65
FIRST_GUESS, TRIES, TIMED = 1_000, 5, 8  # simulations; how often they are put right, by so many games each
MOST_GROWTH = 4.0  # at once: what OpenSpiel has solved it thinks about no longer
IN_ITS_FAVOUR = 1.2  # times what was found, of few games: in those that count it is to have no less


def equal_time(machine: Any = None, games: int = EQUAL_GAMES) -> Figures:
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
        demand(found["share"] > LEAST_SHARE, f"{slug}: a share of {found['share']}", figures)
        demand(found["openspiel_seconds"] >= found["seconds"], f"{slug}: OpenSpiel had less time", figures)
    return figures


def _strong(slug: str) -> Any:
    from simulator.batches.levels import STRONG, player_of
    from simulator.engine.players.search import Searcher

    return Searcher(RULESETS[slug], player_of(RULESETS[slug], STRONG))


def _bot(slug: str, simulations: int, seed: int) -> Any:
    game = pyspiel.load_game(NAMES[slug])
    return pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        yardsticks.UCT_C,
        simulations,
        MEGABYTES,
        True,
        seed,
        False,
    )


def _simulations(slug: str) -> int:
    """With how many OpenSpiel's turns take no less than ours: found in other games of the two against each other."""
    simulations = FIRST_GUESS
    for first in range(EQUAL_GAMES, EQUAL_GAMES + TRIES * TIMED, TIMED):
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


def other_action(slug: str, seat: int, move: int) -> int:
    """OpenSpiel's number of the start from a hole; its Kalah counts all holes and stores in one round."""
    hole = move // 2
    return hole + (8 if seat else 1) if slug == "kalah-reference" else hole


def other_move(slug: str, seat: int, action: int) -> int:
    """Our move by OpenSpiel's number."""
    return next(move for move in range(0, 12, 2) if other_action(slug, seat, move) == action)


def result_of(slug: str, number: int, moves: list[int], state: Any, our_seat: int) -> float:
    """Our points of a game that is over, in which the two programmes have to agree."""
    ended = list(plies(RULESETS[slug], number, 0, moves=moves))[-1].played.position
    ours = 0.5 if not ended.winners else float(ended.winners == 1 << our_seat)
    theirs = (state.returns()[our_seat] + 1) / 2
    assert ours == theirs, f"{slug}, game {number}: the two programmes tell another result of {moves}"
    return ours
