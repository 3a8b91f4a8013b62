"""A turn as it is played: who may act and is stuck, what each kind of move does, how the turn is handed over.

Plain Python, for the referee. Every action changes the turn's position and returns whether the turn goes on.
"""

from collections.abc import Iterator

from simulator.engine.boards.points import Board
from simulator.engine.ends import WIN
from simulator.engine.families.points import position as code
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee import laying, most, movement, rows, taking
from simulator.engine.families.points.referee.movement import SEATS, Rules
from simulator.engine.families.points.referee.taking import Leap
from simulator.engine.families.points.referee.turns import (
    Turn,
    clear_turn,
    end_game,
    end_if_drawn,
    end_if_stuck,
    has_lost,
    if_stuck,
    remember,
    stuck_key,
)
from simulator.engine.tables import write_place


def options(rules: Rules, board: Board, position: Position) -> list[int]:
    """Return what the mover may do at the beginning of a turn or of a further move in it; empty if nothing."""
    seat = position.mover
    found, only_jumps = list[int](), list[int]()
    if position.hands[seat]:
        found += [code.LAY + point for point in movement.layings(rules, board, position, seat)]
        if not laying.may_move_instead(rules, board, position):
            return found
    if waits(rules, position):
        return []
    by_piece = [*_by_piece(rules, board, position)]
    kept = taking_most(rules, board, position, [jump for _, jumping in by_piece for jump in jumping])
    for stepping, jumping in by_piece:
        found += [*stepping, *(jump for jump in jumping if jump in kept)]
        only_jumps += [jump for jump in jumping if jump in kept]
    if isinstance(rules["captures"], list):
        moves = [move for move in found if move >= code.STEP]
        only_jumps = _that_take(rules, board, position, moves) if rules["capture_compulsory"] else []
    return only_jumps if rules["capture_compulsory"] and only_jumps else found


def _that_take(rules: Rules, board: Board, position: Position, moves: list[int]) -> list[int]:
    """Return the moves by which something is taken as a table says."""
    found, seat = [], position.mover
    for move in moves:
        kind, origin, to = code.read_move(position.points, move)
        leap = _leap_to(rules, board, position, origin, to) if kind == "jump" else None
        if taking.takes(rules, board, position, seat, origin, to, leap):
            found.append(move)
    return found


def _leap_to(rules: Rules, board: Board, position: Position, origin: int, to: int) -> Leap:
    return next(leap for leap in taking.leaps(rules, board, position, position.mover, origin) if leap.to == to)


def further(rules: Rules, board: Board, position: Position) -> list[int]:
    """Return the moves with which a piece that has taken goes on as a table says: those that take again."""
    stepping, jumping = _of_piece(rules, board, position, position.chain or 0)
    return _that_take(rules, board, position, stepping + jumping)


def _by_piece(rules: Rules, board: Board, position: Position) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the steps and the jumps of each of the mover's pieces."""
    for point in sorted(position.pieces(position.mover)):
        yield _of_piece(rules, board, position, point)


def _of_piece(rules: Rules, board: Board, position: Position, point: int) -> tuple[list[int], list[int]]:
    seat, size = position.mover, position.points
    find = taking.leaps if isinstance(rules["captures"], list) else movement.jumps
    return (
        [code.step(size, point, to) for to in movement.steps(rules, board, position, seat, point)],
        [code.jump(size, point, jump.to) for jump in find(rules, board, position, seat, point)],
    )


def taking_most(rules: Rules, board: Board, position: Position, jumps: list[int]) -> list[int]:
    """Return the jumps that begin a capture of the most pieces, where one has to be made; else all."""
    if rules["most_captures"] == "off" or not jumps:
        return jumps
    tried = [(move, lambda move=move: _tried(rules, board, position, move)) for move in jumps]
    return [jumps[number] for number in most.best(tried, rules["most_captures"] == "most_then_kings")]


