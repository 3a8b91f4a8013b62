"""Values of parameters as somebody writes them, and read back: one way for forms, addresses and commands."""

import re
from collections.abc import Mapping
from typing import Any


def value_typed(words: str, spec: Mapping[str, Any]) -> Any:
    """The value that somebody means, as far as it is one: what is no number stays text, for the schema to refuse.

    A list is written with commas or spaces between its parts, in brackets or without; a set has no order.
    """
    words = words.strip()
    if spec["type"] == "boolean":
        return {"true": True, "false": False}.get(words.lower(), words)
    if spec["type"] == "integer":
        return _number(words)
    if spec["type"] != "array":
        return words
    bracketed = re.fullmatch(r"\[(.*)\]", words, re.DOTALL)
    inside = bracketed[1] if bracketed else words
    parts: list[Any] = [part.strip("\"'") for part in re.split(r"[\s,;]+", inside) if part]
    if spec["items"]["type"] == "integer":
        parts = [_number(part) for part in parts]
    return sorted(parts, key=lambda part: (isinstance(part, str), part)) if spec.get("uniqueItems") else parts


def _number(words: str) -> int | str:
    """4.0 is the integer 4, as in a document."""
    return int(words.partition(".")[0]) if re.fullmatch(r"[+-]?[0-9]{1,15}(\.0{1,15})?", words) else words


def value_written(value: Any) -> str:
    """A value as a field and an address write it; `value_typed` reads it back."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
