"""A board of points under the pen: strokes that add and take out points and lines, each with its images by symmetry.

A figure that is drawn on is points and lines by hand, in the co-ordinates of the sheet, so that a picture under it
stays where it is. After each stroke its points are called as on the board that it is; what they were called before
leads to what they are called now.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from simulator.engine.boards.drawings import GRAIN, MOST_POINTS, SAME, Drawing, Place, WrongFigure
from simulator.engine.boards.figures import places_of, read_board, read_figure

Image = Callable[[Place], Place]


def _kept(place: Place) -> Place:
    return place


def _turned(place: Place) -> Place:
    return -place[1], place[0]


def _across(place: Place) -> Place:
    return -place[0], place[1]


def _along(place: Place) -> Place:
    return place[0], -place[1]


def _opposite(place: Place) -> Place:
    return -place[0], -place[1]


# What is drawn besides what is pointed to, by the symmetry of the figure about the middle of the sheet.
SYMMETRIES: dict[str, tuple[Image, ...]] = {
    "off": (_kept,),
    "sides": (_kept, _across),
    "ends": (_kept, _along),
    "both": (_kept, _across, _along, _opposite),
    "half": (_kept, _opposite),
    "quarters": (_kept, _turned, _opposite, lambda place: _turned(_opposite(place))),
}


@dataclass(slots=True)
class Figure:
    """Points with their places, and lines as the names of their points from end to end.

    is_squares: whether its points are squares of one colour; called: what the names mean now that it had when it was
    read; a point that is gone has none
    """

    points: dict[str, Place] = field(default_factory=dict)
    lines: list[list[str]] = field(default_factory=list)
    is_squares: bool = False
    called: dict[str, str] = field(default_factory=dict)

    def at(self, place: Place) -> str:
        """Return the point there, a new one if there is none."""
        for name, (x, y) in self.points.items():
            if abs(x - place[0]) <= SAME and abs(y - place[1]) <= SAME:
                return name
        taken = {*self.points, *self.called}
        name = next(name for name in (f"z{number}" for number in range(100, 1000)) if name not in taken)
        self.points[name] = place
        return name

    def join(self, names: Sequence[str]) -> None:
        """Draw a line through these points. Raises WrongFigure."""
        steps = {frozenset(step) for line in self.lines for step in pairwise(line)}
        if all(frozenset(step) in steps for step in pairwise(names)):
            return
        self.lines.append(list(names))

    def bend_on(self, names: Sequence[str]) -> None:
        """Draw a piece of line with which the line that ends at its first point goes on, whatever the angle."""
        for line in self.lines:
            for way in (line, line[::-1]):
                if way[-1] == names[0] and names[1] not in way[1:-1] and way[-2] != names[1]:
                    self.lines[self.lines.index(line)] = [*way, *names[1:]]
                    return
        self.join(names)

    def take_out(self, name: str) -> None:
        """Take out a point with the pieces of line that end there."""
        self.points.pop(name, None)
        self._split(lambda one, other: name in (one, other))

    def cut(self, one: str, other: str) -> None:
        """Take out the piece of line between two points."""
        self._split(lambda a, b: {a, b} == {one, other})

    def _split(self, is_out: Callable[[str, str], bool]) -> None:
        lines = []
        for line in self.lines:
            part = [line[0]]
            for here, there in pairwise(line):
                if is_out(here, there):
                    lines.append(part)
                    part = [there]
                else:
                    part.append(there)
            lines.append(part)
        self.lines = [line for line in lines if len(line) > 1]

    def document(self) -> dict[str, Any]:
        """Return the figure as a document has it."""
        points = {name: [_number(x), _number(y)] for name, (x, y) in self.points.items()}
        form: dict[str, Any] = {"points": points, "lines": [" ".join(line) for line in self.lines]}
        return {**form, "squares": True} if self.is_squares else form

    def tidy(self) -> None:
        """Call every point as the board does, and draw every line whole. Raises WrongFigure."""
        if self.lines:
            board, names = read_figure(self.document())
            self.lines = [[board.names[point] for point in line] for line in board.lines]
            order: dict[str, Any] = {name: place for place, name in enumerate(board.names)}
        else:
            drawn = Drawing()
            numbers = {name: drawn.point(place) for name, place in self.points.items()}
            by_number = {number: name for name, number in drawn.names().items()}
            names = {name: by_number[number] for name, number in numbers.items()}
            order = {names[one]: place[::-1] for one, place in self.points.items()}
        self.called = {before: names[name] for before, name in self.called.items() if name in self.points}
        called = {names[name]: place for name, place in self.points.items()}
        self.points = {name: called[name] for name in sorted(called, key=lambda name: order[name])}


def figure_of(board: Any) -> Figure:
    """Return a board of a document, a name or a figure, as points and lines by hand. Raises WrongFigure."""
    if not board:
        return Figure()
    if not isinstance(board, str) and not _has_lines(board):
        points = {name: (_fraction(x), _fraction(y)) for name, (x, y) in board.get("points", {}).items()}
        if len(points) > MOST_POINTS:
            raise WrongFigure("points", f"a board has at most {MOST_POINTS} points")
        return Figure(points, [], bool(board.get("squares")), {name: name for name in points})
    known, called = read_board(board)
    places = places_of(board)
    lines = [[known.names[point] for point in line] for line in known.lines]
    return Figure({name: places[name] for name in known.names}, lines, known.is_chequered, dict(called))


def _has_lines(board: Mapping[str, Any]) -> bool:
    return any(board.get(part) for part in ("shapes", "lines", "also"))


def stroke(figure: Figure, places: Sequence[Place], symmetry: str, *, bends: bool = False) -> list[str]:
    """Draw a line through places, or a point at one, and its images; return the points of the first. Raises
    WrongFigure."""
    drawn: list[list[str]] = []
    for image in SYMMETRIES[symmetry]:
        names = [figure.at(image(place)) for place in places]
        if any(one == other for one, other in pairwise(names)):
            raise WrongFigure("lines", "a line does not go from a point to itself")
        if names not in drawn and names[::-1] not in drawn:
            drawn.append(names)
            if len(names) > 1:
                (figure.bend_on if bends else figure.join)(names)
    return drawn[0]


def erase(figure: Figure, places: Sequence[Place], symmetry: str) -> None:
    """Take out the point at a place, or the pieces of line between the places, and their images."""
    by_place = {place: name for name, place in figure.points.items()}
    for image in SYMMETRIES[symmetry]:
        names = [by_place.get(image(place)) for place in places]
        if len(names) == 1 and names[0]:
            figure.take_out(names[0])
        for one, other in pairwise(names):
            if one and other:
                figure.cut(one, other)


def images(places: Iterable[Place], symmetry: str) -> set[Place]:
    """Return the places and their images."""
    return {image(place) for place in places for image in SYMMETRIES[symmetry]}


def _fraction(value: Any) -> Fraction:
    return Fraction(round(float(value) * GRAIN), GRAIN)


def snapped(value: float, step: Fraction) -> Fraction:
    """Return the multiple of a step that is nearest to a number."""
    return round(Fraction(value) / step) * step


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 3)
