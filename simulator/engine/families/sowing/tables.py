"""The tables of a sowing game, brought into one form, checked, and made ready for both engines.

A ruleset that sets none of `TABLE_KEYS` on the usual board is played as it always was. Under the others a lap is
followed by the rows of `after_lap`; relay and captures that are said by single rules instead become rows here.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from simulator.engine.families.sowing.board import (
    MOST_HOLES,
    MOST_OWN,
    Board,
    NoSuchHole,
    board_of,
    holes_named,
    usual_circuits,
    usual_owners,
    written,
)
from simulator.engine.family import Impossible, Inactive, Rules, WrongTable
from simulator.engine.schemas import schema
from simulator.engine.tables import filled

PROPERTIES = schema("sowing")["properties"]
TABLE_KEYS = (
    *("circuits", "owners", "start", "special", "leaves_one", "origin_first", "minimum", "begins_at", "openings"),
    *("backward", "while_sowing", "after_lap", "ends", "arranged", "must_capture"),
)
PLAIN_COLUMNS = 12  # of a board that needs no tables
# What a last counter does: said by these, or by the rows of `after_lap`.
AFTER_LAP_KEYS = (
    *("relay", "last_empty_ends", "capture_making", "capture_making_side", "capture_making_run", "capture_making_then"),
    *("capture_opposite", "capture_opposite_own_counter", "capture_next"),
)
# What only games without tables know, and what would say the same as a table.
BESIDE_NO_TABLE = (
    *("singles", "pass_over", "grand_slam", "tied_ends", "short_handed", "loan", "en_passant", "palm", "begins_with"),
    *("part_hole_to_richer", "remainder_barred", "remainder_alone_barred", "first_move_from_end"),
)
SOWN_ON = ("sow_taken_after_last", "sow_taken_from_start", "sow_taken_with_last")
SEVERAL = ("run_back", "run_on", "beside", "sown_into", "everywhere")  # each hole of these that holds a number
OF_WON_HOLES = ("won", "lost")
GOING_ON = ("on_from_last", "on_from_next", "on_from_opposite", *SOWN_ON)
Row = Mapping[str, Any]


def is_tabled(rules: Rules) -> bool:
    """Return whether a ruleset is played by its tables."""
    if rules["rows"] != 2 or rules["holes_per_row"] > PLAIN_COLUMNS:
        return True
    return any(rules[key] != PROPERTIES[key]["default"] for key in TABLE_KEYS)


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """What the engines play by.

    start:    counters of each hole at the beginning
    counters: of the whole game
    rows:     those of `after_lap`, every column set
    passing:  those of `while_sowing`, every column set
    opening:  (turn of the player, seat) -> the holes it must start from
    backward: holes that may be sown against the direction
    special:  hole -> what is so of it, every column set
    turned:   whether the hole that is played may set the direction
    kept:     whether some holes are never captured
    wins:     whether some row wins holes
    turns:    how many turns of the game are counted: no rule asks for more
    """

    board: Board
    start: tuple[int, ...]
    counters: int
    rows: tuple[Row, ...]
    passing: tuple[Row, ...]
    opening: Mapping[tuple[int, int], frozenset[int]]
    backward: frozenset[int]
    special: Mapping[int, Row]
    turned: bool
    kept: bool
    wins: bool
    turns: int


READ = ("rows", "holes_per_row", "counters_per_hole", *TABLE_KEYS, *AFTER_LAP_KEYS)


def tables_of(rules: Rules) -> Tables:
    """Return the tables of a ruleset that has some."""
    return _tables(json.dumps({key: rules[key] for key in READ}))


@lru_cache(200)
def _tables(read: str) -> Tables:
    rules = json.loads(read)
    board, shape = board_of(rules), (rules["rows"], rules["holes_per_row"])
    start = [rules["counters_per_hole"]] * board.size
    for row in rules["start"]:
        for hole in holes_named(*shape, row["holes"]):
            start[hole] = row["counters"]
    opening: dict[tuple[int, int], frozenset[int]] = defaultdict(frozenset)
    for row in filled(rules["openings"], PROPERTIES["openings"]):
        for seat in {"each": (0, 1), "first": (0,), "second": (1,)}[row["who"]]:
            opening[row["turn"], seat] |= set(holes_named(*shape, row["holes"]))
    special = {
        hole: row
        for row in filled(rules["special"], PROPERTIES["special"])
        for hole in holes_named(*shape, row["holes"])
    }
    return Tables(
        board,
        tuple(start),
        sum(start) + 2 * rules["arranged"],
        tuple(filled(rules["after_lap"], PROPERTIES["after_lap"]) or rows_of_keys(rules)),
        tuple(filled(rules["while_sowing"], PROPERTIES["while_sowing"])),
        dict(opening),
        frozenset(holes_named(*shape, rules["backward"])),
        special,
        bool(rules["backward"]) or any(row["way"] != "usual" for row in special.values()),
        not all(row["taken"] for row in special.values()),
        any(row.get("wins") for row in rules["after_lap"]),
        2 * max((turn for turn, _ in opening), default=0),
    )


def rows_of_keys(rules: Rules) -> list[Row]:
    """Return the rows that say what the single rules of relay and captures do."""
    found: list[dict[str, Any]] = []
    if rules["capture_making"]:
        made = {
            "last": "makes",
            "numbers": rules["capture_making"],
            "in": "opposing" if rules["capture_making_side"] == "opposing" else "any",
            "take": ["last", *(["run_back"] if rules["capture_making_run"] else [])],
        }
        then = rules["capture_making_then"]
        if then == "next_unless_end_hole":
            found.append({**made, "in": "end"})
        found.append({**made, "then": "end" if then == "end" else "on_from_next"})
    if rules["relay"] == "last":
        found.append({"last": "occupied", "then": "on_from_last"})
    elif rules["relay"] != "off":
        if rules["last_empty_ends"]:
            found.append({"last": "empty"})
        found.append({"if": f"{rules['relay']}_holds", "then": f"on_from_{rules['relay']}"})
        if rules["relay"] == "opposite":
            found[-1]["if"] = "opposite_holds"
        if rules["capture_next"] != "off":
            found.append({"take": ["beyond" if rules["capture_next"] == "beyond_empty" else "opposite_next"]})
    if rules["relay"] in ("off", "last"):
        if rules["capture_opposite"] != "off":
            also = ["last"] if rules["capture_opposite_own_counter"] else []
            side = "own" if rules["capture_opposite"] == "own" else "any"
            found.append({"last": "empty", "in": side, "if": "opposite_holds", "take": [*also, "opposite"]})
        if rules["capture_next"] == "after_empty":
            found.append({"last": "empty", "take": ["next"]})
    filled_rows: list[Row] = filled(found, PROPERTIES["after_lap"])
    return filled_rows


def may_run_on(rules: Rules) -> bool:
    """Return whether a lap or a move may be followed by another of the same turn."""
    rows = tables_of(rules).rows
    return (
        any(row["then"] != "end" or row["optional"] or row["one"] or row["extra"] for row in rows)
        or rules["store_again"]
    )


# Of one form, and without mistakes


def canonical(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters with every list of holes in the one form it has; raises WrongTable."""
    if not is_tabled(parameters):
        return parameters
    shape = parameters["rows"], parameters["holes_per_row"]
    size = shape[0] * shape[1]
    if size > MOST_HOLES:
        near = MOST_HOLES // shape[0]
        raise WrongTable([("holes_per_row", f"a board has at most {MOST_HOLES} holes, not {size}", near)])
    found = dict(parameters)
    found["circuits"] = _ways(shape, parameters["circuits"])
    found["owners"] = _owned(shape, parameters["owners"])
    found["start"] = _start(shape, parameters)
    found["backward"] = _listed(shape, "backward", parameters["backward"])
    found["special"] = _special(shape, parameters["special"])
    found["openings"] = [
        {**row, "holes": _listed(shape, f"openings/{number}/holes", row["holes"])}
        for number, row in enumerate(parameters["openings"])
    ]
    return found


