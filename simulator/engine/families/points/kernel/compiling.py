"""A ruleset's parameters and its board as one array of integers, for the kernel.

A word of text becomes its place in the schema's list, a flag 0 or 1; lists of points become sets. Behind the parameters
stands the geometry: where a piece may step and whom it may jump over, point by point, as sets of bits. The number of
words of a set is the length of a tuple, so that it is a constant of the compiled code: small boards do not pay for
large ones.
"""

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from simulator.engine.boards import bitboard
from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import Board, Row
from simulator.engine.families.points import measures
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import rules as rule
from simulator.engine.families.points.kernel.rules import KEYS
from simulator.engine.families.points.parameters import PROPERTIES
from simulator.engine.families.points.referee import laying, movement, rows
from simulator.engine.families.points.regions import region
from simulator.engine.schemas import as_number
from simulator.engine.tables import row_as_numbers
from simulator.engine.weights import Weigh, weigh

FITTED = weigh("points")

SIDES = ("first", "second")
KINDS = range(3)  # of pieces: the first player's men, the second player's men, kings


def compile_rules(parameters: Mapping[str, Any], weights: Weigh = FITTED) -> tuple[np.ndarray, tuple[int, ...]]:
    """Return (the parameters in schema order, what follows from them, weights, tables; one 0 for each word of a
    set)."""
    board = board_of(parameters)
    numbers = [as_number(parameters[key], PROPERTIES[key]) for key in KEYS]
    hands = [parameters[f"{side}_pieces"] - len(parameters[f"{side}_array"]) for side in SIDES]
    simple = [_is_simple(parameters, seat) for seat in range(2)]
    tables, rows_of_three, by_table, how, lanes, *links = _tables(json.dumps(parameters, sort_keys=True))
    bounded = any(parameters[key] for key in ("repetition", "idle_turns", "turn_limit"))
    words = (0,) * len(bitboard((), len(board.points)))
    every_row, of_seats = rows.every_row(parameters, board), _rows_of_seats(parameters, board)
    most = max(map(_most_rows, of_seats))
    of_seat = len(board.points) * most * len(words)
    ends = parameters["longer_row"] != "counts"
    head = [*numbers, len(board.points), *simple, *how, *hands, bounded, *_ways(board)]
    has_goals = int(any(parameters[f"{side}_goal"] for side in SIDES) or bool(parameters["leader"]))
    head += [most, _rank_bits(board), has_goals, len(every_row)]
    head += [of_seat * (len(of_seats) - 1), of_seat * len(of_seats) * ends, of_seat * len(of_seats) * (1 + ends)]
    plan = [laying.parts(parameters, board, seat) for seat in range(2) if parameters["laying"]]
    head.append(max(map(len, plan), default=0))
    head += [int(movement.is_by_table(parameters)), len(movement.table_rows(parameters, "captures"))]
    head += [0] * 6  # from R_LANES on
    weighs = [weights(measures.kind_of_game(parameters), measures.role(parameters, seat)) for seat in range(2)]
    head += [weight for seat in range(2) for weight in _weights(parameters, seat, weighs[seat])]
    head.append(min(weigh.get("others", 1) for weigh in weighs))
    # The tables in the order in which `layout` looks for them; between those of the board, the points with weights.
    places = list(_sets(board, (_places(board, each) for each in weighs)))
    pens = list(_sets(board, (map(board.number, parameters[f"{side}_shut_in"]) for side in SIDES)))
    parts: list[Sequence[int] | np.ndarray] = [
        head,
        tables,
        places,
        rows_of_three,
        list(_plan(board, plan)),
        pens,
        by_table,
    ]
    parts.append([0] * (-sum(map(len, parts)) % rule.BLOCK))
    head[rule.R_LANES : rule.R_AT_LANES + 1] = lanes.shape[1], sum(map(len, parts))
    head[rule.R_BOARD_KEY : rule.R_SOMES + 1] = zlib.crc32(lanes.tobytes()) + 1, -(-len(board.points) // rule.SOME_BITS)
    for place, seat in enumerate(seat for seat in range(2) if how[seat] == rule.BY_LINKS):
        head[rule.R_AT_LINKS + seat] = sum(map(len, parts)) + lanes.size + place * len(links[0])
    return _aligned([np.array(part, dtype=np.int64) for part in (*parts, lanes.ravel(), *links)]), words


def _aligned(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Join the parts from the beginning of a line of the cache on, so that no vector of `ways` lies across two."""
    room = np.empty(sum(map(len, parts)) + rule.BLOCK, dtype=np.int64)
    first = -room.ctypes.data // room.itemsize % rule.BLOCK
    found: np.ndarray = room[first : first + len(room) - rule.BLOCK]
    np.concatenate(parts, out=found)
    return found


def _is_simple(parameters: Mapping[str, Any], seat: int) -> bool:
    """Return whether men step to the next point, and none of their moves has to be looked at by itself: as where one
    can be forbidden by the row it would form, or since another takes more."""
    one_by_one = parameters["longer_row"] == "forbidden" or parameters["most_captures"] != "off"
    return not one_by_one and bool(parameters[f"{SIDES[seat]}_reach"] == 1)


def _how(parameters: Mapping[str, Any], board: Board, seat: int) -> int:
    """Return how the moves of a player's pieces are counted, as `kernel.rules` names it."""
    is_otherwise = movement.is_by_table(parameters) or parameters["moves_to"] == "vacant"
    if is_otherwise or not _is_simple(parameters, seat):
        return rule.OTHERWISE
    # Of two ways to the same point each would be counted.
    is_single, has_kings = all(map(_is_single, (*board.towards, *board.landings))), parameters["kings"] != "off"
    if is_single and not has_kings and len(board.points) <= 64 and len(_links(board, parameters, seat)) <= 64:
        return rule.BY_LINKS
    if is_single and _both_jump(parameters):
        return rule.BY_WAYS
    if has_kings:
        return rule.OTHERWISE
    return rule.NEAR if movement.captures(parameters, seat) else rule.PLAINLY


def _both_jump(parameters: Mapping[str, Any]) -> bool:
    return parameters["captures_by"] == "both" and all(parameters[f"{side}_reach"] == 1 for side in SIDES)


def _is_single(row: Iterable[int]) -> bool:
    points = [point for point in row if point >= 0]
    return len(points) == len({*points})


def _plan(board: Board, plan: Sequence[list[laying.Part]]) -> Iterator[int]:
    """Yield the parts of each player's laying, as `kernel.laying` reads them."""
    for found in plan:
        for part in (*found, *(found[-1],) * (max(map(len, plan)) - len(found))):
            flags = part.forbids_rows + 2 * (part.moving == laying.INSTEAD) + 4 * (part.moving == laying.ANSWERS)
            yield from (part.begins, part.until, part.at_once, flags)
            yield from bitboard(range(len(board.points)) if part.points is None else part.points, len(board.points))


@lru_cache(256)
def _tables(parameters: str) -> tuple[np.ndarray, ...]:
    """Return the tables that only the parameters, as JSON, decide: one game after another asks for the same."""
    rules = json.loads(parameters)
    board = board_of(rules)
    found = _board_tables(board, rules), _sets(board, rows.every_row(rules, board)), _by_table(board, rules)
    how = [_how(rules, board, seat) for seat in range(2)]
    links = (_table_of_links(board, rules, seat) for seat in range(2) if how[seat] == rule.BY_LINKS)
    return *(np.array(list(part), dtype=np.int64) for part in (*found, how)), _lanes(board, rules), *links


Link = tuple[int, int, int, int]


def _links(board: Board, rules: Mapping[str, Any], seat: int) -> list[Link]:
    """Return what leads a man from one point to another, in the order of moves: (from, 0 for a step, to, over)."""
    found = [(point, 0, to, -1) for point in range(len(board.points)) for to in {*_steps(board, rules, seat, point)}]
    for point in range(len(board.points)) if movement.captures(rules, seat) else ():
        over = {*_jumped(board, rules, seat, point)}
        found += [(point, 1, to, by) for by, to in zip(board.towards[point], board.landings[point], strict=True)
                  if by in over and to >= 0]  # fmt: skip
    return sorted(found)


def _table_of_links(board: Board, rules: Mapping[str, Any], seat: int) -> np.ndarray:
    """Return a player's links as `kernel.ways` looks for them."""
    links = _links(board, rules, seat)
    bits = {number: 1 << number for number in range(len(links))}
    table = [sum(bits[number] for number, link in enumerate(links) if link[1])]
    codes = [(code.JUMP if jumps else code.STEP) + code.FROM * point + to for point, jumps, to, _ in links]
    table += codes + [0] * (rule.LINKS_HEAD - 1 - len(links))
    free = sum(bits[number] for number, link in enumerate(links) if link[3] < 0)
    for first in range(0, len(board.points), rule.SOME_BITS):
        for place in (0, 2, 3):
            for some in range(rule.SOME):
                here = {first + k for k in range(rule.SOME_BITS) if some >> k & 1}
                found = sum(bits[number] for number, link in enumerate(links) if link[place] in here)
                table.append(found | free if place == 3 else found)
    return np.array(table, dtype=np.uint64).view(np.int64)


def _lanes(board: Board, rules: Mapping[str, Any]) -> np.ndarray:
    """Return sets way by way, int64[sets, words of all ways], as `kernel.ways` looks for them; none if nobody jumps.

    From where each kind of piece may step, and jump; for each point what is next, if there is a point behind that;
    for each that point; then, if moves are counted by ways, for each from where it is next, and behind the next.
    """
    points, size = len(board.points), len(bitboard((), len(board.points)))
    led = [way for way in range(board.ways) if any(row[way] >= 0 for row in board.towards)]
    width = -(-len(led) * size // rule.BLOCK) * rule.BLOCK
    if rules["captures_by"] == "off" or movement.is_by_table(rules):
        return np.zeros((0, 0), dtype=np.int64)
    sets = 2 * len(KINDS) + 2 * points + (2 * (points + 1) if _both_jump(rules) else 0)
    found = np.zeros((sets, width), dtype=np.uint64)

    def add(row: int, lane: int, point: int) -> None:
        found[row, size * lane + point // 64] |= np.uint64(1 << point % 64)

    for point in range(points):
        steps = [{*_steps(board, rules, kind, point)} for kind in KINDS]
        for lane, way in enumerate(led):
            to, behind, heading = (table[point][way] for table in (board.towards, board.landings, board.headings))
            for kind in KINDS:
                if to in steps[kind]:
                    add(kind, lane, point)
                if behind >= 0 and _is_allowed(rules["captures"], kind, heading):
                    add(len(KINDS) + kind, lane, point)
            for table, there in enumerate((to if behind >= 0 else -1, behind)):
                if there >= 0:
                    add(2 * len(KINDS) + table * points + point, lane, there)
            for table, there in enumerate((to, behind)):
                if there >= 0 and _both_jump(rules):
                    add(2 * len(KINDS) + 2 * points + 2 * there + table, lane, point)
    return found.view(np.int64)


def _by_table(board: Board, rules: Mapping[str, Any]) -> Iterator[int]:
    """Yield what a table says of captures and leaders, in the order in which `layout` looks for it."""
    if not movement.is_by_table(rules):
        return
    points, kinds = range(len(board.points)), [(seat, leads) for leads in (False, True) for seat in (0, 1)]
    leaders = [movement.leader_of(rules, seat) for seat in (0, 1)]
    for seat, leads in kinds:
        yield from _as_bits(movement.ways_of_steps(rules, board, seat, leads))
    barred = [movement.barred(rules, seat, leads) for seat, leads in kinds]
    yield from (movement.reach_of(rules, seat, leads) for seat, leads in kinds)
    yield from (int(bool(passes)) for _, passes in barred)
    yield from (int(leader is not None and leader["taken"] == "loses") for leader in leaders)
    for row in board.across:
        yield from row
    yield from _sets(board, (stops for stops, _ in barred))
    for column in ("wins_at", "loses_at"):
        yield from _sets(board, (region(rules, leader[column]) if leader else () for leader in leaders))
    yield from _sets(board, ([board.number(leader["at"])] if leader else () for leader in leaders))
    for line in movement.table_rows(rules, "captures"):
        yield from row_as_numbers(line, PROPERTIES["captures"])
        for seat in (0, 1):
            yield from _as_bits(board.ways_in(movement.compass(line["directions"], seat)))
        yield from _sets(board, [region(rules, line["at"]) if line["at"] else points, region(rules, line["against"])])


def _as_bits(ways_of_points: Iterable[Iterable[int]]) -> Iterator[int]:
    return (sum(1 << way for way in ways) for ways in ways_of_points)


def _board_tables(board: Board, parameters: Mapping[str, Any]) -> Iterator[int]:
    points = range(len(board.points))
    arrays = ("first_array", "second_array", "first_crowned_at", "second_crowned_at")
    leaders = {board.number(row["at"]) for row in parameters["leader"]}
    sets = [set(map(board.number, parameters[key])) for key in arrays]
    yield from _sets(board, [points, *(one - leaders for one in sets[:2]), *sets[2:], board.edge])
    yield from _sets(board, (map(board.number, parameters[f"{side}_goal"]) for side in SIDES))
    yield from _sets(board, (_steps(board, parameters, kind, point) for kind in KINDS for point in points))
    yield from _sets(board, (_jumped(board, parameters, kind, point) for kind in KINDS for point in points))
    for table in (board.towards, board.landings, board.onward, [_bearings(board, point) for point in points]):
        for row in table:
            yield from row
    yield from board.ranks
    yield from _sets(board, (ray for rays in board.rays for ray in rays))
    yield from _sets(board, _rows_of_points(parameters, board))
    yield from _sets(board, (ranks for seat in range(2) for ranks in _ranks(board, seat)))


def _weights(parameters: Mapping[str, Any], seat: int, weighs: Mapping[str, int]) -> Iterator[int]:
    """Yield what each feature weighs for a player: nothing where there is no such rule."""
    known = {**weighs, "places": max((weighs[name] for name in weighs if name.startswith(measures.ON)), default=0)}
    present = measures.in_force(parameters, seat)
    return (known.get(name, 0) if name in present else 0 for name in measures.FEATURES)


def _places(board: Board, weighs: Mapping[str, int]) -> set[int]:
    """Return the points that weights name."""
    return {board.number(name.removeprefix(measures.ON)) for name in weighs if name.startswith(measures.ON)}


def _sets(board: Board, sets: Iterable[Iterable[int]]) -> Iterator[int]:
    for members in sets:
        yield from bitboard(members, len(board.points))


def _ranks(board: Board, seat: int) -> Iterator[set[int]]:
    """For each bit of a rank's number, counted from a player's side, yield the points whose rank has it."""
    ahead = [(rank - 1) if seat == 0 else (max(board.ranks) - rank) for rank in board.ranks]
    for bit in range(_rank_bits(board)):
        yield {point for point, rank in enumerate(ahead) if rank >> bit & 1}


def _rank_bits(board: Board) -> int:
    return max(board.ranks).bit_length()


def _rows_of_seats(parameters: Mapping[str, Any], board: Board) -> list[dict[Row, Row]]:
    """Return the rows of each seat, or once those of both."""
    return [rows.rows_of(parameters, board, seat) for seat in range(2 if parameters["home_row"] else 1)]


def _rows_of_points(parameters: Mapping[str, Any], board: Board) -> Iterator[Iterable[int]]:
    """Yield the rows of each seat by point; then, if longer rows are something else, what makes each of them longer."""
    of_seats = _rows_of_seats(parameters, board)
    most = max(map(_most_rows, of_seats))
    for are_ends in (False, True) if parameters["longer_row"] != "counts" else (False,):
        for found in of_seats:
            for point in range(len(board.points)):
                # A row is stored at each of its points without that point, which the piece that just came there fills.
                sets = [beyond if are_ends else {*row} - {point} for row, beyond in found.items() if point in row]
                yield from [*sets, *[()] * (most - len(sets))]


def _most_rows(found: Iterable[Row]) -> int:
    """Return the number of rows through the point that has the most of them."""
    return max(Counter(point for row in found for point in row).values(), default=0)


def may_step(parameters: Mapping[str, Any], kind: int, direction: int) -> bool:
    """Return whether a piece of that kind may step in that direction."""
    return kind == 2 or direction in movement.step_directions(parameters, kind)


def _is_allowed(captures: Any, kind: int, direction: int) -> bool:
    """Return whether a piece of that kind may jump in that direction, where a word says how pieces do."""
    return isinstance(captures, str) and direction in movement.directions_of(captures, kind % 2, kind == 2)


def _steps(board: Board, parameters: Mapping[str, Any], kind: int, point: int) -> Iterator[int]:
    if parameters["nearing"] and kind < 2:
        yield from (board.towards[point][way] for way in movement.ways_of_steps(parameters, board, kind, False)[point])
        return
    for to, heading in zip(board.towards[point], board.headings[point], strict=True):
        if to >= 0 and may_step(parameters, kind, heading):
            yield to


def _jumped(board: Board, parameters: Mapping[str, Any], kind: int, point: int) -> Iterator[int]:
    """Yield the points a piece may jump over from here, if the point beyond is vacant."""
    for over, beyond, heading in zip(board.towards[point], board.landings[point], board.headings[point], strict=True):
        if beyond >= 0 and _is_allowed(parameters["captures"], kind, heading):
            yield over


def _ways(board: Board) -> tuple[int, int, int, int]:
    """Return the first way that any point has, from each to the next, how many there are, and whether lines bend."""
    # On a chequered board only the diagonal directions, the odd ones, have lines: kings then look in half as many.
    diagonal = board.is_compass and all(row[way] < 0 for row in board.towards for way in range(0, 8, 2))
    return (*((1, 2) if diagonal else (0, 1)), board.ways, int(not board.is_compass))


def _bearings(board: Board, point: int) -> list[int]:
    """Return for every other point the way it lies on from here along a line, plus 1; 0 if it lies on none. Where lines
    bend it may lie on several: the one on which it is nearest is told."""
    found, near = [0] * len(board.points), [len(board.points)] * len(board.points)
    for way, ray in enumerate(board.rays[point]):
        for distance, there in enumerate(ray):
            if distance < near[there]:
                found[there], near[there] = way + 1, distance
    return found
