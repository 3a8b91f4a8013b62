"""The crosses: four arms of three rows round a central square, and the way from each player's arm round all of them.

Squares have the names of a grid, files from the left and ranks from below. The first seat sits below, the others follow
to the right, which is the way the pieces and the turn go.
"""

from collections.abc import Iterator

from simulator.engine.boards.tracks import Board, Draft, Place

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Which arms are taken by 2, 3 and 4 players, counted to the right from the lowest.
ARMS = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
# A square of an arm: its row as the owner sees it (-1 left, 0 middle, 1 right), and its place from the centre.
Spot = tuple[int, int]


def _turned(place: Place, arm: int) -> Place:
    """A place of the lowest arm, turned into arm number `arm`."""
    x, y = place
    for _ in range(arm):
        x, y = -y, x
    return x, y


def _outer_way(length: int, has_corners: bool) -> Iterator[Place]:
    """The quarter of the outer way from the lowest arm's end to the next arm's: right row, corner, left row."""
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
    """A cross with arms three squares wide and `length` long.

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
