"""The referee of the points games: slow, plain Python, the engine a reader can check against the words.

It lists the moves of a position, plays one, and tells what happened as events. The compiled kernel must agree with it
ply by ply; neither is changed to match the other without going back to the sources.
"""

from dataclasses import dataclass

from simulator.engine.boards.points import BOARDS
from simulator.engine.families.points.events import Event
from simulator.engine.families.points.position import (
    CHAIN,
    FROM,
    JUMP,
    OVER,
    PASS,
    REMOVE,
    REMOVE_MOVE,
    STOP,
    Position,
)
from simulator.engine.families.points.referee.actions import act
from simulator.engine.families.points.referee.alignments import line_is_passed, removable
from simulator.engine.families.points.referee.movement import SEATS, Rules, jumps
from simulator.engine.families.points.referee.turns import Turn, end_game, hand_over, options, remember
from simulator.engine.family import WIN


class IllegalMove(ValueError):
    """The move is not among the moves of the position."""


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
    """The position before the first move."""
    board = BOARDS[rules["board"]]
    men = [{board.number(name) for name in rules[f"{side}_array"]} for side in SEATS]
    hands = [rules[f"{side}_pieces"] - len(men[seat]) for seat, side in enumerate(SEATS)]
    position = Position(len(board.points), men, hands=hands, mover=SEATS.index(rules["begins"]))
    remember(position)
    return position


def mover(position: Position) -> int:
    return position.mover


def outcome(position: Position) -> tuple[int, int]:
    """(kind of end, winning seats as bits); the kind is -1 while the game runs."""
    return position.end, position.winners


def moves(rules: Rules, position: Position) -> list[int]:
    """Every legal move, in the order that is part of the contract; empty only when the game is over."""
    board, seat = BOARDS[rules["board"]], position.mover
    if position.phase == OVER:
        return []
    if position.phase == REMOVE:
        return [REMOVE_MOVE + point for point in removable(rules, board, position, 1 - seat)]
    if position.phase == CHAIN:
        assert position.chain is not None
        further = jumps(rules, board, position, seat, position.chain)
        stops = [STOP] if rules["chain"] == "may_go_on" else []
        return [*(JUMP + FROM * position.chain + jump.to for jump in further), *stops]
    return options(rules, board, position) or [PASS]


def play(rules: Rules, position: Position, move: int) -> Played:
    """Play a move and settle what follows; raises IllegalMove."""
    legal = moves(rules, position)
    if move not in legal:
        raise IllegalMove(f"{move} is not among the moves {legal}")
    turn = Turn(rules, BOARDS[rules["board"]], position.copy(), position.mover)
    goes_on = act(turn, move)
    after = turn.position
    if after.phase != OVER and line_is_passed(rules, turn.board, after):
        end_game(turn, WIN, 0, "line_passed")
    if after.phase != OVER and not goes_on:
        hand_over(turn, passed=move == PASS)
    return Played(after, not goes_on or after.phase == OVER, tuple(turn.events), (turn.taken[0], turn.taken[1]))
