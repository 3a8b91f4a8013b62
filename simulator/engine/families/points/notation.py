"""How points games are written down: moves, boards, what happens in a ply, and how the text is to be read.

A move is `+c3` (laid on c3), `c3-d4` (a step), `c3xe5` (a jump), `xc3` (removed from c3 for a row, or huffed), `pass`,
`stop` or `leave` (what could be huffed).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import BOARDS, NOWHERE, Board
from simulator.engine.ends import ENDLESS
from simulator.engine.families.points import position as code
from simulator.engine.families.points.parameters import pieces
from simulator.engine.families.points.position import Event, Position
from simulator.engine.naming import SEAT_NAMES, EventText, end_in_words
from simulator.engine.referee_playout import Ply

PHASES = ("play", "remove", "go on jumping", "over", "huff or leave")
ENDLESS_WORDS = "neither player can ever move again: the game has no end"
# Boards with equally many points call them alike, so the number of points is enough to name them. Of two, the one with
# fewer lines stands for both.
BY_SIZE = {len(board.points): board for board in reversed(BOARDS.values())}


def _board(position: Position) -> Board:
    return position.board or BY_SIZE[position.points]


def move_name(rules: Mapping[str, Any], position: Position, move: int) -> str:
    """Write a move; different moves of one position have different names."""
    names = _board(position).names
    kind, origin, to = code.read_move(position.points, move)
    if kind in ("lay", "remove"):
        return f"{'+' if kind == 'lay' else 'x'}{names[to]}"
    return f"{names[origin]}{'x' if kind == 'jump' else '-'}{names[to]}" if origin >= 0 else kind


def board_lines(position: Position) -> Iterator[str]:
    """Yield the board with the highest rank above, the files below it, and what is still in hand."""
    board = _board(position)
    across, down = (2, 1) if board.is_chequered else (4, 2)  # characters from a file or rank to the next
    top = max(board.ranks)
    signs: dict[tuple[int, int], str] = {} if board.is_chequered else dict(_lines(board, top))
    for number, (file, rank) in enumerate(zip(board.files, board.ranks, strict=True)):
        # Pieces are written over the lines.
        signs[across * (file - 1), down * (top - rank)] = _sign(position, number)
    ranks = {down * (top - rank): rank for rank in board.ranks}
    for row in range(max(ranks) + 1):
        cells = "".join(signs.get((column, row), " ") for column in range(max(column for column, _ in signs) + 1))
        yield f"{ranks.get(row, ''):>2}  {cells}".rstrip()
    columns = {point.x: across * (file - 1) for point, file in zip(board.points, board.files, strict=True)}
    line = ""
    for x, letters in file_letters(board).items():
        line = line.ljust(columns[x]) + letters
    yield f"    {line}"
    if any(position.hands):
        first, second = position.hands
        own = f"in hand: first player {first}, second player {second}"
        yield f"still to lay, by whoever lays: {first}" if position.has_common_supply else own


def _lines(board: Board, top: int) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the lines between neighbouring points in characters: four to a file and two to a rank."""
    for here, there in board.edges:
        x, y = 4 * (board.files[here] - 1), 2 * (top - board.ranks[here])
        dx, dy = 4 * (board.files[there] - 1) - x, 2 * (top - board.ranks[there]) - y
        # A level line has a sign in every column, the others one in every row.
        parts = abs(dy) or abs(dx)
        sign = "-" if dy == 0 else "|" if dx == 0 else "/" if (dx > 0) != (dy > 0) else "\\"
        for part in range(1, parts):
            yield (x + dx * part // parts, y + dy * part // parts), sign


def file_letters(board: Board) -> dict[int, str]:
    """Return the letters under the board, by x: of every file, or of the lowest rank where a file is no upright
    line."""
    files = {(point.x, point.name.rstrip("0123456789")) for point in board.points}
    if len(files) > len({letters for _, letters in files}):
        lowest = min(point.y for point in board.points)
        files = {(point.x, point.name.rstrip("0123456789")) for point in board.points if point.y == lowest}
    return dict(sorted(files))


def _sign(position: Position, point: int) -> str:
    for seat in (0, 1):
        if point in position.men[seat]:
            return "ox"[seat]
        if point in position.kings[seat]:
            return "OX"[seat]
    return "*" if point in position.lifted else "."


def position_facts(position: Position) -> dict[str, Any]:
    """Describe a position for programs: where the pieces stand, by seat."""
    board = _board(position)
    return {
        "men": [_names(board, men) for men in position.men],
        "kings": [_names(board, kings) for kings in position.kings],
        "taken_standing": _names(board, position.lifted),
        "in_hand": position.hands[:],
        "mover": position.mover,
        "phase": PHASES[position.phase],
        "jumping": None if position.chain is None else board.names[position.chain],
    }


def _names(board: Board, points: set[int]) -> list[str]:
    return [board.names[point] for point in sorted(points)]


def ply_facts(ply: Ply) -> dict[str, Any]:
    """Return what a ply came to, in numbers."""
    return {"taken": list(ply.played.taken)}


def event_facts(ply: Ply, event: Event) -> dict[str, Any]:
    """Describe an event for programs; its points have the names they have in text."""
    names = _board(ply.before).names
    return {
        "kind": event.kind,
        "seat": event.seat,
        "point": None if event.point is None else names[event.point],
        "from": None if event.origin is None else names[event.origin],
        "pieces": event.pieces,
    }


def describe(ply: Ply) -> list[EventText]:
    """Return what happened in a ply, in words."""
    return [EventText(event.kind, _sentence(ply, event), event.keys) for event in ply.played.events]


def _sentence(ply: Ply, event: Event) -> str:
    names = _board(ply.before).names
    who = "nobody" if event.seat is None else f"the {SEAT_NAMES[event.seat]}"
    where = "" if event.point is None else names[event.point]
    origin = "" if event.origin is None else names[event.origin]
    special = ply.before.special
    by_king = f" with {'the' if ply.before.has_leaders else 'a'} {special}" if event.origin in _kings(ply) else ""
    uncrowned = f"; the man is not crowned{origin and f' on {origin}'}" if "crowning" in event.keys else ""
    sentences = {
        "lay": f"{who} lays a piece on {where}",
        "put_aside": _end_of_laying(ply),
        "none_to_lay": f"no piece is left for {who} to lay",
        "step": f"{who} moves{by_king} from {origin} to {where}",
        "jump": f"{who} jumps{by_king} from {origin} to {where}{uncrowned}",
        "capture": f"the {special if event.point in _kings(ply) else 'piece'} on {where} is taken",
        "row": f"{who} forms {'a row' if event.rows == 1 else f'{event.rows} rows'} of {_length(event)} with {where}",
        "removal": f"the piece on {where} is removed",
        "crowning": f"the man on {where} becomes a king",
        "again": f"{who} {'lays' if 'line_laying' in event.keys else 'moves'} again",
        "huff": f"{who} huffs: the piece on {where}, which could have jumped, is taken off the board",
        "leave": f"{who} leaves the piece that could have jumped",
        "stop": f"{who} stops on {where}{uncrowned}",
        "pass": f"{who} {_why_passing(event)} and passes",
    }
    return _ending(ply.played.position, event) if event.kind == "game_end" else sentences[event.kind]


def _length(event: Event) -> str:
    """Return of how many pieces a row is."""
    return {2: "two", 4: "four", 5: "five", 6: "six"}.get(event.pieces, "three")


def _kings(ply: Ply) -> set[int]:
    """Return where kings stood before the ply."""
    kings: list[set[int]] = ply.before.kings
    return kings[0] | kings[1]


def _why_passing(event: Event) -> str:
    return "has no piece left to lay" if event.keys == ("laying_ends",) else "has no move"


def _ending(position: Position, event: Event) -> str:
    """Return why the game is over, and who wins."""
    if position.end == ENDLESS:
        return ENDLESS_WORDS
    reason = _why_it_ends(position, event)
    return f"{reason}: {end_in_words(position.winners)}" if reason else end_in_words(position.winners)


def _why_it_ends(position: Position, event: Event) -> str:
    """Empty where what was told before says it: a row that wins, or a pass that loses."""
    other = 0 if event.seat is None else 1 - event.seat
    reasons = {
        "loses_below": f"the {SEAT_NAMES[other]} has {_left(position.count(other))}",
        "stuck": f"the {SEAT_NAMES[other]} has no move",
        "line_passed": _passed(position),
        "goal": f"a piece of the {SEAT_NAMES[1 - other]} has reached its goal",
        ".taken": f"the leader of the {SEAT_NAMES[other]} is taken",
        ".loses_at": f"the leader of the {SEAT_NAMES[other]} has come to where it loses",
        ".wins_at": f"the leader of the {SEAT_NAMES[1 - other]} has reached its goal",
        "repetition": "the same position stands once more",
        "idle_turns": f"no piece was laid, taken or removed in {position.idle} turns",
        "turn_limit": f"{position.turns} turns have been played",
    }
    return next((why for key, why in reasons.items() if event.keys and event.keys[0].endswith(key)), "")


def _passed(position: Position) -> str:
    """Say where the piece of the first player stands that has passed the pieces of the second, who come down the
    board."""
    rank = _board(position).rank
    farthest, hindmost = (max(map(rank, position.pieces(seat)), default=0) for seat in (0, 1))
    first, second = SEAT_NAMES[:2]
    if farthest > hindmost:
        return f"a piece of the {first} stands behind all pieces of the {second}"
    return f"a piece of the {first} stands level with the hindmost of the {second}"


def _left(count: int) -> str:
    return f"only {_pieces(count)} left" if count else "no piece left"


def _end_of_laying(ply: Ply) -> str:
    """Say that laying is over; and where it ends early, how many pieces each player still has in hand."""
    hands = [count - (seat == ply.seat) for seat, count in enumerate(ply.before.hands)]
    own = () if ply.before.has_common_supply else enumerate(hands)
    aside = [f"the {SEAT_NAMES[seat]} puts aside {_pieces(count)} still in hand" for seat, count in own if count]
    return f"laying is over: {' and '.join(aside)}" if aside else "laying is over"


def _pieces(count: int) -> str:
    return "1 piece" if count == 1 else f"{count} pieces"


NAMES = {
    "triangle_10": "A point is called by its line from the apex, a letter (a is the left, b the middle, c the right "
    "line), and its rank, a number; the apex is b4."
}
BRACKETS = "In brackets behind a sentence: the parameters of the ruleset that made it happen."


def how_to_read(rules: Mapping[str, Any]) -> str:
    """Write a paragraph that explains the board in text, the names of its points, and how moves are written."""
    board = board_of(rules)
    place = "square" if board.is_chequered else "point"
    names = f"A {place} is called by its file, a letter, and its rank, a number."
    moves = ", ".join(_moves(rules, board)).replace(" ", " is ", 1)
    blank = ["The squares that are not played on are left blank."] if board.is_chequered else []
    signs = ", ".join(_signs(rules, place))
    return " ".join(["How to read it.", f"{signs}.", *blank, NAMES.get(board.name, names), f"{moves}.", BRACKETS])


def _signs(rules: Mapping[str, Any], place: str) -> Iterator[str]:
    crowns = rules["kings"] != "off"
    if names := pieces(rules):
        yield f"o marks the {names[0]}"
        yield f"x the {names[1]}"
    else:
        yield f"o is a {'man' if crowns else 'piece'} of the first player"
        yield "x of the second player"
    if crowns:
        yield "O and X are their kings"
    for row in rules["leader"]:
        yield f"{'O' if row['side'] == 'first' else 'X'} the leader of the {row['side']} player"
    if rules["lifted"] == "after_turn":
        yield "* is a piece that is taken and still stands"
    yield f". is a vacant {place}"


def _moves(rules: Mapping[str, Any], board: Board) -> Iterator[str]:
    here, there, beyond = _example(board)
    if any(len(rules[f"{side}_array"]) < rules[f"{side}_pieces"] for side in ("first", "second")):
        yield f"+{here} a piece laid on {here}"
    yield f"{here}-{there} a step from {here} to {there}"
    manners = {row["manner"] for row in rules["captures"]} if isinstance(rules["captures"], list) else set()
    if rules["captures_by"] != "off" or "leap" in manners:
        yield f"{here}x{beyond} a jump from {here} to {beyond}"
    if "land" in manners:
        yield f"{here}x{there} a piece taken on {there} by one from {here}"
    if any(rules[key].startswith("remove") for key in ("line_laying", "line_moving")):
        yield f"x{here} a piece removed from {here}"
    if "may_go_on" in (rules["chain"], rules["king_chain"]):
        yield "stop the choice not to jump on"
    if manners and any(row.get("then") == "may_go_on" for row in rules["captures"]):
        yield "stop the choice not to take any more"
    if rules["huff"]:
        yield f"x{here} a piece huffed on {here}"


def _example(board: Board) -> tuple[str, str, str]:
    """Return the names of three points of the board in a line."""
    names = board.names
    in_line = (
        (names[here], names[there], names[beyond])
        for here, (beside, behind) in enumerate(zip(board.towards, board.landings, strict=True))
        for there, beyond in zip(beside, behind, strict=True)
        if beyond != NOWHERE
    )
    here, there = board.edges[0]
    return next(in_line, (names[here], names[there], names[there]))
