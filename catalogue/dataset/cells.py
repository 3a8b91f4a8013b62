"""Values as cells of CSV, and back.

UTF-8, lines end in LF, quoted as RFC 4180 says. Nothing and an empty text are both an empty cell; lists and
objects are JSON with sorted names.
"""

import datetime
import json
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from catalogue.dataset.tables import Column

QUOTED = re.compile(r'[",\r\n]')
WHOLE = re.compile(r"-?[0-9]{1,19}")
PLAIN_NUMBER = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e[+-]?[0-9]{1,3})?")


def line(cells: Iterable[str]) -> str:
    """One line of CSV. Python's own writer leaves a carriage return unquoted where lines end in LF."""
    return ",".join('"{}"'.format(cell.replace('"', '""')) if QUOTED.search(cell) else cell for cell in cells) + "\n"


def text_of(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return str(value)


def value_of(text: str, column: Column) -> Any:
    """Raises ValueError, saying what was expected."""
    if text == "":
        if column.type in ("string", "object", "array"):
            return None if column.may_be_null else "" if column.type == "string" else column.field.get_default()
        if not column.may_be_null:
            raise ValueError(f"is empty, and must be {EXPECTED[column.type]}")
        return None
    if column.type == "string":
        return text
    try:
        return READ[column.type](text)
    except (ValueError, InvalidOperation, RecursionError) as problem:
        raise ValueError(f"must be {EXPECTED[column.type]}, not {shortened(text)!r}") from problem


def sort_value(text: str, column: Column) -> tuple[int, str]:
    """What a cell of a key is sorted by: numbers as numbers, texts by code points."""
    return (int(text), "") if column.type == "integer" and WHOLE.fullmatch(text) else (0, text)


def shortened(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _whole(text: str) -> int:
    if not WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _number(text: str) -> Decimal:
    if not PLAIN_NUMBER.fullmatch(text):
        raise ValueError(text)
    return Decimal(text)


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(text)
    return text == "true"


def _json(kind: type) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        value = json.loads(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # half a character cannot be written, here or elsewhere
        if not isinstance(value, kind):
            raise ValueError(text)
        return value

    return read


def _moment(text: str) -> datetime.datetime:
    if not text.endswith("Z"):
        raise ValueError(text)
    return datetime.datetime.fromisoformat(text)


EXPECTED: Mapping[str, str] = {
    "integer": "a whole number",
    "number": "a number such as 7.5",
    "boolean": "true or false",
    "date": "a date such as 2026-11-21",
    "datetime": "a moment such as 2026-11-21T09:30:00.000000Z",
    "object": "an object in JSON",
    "array": "a list in JSON",
}
READ: Mapping[str, Callable[[str], Any]] = {
    "integer": _whole,
    "number": _number,
    "boolean": _boolean,
    "date": datetime.date.fromisoformat,
    "datetime": _moment,
    "object": _json(dict),
    "array": _json(list),
}
