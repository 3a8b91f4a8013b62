"""Tests of claims: which games are looked at, what is counted in them, what the claim demands of it. Pure Python.

A test is a document of one of four kinds, as it stands in `fixtures/apparatus/<game>.json`:

    share       ruleset, of, among, at_least or at_most; the share of games fulfilling all of `of` among those
                fulfilling all of `among`; a condition is [measure, comparison, number or another measure]
    mean        ruleset, measure, at_least or at_most
    difference  ruleset, against, measure, direction (more or less); the same games of one seed under both
    solution    ruleset, first_move; no game at all: where both sides play without fault, that first move is better than
                every other

`set` (and `against_set`) changes parameters of the ruleset, `until` and `cap` say how far each game is played.
`players` names who plays, "uct:1000,random" or one for all seats; random players do unless it is said. Where players
think, `games` is the most games that are played, whatever number is asked for.
"""

import json
import operator
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.documents import parse
from simulator.engine.family import COURSE, END_NAMES, Measure, family
from simulator.engine.nearest import alike
from simulator.engine.players.names import PlayersProblem, parse_players
from simulator.engine.ruleset import Ruleset, RulesetProblem

COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
UNTIL = ("game", "round")
DEFAULT_CAP = 5_000
DEFAULT_PLAYERS = "random"
PLAYED = ("ruleset", "set", "until", "cap", "players", "games")
SOLUTION = "solution"
THRESHOLDS = ("at_least", "at_most")
DIRECTIONS = ("more", "less")
# kind -> (keys it must have, keys it may have); one threshold belongs to the first two.
KEYS = {
    "share": (("ruleset", "of"), (*PLAYED, "among", *THRESHOLDS)),
    "mean": (("ruleset", "measure"), (*PLAYED, *THRESHOLDS)),
    "difference": (("ruleset", "against", "measure", "direction"), (*PLAYED, "against_set")),
    SOLUTION: (("ruleset", "first_move"), ("set",)),
}

Rulesets = Mapping[str, Ruleset]


@dataclass(frozen=True, slots=True)
class Condition:
    """What a game's row must fulfil; `value` is a number or the name of another measure."""

    measure: str
    comparison: str
    value: int | float | str


@dataclass(frozen=True, slots=True)
class Side:
    """A ruleset by its name, with parameters changed."""

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)

    def ruleset(self, rulesets: Rulesets) -> Ruleset:
        """Raises KeyError if there is no such ruleset, RulesetProblem if the changes make none."""
        found = rulesets[self.name]
        return parse({**found.document, **self.changes}) if self.changes else found


@dataclass(frozen=True, slots=True)
class Demand:
    """What a claim demands of a figure: `at_least` or `at_most` a number, or `more` or `less` than nothing.

    Of a solution, that a move is `best`: that has no figure.
    """

    word: str
    value: float = 0

    def met(self, low: float | None, high: float | None) -> bool | None:
        """True if the whole interval is on the claimed side, False if it is wholly on the other, else None.

        A limit of None is no limit. No difference at all is neither more nor less.
        """
        claimed, other = {
            "at_least": (low is not None and low >= self.value, high is not None and high < self.value),
            "at_most": (high is not None and high <= self.value, low is not None and low > self.value),
            "more": (low is not None and low > 0, high is not None and high <= 0),
            "less": (high is not None and high < 0, low is not None and low >= 0),
        }[self.word]
        return True if claimed else False if other else None


@dataclass(frozen=True, slots=True)
class ClaimTest:
    """A test as it is run. A difference has two sides, every other kind one; `measure` is empty for a share."""

    kind: str
    sides: tuple[Side, ...]
    demand: Demand
    until: str = "game"
    cap: int = DEFAULT_CAP
    players: str = DEFAULT_PLAYERS
    most_games: int | None = None
    measure: str = ""
    of: tuple[Condition, ...] = ()
    among: tuple[Condition, ...] = ()
    first_move: str = ""

    @property
    def rulesets(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.sides)

    def games(self, wanted: int) -> int:
        """How many games it is put to if so many are wanted."""
        return wanted if self.most_games is None else min(wanted, self.most_games)


