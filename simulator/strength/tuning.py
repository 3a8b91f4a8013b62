"""Tuning a player: which searches meet, how dear a turn of theirs may be, how many games decide, and the race itself.

All candidates cost the same by `prices`: one that needs more time for an iteration has fewer. Budgets are games;
seconds are taken for as many games as are expected in them, so that a tuning is the same on every machine. A race at a
high price may be among the best of one at a lower price only.

All candidates play against the best so far, and the worse half leaves after every round: successive halving (Karnin,
Koren & Somekh 2013, "Almost Optimal Exploration in Multi-Armed Bandits"). A round has twice as many games of each as
the one before, so that all rounds together cost about the same. The leader is the opponent of all in the next round and
counts there as no better and no worse than itself. Games of one round have the same seed, so that all meet the same
throws. Matches are kept as they are played: a race that was interrupted continues.
"""

import datetime
import itertools
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simulator import rulesets
from simulator.batches import prices
from simulator.batches.prices import HOUR, SECOND
from simulator.batches.requests import MOST_SEED, content_hash, has_rounds
from simulator.engine.ends import WIN
from simulator.engine.family import family
from simulator.engine.players import names
from simulator.engine.ruleset import Problem, Ruleset
from simulator.problems import WrongRequest, collecting, whole_number
from simulator.statistics.intervals import share

TUNING_VERSION = 2  # changes when the same request would come to another player
HORIZONS, EXPLORATIONS, PRIORS = (0, 4, 12, 40, 200), (20, 40, 80), (0, 2, 8, 32, 128)
CAP, CONFIRMING = 600, 80  # turns; games against plain search, which say what was gained
DEFAULT_TARGET, MOST_TARGET = 1_000, 1_000_000  # microseconds
MOST_HOURS = 24
ALL, MOST_RANKED = "all", 8  # candidates that a race may be among, and that are remembered for it
USUAL = 4  # games of each side in the first round, unless a budget says otherwise
Report = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class TuningRequest:
    """A tuning that can be carried out.

    target:     microseconds of processor time that a turn is expected to take at most
    candidates: names of players; plain: the search without options; first: the opponent of all in the first round
    games:      of each candidate in the first round, each side played as often; twice as many in every round
    """

    name: str
    ruleset: Ruleset
    target: int
    seed: int
    until: str
    candidates: tuple[str, ...]
    plain: str
    first: str
    games: int

    @property
    def content(self) -> dict[str, Any]:
        """The terms that determine it, besides the ruleset."""
        versions = {"version": TUNING_VERSION, **versions_of(self.ruleset)}
        terms = {key: getattr(self, key) for key in ("target", "seed", "until", "plain", "first", "games")}
        return {**versions, **terms, "candidates": list(self.candidates)}

    @property
    def id(self) -> str:
        """The first 16 hex digits of the SHA-256 of the request, in canonical JSON (RFC 8785)."""
        return content_hash(ruleset=self.ruleset.hash, **self.content)[:16]

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return names.sides_of(self.ruleset)

    @property
    def most_games(self) -> int:
        """The most games of all rounds, and of the match at the end."""
        return self.games * _first_rounds(len(self.candidates)) + _confirming(len(self.sides))


def check_tuning(
    name: str,
    *,
    budget: str = "",
    target: int | str = DEFAULT_TARGET,
    seed: int | str = 1,
    among: int | str = ALL,
    horizons: bool = False,
    others: Sequence[str] = (),
    races: Mapping[str, Any] | None = None,
    ruleset: Ruleset | None = None,
) -> TuningRequest:
    """Check a request; raises WrongRequest with what would fit.

    name:     of the ruleset, unless it is given itself
    budget:   "3000" games, or "600s": as many as are expected in so many seconds; empty is USUAL
    among:    so many of the best of the dearest race below `target`, or ALL there are, which have every horizon
    horizons: whether the best of so many races with every other horizon too
    others:   names of players who race besides, whatever search they are
    races:    documents of the races of this ruleset, by their targets
    """
    problems: list[Problem] = []
    ruleset, microseconds, number, most = ruleset or rulesets.find(name), DEFAULT_TARGET, 1, MOST_RANKED
    with collecting(problems):
        microseconds = whole_number("target", target, 1, MOST_TARGET)
    with collecting(problems):
        number = whole_number("seed", seed, 0, MOST_SEED - 100)
    with collecting(problems):
        most = MOST_RANKED if among == ALL else whole_number("among", among, 2, MOST_RANKED)
    with collecting(problems):
        others = [_other(ruleset, other, microseconds) for other in others]
    if problems:
        raise WrongRequest(problems)
    plain, candidates = _affordable(ruleset, microseconds)
    first = plain
    if among != ALL:
        candidates = _best_before(ruleset, microseconds, races or {})[:most]
        first = candidates[0]
        if horizons:
            candidates += _with_every_horizon(ruleset, first, microseconds)
    candidates = tuple(dict.fromkeys([*candidates, *others]))
    sides = names.sides_of(ruleset)
    price = prices.game_price(ruleset, [plain] * sum(map(len, sides)), CAP)
    games = _games_each(budget, len(candidates), len(sides), price, microseconds)
    until = "round" if has_rounds(family(ruleset.family)) else "game"
    return TuningRequest(name, ruleset, microseconds, number, until, candidates, plain, first, games)


