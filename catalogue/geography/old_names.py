"""What places were called before, as the literature on games has it: data beside this module."""

import json
from functools import cache
from pathlib import Path

NAMES = Path(__file__).with_suffix(".json")


@cache
def old_names() -> dict[str, list[str]]:
    """Slug of a place as it is called today → its names of before."""
    found: dict[str, list[str]] = json.loads(NAMES.read_text(encoding="utf-8"))["names"]
    return found
