"""The referee of the points games: slow, plain Python, the engine a reader can check against the words.

It lists the moves of a position, plays one, and tells what happened as events. The compiled kernel must agree with it
ply by ply; neither is changed to match the other without going back to the sources.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.boards.points import BOARDS
from simulator.engine.ends import WIN
from simulator.engine.families.points import position as code
from simulator.engine.families.points.events import Event
from simulator.engine.families.points.position import Position
from simulator.engine.families.points.referee.actions import perform
from simulator.engine.families.points.referee.alignments import line_is_passed, removable
from simulator.engine.families.points.referee.movement import SEATS, Rules, chain_rule, jumps
from simulator.engine.families.points.referee.turns import Turn, end_game, hand_over, options, remember
from simulator.engine.referee_playout import check_legal
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
    """The position before the first move."""
    board = BOARDS[rules["board"]]
    men = [{board.number(name) for name in rules[f"{side}_array"]} for side in SEATS]
    hands = [rules[f"{side}_pieces"] - len(men[seat]) for seat, side in enumerate(SEATS)]
    position = Position(len(board.points), men, hands=hands, mover=SEATS.index(rules["begins"]), board=board.name)
    position.has_common_supply = rules["supply"] == "common"
    remember(position)
    return position


def moves(rules: Rules, position: Position) -> list[int]:
    """Every legal move, in the order that is part of the contract; empty only when the game is over."""
    board, seat = BOARDS[rules["board"]], position.mover
    if position.phase == code.OVER:
        return []
    if position.phase == code.REMOVE:
        return [code.REMOVE_MOVE + point for point in removable(rules, board, position, 1 - seat)]
    if position.phase == code.HUFF:
        return [*(code.REMOVE_MOVE + point for point in sorted(position.huffable)), code.LEAVE]
    if position.phase == code.CHAIN:
        assert position.chain is not None
        further = jumps(rules, board, position, seat, position.chain)
        stops = [code.STOP] if chain_rule(rules, position, seat, position.chain) == "may_go_on" else []
        return [*(code.JUMP + code.FROM * position.chain + jump.to for jump in further), *stops]
    return options(rules, board, position) or [code.PASS]


def play(rules: Rules, position: Position, move: int, legal: Sequence[int] = ()) -> Played:
    """Play a move and settle what follows; raises IllegalMove.

    legal: the moves of the position, for whoever has listed them
    """
    check_legal(move, legal or moves(rules, position))
    turn = Turn(rules, BOARDS[rules["board"]], position.copy(), position.mover)
    goes_on = perform(turn, move)
    after = turn.position
    if after.phase != code.OVER and line_is_passed(rules, turn.board, after):
        end_game(turn, WIN, 0, "line_passed")
    if after.phase != code.OVER and not goes_on:
        hand_over(turn, passed=move == code.PASS)
    return Played(after, not goes_on or after.phase == code.OVER, tuple(turn.events), (turn.taken[0], turn.taken[1]))
