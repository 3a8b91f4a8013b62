"""The referee of the race games: slow, plain Python, the engine a reader can check against the words.

It lists the moves of a position, plays one, makes the next throw, and tells what happened as events. The compiled
kernel must agree with it ply by ply; neither is changed to match the other without going back to the sources. A ply is
one decision: one piece played by one part of the throw. `draws[seat]` is the chance stream of a seat. The row of a game
counts again in plain Python what the kernel counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from simulator.engine.ends import WIN
from simulator.engine.families.race.position import (
    DECLINE,
    PASS,
    RUNNING,
    SEATS,
    Event,
    Position,
    Rules,
    partner,
    side,
    side_bits,
)
from simulator.engine.families.race.referee.movement import course
from simulator.engine.families.race.referee.options import hindrances, keys_of, left, plays
from simulator.engine.families.race.referee.options import moves as running_moves
from simulator.engine.families.race.referee.throws import take_throws
from simulator.engine.families.race.referee.turns import Turn, play_part
from simulator.engine.randomness import Draws
from simulator.engine.referee_playout import Ply, RowCounts, check_legal
from simulator.engine.referee_playout import mover as mover
from simulator.engine.referee_playout import outcome as outcome

CHANCE = True  # `start` and `play` take the draws of every seat's throws


@dataclass(frozen=True, slots=True)
class Played:
    """What one ply did: the new position, whether the turn is over, and what happened, the throw it played first.

    sent_back: opposing pieces the mover sent back; entries: pieces he entered; passed: whether he could play nothing
    progress:  for each side the steps of all its pieces together; home: for each seat how many of its pieces are home
    """

    position: Position
    turn_over: bool
    events: tuple[Event, ...]
    sent_back: int
    entries: int
    passed: bool
    progress: tuple[int, ...]
    home: tuple[int, ...]


def start(rules: Rules, draws: Sequence[Draws]) -> Position:
    """Return the position before the first move, with the first player's throw."""
    position = start_array(rules)
    take_throws(rules, position, draws[position.mover])
    return position


def start_array(rules: Rules) -> Position:
    """Return where the pieces stand before anything is thrown."""
    waiting = [0] * (rules["pieces"] - len(rules["start_steps"]))
    return Position(rules, [[*waiting, *rules["start_steps"]] for _ in range(rules["seats"])])


def moves(rules: Rules, position: Position) -> list[int]:
    """Return every legal move, in the order that is part of the contract; empty only when the game is over."""
    return [] if position.end != RUNNING else running_moves(rules, position)


def play(rules: Rules, position: Position, move: int, draws: Sequence[Draws], legal: Sequence[int] = ()) -> Played:
    """Play a move and, once the throw is played, make the next one; raises IllegalMove.

    legal: the moves of the position, for whoever has listed them
    """
    check_legal(move, legal or moves(rules, position))
    turn = Turn(rules, position.copy(), list(position.thrown))
    after, seat = turn.position, position.mover
    after.thrown = ()
    if move == PASS:
        found = hindrances(rules, after)
        turn.events.append(Event("pass", keys_of(found), seat, hindrances=found))
        after.clear_throw()
    elif move == DECLINE:
        turn.record("decline", ("may_decline",), seat)
        after.clear_throw()
    else:
        play_part(turn, move)
        if _side_is_home(rules, after, seat):
            after.clear_throw()
            after.end, after.winners, after.again = WIN, side_bits(rules, seat), 0
            turn.record("game_end", ("teams",), seat)
            return _played(turn, True, False)
        if next(plays(rules, after), None) is not None:
            return _played(turn, False, False)
        _lose_rest(turn)
    turn_over = not after.again
    if turn_over:
        _pass_turn(rules, after)
    take_throws(rules, after, draws[after.mover])
    return _played(turn, turn_over, move == PASS)


def _played(turn: Turn, turn_over: bool, passed: bool) -> Played:
    rules, pieces = turn.rules, turn.position.pieces
    progress = [0] * (2 if rules["teams"] == "opposite" else rules["seats"])
    for seat, row in enumerate(pieces):
        progress[side(rules, seat)] += sum(row)
    home = tuple(row.count(course(rules).home) for row in pieces)
    events = tuple(turn.events)
    return Played(turn.position, turn_over, events, turn.sent_back, turn.entries, passed, tuple(progress), home)


def _lose_rest(turn: Turn) -> None:
    """Parts of the throw that no piece can play are lost."""
    rules, position = turn.rules, turn.position
    if parts := left(rules, position):
        found = hindrances(rules, position)
        lost = sum(value for value, _ in parts)
        turn.events.append(Event("lost", keys_of(found), position.mover, None, lost, left=parts, hindrances=found))
    position.clear_throw()


def _is_home(rules: Rules, position: Position, seat: int) -> bool:
    return position.pieces[seat][0] == course(rules).home


def _side_is_home(rules: Rules, position: Position, seat: int) -> bool:
    own = side(rules, seat)
    return all(_is_home(rules, position, other) for other in range(rules["seats"]) if side(rules, other) == own)


def _pass_turn(rules: Rules, position: Position) -> None:
    """The turn goes to the next player who has pieces to bring home.

    Or it goes to the next of all, who throws for his partner if he has none.
    """
    seats, way = len(position.pieces), 1 if rules["turn_order"] == "with_the_pieces" else -1
    following = [(position.thrower + way * turn) % seats for turn in range(1, seats + 1)]
    if rules["finished_player"] == "skipped":
        position.mover = next(other for other in following if not _is_home(rules, position, other))
        return
    position.for_partner = int(_is_home(rules, position, following[0]))
    position.mover = partner(following[0]) if position.for_partner else following[0]


def _by_seat() -> list[int]:
    return [0] * SEATS


@dataclass(slots=True)
class Counts(RowCounts):
    """What a game has come to so far. arrived: seats of which a piece has stood on the board."""

    passes: int = 0
    entries: int = 0
    sent_back: list[int] = field(default_factory=_by_seat)
    wait: list[int] = field(default_factory=_by_seat)
    home: list[int] = field(default_factory=_by_seat)
    arrived: set[int] | None = None

    def add(self, ply: Ply) -> None:
        RowCounts.add(self, ply)
        played: Played = ply.played
        if self.arrived is None:
            self.arrived = {seat for seat, pieces in enumerate(ply.before.pieces) if any(pieces)}
        self.passes += played.passed
        self.entries += played.entries
        self.sent_back[ply.seat] += played.sent_back
        self.home[: len(played.home)] = played.home
        if played.turn_over:
            self.wait[ply.seat] += ply.seat not in self.arrived
            if any(played.position.pieces[ply.seat]):
                self.arrived.add(ply.seat)
            self.follow_lead(played.progress)


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """Return the columns of `measures.MEASURES` for one game, ended by the rules or by the cap; a race has one
    round."""
    counts = Counts().count(plies, cap)
    return [
        *counts.common_columns(),
        counts.passes,
        counts.entries,
        *counts.sent_back,
        *counts.wait,
        *counts.home,
    ]
