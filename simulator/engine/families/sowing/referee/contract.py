"""The referee of the sowing games: slow, plain Python, the engine a reader can check against the words.

It lists the moves of a position, plays one, and tells what happened as events. The compiled kernel must agree with it
ply by ply; neither is changed to match the other without going back to the sources. The row of a game counts again in
plain Python what the kernel counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.position import BARRED, CALL_DRAW, Event, Position
from simulator.engine.families.sowing.referee import rounds
from simulator.engine.families.sowing.referee import tables as by_tables
from simulator.engine.families.sowing.referee.laps import play_laps
from simulator.engine.families.sowing.referee.turn import CHOICE, ENDLESS_TURN, MOVE_AGAIN, ROUND_OVER, Rules, Turn
from simulator.engine.families.sowing.tables import is_tabled, tables_of
from simulator.engine.referee_playout import Ply, RowCounts, check_legal
from simulator.engine.referee_playout import mover as mover
from simulator.engine.referee_playout import outcome as outcome


@dataclass(frozen=True, slots=True)
class Played:
    """What one ply did: the new position, whether the turn is over, and what happened.

    taken: counters each seat took into his store in play; rounds_ended: how many rounds it ended (0 or 1);
    round_winner: the seat that then owned more, -1 if none; owned: what each owned then
    offered: whether the player might have called a draw instead, or did
    """

    position: Position
    turn_over: bool
    events: tuple[Event, ...]
    laps: int
    taken: tuple[int, int]
    rounds_ended: int
    round_winner: int = -1
    owned: tuple[int, int] = (0, 0)
    offered: bool = False


def start(rules: Rules) -> Position:
    """Return the position before the first move."""
    row, heading = rules["holes_per_row"], _set_direction(rules)
    position = Position(row, [rules["counters_per_hole"]] * (2 * row), [code.ORDINARY] * (2 * row), direction=heading)
    if is_tabled(rules):
        position.tables = tables_of(rules)
        position.board, position.holes = position.tables.board, list(position.tables.start)
        position.marks = [code.ORDINARY] * len(position.holes)
        if rules["arranged"]:
            position.phase, position.stores = code.ARRANGE, [rules["arranged"]] * 2
    if rules["repetition_memory"]:
        position.memory = ((position.mover, *position.holes),)
    if rules["begins_with"]:
        rounds.begin_as_after_a_round(rules, position)
    return position


def _set_direction(rules: Rules) -> int:
    return {"anticlockwise": 1, "clockwise": -1}.get(rules["direction"], 0)


def moves(rules: Rules, position: Position) -> list[int]:
    """Return every legal move, in the order that is part of the contract; empty only when the game is over."""
    if position.phase == code.OVER:
        return []
    if position.phase == code.LAY_RICH:
        return [code.LAY_OWN_TURN]
    if position.phase == code.LAY:
        options = list(rounds.layout_moves(rules, position))
        if consent(rules) is not None and position.stores[position.mover] * 2 == total_counters(rules):
            options.append(code.CALL_DRAW)  # last: random players leave it out
        return options
    if position.phase in (code.CHOOSE, code.PICK):
        return by_tables.decisions(rules, position)
    if position.phase == code.ARRANGE:
        return [code.start_move(number, 1) for number in range(len(position.own_row(position.mover)))]
    return [*starts(rules, position), *loans(rules, position)] or [code.PASS]


def consent(rules: Rules) -> int | None:
    """Return the move that ends a game only because a player says so, where these parameters, or this document, let
    him."""
    return code.CALL_DRAW if rules.get("equal_round") == "optional" else None


def total_counters(rules: Rules) -> int:
    if is_tabled(rules):
        return tables_of(rules).counters
    return int(2 * rules["holes_per_row"] * rules["counters_per_hole"])


def starts(rules: Rules, position: Position) -> list[int]:
    """Return the holes the mover may start from, as moves: from his left, anticlockwise before clockwise."""
    if position.tables is not None:
        return by_tables.starts(rules, position, position.tables)
    free = rules["direction"] == "each_turn" or position.direction == 0
    headings = (1, -1) if free else (position.direction,)
    only_ends = must_start_from_end(rules, position)
    found = [
        2 * hole + (heading < 0)
        for hole in range(position.row)
        for heading in headings
        if may_start(rules, position, hole, heading) and (not only_ends or hole in (0, position.row - 1))
    ]
    if only_ends and not found and rules["ends_empty"] == "any_hole":
        return [
            2 * hole + (heading < 0)
            for hole in range(position.row)
            for heading in headings
            if may_start(rules, position, hole, heading)
        ]
    return found


def must_start_from_end(rules: Rules, position: Position) -> bool:
    return rules["first_move_from_end"] != "off" and not position.moved >> position.mover & 1


def may_start(rules: Rules, position: Position, hole: int, heading: int) -> bool:
    """Return whether the mover may start from that hole of his row (counted from his left) in that direction."""
    seat = position.mover
    place = seat * position.row + hole
    if not position.holes[place] or position.marks[place] != code.ORDINARY:
        return False
    steps = hole if heading > 0 else position.row - 1 - hole  # how far from his first hole
    if position.loan == code.HAS_BORROWED + seat:
        return steps == 2
    if position.loan == code.HAS_SHIFTED + seat and steps < 3:
        return False
    if not single_may_start(rules, position, place, steps == position.row - 1):
        return False
    if rules["must_feed"] and position.is_row_empty(1 - seat):
        return position.holes[place] > position.row - 1 - steps
    return True


def single_may_start(rules: Rules, position: Position, place: int, is_last: bool) -> bool:
    """Return the rules about single counters, as far as they bind the start of a turn."""
    if position.holes[place] > 1 or rules["singles"] == "off":
        return True
    if rules["singles_below"] and sum(position.holes) >= rules["singles_below"]:
        return True
    if rules["singles_exempt"] != "off" and not position.moved >> position.mover & 1:
        return True
    others = [position.holes[hole] for hole in position.own_row(position.mover) if hole != place]
    if rules["singles"] == "last_hole_alone":
        return not (is_last and any(others))
    if rules["singles"] == "only_without_larger":
        return not any(count > 1 for count in others) and not (is_last and 1 in others)
    return False


def loans(rules: Rules, position: Position) -> list[int]:
    """Return the ways to cut ash-pumpkins that are open to the mover now."""
    if position.loan != code.MAY_BORROW + position.mover:
        return []
    lender, own = 1 - position.mover, position.mover
    last = position.from_first(lender, position.direction, position.row - 1)
    before_last = position.from_first(lender, position.direction, position.row - 2)
    if rules["loan"] == "borrow":
        lends = all(position.holes[hole] and position.marks[hole] == code.ORDINARY for hole in (last, before_last))
        adjoining = [position.from_first(own, position.direction, step) for step in (0, 1)]
        third = position.from_first(own, position.direction, 2)
        receives = all(position.marks[hole] != code.BLIND for hole in adjoining)
        begins = bool(position.holes[third]) and position.marks[third] == code.ORDINARY
        return [code.BORROW] if lends and receives and begins else []
    if position.marks[before_last] != code.ORDINARY or position.marks[last] == code.BLIND:
        return []
    shifted = position.copy()
    shifted.loan = code.HAS_SHIFTED + own
    if not starts(rules, shifted):
        return []
    return [code.SHIFT_ONE, code.SHIFT_TWO][: min(2, position.holes[before_last])]


def play(rules: Rules, position: Position, move: int, legal: Sequence[int] = ()) -> Played:
    """Play a move and settle what follows; raises IllegalMove.

    legal: the moves of the position, for whoever has listed them
    """
    legal = legal or moves(rules, position)
    check_legal(move, legal)
    after = position.copy()
    turn = Turn(rules, after)
    if position.phase == code.LAY:
        return replace(_play_layout(rules, position, turn, move), offered=code.CALL_DRAW in legal)
    if position.phase == code.ARRANGE:
        return _arrange(rules, turn, move)
    if move == code.LAY_OWN_TURN:
        rounds.lay_full_row(rules, after, after.mover)
        after.phase, after.mover = code.LAY, 1 - after.mover
        return Played(after, True, (Event("layout", ("layout_turn",), position.mover, why="full"),), 0, (0, 0), 0)
    if move in (code.BORROW, code.SHIFT_ONE, code.SHIFT_TWO):
        after.before_turn = position.before_turn or position
        _lend(after, move, turn.events)
        return Played(after, False, tuple(turn.events), 0, (0, 0), 0)
    return _play_start(rules, position, turn, move)


def _play_layout(rules: Rules, position: Position, turn: Turn, move: int) -> Played:
    after = turn.position
    seat = after.mover
    if move == code.CALL_DRAW:
        rounds.end_game(after, turn.events, None, ("equal_round",))
        return Played(after, True, tuple(turn.events), 0, (0, 0), 0)
    turn.events += rounds.lay_poorer_row(rules, after, seat, move)
    after.phase = code.SOW
    if starts(rules, after) or loans(rules, after):
        after.before_turn = position
        return Played(after, False, tuple(turn.events), 0, (0, 0), 0)
    turn.events.append(Event("pass", ("stuck",), seat, why="layout"))
    return _pass_on(rules, turn, seat)


def _arrange(rules: Rules, turn: Turn, move: int) -> Played:
    """Lay a counter before the game; with the last one the game begins."""
    after, seat = turn.position, turn.mover
    hole = after.own_row(seat)[code.start_of(move)[0]]
    after.holes[hole] += 1
    after.stores[seat] -= 1
    turn.record("laid", "", hole, "arranged")
    after.mover = 1 - seat
    if not any(after.stores):
        after.phase = code.SOW
        if why := _round_is_over(rules, after):
            return _end_round(rules, turn, seat, why)
    return Played(after, True, tuple(turn.events), 0, (0, 0), 0)


def _lend(position: Position, move: int, events: list[Event]) -> None:
    own, lender = position.mover, 1 - position.mover
    last = position.from_first(lender, position.direction, position.row - 1)
    before_last = position.from_first(lender, position.direction, position.row - 2)
    if move == code.BORROW:
        for step, hole in enumerate((before_last, last)):
            position.holes[hole] -= 1
            position.holes[position.from_first(own, position.direction, step)] += 1
        position.loan = code.HAS_BORROWED + own
        events.append(Event("loan", ("loan",), own, None, 2, "borrowed"))
    else:
        counters = 1 + (move == code.SHIFT_TWO)
        position.holes[before_last] -= counters
        position.holes[last] += counters
        position.loan = code.HAS_SHIFTED + own
        events.append(Event("loan", ("loan",), own, last, counters, "shifted"))


def _return_loan(rules: Rules, position: Position, events: list[Event], seat: int) -> None:
    """Give borrowed counters back before the opponent sows: from their hole, else from the store, else not at all."""
    if position.loan == code.HAS_BORROWED + seat:
        for step in (0, 1):
            own = position.from_first(seat, position.direction, step)
            lent = position.from_first(1 - seat, position.direction, position.row - 2 + step)
            if position.holes[own] and position.marks[own] == code.ORDINARY:
                position.holes[own] -= 1
            elif position.stores[seat]:
                position.stores[seat] -= 1
            else:
                continue
            position.holes[lent] += 1
            events.append(Event("loan", ("loan",), seat, lent, 1, "returned"))
    if position.loan in (code.MAY_BORROW + seat, code.HAS_BORROWED + seat, code.HAS_SHIFTED + seat):
        position.loan = code.MAY_BORROW + seat if rules["loan_when"] == "each_turn" else 0


def _play_start(rules: Rules, position: Position, turn: Turn, move: int) -> Played:
    after = turn.position
    seat = after.mover
    if move == code.PASS:
        turn.events.append(Event("pass", ("stuck",), seat))
        return _pass_on(rules, turn, seat)
    if position.phase in (code.CHOOSE, code.PICK):
        follows = by_tables.decide(turn, move)
    else:
        number, heading = code.start_of(move)
        if rules["direction"] in ("chosen_once", "each_turn") or (after.tables is not None and after.tables.turned):
            after.direction = heading
        follows = play_laps(turn, after.own_row(seat)[number])
    if follows == ENDLESS_TURN:
        restored = (position.before_turn or position).copy()
        restored.phase, restored.end, restored.before_turn = code.OVER, ENDLESS, None
        return Played(restored, True, tuple(turn.events), 0, (0, 0), 0)
    _remember_first_move(rules, after, seat)
    if follows == CHOICE or (follows == MOVE_AGAIN and not _round_is_over(rules, after)):
        after.laps += turn.laps if after.tables is not None else 0
        return Played(after, False, tuple(turn.events), turn.laps, (turn.taken[0], turn.taken[1]), 0)
    if follows == ROUND_OVER:
        return _end_round(rules, turn, seat, ("singles",))
    return _pass_on(rules, turn, seat)


def _remember_first_move(rules: Rules, position: Position, seat: int) -> None:
    if rules["first_move_from_end"] == "opener" or rules["singles_exempt"] == "first_lap_of_game":
        position.moved = 3
    elif rules["first_move_from_end"] != "off" or rules["singles_exempt"] != "off":
        position.moved |= 1 << seat


def _pass_on(rules: Rules, turn: Turn, seat: int) -> Played:
    """End the turn: return loans, hand over, and end the round if it must end."""
    after = turn.position
    _return_loan(rules, after, turn.events, seat)
    after.before_turn = None
    after.mover = 1 - seat
    if rules["direction"] == "each_turn":
        after.direction = 0
    elif after.tables is not None and after.tables.turned:
        after.direction = _set_direction(rules)
    if after.tables is not None:
        _count_turn(turn.position)
    if rules["idle_turns"]:
        after.idle = 0 if any(turn.taken) else after.idle + 1
    repeated = ("repetition_memory",) if _is_repeated(rules, turn) else ()
    why = repeated or _round_is_over(rules, after)
    if why:
        return _end_round(rules, turn, seat, why)
    return Played(after, True, tuple(turn.events), turn.laps, (turn.taken[0], turn.taken[1]), 0)


def _count_turn(after: Position) -> None:
    """Remember how many turns there were, as far as a rule asks."""
    after.laps = 0
    after.remainder = min(after.remainder + 1, after.tables.turns)


def _is_repeated(rules: Rules, turn: Turn) -> bool:
    if not rules["repetition_memory"]:
        return False
    after = turn.position
    now = (after.mover, *after.holes)
    known = () if any(turn.taken) else after.memory
    after.memory = (*known, now)[-rules["repetition_memory"] :]
    return now in known


def _round_is_over(rules: Rules, position: Position) -> tuple[str, ...]:
    """Return the parameters that end the round now; empty while it goes on."""
    if rules["majority_ends"]:
        half = total_counters(rules) // 2
        if max(position.stores) > half or min(position.stores) == half:
            return ("majority_ends",)
    if rules["idle_turns"] and position.idle >= rules["idle_turns"]:
        return ("idle_turns",)
    if by_tables.end_is_lost(rules, position) is not None:
        return ("ends",)
    if rules["round_end"] == "either_row_empty" and (position.is_row_empty(0) or position.is_row_empty(1)):
        return ("round_end",)
    if rules["round_end"] == "board_empty":
        left = any(count for count, mark in zip(position.holes, position.marks, strict=True) if mark == code.ORDINARY)
        return () if left else ("round_end",)
    if starts(rules, position) or loans(rules, position):
        return ()
    if rules["ends"] == "stuck_loses":
        return ("ends",)
    if position.is_row_empty(position.mover):
        return ("round_end",)
    if rules["stuck"] == "round_ends":
        return ("stuck",)
    waiting = position.copy()
    waiting.mover = 1 - position.mover
    return () if starts(rules, waiting) or loans(rules, waiting) else ("stuck",)


def _end_round(rules: Rules, turn: Turn, seat: int, why: tuple[str, ...]) -> Played:
    after = turn.position
    _return_loan(rules, after, turn.events, seat)
    after.before_turn = None
    first, second = rounds.owned_counters(after)
    winner = -1 if first == second else int(second > first)
    if why == ("ends",):
        lost = by_tables.end_is_lost(rules, after)
        winner = 1 - (after.mover if lost is None else lost)
        turn.events.append(Event("round_end", why, 1 - winner, why="cannot_move" if lost is None else "side_empty"))
        rounds.end_game(after, turn.events, winner, why)
        taken = (turn.taken[0], turn.taken[1])
        return Played(after, True, tuple(turn.events), turn.laps, taken, 1, winner, (first, second))
    rounds.finish_round(rules, after, turn.events, seat, why)
    taken = (turn.taken[0], turn.taken[1])
    return Played(after, True, tuple(turn.events), turn.laps, taken, 1, winner, (first, second))


@dataclass(slots=True)
class Counts(RowCounts):
    """What a game has come to so far.

    first: the figures of the first round, once it has ended; poorer: who began this round with fewer, and how many
    """

    rounds: int = 1
    laps: int = 0
    taken: list[int] = field(default_factory=lambda: [0, 0])
    first: list[int] | None = None
    part_holes: int = 0
    ties: int = 0
    short_handed: int = 0
    in_passing: int = 0
    unequal: int = 0
    recovered: int = 0
    equal: int = 0
    offered: bool = False
    called: bool = False
    poorer: tuple[int, int] | None = None
    begun: bool = False

    def add(self, ply: Ply) -> None:
        if not self.begun:
            self._begin(ply.before)
        RowCounts.add(self, ply)
        played: Played = ply.played
        self.laps += played.laps
        for seat in (0, 1):
            self.taken[seat] += played.taken[seat]
        self.in_passing += played.taken[1 - ply.seat]
        self.offered |= played.offered
        self.called |= ply.move == CALL_DRAW
        for event in played.events:
            self.part_holes += event.kind == "barred"
            self.ties += event.kind == "tie"
            self.short_handed += event.kind == "layout" and "short_handed" in event.keys
        if played.turn_over:
            self.follow_lead(self.taken)
        if played.rounds_ended:
            self.rounds += self.end == UNFINISHED
            self.equal += played.round_winner < 0
            self._recover(played.owned)
            if self.first is None:
                self.first = [1, played.round_winner, self.turns, self.decisions, self.laps, sum(self.taken)]

    def _begin(self, position: Position) -> None:
        """Count what a first round that is laid out like a further one has come to before anybody moves."""
        self.begun = True
        self.part_holes += sum(mark in (BARRED, BARRED + 1) for mark in position.marks)
        # Each hole is of whose row it is in, also a part hole that the richer player will own: it was laid out of that.
        rows = [sum(position.holes[hole] for hole in position.own_row(seat)) for seat in (0, 1)]
        self._note_poorer((position.stores[0] + rows[0], position.stores[1] + rows[1]))

    def _recover(self, owned: tuple[int, int]) -> None:
        if self.poorer is not None:
            seat, before = self.poorer
            self.unequal += 1
            self.recovered += owned[seat] > before
        self._note_poorer(owned)

    def _note_poorer(self, owned: tuple[int, int]) -> None:
        fewer = min(owned)
        self.poorer = None if owned[0] == owned[1] else (owned.index(fewer), fewer)

    def has_ended_a_round(self) -> bool:
        return self.first is not None


def row(plies: Iterator[Ply], cap: int, until: str) -> list[int]:
    """Return the columns of `measures.MEASURES` for one game, ended by the rules, by its first round, or by the cap."""
    counts = Counts().count(plies, cap, until == "round")
    if until == "round" and counts.first and counts.end != ENDLESS:
        winner = counts.first[1]
        counts.end, counts.winners = (DRAW, 0) if winner < 0 else (WIN, 1 << winner)
    first = counts.first or [0, -1, 0, 0, 0, 0]
    columns = [*counts.common_columns(), counts.rounds, counts.laps, *counts.taken, *first]
    marked = [counts.part_holes, counts.ties, counts.short_handed, counts.in_passing]
    agreed = [counts.equal, int(counts.offered), int(counts.called)]
    return [*columns, *marked, counts.unequal, counts.recovered, *agreed]
