"""One turn as it is played: what a move takes out of the throw, where it brings the pieces, and what it sends back."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from simulator.engine.families.race import position as code
from simulator.engine.families.race.position import Event, Position, Rules, partner
from simulator.engine.families.race.referee.movement import course, opponents_on
from simulator.engine.families.race.referee.options import awaits_first, entry_distance, summed
from simulator.engine.families.race.referee.throws import EXTRA, JOINED, NAMED, ONE, THROW, PartKind, kinds, number_of

# The parameters that make a part of a throw what it is, by its label; every part is played as `division` says.
OF_PARTS = {
    THROW: ("division",),
    NAMED: ("division",),
    ONE: ("named_ones",),
    EXTRA: ("extra_scores", "extra_spent"),
    JOINED: ("extra_scores", "extra_spent"),
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
    hand[number] -= 1
    kind = kinds(rules)[number]
    value = kind.value
    if share == code.EXTRA_OF // code.FREE:
        hand[number_of(rules, value - 1, THROW)] += 1
        value = 1
    elif share == code.REST_OF // code.FREE:
        hand[number_of(rules, 1, EXTRA)] += 1
        value -= 1
    _advance(turn, step, value, OF_PARTS[kind.label], [kind])


def _play_total(turn: Turn, step: int) -> None:
    """Play the sum of the throws that can be added up, all that are in the hand."""
    table, hand, total = kinds(turn.rules), turn.position.hand, 0
    played = summed(turn.position, table)
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
    position.hand[number_of(turn.rules, double, THROW)] -= 2
    for _ in range(2):
        _advance(turn, way.corner, double, ("partner_bar", "bar_squares"))
    released = partner(position.mover)
    position.opened |= 1 << released
    turn.record("opened", ("partner_bar", "bar_squares"), released)


def _advance(turn: Turn, step: int, distance: int, keys: tuple[str, ...], played: Sequence[PartKind] = ()) -> int:
    """Bring a piece from a step (0: it enters, with its pair if it was sent back with one) to another; returns it.

    keys: the parameters by which it goes so far; played: of which parts
    """
    position, way, seat = turn.position, course(turn.rules), turn.position.mover
    if step == 0:
        to = min(entry_distance(turn.rules, distance), way.home)
        return _enter(turn, to, _entry_keys(turn, played, keys))
    to = min(step + distance, way.home)
    position.shift(seat, step, to)
    turn.record("move", keys, seat, _square(turn, to), distance)
    _send_back_passed(turn, step, to)
    _land(turn, to, step, distance)
    return to


def _entry_keys(turn: Turn, played: Sequence[PartKind], keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parameters by which a piece enters by parts; keys: those that make the parts what they are."""
    rules, position = turn.rules, turn.position
    if rules["entry"] == "by_extra":
        return "entry", "extra_scores"
    if rules["entry"] != "by_score":
        return ("entry", *keys)
    if awaits_first(rules, position):
        return "entry", "first_enter_scores", "entry_spends", *keys
    scores = ("enter_scores",) if any(kind.label == THROW and kind.enters for kind in played) else ()
    names = ("named_enters",) if any(kind.label in (NAMED, ONE) and kind.enters for kind in played) else ()
    return ("entry", *scores, *names, "entry_spends", *keys)


def _enter(turn: Turn, to: int, keys: tuple[str, ...]) -> int:
    rules, position, seat = turn.rules, turn.position, turn.position.mover
    has_pair = position.pairs[seat] > 0
    entering = 2 if has_pair and not turn.alone else 1
    position.pairs[seat] -= has_pair
    for _ in range(entering):
        position.shift(seat, 0, to)
    if rules["first_enter_scores"]:
        position.entered |= 1 << seat
    turn.entries += entering
    pair_keys = ("pairs_reenter", "pairs_apart") if has_pair else ()
    turn.record("entry", (*keys, *pair_keys), seat, _square(turn, to), entering)
    _send_back_passed(turn, 0, to)
    _land(turn, to)
    return to


def _square(turn: Turn, step: int) -> int | None:
    square = course(turn.rules).tracks[turn.position.mover][step]
    return None if square < 0 else square


def _send_back_passed(turn: Turn, step: int, to: int) -> None:
    if turn.rules["sends_back"] == "landing_or_passing":
        for between in range(step + 1, to):
            _send_back(turn, between)


def _land(turn: Turn, to: int, step: int = 0, distance: int = 0) -> None:
    """What follows from coming to a step, `distance` squares from another."""
    rules, missing = turn.rules, to - step
    if to == course(rules).home:
        keys = (
            "goal",
            *(("exit_doubles",) if missing in rules["exit_doubles"] else ()),
            "home_row_ones",
            *(("overshoot",) if distance > missing else ()),
        )
        turn.record("home", keys, turn.position.mover)
    elif rules["sends_back"] != "off":
        _send_back(turn, to)


def _send_back(turn: Turn, step: int) -> None:
    """Send back every opposing piece on the square that is the mover's `step`, unless the square is safe."""
    rules, position, way = turn.rules, turn.position, course(turn.rules)
    square = way.tracks[position.mover][step]
    struck = opponents_on(rules, position, way, step)
    together = Counter(seat for seat, _ in struck)
    if rules["safe_squares"] and way.marked[square]:
        for seat, count in sorted(together.items()):
            turn.record("safe", ("safe_squares",), seat, square, count)
        return
    for seat, other in struck:
        position.shift(seat, other, 0)
    for seat, count in sorted(together.items()):
        pairs = count // 2 if rules["pairs_reenter"] else 0
        position.pairs[seat] += pairs
        turn.record("sent_back", ("sends_back", *(("pairs_reenter",) if pairs else ())), seat, square, count)
    turn.sent_back += len(struck)
