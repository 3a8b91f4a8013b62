"""The referee of the race games: slow, plain Python, the engine a reader can check against the words.

It lists the moves of a position, plays one, makes the next throw, and tells what happened as events. The compiled
kernel must agree with it ply by ply; neither is changed to match the other without going back to the sources. A ply is
one decision: one piece played by one part of the throw. `draws[seat]` is the chance stream of a seat. The row of a game
counts again in plain Python what the kernel counts.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from simulator.engine.ends import WIN
from simulator.engine.families.race import position as code
from simulator.engine.families.race.marks import ends_in_place, in_place
from simulator.engine.families.race.position import Event, Position, Rules
from simulator.engine.families.race.referee import movement, throws
from simulator.engine.families.race.referee.way import course, goes_over, opponents_on
from simulator.engine.randomness import Draws
from simulator.engine.referee_playout import Ply, RowCounts, check_legal
from simulator.engine.referee_playout import mover as mover
from simulator.engine.referee_playout import outcome as outcome

# The parameters that make a part of a throw what it is, by its label; every part is played as `division` says.
OF_PARTS = {
    throws.THROW: ("division",),
    throws.NAMED: ("division",),
    throws.ONE: ("named_ones",),
    throws.EXTRA: ("extra_scores", "extra_spent"),
    throws.JOINED: ("extra_scores", "extra_spent"),
}


@dataclass(slots=True)
class Turn:
    """A position while a move is played on it, and what has happened so far."""

    rules: Rules
    position: Position
    events: list[Event] = field(default_factory=list)
    sent_back: int = 0
    entries: int = 0
    alone: bool = False  # one piece enters of a pair

    def record(self, kind: str, keys: tuple[str, ...], seat: int, square: int | None = None, number: int = 0) -> None:
        self.events.append(Event(kind, keys, seat, square, number))


def play_part(turn: Turn, move: int) -> None:
    """Play a move that is no pass."""
    if move >= code.ALONE_OF:
        turn.alone = True
        move -= code.ALONE_OF
    if code.FREE <= move < code.EXTRA_OF:
        _play_share(turn, *divmod(move - code.FREE, code.STRIDE))
    elif move == code.TOGETHER:
        _leave_together(turn)
    elif code.TOTAL <= move < code.TOTAL + code.STRIDE:
        _play_total(turn, move - code.TOTAL)
    else:
        _play_kind(turn, move)


def _play_kind(turn: Turn, move: int) -> None:
    """Play one part: whole, or the extra point or the rest of a throw it was added to."""
    share, place = divmod(move, code.FREE)
    number, step = divmod(place, code.STRIDE)
    rules, hand = turn.rules, turn.position.hand
    kind = throws.kinds(rules)[number]
    if kind.label == throws.ONE and goes_over(rules, turn.position, step):
        hand[number] -= 2
        _advance(turn, step, 2, (*OF_PARTS[kind.label], "safe_meeting"), [kind])
        return
    hand[number] -= 1
    value = kind.value
    if share == code.EXTRA_OF // code.FREE:
        hand[throws.number_of(rules, value - 1, throws.THROW)] += 1
        value = 1
    elif share == code.REST_OF // code.FREE:
        hand[throws.number_of(rules, 1, throws.EXTRA)] += 1
        value -= 1
    _advance(turn, step, value, OF_PARTS[kind.label], [kind])


def _play_total(turn: Turn, step: int) -> None:
    """Play the sum of the throws that can be added up, all that are in the hand."""
    table, hand, total = throws.kinds(turn.rules), turn.position.hand, 0
    played = movement.summed(turn.position, table)
    for kind in played:
        number = table.index(kind)
        total += kind.value * hand[number]
        hand[number] = 0
    _advance(turn, step, total, ("series_played",), played)


def _play_share(turn: Turn, share: int, step: int) -> None:
    """Move one piece by a share of the pool; share 0: all waiting pieces enter, and the throw is used up."""
    position, seat = turn.position, turn.position.mover
    if share == 0:
        entering = position.waiting(seat)
        for _ in range(entering):
            position.shift(seat, 0, 1)
        position.pool = 0
        turn.entries += entering
        turn.record("entry", ("entry", "enter_double"), seat, course(turn.rules).tracks[seat][1], entering)
        _land(turn, 1)
        return
    position.pool -= share
    reached = _advance(turn, step, share, ("division",))
    position.divided = reached if position.pool else 0
    position.faces = 0


def _leave_together(turn: Turn) -> None:
    position, way = turn.position, course(turn.rules)
    double = position.double
    position.hand[throws.number_of(turn.rules, double, throws.THROW)] -= 2
    for _ in range(2):
        _advance(turn, way.corner, double, ("partner_bar", "bar_squares"))
    released = code.partner(position.mover)
    position.opened |= 1 << released
    turn.record("opened", ("partner_bar", "bar_squares"), released)


def _advance(
    turn: Turn, step: int, distance: int, keys: tuple[str, ...], played: Sequence[throws.PartKind] = ()
) -> int:
    """Bring a piece from a step (0: it enters, with its pair if it was sent back with one) to another; returns it.

    keys: the parameters by which it goes so far; played: of which parts
    """
    position, way, seat = turn.position, course(turn.rules), turn.position.mover
    if step == 0:
        return _enter(turn, distance, _entry_keys(turn, played, keys))
    to = way.after(step, distance)
    position.shift(seat, step, to)
    woken = ("wake_scores",) if step <= way.asleep else ()
    round_again = ("round_to",) if way.round_to and to < step else ()
    turn.record("move", (*keys, *woken, *round_again), seat, _square(turn, to), distance)
    _send_back_passed(turn, step, distance)
    _land(turn, to, step, distance)
    _follow_marks(turn, to, 1)
    return to


def _entry_keys(turn: Turn, played: Sequence[throws.PartKind], keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parameters by which a piece enters by parts; keys: those that make the parts what they are."""
    rules, position = turn.rules, turn.position
    if rules["entry"] == "by_extra":
        return "entry", "extra_scores"
    if rules["entry"] != "by_score":
        return ("entry", *keys)
    if movement.awaits_first(rules, position):
        return "entry", "first_enter_scores", "entry_spends", *keys
    scores = ("enter_scores",) if any(kind.label == throws.THROW and kind.enters for kind in played) else ()
    names = (
        ("named_enters",) if any(kind.label in (throws.NAMED, throws.ONE) and kind.enters for kind in played) else ()
    )
    return ("entry", *scores, *names, "entry_spends", *keys)


