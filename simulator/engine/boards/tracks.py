"""What a board of a race game is: named squares, a track for every seat, and the sentence it was built from.

A track is counted in steps: step 1 is its first square, and two seats may reach one square at different steps. The
crosses are built in `race_crosses`, the bent tracks and the spiral in `race_figures`; `race` lists them all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Square:
    """One square: its name, where its middle lies (x to the right, y up), whether the board marks it, its width."""

    name: str
    x: float
    y: float
    is_marked: bool = False
    width: float = 1


@dataclass(frozen=True, slots=True)
class Board:
    """A board and the tracks on it.

    record, sentence: the evidence and the words it was built from
    note:             what the words leave open, and how it was settled here
    tracks:           number of seats -> for each seat the squares of its track, first step first
    waiting:          number of seats -> for each seat where its pieces wait
    home:             where the pieces of all seats go out
    enclosure:        width of the central square they go into (0: the board has none)
    has_diagonals:    whether that central square is crossed by diagonals
    joint_marks:      squares that share one mark, drawn across all of them
    home_row:         how many squares at the end of a track are its owner's home row (0: none)
    opposite_lag:     on a cross, by how many steps the opposite seat's count of an outer square differs (0: no cross)
    """

    name: str
    title: str
    record: str
    sentence: str
    note: str
    squares: tuple[Square, ...]
    tracks: Mapping[int, tuple[tuple[int, ...], ...]]
    waiting: Mapping[int, tuple[Place, ...]]
    home: Place
    enclosure: int = 0
    has_diagonals: bool = False
    joint_marks: tuple[tuple[int, ...], ...] = ()
    home_row: int = 0
    opposite_lag: int = 0

    @property
    def waits_inside(self) -> bool:
        """Whether pieces wait in the central square into which they go out."""
        x, y = next(iter(self.waiting.values()))[0]
        return max(abs(x - self.home[0]), abs(y - self.home[1])) < self.enclosure / 2

    @property
    def steps(self) -> int:
        """Squares of a track; every seat's is equally long."""
        return len(next(iter(self.tracks.values()))[0])

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of players it can seat."""
        return tuple(self.tracks)

    def number(self, name: str) -> int:
        """The place of a square among the squares; raises ValueError."""
        return [square.name for square in self.squares].index(name)


@dataclass(slots=True)
class Draft:
    """A board while it is drawn: squares are added once, by name, and a track is a list of names."""

    squares: dict[str, Square] = field(default_factory=dict)

    def add(self, name: str, x: float, y: float, is_marked: bool = False, width: float = 1) -> str:
        self.squares.setdefault(name, Square(name, x, y, is_marked, width))
        return name

    def numbers(self, names: Iterable[str]) -> tuple[int, ...]:
        places = {name: number for number, name in enumerate(self.squares)}
        return tuple(places[name] for name in names)