def _holes(shape: tuple[int, int], place: str, words: str | Sequence[str]) -> list[int]:
    try:
        holes = holes_named(*shape, words)
    except NoSuchHole as error:
        raise WrongTable([(place, str(error), None)]) from None
    if len(set(holes)) < len(holes):
        raise WrongTable([(place, "names a hole twice", None)])
    return holes


def _listed(shape: tuple[int, int], place: str, words: Sequence[str]) -> list[str]:
    return written(*shape, _in_order(shape, _holes(shape, place, words))).split()


def _in_order(shape: tuple[int, int], holes: Sequence[int]) -> list[int]:
    """Return holes row by row from the left."""
    order = holes_named(*shape, [f"{letter}1-{letter}{shape[1]}" for letter in "abcdef"[: shape[0]]])
    return sorted(holes, key=order.index)


def _ways(shape: tuple[int, int], words: Sequence[str]) -> list[str]:
    ways = [_holes(shape, f"circuits/{number}", way) for number, way in enumerate(words)]
    # A way that goes round is the same wherever it begins.
    ways = [_from_its_first_hole(shape, way) for way in ways]
    usual = [_from_its_first_hole(shape, way) for way in usual_circuits(*shape)]
    if len(ways) > 2:
        if len(ways) == 3 or any(sorted(ways[seat]) != sorted(ways[seat + 1]) for seat in (0, 2)):
            message = "of more than two ways each player has two, anticlockwise and clockwise through the same holes"
            raise WrongTable([("circuits", message, None)])
        turned = [_from_its_first_hole(shape, way[::-1]) for way in ways]
        ways = ways[::2] if ways[1::2] == turned[::2] else ways
    ways = ways[:1] if len(ways) == 2 and ways[0] == ways[1] else ways
    if shape[0] == 5 and not ways:
        raise WrongTable([("circuits", "no way is usual on five rows: it must be drawn", None)])
    return [] if ways == usual else [written(*shape, way) for way in ways]