def read(test: Mapping[str, Any]) -> ClaimTest:
    """The test of a document in which `problems` finds nothing wrong."""
    sides = [Side(test["ruleset"], test.get("set", {}))]
    if test["kind"] == "difference":
        sides.append(Side(test["against"], test.get("against_set", {})))
        demand = Demand(test["direction"])
    elif test["kind"] == SOLUTION:
        demand = Demand("best")
    else:
        demand = next(Demand(word, test[word]) for word in THRESHOLDS if word in test)
    return ClaimTest(
        kind=test["kind"],
        sides=tuple(sides),
        demand=demand,
        until=test.get("until", "game"),
        cap=test.get("cap", DEFAULT_CAP),
        players=test.get("players", DEFAULT_PLAYERS),
        most_games=test.get("games"),
        measure=test.get("measure", ""),
        of=tuple(Condition(*condition) for condition in test.get("of", ())),
        among=tuple(Condition(*condition) for condition in test.get("among", ())),
        first_move=test.get("first_move", ""),
    )


def is_played_by_thinkers(test: Mapping[str, Any]) -> bool:
    """Whether somebody thinks in its games, or it is about faultless play, so that it can speak of good play."""
    names = str(test.get("players", DEFAULT_PLAYERS)).split(",")
    return test.get("kind") == SOLUTION or any(name.strip() != DEFAULT_PLAYERS for name in names)


def names_in(tests: Iterable[Mapping[str, Any]]) -> set[str]:
    """The rulesets that tests name."""
    return {str(test[key]) for test in tests for key in ("ruleset", "against") if key in test}


def problems(test: object, rulesets: Rulesets) -> list[str]:
    """Everything that is wrong with a test, each with the nearest valid value; empty if it can be run.

    rulesets: those that may be named, by slug
    """
    if not isinstance(test, Mapping):
        return [f"a test is a JSON object, not {type(test).__name__}"]
    if not _is_one_of(test.get("kind"), KEYS):
        return [_not_among("kind", test.get("kind"), KEYS)]
    found = [*_problems_of_keys(test), *_problems_of_rulesets(test, rulesets)]
    if test["kind"] == SOLUTION:
        return found or [*_problems_of_solution(test, rulesets)]
    return found or [*_problems_of_play(test, rulesets), *_problems_of_measures(test, rulesets)]


def _problems_of_keys(test: Mapping[str, Any]) -> Iterator[str]:
    kind = test["kind"]
    required, allowed = KEYS[kind]
    known = ("kind", *required, *allowed)
    yield from (_not_among("key", key, known) for key in test if key not in known)
    yield from (f"{key}: a test of the kind {kind} needs this" for key in required if key not in test)
    if kind == "difference":
        if test.get("direction", DIRECTIONS[0]) not in DIRECTIONS:
            yield _not_among("direction", test["direction"], DIRECTIONS)
        return
    if kind == SOLUTION:
        return
    given = [key for key in THRESHOLDS if key in test]
    if len(given) != 1:
        yield f"a test of the kind {kind} needs one of {' and '.join(THRESHOLDS)}, not {len(given)} of them"
    for key in given:
        if not _is_number(test[key]):
            yield f"{key}: must be a number, not {test[key]!r}"
        elif kind == "share" and not 0 <= test[key] <= 1:
            yield f"{key}: a share is from 0 to 1, not {test[key]} (nearest valid value: {min(max(test[key], 0), 1)})"


