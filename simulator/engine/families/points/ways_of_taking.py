"""Tables of captures and of leaders in a document: their one form, and the rows and columns that can never fire."""

from collections.abc import Iterator, Mapping
from typing import Any

from simulator.engine.boards.figures import board_of
from simulator.engine.boards.points import Board
from simulator.engine.families.points.referee import movement
from simulator.engine.families.points.referee.movement import SEATS
from simulator.engine.families.points.regions import region
from simulator.engine.family import Impossible, Inactive

Rules = Mapping[str, Any]
LEAPING, IN_LINE, BESIDE = ("leap", "land"), ("leap", "enclose", "withdraw", "approach"), ("surround", "shut_in")
AGAINST = ("enclose", *BESIDE)
# The manners for which a column means something.
FOR = {"number": IN_LINE, "over": ("leap",), "against": AGAINST}


def canonical(rules: Rules) -> dict[str, Any]:
    """Bring directions and the two tables into their one form: no table is the word that is off, and directions that
    every line of the board has are no restriction."""
    board = board_of(rules)
    found = {**rules}
    lines = {heading for headings in board.headings for heading in headings if heading >= 0}
    level = {heading for heading in lines if heading in movement.ORTHOGONAL}
    for key in ("first_steps", "second_steps", "captures"):
        if (rules[key] == "orthogonal" and lines == level) or (rules[key] == "diagonal" and not level):
            found[key] = "any"
        elif rules[key] == "orthogonal_not_back" and lines == level:
            found[key] = "forward_and_sideways"
    if isinstance(rules["captures"], list):
        found["captures"] = [_without_needless(board, row) for row in rules["captures"]] or "any"
    found["leader"] = sorted(
        (_without_needless(board, row) for row in rules["leader"]), key=lambda row: str(row["side"])
    )
    return found


def _without_needless(board: Board, row: dict[str, Any]) -> dict[str, Any]:
    lines = {heading for headings in board.headings for heading in headings if heading >= 0}
    word = row.get("directions", "any")
    needless = word in ("orthogonal", "diagonal") and lines <= movement.compass(word, 0)
    if needless and "at" in row and "side" in row:
        return {**row, "directions": "any"}
    return {key: value for key, value in row.items() if not (needless and key == "directions")}


def inactive_rules(rules: Rules) -> Iterator[Inactive]:
    """Yield rows and columns that never fire, and why."""
    rows = movement.table_rows(rules, "captures")
    for number, row in enumerate(rows):
        place = f"captures/{number}"
        if why := _why_row_never_fires(rules, rows, number):
            yield place, why
        else:
            yield from ((f"{place}/{column}", why) for column, why in _columns(rules, row))
    for number, row in enumerate(movement.table_rows(rules, "leader")):
        if set(region(rules, row["loses_at"])) <= set(region(rules, row["wins_at"])):
            yield f"leader/{number}/loses_at", "never fires: it wins on all of these points"
        if not row["enters"]:
            yield f"leader/{number}/passed", "never fires where no region is its own"
        if not any(takes(rules, 1 - SEATS.index(row["side"]), "leader")):
            yield f"leader/{number}/taken", "never fires: nothing takes this leader"


def takes(rules: Rules, seat: int, which: str) -> Iterator[bool]:
    """Yield for each row whether pieces of that seat take such pieces by it; removals for rows take any."""
    yield any(rules[key].startswith("remove") for key in ("line_laying", "line_moving"))
    for row in movement.table_rows(rules, "captures"):
        yield row["by"] in ("both", SEATS[seat]) and row["of"] in ("any", which)