def _from_its_first_hole(shape: tuple[int, int], way: list[int]) -> list[int]:
    first = way.index(_in_order(shape, way)[0])
    return way[first:] + way[:first]


def _owned(shape: tuple[int, int], words: Sequence[str]) -> list[str]:
    if len(words) == 1:
        raise WrongTable([("owners", "must name the holes of both players, or of none", None)])
    owned = [_in_order(shape, _holes(shape, f"owners/{seat}", holes)) for seat, holes in enumerate(words)]
    usual = [_in_order(shape, holes) for holes in usual_owners(*shape)]
    for seat, holes in enumerate(owned or usual):
        if not holes or len(holes) > MOST_OWN:
            message = f"a player starts from one hole at least and {MOST_OWN} at most, not from {len(holes)}"
            raise WrongTable([(f"owners/{seat}" if owned else "owners", message, None)])
    return [] if owned == usual else [written(*shape, holes) for holes in owned]


def _start(shape: tuple[int, int], parameters: Rules) -> list[dict[str, Any]]:
    """Return the holes that begin otherwise, those with the same number together, fewer counters first."""
    by_number: dict[int, list[int]] = defaultdict(list)
    named: set[int] = set()
    for number, row in enumerate(parameters["start"]):
        holes = _holes(shape, f"start/{number}/holes", row["holes"])
        if named & set(holes):
            raise WrongTable([(f"start/{number}/holes", "names a hole of another row of the table", None)])
        named |= set(holes)
        if row["counters"] != parameters["counters_per_hole"]:
            by_number[row["counters"]] += holes
    return [
        {"holes": written(*shape, _in_order(shape, by_number[counters])).split(), "counters": counters}
        for counters in sorted(by_number)
    ]


