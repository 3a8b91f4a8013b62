"""Boards of races that a document draws, and the one way to the board of a ruleset: `board_of`.

A drawn board has its squares in rows, the topmost first (`a1-a4 . . a7-a8`: a point is a gap), or by their places
(`{"a1": [0, 0]}`, right and up); for each number of players the way of every seat, as names with ranges, squares
trodden twice named twice; and marks, each with its squares. `canonical_board` brings it into one form: rows if the
squares lie on a grid, else places from the lower left corner; ranges as long as they can be; a figure that has a name,
by its name.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from simulator.engine.boards.race import BOARDS, LETTERS, Board, Place, Square
from simulator.engine.ruleset import Problem, RulesetProblem, nearest

GAP = "."
NAME = re.compile("[a-z][1-9][0-9]?")
LONG_WAY = 126  # squares of a way of which steps are no longer kept as sets
MOST_SQUARES, MOST_STEPS, MOST_SIDE = 250, 200, 40
TITLE = "A board that the document draws"
OUTSIDE = 1.5  # how far from the squares pieces wait


def board_of(parameters: Mapping[str, Any]) -> Board:
    """Return the board of a ruleset's parameters: the one of that name, or the one that is drawn."""
    board = parameters["board"]
    return BOARDS[board] if isinstance(board, str) else _drawn(text_of(board))


_texts: dict[int, tuple[Any, str]] = {}


def text_of(board: Any) -> str:
    """Return what a board is kept by: its name, or the text of its drawing.

    A referee asks at every step, so that the text of an object that is asked for again is not written again.
    """
    if isinstance(board, str):
        return board
    known = _texts.get(id(board))
    if known is None or known[0] is not board:
        if len(_texts) > 500:
            _texts.clear()
        known = _texts[id(board)] = board, json.dumps(board, sort_keys=True)
    return known[1]


def canonical_board(board: Any) -> Any:
    """Return a board in its one form; raises RulesetProblem."""
    if isinstance(board, str):
        return board
    places = _moved(places_of(board))
    if not 2 <= len(places) <= MOST_SQUARES:
        raise _refused("board", f"a board has 2 to {MOST_SQUARES} squares, not {len(places)}")
    _check_places(places)
    tracks = {seats: [_way(way, places, f"board/tracks/{seats}/{seat}") for seat, way in enumerate(ways)]
              for seats, ways in sorted(board["tracks"].items())}  # fmt: skip
    _check_tracks(tracks)
    marks = {mark: sorted(set(_way(" ".join(names), places, f"board/marks/{mark}")), key=_by_number)
             for mark, names in sorted(board.get("marks", {}).items())}  # fmt: skip
    found: dict[str, Any] = {"tracks": {seats: [written(way) for way in ways] for seats, ways in tracks.items()}}
    found |= {"marks": marks} if marks else {}
    if row := board.get("home_row", 0):
        shortest = min(len(way) for ways in tracks.values() for way in ways)
        if row >= shortest:
            raise _refused("board/home_row", f"the way has only {shortest} squares", shortest - 1)
        found["home_row"] = row
    if all(x == int(x) and y == int(y) for x, y in places.values()):
        found["rows"] = _rows(places)
    else:
        found["squares"] = {name: [_number(x), _number(y)] for name, (x, y) in sorted(places.items(), key=_by_name)}
    return next((name for name in BOARDS if _is_figure_of(name, found)), found)


def written(names: Sequence[str]) -> str:
    """Write names with ranges that are as long as they can be: `a1-a4 b4`."""
    found, place = [], 0
    while place < len(names):
        last = max(_end_of_run(names, place, step) for step in ((0, 1), (0, -1), (1, 0), (-1, 0)))
        found.append(names[place] if last == place else f"{names[place]}-{names[last]}")
        place = last + 1
    return " ".join(found)


def _end_of_run(names: Sequence[str], place: int, step: tuple[int, int]) -> int:
    """Return where a range ends that begins at a place and goes so many letters and numbers a step."""
    last = place
    letter, number = _parted(names[place])
    while last + 1 < len(names):
        letter, number = letter + step[0], number + step[1]
        if _parted(names[last + 1]) != (letter, number):
            break
        last += 1
    return last if last > place + 1 else place  # two names are as short as a range


