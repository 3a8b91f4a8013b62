"""Where a piece may go along the lines of the board. Plain Python, for the referee."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simulator.engine.boards.points import EAST, NORTH, NORTH_EAST, NORTH_WEST, WEST, Board, opposite
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee.laying import by_plan
from simulator.engine.families.points.referee.rows import SEATS as SEATS
from simulator.engine.families.points.referee.rows import Rules as Rules
from simulator.engine.families.points.referee.rows import is_too_long
from simulator.engine.families.points.regions import region
from simulator.engine.schemas import schema
from simulator.engine.tables import ROWS, columns_of, kind_of, write_place

ALL_DIRECTIONS = frozenset(range(8))
SIDEWAYS = frozenset({EAST, WEST})
UP = frozenset({NORTH_EAST, NORTH, NORTH_WEST})
FORWARD = (UP, frozenset(map(opposite, UP)))
ORTHOGONAL = frozenset({EAST, NORTH, WEST, opposite(NORTH)})
TABLES = {key: columns_of(spec) for key, spec in schema("points")["properties"].items() if kind_of(spec) == ROWS}


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump to a point, over an opposing piece, along a way of the board."""

    to: int
    over: int
    direction: int


def captures(rules: Rules, seat: int) -> bool:
    """Return whether pieces of that seat capture by jumping, as `captures_by` says."""
    return rules["captures_by"] in ("both", SEATS[seat])


def takes(rules: Rules, seat: int) -> bool:
    """Return whether pieces of that seat take in any way."""
    return captures(rules, seat) or any(
        row["by"] in ("both", SEATS[seat]) and row["of"] != "nothing" for row in table_rows(rules, "captures")
    )


def table_rows(rules: Rules, key: str) -> list[dict[str, Any]]:
    """Return the rows of a table with all their columns; none where the parameter is a word."""
    off = {name: column.get("default") for name, column in TABLES[key].items()}
    return [{**off, **row} for row in rules[key]] if isinstance(rules[key], list) else []


def leader_of(rules: Rules, seat: int) -> dict[str, Any] | None:
    """Return what the table says of a player's leader."""
    return next((row for row in table_rows(rules, "leader") if row["side"] == SEATS[seat]), None)


def leader_place(rules: Rules, seat: int, *column: str) -> str:
    """Return the place of a player's leader, or of a column of it, as events tell it."""
    row = next(number for number, row in enumerate(rules["leader"]) if row["side"] == SEATS[seat])
    return write_place(("leader", row, *column))


def is_by_table(rules: Rules) -> bool:
    """Return whether a table says how pieces take, or that one of them is a leader."""
    return isinstance(rules["captures"], list) or bool(rules["leader"])


def barred(rules: Rules, seat: int, is_leader: bool) -> tuple[frozenset[int], frozenset[int]]:
    """Return the points on which such a piece may not stop, and those of them that it may pass over."""
    stops, passes = set[int](), set[int]()
    for row in table_rows(rules, "leader"):
        if row["enters"] and not (is_leader and row["side"] == SEATS[seat]):
            points = region(rules, row["enters"])
            stops |= points
            passes |= points if row["passed"] else set()
    return frozenset(stops), frozenset(passes)


def chain_key(rules: Rules, position: Position, seat: int, point: int) -> str:
    """Return the parameter that says how the piece there goes on once it has jumped: kings can have one of their
    own."""
    is_king = point in position.kings[seat]
    return "king_chain" if is_king and rules["king_chain"] != "as_men" else "chain"


def chain_rule(rules: Rules, position: Position, seat: int, point: int) -> str:
    """Return whether the piece there, once it has jumped, may or must go on."""
    return str(rules[chain_key(rules, position, seat, point)])


def flies(rules: Rules, position: Position, seat: int) -> bool:
    """Return whether pieces of that seat may step to any vacant point now."""
    return bool(rules["moves_to"] == "vacant" or position.count(seat) <= rules["flies_at"])


def steps(rules: Rules, board: Board, position: Position, seat: int, point: int) -> list[int]:
    """Return the points the piece may step to, ascending."""
    own = position.pieces(seat) - {point}
    return [to for to in _steps(rules, board, position, seat, point) if not is_too_long(rules, board, seat, own, to)]


