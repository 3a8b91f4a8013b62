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
from itertools import islice
from typing import Any

import rfc8785
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from simulator.engine.family import FAMILY_NAMES, Family, FamilyProblem, WrongTable, family
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem, alike, nearest
from simulator.engine.schemas import words_of
from simulator.engine.tables import (
    branch,
    canonical,
    columns_of,
    is_table,
    kind_of,
    overfull,
    read_json,
    read_place,
    read_table,
    spec_at,
    spec_of,
    table_of,
    with_value,
    write_table,
)

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
        parameters[key] = canonical(value, kind.schema["properties"][key])
    try:
        parameters = kind.canonical(parameters)
    except WrongTable as wrong:
        raise RulesetProblem(Problem(*problem) for problem in wrong.problems) from None
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
    """Return the ruleset with some parameters set from text (`--set KEY=VALUE`); raises RulesetProblem.

    A key may be a place in a table: `captures.0.manner=enclose` sets a column, the row behind the last is added, and
    nothing behind the sign takes a row or a column out.
    """
    schema = family(ruleset.family).schema["properties"]
    document = dict(ruleset.document)
    problems = []
    for key, words in changes.items():
        if key == "family":
            problems.append(Problem(key, "the family of a ruleset cannot be changed", ruleset.family))
            continue
        place = read_place(key)
        spec = spec_at(schema, place)
        if spec is None:
            problems.append(_unknown_place(key, schema))
            continue
        try:
            off = ruleset.parameters.get(str(place[0]))
            value = None if len(place) > 1 and not words.strip() else read_value(words, spec)
            document[str(place[0])] = with_value(document.get(str(place[0]), off), place[1:], value)
        except KeyError:
            rows = document.get(str(place[0]), off)
            count = len(rows) if isinstance(rows, list) else 0
            problems.append(Problem(key, f"there is no such row: {place[0]} has {count}", f"{place[0]}.{count}"))
    if problems:
        raise RulesetProblem(problems)
    return parse(document)


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


def _unknown_place(key: str, schema: Mapping[str, Any]) -> Problem:
    """Name what a place in a table lacks: the table, or the column, with the nearest there is."""
    place = read_place(key)
    first, steps = str(place[0]), place[1:]
    if not steps or first not in schema:
        return _unknown_key(first if steps else key, schema)
    columns = columns_of(schema[first])
    if not columns or isinstance(steps[-1], int):
        return Problem(key, f"{first} has no such place", first)
    near = nearest(steps[-1], columns)
    return Problem(key, "no column has this name", "/".join(map(str, (first, *steps[:-1], near))))


def _schema_problems(document: Mapping[str, Any], kind: Family) -> list[Problem]:
    """List what the schema finds wrong, one problem a key: missing keys, unknown keys, then values in schema order."""
    schema = kind.schema["properties"]
    missing = [key for key in kind.schema["required"] if key not in document]
    problems = [Problem(key, "this parameter must be set", schema[key].get("minimum")) for key in missing]
    problems += [_unknown_key(key, schema) for key in document if key not in schema]
    for key, validator in _validators(kind.name).items():
        if key not in document or document[key] is schema[key].get("default", ...):
            continue  # the off value itself, as in the parameters of a ruleset, needs no looking at
        if is_table(schema[key]) and not (words_of(schema[key]) and isinstance(document[key], str)):
            problems += table_problems(key, document[key], schema[key])
        elif error := next(validator.iter_errors(document[key]), None):
            problems.append(_in_words(key, error, schema[key]))
    return problems


@cache
def _validators(name: str) -> dict[str, Draft202012Validator]:
    """Make one validator for each parameter: descending from the whole schema costs several times what a check does."""
    return {key: Draft202012Validator(spec) for key, spec in family(name).schema["properties"].items()}


MOST_TOLD = 20  # mistakes of one table


