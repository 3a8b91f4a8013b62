"""Where a piece may go along the lines of the board. Plain Python, for the referee."""

from collections.abc import Iterator
from dataclasses import dataclass

from simulator.engine.boards.points import EAST, NORTH, NORTH_EAST, NORTH_WEST, WEST, Board, opposite
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee.laying import by_plan
from simulator.engine.families.points.referee.rows import SEATS as SEATS
from simulator.engine.families.points.referee.rows import Rules as Rules
from simulator.engine.families.points.referee.rows import is_too_long

ALL_DIRECTIONS = frozenset(range(8))
SIDEWAYS = frozenset({EAST, WEST})
UP = frozenset({NORTH_EAST, NORTH, NORTH_WEST})
FORWARD = (UP, frozenset(map(opposite, UP)))


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump to a point, over an opposing piece, along a way of the board."""

    to: int
    over: int
    direction: int


def captures(rules: Rules, seat: int) -> bool:
    """Return whether pieces of that seat capture."""
    return rules["captures_by"] in ("both", SEATS[seat])


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
    if flies(rules, position, seat):
        return position.vacant()
    is_king = point in position.kings[seat]
    reach = len(board.points) if is_king and rules["kings"] == "flying" else rules[f"{SEATS[seat]}_reach"]
    ways = board.ways_in(ALL_DIRECTIONS if is_king else step_directions(rules, seat))[point]
    standing, beside = _standing(position), board.towards[point]
    if reach == 1:
        return sorted([beside[way] for way in ways if beside[way] not in standing])
    return sorted({to for way in ways for to in _vacant_ahead(board.rays[point][way], standing, reach)})


def step_directions(rules: Rules, seat: int) -> frozenset[int]:
    """Return the compass directions in which a man of that seat steps."""
    rule = rules[f"{SEATS[seat]}_steps"]
    if rule == "any":
        return ALL_DIRECTIONS
    return FORWARD[seat] | SIDEWAYS if rule == "forward_and_sideways" else FORWARD[seat]


def jump_directions(rules: Rules, seat: int) -> frozenset[int]:
    """Return the compass directions in which a man of that seat jumps."""
    if rules["captures"] == "any":
        return ALL_DIRECTIONS
    return FORWARD[seat] | SIDEWAYS if rules["captures"] == "forward_and_sideways" else FORWARD[seat]


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
    ways = board.ways_in(ALL_DIRECTIONS if is_king else jump_directions(rules, seat))[point]
    if is_king and position.chain == point and rules["king_turns"] != "anywhere":
        ways = _king_goes_on(board, point, position.chain_direction - 1)
    flying = is_king and rules["kings"] == "flying"
    if not flying:  # then there is something to jump over beside it, and mostly there is nothing
        beside, others = board.towards[point], position.pieces(1 - seat)
        ways = tuple(way for way in ways if beside[way] in others)
    found = [jump for way in ways for jump in _jumps_along(rules, board, position, seat, point, way, flying)]
    return sorted(found, key=lambda jump: jump.to)


def _king_goes_on(board: Board, point: int, direction: int) -> tuple[int, ...]:
    """Return the ways on which a king that turns at the edge, and has come to a point by a jump, may jump on."""
    if point in board.edge:
        return tuple(way for way in board.ways_in(ALL_DIRECTIONS)[point] if way != opposite(direction))
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
