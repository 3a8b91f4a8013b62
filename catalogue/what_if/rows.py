"""Tables of rules in forms and addresses: cells that are typed, and rows that are added, moved and taken out.

A form sends every cell under its place (`set.captures[1].manner`) beside the table as it was; the address that follows
has the whole table once, in short. Pure Python.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.texts.formatting import capitalised
from simulator.engine.documents import read_value, write_value
from simulator.engine.family import row_sentences, sentence
from simulator.engine.tables import ROW, ROWS, Spec, columns_of, kind_of, ordinal, read_place, spec_at, with_value

MOVE = "row"  # the parameter of the buttons: "captures[1].up"
UP, DOWN, OUT = "up", "down", "out"


@dataclass(frozen=True, slots=True)
class Cell:
    """offered: (value as written, what it says) of each choice; empty where it is typed; hint: what may be typed"""

    name: str
    id: str
    title: str
    value: str
    offered: tuple[tuple[str, str], ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """said: its sentence, empty of one that may be added; moves: (word of a button, what stands on it)"""

    title: str
    said: str
    cells: tuple[Cell, ...]
    moves: tuple[tuple[str, str], ...] = ()


def is_in_rows(spec: Spec) -> bool:
    """Whether each row of a table can have a control for each column: no column is a table itself."""
    return "anyOf" not in spec and kind_of(spec) in (ROWS, ROW) and not any(map(kind_of, columns_of(spec).values()))


def rows_of(key: str, value: Any, spec: Spec, said: Sequence[str] = ()) -> list[Row]:
    """Return the rows of a table as a form shows them, the last one empty where another may be added.

    said: what each row says, where the family has sentences of its own
    """
    if kind_of(spec) == ROW:
        row = value if isinstance(value, Mapping) else {}
        return [_row(key, key, "Set together", row, spec, sentence(row, spec) if row else "")]
    rows = value if isinstance(value, list) and all(isinstance(row, Mapping) for row in value) else []
    said = said or [words for _, words in row_sentences(key, rows, spec)]
    shown = []
    for number, row in enumerate(rows):
        place = f"{key}[{number}]"
        moves = [(f"{place}.{UP}", "Up")] if number else []
        moves += [(f"{place}.{DOWN}", "Down")] if number + 1 < len(rows) else []
        moves.append((f"{place}.{OUT}", "Leave out"))
        shown.append(_row(key, place, f"{capitalised(ordinal(number))} row", row, spec, said[number], tuple(moves)))
    if len(rows) < spec.get("maxItems", len(rows) + 1):
        shown.append(_row(key, f"{key}[{len(rows)}]", "Another row", None, spec, ""))
    return shown


def _row(
    key: str,
    place: str,
    title: str,
    row: Mapping[str, Any] | None,
    spec: Spec,
    said: str,
    moves: tuple[tuple[str, str], ...] = (),
) -> Row:
    cells = []
    for name, column in columns_of(spec).items():
        value = "" if row is None else write_value(row.get(name, column.get("default", "")))
        offered = _offered(column)
        if offered and (row is None or value == ""):
            offered = (("", "–"), *offered)
        cells.append(
            Cell(f"set.{place}.{name}", f"{place}.{name}", _titled(name, column), value, offered, _hint(column))
        )
    return Row(title, said, tuple(cells), moves)


def _titled(name: str, column: Spec) -> str:
    return str(column.get("title") or capitalised(name.replace("_", " ")))


def _hint(column: Spec) -> str:
    """Words, or bounds, of what is typed with commas between."""
    part = column.get("items", column)
    if words := part.get("enum") if part is not column else ():
        return f"{', '.join(map(str, words))}; several with commas between"
    if "minimum" in part and "maximum" in part:
        several = ", several with commas between" if part is not column else ""
        return f"{part['minimum']} to {part['maximum']}{several}"
    return ""


def _offered(column: Spec) -> tuple[tuple[str, str], ...]:
    if column.get("type") == "boolean":
        return (("false", "no"), ("true", "yes"))
    values = column.get("enum", ())
    said = ((write_value(value), sentence(value, column).strip(" ,.;:")) for value in values)
    return tuple((word, words or word) for word, words in said)


def folded(
    typed: Mapping[str, str], before: Mapping[str, Any], specs: Mapping[str, Spec], move: str = ""
) -> dict[str, str]:
    """Return what was typed with the cells of each table in their table, as addresses write it.

    before: the parameters where nothing was typed; move: what a button does to a row. An empty cell is at its off
    value, and a row of which nothing is set is none.
    """
    cells = {key: words for key, words in typed.items() if key not in specs}
    found = {key: words for key, words in typed.items() if key in specs}
    tables: dict[str, Any] = {}
    for name, words in sorted(cells.items(), key=lambda pair: [str(step).zfill(4) for step in read_place(pair[0])]):
        key, *steps = read_place(name)
        spec = spec_at(specs, (key, *steps))
        table = tables.get(str(key), read_value(found[str(key)], specs[str(key)]) if key in found else before[str(key)])
        if spec is None or isinstance(table, str):
            continue
        is_new = isinstance(table, list) and isinstance(steps[0], int) and steps[0] >= len(table)
        if words.strip() == "" and is_new:
            continue
        value = read_value(words, spec) if words.strip() else None
        try:
            tables[str(key)] = with_value(table, tuple(steps), value)
        except KeyError:
            continue
    for key, table in tables.items():
        tables[key] = [row for row in table if row] if isinstance(table, list) else table
    if place := read_place(move):
        key = str(place[0])
        if key in specs:
            table = tables.get(key, read_value(found[key], specs[key]) if key in found else before[key])
            tables[key] = _moved(table, place)
    return found | {key: write_value(table) for key, table in tables.items()}


def _moved(table: Any, place: tuple[str | int, ...]) -> Any:
    """Return a table with a row up, down or out; as it is where the button means nothing any more."""
    match place:
        case (_, int(row), str(way)) if isinstance(table, list) and row < len(table):
            others = table[:row] + table[row + 1 :]
            if way == OUT:
                return others
            at = max(0, row - 1) if way == UP else row + 1
            return [*others[:at], table[row], *others[at:]]
    return table
