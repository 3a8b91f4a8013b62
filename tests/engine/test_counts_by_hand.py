"""Positions counted from the words alone, in plain Python, where the Ludii program counts otherwise than the engine.

Each game is as small as the turns that are counted allow. What lies on the board is what the engine counts; what is
told apart besides explains the other numbers (`tests.proofs.data`).
"""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from simulator.engine.documents import parse
from tests.proofs.data import counted, games

Row = tuple[int, ...]
Holes = tuple[Row, Row, int, frozenset[int]]  # counters, stores, the mover, and the holes that have once been empty
RING = (0, 1, 2, 3, 7, 6, 5, 4)  # two rows of four, anticlockwise: the lower from left to right, the upper back


def sown(holes: list[int], origin: int, way: int, *, origin_first: bool) -> tuple[int, bool]:
    """Sow a hole one counter at a time; returns where the last fell, and whether the hole was empty on the way."""
    place, emptied = RING.index(origin), False
    for number in range(holes[origin]):
        holes[origin] -= 1
        emptied |= holes[origin] == 0
        place = (place + way * (number > 0 or not origin_first)) % 8
        holes[RING[place]] += 1
    return RING[place], emptied


def gifia(position: Holes) -> Iterator[Holes]:
    """Either direction from one's own half; two or four made are taken, with such holes beside; else one hole beside
    that holds two or four."""
    holes, stores, mover, once_empty = position
    for origin, way in product(((0, 1, 4, 5), (2, 3, 6, 7))[mover], (1, -1)):
        if not holes[origin]:
            continue
        after = list(holes)
        last, emptied = sown(after, origin, way, origin_first=False)
        beside = [hole for hole in (last - 1, last + 1) if 0 <= hole < 8 and hole // 4 == last // 4]
        beside = [hole for hole in beside if after[hole] in (2, 4)]
        choices = [[last, *beside]] if after[last] in (2, 4) else [[hole] for hole in beside] or [[]]
        for taken in choices:
            yield _taken(after, stores, mover, taken, once_empty | ({origin} if emptied else set()))


def oure_ngat(position: Holes) -> Iterator[Holes]:
    """The first counter falls into the hole it came from; whatever then holds two, four or six is taken."""
    holes, stores, mover, once_empty = position
    origins = [hole for hole in range(4 * mover, 4 * mover + 4) if holes[hole]]
    for origin in origins:
        after = list(holes)
        _, emptied = sown(after, origin, 1, origin_first=True)
        taken = [hole for hole in range(8) if after[hole] in (2, 4, 6)]
        yield _taken(after, stores, mover, taken, once_empty | ({origin} if emptied else set()))
    if not origins:
        yield holes, stores, 1 - mover, once_empty


def _taken(holes: list[int], stores: Row, mover: int, taken: list[int], once_empty: frozenset[int]) -> Holes:
    left = tuple(0 if hole in taken else number for hole, number in enumerate(holes))
    gain = sum(holes[hole] for hole in taken)
    gained = tuple(store + gain * (seat == mover) for seat, store in enumerate(stores))
    return left, gained, 1 - mover, once_empty | set(taken)


@pytest.mark.parametrize(("name", "turn", "turns"), [("Gifia", gifia, 4), ("Oure Ngat", oure_ngat, 8)])
def test_holes_once_empty_are_told_apart_in_other_counts(
    name: str, turn: Callable[[Holes], Iterator[Holes]], turns: int
) -> None:
    game = games()[f"board/sow/two_rows/{name}"]
    reached: set[Holes] = {((6,) * 8, (0, 0), 0, frozenset())}
    boards, told_apart = [], []
    for _ in range(turns):
        reached = {after for before in reached for after in turn(before)}
        boards.append(len({position[:3] for position in reached}))
        told_apart.append(len(reached))
    assert boards == [positions for positions, *_ in counted(parse(game["document"]), turns)]
    assert told_apart == [positions for positions, *_ in game["counts"][:turns]]
    assert boards[-1] < told_apart[-1]


Point = tuple[int, int]
Pieces = frozenset[tuple[Point, int]]  # where a piece stands, and whose it is


def dama(pieces: Pieces, huffable: frozenset[Point], mover: int) -> Iterator[tuple[Pieces, frozenset[Point]]]:
    """Alquerque, forward or sideways; whoever steps though he could leap may lose the piece before the other moves.

    Nobody is crowned within four turns.
    """
    for huffed in (None, *huffable):
        board = {point: owner for point, owner in pieces if point != huffed}
        mine = [point for point, owner in board.items() if owner == mover]
        leaps, steps = list[tuple[Point, Point, Point]](), list[tuple[Point, Point]]()
        for (x, y), dx, dy in product(mine, (-1, 0, 1), (0, 1 - 2 * mover)):
            near, beyond = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if (dx, dy) == (0, 0) or (dx and dy and (x + y) % 2) or not _is_on(near):
                continue
            if near not in board:
                steps.append(((x, y), near))
            elif board[near] != mover and _is_on(beyond) and beyond not in board:
                leaps.append(((x, y), near, beyond))
        could = {origin for origin, *_ in leaps}
        for origin, over, to in leaps:
            yield _moved(board, mover, origin, to, over), frozenset()
        for origin, to in steps:
            left = could - {origin} | ({to} if origin in could else set())
            yield _moved(board, mover, origin, to), frozenset(left)


def _is_on(point: Point) -> bool:
    return all(0 <= number < 5 for number in point)


def _moved(board: dict[Point, int], mover: int, origin: Point, to: Point, over: Point | None = None) -> Pieces:
    left = {point: owner for point, owner in board.items() if point not in (origin, over)}
    return frozenset({**left, to: mover}.items())


def test_what_may_be_huffed_is_not_seen_on_the_board() -> None:
    game = games()["board/war/leaping/lines/Dama (Alquerque)"]
    start = {(x, y): int(y > 2 or (y == 2 and x < 2)) for x, y in product(range(5), repeat=2) if (x, y) != (2, 2)}
    reached: set[tuple[Pieces, frozenset[Point]]] = {(frozenset(start.items()), frozenset())}
    found = []
    for turn in range(4):
        reached = {after for pieces, huffable in reached for after in dama(pieces, huffable, turn % 2)}
        boards = {pieces for pieces, _ in reached}
        found.append([len(boards), 0, sum(map(len, boards))])
    assert found == game["counts"] == counted(parse(game["document"]), 4)
    assert len(reached) == 595  # where what may be huffed is told apart
