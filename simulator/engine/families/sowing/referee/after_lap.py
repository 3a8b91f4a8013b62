"""What follows a lap in a game with tables, in plain Python: the first row of `after_lap` that fits."""

from collections.abc import Iterator, Sequence

from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.position import Event
from simulator.engine.families.sowing.referee.turn import CHOICE, MOVE_AGAIN, Turn
from simulator.engine.families.sowing.tables import OF_WON_HOLES, SOWN_ON, Row


def fits(turn: Turn, row: Row, last: int, held: int) -> bool:
    """Return whether a row of `after_lap` is about such a last counter. held: what its hole held before it"""
    count = turn.position.holes[last]
    how = row["last"]
    if is_won(turn, last) and row["in"] not in OF_WON_HOLES:
        return False
    if how == "makes" and not (count == held + 1 and count in row["numbers"]):
        return False
    if (how == "empty" and held) or (how == "occupied" and not held):
        return False
    if how in ("odd", "even") and count % 2 != (how == "odd"):
        return False
    return is_in(turn, row, last) and _holds_elsewhere(turn, row, last)


def is_in(turn: Turn, row: Row, hole: int) -> bool:
    """Return whether a hole is where a row says."""
    board, mover, where = turn.position.board, turn.mover, row["in"]
    owner = board.owner[hole]
    if where == "own":
        return owner == mover
    if where == "opposing":
        return owner == 1 - mover
    if where in ("inner", "outer"):
        return owner == mover and (hole in board.inner) == (where == "inner")
    if where == "end":
        return hole in board.ends
    if where == "nobodys":
        return owner == code.NOBODY
    if where in OF_WON_HOLES:
        return turn.position.marks[hole] == code.TIED + (mover if where == "won" else 1 - mover)
    if where == "opposing_or_last":
        last_of_own = turn.position.from_first(mover, turn.position.direction, len(board.own[mover]) - 1)
        return owner == 1 - mover or hole == last_of_own
    return True


def _holds_elsewhere(turn: Turn, row: Row, last: int) -> bool:
    position, board = turn.position, turn.position.board
    facing = [position.holes[hole] for hole in board.facing[last]]
    following = position.holes[board.step(turn.mover, last, position.direction)]
    return bool(
        {
            "always": True,
            "opposite_holds": facing[:1] and facing[0],
            "opposite_empty": facing[:1] and not facing[0],
            "both_opposite_hold": len(facing) > 1 and facing[0] and facing[1],
            "next_holds": following,
            "next_empty": not following,
        }[row["if"]]
    )


def taken(turn: Turn, row: Row, last: int, start: int) -> list[int]:
    """Return the holes that a row takes, those with counters, each once."""
    position, board, mover = turn.position, turn.position.board, turn.mover
    heading = position.direction
    facing = board.facing[last]
    following, before = (board.step(mover, last, way) for way in (heading, -heading))
    beside = [hole for hole in (following, before) if board.row_of(hole) == board.row_of(last) and hole != last]
    found: dict[str, Sequence[int]] = {
        "last": [last],
        "last_counter": [last],
        "last_two": [last],
        "opposite": facing[:1],
        "opposite_outer": facing[1:2],
        "opposite_nearest": [hole for hole in facing if position.holes[hole]][:1],
        "next": [following],
        "beyond": [board.step(mover, following, heading)],
        "opposite_next": board.facing[following][:1],
        "opposite_beyond": board.facing[board.step(mover, following, heading)][:1],
        "before": [before],
        "run_back": list(_run(turn, row, last, -heading)),
        "run_on": list(_run(turn, row, last, heading)),
        "beside": [hole for hole in beside if _is_such(turn, row, hole)],
        "sown_into": [hole for hole in turn.path if hole >= 0 and _is_such(turn, row, hole)],
        "everywhere": [hole for hole in range(board.size) if _is_such(turn, row, hole)],
    }
    holes = [hole for name, holes in found.items() if name in row["take"] for hole in holes]
    return [hole for hole in dict.fromkeys(holes) if position.holes[hole] and may_be_taken(turn, hole, last)]


def is_won(turn: Turn, hole: int) -> bool:
    return turn.position.marks[hole] in (code.TIED, code.TIED + 1)


def may_be_taken(turn: Turn, hole: int, last: int | None = None) -> bool:
    """Return whether a hole is none of those that are never captured. One that was won may be the last one only."""
    if is_won(turn, hole) and hole != last:
        return False
    return bool(turn.position.tables.special.get(hole, {"taken": True})["taken"])