def _enter(turn: Turn, distance: int, keys: tuple[str, ...]) -> int:
    """Let a piece enter by a part of that value, or those that enter with it."""
    rules, position, seat = turn.rules, turn.position, turn.position.mover
    on = movement.entry_distance(rules, distance)
    to = course(rules).after(0, on)
    has_pair = position.pairs[seat] > 0
    entering = 2 if has_pair and not turn.alone else 1
    if distance in rules["enter_all_scores"]:
        entering = position.waiting(seat)
    position.pairs[seat] -= has_pair
    for _ in range(entering):
        position.shift(seat, 0, to)
    if rules["first_enter_scores"]:
        position.entered |= 1 << seat
    turn.entries += entering
    pair_keys = ("pairs_reenter", "pairs_apart") if has_pair else ()
    brought = ("enter_all_scores",) if entering > 1 and not has_pair else ()
    turn.record("entry", (*keys, *brought, *pair_keys), seat, _square(turn, to), entering)
    _send_back_passed(turn, 0, on)
    _land(turn, to)
    _follow_marks(turn, to, entering)
    return to


def _square(turn: Turn, step: int) -> int | None:
    square = course(turn.rules).tracks[turn.position.mover][step]
    return None if square < 0 else square


def _send_back_passed(turn: Turn, step: int, distance: int) -> None:
    if turn.rules["sends_back"] == "landing_or_passing":
        for between in course(turn.rules).passed(step, distance):
            _send_back(turn, between)


