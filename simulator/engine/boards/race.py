"""The boards of race games: named squares, a track for every seat, and the sentence each board was built from.

A track is counted in steps: step 1 is its first square, and two seats may reach one square at different steps. On the
spiral and the bent tracks every player runs along one line of squares; parts of a line are lettered in the order in
which they are reached, and the squares of a part are numbered. On the crosses, four arms of three rows round a central
square, squares have the names of a grid, files from the left and ranks from below; the first seat sits below, and the
others follow to the right, which is the way the pieces and the turn go.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Place = tuple[float, float]

MARK = "marked"  # what the only mark of a named board is called
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Which arms are taken by 2, 3 and 4 players, counted to the right from the lowest.
ARMS = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
# A square of an arm: its row as the owner sees it (-1 left, 0 middle, 1 right), and its place from the centre.
Spot = tuple[int, int]


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
    drawn_marks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    is_drawn: bool = False

    @property
    def marks(self) -> Mapping[str, tuple[int, ...]]:
        """Return the squares of each mark: a drawn board calls its marks by names, the others have one."""
        marked = tuple(number for number, square in enumerate(self.squares) if square.is_marked)
        return self.drawn_marks if self.is_drawn else {MARK: marked} if marked else {}

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
        """Return the place of a square among the squares; raises ValueError."""
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


def _clockwise_ring(first: Place, half: int) -> list[Place]:
    """Return the squares of a ring that lies `half` squares from the middle, clockwise from a square of its own."""
    corners = [(-half, -half), (-half, half), (half, half), (half, -half)]
    ring: list[Place] = []
    for (x, y), (to_x, to_y) in zip(corners, corners[1:] + corners[:1], strict=True):
        # A side has 2 * half squares and ends one before the next corner, which the next side begins with.
        ring += [(x + (to_x - x) * i // (2 * half), y + (to_y - y) * i // (2 * half)) for i in range(2 * half)]
    start = ring.index(first)
    return ring[start:] + ring[:start]


def _spiral() -> Board:
    draft = Draft()
    outer = _clockwise_ring((0, -4), 4)
    lowest = [outer[0], *reversed(outer[1:])]  # anticlockwise; its 32nd square turns inwards and back
    for half in (3, 2, 1):
        x, y = lowest[-1]
        # Of the four neighbours of the last square, the one that lies on the next ring.
        inwards = next(
            place for place in ((x, y + 1), (x, y - 1), (x - 1, y), (x + 1, y)) if max(map(abs, place)) == half
        )
        lowest += _clockwise_ring(inwards, half)
    lowest.append((0, 0))
    tracks = []
    for arm in range(4):
        names = []
        for x, y in lowest:
            for _ in range(arm):
                # A quarter turn about the middle: the arms differ in nothing else.
                x, y = -y, x
            is_marked = x * y == 0 and max(abs(x), abs(y)) in (0, 4)
            names.append(draft.add(f"{LETTERS[int(x) + 4]}{int(y) + 5}", x, y, is_marked))
        tracks.append(names)
    waiting = ((2.5, -5.4), (5.4, 2.5), (-2.5, 5.4), (-5.4, -2.5))
    return Board(
        "spiral_81",
        "Spiral on a board of nine by nine",
        "DLP.Evidence.1399",
        "Pieces move along a spiraling track, starting in an anti-clockwise direction around the outer edges of the "
        "board, then changing to a clockwise direction when reaching the 32nd space in the track, and continuing in "
        "this direction in a spiral pattern until reaching the central square.",
        "The starting square is the first of the 32. Three players leave the left side empty: conjecture.",
        tuple(draft.squares.values()),
        {seats: tuple(draft.numbers(tracks[arm]) for arm in arms) for seats, arms in ARMS.items()},
        {seats: tuple(waiting[arm] for arm in arms) for seats, arms in ARMS.items()},
        (0, 0),
    )


def _row(draft: Draft, squares: int) -> tuple[list[str], list[str]]:
    """Return the lowest row, entered from its left and from its right end, as far as its middle square, which is
    marked."""
    half = squares // 2
    names = [draft.add(f"a{1 + i}", i - half, 0, i == half) for i in range(squares)]
    # Both end with the middle square: the first half as it is, the second from the end backwards.
    return names[: half + 1], names[: half - 1 : -1]


def _pancha() -> Board:
    draft = Draft()
    left, right = _row(draft, 9)
    x, y = 0, 0
    rest = []
    legs = {"b": (0, 1), "c": (1, 0), "d": (0, 1), "e": (-1, 1), "f": (-1, -1)}
    for letter, (right_by, up_by) in legs.items():
        for number in range(1, 6):
            x, y = x + right_by, y + up_by
            rest.append(draft.add(f"{letter}{number}", x, y, number == 5 and letter != "f"))
    return Board(
        "pancha_track",
        "Row of nine and a track of 25 that bends every five",
        "DLP.Evidence.1316",
        "From the central space, a track of 25 spaces, which makes turns every five spaces. It begins vertically, then "
        "to the right, then vertical, then diagonallyup and to the left, then diagonallydown and to the left. The "
        'squares just before the track turns are marked with an "X."',
        "The 25 are counted without the square of the row from which they rise; that square is marked too, which makes "
        "the five houses of the quotation.",
        tuple(draft.squares.values()),
        {2: (draft.numbers([*left, *rest]), draft.numbers([*right, *rest]))},
        {2: ((-5.6, 0), (5.6, 0))},
        (x - 1.4, y - 1),
    )


def _kawade() -> Board:
    draft = Draft()
    left, right = _row(draft, 11)
    stem = [draft.add(f"b{1 + i}", 0, i, i in (4, 11), 2 if i == 4 else 1) for i in range(1, 12)]
    # The side of twelve begins above the row; the stem's fifth square stands in place of the two middle squares below.
    places: list[Place] = [(1.5 + i, 4) for i in range(4)]
    places += [(5.5, 4 + i) for i in range(12)]
    places += [(4.5 - i, 15) for i in range(11)] + [(-5.5, 14 - i) for i in range(11)]
    places += [(-4.5 + i, 4) for i in range(4)]
    marked = {(x, y) for x in (-5.5, 5.5) for y in (4, 9, 10, 15)} | {(-0.5, 15), (0.5, 15)}
    ring = [draft.add(f"c{1 + i}", x, y, (x, y) in marked) for i, (x, y) in enumerate(places)]
    pairs = [((x, 9), (x, 10)) for x in (-5.5, 5.5)] + [((-0.5, 15), (0.5, 15))]
    arc = [
        draft.add(f"d{1 + i}", x, y)
        for i, (x, y) in enumerate([(-1, 11), (-2, 10.7), (-3, 10.2), (-3.4, 9.2), (-3.5, 8.2)])
    ]
    ends = [*stem[3:], *arc]
    # Squares are shared where names are the same: the two tracks meet on the stem, in the ring and at the end.
    left_track = draft.numbers([*left, *stem[:4], *reversed(ring), *ends])
    right_track = draft.numbers([*right, *stem[:4], *ring, *ends])
    return Board(
        "kawade_track",
        "Row of eleven, stem of twelve, square of twelve a side and an arc of five",
        "DLP.Evidence.1684",
        "Teams start on opposite ends of the bottom row of squares, up the vertical line to the square, in opposite "
        "directions around the square, then up the remaining part of the vertical row and down the arc, and off the "
        "board.",
        "The fifth square of the stem is taken to stand in place of the two middle squares of the lowest side, so that "
        "both ways round are equally long; it is trodden before and after the circuit. Who goes round which way is "
        "conjecture.",
        tuple(draft.squares.values()),
        {2: (left_track, right_track), 4: (left_track, right_track) * 2},
        {2: ((-6.8, 0.4), (6.8, 0.4)), 4: ((-6.8, 0.4), (6.8, 0.4), (-6.8, 1.6), (6.8, 1.6))},
        (-3.5, 6.8),
        joint_marks=tuple(draft.numbers(ring[places.index(place)] for place in pair) for pair in pairs),
    )


def _marin() -> Board:
    draft = Draft()
    half = 5
    left, right = _row(draft, 2 * half + 1)
    draft.squares = {
        name: type(square)(name, square.x, square.y, square.x % half == 0) for name, square in draft.squares.items()
    }
    stem = [draft.add(f"b{1 + i}", 0, i, i % half == 0) for i in range(1, 11)]
    ring = []
    for number, (x, y) in enumerate(_clockwise_ring((0, -half), half)[1:], 1):
        is_marked = x % half == 0 and y % half == 0
        ring.append(draft.add(f"c{number}", x, y + 2 * half, is_marked))
    ways = {}
    for letters, side in (("de", -1), ("fg", 1)):
        arm = [draft.add(f"{letters[0]}{i}", side * i, 2 * half) for i in range(1, half)]
        roof = [draft.add(f"{letters[1]}{i}", side * (half - i), 2 * half + i) for i in range(1, half)]
        middle = ring[9] if side < 0 else ring[29]
        ways[side] = [*stem[4:], *arm, middle, *roof, ring[19]]
    left_track = draft.numbers([*left, *stem[:5], *ring, *ways[-1]])
    right_track = draft.numbers([*right, *stem[:5], *reversed(ring), *ways[1]])
    return Board(
        "marin_track",
        "Marin’s figure: row and square of eleven, stem, arms and a roof",
        "DLP.Evidence.1760",
        "Extending to the left and right of this, five more squares on each side. Five squares extend upwards "
        "diagonally from the end of each of these lines, joining at an apex.",
        "The arms are taken to extend from the stem’s upper end, the middle of the square: only then do diagonals of "
        "five squares meet, at the middle of its upper side. The record describes the board but no way over it: the "
        "way (row, stem, round the square, stem, arm, diagonal; each player on his own side) is conjecture, by analogy "
        "with Kawade kelia.",
        tuple(draft.squares.values()),
        {2: (left_track, right_track)},
        {2: ((-6.8, 0), (6.8, 0))},
        (0, 16.6),
    )


SPIRAL, PANCHA, KAWADE, MARIN = _spiral(), _pancha(), _kawade(), _marin()


def _turned(place: Place, arm: int) -> Place:
    """Return a place of the lowest arm, turned into arm number `arm`."""
    x, y = place
    for _ in range(arm):
        x, y = -y, x
    return x, y


def _outer_way(length: int, has_corners: bool) -> Iterator[Place]:
    """Yield the quarter of the outer way from the lowest arm's end to the next arm's: right row, corner, left row."""
    yield 0, -1 - length
    yield from ((1, -1 - place) for place in range(length, 0, -1))
    if has_corners:
        yield 2, -2
    yield from ((1 + place, -1) for place in range(1, length + 1))


def cross(
    name: str,
    title: str,
    record: str,
    sentence: str,
    note: str,
    length: int,
    marked: set[Spot],
    has_corners: bool = False,
    waits_inside: bool = True,
) -> Board:
    """Make a cross with arms three squares wide and `length` long.

    marked:      squares of every arm that bear a cross
    has_corners: whether a marked square stands in each corner between two arms, and on the way; the central square of
                 such a board has diagonals
    waits_inside: whether pieces wait in the central square, whence they enter, and not beside the board
    """
    draft = Draft()
    marks = {_turned((row, -1 - place), arm) for row, place in marked for arm in range(4)}
    marks |= {_turned((2, -2), arm) for arm in range(4)} if has_corners else set()

    def named(place: Place) -> str:
        x, y = int(place[0]), int(place[1])
        return draft.add(f"{LETTERS[x + length + 1]}{y + length + 2}", x, y, place in marks)

    way = [[named(_turned(place, arm)) for place in _outer_way(length, has_corners)] for arm in range(4)]
    tracks = []
    for arm in range(4):
        out = [named(_turned((0, -1 - place), arm)) for place in range(1, length)]
        # The way round begins in the middle of the owner's arm and comes back to it; then the home row leads inwards.
        round_the_board = [square for turn in range(4) for square in way[(arm + turn) % 4]]
        tracks.append([*out, *round_the_board, round_the_board[0], *reversed(out)])
    waiting = tuple(_turned((0, -1.1) if waits_inside else (3.4, -0.5 - length), arm) for arm in range(4))
    return Board(
        name,
        title,
        record,
        sentence,
        note,
        tuple(draft.squares.values()),
        {seats: tuple(draft.numbers(tracks[arm]) for arm in arms) for seats, arms in ARMS.items()},
        {seats: tuple(waiting[arm] for arm in arms) for seats, arms in ARMS.items()},
        (0, 0),
        enclosure=3,
        has_diagonals=has_corners,
        home_row=length,
        # Half of the way round lies between opposite arms.
        opposite_lag=2 * len(way[0]),
    )


CASTLES = cross(
    "cross_8_castles",
    "Cross of arms 3 by 8 with crosses on all rows",
    "DLP.Evidence.828",
    "Crosses are marked on the fifth outer squares from the central enclosure, and on the fourth squares if the middle "
    "rows.",
    "Two players sit at opposite arms and three leave one arm empty: conjecture.",
    8,
    {(-1, 5), (1, 5), (0, 4)},
    waits_inside=False,
)
CROSSES = cross(
    "cross_8_crosses",
    "Cross of arms 3 by 8 with crosses on the outer rows",
    "DLP.Evidence.1485",
    "The outer corners of each square are marked with a cross, as are the third and sixth space from the same corner.",
    "The third and sixth spaces are counted from the corner, which is not one of them: the third is then the fifth "
    "from the centre, where the like board of Sokkattan has its cross.",
    8,
    {(row, place) for row in (-1, 1) for place in (8, 5, 2)},
)
PLAIN = cross(
    "cross_8",
    "Cross of arms 3 by 8",
    "DLP.Evidence.1487",
    "Four 3x8 rectangles, arranged in a cross shape around large central square.",
    "The record names no marked square.",
    8,
    set(),
)
CORNERS = cross(
    "cross_4_corners",
    "Cross of arms 3 by 4 with a square in each corner",
    "DLP.Evidence.1486",
    "Four 3x4 rectangles, arranged in a cross shape, with a large central square which has diagonals, and spaces in "
    "the four corners between each arm of the cross.",
    "The way leads over the corner squares, on which pieces cannot be sent back.",
    4,
    set(),
    has_corners=True,
)


BOARDS: dict[str, Board] = {
    board.name: board for board in (CASTLES, CROSSES, PLAIN, CORNERS, SPIRAL, PANCHA, KAWADE, MARIN)
}