def _is_such(turn: Turn, row: Row, hole: int) -> bool:
    """Return whether a hole is like those that a row takes beside the last one."""
    count = 0 if is_won(turn, hole) else turn.position.holes[hole]
    odd_or_even = row["last"] not in ("odd", "even") or count % 2 == (row["last"] == "odd")
    return bool(count and odd_or_even and (not row["numbers"] or count in row["numbers"]) and is_in(turn, row, hole))


def _run(turn: Turn, row: Row, last: int, heading: int) -> Iterator[int]:
    hole = turn.position.board.step(turn.mover, last, heading)
    while hole != last and _is_such(turn, row, hole):
        yield hole
        hole = turn.position.board.step(turn.mover, hole, heading)


def after_lap(turn: Turn, last: int, held: int, start: int, first_row: int = 0) -> int | str | None:
    """Do what the first row that fits says; returns the hole the lap goes on from, None when the turn has ended, or
    what follows. What was taken to be sown on is then in the turn's hand."""
    rows = turn.position.tables.rows
    for number, row in enumerate(rows[first_row:], first_row):
        if not fits(turn, row, last, held):
            continue
        if row["optional"] or row["one"]:
            if turn.position.holes[last] != held + 1:
                continue
            if len(taken(turn, row, last, start)) > (not row["optional"]):
                turn.position.phase, turn.position.excess = code.CHOOSE, 1 + 16 * last + number
                turn.record("choice", "one" if row["one"] else "", last, "after_lap")
                return CHOICE
        return follow(turn, row, last, start, held)
    turn.end("empty" if held == 0 else "fell", last, "after_lap")
    return None


def follow(turn: Turn, row: Row, last: int, start: int, held: int, only: int | None = None) -> int | str | None:
    """Take what a row takes, or the one hole that the player has chosen of it, and say what follows."""
    position, board = turn.position, turn.position.board
    holes = taken(turn, row, last, start) if only is None else [only]
    goes_on = row["then"] in SOWN_ON
    in_hand = 0
    if holes:
        turn.record("fell", "empty" if held == 0 else "made", last, "after_lap")
    for hole in holes:
        number = position.holes[hole]
        if hole == last and {"last_counter", "last_two"} & set(row["take"]):
            number = min(number, 1 if "last_counter" in row["take"] else 2)
        if goes_on:
            position.holes[hole] -= number
            in_hand += number
            turn.events.append(Event("carried", ("after_lap",), turn.mover, hole, number))
        else:
            owner = board.owner[hole] if row["to"] == "owner" else turn.mover
            turn.take(hole, turn.mover if owner == code.NOBODY else owner, ("after_lap",), number)
    for hole in [*([last] if "last" in row["wins"] else []), *(board.facing[last][: "opposite" in row["wins"]])]:
        if position.marks[hole] == code.ORDINARY:
            position.marks[hole] = code.TIED + turn.mover
            turn.record("win", "", hole, "after_lap")
    if holes and row["extra"] and any(position.holes[hole] for hole in board.own[1 - turn.mover]):
        position.phase, position.excess = code.PICK, row["extra"]
        return CHOICE
    return _where_it_goes_on(turn, row["then"], last, start, in_hand)


def _where_it_goes_on(turn: Turn, then: str, last: int, start: int, in_hand: int) -> int | str | None:
    position, board = turn.position, turn.position.board
    if then == "again":
        turn.record("again", "table", last, "after_lap")
        return MOVE_AGAIN
    if then in SOWN_ON and in_hand:
        if then == "sow_taken_with_last" and position.holes[last]:
            in_hand += position.holes[last]
            turn.events.append(Event("carried", ("after_lap",), turn.mover, last, position.holes[last]))
            position.holes[last] = 0
        turn.hand = in_hand
        return start if then == "sow_taken_from_start" else last
    goes_on = {
        "on_from_last": [last],
        "on_from_next": [board.step(turn.mover, last, position.direction)],
        "on_from_opposite": board.facing[last][:1],
    }.get(then, [])
    for hole in goes_on:
        if position.holes[hole] - turn.rules["leaves_one"] > 0 and not is_won(turn, hole):
            return hole
    turn.end("table", last, "after_lap")
    return None


def take_while_sowing(turn: Turn, hole: int, is_last: bool) -> None:
    """Take a hole that a counter of a lap has brought to a number."""
    position = turn.position
    owner = position.board.owner[hole]
    if not may_be_taken(turn, hole):
        return
    for row in position.tables.passing:
        right_side = row["in"] == "any" or ((owner == turn.mover) == (row["in"] == "own") and owner != code.NOBODY)
        if right_side and (row["last"] or not is_last) and position.holes[hole] in row["numbers"]:
            sower = row["to"] == "sower" or owner == code.NOBODY
            turn.take(hole, turn.mover if sower else owner, ("while_sowing",))
            return