def _tried(rules: Rules, board: Board, position: Position, move: int) -> most.Made:
    """Make a jump on a copy; returns what it takes, and the jumps that may follow."""
    _, origin, to = code.read_move(position.points, move)
    turn, other = Turn(rules, board, position.copy(), position.mover), 1 - position.mover
    goes_on = jump(turn, origin, to)
    after = turn.position
    kings = len(position.kings[other]) - len(after.kings[other])
    further = movement.jumps(rules, board, after, turn.seat, to) if goes_on else []
    following = [code.jump(position.points, to, made.to) for made in further]
    worth = (turn.taken[turn.seat], int(origin in position.kings[turn.seat]), kings)
    return worth, [(one, lambda one=one: _tried(rules, board, after, one)) for one in following]


def must_jump(rules: Rules, board: Board, position: Position) -> bool:
    """Return whether the mover, who can jump, has a step too and may not make it."""
    if isinstance(rules["captures"], list):
        return False
    return bool(rules["capture_compulsory"]) and any(stepping for stepping, _ in _by_piece(rules, board, position))


def can_act(rules: Rules, board: Board, position: Position) -> bool:
    """Return whether the mover has any of the `options`: no more of them are looked for than the first piece has."""
    if position.hands[position.mover]:
        return bool(options(rules, board, position))
    return not waits(rules, position) and any(map(any, _by_piece(rules, board, position)))


def waits(rules: Rules, position: Position) -> bool:
    """Return whether the mover has laid all his pieces and may not move them before the other has."""
    seat = position.mover
    return bool(rules["laying_ends"] == "both_hands" and not position.hands[seat] and position.hands[1 - seat])


def is_stuck(turn: Turn) -> bool:
    """Return whether the mover has no move and this counts against him."""
    position = turn.position
    passes = position.laid & 1
    return not waits(turn.rules, position) and not passes and not can_act(turn.rules, turn.board, position)


def hand_over(turn: Turn, passed: bool) -> None:
    """End the turn and find the next player; the game may end at the beginning of his turn."""
    rules, position = turn.rules, turn.position
    huffable = position.huffable
    clear_turn(position)
    position.mover = 1 - turn.seat
    if turn.is_laying and not position.is_laying and rules["first_move_by"] != "alternate":
        position.mover = SEATS.index(rules["first_move_by"])
    if turn.is_laying and rules["stuck_after_laying"] == "passes":
        position.laid = 1
    if turn.is_laying and not turn.answers and laying.is_answered(rules, turn.board, position):
        position.laid |= laying.MUST_ANSWER
    position.turns += 1
    position.idle += 1
    times = remember(position)
    if huffable:
        position.phase, position.huffable = code.HUFF, huffable
    elif is_stuck(turn):
        end_if_stuck(turn, passed)
    if position.phase != code.OVER:
        end_if_drawn(turn, times)


def perform(turn: Turn, move: int) -> bool:
    """Do what the move says; whether the turn goes on."""
    kind, point, to = code.read_move(turn.position.points, move)
    if kind in ("jump", "step"):
        return (jump if kind == "jump" else step)(turn, point, to)
    if kind in ("stop", "pass"):
        return (stop if kind == "stop" else pass_turn)(turn)
    if kind == "leave" or turn.position.phase == code.HUFF:
        return huff(turn, None if kind == "leave" else point)
    return (remove if kind == "remove" else lay)(turn, point)


def lay(turn: Turn, point: int) -> bool:
    rules, position, seat = turn.rules, turn.position, turn.seat
    safe = ("lay_safe",) if movement.lays_safely(rules, position, seat) else ()
    turn.is_laying, turn.answers = True, bool(position.laid & laying.MUST_ANSWER)
    by_plan = laying.part(rules, turn.board, position, seat).keys if rules["laying"] else ()
    turn.forget_repetitions()
    position.laid = 0
    position.men[seat].add(point)
    for other in (0, 1):
        position.hands[other] -= other == seat or rules["supply"] == "common"
    turn.record("lay", *safe, *by_plan, point=point)
    _end_laying(turn)
    another = laying.lays_another(rules, turn.board, position, seat)
    if rules["line_laying"] == "off" or not _forms_row(turn, point, "line_laying"):
        return bool(another) and _goes_on(turn, *another)
    if rules["line_laying"] == "win":
        end_game(turn, WIN, seat, "line_laying")
        return False
    if rules["line_laying"] == "remove":
        return _begin_removal(turn)
    if not position.hands[seat]:
        turn.record("none_to_lay", "line_laying")
        return False
    return _goes_on(turn, "line_laying")