def _parted(name: str) -> tuple[int, int]:
    return LETTERS.index(name[0]), int(name[1:])


def expanded(text: str, key: str) -> Iterator[str]:
    """Yield the names that a text stands for; raises RulesetProblem."""
    for word in text.split():
        first, dash, last = word.partition("-")
        if not NAME.fullmatch(first) or (dash and not NAME.fullmatch(last)):
            raise _refused(key, f"squares are called a1 to z99, ranges a1-a8 or a1-h1, not {word[:20]!r}")
        (letter, number), (to_letter, to_number) = _parted(first), _parted(last or first)
        if letter != to_letter and number != to_number:
            raise _refused(key, f"a range goes along a letter or a number, not {word!r}")
        # One of the two stands still, so that the longer way is the number of steps.
        steps = max(abs(to_letter - letter), abs(to_number - number))
        across, along = _sign(to_letter - letter), _sign(to_number - number)
        yield from (f"{LETTERS[letter + across * step]}{number + along * step}" for step in range(steps + 1))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _way(text: str, places: Mapping[str, Place], key: str) -> list[str]:
    names = list(expanded(text, key))
    if strange := next((name for name in names if name not in places), None):
        raise _refused(key, f"no square of this board is called {strange}", nearest(strange, places))
    return names


def places_of(board: Mapping[str, Any]) -> dict[str, Place]:
    """Return where every square lies, as the document says."""
    rows, squares = board.get("rows", []), board.get("squares", {})
    if bool(rows) == bool(squares):
        raise _refused("board", "draw the squares in rows or by their places (squares), one of the two")
    if squares:
        return {name: (x, y) for name, (x, y) in squares.items()}
    found: dict[str, Place] = {}
    for number, row in enumerate(rows):
        x = 0
        for word in row.split():
            for name in [word] if word == GAP else expanded(word, f"board/rows/{number}"):
                if name in found:
                    raise _refused(f"board/rows/{number}", f"{name} is named twice")
                if name != GAP:
                    found[name] = (x, -number)
                x += 1
    return found


def _moved(places: Mapping[str, Place]) -> dict[str, Place]:
    """Return places counted from the lower left corner, in hundredths of a square at the finest."""
    left, low = min((x for x, _ in places.values()), default=0), min((y for _, y in places.values()), default=0)
    return {name: (round(x - left, 2), round(y - low, 2)) for name, (x, y) in places.items()}


def _check_places(places: Mapping[str, Place]) -> None:
    if max(max(place) for place in places.values()) >= MOST_SIDE:
        raise _refused("board", f"a board is at most {MOST_SIDE} squares wide and high")
    ordered = sorted(places.items(), key=lambda item: item[1])
    for number, (name, (x, y)) in enumerate(ordered):
        for other, (to_x, to_y) in ordered[number + 1 :]:
            if to_x - x >= 0.5:
                break
            if abs(to_y - y) < 0.5:
                raise _refused("board", f"{name} and {other} lie on each other")


def _check_tracks(tracks: Mapping[str, list[list[str]]]) -> None:
    lengths = {len(way) for ways in tracks.values() for way in ways}
    for seats, ways in tracks.items():
        if len(ways) != int(seats):
            raise _refused(f"board/tracks/{seats}", f"{seats} players have {seats} ways, not {len(ways)}")
    if len(lengths) != 1:
        raise _refused("board/tracks", f"all ways are equally long, not {' and '.join(map(str, sorted(lengths)))}")
    if not 2 <= (steps := lengths.pop()) <= MOST_STEPS:
        raise _refused("board/tracks", f"a way has 2 to {MOST_STEPS} squares, not {steps}")


def _refused(key: str, message: str, near: Any = None) -> RulesetProblem:
    return RulesetProblem([Problem(key, message, near)])


def _rows(places: Mapping[str, Place]) -> list[str]:
    """Return the squares of a grid in rows, the topmost first."""
    by_place = {place: name for name, place in places.items()}
    wide, high = (int(max(place[axis] for place in places.values())) for axis in range(2))
    rows = []
    for y in range(high, -1, -1):
        row = [by_place.get((x, y), GAP) for x in range(wide + 1)]
        while row and row[-1] == GAP:
            row.pop()
        parts = [written(run) if run[0] != GAP else " ".join(run) for run in _runs(row)]
        rows.append(" ".join(parts) or GAP)
    return rows


