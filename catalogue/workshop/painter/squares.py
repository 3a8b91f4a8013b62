"""The painter of squares: a track that is clicked in turn, seat by seat, and marks on squares."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

from catalogue.texts.words import nearest_word
from catalogue.workshop.painter.look import LONGEST, Look, WrongPlace, place_typed, where
from catalogue.workshop.painter.sheet import Canvas, Under, arrow_head, sketched, spot
from simulator.engine.board_sheet import cross
from simulator.engine.boards.race import BOARDS, LETTERS, MARK
from simulator.engine.boards.strokes import SYMMETRIES, snapped
from simulator.engine.boards.tracks import NAME as SQUARE
from simulator.engine.boards.tracks import expanded, places_of, written
from simulator.engine.ruleset import RulesetProblem

HUNDREDTH = Fraction(1, 100)
Spot = tuple[float, float]
MOST_SEATS, MOST_SQUARES, MOST_TRODDEN = 4, 250, 1_000
TOOLS = {
    "square": ("Squares", "Click where a square is; once more takes it away."),
    "block": ("Block", "Click a corner, then the corner opposite: all squares between are drawn."),
    **{
        f"way-{seat + 1}": (f"Way of player {seat + 1}", "Click the squares in the order in which they are trodden.")
        for seat in range(MOST_SEATS)
    },
    "mark": ("Mark", "Name it below, as rosette; then click its squares."),
}
USUAL = {"snap": "1", "name": MARK, "wide": "12"}


def _strip(rows: Sequence[str], ways: Sequence[str], **marks: Sequence[str]) -> dict[str, Any]:
    return {"rows": list(rows), "tracks": {"2": list(ways)}, **({"marks": dict(marks)} if marks else {})}


OFFERED: tuple[tuple[str, Any], ...] = (
    (
        "Twenty squares, as at Ur",
        _strip(
            ["a1-a4 . . a7-a8", "b1-b8", "c1-c4 . . c7-c8"],
            ["a4-a1 b1-b8 a8-a7", "c4-c1 b1-b8 c8-c7"],
            rosette=["a1", "c1", "b4", "a7", "c7"],
        ),
    ),
    ("Three rows of ten", _strip(["a1-a10", "b1-b10", "c1-c10"], ["a1-a10 b10-b1 c1-c10"] * 2)),
    ("Three rows of twelve, each his way", _strip(["a1-a12", "b1-b12", "c1-c12"], ["a1-a12 b12-b1", "c1-c12 b12-b1"])),
    ("Square of seven, round the edge", _strip([f"{letter}1-{letter}7" for letter in "abcdefg"],
     ["g4-g7 f7-a7 a6-a1 b1-g1 g2-g3 f4-d4", "a4-a1 b1-g1 g2-g7 f7-a7 a6-a5 b4-d4"])),
)  # fmt: skip


@dataclass(slots=True)
class Track:
    """Squares with their places, the ways of the seats, and marks, whether they make a board yet or not."""

    squares: dict[str, Spot] = field(default_factory=dict)
    ways: dict[str, list[list[str]]] = field(default_factory=dict)
    marks: dict[str, list[str]] = field(default_factory=dict)
    home_row: int = 0

    def document(self) -> dict[str, Any]:
        ways = {seats: [written(way) for way in ways] for seats, ways in self.ways.items()}
        found: dict[str, Any] = {"squares": {name: list(map(_short, place)) for name, place in self.squares.items()}}
        found["tracks"] = ways
        marks = {mark: names for mark, names in self.marks.items() if names}
        found |= {"marks": marks} if marks else {}
        return found | ({"home_row": self.home_row} if self.home_row else {})

    def at(self, place: Spot) -> str:
        return next(
            (name for name, (x, y) in self.squares.items() if abs(x - place[0]) < 0.5 and abs(y - place[1]) < 0.5), ""
        )

    def renamed(self) -> None:
        """Call the squares by row and column, unless somebody has called them otherwise."""
        own = [name for name in self.squares if not name.startswith("?")]
        before = {name: self.squares[name] for name in own}
        naming = next((naming for naming in NAMINGS if naming(before) == {name: name for name in own}), None)
        if naming and (called := naming(self.squares)):
            self._call(called)
            return
        free = (f"{letter}{number}" for letter in reversed(LETTERS) for number in range(1, 100))
        called = {name: name for name in own}
        for name in self.squares:
            if name not in called:
                called[name] = next(one for one in free if one not in called.values())
        self._call(called)

    def _call(self, called: Mapping[str, str]) -> None:
        order = sorted(self.squares, key=lambda name: (-self.squares[name][1], self.squares[name][0]))
        self.squares = {called[name]: self.squares[name] for name in order}
        self.ways = {seats: [[called[one] for one in way] for way in ways] for seats, ways in self.ways.items()}
        self.marks = {mark: [called[one] for one in names] for mark, names in self.marks.items()}

    def take_out(self, name: str) -> None:
        del self.squares[name]
        self.ways = {seats: [[one for one in way if one != name] for way in ways] for seats, ways in self.ways.items()}
        self.marks = {mark: [one for one in names if one != name] for mark, names in self.marks.items()}


def _by_rows(squares: Mapping[str, Spot]) -> dict[str, str]:
    """Letters are rows from the top, numbers columns from the left."""
    return _named(squares, lambda x, y, left, low, high: (high - y, x - left))


def _by_files(squares: Mapping[str, Spot]) -> dict[str, str]:
    """Letters are files from the left, numbers rows from below."""
    return _named(squares, lambda x, y, left, low, high: (x - left, y - low))


def _named(squares: Mapping[str, Spot], places: Any) -> dict[str, str]:
    if not squares:
        return {}
    left, (low, high) = min(x for x, _ in squares.values()), _ends(y for _, y in squares.values())
    called = {}
    for name, (x, y) in squares.items():
        letter, number = places(x, y, left, low, high)
        if letter != int(letter) or number != int(number) or letter >= len(LETTERS) or number >= 99:
            return {}
        called[name] = f"{LETTERS[int(letter)]}{int(number) + 1}"
    return called


def _ends(values: Any) -> tuple[float, float]:
    every = list(values)
    return min(every), max(every)


NAMINGS = (_by_rows, _by_files)


def tools(document: Mapping[str, Any]) -> list[str]:
    """The tools that there is something to do with."""
    seats = max(2, len(ways_of(document)))
    return [tool for tool in TOOLS if not tool.startswith("way-") or int(tool[4:]) <= seats]


@cache
def gallery() -> tuple[tuple[str, Any, Any], ...]:
    """(title, board of a document, its drawing) of tracks to begin with."""
    offered = [*OFFERED, *((board.title, name) for name, board in BOARDS.items())]
    return tuple(
        (title, board, sketched((), list(track_in({"board": board})[0].squares.values()), squares=True))
        for title, board in offered
    )


def track_in(document: Mapping[str, Any]) -> tuple[Track, str]:
    """The track of a document, and why it cannot be drawn; then it is an empty one."""
    try:
        return _track(document.get("board")), ""
    except RulesetProblem as problem:
        return Track(), f"{problem.problems[0].key}: {problem.problems[0].message}."
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
        return Track(), "The board is no track: its document below says how it is written."


def _track(board: Any) -> Track:
    if not board:
        return Track()
    if isinstance(board, str):
        named = BOARDS[board]
        called = [square.name for square in named.squares]
        squares = {square.name: (float(square.x), float(square.y)) for square in named.squares}
        ways = {str(seats): [[called[one] for one in way] for way in every] for seats, every in named.tracks.items()}
        marks = {mark: [called[one] for one in names] for mark, names in named.marks.items()}
        return _centred(Track(squares, ways, marks, named.home_row))
    squares = (
        {name: (float(x), float(y)) for name, (x, y) in places_of(board).items()}
        if board.get("squares") or board.get("rows")
        else {}
    )
    if len(squares) > MOST_SQUARES or not all(map(SQUARE.fullmatch, squares)):
        raise ValueError("squares are called a1 to z99, and a board has so many at most")
    ways = {
        str(seats): [_known(expanded(way, f"board/tracks/{seats}"), squares) for way in every]
        for seats, every in board.get("tracks", {}).items()
    }
    marks = {
        mark: _known(expanded(" ".join(names), f"board/marks/{mark}"), squares)
        for mark, names in board.get("marks", {}).items()
    }
    track = Track(squares, ways, marks, int(board.get("home_row", 0)))
    return track if board.get("squares") else _centred(track)


def _known(names: Iterator[str], squares: Mapping[str, Spot]) -> list[str]:
    return [name for name in islice(names, MOST_TRODDEN) if name in squares]


def _centred(track: Track) -> Track:
    """The squares of a board that has no sheet yet lie round its middle."""
    if not track.squares:
        return track
    (left, right), (low, high) = (_ends(place[axis] for place in track.squares.values()) for axis in (0, 1))
    x, y = round((left + right) / 2), round((low + high) / 2)
    track.squares = {name: (a - x, b - y) for name, (a, b) in track.squares.items()}
    return track


def strike(document: Mapping[str, Any], look: Look, words: str, pointed: bool) -> tuple[dict[str, Any], str, Look]:
    """Do what the tool does at a place. Raises WrongPlace."""
    track, wrong = track_in(document)
    if wrong:
        raise WrongPlace(f"{wrong} Put that right first, or take a track from the gallery.")
    found = deepcopy(dict(document))
    seats = found["seats"] = seats_in(document)
    ways = track.ways.setdefault(str(seats), [])
    ways += [[] for _ in range(seats - len(ways))]
    places = _places(track, words, look, pointed)
    if look.tool == "block":
        return _block(found, track, look, places)
    if look.tool == "square":
        did = _squares(track, look, places)
    else:
        names = [_square_at(track, place) for place in places]
        did = _marked(track, look, names) if look.tool == "mark" else _trodden(track, look, names, str(seats))
    found["board"] = track.document()
    return found, did, look.but(start="")


def _places(track: Track, words: str, look: Look, pointed: bool) -> list[Spot]:
    found: list[Spot] = []
    for word in words.replace(", ", ",").split():
        if place := place_typed(word, look, pointed):
            found.append((float(place[0]), float(place[1])))
            continue
        try:
            names = list(expanded(word, "squares"))
        except RulesetProblem as problem:
            raise WrongPlace(f"{problem.problems[0].message}. A place is written 2,-1: right, and up.") from None
        for name in names:
            if name not in track.squares:
                near = nearest_word(name, track.squares) if track.squares else None
                raise WrongPlace(f"No square is called {name[:LONGEST]}{f'; nearest: {near}' if near else ''}.")
            found.append(track.squares[name])
    if not found:
        raise WrongPlace("Say where: squares by name (a1-a8), or a place as 2,-1: so far right, and so far up.")
    return found


def _square_at(track: Track, place: Spot) -> str:
    name = track.at(place)
    if not name:
        raise WrongPlace("No square is there: draw it first.")
    return name


def _squares(track: Track, look: Look, places: Sequence[Spot]) -> str:
    """Draw squares, or take those away that are there."""
    for place in places:
        there, away = track.at(place), False
        for image in SYMMETRIES[look.symmetry]:
            at = _spot(image, place)
            name = track.at(at)
            if name and (there or away):
                track.take_out(name)
                away = True
            elif not name and not there:
                _draw(track, at)
    track.renamed()
    return _counted(track)


def _draw(track: Track, place: Spot) -> None:
    if len(track.squares) >= MOST_SQUARES:
        raise WrongPlace(f"A board has at most {MOST_SQUARES} squares.")
    track.squares[f"?{len(track.squares)} {place}"] = place


def _block(found: dict[str, Any], track: Track, look: Look, places: Sequence[Spot]) -> tuple[dict[str, Any], str, Look]:
    corners = list(places)
    begun = place_typed(look.start, look, True) if len(corners) == 1 else None
    if begun:
        corners.insert(0, (float(begun[0]), float(begun[1])))
    if len(corners) == 1:
        x, y = corners[0]
        return (
            dict(found),
            f"One corner is at {x:g},{y:g}; the other is still to click.",
            look.but(start=f"{x:g},{y:g}"),
        )
    (left, right), (low, high) = (_ends(corner[axis] for corner in corners) for axis in (0, 1))
    if (right - left + 1) * (high - low + 1) > MOST_SQUARES:
        raise WrongPlace(f"A board has at most {MOST_SQUARES} squares.")
    for row in range(int(high - low) + 1):
        for column in range(int(right - left) + 1):
            for image in SYMMETRIES[look.symmetry]:
                at = _spot(image, (left + column, high - row))
                if not track.at(at):
                    _draw(track, at)
    track.renamed()
    found["board"] = track.document()
    return found, _counted(track), look.but(start="")


def _counted(track: Track) -> str:
    return f"{len(track.squares)} {'square' if len(track.squares) == 1 else 'squares'}."


def _spot(image: Any, place: Spot) -> Spot:
    x, y = image((snapped(place[0], HUNDREDTH), snapped(place[1], HUNDREDTH)))
    return float(x), float(y)


def _marked(track: Track, look: Look, names: Sequence[str]) -> str:
    if not look.name:
        raise WrongPlace("Name the mark first, in small letters, as rosette.")
    every = [
        other
        for name in names
        for image in SYMMETRIES[look.symmetry]
        if (other := track.at(_spot(image, track.squares[name])))
    ]
    there = track.marks.get(look.name, [])
    kept = [name for name in there if name not in every] if {*every} <= {*there} else [*dict.fromkeys([*there, *every])]
    track.marks[look.name] = kept
    return f"Marked {look.name}: {', '.join(kept) or 'nothing'}."


def _trodden(track: Track, look: Look, names: Sequence[str], seats: str) -> str:
    """Let the way of a seat go on over squares, and those of the next seats over their images."""
    seat = int(look.tool.partition("-")[2]) - 1
    ways = track.ways[seats]
    if seat >= len(ways):
        raise WrongPlace(f"There are {len(ways)} players: say below how many play.")
    for name in names:
        for number, image in enumerate(SYMMETRIES[look.symmetry][: len(ways)]):
            ways[(seat + number) % len(ways)].append(_square_at(track, _spot(image, track.squares[name])))
    return f"Player {seat + 1} treads {len(ways[seat])} squares: {written(ways[seat])}."


def with_ways(document: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Set the ways as they are typed, and the home row. Raises WrongPlace."""
    track, wrong = track_in(document)
    if wrong:
        raise WrongPlace(wrong)
    found = deepcopy(dict(document))
    seats = found["seats"] = seats_in(document)
    ways = []
    for seat in range(seats):
        text = str(given.get(f"way-{seat + 1}", "")).strip()
        places = _places(track, text, Look(), False) if text else []
        ways.append([_square_at(track, place) for place in places])
    track.ways[str(seats)] = ways
    row = str(given.get("home_row", "")).strip() or "0"
    if not (row.isascii() and row.isdecimal()):
        raise WrongPlace("A home row is so many squares: a whole number, 0 for none.")
    track.home_row = int(row[:3])
    found["board"] = track.document()
    return found, "The ways are as you say."