def table_problems(key: str, value: Any, spec: Mapping[str, Any]) -> list[Problem]:
    """List what the schema finds wrong in a table, each with its row and column: `captures/2/manner`.

    How long it is comes first: whatever compares the parts of a list does so with each other.
    """
    if found := overfull(value, spec):
        place, most, _ = found
        return [Problem("/".join(map(str, (key, *place))), f"must have {most} parts or fewer")]
    errors = islice(Draft202012Validator(branch(spec, value)).iter_errors(value), MOST_TOLD)
    told: dict[str, Problem] = {}
    for problem in (one for error in errors for one in _in_table(key, error, spec)):
        told.setdefault(problem.key, problem)
    return list(told.values())[:MOST_TOLD]


def _in_table(key: str, error: ValidationError, spec: Mapping[str, Any]) -> Iterator[Problem]:
    place = "/".join(map(str, (key, *error.absolute_path)))
    inside = spec
    for step in error.absolute_path:
        inside = spec_of(inside, step)
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        yield Problem(f"{place}/{missing}", "this column must be set", nearest_value(None, spec_of(inside, missing)))
    elif error.validator == "additionalProperties" and "properties" in error.schema:
        known = list(error.schema["properties"])
        for name in islice((name for name in error.instance if name not in known), MOST_TOLD):
            yield Problem(f"{place}/{name[:LONGEST]}", "no column has this name", nearest(name, known))
    elif error.validator == "anyOf":
        wanted = " or ".join(_TYPES_IN_WORDS.get(one.get("type", ""), "a value") for one in inside.get("anyOf", ()))
        yield Problem(place, f"must be {wanted}, not {reprlib.repr(error.instance)}", nearest_value(None, inside))
    elif error.parent is not None and "propertyNames" in error.absolute_schema_path:
        yield Problem(place, f"no part of it can be called {reprlib.repr(error.instance)}")
    else:
        yield _in_words(place, error, branch(inside, error.instance))


_TYPES_IN_WORDS = {"string": "a word", "object": "a table", "array": "a list", "integer": "a whole number"}


def _in_words(key: str, error: ValidationError, spec: Mapping[str, Any]) -> Problem:
    """Put a validator's error into a sentence, with the nearest valid value."""
    bound, shown = error.validator_value, reprlib.repr(error.instance)
    if error.validator == "type":
        bound = " or ".join([bound] if isinstance(bound, str) else bound)
    messages = {
        "minimum": f"must be at least {bound}, not {shown}",
        "maximum": f"must be at most {bound}, not {shown}",
        "enum": f"must be one of {', '.join(map(str, words_of(spec)))}, not {shown}",
        "anyOf": f"must be one of {', '.join(map(str, words_of(spec)))}, not {shown}",
        "type": f"must be of type {bound}, not {shown}",
        "minItems": f"must have {bound} parts or more, not {shown}",
        "maxItems": f"must have {bound} parts or fewer, not {shown}",
        "uniqueItems": f"must not name one twice, as {shown} does",
        "minProperties": f"must have {bound} parts or more, not {shown}",
        "pattern": f"is not written as it should be: {shown}",
        "minLength": f"must not be shorter than {bound}, as {shown} is",
        "maxLength": f"must not be longer than {bound}, as {shown} is",
    }
    message = messages.get(str(error.validator), str(error.message)[:LONGEST])
    return Problem(key, message, nearest_value(error.instance, spec))


def nearest_value(value: Any, spec: Mapping[str, Any]) -> Any:
    """Return the valid value of a parameter or column nearest to a wrong one: clipped, spelt right, or the off value.

    None if nothing near it is valid.
    """
    if "anyOf" in spec:
        spec = branch(spec, value) if branch(spec, value) is not spec else spec["anyOf"][0]
    if "enum" in spec:
        return nearest(value, spec["enum"]) if value is not None else spec.get("default", spec["enum"][0])
    if spec.get("type") == "integer":
        number = _number(value)
        return spec.get("default", spec.get("minimum", 0)) if number is None else _clipped(number, spec)
    if kind_of(spec):
        near = _nearest_table(value, spec)
        return near if Draft202012Validator(spec).is_valid(near) else _off(spec)
    if spec.get("type") == "array":
        return _nearest_list(value if isinstance(value, list) else [value], spec)
    return _off(spec)


