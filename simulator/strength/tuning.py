"""Tuning a player: which searches meet, how dear a turn of theirs may be, how many games decide, and the race itself.

A level of play is one player for a game, so that all candidates play in all of its readings, in each as many games with
the same seeds and from every side, by the same weights; their points are the mean over the readings. The second player
of a level is who does best against the first among those who differ from him in algorithm or evaluation, if games of
his own are of many kinds and come to an end: in his race the first is the opponent of all in every round, and who plays
other games with himself is passed over. A ruleset alone, somebody's, can be tuned too.

All candidates cost the same by `prices` in the dearest of the rulesets: one that needs more time for an iteration has
fewer. Budgets are games; seconds are taken for as many games as are expected in them, so that a tuning is the same on
every machine. A race of a ruleset at a high price may be among the best of one at a lower price only; one of a game
among the best that its readings had alone.

All candidates play against the best so far, and the worse half leaves after every round: successive halving (Karnin,
Koren & Somekh 2013, "Almost Optimal Exploration in Multi-Armed Bandits"). A round has twice as many games of each as
the one before, so that all rounds together cost about the same. The leader is the opponent of all in the next round and
counts there as no better and no worse than itself. Games of one round have the same seed, so that all meet the same
throws. Matches are kept as they are played: a race that was interrupted continues.
"""

import datetime
import itertools
import json
import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simulator import rulesets
from simulator.batches import levels, prices
from simulator.batches.finalize import FEW, row_hashes
from simulator.batches.prices import HOUR, SECOND
from simulator.batches.requests import MOST_SEED, content_hash, has_rounds
from simulator.engine import shipped
from simulator.engine.ends import UNFINISHED, WIN
from simulator.engine.family import family
from simulator.engine.players import names
from simulator.engine.ruleset import Problem, Ruleset
from simulator.problems import WrongRequest, collecting, whole_number
from simulator.statistics.intervals import share
from simulator.strength.candidates import (
    ALL,
    MOST_RANKED,
    affordable_players,
    best_before,
    first_forms,
    given_player,
    players_unlike,
    versions_of,
    with_every_horizon,
)

TUNING_VERSION = 2  # changes when the same request would come to another player
SEEN = 24  # games of a second player with himself: as many kinds in each reading, or FEW in four times as many games
CLOSE = 3  # the last so many second players have been seen to play such games
CAP, CONFIRMING, OF_GAME = (
    600,
    80,
    40,
)  # turns; games, of a ruleset alone and of all readings of a game against plain search, which say what was gained
DEFAULT_TARGET, MOST_TARGET = 1_000, 1_000_000  # microseconds
MOST_HOURS = 24
USUAL = 4  # games of each side in the first round, unless a budget says otherwise
Report = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class TuningRequest:
    """A tuning that can be carried out.

    rulesets:   by their names, each content once
    weights:    the kind of game whose weights players have who name none; empty for that of the ruleset
    target:     microseconds of processor time that a turn is expected to take at most
    candidates: names of players; plain: the search without options, or the first player;
                first: the opponent of all in the first round, of second players in every round
    games:      of each candidate in each ruleset in the first round, each side played as often; twice as many in every
                round
    place:      of the player in a game: the first or the second of the level; empty for a ruleset alone
    """

    name: str
    rulesets: Mapping[str, Ruleset]
    weights: str
    target: int
    seed: int
    until: str
    candidates: tuple[str, ...]
    plain: str
    first: str
    games: int
    place: str

    @property
    def content(self) -> dict[str, Any]:
        """The terms that determine it, besides the ruleset."""
        versions = {"version": TUNING_VERSION, **versions_of(self.ruleset)}
        terms = {key: getattr(self, key) for key in ("target", "seed", "until", "plain", "first", "games")}
        of_game = {"rulesets": [one.hash for one in self.rulesets.values()], "weights": self.weights}
        return {**versions, **terms, **(of_game if self.weights else {}), "candidates": list(self.candidates)}

    @property
    def id(self) -> str:
        """The first 16 hex digits of the SHA-256 of the request, in canonical JSON (RFC 8785)."""
        return content_hash(ruleset=self.ruleset.hash, **self.content)[:16]

    @property
    def ruleset(self) -> Ruleset:
        """The first of the rulesets."""
        return next(iter(self.rulesets.values()))

    @property
    def most_games(self) -> int:
        """The most games of all rounds, and of the match at the end, in each ruleset."""
        last = _confirming(self.rulesets.values(), of_game=bool(self.place))
        return self.games * _first_rounds(len(self.candidates)) + last