def _end_laying(turn: Turn) -> None:
    """End the laying when both hands are empty; or when one is, or few points are left, if the ruleset says so."""
    rules, position = turn.rules, turn.position
    are_few = rules["laying_leaves"] and len(position.vacant()) <= rules["laying_leaves"]
    is_empty = 0 in position.hands if rules["laying_ends"] == "either_hand" else not any(position.hands)
    if are_few or is_empty:
        turn.record("put_aside", "laying_leaves" if are_few else "laying_ends", pieces=sum(position.hands))
        position.hands = [0, 0]


def _forms_row(turn: Turn, point: int, key: str) -> bool:
    rules = turn.rules
    formed = (
        rows.rows_through(rules, turn.board, turn.position, turn.seat, point) if rows.counts(rules, turn.seat) else 0
    )
    if formed:
        turn.record("row", key, "line_by", *rows.deciding(rules), point=point, rows=formed, pieces=rules["row_length"])
    return bool(formed)


def _begin_removal(turn: Turn) -> bool:
    """Let the owner of a row remove a piece next, if one may be removed; returns whether the turn goes on."""
    position = turn.position
    if not rows.removable(turn.rules, turn.board, position, 1 - turn.seat):
        return False
    position.phase, position.laid = code.REMOVE, turn.is_laying + laying.MUST_ANSWER * turn.answers
    return True


def _goes_on(turn: Turn, key: str) -> bool:
    """Let the same player act again in this turn, if he can; returns whether he can."""
    turn.position.phase, turn.position.laid = code.PLAY, 0
    if not can_act(turn.rules, turn.board, turn.position):
        return False
    turn.record("again", key)
    return True


def remove(turn: Turn, point: int) -> bool:
    rules, position = turn.rules, turn.position
    turn.is_laying, turn.answers = bool(position.laid), bool(position.laid & laying.MUST_ANSWER)
    key = "line_laying" if turn.is_laying else "line_moving"
    _take(turn, point)
    turn.record("removal", key, "removable", point=point)
    if has_lost(turn, 1 - turn.seat):
        return False
    again = not turn.is_laying and rules["line_moving"] == "remove_and_move_again"
    return again and _goes_on(turn, key)


def huff(turn: Turn, point: int | None) -> bool:
    """Take a piece that could have jumped and did not, or leave them all; then comes the move of the turn."""
    turn.position.phase, turn.position.huffable = code.PLAY, set()
    if point is None:
        turn.record("leave", "huff")
    else:
        _take(turn, point)
        turn.record("huff", "huff", point=point)
        if has_lost(turn, 1 - turn.seat):
            return False
    if is_stuck(turn):
        end_if_stuck(turn, passed=False)
    return True


def _take(turn: Turn, point: int) -> None:
    other = 1 - turn.seat
    turn.position.men[other].discard(point)
    turn.position.kings[other].discard(point)
    turn.taken[turn.seat] += 1
    turn.forget_repetitions()


def step(turn: Turn, origin: int, to: int) -> bool:
    rules, position, seat = turn.rules, turn.position, turn.seat
    flying = ("moves_to", "flies_at") if movement.flies(rules, position, seat) else ()
    along = (f"{SEATS[seat]}_steps", f"{SEATS[seat]}_reach") if origin in position.men[seat] else ("kings",)
    position.laid = 0
    position.huffable = _could_have_jumped(turn)
    if movement.leader_of(rules, seat) and origin in position.kings[seat]:
        along = (movement.leader_place(rules, seat),)
    _move(turn, origin, to)
    turn.record("step", *(flying or along), point=to, origin=origin)
    crown(turn, to)
    if isinstance(rules["captures"], list) and (_takes_around(turn, origin, to) or position.phase == code.OVER):
        return position.phase != code.OVER
    return _row_brings(turn, to)


