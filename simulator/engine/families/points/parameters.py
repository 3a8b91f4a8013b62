"""The parameters of the points family, documents that are no game, and who is who in a game that is one.

A document is refused for rules that cannot fire, pieces that do not fit, and ends that hold at the start.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from simulator.engine.boards import figures
from simulator.engine.boards.drawings import WrongFigure
from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import Board
from simulator.engine.ends import DRAW, ENDLESS
from simulator.engine.families.points import laying_plan, regions, ways_of_taking
from simulator.engine.families.points.referee import movement, rows
from simulator.engine.families.points.referee.actions import options, waits
from simulator.engine.families.points.referee.contract import start
from simulator.engine.family import Impossible, Inactive, Need, Rules, WrongTable, ineffective_settings, unmet_needs
from simulator.engine.ruleset import nearest
from simulator.engine.schemas import schema

SCHEMA = schema("points")
PROPERTIES = SCHEMA["properties"]


CAPTURES = ("captures_by", ("first", "second", "both"))
CHAINS = ("chain", ("may_go_on", "must_go_on"))
KINGS = ("kings", ("short", "flying"))
ALONG_LINES = ("moves_to", ("adjacent",))

# (key, the key it needs and the values that let it fire)
NEEDS: tuple[tuple[str, Need], ...] = (
    ("lay_safe", CAPTURES),
    ("first_reach", ALONG_LINES),
    ("second_reach", ALONG_LINES),
    ("first_steps", ALONG_LINES),
    ("second_steps", ALONG_LINES),
    ("nearing", ALONG_LINES),
    ("nearing", ("kings", ("off",))),
    *(("nearing", (f"{side}_reach", (1,))) for side in movement.SEATS),
    ("flies_at", ALONG_LINES),
    ("captures", CAPTURES),
    ("capture_compulsory", CAPTURES),
    ("huff", CAPTURES),
    ("huff", ("capture_compulsory", (False,))),
    ("chain", CAPTURES),
    ("most_captures", ("chain", ("must_go_on",))),
    ("most_captures", ("king_chain", ("as_men", "must_go_on"))),
    ("king_chain", KINGS),
    ("king_chain", CHAINS),
    ("lifted", CHAINS),
    ("king_lands", ("kings", ("flying",))),
    ("king_lands", CAPTURES),
    ("king_turns", KINGS),
    ("king_turns", CHAINS),
    ("crowning", KINGS),
    ("crowning", CHAINS),
    ("first_crowned_at", KINGS),
    ("second_crowned_at", KINGS),
    ("laying_ends", ("supply", ("own",))),
    ("limit_won_by", ("turn_limit", None)),
    *((f"{side}_shut_in", (f"{side}_stuck", ("loses", "loses_after_pass"))) for side in movement.SEATS),
    ("row_lines", ("row_length", None)),
    ("longer_row", ("row_length", None)),
)
LINES = ("line_laying", "line_moving")
OF_HANDS = (
    "supply",
    "laying",
    "laying_ends",
    "laying_leaves",
    "first_move_by",
    "lay_safe",
    "line_laying",
    "stuck_after_laying",
)


def canonical(parameters: dict[str, Any]) -> dict[str, Any]:
    """Bring the board into its one form, and the names of points into those that it gives them; ranges of points, such
    as `a1-e2`, words and names of regions become points. Raises WrongTable."""
    try:
        board, names = figures.read_board(parameters["board"])
    except WrongFigure as wrong:
        place = f"board/{wrong.where}" if wrong.where else "board"
        raise WrongTable([(place, wrong.message, wrong.near)]) from None
    known = regions.read(parameters["regions"], board, names)
    found = {**parameters, "board": figures.canonical(board), "regions": known}
    lists = [*(parameters[key] for key in POINT_LISTS), *parameters["regions"].values()]
    kept = regions.kept(found, lists)
    found["nearing"] = sorted(parameters["nearing"], key=lambda row: (row.get("by", ""), row["of"]))
    found["leader"] = [row | {"at": names.get(row["at"], row["at"])} for row in parameters["leader"]]
    for key in POINT_LISTS:
        found[key] = regions.points_in(parameters[key], board, names, known)
    return ways_of_taking.canonical({**found, "regions": kept})


POINT_LISTS = tuple(f"{side}_{what}" for side in movement.SEATS for what in ("array", "crowned_at", "goal", "shut_in"))


def board_in_words(value: Mapping[str, Any], parameters: Rules) -> str:
    """Say what a board is that is a figure of its own."""
    board = board_of(parameters)
    lines = len(board.lines)
    closed = sum(line[0] == line[-1] for line in board.lines)
    rounds = f", {_counted(closed, 'of them closed', 'of them closed')}" if closed else ""
    return f"The board has {len(board.points)} points, joined by {_counted(lines, 'line', 'lines')}{rounds}."


def _counted(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def inactive_rules(rules: Rules) -> Iterator[Inactive]:
    """Yield every key that never fires while the others are as they are, whatever its own value, and why."""
    yield from _without_hands(rules)
    yield from _inactive_rules(rules)


def problems(rules: Rules) -> list[Impossible]:
    """Return every impossible combination."""
    board = board_of(rules)
    in_vain = ineffective_settings(_inactive_rules(rules), rules, PROPERTIES)
    if found := list(regions.unknown(rules)):
        return found
    found = [*_arrays(rules, board), *ways_of_taking.problems(rules, board), *in_vain]
    found += [*_lines(rules, board), *_ways(rules, board)]
    found = found or [*_supply(rules, board), *_numbers(rules, board), *_kings(rules, board)]
    found = found or [*_hands(rules), *laying_plan.problems(rules, board), *_immobile(rules, board)]
    return found or list(_start(rules, board))


def ends(rules: Rules) -> Iterator[int]:
    """Yield DRAW where a rule draws games, and ENDLESS where both players pass while they have no move."""
    if rules["repetition"] or rules["idle_turns"] or (rules["turn_limit"] and rules["limit_won_by"] == "off"):
        yield DRAW
    if all(rules[f"{side}_stuck"] == "passes" or rules[f"{side}_shut_in"] for side in movement.SEATS):
        yield ENDLESS


OF_A_SIDE = ("pieces", "reach", "steps", "loses_below", "stuck")
OF_PLACES = ("array", "crowned_at", "goal", "shut_in")
ALIKE = {"captures_by": ("off", "both"), "line_by": ("both",), "first_move_by": ("alternate",), "line_passed": ("off",)}
ALIKE |= {"limit_won_by": ("off",)}
TURNS = ((1, 1), (-1, -1), (1, -1))  # the board as it is, turned by half, and mirrored from side to side


def sides_are_alike(rules: Rules) -> bool:
    """Return whether the sides differ in nothing but who begins: the board, turned somehow, has each in the other's
    place."""
    first, second = ([rules[f"{side}_{key}"] for key in OF_A_SIDE] for side in movement.SEATS)
    if first != second or any(rules[key] not in values for key, values in ALIKE.items()):
        return False
    if rules["regions"] or any(row.get("by", "both") != "both" for key in ("laying", "nearing") for row in rules[key]):
        return False
    board = board_of(rules)
    taking = movement.table_rows(rules, "captures")
    if rules["leader"] or any(row["by"] != "both" for row in taking):
        return False
    words = [rules["first_steps"], *([] if taking else [rules["captures"]])]
    ahead = any(word.startswith("forward") or word.endswith("not_back") for word in words)
    ahead |= any(row["directions"].startswith("forward") for row in taking)
    return any(_is_each_other(rules, board, turn) for turn in TURNS[ahead:])  # as it is, both would go one way


def _is_each_other(rules: Rules, board: Board, turn: tuple[int, int]) -> bool:
    xs, ys = ({getattr(point, axis) for point in board.points} for axis in "xy")
    middle = min(xs) + max(xs), min(ys) + max(ys)
    at = {(point.x, point.y): number for number, point in enumerate(board.points)}
    moved = [
        at.get((point.x if turn[0] > 0 else middle[0] - point.x, point.y if turn[1] > 0 else middle[1] - point.y))
        for point in board.points
    ]
    if {frozenset(moved[point] for point in line) for line in board.lines} != {*map(frozenset, board.lines)}:
        return False
    places = [[{board.number(name) for name in rules[f"{side}_{key}"]} for key in OF_PLACES] for side in movement.SEATS]
    return [{moved[point] for point in some} for some in places[0]] == places[1]


def _is_set(rules: Rules, key: str) -> bool:
    return bool(rules[key] != PROPERTIES[key]["default"])


def _off(key: str, message: str) -> Impossible:
    return key, message, PROPERTIES[key]["default"]


def _arrays(rules: Rules, board: Board) -> Iterator[Impossible]:
    for side in movement.SEATS:
        key = f"{side}_array"
        yield from _point_names(rules, board, key)
        yield from _point_names(rules, board, f"{side}_crowned_at")
        yield from _point_names(rules, board, f"{side}_goal")
        yield from _point_names(rules, board, f"{side}_shut_in")
        if len(rules[key]) > rules[f"{side}_pieces"]:
            pieces = rules[f"{side}_pieces"]
            yield key, f"names {len(rules[key])} points for {pieces} pieces", rules[key][:pieces]
    both = sorted(set(rules["first_array"]) & set(rules["second_array"]))
    if both:
        rest = [name for name in rules["second_array"] if name not in both]
        yield "second_array", f"{', '.join(both)} is in the first player's array too", rest


def _point_names(rules: Rules, board: Board, key: str) -> Iterator[Impossible]:
    unknown = [name for name in rules[key] if name not in board.names]
    if unknown:
        free = [name for name in board.names if name not in rules[key]]
        known = [name for name in rules[key] if name in board.names]
        near = [_nearest_point(free, name) for name in unknown if free]
        yield key, f"the board has no point {', '.join(unknown)}", sorted({*known, *near})


def _nearest_point(names: list[str], wanted: str) -> str:
    """Return the fewest files and ranks away, if it is written as a point, else the name spelt most like it."""
    written = re.fullmatch(r"([a-z])(\d{1,3})", wanted)
    if not written:
        return nearest(wanted, names)
    file, rank = ord(written[1]), int(written[2])

    def away(name: str) -> int:
        letters = name.rstrip("0123456789")
        return abs(ord(letters[-1]) + 25 * (len(letters) - 1) - file) + abs(int(name[len(letters) :]) - rank)

    return min(names, key=away)


def _inactive_rules(rules: Rules) -> Iterator[Inactive]:
    yield from regions.unnamed(rules)
    yield from ways_of_taking.inactive_rules(rules)
    by_table = isinstance(rules["captures"], list)
    for key, why in unmet_needs(NEEDS, rules, PROPERTIES):
        if not (by_table and key in ("captures", "capture_compulsory")):
            yield key, why
    board = board_of(rules)
    if not rows.every_row(rules, board):
        yield from ((key, f"the board {board.name} has no rows of {rules['row_length'] or 'three'}") for key in LINES)
    removes = any(rules[key].startswith("remove") for key in LINES)
    if not removes:
        yield "removable", "never fires while no row removes a piece"
    if not any(_is_set(rules, key) for key in LINES):
        yield "line_by", "never fires while no row brings anything"
        kinds = ["corner_rows", "row_squares", "home_row"]
        kinds += (
            []
            if rules["longer_row"] == "forbidden" or laying_plan.forbids_rows(rules)
            else ["row_length", "row_lines", "longer_row"]
        )
        yield from ((key, "never fires while no row brings anything") for key in kinds)
    elif rules["row_length"]:
        yield "corner_rows", "never fires where a row may be part of a line"
    if board.rows() == board.rows("steps_only"):
        yield "corner_rows", f"never fires: the board {board.name} has no lines at the corners"
    if not board.small_squares:
        yield "row_squares", f"never fires: the board {board.name} has no squares of four points"
    if all(rows.rows_of({**rules, "home_row": True}, board, seat) == rows.every_row(rules, board) for seat in (0, 1)):
        yield "home_row", "never fires: no row lies where a player’s pieces stand at the start"
    if not any(rows.every_row(rules, board).values()):
        yield "longer_row", f"never fires: the board {board.name} has no longer rows"
    for seat, side in enumerate(movement.SEATS):
        by_row = removes and rules["line_by"] in ("both", movement.SEATS[1 - seat])
        if not by_row and not movement.takes(rules, 1 - seat):
            yield f"{side}_loses_below", f"never fires: no piece of the {side} player is taken or removed"
    if not (rules["first_goal"] or rules["second_goal"]):
        yield "goal_by", "never fires while no player has a goal"
    yield from _never_nearing(rules, board)
    if rules["first_stuck"] == rules["second_stuck"] == "passes":
        yield "stuck_after_laying", "never fires while both players pass whenever they have no move"


def _never_nearing(rules: Rules, board: Board) -> Iterator[Inactive]:
    """Yield the rows that forbid no step which those before them allow."""
    kinds = [(seat, leads) for seat in (0, 1) for leads in (False, True)]
    ways = [
        [movement.ways_of_steps({**rules, "nearing": rules["nearing"][:rows]}, board, *kind) for kind in kinds]
        for rows in range(len(rules["nearing"]) + 1)
    ]
    for number, (before, after) in enumerate(pairwise(ways)):
        if before == after:
            yield f"nearing/{number}", "never fires: no step that it forbids is left"


def _without_hands(rules: Rules) -> Iterator[Inactive]:
    """Yield the rules about laying where no player has a piece in hand."""
    if all(rules[f"{side}_pieces"] <= len(rules[f"{side}_array"]) for side in movement.SEATS):
        yield from ((key, "never fires: no player has a piece in hand") for key in OF_HANDS)


def _lines(rules: Rules, board: Board) -> Iterator[Impossible]:
    chequered = board.is_chequered
    if rules["captures"] == "forward_and_sideways" and chequered:
        yield "captures", f"the board {board.name} has no lines sideways", "forward"
    for side in movement.SEATS:
        if rules[f"{side}_steps"] == "forward_and_sideways" and chequered:
            yield f"{side}_steps", f"the board {board.name} has no lines sideways", "forward"
    if rules["king_turns"] == "not_back" and not board.is_compass:
        yield _off("king_turns", f"the board {board.name} has lines that eight directions do not tell")
    if rules["king_turns"] == "at_edge" and not chequered:
        yield _off("king_turns", f"the board {board.name} has no edge of squares")


def _ways(rules: Rules, board: Board) -> Iterator[Impossible]:
    """Refuse captures that a move from a point to a point could not tell apart."""
    if rules["kings"] == "flying" and not board.is_single:
        message = f"on the board {board.name} two ways lead from a point to another: a piece cannot fly"
        yield "kings", message, "short"
    elif rules["captures_by"] != "off" and board.forks:
        start, end = (board.names[point] for point in board.forks[0])
        yield _off("captures_by", f"two jumps lead from {start} to {end}: nobody could say which piece is taken")


def _supply(rules: Rules, board: Board) -> Iterator[Impossible]:
    """Check that a common supply has as many pieces as the points leave room for until laying ends."""
    if rules["supply"] == "own":
        return
    room = len(board.points) - rules["laying_leaves"] - sum(len(rules[f"{side}_array"]) for side in movement.SEATS)
    if not rules["laying_leaves"]:
        yield "supply", "cannot be common unless laying_leaves says when laying ends", "own"
    elif rules["lay_safe"] == "first_piece":
        yield "supply", "cannot be common where a player’s first piece has a rule of its own", "own"
    else:
        for side in movement.SEATS:
            if rules[f"{side}_pieces"] != room + len(rules[f"{side}_array"]):
                key, most = f"{side}_pieces", room + len(rules[f"{side}_array"])
                yield key, f"the common supply has {room} pieces: as many as are laid until laying ends", most


def _numbers(rules: Rules, board: Board) -> Iterator[Impossible]:
    points, leaves = len(board.points), rules["laying_leaves"]
    pieces = [rules[f"{side}_pieces"] for side in movement.SEATS]
    arrays = [len(rules[f"{side}_array"]) for side in movement.SEATS]
    if leaves and sum(arrays) >= points - leaves:
        yield "laying_leaves", f"only {points - sum(arrays)} points are vacant at the start", 0
    elif leaves and sum(pieces) <= points - leaves and rules["supply"] == "own":
        yield "laying_leaves", f"never fires: {points - sum(pieces)} points stay vacant anyway", 0
    yield from _room(points, leaves, pieces, arrays)
    for seat, side in enumerate(movement.SEATS):
        if rules[f"{side}_loses_below"] > pieces[seat]:
            yield (
                f"{side}_loses_below",
                f"holds at the start: the {side} player has {pieces[seat]} pieces",
                pieces[seat],
            )
    if rules["row_length"] == 1:
        yield "row_length", "one piece is no row", 3
    if rules["repetition"] == 1:
        yield "repetition", "holds at the start: every position stands for a first time", 2


def _room(points: int, leaves: int, pieces: list[int], arrays: list[int]) -> Iterator[Impossible]:
    """Find more pieces than points; where laying ends early, only what one player could lay alone is too many."""
    if leaves:
        room = [points - leaves - arrays[1 - seat] for seat in (0, 1)]
        crowded = [seat for seat in (0, 1) if pieces[seat] > room[seat]]
    else:
        room = [points - pieces[1 - seat] for seat in (0, 1)]
        crowded = [int(pieces[1] >= pieces[0])] if sum(pieces) > points else []
    for seat in crowded:
        left = max(room[seat], 1)
        yield f"{movement.SEATS[seat]}_pieces", f"the board has {points} points, room for {left} of these pieces", left


def _kings(rules: Rules, board: Board) -> Iterator[Impossible]:
    if rules["kings"] != "off" and not rules["first_crowned_at"] and not rules["second_crowned_at"]:
        yield _off("kings", "no piece is ever crowned: first_crowned_at and second_crowned_at are empty")
    if rules["king_chain"] == rules["chain"]:
        yield _off("king_chain", "says of kings what chain says of every piece")


def _hands(rules: Rules) -> Iterator[Impossible]:
    yield from ineffective_settings(_without_hands(rules), rules, PROPERTIES)
    hands = start(rules).hands
    if not any(hands):
        return
    if rules["laying_ends"] == "either_hand" and not all(hands):
        yield _off("laying_ends", "holds at the start: one player has no piece in hand")
    if _is_set(rules, "lay_safe") and not any(hands[seat] and movement.captures(rules, 1 - seat) for seat in (0, 1)):
        yield _off("lay_safe", "never fires: nobody lays pieces that could be taken")


def _immobile(rules: Rules, board: Board) -> Iterator[Impossible]:
    """Find men of an array that could never move, whatever stands around them."""
    if rules["moves_to"] == "vacant":
        return
    for seat, side in enumerate(movement.SEATS):
        if rules["flies_at"]:
            continue
        fixed = [name for name in rules[f"{side}_array"] if not _can_ever_move(rules, board, seat, board.number(name))]
        if fixed:
            rest = [name for name in rules[f"{side}_array"] if name not in fixed]
            yield f"{side}_array", f"a piece on {', '.join(fixed)} could never move", rest


def _can_ever_move(rules: Rules, board: Board, seat: int, point: int) -> bool:
    if movement.ways_of_steps(rules, board, seat, False)[point]:
        return True
    leader = movement.leader_of(rules, seat)
    is_leader = leader is not None and leader["at"] == board.names[point]
    if movement.is_by_table(rules):
        leaps = any(row["manner"] in ways_of_taking.LEAPING for row in movement.table_rows(rules, "captures"))
        return leaps or bool(movement.ways_of_steps(rules, board, seat, is_leader)[point])
    ways = board.ways_in(movement.jump_directions(rules, seat))[point] if movement.captures(rules, seat) else ()
    return any(len(board.rays[point][way]) > 1 for way in ways)


def _start(rules: Rules, board: Board) -> Iterator[Impossible]:
    """Find ends that hold before the first move."""
    position = start(rules)
    if movement.line_is_passed(rules, board, position):
        behind = not movement.line_is_passed({**rules, "line_passed": "behind"}, board, position)
        yield "line_passed", "holds at the start: the line is passed", "behind" if behind else "off"
    if options(rules, board, position) or waits(rules, position):
        return
    side = movement.SEATS[position.mover]
    key = f"{side}_stuck"
    if _is_set(rules, key):
        yield _off(key, f"holds at the start: the {side} player has no move")
        return
    position.mover = 1 - position.mover
    if not options(rules, board, position) and not waits(rules, position):
        yield "board", "neither player has a move at the start", None


HUNT, ALIGNMENT = ("hunter", "herd"), ("aligner", "blocker")
# What makes a board; and what the pieces of a hunt on it are called in the sources, by seat.
BOARD = ("board", "first_pieces", "second_pieces")
PIECES: Mapping[str, Sequence[str]] = SCHEMA["x-pieces"]


def roles(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the roles of the seats, empty where both are after the same.

    Hunter and herd, where one side only captures or is to be passed; aligner and blocker, where one side's rows win and
    the other's do not.
    """
    if parameters["line_passed"] != "off":
        return HUNT
    takers = [movement.takes(parameters, seat) for seat in (0, 1)]
    if takers[0] != takers[1]:
        return HUNT if takers[0] else HUNT[::-1]
    if "win" in (parameters["line_laying"], parameters["line_moving"]) and parameters["line_by"] != "both":
        return ALIGNMENT if parameters["line_by"] == "first" else ALIGNMENT[::-1]
    return ()


def pieces(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the pieces of a hunt on a board of the records are called, by seat; empty in every other game."""
    board = parameters["board"]
    return tuple(PIECES.get(board, ())) if isinstance(board, str) and roles(parameters) == HUNT else ()


def owners(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the players of such a hunt are called: "owner of the leopards", as Parker has it."""
    return tuple(f"owner of the {name}" for name in pieces(parameters))