def check_tuning(
    name: str,
    *,
    budget: str = "",
    target: int | str = DEFAULT_TARGET,
    seed: int | str = 1,
    among: int | str = ALL,
    horizons: bool = False,
    others: Sequence[str] = (),
    races: Mapping[str, Mapping[str, Any]] | None = None,
    ruleset: Ruleset | None = None,
    second: bool = False,
) -> TuningRequest:
    """Check a request; raises WrongRequest with what would fit.

    name:     of a game or a ruleset, unless a ruleset is given itself
    budget:   "3000" games, or "600s": as many as are expected in so many seconds; empty is USUAL
    among:    so many of the best of the dearest race below `target`, or ALL there are, which have every horizon; of a
              game so many of each reading, of its dearest race up to `target`
    horizons: whether the best of so many races with every other horizon too
    others:   names of players who race besides, whatever search they are
    races:    documents of the races of rulesets alone, by their hashes, then by their targets
    second:   whether the second player of the level is looked for, among all who are of another kind than the first
    """
    problems: list[Problem] = []
    game = None if ruleset else levels.games().get(name)
    found = _readings(game["rulesets"]) if game else {name: ruleset or rulesets.find(name)}
    every, microseconds, number, most = tuple(found.values()), DEFAULT_TARGET, 1, MOST_RANKED
    with collecting(problems):
        microseconds = whole_number("target", target, 1, MOST_TARGET)
    with collecting(problems):
        number = whole_number("seed", seed, 0, MOST_SEED - 100)
    with collecting(problems):
        most = MOST_RANKED if among == ALL else whole_number("among", among, 1 if game else 2, MOST_RANKED)
    with collecting(problems):
        others = [given_player(every, other, microseconds) for other in others]
    if second and game is None:
        problems.append(Problem("second", f"{name} is no game; a level has a second player in a game"))
    if problems:
        raise WrongRequest(problems)
    plain, candidates = affordable_players(every, microseconds)
    first = plain
    if second:
        forms = first_forms(name, microseconds)
        first = plain = forms[0]
        candidates = players_unlike(every, forms, game["weights"] if game else "", microseconds)
    elif among != ALL:
        candidates = best_before(every, microseconds, races or {}, most, of_game=game is not None)
        first = candidates[0]
        if horizons:
            candidates += with_every_horizon(every, first, microseconds)
    candidates = tuple(dict.fromkeys([*candidates, *others]))
    price = sum(prices.game_price(one, [plain] * family(one.family).seats(one.parameters), CAP) for one in every)
    last = _confirming(every, of_game=game is not None)
    games = _games_each(budget, len(candidates), _all_sides(every), last, price, microseconds)
    until = "round" if has_rounds(family(every[0].family)) else "game"
    weights, place = "", ""
    if game is not None:
        weights, place = game["weights"], levels.SECOND if second else levels.FIRST
    return TuningRequest(name, found, weights, microseconds, number, until, candidates, plain, first, games, place)


def _readings(slugs: Sequence[str]) -> dict[str, Ruleset]:
    """Return the rulesets of a game by slug, those with the same rules once."""
    found: dict[str, Ruleset] = {}
    for slug in slugs:
        one = shipped.load(slug)
        if one.hash not in (known.hash for known in found.values()):
            found[slug] = one
    return found


