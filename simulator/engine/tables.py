"""Tables of rules in a document: rows of columns, names with what they stand for, and the places in both.

A parameter whose JSON Schema is an array of objects is a table: an object of it is a row, a property of the row a
column. One object with properties is a single row; one without properties is a list of names, each with what it stands
for (a region with its points). Off are the empty list and the empty object; a column at its off value is left out of
its row, so that one table has one form. A parameter may be a word or a table (`anyOf`): a board by name, or drawn.

A place in a table is written `captures[1].manner`: the second row, as JSON counts them, and its column. Everything
that is typed may write `captures.1.manner` or `captures/1/manner` as well; errors name it as the last.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
Spec = Mapping[str, Any]
Place = tuple[str | int, ...]

MOST_PARTS = 1000  # parts of a list whose schema has no bound of its own
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
            "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth")  # fmt: skip
ENDINGS = {1: "st", 2: "nd", 3: "rd"}
ROWS, ROW, NAMES = "rows", "row", "names"


def branch(spec: Spec, value: Any) -> Spec:
    """Return the schema of a parameter that may be a word or a table, for such a value; every other schema as it is."""
    if "anyOf" not in spec:
        return spec
    fitting = [one for one in spec["anyOf"] if isinstance(value, _TYPES.get(one.get("type", "string"), str))]
    shared = {key: part for key, part in spec.items() if key != "anyOf"}
    return {**shared, **fitting[0]} if fitting else spec


_TYPES: dict[str, Any] = {"object": Mapping, "array": list, "integer": int, "boolean": bool, "string": str}


def kind_of(spec: Spec) -> str:
    """Return what kind of table a schema is of: ROWS, ROW, NAMES, or "" for what is no table.

    Of a word or a table it is the kind of the table.
    """
    for one in spec.get("anyOf") or ():
        if found := kind_of(one):
            return found
    if "array" in spec.get("type", "") and spec.get("items", {}).get("type") == "object":
        return ROWS
    if "object" not in spec.get("type", ""):
        return ""
    return ROW if "properties" in spec else NAMES


def is_table(spec: Spec) -> bool:
    """Say whether values are, or may be, a table, or a list of lists, which is written as JSON."""
    return bool(kind_of(spec)) or spec.get("items", {}).get("type") == "array"


def table_of(spec: Spec) -> Spec:
    """Return the schema of the table where a parameter may be a word or a table; every other as it is."""
    return next((one for one in spec.get("anyOf") or () if kind_of(one)), spec)


def columns_of(spec: Spec) -> dict[str, Spec]:
    """Return the columns of a table with their schemas, in order; none of names."""
    spec = table_of(spec)
    return dict((spec["items"] if kind_of(spec) == ROWS else spec).get("properties", {}))


def filled(value: Any, spec: Spec) -> Any:
    """Return a table with every column of each row set, those left out to their off values."""
    if kind_of(spec) == ROWS and isinstance(value, list):
        return [_filled(row, columns_of(spec)) for row in value]
    return _filled(value, columns_of(spec)) if kind_of(spec) == ROW and isinstance(value, Mapping) else value


def _filled(row: Mapping[str, Any], columns: Mapping[str, Spec]) -> dict[str, Any]:
    return {name: row.get(name, column.get("default")) for name, column in columns.items()}


def canonical(value: Any, spec: Spec) -> Any:
    """Bring a value into its canonical form: 4.0 is the integer 4, as JSON has one kind of number; a set is sorted, and
    a column at its off value is left out."""
    spec = branch(spec, value)
    if isinstance(value, list):
        items = [canonical(item, spec.get("items", {})) for item in value]
        return sorted(items, key=_in_a_set) if spec.get("uniqueItems") else items
    if isinstance(value, Mapping):
        return _canonical_row(value, spec)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _in_a_set(item: Any) -> Any:
    return json.dumps(item, sort_keys=True) if isinstance(item, list | Mapping) else item


def _canonical_row(row: Mapping[str, Any], spec: Spec) -> dict[str, Any]:
    columns, kept = spec.get("properties", {}), spec.get("required", ())
    found = {}
    for name in [*(name for name in columns if name in row), *sorted(name for name in row if name not in columns)]:
        column = columns.get(name, spec.get("additionalProperties") or {})
        part = canonical(row[name], column)
        if name in kept or part != column.get("default"):
            found[name] = part
    return found


def overfull(value: Any, spec: Spec, place: Place = ()) -> tuple[Place, int, Spec] | None:
    """Return where a list or a table has more parts than it may have, how many it may have, and its schema."""
    if not isinstance(value, list | Mapping):
        return None
    spec = branch(spec, value)
    most = spec.get("maxItems" if isinstance(value, list) else "maxProperties", MOST_PARTS)
    if len(value) > most:
        return place, most, spec
    parts = enumerate(value) if isinstance(value, list) else value.items()
    inner = (overfull(part, spec_of(spec, step), (*place, step)) for step, part in parts)
    return next((found for found in inner if found), None)


# Places


def read_place(words: str) -> Place:
    """Read a place as people type it: `captures[1].manner`, `captures.1.manner` or `captures/1/manner`.

    Words of signs only, "[]", are the name of something that there is not.
    """
    steps = [step for step in re.split(r"[./\[\]]+", words) if step] or [words]
    return tuple(
        int(step) if number and re.fullmatch("[0-9]{1,4}", step) else step for number, step in enumerate(steps)
    )


def write_place(place: Place) -> str:
    """Write a place as clauses and addresses do; `read_place` reads it back."""
    first, *others = place
    return str(first) + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in others)


def spec_of(spec: Spec, step: str | int) -> Spec:
    """Return the schema of a part of a table; an empty one for a part that it cannot have."""
    spec = table_of(spec)
    if isinstance(step, int):
        return dict(spec.get("items", {}))
    found = spec.get("properties", {}).get(step, spec.get("additionalProperties"))
    return dict(found) if isinstance(found, Mapping) else {}


def spec_at(properties: Mapping[str, Spec], place: Place) -> Spec | None:
    """Return the schema of a place, or None if no document of the family can have it."""
    first, *others = place
    spec = properties.get(str(first))
    for step in others:
        spec = spec_of(spec, step) if spec and (kind_of(spec) or isinstance(step, int)) else None
    return spec or None


def value_at(parameters: Mapping[str, Any], place: Place, properties: Mapping[str, Spec]) -> Any:
    """Return what stands at a place, a column left out at its off value; raises KeyError where there is no such row."""
    value: Any = parameters
    for length, step in enumerate(place, 1):
        try:
            value = value[step]
        except (IndexError, TypeError) as error:
            raise KeyError(write_place(place)) from error
        except KeyError:
            spec = spec_at(properties, place[:length])
            if spec is None or "default" not in spec:
                raise
            value = spec["default"]
    return value


def with_value(whole: Any, steps: Place, value: Any) -> Any:
    """Return a table with another value at a place; a row behind the last is added, and None takes a part out.

    Raises KeyError for a place that leads nowhere.
    """
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(whole, list) and isinstance(step, int) and step <= len(whole):
        inner = [with_value(whole[step] if step < len(whole) else {}, rest, value)]
        return whole[:step] + ([] if inner == [None] else inner) + whole[step + 1 :]
    if isinstance(whole, Mapping) and isinstance(step, str):
        changed = {
            **whole,
            step: with_value(whole.get(step, {} if rest and isinstance(rest[0], str) else []), rest, value),
        }
        return {name: part for name, part in changed.items() if part is not None}
    raise KeyError(step)


def is_there(document: Mapping[str, Any], place: Place) -> bool:
    """Say whether a document has the row, or the name, of a place; a column that is left out is at its off value."""
    table = document.get(str(place[0]))
    return place[1] in (range(len(table)) if isinstance(table, list) else table or ())


def is_within(inner: str, outer: str) -> bool:
    """Say whether a place is another one or lies in it: `captures[1].manner` in `captures`."""
    if inner == outer or ("[" not in inner and "." not in inner):
        return inner == outer
    place = read_place(outer)
    return read_place(inner)[: len(place)] == place


def looked_up(known: Mapping[str, T], key: str) -> T | None:
    """Return what is known of a parameter or a place: of itself, else of what it lies in, else of a part of it."""
    if key in known:
        return known[key]
    around = max((one for one in known if is_within(key, one)), key=len, default=None)
    part = around or next((one for one in known if is_within(one, key)), None)
    return known[part] if part else None


def called(place: Place, properties: Mapping[str, Spec]) -> str:
    """Return what a place is called in words: "Captures, second row, manner"."""
    title = str(properties.get(str(place[0]), {}).get("title", place[0]))
    parts = [title]
    for length, step in enumerate(place[1:], 2):
        spec = spec_at(properties, place[:length]) or {}
        column = str(spec.get("title", step)).replace("_", " ")
        parts.append(f"{ordinal(step)} row" if isinstance(step, int) else column[:1].lower() + column[1:])
    return ", ".join(parts)


def ordinal(step: int) -> str:
    """Return "first" for 0 and so on."""
    if step < len(ORDINALS):
        return ORDINALS[step]
    last = 0 if (step + 1) % 100 in (11, 12, 13) else (step + 1) % 10
    return f"{step + 1}{ENDINGS.get(last, 'th')}"


def places(key: str, value: Any) -> list[Place]:
    """Return the places of the rows of a table, or of its names."""
    return [(key, step) for step in (range(len(value)) if isinstance(value, list) else value)]


# Numbers


@cache
def _numbers_of(columns: str) -> tuple[tuple[str, Any, dict[str, int]], ...]:
    return tuple(
        (name, column.get("default"), {word: number for number, word in enumerate(_words_of(column))})
        for name, column in json.loads(columns).items()
    )


def _words_of(column: Spec) -> tuple[Any, ...]:
    return tuple((column.get("items", {}) if column.get("type") == "array" else column).get("enum", ()))


def row_as_numbers(row: Mapping[str, Any], spec: Spec) -> list[int]:
    """Return a row as a kernel reads it, a number a column: a word as its place in the schema's list, a flag as 0 or 1,
    numbers or words of a list as a set of bits, and 0 for names and what else is no number."""
    found = []
    for name, off, words in _numbers_of(json.dumps(columns_of(spec))):
        value = row.get(name, off)
        if isinstance(value, list):
            found.append(sum(1 << item for item in (words.get(one, one) for one in value) if isinstance(item, int)))
        else:
            found.append(words.get(value, 0) if isinstance(value, str) else int(value) if isinstance(value, int) else 0)
    return found


# Written and typed

ATOM = r"[A-Za-z0-9_.-]+"


def write_table(value: Any) -> str:
    """Write a table as addresses do: `by:first,manner:enclose;manner:leap,numbers:2/4`; as JSON where that cannot be.

    Rows are parted by a semicolon, columns by a comma, the parts of a list by a stroke.
    """
    rows = value if isinstance(value, list) else [value]
    if value and all(row and _is_plain(row) for row in rows):
        return ";".join(",".join(f"{name}:{_written(part)}" for name, part in row.items()) for row in rows)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _is_plain(row: Any) -> bool:
    if not isinstance(row, Mapping):
        return False
    cells = [part for value in row.values() for part in (value if isinstance(value, list) else [value])]
    return all(
        isinstance(one, int) or (isinstance(one, str) and re.fullmatch(ATOM, one)) for one in (*row, *cells)
    ) and all(len(value) > 0 for value in row.values() if isinstance(value, list))


def _written(value: Any) -> str:
    if isinstance(value, list):
        return "/".join(map(_written, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_table(words: str, spec: Spec) -> Any:
    """Read a table as people type it, JSON or as `write_table` writes it; what is neither stays text."""
    if not words:
        return [] if kind_of(spec) == ROWS else {}
    if words[:1] in ("[", "{"):
        return read_json(words)
    rows = [_read_row(row, spec) for row in words.split(";") if row.strip()]
    if any(row is None for row in rows) or (kind_of(spec) != ROWS and len(rows) != 1):
        return words
    return rows if kind_of(spec) == ROWS else rows[0]


def read_json(words: str) -> Any:
    """Read JSON; what is none stays text, so that the schema refuses it."""
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        return words


def _read_row(words: str, spec: Spec) -> dict[str, Any] | None:
    row: dict[str, Any] = {}
    inside = spec_of(spec, 0) if kind_of(spec) == ROWS else spec
    for cell in words.split(","):
        name, colon, value = cell.strip().partition(":")
        if not colon:
            return None
        row[name] = _read_cell(value, spec_of(inside, name))
    return row


def _read_cell(words: str, spec: Spec) -> Any:
    if spec.get("type") == "array":
        return [_read_cell(part, spec.get("items", {})) for part in words.split("/") if part]
    if spec.get("type") == "boolean":
        return {"true": True, "false": False}.get(words.strip().lower(), words)
    if spec.get("type") != "string" and re.fullmatch(r"-?[0-9]{1,15}", words.strip()):
        return int(words)
    return words.strip()