def _steps(rules: Rules, board: Board, position: Position, seat: int, point: int) -> list[int]:
    if is_by_table(rules):
        return _steps_by_table(rules, board, position, seat, point)
    if flies(rules, position, seat):
        return position.vacant()
    is_king = point in position.kings[seat]
    reach = len(board.points) if is_king and rules["kings"] == "flying" else rules[f"{SEATS[seat]}_reach"]
    ways = board.ways_in(ALL_DIRECTIONS)[point] if is_king else ways_of_steps(rules, board, seat, False)[point]
    standing, beside = _standing(position), board.towards[point]
    if reach == 1:
        return sorted([beside[way] for way in ways if beside[way] not in standing])
    return sorted({to for way in ways for to in _vacant_ahead(board.rays[point][way], standing, reach)})


def _steps_by_table(rules: Rules, board: Board, position: Position, seat: int, point: int) -> list[int]:
    """Return the same where there is a leader, or a region that others may not enter."""
    is_leader = point in position.kings[seat]
    stops, passes = barred(rules, seat, is_leader)
    if flies(rules, position, seat):
        return [to for to in position.vacant() if to not in stops]
    ways = ways_of_steps(rules, board, seat, is_leader)[point]
    standing, reach = _standing(position) | (stops - passes), reach_of(rules, seat, is_leader)
    return sorted({to for way in ways for to in _vacant_ahead(board.rays[point][way], standing, reach)} - stops)


def reach_of(rules: Rules, seat: int, is_leader: bool) -> int:
    """Return how many points a man, or the leader, may go along a line."""
    own = leader_of(rules, seat) if is_leader else None
    return int((own and own["reach"]) or rules[f"{SEATS[seat]}_reach"])


def ways_of_steps(rules: Rules, board: Board, seat: int, is_leader: bool) -> tuple[tuple[int, ...], ...]:
    """Return for each point the ways on which a man, or the leader, steps from it."""
    rows = table_rows(rules, "nearing")
    near = tuple(region(rules, row["of"]) for row in rows if row["by"] in ("both", SEATS[seat]))
    return board.ways_in(directions_of_steps(rules, seat, is_leader), near)


def directions_of_steps(rules: Rules, seat: int, is_leader: bool) -> frozenset[int]:
    """Return the compass directions in which a man, or the leader, steps."""
    own = leader_of(rules, seat) if is_leader else None
    return (
        step_directions(rules, seat)
        if own is None or own["directions"] == "as_men"
        else compass(own["directions"], seat)
    )


def step_directions(rules: Rules, seat: int) -> frozenset[int]:
    """Return the compass directions in which a man of that seat steps."""
    return compass(rules[f"{SEATS[seat]}_steps"], seat)


def compass(word: str, seat: int) -> frozenset[int]:
    """Return the compass directions that a word means for a player."""
    return {
        "any": ALL_DIRECTIONS,
        "orthogonal": ORTHOGONAL,
        "diagonal": ALL_DIRECTIONS - ORTHOGONAL,
        "orthogonal_not_back": (FORWARD[seat] | SIDEWAYS) & ORTHOGONAL,
        "forward": FORWARD[seat],
        "forward_and_sideways": FORWARD[seat] | SIDEWAYS,
    }[word]


def jump_directions(rules: Rules, seat: int, is_king: bool = False) -> frozenset[int]:
    """Return the compass directions in which a man of that seat jumps, or a king."""
    return directions_of(rules["captures"], seat, is_king)


def directions_of(word: str, seat: int, is_king: bool) -> frozenset[int]:
    """Return the compass directions that a word for jumps means for a man, or for a king: it jumps backward too."""
    if is_king:
        word = "any" if word.startswith("forward") else word.removesuffix("_not_back")
    return compass(word, seat)


def _standing(position: Position) -> set[int]:
    """Return the points that are not vacant."""
    return position.men[0].union(position.men[1], position.kings[0], position.kings[1], position.lifted)


