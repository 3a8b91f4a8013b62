"""The shapes of documents that are handed on as they are kept: of batches, comparisons, studies and the like.

They are data, `documents/*.json`: a component of the OpenAPI document for each kind of object, with a sentence for each
field. `x-optional` marks a field that is not always there; all others always are.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from drf_spectacular.drainage import set_override
from rest_framework import serializers

OPTIONAL = "x-optional"


@cache
def shapes() -> dict[str, dict[str, Any]]:
    """JSON Schemas by name."""
    files = sorted((Path(__file__).parent / "documents").glob("*.json"))
    written = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {name: _complete(schema) for one in written for name, schema in one.items()}


def _complete(schema: dict[str, Any]) -> dict[str, Any]:
    if "properties" not in schema:
        return schema
    fields = schema["properties"]
    required = [name for name, field in fields.items() if not field.pop(OPTIONAL, False)]
    return {"type": "object", **schema, "required": required}


def shape(name: str) -> dict[str, str]:
    """A reference to a shape; raises KeyError if there is none of this name."""
    shapes()[name]
    return {"$ref": f"#/components/schemas/{name}"}


class Document(serializers.JSONField):
    """A value that has that shape."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        set_override(self, "field", shape(name))


def either(name: str) -> dict[str, Any]:
    """A reference to a shape, or null."""
    return {"oneOf": [shape(name), {"type": "null"}]}
