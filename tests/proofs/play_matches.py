"""Matches of two players in one ruleset, as long as it takes: Wald's test looks at them after every round of sides.

A side is played as often by the one as by the other. A game that nobody won is worth each side's fair part of a point,
one that is not over after CAP turns is played and counts for nobody; if the first FRUITLESS all are not, no more are
played. Games that come in rounds are judged by their first. What was played is kept beside this module after every
round of sides, with all that determines it, and is played again where that has changed: a proof that was broken off
goes on.
"""

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from simulator.engine.ends import UNFINISHED, WIN
from simulator.statistics.sequential import Decision, SequentialTest
from tests.proofs.running import Figures

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
    from simulator.batches.scale import named
    from simulator.engine.family import family
    from simulator.engine.players.names import PLAYERS_VERSION
    from simulator.strength.ladder_requests import sides_of
    from tests.engine.rulesets import RULESETS

    ruleset = RULESETS[slug]
    sides, kind = sides_of(ruleset), family(ruleset.family)
    test = sequential(len(sides))
    until = "round" if any(measure.scope == "first_round" for measure in kind.measures) else "game"
    players = {"one": named(ruleset, one), "other": named(ruleset, other)}
    versions = {"family": kind.version, "players": PLAYERS_VERSION}
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
    from simulator.engine.playout import play_block
    from simulator.statistics.intervals import share
    from simulator.strength.ladder_requests import seating

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
