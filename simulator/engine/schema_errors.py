"""JSON documents held against a schema, with errors that name the place, the key and the nearest valid key.

How deeply a document is nested is checked first, without recursion: everything that compares or prints nested lists
and objects descends as deep as they do.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from simulator.engine.ruleset import nearest

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
    return list(dict.fromkeys(line for error in errors for line in _in_words(error)))


def _in_words(error: ValidationError) -> Iterator[str]:
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