def _nearest_table(value: Any, spec: Mapping[str, Any]) -> Any:
    """Return a table with every cell the nearest valid one, without the columns and rows that have none."""
    if isinstance(value, list) and kind_of(spec) == "rows":
        rows = [_nearest_table(row, spec["items"]) for row in value[: spec.get("maxItems", len(value))]]
        return [row for row in rows if row is not None]
    if not isinstance(value, Mapping):
        return _off(spec)
    found = {}
    for name, part in value.items():
        if inside := spec_of(spec, name):
            found[name] = part if Draft202012Validator(inside).is_valid(part) else nearest_value(part, inside)
    for name in spec.get("required", ()):
        found.setdefault(name, nearest_value(None, spec_of(spec, name)))
    return found if Draft202012Validator(spec).is_valid(found) else None


def _nearest_list(value: list[Any], spec: Mapping[str, Any]) -> Any:
    """Return the list with numbers clipped, or without the texts that are no such part, no longer than it may be; a set
    is sorted without repeats. The off value if nothing of that is valid."""
    items = spec.get("items", {})
    value = value[: spec.get("maxItems", len(value))]
    if "minimum" in items:
        numbers = [_number(item) for item in value]
        valid: list[Any] = [_clipped(number, items) for number in numbers if number is not None]
    elif "enum" in items:
        valid = [nearest(item, items["enum"]) for item in value if isinstance(item, str)]
    else:
        is_part = Draft202012Validator(items).is_valid
        valid = [item for item in value if isinstance(item, str) and is_part(item)]
    valid = sorted(set(valid)) if spec.get("uniqueItems") else valid
    return valid if len(valid) >= spec.get("minItems", 0) else _off(spec)


def _clipped(number: float, spec: Mapping[str, Any]) -> int:
    return int(min(max(number, spec.get("minimum", number)), spec.get("maximum", number)))


def _number(value: Any) -> float | None:
    """Return the number that a value means, or None if it means none that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(str(value)[:40])
    except ValueError:
        return None
    return None if math.isnan(number) else number


def read_value(words: str, spec: Mapping[str, Any]) -> Any:
    """Read a value as people type it in forms, addresses and commands; `write_value` is its inverse.

    Text that is no number stays text, so that the schema refuses it. A list is written with commas or spaces between
    its parts, in brackets or without; a set is sorted. A table is written as `write_table` does, or as JSON.
    """
    words = words.strip()
    if spec.get("items", {}).get("type") == "array":
        return read_json(words)
    if kind_of(spec):
        is_word = spec.get("anyOf") and words[:1] not in ("[", "{") and ":" not in words
        return words if is_word else read_table(words, table_of(spec))
    if spec["type"] == "boolean":
        return {"true": True, "false": False}.get(words.lower(), words)
    if spec["type"] == "integer":
        return _read_integer(words)
    if spec["type"] != "array":
        return words
    if words[:2] == '["' and isinstance(listed := read_table(words, spec), list):
        return listed
    bracketed = re.fullmatch(r"\[(.*)\]", words, re.DOTALL)
    inside = bracketed[1] if bracketed else words
    parts: list[Any] = [part.strip("\"'") for part in re.split(r"[\s,;]+", inside) if part]
    if spec["items"]["type"] == "integer":
        parts = [_read_integer(part) for part in parts]
    return sorted(parts, key=lambda part: (isinstance(part, str), part)) if spec.get("uniqueItems") else parts


def _read_integer(words: str) -> int | str:
    """Read an integer, which may be written 4.0 as in a document; other text is returned as it is."""
    return int(words.partition(".")[0]) if re.fullmatch(r"[+-]?[0-9]{1,15}(\.0{1,15})?", words) else words


def write_value(value: Any) -> str:
    """Write a value as fields and addresses do; `read_value` reads it back."""
    if isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(one, list | Mapping) for one in value)
    ):
        return write_table(value)
    if isinstance(value, list):
        is_plain = not any(re.search(r"[\s,;\"\[\]]", one) for one in value if isinstance(one, str))
        return ",".join(map(str, value)) if is_plain else json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
