"""Tests of claims: which games are looked at, what is counted in them, what the claim demands of it. Pure Python.

A test is a document of one of five kinds, as it stands in `fixtures/apparatus/<game>.json`:

    share       ruleset, of, among, at_least or at_most; the share of games fulfilling all of `of` among those
                fulfilling all of `among`; a condition is [measure, comparison, number or another measure]
    mean        ruleset, measure, at_least or at_most
    difference  ruleset, against, measure, direction (more or less); the same games of one seed under both
    solution    ruleset, and first_move or at_least; no game at all: where both sides play without fault, that first
                move is better than every other, or the game lasts at least so many plies. With `by` "chance" the first
                move is the best against an opponent who moves at random
    witness     ruleset, of, seed, game; there is a game that fulfils all of `of`: this one, of random players, which
                the referee plays anew

`set` (and `against_set`) changes parameters of the ruleset, `until` and `cap` say how far each game is played.
`players` names who plays, "uct:1000,random" or one for all seats; random players do unless it is said. Where players
think, `games` is the most games that are played, whatever number is asked for. `needs` says in words who would have to
play where none of the players there are is one: the test is written down and waits, and no other player decides it. The
form of a test is checked by `schema.json` beside this module, what its words mean by the functions below.
"""

import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator  # the last draft in which 5.0 is no whole number
from jsonschema.exceptions import ValidationError

from simulator.engine.documents import parse_kept
from simulator.engine.ends import END_NAMES
from simulator.engine.family import COURSE, Measure, family
from simulator.engine.nearest import alike
from simulator.engine.nesting import TOO_DEEP, is_too_deep
from simulator.engine.players.names import PlayersProblem
from simulator.engine.players.seating import players_for
from simulator.engine.ruleset import Ruleset, RulesetProblem

COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
DEFAULT_CAP = 5_000
DEFAULT_PLAYERS = "random"
QUICK, POLICIES = (DEFAULT_PLAYERS, "greedy"), "policy:"
SOLUTION, WITNESS = "solution", "witness"
KINDS = ("share", "mean", "difference", SOLUTION, WITNESS)
THRESHOLDS = ("at_least", "at_most")
SCHEMA = json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))
VALIDATORS = {kind: Draft4Validator({**SCHEMA, "$ref": f"#/definitions/{kind}"}) for kind in KINDS}

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
        return parse_kept({**found.document, **self.changes}) if self.changes else found