def _follow_marks(turn: Turn, to: int, pieces: int) -> None:
    """Do what the mark says on which so many pieces have landed together: another throw, another square."""
    position, way, seat = turn.position, course(turn.rules), turn.position.mover
    square = way.tracks[seat][to]
    if square in way.does.again:
        position.again = 1
        turn.record("again", ("marked",), seat, square)
    if square not in way.does.leads:
        return
    leads = way.does.leads[square]
    # Of a square that is trodden twice the first time is meant.
    step = 0 if leads < 0 else way.tracks[seat].index(leads, 1 + way.asleep)
    for _ in range(pieces):
        position.shift(seat, to, step)
    if step == 0:
        turn.record("returned", ("marked",), seat, square, pieces)
        return
    turn.record("led", ("marked",), seat, leads, pieces)
    _land(turn, step, to)
    if leads in way.does.again:
        position.again = 1
        turn.record("again", ("marked",), seat, leads)


def _land(turn: Turn, to: int, step: int = 0, distance: int = 0) -> None:
    """Settle what follows from coming to a step, `distance` squares from another."""
    rules, missing = turn.rules, to - step
    if to == course(rules).home:
        keys = (
            "goal",
            *(("exit_doubles",) if missing in rules["exit_doubles"] else ()),
            "home_row_ones",
            *(("overshoot",) if distance > missing else ()),
        )
        turn.record("home", keys, turn.position.mover)
        if rules["again_home"]:
            turn.position.again = 1
            turn.record("again", ("again_home",), turn.position.mover)
    elif rules["sends_back"] != "off":
        _send_back(turn, to)


def _send_back(turn: Turn, step: int) -> None:
    """Send back every opposing piece on the square that is the mover's `step`, unless the square is safe."""
    rules, position, way = turn.rules, turn.position, course(turn.rules)
    square = way.tracks[position.mover][step]
    struck = opponents_on(rules, position, way, step)
    together = Counter(seat for seat, _ in struck)
    if square in way.does.safe:
        for seat, count in sorted(together.items()):
            turn.record("safe", ("safe_squares",) if rules["safe_squares"] else ("marked",), seat, square, count)
        return
    if rules["block_of"]:
        struck = [(seat, other) for seat, other in struck if together[seat] < rules["block_of"]]
        together = Counter(seat for seat, _ in struck)
    for seat, other in struck:
        position.shift(seat, other, way.home if rules["taking"] else 0)
    for seat, count in sorted(together.items()):
        pairs = count // 2 if rules["pairs_reenter"] else 0
        position.pairs[seat] += pairs
        kind, key = ("taken", "taking") if rules["taking"] else ("sent_back", "pairs_reenter" if pairs else "")
        turn.record(kind, ("sends_back", *([key] if key else [])), seat, square, count)
    turn.sent_back += len(struck)
    if struck and rules["again_sending_back"]:
        position.again = 1
        turn.record("again", ("again_sending_back",), position.mover)


CHANCE = True  # `start` and `play` take the draws of every seat's throws