def _why_row_never_fires(rules: Rules, rows: list[dict[str, Any]], number: int) -> str:
    row = rows[number]
    by = [seat for seat in (0, 1) if row["by"] in ("both", SEATS[seat])]
    if row["with"] == "leader" and not any(movement.leader_of(rules, seat) for seat in by):
        return "never fires: who takes so has no leader"
    if row["of"] == "leader" and not any(movement.leader_of(rules, 1 - seat) for seat in by):
        return "never fires: the other player has no leader"
    if row in rows[:number]:
        return f"never fires: row {rows.index(row) + 1} says the same"
    board = board_of(rules)
    ways = board.ways_in(movement.compass(row["directions"], by[0]))
    if not any(ways):
        return f"never fires: the board {board.name} has no lines in these directions"
    if row["manner"] == "leap" and not any(
        len(board.rays[at][way]) > 1 for at, some in enumerate(ways) for way in some
    ):
        return f"never fires: no line of the board {board.name} is long enough to leap"
    return ""


def _columns(rules: Rules, row: dict[str, Any]) -> Iterator[Inactive]:
    for column, manners in FOR.items():
        if row["manner"] not in manners:
            yield column, f"never fires for {row['manner']}: only for {', '.join(manners)}"
    by = [seat for seat in (0, 1) if row["by"] in ("both", SEATS[seat])]
    if not any(movement.leader_of(rules, seat) for seat in by):
        yield "with", "never fires: who takes so has no leader"
    if row["of"] == "men" and not any(movement.leader_of(rules, 1 - seat) for seat in by):
        yield "of", "never fires: the other player has no leader"
    if row["of"] == "nothing":
        yield from ((column, "never fires where nothing is taken") for column in ("at", "then"))


def problems(rules: Rules, board: Board) -> Iterator[Impossible]:
    """Refuse what a key and a table would both say, rows that could not be played, and leaders that stand nowhere."""
    rows, leaders = movement.table_rows(rules, "captures"), rules["leader"]
    if rows and rules["captures_by"] != "off":
        yield "captures_by", "say it in captures_by or in captures, not in both", "off"
    elif leaders and rules["captures_by"] != "off":
        yield "captures_by", "beside a leader the table captures says who captures", "off"
    elif movement.is_by_table(rules) and rules["kings"] != "off":
        yield "kings", "no piece is crowned beside a leader or a table of captures", "off"
    elif movement.is_by_table(rules) and rules["longer_row"] == "forbidden":
        yield "longer_row", "is not forbidden beside a leader or a table of captures", "counts"
    elif movement.is_by_table(rules) and rules["line_passed"] != "off":
        yield "line_passed", "is not played beside a leader or a table of captures", "off"
    for number, row in enumerate(rows):
        yield from _row_problems(rows, number, row, board)
    for number, row in enumerate(leaders):
        array = rules[f"{row['side']}_array"]
        if row["at"] not in array:
            near = array[0] if array else None
            yield f"leader/{number}/at", f"no piece of the {row['side']} player begins on {row['at']}", near
        elif any(row["side"] == other["side"] for other in leaders[:number]):
            yield f"leader/{number}/side", f"the {row['side']} player has one leader already", None
        elif rules["nearing"] and row.get("reach", 0) > 1:
            yield f"leader/{number}/reach", "cannot be more than 1 where steps keep near", 1


def _row_problems(rows: list[dict[str, Any]], number: int, row: dict[str, Any], board: Board) -> Iterator[Impossible]:
    place = f"captures/{number}"
    if row["of"] == "nothing" and row["manner"] != "leap":
        yield f"{place}/of", f"nothing is taken by leaps alone, not where pieces {row['manner']}", "any"
    if row["over"] == "own" and row["of"] != "nothing":
        yield f"{place}/of", "a leap over one's own pieces takes nothing", "nothing"
    if row["manner"] == "leap" and not board.is_single and (row["number"] != "one" or board.forks):
        yield f"{place}/manner", f"on the board {board.name} two leaps may lead from a point to another", "enclose"
    if row["manner"] in ("withdraw", "approach"):
        other = "approach" if row["manner"] == "withdraw" else "withdraw"
        if any(one["manner"] == other and _share(one, row) for one in rows[:number]):
            yield f"{place}/manner", "a step could take both ways, and nobody could choose", other


def _share(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether pieces of one player take by both rows."""
    return one["by"] == other["by"] or "both" in (one["by"], other["by"])
