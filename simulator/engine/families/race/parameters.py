"""The parameters of the race family: the published schema, and the rules in words.

What a document may not combine stands in `documents`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.engine.families.race.documents import Problem, problems

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[2] / "schemas" / "race.json").read_text(encoding="utf-8"))
PROPERTIES: dict[str, Any] = SCHEMA["properties"]


def seats(parameters: Mapping[str, Any]) -> int:
    """How many players sit at the board."""
    return int(parameters["seats"])


def check(parameters: Mapping[str, Any]) -> list[Problem]:
    """Every impossible combination as (key, message, nearest valid value)."""
    return list(problems(parameters, PROPERTIES))


def words(ruleset: "Ruleset") -> list[tuple[str, str, str]]:
    """(key, title, the rule in plain words) of every parameter that is not at its off value, in schema order."""
    return [
        (key, spec["title"], _sentence(key, ruleset.document[key], spec["x-words"]))
        for key, spec in PROPERTIES.items()
        if key != "family" and key in ruleset.document
    ]


# Lists whose numbers are not alternatives, and how they are joined.
JOINED_BY = {"mouth_chance": " in ", "scores": ", ", "start_steps": ", ", "die_faces": ", ", "named_faces": " and "}


def _sentence(key: str, value: Any, sentences: Mapping[str, str]) -> str:
    if "*" in sentences:
        joint = JOINED_BY.get(key, " or ")
        return sentences["*"].format(joint.join(map(str, value)) if isinstance(value, list) else value)
    return sentences[json.dumps(value) if isinstance(value, bool) else value]
