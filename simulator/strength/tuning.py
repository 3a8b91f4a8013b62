"""Tuning a player: a race in which all candidates play against the best so far, and the worse half leaves every round.

Successive halving (Karnin, Koren & Somekh 2013, "Almost Optimal Exploration in Multi-Armed Bandits"): a round has twice
as many games of each as the one before, so that all rounds together cost about the same. Whoever leads is the one whom
all meet in the next round; he counts there as no better and no worse than himself. Games of one round have the same
seed, so that all meet the same throws. What was played is kept as it is played: a race that was broken off goes on.
"""

import datetime
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.engine.ends import WIN
from simulator.engine.players.names import seating
from simulator.engine.playout import play_block
from simulator.statistics.intervals import share
from simulator.strength.tuning_requests import CAP, MOST_RANKED, TuningRequest, versions_of

Report = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match: games won, lost, and without a winner."""

    won: int
    lost: int
    neither: int

    @property
    def games(self) -> int:
        return self.won + self.lost + self.neither

    def points(self, fair: float) -> float:
        """A share of the games; where nobody won, everybody has his fair part."""
        return (self.won + fair * self.neither) / self.games


class Matches:
    """Matches of one tuning, each played once and kept in a file beside the others."""

    def __init__(self, request: TuningRequest, folder: Path) -> None:
        self.request, self.file = request, folder / f"{request.id}.json"
        kept = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else {}
        self.kept = {key: Result(*row) for key, row in kept.items()}

    def result(self, one: str, other: str, number: int, games: int) -> Result:
        """How the one did from every side. number: of the round, whose games have a seed of their own"""
        key = f"{number} {games} {one} {other}"
        if key not in self.kept:
            self.kept[key] = self._played(one, other, self.request.seed + number, games)
            self._write()
        return self.kept[key]

    @property
    def games(self) -> int:
        """The games of all matches."""
        return sum(row.games for row in self.kept.values())

    def _played(self, one: str, other: str, seed: int, games: int) -> Result:
        request, found = self.request, []
        for own in request.sides:
            players = seating(request.sides, own, one, other)
            rows = play_block(request.ruleset, players, seed, 0, games // len(request.sides), CAP, request.until)
            mine = sum(1 << seat for seat in own)
            found += [bool(winners & mine) if end == WIN and winners else None for end, winners in rows[:, :2].tolist()]
        return Result(found.count(True), found.count(False), found.count(None))

    def _write(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_suffix(".new")
        rows = {key: [row.won, row.lost, row.neither] for key, row in self.kept.items()}
        fresh.write_text(json.dumps(rows), encoding="utf-8")
        os.replace(fresh, self.file)


def race(request: TuningRequest, matches: Matches, report: Report) -> dict[str, Any]:
    """The document of the tuning. report: is told of the player who leads, games played, games of all"""
    racing, best, games, number, played = list(request.candidates), request.first, request.games, 0, 0
    fair, rounds, ranking = 1 / len(request.sides), list[dict[str, Any]](), list[str]()
    while len(racing) > 1:
        shares = {}
        for one in racing:
            report(best, played, request.most_games)
            shares[one] = fair if one == best else matches.result(one, best, number, games).points(fair)
            played += games
        racing.sort(key=lambda one: -shares[one])
        rounds.append({"players": len(racing), "against": best, "games": games, "best": racing[0]})
        staying = (len(racing) + 1) // 2
        ranking = racing[staying:] + ranking
        racing, best = racing[:staying], racing[0]
        games, number = 2 * games, number + 1
    last = matches.result(best, request.plain, number, request.most_games - played)
    return _document(request, [*racing, *ranking], rounds, last) | {"games": matches.games}


def _document(request: TuningRequest, ranking: list[str], rounds: list[dict[str, Any]], last: Result) -> dict[str, Any]:
    """ranking: the players, the best first, those behind who left earlier"""
    best = ranking[0]
    interval = share(last.won + last.neither / len(request.sides), last.games)
    return {
        "name": request.name,
        "tuned": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "player": best,
        "tuning": request.id,
        "versions": versions_of(request.ruleset),
        "target": request.target,
        "seed": request.seed,
        "cap": CAP,
        "until": request.until,
        "rounds": rounds,
        "ranking": ranking[:MOST_RANKED],
        "against": {
            "player": request.plain,
            "seed": request.seed + len(rounds),
            "won": last.won,
            "lost": last.lost,
            "neither": last.neither,
            "share": [None if value is None else round(value, 3) for value in interval],
        },
    }