def seats_in(document: Mapping[str, Any]) -> int:
    """How many players sit at the board; two as long as nobody has said it."""
    seats = document.get("seats")
    return seats if isinstance(seats, int) and 2 <= seats <= MOST_SEATS else 2


def ways_of(document: Mapping[str, Any]) -> list[tuple[int, str]]:
    """(seat, its way) as a form has them."""
    track, _ = track_in(document)
    seats = seats_in(document)
    ways = track.ways.get(str(seats), [])
    return [(seat + 1, written(ways[seat]) if seat < len(ways) else "") for seat in range(seats)]


def told(document: Mapping[str, Any]) -> Iterator[str]:
    """The track in sentences: the squares, each way, the marks."""
    track, wrong = track_in(document)
    if wrong:
        yield wrong
        return
    rows: dict[float, list[str]] = {}
    for name, (_, y) in sorted(track.squares.items(), key=lambda item: (-item[1][1], item[1][0])):
        rows.setdefault(y, []).append(name)
    for y, names in rows.items():
        yield f"The row {where(0, y)}, from left to right: {', '.join(names)}."
    for seats, ways in sorted(track.ways.items()):
        for seat, way in enumerate(ways):
            yield f"Of {seats} players, player {seat + 1} treads {len(way)} squares: {written(way) or 'none yet'}."
    for mark, names in track.marks.items():
        yield f"Marked {mark}: {', '.join(names)}."
    if track.home_row:
        yield f"The last {track.home_row} squares of each way are its owner’s home row."


