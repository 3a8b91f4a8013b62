"""Whether the OpenAPI document is the same as before, apart from what it says in prose."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.proofs.house_trees import Trees
from tests.proofs.running import Figures, demand

PROSE = ("description", "summary")
MOST_SHOWN = 50


def without_descriptions(document: Any) -> Any:
    """The document without descriptions and summaries; a field that is called so has a schema, no text, and stays."""
    if isinstance(document, list):
        return [without_descriptions(one) for one in document]
    if not isinstance(document, dict):
        return document
    return {
        key: without_descriptions(value)
        for key, value in document.items()
        if not (key in PROSE and isinstance(value, str))
    }


def differences(before: Any, now: Any, path: str = "") -> Iterator[str]:
    """Where two documents differ, as JSON pointers with what is there; the order of keys means nothing."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*before, *now]):
            below = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
            if key not in now:
                yield f"{below}: no longer there"
            elif key not in before:
                yield f"{below}: new"
            else:
                yield from differences(before[key], now[key], below)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for index, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, f"{path}/{index}")
    elif before != now or type(before) is not type(now):
        yield f"{path}: {_short(before)} → {_short(now)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:120]}…"


def openapi(trees: Trees) -> Figures:
    """`manage.py spectacular` in both trees; raises Unproved if more than prose differs."""
    before, now = (without_descriptions(_document(trees, name)) for name in ("before", "now"))
    different = list(differences(before, now))
    figures: Figures = {
        "paths": [len(document["paths"]) for document in (before, now)],
        "schemas": [len(document["components"]["schemas"]) for document in (before, now)],
        "different": len(different),
        "first_differences": different[:MOST_SHOWN],
    }
    demand(not different, f"the OpenAPI document differs in {len(different)} places", figures)
    return figures


def _document(trees: Trees, name: str) -> Any:
    file = Path(trees.environment(name)["VAR_DIR"]) / "openapi.json"
    trees.python(name, "manage.py", "spectacular", "--format", "openapi-json", "--file", str(file))
    return json.loads(file.read_text(encoding="utf-8"))
