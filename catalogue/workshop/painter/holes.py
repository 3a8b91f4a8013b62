"""The painter of holes: rows by numbers, circuits and owners clicked hole by hole, holes that begin otherwise."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import cache
from itertools import pairwise
from typing import Any

from catalogue.workshop.painter.look import Look, WrongPlace
from catalogue.workshop.painter.sheet import Canvas, Under, arrow_head, sketched, spot
from simulator.engine.families.sowing.board import (
    NOBODY,
    Board,
    NoSuchHole,
    board_of,
    holes_named,
    usual_circuits,
    written,
)

MOST_WAYS = 4
TOOLS = {
    "way-1": ("Circuit 1", "Click the holes in the order in which they are sown; it closes by itself."),
    "way-2": ("Circuit 2", "The circuit of the second player, where he has one of his own."),
    "way-3": ("Circuit 3", "Of four: the second player’s anticlockwise one."),
    "way-4": ("Circuit 4", "Of four: the second player’s clockwise one."),
    "owner-1": ("First player’s holes", "Click his holes; once more, and a hole is nobody’s."),
    "owner-2": ("Second player’s holes", "Click his holes; once more, and a hole is nobody’s."),
    "start": ("Begins with", "Say below how many counters; then click the holes that begin with so many."),
}
USUAL: dict[str, Any] = {}
OFFERED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Two rows of six", {"rows": 2, "holes_per_row": 6}),
    ("Two rows of seven", {"rows": 2, "holes_per_row": 7}),
    ("Two rows of eight", {"rows": 2, "holes_per_row": 8}),
    ("Two rows of ten", {"rows": 2, "holes_per_row": 10}),
    ("Three rows of six", {"rows": 3, "holes_per_row": 6}),
    ("Four rows of eight", {"rows": 4, "holes_per_row": 8}),
    ("Four rows of twelve", {"rows": 4, "holes_per_row": 12}),
    ("A ring of twelve", {"rows": 1, "holes_per_row": 12}),
)


def tools(document: Mapping[str, Any]) -> list[str]:
    """The tools that there is something to do with."""
    ways = document.get("circuits", [])
    most = min(MOST_WAYS, len(ways) + 1) if isinstance(ways, list) else 1
    return [tool for tool in TOOLS if not tool.startswith("way-") or int(tool[4:]) <= most]


@cache
def gallery() -> tuple[tuple[str, Any, Any], ...]:
    found = []
    for title, document in OFFERED:
        board = board_of({"circuits": [], "owners": [], **document})
        found.append((title, document, sketched((), board.places)))
    return tuple(found)


def board_in(document: Mapping[str, Any]) -> tuple[Board | None, str]:
    """The holes of a document, and why they cannot be drawn."""
    rows, columns = document.get("rows", 2), document.get("holes_per_row")
    if columns is None:
        return None, "Say how many holes a row has, or take a board from the gallery."
    if not (isinstance(rows, int) and isinstance(columns, int) and 1 <= rows <= 6 and 2 <= columns <= 32):
        return None, "A board has 1 to 6 rows of 2 to 32 holes."
    parts = {key: document.get(key, []) for key in ("circuits", "owners")}
    try:
        return board_of({"rows": rows, "holes_per_row": columns, **parts}), ""
    except (NoSuchHole, KeyError, TypeError, ValueError, AttributeError, IndexError) as wrong:
        told = str(wrong) if isinstance(wrong, NoSuchHole) else "circuits or owners are not written as they should be"
        return board_of({"rows": rows, "holes_per_row": columns, "circuits": [], "owners": []}), f"{told}."


def strike(document: Mapping[str, Any], look: Look, words: str, pointed: bool) -> tuple[dict[str, Any], str, Look]:
    """Do what the tool does at holes. Raises WrongPlace."""
    board, wrong = board_in(document)
    if board is None:
        raise WrongPlace(wrong)
    if pointed and "," in words:
        raise WrongPlace("No hole is there: click a hole.")
    try:
        holes = holes_named(board.rows, board.columns, words)
    except NoSuchHole as strange:
        raise WrongPlace(f"{str(strange)[:1].upper()}{str(strange)[1:]}.") from None
    if not holes:
        raise WrongPlace(f"Say which holes: a1, or a1-a{board.columns}.")
    found = deepcopy(dict(document))
    kind, _, number = look.tool.partition("-")
    if kind == "way":
        did = _sown(found, board, holes, int(number) - 1)
    elif kind == "owner":
        did = _owned(found, board, holes, int(number) - 1)
    else:
        did = _begun(found, board, holes, look.count)
    return {key: value for key, value in found.items() if value != []}, did, look


def _names(board: Board, holes: Sequence[int]) -> str:
    return written(board.rows, board.columns, holes)


def _ways(document: Mapping[str, Any], board: Board, key: str) -> list[list[int]]:
    texts = document.get(key, [])
    try:
        return [holes_named(board.rows, board.columns, text) for text in texts] if isinstance(texts, list) else []
    except (NoSuchHole, TypeError):
        return []


def _sown(found: dict[str, Any], board: Board, holes: Sequence[int], number: int) -> str:
    """Let a circuit go on over holes; a hole that it has goes with all that come after it."""
    ways = _ways(found, board, "circuits")
    if number > len(ways):
        raise WrongPlace(f"Draw circuit {len(ways) + 1} first.")
    way = ways[number] if number < len(ways) else []
    for hole in holes:
        way = way[: way.index(hole)] if hole in way else [*way, hole]
    ways[number : number + 1] = [way] if way else []
    found["circuits"] = [_names(board, one) for one in ways]
    return f"Circuit {number + 1}: {_names(board, way) or 'none'}."


def _owned(found: dict[str, Any], board: Board, holes: Sequence[int], seat: int) -> str:
    owned = _ways(found, board, "owners")
    if not owned:
        owned = [[hole for hole, owner in enumerate(board.owner) if owner == one] for one in (0, 1)]
    owned += [[] for _ in range(2 - len(owned))]
    gone = {*holes} <= {*owned[seat]}
    for one in (0, 1):
        owned[one] = [hole for hole in owned[one] if hole not in holes]
    if not gone:
        owned[seat] = sorted([*owned[seat], *holes])
    found["owners"] = [_names(board, one) for one in owned]
    return f"The {('first', 'second')[seat]} player’s holes: {found['owners'][seat] or 'none'}."


def _begun(found: dict[str, Any], board: Board, holes: Sequence[int], count: int) -> str:
    """Let holes begin with so many counters; with the usual number they are not named any more."""
    rows = []
    for held, counters in _starts(found, board):
        left = [hole for hole in held if hole not in holes]
        rows += [(left, counters)] if left else []
    usual = found.get("counters_per_hole")
    if count != usual:
        same = next((held for held, counters in rows if counters == count), [])
        rows = [(held, counters) for held, counters in rows if counters != count]
        rows.append((sorted([*same, *holes]), count))
    found["start"] = [{"holes": _names(board, held).split(), "counters": counters} for held, counters in rows]
    return f"{_names(board, holes)} begin with {count}."


def told(document: Mapping[str, Any]) -> Iterator[str]:
    board, wrong = board_in(document)
    if wrong:
        yield wrong
    if board is None:
        return
    rows = "1 row" if board.rows == 1 else f"{board.rows} rows"
    yield f"{rows} of {board.columns} holes; row a is the lowest, hole 1 at the left."
    ways = _ways(document, board, "circuits") or usual_circuits(board.rows, board.columns)
    for number, way in enumerate(ways):
        yield f"Circuit {number + 1} is sown along {_names(board, way)}, and from the last hole on to the first."
    for seat, name in enumerate(("first", "second")):
        own = [hole for hole, owner in enumerate(board.owner) if owner == seat]
        yield f"The {name} player’s holes: {_names(board, own) or 'none'}."
    counts = _counts(document, board)
    for count in sorted({*counts}):
        held = [hole for hole, one in enumerate(counts) if one == count]
        yield f"Holes that begin with {count}: {_names(board, held)}."
    if document.get("store_sown"):
        yield "Each player has a store, which is sown into."


def _counts(document: Mapping[str, Any], board: Board) -> list[int]:
    usual = document.get("counters_per_hole", 0)
    counts = [usual if isinstance(usual, int) else 0] * board.size
    for holes, counters in _starts(document, board):
        for hole in holes:
            counts[hole] = counters
    return counts


def _starts(document: Mapping[str, Any], board: Board) -> list[tuple[list[int], int]]:
    """(holes, the counters that they begin with) as far as they are written as they should be."""
    rows = document.get("start", [])
    found = []
    for row in rows if isinstance(rows, list) else ():
        with suppress(NoSuchHole, KeyError, TypeError, ValueError, AttributeError):
            found.append((holes_named(board.rows, board.columns, row["holes"]), int(row["counters"])))
    return found


def sheet(document: Mapping[str, Any], look: Look, under: Under | None) -> Any:
    """The holes on their sheet; the circuit that is drawn is a line through them."""
    board, _ = board_in(document)
    middle = (0.0, 0.0)
    places: list[tuple[float, float]] = []
    if board is not None:
        xs, ys = zip(*board.places, strict=True)
        middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        places = [(x - middle[0], y - middle[1]) for x, y in board.places]
    if under is None and places:  # the sheet is as large as its board
        look = look.but(wide=f"{2 * max(abs(x) for x, _ in places):g}")
    canvas = Canvas.round(places, look, under, 0.1)
    if board is None:
        return canvas.svg("There is no board yet", "Say how many holes a row has.")
    counts, name = _counts(document, board), board.name
    for hole, place in enumerate(places):
        x, y = canvas.at(*place)
        radius = canvas.unit * 0.42
        whose = {0: "the first player’s", 1: "the second player’s", NOBODY: "nobody’s"}[board.owner[hole]]
        shapes = f'<circle class="hole owner-{board.owner[hole] + 1}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
        shapes += canvas.words(x, y + 5, counts[hole] or "", "count") + canvas.words(
            x, y + radius - 3, name(hole), "label inside"
        )
        canvas.add(spot(name(hole), f"{name(hole)}: {whose}, {counts[hole]} counters", shapes))
    kind, _, number = look.tool.partition("-")
    ways = _ways(document, board, "circuits")
    if kind == "way" and int(number) <= max(1, len(ways)):
        way = ways[int(number) - 1] if ways else usual_circuits(board.rows, board.columns)[0]
        ends = [canvas.at(*places[hole]) for hole in [*way, *way[:1]]]
        canvas.add(f'<path class="way way-1" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in ends)}"/>')
        canvas.add(*(_head(one, other) for one, other in list(pairwise(ends))[:: max(1, len(ends) // 6)]))
    return canvas.svg("The holes as they are set", " ".join(told(document)))


def _head(one: tuple[float, float], other: tuple[float, float]) -> str:
    """An arrow half of the way from one place to another."""
    middle = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    return f'<path class="way way-1" d="{arrow_head(one, middle)}"/>'