def sheet(document: Mapping[str, Any], look: Look, under: Under | None) -> Any:
    """The squares on their sheet, with the way of the seat that is drawn as a line."""
    track, _ = track_in(document)
    canvas = Canvas.round(track.squares.values(), look, under)
    canvas.dots()
    half = canvas.unit / 2
    marked = {name for names in track.marks.values() for name in names}
    for name, place in track.squares.items():
        x, y = canvas.at(*place)
        shapes = (
            f'<rect class="cell" x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}"/>'
        )
        if name in marked:
            shapes += cross(x, y, half * 0.75, half * 0.75, ' class="mark"')
        canvas.add(
            spot(
                name,
                f"{name}{', marked' if name in marked else ''}",
                shapes + canvas.words(x, y + half - 4, name, "label inside"),
            )
        )
    if look.tool == "block" and (begun := place_typed(look.start, look, True)):
        x, y = canvas.at(float(begun[0]), float(begun[1]))
        canvas.add(f'<circle class="end start" cx="{x:.1f}" cy="{y:.1f}" r="6"/>')
    for seat, way in enumerate(track.ways.get(str(seats_in(document)), ())):
        if len(way) > 1 and (not look.tool.startswith("way-") or look.tool == f"way-{seat + 1}"):
            canvas.add(_arrow(canvas, [track.squares[name] for name in way], seat))
    return canvas.svg(
        "The track as it is drawn",
        " ".join([_counted(track), *(f"Player {seat}: {way or 'no way yet'}." for seat, way in ways_of(document))]),
    )


def _arrow(canvas: Canvas, places: Sequence[Spot], seat: int) -> str:
    """The way of a seat as a line through its squares, a little beside their middles, with a head at its end."""
    aside = (seat - 0.5) * 7
    ends = [(x + aside, y + aside) for x, y in (canvas.at(*place) for place in places)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in ends)
    return f'<path class="way way-{seat + 1}" d="M{path}{arrow_head(ends[-2], ends[-1])}"/>'


def _short(value: float) -> int | float:
    return int(value) if value == int(value) else round(value, 2)