def _special(shape: tuple[int, int], rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the special holes, those that are alike together, in the order of the board."""
    alike: dict[str, list[int]] = defaultdict(list)
    named: set[int] = set()
    for number, row in enumerate(rows):
        holes = _holes(shape, f"special/{number}/holes", row["holes"])
        if named & set(holes):
            raise WrongTable([(f"special/{number}/holes", "names a hole of another row of the table", None)])
        named |= set(holes)
        alike[json.dumps({key: value for key, value in row.items() if key != "holes"}, sort_keys=True)] += holes
    alike.pop("{}", None)
    found = [(_in_order(shape, holes), json.loads(row)) for row, holes in alike.items()]
    names = [f"{letter}1-{letter}{shape[1]}" for letter in "abcdef"[: shape[0]]]
    order = holes_named(*shape, names)
    found.sort(key=lambda one: order.index(one[0][0]))
    return [{"holes": written(*shape, holes).split(), **row} for holes, row in found]


def inactive_rules(rules: Rules) -> Iterator[Inactive]:
    """Yield the rules that no game with tables has, or that the rows of `after_lap` say instead."""
    if is_tabled(rules):
        yield from ((key, "cannot be combined with tables or with this board") for key in BESIDE_NO_TABLE)
    if rules["after_lap"]:
        yield from ((key, f"say it in after_lap or in {key}, not in both") for key in AFTER_LAP_KEYS)


def problems(rules: Rules) -> Iterator[Impossible]:
    """Yield what tables cannot stand beside, and rows that never fire."""
    off = {key: PROPERTIES[key]["default"] for key in PROPERTIES if "default" in PROPERTIES[key]}
    if rules["capture_next_holes"] != 1 or rules["capture_opposite"] != "off" != rules["capture_next"]:
        yield "capture_next", "beside tables or on this board such captures are said in after_lap", "off"
    tables = tables_of(rules)
    usual = tables.board.standard
    for key in ("store_sown", "next_round"):
        if rules[key] != off[key] and not usual:
            yield key, "needs the usual board of two rows", off[key]
    if rules["next_round"] != "off" and (
        rules["start"] or rules["arranged"] or rules["holes_per_row"] > PLAIN_COLUMNS or rules["ends"] != "off"
    ):
        yield "next_round", "further rounds need a game that is counted, with all holes alike", "off"
    if not tables.counters:
        yield "start", "no counters are on the board", []
    gains = rules["store_sown"] or rules["while_sowing"]
    if rules["must_capture"] and (gains or not any(row["take"] for row in tables.rows)):
        yield "must_capture", "needs that something is taken after a lap, and nothing while it is sown", False
    if rules["backward"] and (rules["direction"] not in ("anticlockwise", "clockwise") or gains):
        yield "backward", "needs a direction that is set, and that nothing is gained while a lap is sown", []
    for number, row in enumerate(filled(rules["special"], PROPERTIES["special"])):
        if row["starts"] == "never" and (row["least"] or row["way"] != "usual"):
            yield (
                f"special/{number}/starts",
                "no number and no way is asked of holes that are never started from",
                "usual",
            )
        if row["way"] != "usual" and rules["direction"] == "chosen_once":
            yield f"special/{number}/way", "a direction chosen once is not set by the hole that is played", "usual"
    if rules["idle_turns"] and any(row["then"] in SOWN_ON for row in tables.rows):
        yield "idle_turns", "what is taken to be sown counts as no capture: turns that take would be idle, too", 0
    if rules["leaves_one"] and rules["origin_first"]:
        yield "origin_first", "a lap that leaves one counter does not drop one there, too", False
    yield from _rows(rules, tables)


def _rows(rules: Rules, tables: Tables) -> Iterator[Impossible]:
    seen: list[Row] = []
    for number, row in enumerate(filled(rules["after_lap"], PROPERTIES["after_lap"])):
        place, which = f"after_lap/{number}", {key: row[key] for key in ("last", "in", "if")}
        if any(_covers(earlier, row) for earlier in seen):
            yield place, "never fires: a row above it fits whenever it does; leave this row out", None
        seen.append(row)
        if row == filled([{}], PROPERTIES["after_lap"])[0]:
            yield place, "says nothing: where no row fits, the turn ends; leave this row out", None
        if (which["last"] == "makes") > bool(row["numbers"]):
            yield f"{place}/numbers", "must list the numbers that are made", [2]
        chosen = set(SEVERAL) & set(row["take"])
        if row["numbers"] and row["last"] != "makes" and not chosen:
            yield f"{place}/numbers", "never fires unless last is makes, or holes are taken by their numbers", []
        taking = [name for name in ("optional", "one", "extra") if row[name]] + (["to"] if row["to"] == "owner" else [])
        for name in taking if not row["take"] else ():
            yield f"{place}/{name}", "never fires unless something is taken", PROPERTIES_OF_ROW[name]["default"]
        if row["then"] in SOWN_ON and not row["take"]:
            yield f"{place}/then", "nothing is taken that could be sown", "end"
        if row["then"] in SOWN_ON and row["to"] == "owner":
            yield f"{place}/to", "what is taken is sown", "sower"
        if row["extra"] and row["then"] != "end":
            yield f"{place}/then", "holes of his choice are taken at the end of a turn", "end"
        for name in ("optional", "one"):
            if row[name] and ("sown_into" in row["take"] or row["then"] == "sow_taken_from_start"):
                yield f"{place}/{name}", "what depends on the whole lap is not offered afterwards", False
        if row["one"] and ((len(row["take"]) == 1 and not chosen) or row["extra"]):
            yield f"{place}/one", "needs a row that takes several holes, and no more of his choice", False
        if row["in"] in OF_WON_HOLES and not any(one.get("wins") for one in rules["after_lap"]):
            yield f"{place}/in", "never fires while no row wins a hole", "any"
        if row["extra"] and any(one.get("wins") for one in rules["after_lap"]):
            yield f"{place}/extra", "holes of his choice cannot be taken where holes are won", 0
        if len(rules["circuits"]) > 2 and {"before", "run_back"} & set(row["take"]):
            yield f"{place}/take", "what lies before a hole needs one way a player, sown to and fro", []
        if row["optional"] and row["if"] == "always" and row["last"] == "any" and len(rules["after_lap"]) == 1:
            continue
        far = "opposite_outer" in row["take"] or row["if"] == "both_opposite_hold"
        if far and tables.board.rows < 4:
            yield place, "no hole lies behind the one opposite on this board", None
        if _looks_across(row) and not any(tables.board.facing):
            yield place, "no hole lies opposite on this board", None


PROPERTIES_OF_ROW = PROPERTIES["after_lap"]["items"]["properties"]


def _looks_across(row: Row) -> bool:
    return (
        "opposite" in row["if"]
        or row["then"] == "on_from_opposite"
        or any("opposite" in one for one in (*row["take"], *row["wins"]))
    )


def _covers(earlier: Row, row: Row) -> bool:
    """Return whether a row fits whenever another does. One that may be left lets those below it fire."""
    if earlier["optional"] or (earlier["in"] in OF_WON_HOLES) != (row["in"] in OF_WON_HOLES):
        return False
    same = all(earlier[key] in (row[key], PROPERTIES_OF_ROW[key]["default"]) for key in ("in", "if"))
    if earlier["last"] == "makes" == row["last"]:
        return same and set(row["numbers"]) <= set(earlier["numbers"])
    return same and earlier["last"] in ("any", row["last"])
