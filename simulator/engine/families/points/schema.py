"""The published schema of the points family, as the engine reads it."""

import json
from pathlib import Path
from typing import Any

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[2] / "schemas" / "points.json").read_text(encoding="utf-8"))
PROPERTIES: dict[str, Any] = SCHEMA["properties"]
