"""Regions: points that go by one name, and the words that a list of points may have.

A list has names of points, ranges (`a1-e2`), words for points of every board (`edge`) and names of regions; with `not`
before one of these its points are left out. The canonical form of a list is its points. A column of a table whose
schema says `x-region` has the name of a region, or one of the words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import Board
from simulator.engine.family import Impossible, Inactive
from simulator.engine.ruleset import nearest
from simulator.engine.schemas import schema
from simulator.engine.tables import ROWS, columns_of, kind_of

Rules = Mapping[str, Any]
PROPERTIES = schema("points")["properties"]
RANGE = re.compile(r"([a-wyz]{1,2}\d{1,3})-([a-wyz]{1,2}\d{1,3})")
NOT = "not "


def _corners(board: Board) -> frozenset[int]:
    """Return the points at both ends of the outermost files and ranks."""
    return frozenset(
        number
        for number in board.edge
        if board.files[number] in (1, max(board.files)) and board.ranks[number] in (1, max(board.ranks))
    )


def _centre(board: Board) -> frozenset[int]:
    """Return the point in the middle, if there is one."""
    middle = tuple(min(all_) + max(all_) for all_ in ([getattr(at, axis) for at in board.points] for axis in "xy"))
    return frozenset(number for number, at in enumerate(board.points) if (2 * at.x, 2 * at.y) == middle)


WORDS: Mapping[str, Callable[[Board], Iterable[int]]] = {
    "edge": lambda board: board.edge,
    "corners": _corners,
    "centre": _centre,
    "all": lambda board: range(len(board.points)),
}


def points_in(listed: Iterable[str], board: Board, names: Mapping[str, str], regions: Rules) -> list[str]:
    """Return the points that a list means, each once and in order; what means none stays as it is written.

    names: what the points of a figure may be called as well; regions: lists that are read already
    """
    found, left_out = set[str](), set[str]()
    for words in listed:
        taken_out = words.startswith(NOT)
        (left_out if taken_out else found).update(_points(words.removeprefix(NOT), board, names, regions))
    if left_out and not found:
        found = {*board.names}
    # What is left out and is no point at all is kept, so that it can be named as wrong.
    return sorted({*(found - left_out), *(NOT + name for name in left_out if name not in board.names)})


def read(written: Rules, board: Board, names: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the points of each region; a region may name others."""
    known: dict[str, list[str]] = {}
    for _ in written:  # a region that names another can be read once that one is
        known = {name: points_in(listed, board, names, known) for name, listed in written.items()}
    return known


def _points(words: str, board: Board, names: Mapping[str, str], regions: Rules) -> Iterable[str]:
    if words in WORDS:
        return [board.names[number] for number in WORDS[words](board)] or [words]
    if words in regions:
        return list(regions[words])
    ends = RANGE.fullmatch(words)
    low, high = ([_file_and_rank(names.get(end, end)) for end in ends.groups()]) if ends else ((), ())
    within = [name for name in board.names if ends and _is_within(_file_and_rank(name), low, high)]
    return within or [names.get(words, words)]


def _file_and_rank(name: str) -> tuple[tuple[int, str], int]:
    letters = name.rstrip("0123456789")
    return (len(letters), letters), int(name[len(letters) :])


def _is_within(place: Sequence[Any], one: Sequence[Any], other: Sequence[Any]) -> bool:
    return all(min(a, b) <= value <= max(a, b) for value, a, b in zip(place, one, other, strict=True))


def region(rules: Rules, name: str) -> frozenset[int]:
    """Return the points of a region that a row names: one of the document, or a word; none for an empty name."""
    board = board_of(rules)
    if name in WORDS:
        return frozenset(WORDS[name](board))
    return frozenset(board.number(point) for point in rules["regions"].get(name, ()) if point in board.names)


def _named(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the places of tables that name a region, with its name."""
    for key, spec in PROPERTIES.items():
        columns = [name for name, column in columns_of(spec).items() if column.get("x-region")]
        if columns and not isinstance(rules[key], str):
            listed = enumerate(rules[key]) if kind_of(spec) == ROWS else [(None, rules[key])]
            rows = [(key if number is None else f"{key}/{number}", row) for number, row in listed]
            yield from ((f"{place}/{name}", row[name]) for place, row in rows for name in columns if row.get(name))


def kept(rules: Rules, lists: Iterable[Iterable[str]]) -> dict[str, list[str]]:
    """Return the regions without those that only lists of points name, which have their points there."""
    named = {name for _, name in _named(rules)}
    in_lists = {words.removeprefix(NOT) for listed in lists for words in listed}
    return {name: points for name, points in rules["regions"].items() if name in named or name not in in_lists}


def unnamed(rules: Rules) -> Iterator[Inactive]:
    """Yield the regions that nothing names."""
    named = {name for _, name in _named(rules)}
    for name in rules["regions"]:
        if name not in named:
            yield f"regions/{name}", "nothing names this region"


def unknown(rules: Rules) -> Iterator[Impossible]:
    """Yield regions that are called as every board's points are, points that there are not, and names of no region."""
    board, known = board_of(rules), [*rules["regions"], *WORDS]
    for name, points in rules["regions"].items():
        if name in WORDS:
            yield f"regions/{name}", f"{name} are points of every board: the region needs another name", None
        elif wrong := [point for point in points if point not in board.names]:
            yield f"regions/{name}", f"the board has no point {', '.join(wrong)}", None
        elif not points:
            yield f"regions/{name}", "no point is left in this region", None
    for place, name in _named(rules):
        if name not in known:
            yield place, f"no region is called {name}", nearest(name, known)
        elif not region(rules, name):
            near = nearest(name, [one for one in known if region(rules, one)])
            yield place, f"the board {board.name} has no {name}", near
