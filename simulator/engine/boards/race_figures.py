"""The spiral and the bent tracks: boards on which every player runs along one line of squares.

Parts of a line are lettered in the order in which they are reached, and the squares of a part are numbered. On the
bent tracks the first seat begins at the left end of the lowest row, the second at the right end.
"""

from simulator.engine.boards.race_crosses import ARMS, LETTERS
from simulator.engine.boards.tracks import Board, Draft, Place


def _clockwise_ring(first: Place, half: int) -> list[Place]:
    """The squares of a ring that lies `half` squares from the middle, clockwise from a square of its own."""
    corners = [(-half, -half), (-half, half), (half, half), (half, -half)]
    ring: list[Place] = []
    for (x, y), (to_x, to_y) in zip(corners, corners[1:] + corners[:1], strict=True):
        ring += [(x + (to_x - x) * i // (2 * half), y + (to_y - y) * i // (2 * half)) for i in range(2 * half)]
    start = ring.index(first)
    return ring[start:] + ring[:start]


def _spiral() -> Board:
    draft = Draft()
    outer = _clockwise_ring((0, -4), 4)
    lowest = [outer[0], *reversed(outer[1:])]  # anticlockwise; its 32nd square turns inwards and back
    for half in (3, 2, 1):
        x, y = lowest[-1]
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
    """The lowest row, entered from its left and from its right end, as far as its middle square, which is marked."""
    half = squares // 2
    names = [draft.add(f"a{1 + i}", i - half, 0, i == half) for i in range(squares)]
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
