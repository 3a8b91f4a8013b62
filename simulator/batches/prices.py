"""Prices of games in processor time, by ruleset and players, and the most that one request may cost.

`manage.py measure_prices` measures every shipped ruleset and writes `player_prices.json`. A ruleset that is not in it,
somebody's what-if, costs what the costliest of its family does; one that has tables of its own, what the costliest of
its kind of game does, and so many times more as it has more pieces or holes than the largest of these. A price is an
expectation: what turns out to be dearer by far is ended by the processor-time limit of a chunk.

Ceilings bound one request of anybody, and of visitors; how often visitors may ask is the matter of `queueing`. A turn
that takes long cannot be interrupted but by ending the process that searches; and nobody, staff or command, should hold
all workers for weeks by a slip of the keyboard.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.engine import shipped
from simulator.engine.family import family
from simulator.engine.players.names import DEEP, FAULTLESS, GREEDY, KINDS, POLICY, RANDOM, UCT, Player, player
from simulator.engine.ruleset import Problem, Ruleset

FILE = Path(settings.BASE_DIR) / "fixtures" / "player_prices.json"
UNITS = 10  # of work in a microsecond: one is about a turn of random play
MICROSECONDS = 1e6  # in a second
FAULTLESS_TURN = 20.0  # microseconds, with a part of the table
SECOND, HOUR = MICROSECONDS, 3600 * MICROSECONDS


@dataclass(frozen=True, slots=True)
class Prices:
    """A row of the file. Prices are microseconds of processor time.

    turn:       of random play
    greedy:     a turn of it
    plies:      by kind of player, a turn at depth 1, 2, …, as far as was measured; empty where it cannot play
    uct:        one iteration, by the horizon in turns, ascending
    prior:      so much more costs an iteration that begins with the evaluation of every move
    turns:      by player, or else by kind of player: (mean turns of a game, share of games that were stopped, after so
                many turns)
    median:     of the length of random games, in turns, with its limits; None where more than a few were stopped
    """

    name: str
    family: str
    turn: float
    greedy: float
    plies: Mapping[str, tuple[float, ...]]
    uct: tuple[tuple[int, float], ...]
    prior: float
    turns: Mapping[str, tuple[float, float, int]]
    median: tuple[int, int, int] | None = None

    def per_turn(self, one: Player) -> float:
        """Return the microseconds of a turn of that player."""
        if one.kind == RANDOM:
            return self.turn
        if one.kind in (GREEDY, POLICY):
            return self.greedy
        if one.kind == UCT:
            return self.turn + one.budget * (self._iteration(one.horizon) + (self.prior if one.prior else 0.0))
        return self._deep(KINDS[one.kind], one.budget + (one.horizon > 0))  # at most, by what was seen

    def times(self, more: float) -> "Prices":
        """Return the prices of a game in which every turn costs so many times more."""
        if more == 1.0:
            return self
        plies = {kind: tuple(price * more for price in known) for kind, known in self.plies.items()}
        uct = tuple((turns, price * more) for turns, price in self.uct)
        turn, greedy, prior = self.turn * more, self.greedy * more, self.prior * more
        return replace(self, turn=turn, greedy=greedy, prior=prior, plies=plies, uct=uct)

    def can_play(self, one: Player) -> bool:
        return KINDS[one.kind] not in DEEP or bool(self.plies[KINDS[one.kind]])

    def _deep(self, kind: str, depth: int) -> float:
        """Return the price of a depth."""
        # Beyond what was measured each ply costs as many times more as the last ones did.
        known = self.plies[kind] or (float("inf"),)
        if depth <= len(known):
            return known[depth - 1]
        # The larger of the last factor and the geometric mean of the last two: odd and even plies may differ.
        growth = max(known[-1] / known[-2], (known[-1] / known[-3]) ** 0.5) if len(known) > 2 else 40.0
        return float(min(known[-1] * max(growth, 1.0) ** (depth - len(known)), 1e30))

    def _iteration(self, horizon: int) -> float:
        """Return the price of an iteration."""
        # No more than at the next measured horizon, nor than at the last one with the turns between.
        shorter = [(turns, price) for turns, price in self.uct if turns <= horizon]
        longer = [price for turns, price in self.uct if turns >= horizon]
        turns, price = shorter[-1]
        return min([price + (horizon - turns) * self.turn, *longer[:1]])

    def game(self, players: Sequence[Player], cap: int) -> float:
        """Return the expected microseconds of a game: its turns, times the mean price of its players' turns."""
        turns = max(self._turns(seated, cap) for seated in players)
        return turns * sum(map(self.per_turn, players)) / len(players)

    def _turns(self, one: Player, cap: int) -> float:
        of_kind = self.turns.get(KINDS[one.kind], (0.0, 1.0, 0))
        mean, unfinished, stopped = self.turns.get(str(replace(one, weights="")), of_kind)
        return min(float(cap), mean + unfinished * max(0, cap - stopped))