def _runs(row: Sequence[str]) -> Iterator[list[str]]:
    """Yield the gaps and the squares of a row, those beside each other together."""
    run: list[str] = []
    for name in row:
        if run and (run[0] == GAP) != (name == GAP):
            yield run
            run = []
        run.append(name)
    if run:
        yield run


def _number(value: float) -> float:
    return int(value) if value == int(value) else value


def _by_number(name: str) -> tuple[int, int]:
    return _parted(name)


def _by_name(item: tuple[str, Place]) -> tuple[int, int]:
    return _parted(item[0])


def _is_figure_of(name: str, drawn: Mapping[str, Any]) -> bool:
    """Return whether a drawing is the figure of a named board, square by square, way by way, mark by mark."""
    tracks, marks, row, places = _named(name)
    is_alike = tracks == drawn["tracks"] and marks == drawn.get("marks", {}) and row == drawn.get("home_row", 0)
    return is_alike and places == _moved(places_of(drawn))


@lru_cache(None)
def _named(name: str) -> tuple[dict[str, list[str]], dict[str, list[str]], int, dict[str, Place]]:
    """Return ways, marks, home row and squares of a named board as they would be written."""
    board = BOARDS[name]
    tracks = {str(seats): [written([board.squares[square].name for square in way]) for way in ways]
              for seats, ways in board.tracks.items()}  # fmt: skip
    marks = {mark: sorted((board.squares[square].name for square in squares), key=_by_number)
             for mark, squares in board.marks.items()}  # fmt: skip
    return tracks, marks, board.home_row, _moved({one.name: (one.x, one.y) for one in board.squares})


@lru_cache(500)
def _drawn(text: str) -> Board:
    """Make the board that a canonical drawing stands for."""
    drawn = json.loads(text)
    places = places_of(drawn)
    marks = {mark: set(names) for mark, names in drawn.get("marks", {}).items()}
    marked = set().union(*marks.values())
    squares = tuple(Square(name, x, y, name in marked) for name, (x, y) in places.items())
    numbers = {square.name: number for number, square in enumerate(squares)}
    tracks = {int(seats): tuple(tuple(numbers[name] for name in expanded(way, "")) for way in ways)
              for seats, ways in drawn["tracks"].items()}  # fmt: skip
    outside = _Outside(places.values())
    firsts = {seats: [squares[way[0]] for way in ways] for seats, ways in tracks.items()}
    last = squares[next(iter(tracks.values()))[0][-1]]
    home = outside.beside((last.x, last.y), [])
    waiting: dict[int, tuple[Place, ...]] = {}
    for seats, first in firsts.items():
        taken = [home]
        for square in first:
            taken.append(outside.beside((square.x, square.y), taken))
        waiting[seats] = tuple(taken[1:])
    return Board("", TITLE, "", "", "", squares, tracks, waiting, home, home_row=drawn.get("home_row", 0), drawn_marks={
        mark: tuple(sorted(numbers[name] for name in names)) for mark, names in marks.items()
    }, is_drawn=True)  # fmt: skip


class _Outside:
    """The strip round a board, in which pieces wait and go home."""

    def __init__(self, places: Iterable[Place]) -> None:
        xs, ys = zip(*places, strict=True)
        self.left, self.right = min(xs) - OUTSIDE, max(xs) + OUTSIDE
        self.low, self.high = min(ys) - OUTSIDE, max(ys) + OUTSIDE

    def beside(self, place: Place, taken: Sequence[Place]) -> Place:
        """Return the free place of the strip that is nearest to a square."""
        x, y = place
        sides = [(self.left, y, 0, 1), (self.right, y, 0, 1), (x, self.low, 1, 0), (x, self.high, 1, 0)]
        free = []
        for side_x, side_y, right, up in sides:
            for shift in range(8):
                for turned in (shift, -shift):
                    there = side_x + turned * right * OUTSIDE, side_y + turned * up * OUTSIDE
                    if all(abs(there[0] - a) >= OUTSIDE or abs(there[1] - b) >= OUTSIDE for a, b in taken):
                        free.append(there)
        return min(free, key=lambda there: (there[0] - x) ** 2 + (there[1] - y) ** 2)
