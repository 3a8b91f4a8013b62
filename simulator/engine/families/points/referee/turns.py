"""A turn under way, and how a game ends: a seat has too few pieces left or no move, positions come back, turns run out.

Plain Python, for the referee.
"""

from dataclasses import dataclass, field

from simulator.engine.boards.points import Board
from simulator.engine.ends import DRAW, ENDLESS, WIN
from simulator.engine.families.points import position as code
from simulator.engine.families.points.position import Event, Position
from simulator.engine.families.points.referee.movement import SEATS, Rules


@dataclass(slots=True)
class Turn:
    """A ply under way: the position being changed, and what has happened so far.

    is_laying: the row or turn in hand comes from a piece that was laid, not moved; answers: and had to be laid
    """

    rules: Rules
    board: Board
    position: Position
    seat: int
    is_laying: bool = False
    answers: bool = False
    events: list[Event] = field(default_factory=list)
    taken: list[int] = field(default_factory=lambda: [0, 0])

    def record(
        self, kind: str, *keys: str, point: int | None = None, origin: int | None = None, pieces: int = 0, rows: int = 0
    ) -> None:
        self.events.append(Event(kind, keys, self.seat, point, origin, pieces, rows))

    def forget_repetitions(self) -> None:
        """Forget earlier positions: a piece was laid, taken or removed, so that none can come back."""
        self.position.idle, self.position.memory = -1, ()  # the end of this turn makes it 0


def end_game(turn: Turn, end: int, winner: int | None, *keys: str) -> None:
    position = turn.position
    clear_turn(position)
    position.phase, position.end = code.OVER, end
    position.winners = 0 if winner is None else 1 << winner
    turn.events.append(Event("game_end", keys, winner))


def clear_turn(position: Position) -> None:
    """Lift what was taken, and forget what is kept only within a turn."""
    position.lifted, position.huffable = set(), set()
    position.phase = code.PLAY
    position.chain, position.chain_direction, position.hops, position.laid = None, 0, 0, 0


def has_lost(turn: Turn, seat: int) -> bool:
    """End the game if that seat has too few pieces left."""
    key = f"{SEATS[seat]}_loses_below"
    if turn.position.count(seat) >= turn.rules[key]:
        return False
    end_game(turn, WIN, 1 - seat, key)
    return True


def end_if_stuck(turn: Turn, passed: bool) -> None:
    """Settle that the mover has no move: he has lost, or nobody ever has one again, or he is to pass."""
    mover = turn.position.mover
    keys = [stuck_key(turn.rules, seat) for seat in (mover, 1 - mover)]
    what, other = (if_stuck(turn, seat) for seat in (mover, 1 - mover))
    if what == "loses":
        end_game(turn, WIN, 1 - mover, *keys[0])
    elif passed and what == other == "passes":
        end_game(turn, ENDLESS, None, *keys[0], *keys[1])


def stuck_key(rules: Rules, seat: int) -> tuple[str, ...]:
    """Return the parameters that say what becomes of a seat without a move."""
    side = SEATS[seat]
    return (f"{side}_stuck", f"{side}_shut_in") if rules[f"{side}_shut_in"] else (f"{side}_stuck",)


def if_stuck(turn: Turn, seat: int) -> str:
    """Return what becomes of that seat without a move, where its pieces stand now."""
    rules, side = turn.rules, SEATS[seat]
    pen = {turn.board.number(name) for name in rules[f"{side}_shut_in"]}
    return "passes" if pen and not pen.issuperset(turn.position.pieces(seat)) else str(rules[f"{side}_stuck"])


def end_if_drawn(turn: Turn, times: int) -> None:
    """End the game if what stands has stood too often, or too many turns have passed."""
    reached = {"repetition": times, "idle_turns": turn.position.idle, "turn_limit": turn.position.turns}
    for key, count in reached.items():
        if turn.rules[key] and count >= turn.rules[key]:
            if key == "turn_limit" and turn.rules["limit_won_by"] != "off":
                end_game(turn, WIN, SEATS.index(turn.rules["limit_won_by"]), key, "limit_won_by")
            else:
                end_game(turn, DRAW, None, key)
            return


def remember(position: Position) -> int:
    """Remember what stands at the beginning of a turn; returns how many times it has stood, this time included."""
    sets = (*position.men, *position.kings)
    now = (position.mover, *position.hands, *(frozenset(points) for points in sets))
    known = position.memory[-code.MEMORY :]
    position.memory = (*known, now)
    return known.count(now) + 1
