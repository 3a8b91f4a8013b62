"""Matches of two players in one ruleset, as long as it takes: Wald's test looks at them after every round of sides.

A side is played as often by the one as by the other. A game that nobody won is worth each side's fair part of a point,
one that is not over after CAP turns is played and counts for nobody. Games that come in rounds are judged by their
first. What was played is kept under `var/proofs`, by all that determines it: a proof that was broken off goes on.
"""

import hashlib
import json
import time
from dataclasses import asdict
from typing import Any

from simulator.engine.ends import UNFINISHED, WIN
from simulator.statistics.sequential import Decision, SequentialTest
from tests.proofs.running import Figures, demand
from tests.services.machine import ROOT

KEPT = ROOT / "var" / "proofs" / "play"
SEED, CAP, MOST_GAMES = 1, 600, 60
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
    terms = {**players, "until": until, "seed": SEED, "cap": CAP, "test": asdict(test)}
    versions = {"family": kind.version, "players": PLAYERS_VERSION}
    key = json.dumps([ruleset.hash, terms, versions], sort_keys=True)
    file = KEPT / f"{slug}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"
    if file.exists():
        found: Figures = json.loads(file.read_text(encoding="utf-8"))
        return found
    figures = {**players, **_played(ruleset, terms, sides, test)}
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps(figures), encoding="utf-8")
    fresh.replace(file)
    return figures


def _played(ruleset: Any, terms: Figures, sides: Any, test: SequentialTest) -> Figures:
    from simulator.engine.playout import play_block
    from simulator.statistics.intervals import share
    from simulator.strength.ladder_requests import seating

    points, games, unfinished, number, decision = 0.0, 0, 0, 0, Decision.GO_ON
    begun = time.process_time()
    while decision == Decision.GO_ON and number * len(sides) < test.most_games:
        for own in sides:
            players = seating(sides, own, terms["one"], terms["other"])
            row = play_block(ruleset, players, SEED, number, 1, CAP, terms["until"])[0]
            if row[0] == UNFINISHED:
                unfinished += 1
                continue
            is_won = row[0] == WIN and row[1]
            points += bool(int(row[1]) & sum(1 << seat for seat in own)) if is_won else 1 / len(sides)
            games += 1
        number += 1
        decision = test.decision(points, games)
    return {
        "decision": str(Decision.UNDECIDED if decision == Decision.GO_ON else decision),
        "share": [None if one is None else round(one, 3) for one in share(points, games)] if games else None,
        "points": round(points, 2),
        "games": games,
        "fair": round(1 / len(sides), 3),
        "unfinished": unfinished,
        "seconds": round(time.process_time() - begun, 1),
    }


def demand_all(figures: dict[str, Figures], exceptions: dict[str, str]) -> None:
    """Every match is decided for the stronger, but for the exceptions, each of which is one; raises Unproved."""
    wrong = {
        slug: found["decision"]
        for slug, found in figures.items()
        if (found["decision"] == Decision.ENOUGH) == (slug in exceptions)
    }
    demand(not wrong, f"not as expected: {wrong}", figures)
