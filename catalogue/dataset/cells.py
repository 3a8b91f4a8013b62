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

from catalogue.dataset.tables import DatasetColumn

QUOTED = re.compile(r'[",\r\n]')
WHOLE = re.compile(r"-?[0-9]{1,19}")
IN_UTC = re.compile(r".*Z", re.DOTALL)
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


def value_of(text: str, column: DatasetColumn) -> Any:
    """Raises ValueError, saying what was expected."""
    if text == "":
        if column.type in ("string", "object", "array"):
            return None if column.may_be_null else "" if column.type == "string" else column.field.get_default()
        if not column.may_be_null:
            raise ValueError(f"is empty, and must be {READERS[column.type][0]}")
        return None
    if column.type == "string":
        return text
    expected, read = READERS[column.type]
    try:
        return read(text)
    except (ValueError, KeyError, InvalidOperation, RecursionError) as problem:
        raise ValueError(f"must be {expected}, not {shortened(text)!r}") from problem


def sort_value(text: str, column: DatasetColumn) -> tuple[int, str]:
    """What a cell of a key is sorted by: numbers as numbers, texts by code points."""
    return (int(text), "") if column.type == "integer" and WHOLE.fullmatch(text) else (0, text)


def shortened(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _matching(pattern: re.Pattern[str], read: Callable[[str], Any]) -> Callable[[str], Any]:
    def read_if_it_matches(text: str) -> Any:
        if not pattern.fullmatch(text):
            raise ValueError(text)
        return read(text)

    return read_if_it_matches


def _json(kind: type) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        value = json.loads(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # half a character cannot be written, here or elsewhere
        if not isinstance(value, kind):
            raise ValueError(text)
        return value

    return read


# What a cell must be, in words, and what reads it.
READERS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "integer": ("a whole number", _matching(WHOLE, int)),
    "number": ("a number such as 7.5", _matching(PLAIN_NUMBER, Decimal)),
    "boolean": ("true or false", {"true": True, "false": False}.__getitem__),
    "date": ("a date such as 2026-11-21", datetime.date.fromisoformat),
    "datetime": (
        "a moment such as 2026-11-21T09:30:00.000000Z",
        _matching(IN_UTC, datetime.datetime.fromisoformat),
    ),
    "object": ("an object in JSON", _json(dict)),
    "array": ("a list in JSON", _json(list)),
}
