"""Documents of rulesets: read, checked against the schema of their family, and brought into canonical form.

A document names a family and sets some of its parameters. Every optional parameter has an off value, which stands for
the rule being left out and never changes; in the canonical form keys at their off value are left out, so a parameter
added later leaves every hash as it was. The hash is the SHA-256 of the canonical form after RFC 8785.
"""

import hashlib
import json
import math
import reprlib
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import rfc8785
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from simulator.engine.family import FAMILY_NAMES, Family, FamilyProblem, family
from simulator.engine.nearest import alike, nearest
from simulator.engine.nesting import TOO_DEEP, is_too_deep
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem
from simulator.engine.values import value_typed

KEPT = 500  # rulesets, each of some kilobytes


def parse(document: object) -> Ruleset:
    """The ruleset of a document; raises RulesetProblem, which names everything that is wrong."""
    if not isinstance(document, Mapping):
        raise RulesetProblem([Problem("", f"a ruleset is a JSON object, not {type(document).__name__}")])
    odd = [key for key in document if not isinstance(key, str)]
    if odd:
        raise RulesetProblem([Problem("", f"the keys of a ruleset are text, not {odd[0]!r}")])
    if deep := [key for key, value in document.items() if is_too_deep(value)]:
        raise RulesetProblem([Problem(key, TOO_DEEP) for key in deep])
    found = _family_of(document)
    problems = _schema_problems(document, found)
    if problems:
        raise RulesetProblem(problems)
    parameters = {key: document.get(key, _off(spec)) for key, spec in found.schema["properties"].items()}
    for key, value in parameters.items():
        parameters[key] = _canonical(value, found.schema["properties"][key])
    problems = [Problem(*problem) for problem in found.problems(parameters)]
    if problems:
        raise RulesetProblem(problems)
    return _ruleset(found, parameters)


def parse_kept(document: object) -> Ruleset:
    """The same of a document that is kept somewhere and read again and again: what it says is checked once.

    The ruleset is shared with whoever asks, and is not to be changed.
    """
    return _parsed(json.dumps(document, sort_keys=True))


@lru_cache(KEPT)
def _parsed(written: str) -> Ruleset:
    return parse(json.loads(written))


def _family_of(document: Mapping[str, Any]) -> Family:
    name = document.get("family", "")
    try:
        return family(name if isinstance(name, str) else repr(name))
    except FamilyProblem as error:
        raise RulesetProblem([Problem("family", str(error), nearest(name, FAMILY_NAMES))]) from None


def with_changes(ruleset: Ruleset, changes: Mapping[str, str]) -> Ruleset:
    """The ruleset with some parameters set from words (`--set KEY=VALUE`); raises RulesetProblem."""
    schema = family(ruleset.family).schema["properties"]
    document = dict(ruleset.document)
    problems = []
    for key, words in changes.items():
        if key == "family":
            problems.append(Problem(key, "the family of a ruleset cannot be changed", ruleset.family))
            continue
        if key not in schema:
            problems.append(_unknown_key(key, schema))
            continue
        document[key] = value_typed(words, schema[key])
    if problems:
        raise RulesetProblem(problems)
    return parse(document)


def _canonical(value: Any, spec: Mapping[str, Any]) -> Any:
    """The one form of a value: 4.0 is the integer 4, for JSON has one kind of number, and a set has no order."""
    if isinstance(value, list):
        items = [_canonical(item, spec.get("items", {})) for item in value]
        return sorted(items) if spec.get("uniqueItems") else items
    return int(value) if isinstance(value, float) else value


def _off(spec: Mapping[str, Any]) -> Any:
    return spec.get("const", spec.get("default"))


def _ruleset(found: Family, parameters: dict[str, Any]) -> Ruleset:
    required = set(found.schema["required"])
    document = {
        key: value
        for key, value in parameters.items()
        if key in required or value != _off(found.schema["properties"][key])
    }
    digest = hashlib.sha256(rfc8785.dumps(document)).hexdigest()
    return Ruleset(found.name, document, parameters, digest)


def _unknown_key(key: str, schema: Mapping[str, Any]) -> Problem:
    near = alike(key, [name for name in schema if name != "family"], least=0.4)
    return Problem(key, "no parameter has this name", near[0] if near else None)


def _schema_problems(document: Mapping[str, Any], found: Family) -> list[Problem]:
    """What the schema finds wrong, one problem a key: keys that are missing, keys that it does not know, and values in
    its own order."""
    schema = found.schema["properties"]
    missing = [key for key in found.schema["required"] if key not in document]
    problems = [Problem(key, "this parameter must be set", schema[key].get("minimum")) for key in missing]
    problems += [_unknown_key(key, schema) for key in document if key not in schema]
    for key, validator in _validators(found.name).items():
        if key not in document or document[key] is schema[key].get("default", ...):
            continue  # the off value itself, as in the parameters of a ruleset, needs no looking at
        if error := next(validator.iter_errors(document[key]), None):
            problems.append(_in_words(key, error, schema[key]))
    return problems


@cache
def _validators(name: str) -> dict[str, Draft202012Validator]:
    """One for each parameter, made once: to go down from the whole schema costs several times what a check does."""
    return {key: Draft202012Validator(spec) for key, spec in family(name).schema["properties"].items()}


def _in_words(key: str, error: ValidationError, spec: Mapping[str, Any]) -> Problem:
    """A validator's finding as a sentence, with the nearest valid value."""
    bound, shown = error.validator_value, reprlib.repr(error.instance)
    messages = {
        "minimum": f"must be at least {bound}, not {shown}",
        "maximum": f"must be at most {bound}, not {shown}",
        "enum": f"must be one of {', '.join(spec.get('enum', []))}, not {shown}",
        "type": f"must be of type {bound}, not {shown}",
        "minItems": f"must have {bound} parts or more, not {shown}",
        "maxItems": f"must have {bound} parts or fewer, not {shown}",
        "uniqueItems": f"must not name one twice, as {shown} does",
    }
    message = messages.get(str(error.validator), error.message)
    return Problem(key, message, nearest_value(error.instance, spec))


def nearest_value(value: Any, spec: Mapping[str, Any]) -> Any:
    """The valid value of a parameter that is nearest to a wrong one: clipped, spelt right, or the off value."""
    if "enum" in spec:
        return nearest(value, spec["enum"])
    if spec.get("type") == "integer":
        number = _number(value)
        return spec.get("default", spec["minimum"]) if number is None else _clipped(number, spec)
    if spec.get("type") == "array":
        return _nearest_list(value if isinstance(value, list) else [value], spec)
    return _off(spec)


def _nearest_list(value: list[Any], spec: Mapping[str, Any]) -> list[Any]:
    """The list with every number clipped, or every name kept that is text; a set in order and without repeats."""
    if "minimum" in spec["items"]:
        numbers = [_number(item) for item in value]
        found: list[Any] = [_clipped(number, spec["items"]) for number in numbers if number is not None]
    else:
        found = [item for item in value if isinstance(item, str)]
    return sorted(set(found)) if spec.get("uniqueItems") else found


def _clipped(number: float, spec: Mapping[str, Any]) -> int:
    return int(min(max(number, spec["minimum"]), spec["maximum"]))


def _number(value: Any) -> float | None:
    """The number a value means, if it means one that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(str(value)[:40])
    except ValueError:
        return None
    return None if math.isnan(number) else number
