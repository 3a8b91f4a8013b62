"""The referee of the points games: slow, plain Python, the engine a reader can check against the words.

It lists the moves of a position, plays one, and tells what happened as events. The compiled kernel must agree with it
ply by ply; neither is changed to match the other without going back to the sources. The row of a game counts again in
plain Python what the kernel counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from simulator.engine.boards.figures import board_of
from simulator.engine.ends import WIN
from simulator.engine.families.points import position as code
from simulator.engine.families.points.measures import COURSE
from simulator.engine.families.points.position import Event, Position
from simulator.engine.families.points.referee.actions import crown, further, hand_over, options, perform, taking_most
from simulator.engine.families.points.referee.movement import (
    SEATS,
    Rules,
    chain_rule,
    jumps,
    leader_of,
    leader_place,
    line_is_passed,
)
from simulator.engine.families.points.referee.rows import removable
from simulator.engine.families.points.referee.turns import Turn, end_game, remember
from simulator.engine.families.points.regions import region
from simulator.engine.referee_playout import Ply, RowCounts, check_legal
from simulator.engine.referee_playout import mover as mover
from simulator.engine.referee_playout import outcome as outcome


@dataclass(frozen=True, slots=True)
class Played:
    """What one ply did: the new position, whether the turn is over, and what happened.

    taken: pieces each seat took or removed
    """

    position: Position
    turn_over: bool
    events: tuple[Event, ...]
    taken: tuple[int, int]


def start(rules: Rules) -> Position:
    """Return the position before the first move."""
    board = board_of(rules)
    men = [{board.number(name) for name in rules[f"{side}_array"]} for side in SEATS]
    hands = [rules[f"{side}_pieces"] - len(men[seat]) for seat, side in enumerate(SEATS)]
    position = Position(len(board.points), men, hands=hands, mover=SEATS.index(rules["begins"]), board=board)
    for row in rules["leader"]:
        seat, point = SEATS.index(row["side"]), board.number(row["at"])
        men[seat].discard(point)
        position.kings[seat].add(point)
        position.has_leaders = True
    position.has_common_supply = rules["supply"] == "common"
    remember(position)
    return position


def moves(rules: Rules, position: Position) -> list[int]:
    """Return every legal move, in the order that is part of the contract; empty only when the game is over."""
    board, seat = board_of(rules), position.mover
    if position.phase == code.OVER:
        return []
    if position.phase == code.REMOVE:
        return [code.removal(position.points, point) for point in removable(rules, board, position, 1 - seat)]
    if position.phase == code.HUFF:
        return [*(code.removal(position.points, point) for point in sorted(position.huffable)), code.LEAVE]
    if position.phase == code.CHAIN:
        assert position.chain is not None
        if isinstance(rules["captures"], list):
            return [*further(rules, board, position), *([code.STOP] if position.chain_direction else [])]
        on = jumps(rules, board, position, seat, position.chain)
        stops = [code.STOP] if chain_rule(rules, position, seat, position.chain) == "may_go_on" else []
        found = [code.jump(position.points, position.chain, jump.to) for jump in on]
        return [*taking_most(rules, board, position, found), *stops]
    return options(rules, board, position) or [code.PASS]


def play(rules: Rules, position: Position, move: int, legal: Sequence[int] = ()) -> Played:
    """Play a move and settle what follows; raises IllegalMove.

    legal: the moves of the position, for whoever has listed them
    """
    check_legal(move, legal or moves(rules, position))
    turn = Turn(rules, board_of(rules), position.copy(), position.mover)
    goes_on = perform(turn, move)
    after = turn.position
    if after.phase != code.OVER and line_is_passed(rules, turn.board, after):
        if after.chain is not None and rules["crowning"] == "on_stopping":
            crown(turn, after.chain)  # the game goes no further, and so the piece stops here
        end_game(turn, WIN, 0, "line_passed")
    kind, _, to = code.read_move(after.points, move)
    if after.phase != code.OVER and not goes_on and kind in ("step", "jump") and reaches(turn, to):
        together = ("goal_by",) if rules["goal_by"] == "all_pieces" else ()
        end_game(turn, WIN, turn.seat, f"{SEATS[turn.seat]}_goal", *together)
    if after.phase != code.OVER and not goes_on and kind in ("step", "jump"):
        for column, winner in (("wins_at", turn.seat), ("loses_at", 1 - turn.seat)):
            if turn.position.phase != code.OVER and leader_comes(turn, to, column):
                end_game(turn, WIN, winner, leader_place(rules, turn.seat, column))
    if after.phase != code.OVER and not goes_on:
        hand_over(turn, passed=move == code.PASS)
    return Played(after, not goes_on or after.phase == code.OVER, tuple(turn.events), (turn.taken[0], turn.taken[1]))


def reaches(turn: Turn, point: int) -> bool:
    """Return whether the mover's goal has that point, and as many of his pieces stand on it as have to."""
    goal = {turn.board.number(name) for name in turn.rules[f"{SEATS[turn.seat]}_goal"]}
    if turn.rules["goal_by"] == "all_pieces":
        return point in goal and turn.position.count(turn.seat) == len(turn.position.pieces(turn.seat) & goal)
    return point in goal