@dataclass(frozen=True, slots=True)
class Played:
    """What one ply did: the new position, whether the turn is over, and what happened, the throw it played first.

    sent_back: opposing pieces the mover sent back; entries: pieces he entered; passed: whether he could play nothing
    progress:  for each side the steps of all its pieces together, or how many it has left
    home:      for each seat how many of its pieces are home
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
    throws.take_throws(rules, position, draws[position.mover])
    return position


def start_array(rules: Rules) -> Position:
    """Return where the pieces stand before anything is thrown."""
    waiting = [0] * (rules["pieces"] - len(rules["start_steps"]))
    return Position(rules, [[*waiting, *rules["start_steps"]] for _ in range(rules["seats"])])


def moves(rules: Rules, position: Position) -> list[int]:
    """Return every legal move, in the order that is part of the contract; empty only when the game is over."""
    return [] if position.end != code.RUNNING else movement.moves(rules, position)


def play(rules: Rules, position: Position, move: int, draws: Sequence[Draws], legal: Sequence[int] = ()) -> Played:
    """Play a move and, once the throw is played, make the next one; raises IllegalMove.

    legal: the moves of the position, for whoever has listed them
    """
    check_legal(move, legal or moves(rules, position))
    turn = Turn(rules, position.copy(), list(position.thrown))
    after, seat = turn.position, position.mover
    after.thrown = ()
    if move == code.PASS:
        found = movement.hindrances(rules, after)
        turn.events.append(Event("pass", movement.keys_of(found), seat, hindrances=found))
        after.clear_throw()
    elif move == code.DECLINE:
        turn.record("decline", ("may_decline",), seat)
        after.clear_throw()
    else:
        play_part(turn, move)
        if after.faces and rules["lots"]:
            after.clear_throw()  # the other numbers are not played
        if _has_won(rules, after, seat):
            after.clear_throw()
            after.end, after.winners, after.again = WIN, code.side_bits(rules, seat), 0
            turn.record("game_end", _won_by(rules), seat)
            return _played(turn, True, False)
        if next(movement.plays(rules, after), None) is not None:
            return _played(turn, False, False)
        _lose_rest(turn)
    turn_over = not after.again
    if turn_over:
        _pass_turn(rules, after)
    throws.take_throws(rules, after, draws[after.mover])
    return _played(turn, turn_over, move == code.PASS)


def _played(turn: Turn, turn_over: bool, passed: bool) -> Played:
    rules, pieces = turn.rules, turn.position.pieces
    progress = [0] * (2 if rules["teams"] == "opposite" else rules["seats"])
    for seat, row in enumerate(pieces):
        # Where pieces are taken for good, who has most of them leads.
        gone = row.count(course(rules).home)
        progress[code.side(rules, seat)] += len(row) - gone if rules["taking"] else sum(row)
    home = tuple(0 if rules["taking"] else row.count(course(rules).home) for row in pieces)
    events = tuple(turn.events)
    return Played(turn.position, turn_over, events, turn.sent_back, turn.entries, passed, tuple(progress), home)


def _lose_rest(turn: Turn) -> None:
    """Lose the parts of the throw that no piece can play."""
    rules, position = turn.rules, turn.position
    if parts := movement.left(rules, position):
        found = movement.hindrances(rules, position)
        lost = sum(value for value, _ in parts)
        turn.events.append(
            Event("lost", movement.keys_of(found), position.mover, None, lost, left=parts, hindrances=found)
        )
    position.clear_throw()


def _is_home(rules: Rules, position: Position, seat: int) -> bool:
    """Return whether all pieces of a seat are home, or taken for good."""
    return position.pieces[seat][0] == course(rules).home


def _won_by(rules: Rules) -> tuple[str, ...]:
    """Return the parameters by which a game is won."""
    return *ends_in_place(rules), *(("taking",) if rules["taking"] else ()), "teams"


def _has_won(rules: Rules, position: Position, seat: int) -> bool:
    """Return whether a seat's side has brought all its pieces home, or taken all those of the others."""
    own = code.side(rules, seat)
    if ends_in_place(rules):
        seats = [other for other in range(rules["seats"]) if code.side(rules, other) == own]
        return all(position.pieces[other] == in_place(rules, other) for other in seats)
    seats = [other for other in range(rules["seats"]) if (code.side(rules, other) == own) != rules["taking"]]
    return all(_is_home(rules, position, other) for other in seats)


def _pass_turn(rules: Rules, position: Position) -> None:
    """Pass the turn to the next player who has pieces to bring home.

    Or it goes to the next of all, who throws for his partner if he has none.
    """
    seats, way = len(position.pieces), 1 if rules["turn_order"] == "with_the_pieces" else -1
    following = [(position.thrower + way * turn) % seats for turn in range(1, seats + 1)]
    if rules["finished_player"] == "skipped":
        position.mover = next(other for other in following if not _is_home(rules, position, other))
        return
    position.for_partner = int(_is_home(rules, position, following[0]))
    position.mover = code.partner(following[0]) if position.for_partner else following[0]


def _by_seat() -> list[int]:
    return [0] * code.SEATS


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
