"""A ruleset's parameters as one array of integers, for the kernel.

A word of text becomes its place in the schema's list, a flag 0 or 1, a list of numbers a set of bits.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.parameters import PROPERTIES
from simulator.engine.families.sowing.tables import Tables, is_tabled, tables_of
from simulator.engine.schemas import as_number
from simulator.engine.tables import row_as_numbers
from simulator.engine.weights import Weigh, weigh

FITTED = weigh("sowing")

# A turn of one lap that passes over no hole always ends. The last one asks for the holes as they were before the turn.
LETTING_A_TURN_RUN = ("relay", "capture_making_then", "pass_over", "short_handed", "unfilled_closed", "palm")
LETTING_A_TURN_RUN += ("en_passant_when",)
# Holes are marked when a round is laid out, and when a last counter ties one.
MARKING = ("next_round", "tied_ends")
MOST_HOLES, MOST_COUNTERS = 16, 127  # on a plain board: a table gives every hole one signed byte

STORE = -1  # as the place of a last counter


def compile_rules(parameters: Mapping[str, Any], weights: Weigh = FITTED) -> np.ndarray:
    """Return int64[TABLE or more]: parameters in schema order, what follows from them, the laps of plain rules or the
    tables of a game that has some."""
    numbers = [as_number(parameters[key], PROPERTIES[key]) for key in rule.KEYS]
    may_be_endless = any(numbers[rule.KEYS.index(key)] for key in LETTING_A_TURN_RUN)
    has_marks = any(numbers[rule.KEYS.index(key)] for key in MARKING)
    numbers += [may_be_endless, has_marks, numbers[rule.R_DIRECTION] >= rule.DIRECTION_CHOSEN_ONCE]
    tabled = is_tabled(parameters)
    around = numbers[rule.R_ROWS] * numbers[rule.R_HOLES_PER_ROW]
    board = [around, int(tabled), int(tabled or numbers[rule.R_LOAN] > 0)]
    if tabled:
        numbers[rule.MAY_BE_ENDLESS] = 1
        weighed = _weights(parameters, weights)
        return np.array([*numbers, 0, 0, *board, *weighed, *_in_numbers(tables_of(parameters))], dtype=np.int64)
    if not is_plain(numbers):
        return np.array([*numbers, 0, 0, *board, *_weights(parameters, weights)], dtype=np.int64)
    row, counters = numbers[rule.R_HOLES_PER_ROW], counters_in_all(numbers)
    table = table_of_laps(row, counters, bool(numbers[rule.R_STORE_SOWN]), bool(numbers[rule.R_ORIGIN_PASSED]))
    head = np.array([*numbers, 1, counters + 1, *board, *_weights(parameters, weights)], dtype=np.int64)
    return np.concatenate((head, table.ravel()))


def _in_numbers(tables: Tables) -> list[int]:
    """Return what stands behind the rules of a game with tables, in the order of `rules`."""
    board = tables.board
    numbers = np.zeros(rule.TABLES_END - rule.TABLE, dtype=np.int64)

    def put(place: int, found: Sequence[int]) -> None:
        numbers[place - rule.TABLE : place - rule.TABLE + len(found)] = found

    put(rule.OWN_COUNT, [len(own) for own in board.own])
    put(rule.OWNER, board.owner)
    put(rule.PLAYED_BY, [sum(1 << seat for seat in (0, 1) if hole in board.own[seat]) for hole in range(board.size)])
    for seat in (0, 1):
        put(rule.OWN + rule.MOST_OWN * seat, board.own[seat])
        put(rule.AFTER + rule.MOST * seat, board.after[seat])
        put(rule.BEFORE + rule.MOST * seat, board.before[seat])
    for number in range(rule.MOST_FACING):
        put(rule.FACING + rule.MOST * number, [(*facing, -1, -1, -1)[number] for facing in board.facing])
    put(rule.FAR, [abs(2 * board.row_of(hole) - (board.rows - 1)) for hole in range(board.size)])
    put(rule.ROW_OF, [board.row_of(hole) for hole in range(board.size)])
    put(rule.IS_END, [hole in board.ends for hole in range(board.size)])
    put(rule.START, tables.start)
    put(rule.BACKWARD, [hole in tables.backward for hole in range(board.size)])
    for (turn, seat), holes in tables.opening.items():
        for hole in holes:
            numbers[rule.OPENING + hole - rule.TABLE] |= 1 << (2 * (turn - 1) + seat)
    ways = PROPERTIES["special"]["items"]["properties"]["way"]["enum"]
    for hole, row in tables.special.items():
        numbers[rule.LEAST + hole - rule.TABLE] = row["least"]
        bits = (row["starts"] == "never", row["starts"] == "must", not row["taken"], row["sown"] == "by_owner")
        kind = sum(flag << place for place, flag in enumerate(bits)) | ways.index(row["way"]) << rule.WAYS
        numbers[rule.KIND + hole - rule.TABLE] = kind
    rows = [row_as_numbers(row, PROPERTIES["after_lap"]) for row in tables.rows]
    passing = [row_as_numbers(row, PROPERTIES["while_sowing"]) for row in tables.passing]
    put(rule.ROWS, [len(rows), *(number for row in rows for number in row)])
    put(rule.PASSINGS, [len(passing), *(number for row in passing for number in row)])
    put(rule.COUNTERS, [tables.counters, tables.turns, tables.turned | tables.kept << 1 | tables.wins << 2])
    found: list[int] = numbers.tolist()
    return found


def _weights(parameters: Mapping[str, Any], weights: Weigh) -> list[int]:
    """Return what each feature weighs, an empty hole nothing: nothing either where there is no such rule."""
    weighs = weights(measures.kind_of_game(parameters), measures.EACH)
    present = measures.in_force(parameters, 0)
    found = {name: weighs.get(name, 0) if name in present else 0 for name in measures.FEATURES}
    owned, store, *others = found.values()
    return [owned + store, owned, 0, *others, weighs.get("others", 1)]


def is_plain(numbers: Sequence[int]) -> bool:
    """Return whether none of the rules is in force that plain ones lack, and every lap can stand in a table."""
    fits = 2 * numbers[rule.R_HOLES_PER_ROW] <= MOST_HOLES and counters_in_all(numbers) <= MOST_COUNTERS
    return fits and not any(numbers[place] for place in rule.ABSENT)


def counters_in_all(numbers: Sequence[int]) -> int:
    return 2 * numbers[rule.R_HOLES_PER_ROW] * numbers[rule.R_COUNTERS_PER_HOLE]


@lru_cache(maxsize=32)
def table_of_laps(row: int, counters: int, store_sown: bool, origin_passed: bool) -> np.ndarray:
    """Return int64[2, 2 * row, counters + 1, ENTRY]: for each direction, hole and hand, what its lap comes to.

    Places are sown in turn, round and round: the store after the last hole of the row from which the lap starts.
    """
    around, hands = 2 * row, np.arange(counters + 1)
    table = np.zeros((2, around, counters + 1, rule.ENTRY), dtype=np.int64)
    increments = table[..., : rule.ENTRY_LAST].view(np.int8)
    for turned, heading in enumerate((1, -1)):
        for start in range(around):
            places = [(start + heading * step) % around for step in range(1, around + (not origin_passed))]
            if store_sown:
                end = start // row * row + (0 if turned else row - 1)
                places.insert((end - start) * heading, STORE)
            for step, place in enumerate(places):
                # Of a hand of h counters, place s gets one for every whole way round, and one more if the rest reaches
                # it: (h + n - 1 - s) // n, for all hands at once.
                sown = (hands + len(places) - 1 - step) // len(places)
                if place == STORE:
                    table[turned, start, :, rule.ENTRY_STORE] = sown
                else:
                    increments[turned, start, :, place] = sown
            # The hand is taken from its hole, which a long lap may have sown again.
            increments[turned, start, :, start] -= hands.astype(np.int8)
            table[turned, start, :, rule.ENTRY_LAST] = np.array(places)[(hands - 1) % len(places)]
    return table
