"""The published JSON Schemas, one a family: every parameter described, with its off value."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


@cache
def schema(family_name: str) -> dict[str, Any]:
    """The schema of a family."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / f"{family_name}.json").read_text(encoding="utf-8"))
    return found


def as_number(value: Any, spec: Mapping[str, Any]) -> int:
    """A parameter as a kernel reads it: a word by its place in the schema's list, a flag as 0 or 1, numbers as a set of
    bits; 0 for a list of names."""
    if isinstance(value, list):
        return sum(1 << item for item in value if isinstance(item, int))
    return int(spec["enum"].index(value) if isinstance(value, str) else value)