def _row_brings(turn: Turn, to: int) -> bool:
    """Settle what a row brings that a move has formed; returns whether the turn goes on."""
    rules = turn.rules
    if rules["line_moving"] == "off" or not _forms_row(turn, to, "line_moving"):
        return False
    if rules["line_moving"] == "win":
        end_game(turn, WIN, turn.seat, "line_moving")
        return False
    again = rules["line_moving"] == "remove_and_move_again"
    return _begin_removal(turn) or (again and _goes_on(turn, "line_moving"))


def _could_have_jumped(turn: Turn) -> set[int]:
    """Return the pieces that a step now leaves to the huff."""
    rules, position, seat = turn.rules, turn.position, turn.seat
    if not rules["huff"]:
        return set()
    return {point for point in position.pieces(seat) if movement.jumps(rules, turn.board, position, seat, point)}


def _move(turn: Turn, origin: int, to: int) -> None:
    position, seat = turn.position, turn.seat
    for pieces in (position.men[seat], position.kings[seat], position.huffable):
        if origin in pieces:
            pieces.remove(origin)
            pieces.add(to)


def _is_man_to_crown(turn: Turn, point: int) -> bool:
    crowned_at = turn.rules[f"{SEATS[turn.seat]}_crowned_at"]
    return point in turn.position.men[turn.seat] and turn.board.points[point].name in crowned_at


def crown(turn: Turn, point: int) -> None:
    """Crown the piece if it is a man on one of its crowning points."""
    if _is_man_to_crown(turn, point):
        turn.position.men[turn.seat].remove(point)
        turn.position.kings[turn.seat].add(point)
        turn.record("crowning", "kings", "crowning", f"{SEATS[turn.seat]}_crowned_at", point=point)


def _leap(turn: Turn, origin: int, to: int) -> bool:
    """Leap, or land, as a row of a table says; returns whether the turn goes on."""
    position = turn.position
    made = _leap_to(turn.rules, turn.board, position, origin, to)
    position.laid = 0
    leaders = len(position.kings[1 - turn.seat])
    for point in made.taken:
        _take(turn, point)
        turn.record("capture", _row(made.row), point=point)
    _move(turn, origin, to)
    turn.record("jump", _row(made.row), point=to, origin=origin)
    if _takes_around(turn, origin, to, made, leaders) or position.phase == code.OVER:
        return position.phase != code.OVER
    return _row_brings(turn, to)


def _row(number: int) -> str:
    return write_place(("captures", number))


def _takes_around(turn: Turn, origin: int, to: int, leap: Leap | None = None, leaders: int = 0) -> bool:
    """Take what a piece takes by where it has come to; whether it goes on, since something was taken."""
    rules, position, seat = turn.rules, turn.position, turn.seat
    other, steps = 1 - seat, leap is None and not movement.flies(rules, position, seat)
    leaders = leaders or len(position.kings[other])
    found, rows = taking.around(rules, turn.board, position, seat, origin, to, steps)
    for point in sorted(found):
        _take(turn, point)
        turn.record("capture", _row(found[point]), point=point)
    position.phase, position.chain, position.chain_direction = code.PLAY, None, 0
    rows |= {leap.row} if leap and leap.taken else set()
    if not rows:
        return False
    leader = movement.leader_of(rules, other)
    if leader and leader["taken"] == "loses" and len(position.kings[other]) < leaders:
        end_game(turn, WIN, seat, movement.leader_place(rules, other, "taken"))
        return False
    then = taking.what_follows(rules, rows)
    if has_lost(turn, other) or then == "end":
        return False
    position.phase, position.chain, position.chain_direction = code.CHAIN, to, int(then == "may_go_on")
    if further(rules, turn.board, position):
        return True
    position.phase, position.chain, position.chain_direction = code.PLAY, None, 0
    return False