@cache
def _file() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return document


@cache
def price_list() -> dict[str, Prices]:
    """Return the prices in the file, by the hash of the ruleset."""
    return {key: _read(row) for key, row in _file()["rulesets"].items()}


def _read(row: dict[str, Any]) -> Prices:
    dearest = accumulate(row["uct"].values(), max)  # a longer horizon is no cheaper, but for what a clock cannot tell
    uct = tuple(zip(map(int, row["uct"]), dearest, strict=True))
    turns = {who: (mean, share, stopped) for who, (mean, share, stopped) in row["turns"].items()}
    plies = {kind: tuple(row[kind]) for kind in DEEP}
    median = tuple(row["median"]) if row.get("median") else None
    return Prices(row["name"], row["family"], row["turn"], row["greedy"], plies, uct, row["prior"], turns, median)


Asked = tuple[str, str, str, int]  # the family, and the hash, the kind of game and the extent of a ruleset


def _asked(ruleset: Ruleset) -> Asked:
    """Return what tells the price of a ruleset: only of one with tables of its own the kind of game and its extent."""
    kind = family(ruleset.family)
    if ruleset.hash in price_list() or not kind.tables(ruleset.document):
        return ruleset.family, ruleset.hash, "", 1
    return ruleset.family, ruleset.hash, kind.kind_of_game(ruleset.parameters), kind.extent(ruleset.parameters)


def _prices_by(asked: Asked) -> tuple[Prices, ...]:
    """Return the row of a ruleset, else those of its kind of game, else all of its family; if nobody has measured the
    family yet, all rows."""
    name, ruleset_hash, kind, extent = asked
    known = price_list()
    if own := known.get(ruleset_hash):
        return (own,)
    if kind and (alike := _of_kind(name, kind)):
        more = max(1.0, extent / max(size for _, size in alike))
        return tuple(row.times(more) for row, _ in alike)
    return tuple(row for row in known.values() if row.family == name) or tuple(known.values())


@cache
def _of_kind(name: str, kind: str) -> tuple[tuple[Prices, int], ...]:
    """Return the rows of the rulesets of a kind of game, each with the extent of its ruleset."""
    own = family(name)
    measured = {slug: shipped.load(slug) for slug in shipped.measured(name)}
    rows = [(row, measured[row.name].parameters) for row in price_list().values() if row.name in measured]
    return tuple((row, own.extent(rules)) for row, rules in rows if own.kind_of_game(rules) == kind)


def game_price(ruleset: Ruleset, players: Sequence[str], cap: int) -> float:
    """Return the microseconds of processor time that a game of these players, one a seat, is expected to take."""
    return _game_price(_asked(ruleset), tuple(players), cap)


@lru_cache(maxsize=4096)  # pages ask for the same few again and again
def _game_price(asked: Asked, players: tuple[str, ...], cap: int) -> float:
    return _dearest(_prices_by(asked), players, cap)


def dearest_game(name: str, players: Sequence[str], cap: int) -> float:
    """Return the most microseconds that a game of these players may be expected to take in any ruleset of the family.

    players: one a seat, or one alone for every seat
    """
    return _dearest([row for row in price_list().values() if row.family == name], players, cap)


def _dearest(rows: Sequence[Prices], players: Sequence[str], cap: int) -> float:
    if FAULTLESS in players:
        return cap * FAULTLESS_TURN
    parsed = [player(name) for name in players]
    return max(row.game(parsed, cap) for row in rows if all(map(row.can_play, parsed)))