def _games_each(budget: str, candidates: int, sides: int, last: int, price: float, target: int) -> int:
    """Return the games of each candidate in each ruleset in the first round.

    last:  the games of the last match in each; price: microseconds of a game in each of them at that target a turn
    """
    typed = re.fullmatch(r"(\d{1,12})(s?)", budget.strip().replace(",", "")) if budget else None
    if budget and typed is None:
        raise WrongRequest.of("budget", f"must be a number of games, or of seconds with an s, not {budget!r}", "3000")
    least = sides * _first_rounds(candidates) + last
    most = int(MOST_HOURS * HOUR / price)
    games = USUAL * sides * _first_rounds(candidates) + last
    if typed:
        games = int(int(typed[1]) * SECOND / price) if typed[2] else int(typed[1])
    in_seconds = bool(typed and typed[2])
    if games < least:
        message = f"{games:,} games do not decide among {candidates} players: each has to play from every side"
        raise WrongRequest.of("budget", message, f"{int(least * price / SECOND) + 1}s" if in_seconds else least)
    if games > most:
        message = f"{games:,} games would take about {games * price / HOUR:,.0f} hours, more than {MOST_HOURS}"
        if typed is None or most < least:
            raise WrongRequest.of("target", f"with such turns {message}", max(1, target * most // games))
        raise WrongRequest.of("budget", message, f"{MOST_HOURS * 3600}s" if in_seconds else most)
    return (games - last) // _first_rounds(candidates) // sides * sides


def _first_rounds(candidates: int) -> int:
    """Return how many games all rounds have for each game that a candidate plays in the first."""
    # The sum of the rounds: `candidates` players with `factor` games each, halved and doubled.
    total, factor = 0, 1
    while candidates > 1:
        total, factor, candidates = total + factor * candidates, 2 * factor, (candidates + 1) // 2
    return total


def _all_sides(every: Iterable[Ruleset]) -> int:
    """Return the least number of games in which every side of every ruleset is played equally often."""
    return math.lcm(*(len(names.sides_of(ruleset)) for ruleset in every))


def _confirming(every: Collection[Ruleset], *, of_game: bool) -> int:
    """Return the games of the last match in each ruleset."""
    sides, games = _all_sides(every), OF_GAME if of_game else CONFIRMING
    return max(sides, games // len(every) // sides * sides)


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
        """Return the share of the points; a game that nobody won gives each side its fair part."""
        return (self.won + fair * self.neither) / self.games


class Matches:
    """Matches of one tuning, each played once and kept in a file beside the others."""

    def __init__(self, request: TuningRequest, folder: Path) -> None:
        self.request, self.file = request, folder / f"{request.id}.json"
        kept = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else {}
        self.kept = {key: Result(*row) for key, row in kept.items()}
        self.varied = dict[str, bool]()

    def results(self, one: str, other: str, number: int, games: int) -> dict[str, Result]:
        """Return the results of the one from every side, by ruleset.

        number: of the round, whose games have a seed of their own; games: in each ruleset
        """
        found = {}
        for name, ruleset in self.request.rulesets.items():
            key = f"{number} {games} {one} {other}" + (f" {name}" if len(self.request.rulesets) > 1 else "")
            if key not in self.kept:
                self.kept[key] = self._played(ruleset, one, other, self.request.seed + number, games)
                self._write()
            found[name] = self.kept[key]
        return found

    def varies(self, one: str) -> bool:
        """Whether games of a player with himself are of many kinds in every ruleset, and most come to an end."""
        if one not in self.varied:
            self.varied[one] = all(self._varies(ruleset, one) for ruleset in self.request.rulesets.values())
        return self.varied[one]

    def _varies(self, ruleset: Ruleset, one: str) -> bool:
        # Of 24 games drawn from fewer than 65 kinds, of which 96 would show 50, two are alike in 99 cases of 100; and
        # from as many, fewer than 16 kinds are hardly ever seen.
        seating = [self._named(one)] * sum(map(len, names.sides_of(ruleset)))
        rows = self._rows(ruleset, seating, self.request.seed, SEEN)
        if 2 * (rows[:, 0] == UNFINISHED).sum() >= SEEN or (seen := _kinds(rows)) < 2 * SEEN // 3:
            return False
        return seen == SEEN or _kinds(self._rows(ruleset, seating, self.request.seed, 4 * SEEN)) >= FEW

    def points(self, one: str, other: str, number: int, games: int) -> float:
        """Return the mean over the rulesets of the share of the points that the one made."""
        results = self.results(one, other, number, games)
        return sum(results[name].points(fair) for name, fair in self.fair.items()) / len(results)

    @property
    def fair(self) -> dict[str, float]:
        """The part of the points of an equal side, by ruleset."""
        return {name: 1 / len(names.sides_of(ruleset)) for name, ruleset in self.request.rulesets.items()}

    @property
    def games(self) -> int:
        """The games of all matches."""
        return sum(row.games for row in self.kept.values())

    def _played(self, ruleset: Ruleset, one: str, other: str, seed: int, games: int) -> Result:
        won, sides = list[bool | None](), names.sides_of(ruleset)
        one, other = self._named(one), self._named(other)
        for own in sides:
            rows = self._rows(ruleset, names.seating(sides, own, one, other), seed, games // len(sides))
            mine = sum(1 << seat for seat in own)
            won += [bool(winners & mine) if end == WIN and winners else None for end, winners in rows[:, :2].tolist()]
        return Result(won.count(True), won.count(False), won.count(None))

    def _named(self, name: str) -> str:
        """Return a player with the weights of the game, unless he names others."""
        one = names.player(name)
        return str(replace(one, weights=one.weights or self.request.weights))

    def _rows(self, ruleset: Ruleset, seating: Sequence[str], seed: int, games: int) -> Any:
        from simulator.engine.playout import play_block  # brings the compiled engine

        players = names.players_for(ruleset, ",".join(seating))
        return play_block(ruleset, players, seed, 0, games, CAP, self.request.until)

    def _write(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_suffix(".new")
        rows = {key: [row.won, row.lost, row.neither] for key, row in self.kept.items()}
        fresh.write_text(json.dumps(rows), encoding="utf-8")
        os.replace(fresh, self.file)


def _kinds(rows: Any) -> int:
    """Return how many of the games differ in what is counted."""
    return len(set(row_hashes(rows).tolist()))


def race(request: TuningRequest, matches: Matches, report: Report) -> dict[str, Any]:
    """Run the race and return its document. report: called with the leader, games played, and games of all"""
    racing, against, games, number, played = list(request.candidates), request.first, request.games, 0, 0
    rounds, ranking = list[dict[str, Any]](), list[str]()
    fair, is_second = sum(matches.fair.values()) / len(matches.fair), request.place == levels.SECOND
    # Each round halves the players and doubles the games of each, so that all rounds cost about the same.
    while len(racing) > 1:
        leader, shares = racing[0] if is_second else against, {}
        for one in racing:
            report(leader, played, request.most_games)
            shares[one] = fair if one == against else matches.points(one, against, number, games)
            played += games
        racing.sort(key=lambda one: -shares[one])
        rounds.append({"players": len(racing), "against": against, "games": games, "best": racing[0]})
        ranking, staying = [*racing, *ranking], (len(racing) + 1) // 2
        varied = (one for one in ranking if matches.varies(one)) if is_second and staying <= CLOSE else ()
        racing = list(itertools.islice(varied, staying)) or racing[:staying]
        ranking = [one for one in ranking if one not in racing]
        against = against if is_second else racing[0]
        games, number = 2 * games, number + 1
    by_ruleset = matches.results(racing[0], request.plain, number, request.most_games - played)
    document = _document(request, [*racing, *ranking], rounds, by_ruleset, matches.fair) | {"games": matches.games}
    passed_over = [one for one, varies in matches.varied.items() if not varies]
    return document | ({"passed_over": passed_over} if passed_over else {})


def _document(
    request: TuningRequest,
    ranking: list[str],
    rounds: list[dict[str, Any]],
    by_ruleset: Mapping[str, Result],
    fair: Mapping[str, float],
) -> dict[str, Any]:
    """Return the document of a race.

    ranking:    the players, the best first, those that left earlier behind
    by_ruleset: results of the last match; fair: the part of the points of an equal side
    """
    best, results = ranking[0], by_ruleset.values()
    last = Result(*(sum(getattr(one, field) for one in results) for field in ("won", "lost", "neither")))
    interval = share(last.won + sum(one.neither * fair[name] for name, one in by_ruleset.items()), last.games)
    points = {name: round(one.points(fair[name]), 3) for name, one in by_ruleset.items()}
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
            **({"points": points} if len(points) > 1 else {}),
        },
    }