def _problems_of_rulesets(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    for name, changes in (("ruleset", "set"), ("against", "against_set")):
        if name not in test:
            continue
        if not _is_one_of(test[name], rulesets):
            yield _not_among(name, test[name], rulesets)
        elif not isinstance(test.get(changes, {}), Mapping):
            yield f"{changes}: must be a JSON object of parameters and their values, not {test[changes]!r}"
        else:
            try:
                Side(test[name], test.get(changes, {})).ruleset(rulesets)
            except RulesetProblem as error:
                yield from (f"{changes}: {problem}" for problem in error.problems)


def _problems_of_play(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    until, cap = test.get("until", "game"), test.get("cap", DEFAULT_CAP)
    engine = family(rulesets[test["ruleset"]].family)
    if until not in UNTIL:
        yield _not_among("until", until, UNTIL)
    elif until == "round" and not any(measure.scope == "first_round" for measure in engine.measures):
        yield f"until: {engine.title.lower()} have no rounds (nearest valid value: game)"
    if not _is_whole(cap):
        yield f"cap: must be a whole number of turns, not {cap!r} (nearest valid value: {DEFAULT_CAP})"
    yield from _problems_of_players(test, rulesets)
    if test["kind"] == "difference":
        one, other = (side.ruleset(rulesets) for side in read(test).sides)
        if one.hash == other.hash:
            yield "against: both sides are the same ruleset, so there is no difference to look for"


def _problems_of_solution(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    engine = family(rulesets[test["ruleset"]].family)
    if engine.throws:
        yield f"kind: {engine.title.lower()} are decided by throws too and are not solved (nearest valid value: share)"
    if not isinstance(test["first_move"], str) or not test["first_move"]:
        yield f"first_move: must be a move as it is written, not {test['first_move']!r}"


def _problems_of_players(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    players, games = test.get("players", DEFAULT_PLAYERS), test.get("games", 1)
    if not isinstance(players, str):
        yield f"players: must be names with commas between them, not {players!r} (nearest valid value: random)"
        return
    for ruleset in (rulesets[test[key]] for key in ("ruleset", "against") if key in test):
        engine = family(ruleset.family)
        try:
            parse_players(players, engine.seats(ruleset.parameters), throws=engine.throws)
        except PlayersProblem as error:
            yield f"players: {error}"
    if not _is_whole(games):
        yield f"games: must be a whole number from 1, not {games!r} (nearest valid value: 1)"
    if "games" in test and not is_played_by_thinkers(test):
        yield "games: only a test whose players think has a number of its own; of others those asked for are played"


def _problems_of_measures(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    names = [test[key] for key in ("ruleset", "against") if key in test]
    for name in dict.fromkeys(names):
        ruleset = rulesets[name]
        measures = {measure.name: measure for measure in family(ruleset.family).measures}
        seats = family(ruleset.family).seats(ruleset.parameters)
        if "measure" in test:
            yield from _problems_of_amount(test["measure"], measures, test.get("cap", DEFAULT_CAP))
        for part in ("of", "among"):
            conditions = test.get(part, ())
            if not isinstance(conditions, Sequence) or isinstance(conditions, str):
                yield f"{part}: must be a list of conditions, not {conditions!r}"
                continue
            for condition in conditions:
                yield from (f"{part}: {told}" for told in _problems_of_condition(condition, measures, seats))


def _problems_of_amount(name: str, measures: Mapping[str, Measure], cap: Any) -> Iterator[str]:
    if not _is_one_of(name, measures):
        yield _not_among("measure", name, measures)
    elif measures[name].unit == "code":
        amounts = [one.name for one in measures.values() if one.unit != "code"]
        yield f"measure: {name} is a label, not an amount; amounts are {', '.join(amounts)}"
    elif measures[name].scope == COURSE and isinstance(cap, int) and measures[name].turn > cap:
        yield f"measure: {name} is of a turn beyond the cap of {cap} (nearest valid value: {measures[name].turn})"


def _problems_of_condition(condition: Any, measures: Mapping[str, Measure], seats: int) -> Iterator[str]:
    if not isinstance(condition, Sequence) or isinstance(condition, str) or len(condition) != 3:
        yield f"a condition is [measure, comparison, value], not {condition!r}"
        return
    name, comparison, value = condition
    if not _is_one_of(name, measures):
        yield _not_among("measure", name, measures)
        return
    if not _is_one_of(comparison, COMPARISONS):
        yield _not_among("comparison", comparison, COMPARISONS)
    if isinstance(value, str):
        if value not in measures:
            yield _not_among("measure", value, measures)
    elif not _is_number(value):
        yield f"{name}: is compared with a number or a measure, not {value!r}"
    elif measures[name].unit == "code" and value not in _codes(name, seats):
        codes = _codes(name, seats)
        yield f"{name}: has the values {codes.start} to {codes.stop - 1}, not {value!r}"


def _codes(name: str, seats: int) -> range:
    """The values of a label: kinds of end, seats as bits, yes or no, or a seat (-1: none)."""
    if name == "end":
        return range(len(END_NAMES))
    if name == "winners":
        return range(1 << seats)
    return range(2) if name.endswith("_ended") else range(-1, seats)


def _is_one_of(word: Any, known: Container[str]) -> bool:
    """Whether a word that stands in a document is one of these; it may be of any type there."""
    return isinstance(word, str) and word in known


def _is_whole(value: Any) -> bool:
    """Whether it counts something: a whole number from 1."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _not_among(what: str, word: Any, known: Iterable[str]) -> str:
    near = alike(word, known, least=0)
    shown = f" (nearest valid value: {json.dumps(near[0])})" if near else ""
    return f"{what}: there is no {word!r} here{shown}"
