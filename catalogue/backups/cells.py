"""A row as a line of JSON, and back, the same whatever the database."""

import base64
import datetime
import decimal
import json
import uuid
from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import JSONField, Value


def line(values: Sequence[Any]) -> bytes:
    """Values as the fields give them."""
    return json.dumps(values, ensure_ascii=False, default=_plain, separators=(",", ":")).encode() + b"\n"


def values(text: bytes, fields: Sequence[Any]) -> list[Any]:
    """What the database takes for the fields of a row; raises ValueError if the line is none of these."""
    cells = json.loads(text)
    if not isinstance(cells, list) or len(cells) != len(fields):
        raise ValueError(f"a row of {len(fields)} values was expected")
    return [_prepared(cell, field) for cell, field in zip(cells, fields, strict=True)]


def _plain(value: object) -> str:
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (bytes, memoryview)):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, (decimal.Decimal, uuid.UUID, datetime.timedelta)):
        return str(value)
    raise TypeError(f"a backup cannot hold {type(value).__name__}")


def _prepared(cell: Any, field: Any) -> Any:
    if isinstance(field, JSONField):
        # Where there must be a value, nothing is the JSON null.
        cell = Value(None, JSONField()) if cell is None and not field.null else cell
        return field.get_db_prep_save(cell, connection)
    return field.get_db_prep_save(field.to_python(cell), connection)
