"""Files of JSON held against a schema, with mistakes that name the place, the key and the nearest one."""

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from simulator.engine.nearest import nearest
from simulator.engine.nesting import TOO_DEEP, is_too_deep

LONGEST = 120  # characters of a wrong value that are repeated


def mistakes(document: object, schema: Mapping[str, Any]) -> list[str]:
    """In words, in the order of their places; none if the document is as the schema says."""
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
        said = error.schema.get("description", "") if isinstance(error.schema, Mapping) else ""
        yield f"{where}{str(error.message)[:LONGEST]}{f'; {said}' if said else ''}"
