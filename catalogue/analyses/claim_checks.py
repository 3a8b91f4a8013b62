"""The problems of a test of a claim: of its form, by `claim_tests.schema.json` beside this, then of its meaning."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator  # the last draft in which 5.0 is no whole number
from jsonschema.exceptions import ValidationError

from catalogue.analyses import claim_definitions
from simulator.batches import levels
from simulator.engine.documents import TOO_DEEP, is_too_deep, parse_kept
from simulator.engine.ends import END_NAMES
from simulator.engine.family import COURSE, Measure, family
from simulator.engine.players.names import PlayersProblem
from simulator.engine.ruleset import RulesetProblem, alike

SCHEMA = json.loads(Path(__file__).with_name("claim_tests.schema.json").read_text(encoding="utf-8"))
EXCHANGED = ("winners", "end")  # what a test in both seats may ask for
VALIDATORS = {kind: Draft4Validator({**SCHEMA, "$ref": f"#/definitions/{kind}"}) for kind in claim_definitions.KINDS}


def problems_of_test(test: object, rulesets: claim_definitions.Rulesets) -> list[str]:
    """Everything that is wrong with a test, each with the nearest valid value; empty if it can be run.

    rulesets: those that may be named, by slug
    """
    if not isinstance(test, Mapping):
        return [f"a test is a JSON object, not {type(test).__name__}"]
    if is_too_deep(test):
        return [f"a test {TOO_DEEP}"]
    if test.get("kind") not in claim_definitions.KINDS:
        return [_not_among("kind", test.get("kind"), claim_definitions.KINDS)]
    found = [*_problems_of_form(json.dumps(dict(test)))] or [*_problems_of_rulesets(test, rulesets)]
    if test["kind"] in BY_KIND:
        found = found or [*BY_KIND[test["kind"]](test, rulesets)]
    else:
        found = found or [*_problems_of_play(test, rulesets)]
    if "of" in test or "measure" in test:
        found = found or [*_problems_of_measures(test, rulesets)]
    return list(dict.fromkeys(found))


@lru_cache(maxsize=1024)  # every page of a claim asks; the schema takes a hundred times as long as all else
def _problems_of_form(written: str) -> tuple[str, ...]:
    test = json.loads(written)
    errors = VALIDATORS[test["kind"]].iter_errors(test)
    return tuple(message for error in errors for message in _in_words(error, test))


def _in_words(error: ValidationError, test: Mapping[str, Any]) -> Iterator[str]:
    """An error of the schema in words. Errors of the same kind of keys are told once, with all of these keys."""
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


def _problems_of_rulesets(test: Mapping[str, Any], rulesets: claim_definitions.Rulesets) -> Iterator[str]:
    for name, changes in (("ruleset", "set"), ("against", "against_set")):
        if name not in test:
            continue
        if test[name] not in rulesets:
            yield _not_among(name, test[name], rulesets)
            continue
        try:
            claim_definitions.Side(test[name], test.get(changes, {})).ruleset(rulesets)
        except RulesetProblem as error:
            yield from (f"{changes}: {problem}" for problem in error.problems)


def _problems_of_solution(test: Mapping[str, Any], rulesets: claim_definitions.Rulesets) -> Iterator[str]:
    engine = family(rulesets[test["ruleset"]].family)
    if engine.throws and not test.get("chooses"):
        yield f"kind: {engine.title.lower()} are decided by throws too and have no value (nearest valid value: share)"
    if not engine.throws and test.get("chooses"):
        yield f"chooses: {engine.title.lower()} have a value and no chance (nearest valid value: first_move)"
    if test.get("chooses") and not 0 <= test.get("at_least", -1) <= 1:
        yield "at_least: of a player who chooses a share is asked for, from 0 to 1 (nearest valid value: 0.5)"


def _problems_of_first_moves(test: Mapping[str, Any], rulesets: claim_definitions.Rulesets) -> Iterator[str]:
    engine = family(rulesets[test["ruleset"]].family)
    if engine.throws:
        yield f"kind: the first moves of {engine.title.lower()} depend on a throw (nearest valid value: share)"


def _problems_of_throws(test: Mapping[str, Any], rulesets: claim_definitions.Rulesets) -> Iterator[str]:
    engine = family(rulesets[test["ruleset"]].family)
    if not engine.throws:
        yield f"kind: in {engine.title.lower()} nothing is thrown (nearest valid value: first_moves)"


def _problems_of_rule(test: Mapping[str, Any], rulesets: claim_definitions.Rulesets) -> Iterator[str]:
    ruleset, key = rulesets[test["ruleset"]], test["parameter"]
    if key not in ruleset.parameters:
        yield _not_among("parameter", key, ruleset.parameters)
        return
    try:
        parse_kept({**ruleset.document, key: test["value"]})
    except RulesetProblem as error:
        yield from (f"value: {problem}" for problem in error.problems)


def _problems_of_play(test: Mapping[str, Any], rulesets: claim_definitions.Rulesets) -> Iterator[str]:
    wanted = claim_definitions.read(test)
    engine = family(rulesets[test["ruleset"]].family)
    if wanted.until == "round" and not any(measure.scope == "first_round" for measure in engine.measures):
        yield f"until: {engine.title.lower()} have no rounds (nearest valid value: game)"
    for side in wanted.sides:
        try:
            names = levels.players_for(side.ruleset(rulesets), wanted.players)
        except PlayersProblem as error:
            yield f"players: {error}"
            continue
        if wanted.both_seats and (len(names), len(set(names))) != (2, 2):
            yield "both_seats: two players that differ are exchanged; name two"
    if wanted.both_seats and any(one.measure not in EXCHANGED for one in (*wanted.of, *wanted.among)):
        yield f"both_seats: only {' and '.join(EXCHANGED)} are exchanged with the players"
    if wanted.kind == claim_definitions.WITNESS and wanted.game and engine.throws:
        yield "game: where lots are thrown only game 0 of a seed can be played through (nearest valid value: 0)"
    if wanted.most_games is not None and not claim_definitions.is_played_by_thinkers(test):
        yield "games: only a test whose players think has a number of its own; of others those asked for are played"
    if len(wanted.sides) > 1 and len({side.ruleset(rulesets).hash for side in wanted.sides}) == 1:
        yield "against: both sides are the same ruleset, so there is no difference to look for"


BY_KIND = {
    claim_definitions.SOLUTION: _problems_of_solution,
    claim_definitions.FIRST_MOVES: _problems_of_first_moves,
    claim_definitions.THROWS: _problems_of_throws,
    claim_definitions.RULE: _problems_of_rule,
}


def _problems_of_measures(test: Mapping[str, Any], rulesets: claim_definitions.Rulesets) -> Iterator[str]:
    wanted = claim_definitions.read(test)
    for name in wanted.rulesets:
        ruleset = rulesets[name]
        measures = {measure.name: measure for measure in family(ruleset.family).measures}
        seats = family(ruleset.family).seats(ruleset.parameters)
        if wanted.measure:
            yield from _problems_of_amount(wanted, measures)
        for part, conditions in (("of", wanted.of), ("among", wanted.among)):
            for condition in conditions:
                yield from (f"{part}: {message}" for message in _problems_of_condition(condition, measures, seats))


def _problems_of_amount(test: claim_definitions.ClaimTest, measures: Mapping[str, Measure]) -> Iterator[str]:
    measure = measures.get(test.measure)
    if measure is None:
        yield _not_among("measure", test.measure, measures)
    elif not measure.is_amount:
        amounts = [one.name for one in measures.values() if one.is_amount]
        yield f"measure: {measure.name} is a label, not an amount; amounts are {', '.join(amounts)}"
    elif measure.scope == COURSE and measure.turn > test.cap:
        yield f"measure: {measure.name} is of a turn beyond the cap of {test.cap} (nearest valid value: {measure.turn})"


def _problems_of_condition(
    condition: claim_definitions.Condition, measures: Mapping[str, Measure], seats: int
) -> Iterator[str]:
    name, value = condition.measure, condition.value
    if name not in measures:
        yield _not_among("measure", name, measures)
        return
    if condition.comparison not in claim_definitions.COMPARISONS:
        yield _not_among("comparison", condition.comparison, claim_definitions.COMPARISONS)
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