def _other(ruleset: Ruleset, name: str, target: int) -> str:
    """Return the canonical name of a player that can play it at that price; raises WrongRequest."""
    try:
        one = names.players_for(ruleset, str(names.player(name)))[0]
    except names.PlayersProblem as problem:
        raise WrongRequest([Problem("player", str(problem))]) from None
    if (price := prices.turn_price(ruleset, one)) > target:
        message = f"a turn of {one} takes about {price:,.0f} microseconds here, more than {target:,}"
        raise WrongRequest.of("player", message, prices.within_price(ruleset, one, target))
    return one


def _affordable(ruleset: Ruleset, target: int) -> tuple[str, tuple[str, ...]]:
    """Return (plain search, all candidates), each with as many iterations as a turn of that price allows."""
    plain = _within(ruleset, names.Player(names.UCT, names.MOST_ITERATIONS, max(HORIZONS)), target)
    options = itertools.product(HORIZONS, EXPLORATIONS, PRIORS)
    searches = (names.Player(names.UCT, names.MOST_ITERATIONS, turns, reach, prior) for turns, reach, prior in options)
    affordable = dict.fromkeys(one for each in searches if (one := _within(ruleset, each, target)))
    if plain is None or len(affordable) < 2:
        dearest = prices.turn_price(ruleset, str(names.Player(names.UCT, 1, max(HORIZONS))))
        message = f"a turn of the least search takes about {dearest:,.0f} microseconds here, more than {target:,}"
        raise WrongRequest.of("target", message, int(dearest) + 1)
    return plain, tuple(affordable)


def _best_before(ruleset: Ruleset, target: int, races: Mapping[str, Any]) -> tuple[str, ...]:
    """Return players that did best in the dearest race below this target, the best first, with iterations for it."""
    versions = versions_of(ruleset)
    cheaper = [int(key) for key, race in races.items() if int(key) < target and race["versions"] == versions]
    if not cheaper:
        message = f"no race of this ruleset below {target:,} microseconds has been run with these players"
        raise WrongRequest.of("among", message, ALL)
    ranked = [names.with_largest_budget(name) for name in races[str(max(cheaper))]["ranking"]]
    return tuple(dict.fromkeys(one for each in ranked if (one := _within(ruleset, each, target))))


def _with_every_horizon(ruleset: Ruleset, name: str, target: int) -> tuple[str, ...]:
    """Return a tree search at every horizon, with as many iterations as that price allows; nothing for others."""
    best = names.with_largest_budget(name)
    searches = [replace(best, horizon=turns) for turns in HORIZONS] if best.kind == names.UCT else []
    return tuple(one for each in searches if (one := _within(ruleset, each, target)))


def versions_of(ruleset: Ruleset) -> dict[str, int]:
    """Return the versions that a race depends on."""
    return {ruleset.family: family(ruleset.family).rules_version, "players": names.PLAYERS_VERSION}


def _within(ruleset: Ruleset, one: names.Player, target: int) -> str | None:
    name = prices.within_price(ruleset, str(one), target)
    return name if prices.turn_price(ruleset, name) <= target else None


def _games_each(budget: str, candidates: int, sides: int, price: float, target: int) -> int:
    """Return the games of each candidate in the first round. price: microseconds of a game at that target a turn"""
    typed = re.fullmatch(r"(\d{1,12})(s?)", budget.strip().replace(",", "")) if budget else None
    if budget and typed is None:
        raise WrongRequest.of("budget", f"must be a number of games, or of seconds with an s, not {budget!r}", "3000")
    least = sides * _first_rounds(candidates) + _confirming(sides)
    most = int(MOST_HOURS * HOUR / price)
    games = USUAL * sides * _first_rounds(candidates) + _confirming(sides)
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
    return (games - _confirming(sides)) // _first_rounds(candidates) // sides * sides


def _first_rounds(candidates: int) -> int:
    """Return how many games all rounds have for each game that a candidate plays in the first."""
    # The sum of the rounds: `candidates` players with `factor` games each, halved and doubled.
    total, factor = 0, 1
    while candidates > 1:
        total, factor, candidates = total + factor * candidates, 2 * factor, (candidates + 1) // 2
    return total


def _confirming(sides: int) -> int:
    return CONFIRMING // sides * sides


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

    def result(self, one: str, other: str, number: int, games: int) -> Result:
        """Return the result of the one from every side. number: of the round, whose games have a seed of their own"""
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
        from simulator.engine.playout import play_block  # brings the compiled engine

        request, won = self.request, list[bool | None]()
        for own in request.sides:
            players = names.seating(request.sides, own, one, other)
            rows = play_block(request.ruleset, players, seed, 0, games // len(request.sides), CAP, request.until)
            mine = sum(1 << seat for seat in own)
            won += [bool(winners & mine) if end == WIN and winners else None for end, winners in rows[:, :2].tolist()]
        return Result(won.count(True), won.count(False), won.count(None))

    def _write(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_suffix(".new")
        rows = {key: [row.won, row.lost, row.neither] for key, row in self.kept.items()}
        fresh.write_text(json.dumps(rows), encoding="utf-8")
        os.replace(fresh, self.file)


def race(request: TuningRequest, matches: Matches, report: Report) -> dict[str, Any]:
    """Run the race and return its document. report: called with the leader, games played, and games of all"""
    racing, best, games, number, played = list(request.candidates), request.first, request.games, 0, 0
    fair, rounds, ranking = 1 / len(request.sides), list[dict[str, Any]](), list[str]()
    # Each round halves the players and doubles the games of each, so that all rounds cost about the same.
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
    """Return the document of a race. ranking: the players, the best first, those that left earlier behind"""
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
