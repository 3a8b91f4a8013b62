"""The parameters of the race family: the published schema, and the rules in words.

What a document may not combine stands in `documents`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simulator.engine.families.race.constraints import Problem, never_fires, problems

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[2] / "schemas" / "race.json").read_text(encoding="utf-8"))
PROPERTIES: dict[str, Any] = SCHEMA["properties"]


def seats(parameters: Mapping[str, Any]) -> int:
    """How many players sit at the board."""
    return int(parameters["seats"])


def check(parameters: Mapping[str, Any]) -> list[Problem]:
    """Every impossible combination as (key, message, nearest valid value)."""
    return list(problems(parameters, PROPERTIES))


def unfired(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Every key that never fires while the others are as they are, whatever its own value, and why."""
    return dict(never_fires(parameters, PROPERTIES))