def finishing_price(name: str) -> float:
    """Return the most microseconds of processor time that figures and plots of a batch of that family take."""
    return float(_file()["finishing"][name])


def longest_median(ruleset: Ruleset) -> int | None:
    """Return the upper limit of the median length of random games, in turns.

    None of a ruleset that nobody has measured, and where games were stopped, whose length is not known.
    """
    own = price_list().get(ruleset.hash)
    return own.median[-1] if own and own.median else None


def turn_price(ruleset: Ruleset, name: str) -> float:
    """Return the microseconds of processor time that a turn of that player is expected to take."""
    if name == FAULTLESS:
        return FAULTLESS_TURN
    return _turn_price(_asked(ruleset), name)


@lru_cache(maxsize=4096)
def _turn_price(asked: Asked, name: str) -> float:
    parsed = player(name)
    return max(row.per_turn(parsed) for row in _prices_by(asked) if row.can_play(parsed))


def within_price(ruleset: Ruleset, name: str, most: float) -> str:
    """Return the player most like that one whose turn costs at most so many microseconds: itself, if it does."""
    if turn_price(ruleset, name) <= most:
        return name
    parsed = player(name)
    low, high = 1, parsed.budget
    # Bisection: prices rise with the budget. If none is cheap enough, the smallest is left.
    while low < high:
        middle = (low + high + 1) // 2
        if turn_price(ruleset, str(replace(parsed, budget=middle))) <= most:
            low = middle
        else:
            high = middle - 1
    return str(replace(parsed, budget=low))


def within_price_of_all(rulesets: Iterable[Ruleset], name: str, most: float) -> str:
    """Return the player most like that one whose turn costs at most so many microseconds in the dearest of them."""
    return min((within_price(ruleset, name, most) for ruleset in rulesets), key=lambda one: player(one).budget)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that a request may cost.

    turn: microseconds of one turn's search; work: of all games together, as `prices.UNITS` counts
    """

    who: str
    turn: float
    work: int


ANYBODY = Ceiling("nobody", 60 * SECOND, int(100 * HOUR * UNITS))
VISITOR = Ceiling("no visitor", 1 * SECOND, ANYBODY.work)


def work_of(ruleset: Ruleset, players: Sequence[str], games: int, cap: int) -> int:
    """Return what the games cost: expected processor time, in units of about a turn of random play."""
    # 2**62 fits the database's integers, also when the work of several batches is added.
    return max(1, min(round(games * game_price(ruleset, players, cap) * UNITS), 2**62))


def exceeded(ruleset: Ruleset, players: Sequence[str], games: int, cap: int, ceiling: Ceiling) -> Iterator[Problem]:
    """Yield what is above the ceiling, with the most that is possible below it."""
    possible = [within_price(ruleset, name, ceiling.turn) for name in players]
    if possible != list(players):
        slow = next(name for name, near in zip(players, possible, strict=True) if name != near)
        near = possible[list(players).index(slow)]
        seconds = turn_price(ruleset, slow) / SECOND
        message = f"{slow} thinks about {span(seconds)} about a turn here, and {ceiling.who} may ask for that"
        yield Problem("players", f"{message}; the most that is possible is {near}", ",".join(possible))
        return
    work = work_of(ruleset, players, games, cap)
    if work <= ceiling.work:
        return
    hours = work / UNITS / HOUR
    message = f"these games would take about {hours:,.0f} hours of a processor, and {ceiling.who} may ask for more than"
    message += f" {ceiling.work / UNITS / HOUR:,.0f}"
    # Work is proportional to the games and to the cap, so the most that fits follows by division.
    if most := ceiling.work * games // work:
        yield Problem("games", f"{message}: {most} of these games at most", most)
    else:
        shortest = max(1, ceiling.work * cap // work)
        yield Problem("cap", f"{message}: not even one game with this cap", shortest)


def span(seconds: float) -> str:
    """ "2.4 seconds", "3 hours"."""
    for name, long in (("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * long:
            return f"{min(seconds / long, 1e6):,.0f} {name}s"
    return f"{seconds:.1f} seconds" if seconds >= 0.1 else "a tenth of a second"
