"""The parameters of the points family: the published schema, impossible combinations, and the rules in words."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simulator.engine.families.points.impossible import check
from simulator.engine.families.points.schema import PROPERTIES, SCHEMA

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset

__all__ = ["PROPERTIES", "SCHEMA", "check", "seats", "words"]


def seats(parameters: Mapping[str, Any]) -> int:
    """Points games have two players."""
    return 2


def words(ruleset: "Ruleset") -> list[tuple[str, str, str]]:
    """(key, title, the rule in plain words) of every parameter that is not at its off value, in schema order."""
    return [
        (key, spec["title"], _sentence(ruleset.document[key], spec["x-words"]))
        for key, spec in PROPERTIES.items()
        if key != "family" and key in ruleset.document
    ]


def _sentence(value: Any, sentences: Mapping[str, str]) -> str:
    if "*" in sentences:
        return sentences["*"].format(", ".join(value) if isinstance(value, list) else value)
    return sentences[json.dumps(value) if isinstance(value, bool) else value]