def leader_comes(turn: Turn, point: int, column: str) -> bool:
    """Return whether the mover's leader has come to a point where it wins, or where it loses."""
    leader = leader_of(turn.rules, turn.seat)
    if leader is None or point not in turn.position.kings[turn.seat]:
        return False
    return point in region(turn.rules, leader[column])


MOVING, TAKING = ("step", "jump"), ("capture", "removal", "huff")


def _two() -> list[int]:
    return [0, 0]


@dataclass(slots=True)
class Counts(RowCounts):
    """What a game has come to so far.

    first:  the seat that took the first piece and the turn in which it did, once a piece is taken
    first_row: the same of the first row of three
    first_moved: the same of the end of the piece that moved first; moved_to: where that piece stands
    course: pieces taken by each seat at the end of every turn
    """

    taken: list[int] = field(default_factory=_two)
    options_of: list[int] = field(default_factory=_two)
    decisions_of: list[int] = field(default_factory=_two)
    first: tuple[int, int] | None = None
    first_row: tuple[int, int] | None = None
    first_moved: tuple[int, int] | None = None
    moved_to: int | None = None
    course: list[tuple[int, int]] = field(default_factory=list)

    def add(self, ply: Ply) -> None:
        played: Played = ply.played
        if self.first is None and any(played.taken):
            self.first = (ply.seat, self.turns + 1)
        for event in played.events:
            self._follow(event, ply.seat)
        RowCounts.add(self, ply)
        if ply.options > 1:
            self.decisions_of[ply.seat] += 1
            self.options_of[ply.seat] += ply.options
        for seat in (0, 1):
            self.taken[seat] += played.taken[seat]
        if played.turn_over:
            self.course.append((self.taken[0], self.taken[1]))
            self.follow_lead(self.taken)

    def _follow(self, event: Event, seat: int) -> None:
        """Note the first row, and what becomes of the piece that moved first."""
        now = (seat, self.turns + 1)
        if event.kind == "row" and self.first_row is None:
            self.first_row = now
        elif event.kind in MOVING and self.first_moved is None and self.moved_to in (None, event.origin):
            self.moved_to = event.point
        elif event.kind in TAKING and self.first_moved is None and self.moved_to == event.point:
            self.first_moved = now

    def taken_after(self, turns: int) -> tuple[int, int]:
        """Return the pieces taken by each seat after so many turns, or at the end of a shorter game."""
        return self.course[turns - 1] if turns <= self.turns else (self.taken[0], self.taken[1])


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """Return the columns of `measures.MEASURES` for one game, ended by the rules or by the cap; there are no rounds."""
    counts = Counts().count(plies, cap)
    return [
        *counts.common_columns(),
        *counts.taken,
        *counts.options_of,
        *counts.decisions_of,
        *(
            number
            for first in (counts.first, counts.first_row, counts.first_moved)
            # Whether it happened, whose doing it was (-1: nobody's), in which turn (0: in none).
            for number in (int(first is not None), *(first or (-1, 0)))
        ),
        *(number for turns in COURSE for number in counts.taken_after(turns)),
    ]