def _vacant_ahead(ray: tuple[int, ...], standing: set[int], reach: int) -> tuple[int, ...]:
    """Return the vacant points along a way, up to the first piece and no farther than `reach`."""
    ahead = ray[:reach]
    for distance, to in enumerate(ahead):
        if to in standing:
            return ahead[:distance]
    return ahead


def jumps(rules: Rules, board: Board, position: Position, seat: int, point: int) -> list[Jump]:
    """Return the jumps of the piece there, by ascending point of landing; those it may go on with if it has just
    jumped."""
    if not captures(rules, seat):
        return []
    is_king = point in position.kings[seat]
    ways = board.ways_in(jump_directions(rules, seat, is_king))[point]
    if is_king and position.chain == point and rules["king_turns"] != "anywhere":
        ways = _king_goes_on(rules, board, point, position.chain_direction - 1)
    flying = is_king and rules["kings"] == "flying"
    if not flying:  # then there is something to jump over beside it, and mostly there is nothing
        beside, others = board.towards[point], position.pieces(1 - seat)
        ways = tuple(way for way in ways if beside[way] in others)
    found = [jump for way in ways for jump in _jumps_along(rules, board, position, seat, point, way, flying)]
    return sorted(found, key=lambda jump: jump.to)


def _king_goes_on(rules: Rules, board: Board, point: int, direction: int) -> tuple[int, ...]:
    """Return the ways on which a king that does not turn anywhere, and has come to a point by a jump, may jump on."""
    if rules["king_turns"] == "not_back" or point in board.edge:
        return tuple(way for way in board.ways_in(jump_directions(rules, 0, True))[point] if way != opposite(direction))
    return (direction,)


def _jumps_along(
    rules: Rules, board: Board, position: Position, seat: int, point: int, way: int, flying: bool
) -> Iterator[Jump]:
    standing, ray = _standing(position), board.rays[point][way]
    before = len(_vacant_ahead(ray, standing, len(ray))) if flying else 0
    if before >= len(ray) or not position.has_piece(1 - seat, ray[before]):
        return
    reach = len(ray) if flying and rules["king_lands"] == "any_beyond" else 1
    for to in _vacant_ahead(ray[before + 1 :], standing, reach):
        yield Jump(to, ray[before], way)


def layings(rules: Rules, board: Board, position: Position, seat: int) -> list[int]:
    """Return the points that seat may lay a piece on, ascending."""
    own = position.pieces(seat)
    vacant = [point for point in position.vacant() if not is_too_long(rules, board, seat, own, point)]
    vacant = by_plan(rules, board, position, seat, vacant)
    if not lays_safely(rules, position, seat):
        return vacant
    return [point for point in vacant if not _could_be_taken(rules, board, position, seat, point)] or vacant


def lays_safely(rules: Rules, position: Position, seat: int) -> bool:
    """Return whether the piece that seat lays now must be laid out of reach, if it can."""
    if rules["lay_safe"] == "off" or not captures(rules, 1 - seat):
        return False
    side = SEATS[seat]
    has_laid_none = position.hands[seat] == rules[f"{side}_pieces"] - len(rules[f"{side}_array"])
    return bool(rules["lay_safe"] == "every_piece" or has_laid_none)


def _could_be_taken(rules: Rules, board: Board, position: Position, seat: int, point: int) -> bool:
    # Tried on a copy: what could take the piece depends on all that stands round it.
    laid = position.copy()
    laid.men[seat].add(point)
    other = 1 - seat
    return any(jump.over == point for piece in laid.pieces(other) for jump in jumps(rules, board, laid, other, piece))


def line_is_passed(rules: Rules, board: Board, position: Position) -> bool:
    """Return whether a piece of the first player has passed all of the second player's, who come down the board.

    Pieces that are not on the board stand nowhere: without any there is no line to pass.
    """
    herd = [board.rank(point) for point in position.pieces(1)]
    hunters = [board.rank(point) for point in position.pieces(0)]
    if rules["line_passed"] == "off" or not herd or not hunters:
        return False
    hindmost, farthest = max(herd), max(hunters)
    return hindmost <= farthest if rules["line_passed"] == "level" else hindmost < farthest