def jump(turn: Turn, origin: int, to: int) -> bool:
    rules, position, seat = turn.rules, turn.position, turn.seat
    if isinstance(rules["captures"], list):
        return _leap(turn, origin, to)
    made = next(found for found in movement.jumps(rules, turn.board, position, seat, origin) if found.to == to)
    why = _why_it_jumps(turn, origin)
    position.laid, position.huffable = 0, set()
    _take(turn, made.over)
    if rules["lifted"] == "after_turn":
        position.lifted.add(made.over)
    _move(turn, origin, to)
    position.hops = min(2, position.hops + 1)
    turn.record("jump", *why, point=to, origin=origin)
    turn.record("capture", "captures_by", "lifted", point=made.over)
    reaches = _is_man_to_crown(turn, to)
    if rules["crowning"] in ("ends_turn", "goes_on_as_king"):
        crown(turn, to)
    jumps_on = not (reaches and rules["crowning"] == "ends_turn") and _jumps_on(turn, to, made.direction)
    # The move is made to its end before the game is judged: a man that takes the last piece is crowned as any other.
    if jumps_on and position.count(1 - seat) >= rules[f"{SEATS[1 - seat]}_loses_below"]:
        return True
    crowning, is_first = rules["crowning"], position.hops == 1
    alone = crowning == "if_it_cannot_jump_on" or (crowning == "first_hop_only" and is_first)
    if crowning == "on_stopping" or (alone and not jumps_on):
        crown(turn, to)
    has_lost(turn, 1 - seat)
    return False


def _why_it_jumps(turn: Turn, origin: int) -> tuple[str, ...]:
    """Return the rules that let the piece jump as it does, and the one that leaves its owner no step instead."""
    rules, position, seat = turn.rules, turn.position, turn.seat
    goes_on, is_king = position.chain == origin, origin in position.kings[seat]
    why = ["kings", "king_lands"] if is_king else ["captures"]
    if goes_on:
        further = ("king_turns",) if is_king else ("crowning",) if _is_man_to_crown(turn, origin) else ()
        return (movement.chain_key(rules, position, seat, origin), *why, *further)
    most_of = ("most_captures",) if rules["most_captures"] != "off" else ()
    return (*(("capture_compulsory",) if must_jump(rules, turn.board, position) else ()), *most_of, *why)


def _jumps_on(turn: Turn, point: int, direction: int) -> bool:
    """Return whether the piece that has jumped may jump again in this turn."""
    position = turn.position
    if turn.rules["chain"] == "off":
        return False
    position.phase, position.chain = code.CHAIN, point
    turns = turn.board.is_compass and point in position.kings[turn.seat]
    position.chain_direction = direction + 1 if turns else 0
    return bool(movement.jumps(turn.rules, turn.board, position, turn.seat, point))


def stop(turn: Turn) -> bool:
    point = turn.position.chain
    assert point is not None
    crowns = turn.rules["crowning"] == "on_stopping"
    uncrowned = ("crowning",) if _is_man_to_crown(turn, point) and not crowns else ()
    by_table = isinstance(turn.rules["captures"], list)
    chain = "captures" if by_table else movement.chain_key(turn.rules, turn.position, turn.seat, point)
    turn.record("stop", chain, *uncrowned, point=point)
    if crowns:
        crown(turn, point)
    return False


def pass_turn(turn: Turn) -> bool:
    key = f"{SEATS[turn.seat]}_stuck"
    stuck = is_stuck(turn)
    waiting = waits(turn.rules, turn.position)
    turn.record("pass", key if stuck else "laying_ends" if waiting else "stuck_after_laying")
    if stuck and if_stuck(turn, turn.seat) == "loses_after_pass":
        end_game(turn, WIN, 1 - turn.seat, *stuck_key(turn.rules, turn.seat))
    return False