@dataclass(frozen=True, slots=True)
class Demand:
    """What a claim demands of a figure: `at_least` or `at_most` a number, or `more` or `less` than nothing.

    Of a solution, that a move is `best`, of a witness that it `is_one`: these have no figure.
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
    """A test as it is run. A difference has two sides, every other kind one; `measure` is empty for a share.

    seed, game: of a witness
    """

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
    by: str = "value"
    seed: int = 0
    game: int = 0

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
    elif "first_move" in test:
        demand = Demand("best")
    elif test["kind"] == WITNESS:
        demand = Demand("is_one")
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
        by=test.get("by", "value"),
        seed=test.get("seed", 0),
        game=test.get("game", 0),
    )


def needs(test: Mapping[str, Any]) -> str:
    """Who would have to play it, in words; empty where some player there is can."""
    return str(test.get("needs", ""))


def is_played_by_thinkers(test: Mapping[str, Any]) -> bool:
    """Whether somebody thinks in its games, or it is about faultless play, so that it can speak of good play."""
    names = str(test.get("players", DEFAULT_PLAYERS)).split(",")
    return test.get("kind") == SOLUTION or any(name.strip() != DEFAULT_PLAYERS for name in names)


def is_of_quick_players(test: Mapping[str, Any]) -> bool:
    """Whether nobody in its games looks further than one turn ahead: those who follow an advice do not."""
    names = [name.strip() for name in str(test.get("players", DEFAULT_PLAYERS)).split(",")]
    return all(name in QUICK or name.startswith(POLICIES) for name in names)


def names_in(tests: Iterable[Mapping[str, Any]]) -> set[str]:
    """The rulesets that tests name."""
    return {str(test[key]) for test in tests for key in ("ruleset", "against") if key in test}


def problems(test: object, rulesets: Rulesets) -> list[str]:
    """Everything that is wrong with a test, each with the nearest valid value; empty if it can be run.

    rulesets: those that may be named, by slug
    """
    if not isinstance(test, Mapping):
        return [f"a test is a JSON object, not {type(test).__name__}"]
    if is_too_deep(test):
        return [f"a test {TOO_DEEP}"]
    if test.get("kind") not in KINDS:
        return [_not_among("kind", test.get("kind"), KINDS)]
    errors = VALIDATORS[test["kind"]].iter_errors(dict(test))
    found = [message for error in errors for message in _in_words(error, test)]
    found = found or [*_problems_of_rulesets(test, rulesets)]
    if test["kind"] == SOLUTION:
        found = found or [*_problems_of_solution(test, rulesets)]
    else:
        found = found or [*_problems_of_play(test, rulesets), *_problems_of_measures(test, rulesets)]
    return list(dict.fromkeys(found))


def _in_words(error: ValidationError, test: Mapping[str, Any]) -> Iterator[str]:
    """What the schema finds wrong. Every error of the same kind of keys names all of these keys."""
    key, kind = next(iter(error.absolute_path), ""), test["kind"]
    bound = error.validator_value
    match error.validator:
        case "additionalProperties":
            known = SCHEMA["definitions"][kind]["properties"]
            yield from (_not_among("key", one, known) for one in test if one not in known)
        case "required":
            yield from (f"{one}: a test of the kind {kind} needs this" for one in bound if one not in test)
        case "oneOf":
            keys = [key for one in bound for key in one["required"]]
            given = sum(one in test for one in keys)
            yield f"a test of the kind {kind} needs one of {' and '.join(keys)}, not {given} of them"
        case "enum":
            yield _not_among(str(key), error.instance, bound)
        case _:
            near = f" (nearest valid value: {bound})" if error.validator in ("minimum", "maximum") else ""
            yield f"{key}: {error.schema['x-words'].format(value=repr(error.instance))}{near}"


def _problems_of_rulesets(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    for name, changes in (("ruleset", "set"), ("against", "against_set")):
        if name not in test:
            continue
        if test[name] not in rulesets:
            yield _not_among(name, test[name], rulesets)
            continue
        try:
            Side(test[name], test.get(changes, {})).ruleset(rulesets)
        except RulesetProblem as error:
            yield from (f"{changes}: {problem}" for problem in error.problems)


def _problems_of_solution(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    engine = family(rulesets[test["ruleset"]].family)
    if engine.throws:
        yield f"kind: {engine.title.lower()} are decided by throws too and are not solved (nearest valid value: share)"


def _problems_of_play(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    wanted = read(test)
    engine = family(rulesets[test["ruleset"]].family)
    if wanted.until == "round" and not any(measure.scope == "first_round" for measure in engine.measures):
        yield f"until: {engine.title.lower()} have no rounds (nearest valid value: game)"
    for name in wanted.rulesets:
        engine = family(rulesets[name].family)
        try:
            players_for(rulesets[name], wanted.players)
        except PlayersProblem as error:
            yield f"players: {error}"
    if wanted.kind == WITNESS and wanted.game and engine.throws:
        yield "game: where lots are thrown only game 0 of a seed can be played through (nearest valid value: 0)"
    if wanted.most_games is not None and not is_played_by_thinkers(test):
        yield "games: only a test whose players think has a number of its own; of others those asked for are played"
    if wanted.kind == "difference" and len({side.ruleset(rulesets).hash for side in wanted.sides}) == 1:
        yield "against: both sides are the same ruleset, so there is no difference to look for"


def _problems_of_measures(test: Mapping[str, Any], rulesets: Rulesets) -> Iterator[str]:
    wanted = read(test)
    for name in wanted.rulesets:
        ruleset = rulesets[name]
        measures = {measure.name: measure for measure in family(ruleset.family).measures}
        seats = family(ruleset.family).seats(ruleset.parameters)
        if wanted.measure:
            yield from _problems_of_amount(wanted, measures)
        for part, conditions in (("of", wanted.of), ("among", wanted.among)):
            for condition in conditions:
                yield from (f"{part}: {message}" for message in _problems_of_condition(condition, measures, seats))


def _problems_of_amount(test: ClaimTest, measures: Mapping[str, Measure]) -> Iterator[str]:
    measure = measures.get(test.measure)
    if measure is None:
        yield _not_among("measure", test.measure, measures)
    elif not measure.is_amount:
        amounts = [one.name for one in measures.values() if one.is_amount]
        yield f"measure: {measure.name} is a label, not an amount; amounts are {', '.join(amounts)}"
    elif measure.scope == COURSE and measure.turn > test.cap:
        yield f"measure: {measure.name} is of a turn beyond the cap of {test.cap} (nearest valid value: {measure.turn})"


def _problems_of_condition(condition: Condition, measures: Mapping[str, Measure], seats: int) -> Iterator[str]:
    name, value = condition.measure, condition.value
    if name not in measures:
        yield _not_among("measure", name, measures)
        return
    if condition.comparison not in COMPARISONS:
        yield _not_among("comparison", condition.comparison, COMPARISONS)
    if isinstance(value, str):
        if value not in measures:
            yield _not_among("measure", value, measures)
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


def _not_among(what: str, word: Any, known: Iterable[str]) -> str:
    near = alike(word, known, least=0)
    shown = f" (nearest valid value: {json.dumps(near[0])})" if near else ""
    return f"{what}: there is no {word!r} here{shown}"
