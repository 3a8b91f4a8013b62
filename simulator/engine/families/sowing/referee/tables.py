"""Where a turn may start in a game with tables, and what a player decides within a turn, in plain Python."""

from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.position import Position
from simulator.engine.families.sowing.referee.after_lap import after_lap, fits, follow, taken
from simulator.engine.families.sowing.referee.laps import run_laps, sow
from simulator.engine.families.sowing.referee.turn import CHOICE, END_OF_TURN, Rules, Turn
from simulator.engine.families.sowing.tables import Row, Tables, tables_of

# Starts


def starts(rules: Rules, position: Position, tables: Tables) -> list[int]:
    """Return the holes the mover may start from, as moves: from his left, anticlockwise before clockwise."""
    seat = position.mover
    own = tables.board.own[seat]
    open_holes = _where_turns_start(rules, position, tables)
    found = [
        code.start_move(number, heading)
        for number, hole in enumerate(own)
        if hole in open_holes
        for heading in _headings(rules, position, tables, hole)
        if not (rules["must_feed"] and not _feeds(rules, position, hole, heading))
    ]
    if rules["must_capture"]:
        holes = [(move, own[number], heading) for move in found for number, heading in [code.start_of(move)]]
        found = [move for move, hole, heading in holes if _captures_at_once(rules, position, hole, heading)] or found
    # Asked of the rules, not of the position: who looks for what forbids a move takes rules away.
    openings = tables_of(rules).opening if rules["openings"] else {}
    opening = openings.get((1 + position.remainder // 2, seat), frozenset())
    scripted = [move for move in found if own[code.start_of(move)[0]] in opening]
    return scripted or found


def _where_turns_start(rules: Rules, position: Position, tables: Tables) -> set[int]:
    seat, board = position.mover, tables.board
    lifted = {hole: position.holes[hole] - rules["leaves_one"] for hole in board.own[seat] if not position.marks[hole]}
    found = {hole for hole, counters in lifted.items() if counters > 0}
    if rules["special"]:
        found = {hole for hole in found if _is_open(position, tables, hole)}
        if must := {hole for hole in found if tables.special.get(hole, {}).get("starts") == "must"}:
            return must
    if rules["minimum"]:
        enough = {hole for hole in found if position.holes[hole] >= rules["minimum"]}
        if enough or rules["below_minimum"] == "off":
            found = enough
        elif rules["below_minimum"] == "if_no_other_into_empty":
            heading = position.direction or 1
            found = {hole for hole in found if not position.holes[board.step(seat, hole, heading)]}
    if found and rules["begins_at"] in ("outermost_row", "innermost_row"):
        far = max if rules["begins_at"] == "outermost_row" else min
        wanted = far(_from_the_middle(position, hole) for hole in found)
        return {hole for hole in found if _from_the_middle(position, hole) == wanted}
    if found and rules["begins_at"] == "after_last" and position.short_number:
        hole = position.short_number - 1
        for _ in position.holes:
            hole = board.step(seat, hole, position.direction or 1)
            if hole in found:
                return {hole}
    return found


def _is_open(position: Position, tables: Tables, hole: int) -> bool:
    """Return whether a special hole lets a turn start from it now; others always do."""
    row = tables.special.get(hole)
    return row is None or (row["starts"] != "never" and position.holes[hole] >= row["least"])


def _from_the_middle(position: Position, hole: int) -> int:
    """Return how far a row is from the middle of the board, in halves of a row."""
    return abs(2 * position.board.row_of(hole) - (position.board.rows - 1))


def _headings(rules: Rules, position: Position, tables: Tables, hole: int) -> tuple[int, ...]:
    way = tables.special[hole]["way"] if hole in tables.special and rules["special"] else "usual"
    if way != "usual":
        return {"anticlockwise": (1,), "clockwise": (-1,), "either": (1, -1)}[way]
    if rules["direction"] == "each_turn" or position.direction == 0:
        return (1, -1)
    if rules["backward"] and hole in tables.backward and _captures_at_once(rules, position, hole, -position.direction):
        return (1, -1)
    return (position.direction,)


def _captures_at_once(rules: Rules, position: Position, hole: int, heading: int) -> bool:
    """Return whether the first lap from there takes anything."""
    tried = position.copy()
    tried.direction = heading
    turn = Turn(rules, tried)
    last, held = sow(turn, hole)
    if last is None or last == code.STORE:
        return False
    row = next((row for row in tried.tables.rows if fits(turn, row, last, held)), None)
    return row is not None and bool(taken(turn, row, last, hole))


def _feeds(rules: Rules, position: Position, hole: int, heading: int) -> bool:
    """Return whether a lap from there reaches a hole of an opponent who has nothing, or he has something."""
    other, board = 1 - position.mover, position.board
    if not position.is_row_empty(other):
        return True
    place = hole
    for _ in range(position.holes[hole] - rules["leaves_one"] - rules["origin_first"]):
        place = board.step(position.mover, place, heading)
        if board.owner[place] == other:
            return True
    return False


# Decisions within a turn


def decisions(rules: Rules, position: Position) -> list[int]:
    """Return the moves of a player who may take or leave something, or picks one of the holes that he could take."""
    if position.phase == code.CHOOSE:
        last, row = pending(position)
        if not row["one"]:
            return [code.TAKE, code.LEAVE]
        holes = sorted(taken(Turn(rules, position), row, last, last))
        return [code.PICKED + hole for hole in holes] + [code.LEAVE] * row["optional"]
    return [code.PICKED + hole for hole in position.board.own[1 - position.mover] if position.holes[hole]]


def pending(position: Position) -> tuple[int, Row]:
    """Return what a player decides on: where the last counter fell, and the row that fits it."""
    last, number = divmod(position.excess - 1, 16)
    return last, position.tables.rows[number]


def decide(turn: Turn, move: int) -> str:
    """Do what was decided, and go on with the turn; returns what follows."""
    position = turn.position
    phase, position.phase = position.phase, code.SOW
    if phase == code.PICK:
        left = position.excess - 1
        turn.take(move - code.PICKED, turn.mover, ("after_lap",))
        position.excess = 0
        if left and any(position.holes[hole] for hole in position.board.own[1 - turn.mover]):
            position.phase, position.excess = code.PICK, left
            return CHOICE
        turn.end("captured", None)
        return END_OF_TURN
    (last, row), number = pending(position), (position.excess - 1) % 16
    position.excess = 0
    held = position.holes[last] - 1
    if move == code.LEAVE:
        return run_laps(turn, after_lap(turn, last, held, last, number + 1))
    only = None if move == code.TAKE else move - code.PICKED
    return run_laps(turn, follow(turn, row, last, last, held, only))


def end_is_lost(rules: Rules, position: Position) -> int | None:
    """Return the seat that has lost because it has no counters left; None if none has, or both."""
    if rules["ends"] != "empty_loses":
        return None
    empty = [seat for seat in (0, 1) if position.is_row_empty(seat)]
    return empty[0] if len(empty) == 1 else None
