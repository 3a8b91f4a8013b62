"""The end of a turn and the beginning of the next: who acts, who is stuck, what is drawn.

Plain Python, for the referee.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.engine.boards.points import Board
from simulator.engine.ends import DRAW, ENDLESS, WIN
from simulator.engine.families.points.position import FROM, HUFF, JUMP, LAY, MEMORY, OVER, PLAY, STEP, Event, Position
from simulator.engine.families.points.referee.movement import SEATS, Rules, jumps, layings, steps


@dataclass(slots=True)
class Turn:
    """A ply under way: the position being changed, and what has happened so far.

    is_laying: the row or turn in hand comes from a piece that was laid, not moved
    """

    rules: Rules
    board: Board
    position: Position
    seat: int
    is_laying: bool = False
    events: list[Event] = field(default_factory=list)
    taken: list[int] = field(default_factory=lambda: [0, 0])

    def record(
        self, kind: str, *keys: str, point: int | None = None, origin: int | None = None, pieces: int = 0, rows: int = 0
    ) -> None:
        self.events.append(Event(kind, keys, self.seat, point, origin, pieces, rows))

    def forget_repetitions(self) -> None:
        """A piece was laid, taken or removed: no earlier position can come back."""
        self.position.idle, self.position.memory = -1, ()  # the end of this turn makes it 0


def options(rules: Rules, board: Board, position: Position) -> list[int]:
    """Return what the mover may do at the beginning of a turn or of a further move in it; empty if nothing."""
    seat = position.mover
    if position.hands[seat]:
        return [LAY + point for point in layings(rules, board, position, seat)]
    if waits(rules, position):
        return []
    found, only_jumps = [], []
    for stepping, jumping in _by_piece(rules, board, position):
        found += stepping + jumping
        only_jumps += jumping
    return only_jumps if rules["capture_compulsory"] and only_jumps else found


def _by_piece(rules: Rules, board: Board, position: Position) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the steps and the jumps of each of the mover's pieces."""
    seat = position.mover
    for point in sorted(position.pieces(seat)):
        yield (
            [STEP + FROM * point + to for to in steps(rules, board, position, seat, point)],
            [JUMP + FROM * point + jump.to for jump in jumps(rules, board, position, seat, point)],
        )


def must_jump(rules: Rules, board: Board, position: Position) -> bool:
    """Return whether the mover, who can jump, has a step too and may not make it."""
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
    return not waits(turn.rules, position) and not position.laid and not can_act(turn.rules, turn.board, position)


def end_game(turn: Turn, end: int, winner: int | None, *keys: str) -> None:
    position = turn.position
    clear_turn(position)
    position.phase, position.end = OVER, end
    position.winners = 0 if winner is None else 1 << winner
    turn.events.append(Event("game_end", keys, winner))


def clear_turn(position: Position) -> None:
    """Lift what was taken, and forget what is kept only within a turn."""
    position.lifted, position.huffable = set(), set()
    position.phase = PLAY
    position.chain, position.chain_direction, position.hops, position.laid = None, 0, 0, 0


def hand_over(turn: Turn, passed: bool) -> None:
    """The turn is over: the next player is found; a game may end at the beginning of his turn."""
    rules, position = turn.rules, turn.position
    huffable = position.huffable
    clear_turn(position)
    position.mover = 1 - turn.seat
    if turn.is_laying and not position.is_laying and rules["first_move_by"] != "alternate":
        position.mover = SEATS.index(rules["first_move_by"])
    if turn.is_laying and rules["stuck_after_laying"] == "passes":
        position.laid = 1
    position.turns += 1
    position.idle += 1
    times = remember(position)
    if huffable:
        position.phase, position.huffable = HUFF, huffable
    elif is_stuck(turn):
        end_if_stuck(turn, passed)
    if position.phase != OVER:
        _end_if_drawn(turn, times)


def end_if_stuck(turn: Turn, passed: bool) -> None:
    """The mover has no move: he has lost, or nobody ever has one again, or he is to pass."""
    rules, mover = turn.rules, turn.position.mover
    key, other_key = f"{SEATS[mover]}_stuck", f"{SEATS[1 - mover]}_stuck"
    if rules[key] == "loses":
        end_game(turn, WIN, 1 - mover, key)
    elif passed and rules[key] == rules[other_key] == "passes":
        end_game(turn, ENDLESS, None, key, other_key)


def _end_if_drawn(turn: Turn, times: int) -> None:
    reached = {"repetition": times, "idle_turns": turn.position.idle, "turn_limit": turn.position.turns}
    for key, count in reached.items():
        if turn.rules[key] and count >= turn.rules[key]:
            end_game(turn, DRAW, None, key)
            return


def remember(position: Position) -> int:
    """Remember what stands at the beginning of a turn; returns how many times it has stood, this time included."""
    sets = (*position.men, *position.kings)
    now = (position.mover, *position.hands, *(frozenset(points) for points in sets))
    known = position.memory[-MEMORY:]
    position.memory = (*known, now)
    return known.count(now) + 1
