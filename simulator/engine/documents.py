"""Documents of rulesets, read, checked and brought into canonical form; and any JSON document held against a schema.

A document names a family and sets some of its parameters. Every optional parameter has an off value, which stands for
the rule being left out and never changes; in the canonical form keys at their off value are left out, so a parameter
added later leaves every hash as it was. The hash is the SHA-256 of the canonical form after RFC 8785.

Errors name the place, the key and the nearest valid key. How deeply a document is nested is checked first, without
recursion: everything that compares or prints nested lists and objects descends as deep as they do.
"""

import hashlib
import json
import math
import re
import reprlib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

import rfc8785
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from simulator.engine.family import FAMILY_NAMES, Family, FamilyProblem, Refused, family
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem, alike, nearest
from simulator.engine.schemas import words_of

MOST_NESTED = 20  # lists and objects in each other
LONGEST = 120  # characters of a wrong value that are repeated
TOO_DEEP = f"is nested too deeply: at most {MOST_NESTED} lists and objects in each other"


def is_too_deep(value: object, most: int = MOST_NESTED) -> bool:
    """Say whether more than `most` lists and objects lie in each other; the check goes level by level."""
    level = [value]
    for _ in range(most):
        level = [inner for outer in level for inner in _parts(outer)]
        if not level:
            return False
    return any(isinstance(inner, list | tuple | Mapping) for inner in level)


def _parts(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def schema_errors(document: object, schema: Mapping[str, Any]) -> list[str]:
    """List the errors of a document in words, in the order of their places; empty if it fits the schema."""
    if is_too_deep(document):
        return [f"the document {TOO_DEEP}"]
    errors = sorted(Draft202012Validator(schema).iter_errors(document), key=lambda error: list(map(str, error.path)))
    return list(dict.fromkeys(line for error in errors for line in _error_in_words(error)))


def _error_in_words(error: ValidationError) -> Iterator[str]:
    place = "/".join(map(str, error.absolute_path))
    where = f"{place}: " if place else ""
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        yield f"{where}there is no {', '.join(map(repr, missing))}; it needs {', '.join(error.validator_value)}"
    elif error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = list(error.schema["properties"])
        for key in error.instance:
            if key not in known:
                yield f"{where}there is no {key!r} here (nearest valid key: {nearest(str(key), known)})"
    else:
        description = error.schema.get("description", "") if isinstance(error.schema, Mapping) else ""
        yield f"{where}{str(error.message)[:LONGEST]}{f'; {description}' if description else ''}"


KEPT = 500  # rulesets, each of some kilobytes


def parse(document: object) -> Ruleset:
    """Parse a document into a ruleset; raises RulesetProblem, which names everything that is wrong."""
    if not isinstance(document, Mapping):
        raise RulesetProblem([Problem("", f"a ruleset is a JSON object, not {type(document).__name__}")])
    odd = [key for key in document if not isinstance(key, str)]
    if odd:
        raise RulesetProblem([Problem("", f"the keys of a ruleset are text, not {odd[0]!r}")])
    if deep := [key for key, value in document.items() if is_too_deep(value)]:
        raise RulesetProblem([Problem(key, TOO_DEEP) for key in deep])
    kind = _family_of(document)
    problems = _schema_problems(document, kind)
    if problems:
        raise RulesetProblem(problems)
    parameters = {key: document.get(key, _off(spec)) for key, spec in kind.schema["properties"].items()}
    for key, value in parameters.items():
        parameters[key] = _canonical(value, kind.schema["properties"][key])
    try:
        parameters = kind.canonical(parameters)
    except Refused as refused:
        raise RulesetProblem(Problem(*problem) for problem in refused.problems) from None
    problems = [Problem(*problem) for problem in kind.problems(parameters)]
    if problems:
        raise RulesetProblem(problems)
    return _ruleset(kind, parameters)


def parse_kept(document: object) -> Ruleset:
    """Return the same, of a document that is kept somewhere and read again and again: what it says is checked once.

    The ruleset is shared by all callers, and is not to be changed.
    """
    return _parsed(json.dumps(document, sort_keys=True))


@lru_cache(KEPT)
def _parsed(written: str) -> Ruleset:
    return parse(json.loads(written))


def read_stored(digest: str, document: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of a canonical document that was checked before it was stored under its hash.

    Nothing is checked again. The ruleset is shared by all callers, and is not to be changed. Raises RulesetProblem for
    a family that is not installed.
    """
    if known := _stored.get(digest):
        return known
    kind = _family_of(document)
    schema = kind.schema["properties"]
    ruleset = Ruleset(kind.name, dict(document), {key: document.get(key, _off(schema[key])) for key in schema}, digest)
    # A dictionary keeps the order of insertion: the first key is the oldest.
    if len(_stored) >= KEPT:
        _stored.pop(next(iter(_stored)), None)
    return _stored.setdefault(digest, ruleset)


_stored: dict[str, Ruleset] = {}


def _family_of(document: Mapping[str, Any]) -> Family:
    name = document.get("family", "")
    try:
        return family(name if isinstance(name, str) else repr(name))
    except FamilyProblem as error:
        raise RulesetProblem([Problem("family", str(error), nearest(name, FAMILY_NAMES))]) from None


def with_changes(ruleset: Ruleset, changes: Mapping[str, str]) -> Ruleset:
    """Return the ruleset with some parameters set from text (`--set KEY=VALUE`); raises RulesetProblem."""
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
        document[key] = read_value(words, schema[key])
    if problems:
        raise RulesetProblem(problems)
    return parse(document)


def _canonical(value: Any, spec: Mapping[str, Any]) -> Any:
    """Bring a value into its canonical form: 4.0 is the integer 4, as JSON has one kind of number; a set is sorted."""
    if isinstance(value, list):
        items = [_canonical(item, spec.get("items", {})) for item in value]
        return sorted(items) if spec.get("uniqueItems") else items
    if isinstance(value, dict):
        return {key: _canonical(inner, spec.get("properties", {}).get(key, {})) for key, inner in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _off(spec: Mapping[str, Any]) -> Any:
    return spec.get("const", spec.get("default"))


def _ruleset(kind: Family, parameters: dict[str, Any]) -> Ruleset:
    required = set(kind.schema["required"])
    document = {
        key: value
        for key, value in parameters.items()
        if key in required or value != _off(kind.schema["properties"][key])
    }
    # RFC 8785 fixes the order of keys and the form of numbers, so that one game has one hash everywhere.
    digest = hashlib.sha256(rfc8785.dumps(document)).hexdigest()
    return Ruleset(kind.name, document, parameters, digest)


def _unknown_key(key: str, schema: Mapping[str, Any]) -> Problem:
    near = alike(key, [name for name in schema if name != "family"], least=0.4)
    return Problem(key, "no parameter has this name", near[0] if near else None)


def _schema_problems(document: Mapping[str, Any], kind: Family) -> list[Problem]:
    """List what the schema finds wrong, one problem a key: missing keys, unknown keys, then values in schema order."""
    schema = kind.schema["properties"]
    missing = [key for key in kind.schema["required"] if key not in document]
    problems = [Problem(key, "this parameter must be set", schema[key].get("minimum")) for key in missing]
    problems += [_unknown_key(key, schema) for key in document if key not in schema]
    for key, validator in _validators(kind.name).items():
        if key not in document or document[key] is schema[key].get("default", ...):
            continue  # the off value itself, as in the parameters of a ruleset, needs no looking at
        if error := next(validator.iter_errors(document[key]), None):
            problems.append(_in_words(key, error, schema[key]))
    return problems


@cache
def _validators(name: str) -> dict[str, Draft202012Validator]:
    """Make one validator for each parameter: descending from the whole schema costs several times what a check does."""
    return {key: Draft202012Validator(spec) for key, spec in family(name).schema["properties"].items()}


def _innermost(error: ValidationError) -> ValidationError:
    """Return the error of the alternative that was meant: the one for values of this type, where one is."""
    while error.context:
        of_type = [one for one in error.context if one.validator != "type" or one.path]
        error = max(of_type or error.context, key=lambda one: len(one.path))
    return error


def _in_words(key: str, error: ValidationError, spec: Mapping[str, Any]) -> Problem:
    """Put a validator's error into a sentence, with its row and column and the nearest valid value."""
    error = _innermost(error) if isinstance(error.instance, str | dict) else error
    place = "/".join(map(str, error.absolute_path))
    if place and is_table(spec):  # a list of words or numbers is mended as a whole
        key, spec = f"{key}/{place}", error.schema
    bound, shown = error.validator_value, reprlib.repr(error.instance)
    if error.validator in ("required", "additionalProperties"):
        return _of_keys(key, error)
    messages = {
        "minimum": f"must be at least {bound}, not {shown}",
        "maximum": f"must be at most {bound}, not {shown}",
        "enum": f"must be one of {', '.join(map(str, words_of(spec)))}, not {shown}",
        "type": f"must be of type {' or '.join(bound) if isinstance(bound, list) else bound}, not {shown}",
        "anyOf": f"must be of type {' or '.join(str(one.get('type')) for one in spec.get('anyOf', ()))}, not {shown}",
        "pattern": f"{shown} is not written as it should be: {spec.get('description', bound)}",
        "minItems": f"must have {bound} parts or more, not {shown}",
        "maxItems": f"must have {bound} parts or fewer, not {shown}",
        "uniqueItems": f"must not name one twice, as {shown} does",
    }
    message = messages.get(str(error.validator), error.message)
    return Problem(key, message, nearest_value(error.instance, spec))


def _of_keys(key: str, error: ValidationError) -> Problem:
    """Say which key of an object is missing, or is none."""
    known, spec = list(error.schema.get("properties", ())), error.schema
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        return Problem(key, f"there is no {missing!r}; it needs {', '.join(error.validator_value)}")
    wrong = next(str(name) for name in error.instance if name not in spec.get("properties", ()))
    return Problem(f"{key}/{wrong[:LONGEST]}", "there is no such key here", nearest(wrong, known) if known else None)


def nearest_value(value: Any, spec: Mapping[str, Any]) -> Any:
    """Return the valid value of a parameter nearest to a wrong one: clipped, spelt right, or the off value."""
    if words := words_of(spec):
        return nearest(value, words)
    if spec.get("type") == "integer":
        number = _number(value)
        return spec.get("default", spec["minimum"]) if number is None else _clipped(number, spec)
    if spec.get("type") == "array":
        return _nearest_list(value if isinstance(value, list) else [value], spec)
    return _off(spec)


def _nearest_list(value: list[Any], spec: Mapping[str, Any]) -> list[Any]:
    """Return the list with numbers clipped, or without the names that are no text; a set is sorted without repeats."""
    if is_table(spec):
        return _off(spec) or []
    if "minimum" in spec["items"]:
        numbers = [_number(item) for item in value]
        valid: list[Any] = [_clipped(number, spec["items"]) for number in numbers if number is not None]
    else:
        valid = [item for item in value if isinstance(item, str)]
    return sorted(set(valid)) if spec.get("uniqueItems") else valid


def _clipped(number: float, spec: Mapping[str, Any]) -> int:
    return int(min(max(number, spec["minimum"]), spec["maximum"]))


def _number(value: Any) -> float | None:
    """Return the number that a value means, or None if it means none that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(str(value)[:40])
    except ValueError:
        return None
    return None if math.isnan(number) else number


def is_table(spec: Mapping[str, Any]) -> bool:
    """Say whether values of a parameter are, or may be, lists of rows or objects, which are written as JSON."""
    kinds = spec.get("type", ""), spec.get("items", {}).get("type", "")
    return "object" in kinds[0] or "object" in kinds[1] or "array" in kinds[1]


def read_value(words: str, spec: Mapping[str, Any]) -> Any:
    """Read a value as people type it in forms, addresses and commands; `write_value` is its inverse.

    Text that is no number stays text, so that the schema refuses it. A list is written with commas or spaces between
    its parts, in brackets or without; a set is sorted.
    """
    words = words.strip()
    if is_table(spec):
        return _read_json(words) if words[:1] in ("{", "[") else words
    if spec["type"] == "boolean":
        return {"true": True, "false": False}.get(words.lower(), words)
    if spec["type"] == "integer":
        return _read_integer(words)
    if spec["type"] != "array":
        return words
    bracketed = re.fullmatch(r"\[(.*)\]", words, re.DOTALL)
    inside = bracketed[1] if bracketed else words
    parts: list[Any] = [part.strip("\"'") for part in re.split(r"[\s,;]+", inside) if part]
    if spec["items"]["type"] == "integer":
        parts = [_read_integer(part) for part in parts]
    return sorted(parts, key=lambda part: (isinstance(part, str), part)) if spec.get("uniqueItems") else parts


def _read_json(words: str) -> Any:
    """Read a table or an object; what is no JSON stays text, so that the schema refuses it."""
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        return words


def _read_integer(words: str) -> int | str:
    """Read an integer, which may be written 4.0 as in a document; other text is returned as it is."""
    return int(words.partition(".")[0]) if re.fullmatch(r"[+-]?[0-9]{1,15}(\.0{1,15})?", words) else words


def write_value(value: Any) -> str:
    """Write a value as fields and addresses do; `read_value` reads it back."""
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(row, dict | list) for row in value)):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
