"""Between two rounds: who owns what, and how the next one is laid out. Plain Python, for the referee."""

from collections.abc import Iterator

from simulator.engine.ends import DRAW, WIN
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.position import Event, Position
from simulator.engine.families.sowing.referee.turn import Rules


def owned_counters(position: Position) -> list[int]:
    """Return what each player owns when a round is over: his store, his row, and the holes marked as his."""
    owned = position.stores[:]
    for hole, counters in enumerate(position.holes):
        mark = position.marks[hole]
        owner = position.owner_of_hole(hole) if mark in (code.ORDINARY, code.BLIND) else mark % 2
        if owner != code.NOBODY:
            owned[owner] += counters
    return owned


def why_it_ended(rules: Rules, position: Position, keys: tuple[str, ...]) -> Event:
    """Return why a round is over, with the player it concerns; keys: the parameters that ended it."""
    mover, empty = position.mover, [seat for seat in (0, 1) if position.is_row_empty(seat)]
    half = sum(position.stores, sum(position.holes)) // 2
    if keys == ("majority_ends",):
        ahead = int(position.stores[1] > position.stores[0])
        return Event("round_end", keys, ahead, why="majority" if position.stores[ahead] > half else "halves")
    if keys == ("idle_turns",):
        return Event("round_end", keys, mover, None, rules["idle_turns"], "idle")
    if keys == ("repetition_memory",):
        return Event("round_end", keys, mover, why="repeated")
    if keys == ("singles",):
        return Event("round_end", keys, mover, why="lap")
    if keys == ("stuck",):
        return Event("round_end", keys, mover, why="stuck" if rules["stuck"] == "round_ends" else "neither")
    if rules["round_end"] == "board_empty":
        return Event("round_end", keys, mover, why="board_unplayable" if any(position.holes) else "board_empty")
    if rules["round_end"] == "either_row_empty" and len(empty) == 1:
        return Event("round_end", keys, empty[0], why="row_empty")
    return Event("round_end", keys, mover, why="rows_empty" if len(empty) == 2 else "row_empty")


def finish_round(rules: Rules, position: Position, events: list[Event], ended_by: int, why: tuple[str, ...]) -> None:
    """Count up, and end the game or lay out the next round.

    ended_by: the seat whose turn ended the round; why: the parameters that ended it
    """
    events.append(why_it_ended(rules, position, why))
    kept = (code.TIED, code.TIED + 1) if rules["ties_kept"] else ()
    ties = [mark if mark in kept else code.ORDINARY for mark in position.marks]
    position.stores = owned_counters(position)
    nobodys = {hole for hole in range(len(position.holes)) if position.owner_of_hole(hole) == code.NOBODY}
    nobodys -= {hole for hole, mark in enumerate(position.marks) if mark >= code.TIED}
    position.holes = [position.holes[hole] if hole in nobodys else 0 for hole in range(len(position.holes))]
    position.marks = ties
    position.short = position.short_number = position.loan = 0
    position.richer = position.excess = position.remainder = 0
    position.idle, position.memory = 0, ()
    position.laps = position.excess = 0
    ruined = [seat for seat in (0, 1) if position.stores[seat] < rules["ruined_below"]]
    equal = position.stores[0] == position.stores[1]
    if rules["next_round"] == "off":
        end_game(position, events, None if equal else int(position.stores[1] > position.stores[0]), ("next_round",))
    elif ruined:
        end_game(position, events, 1 - ruined[0], ("ruined_below",))
    elif equal and rules["equal_round"] == "draw":
        end_game(position, events, None, ("equal_round",))
    else:
        begin_round(rules, position, events, ended_by)


def end_game(position: Position, events: list[Event], winner: int | None, why: tuple[str, ...]) -> None:
    position.phase = code.OVER
    position.end = DRAW if winner is None else WIN
    position.winners = 0 if winner is None else 1 << winner
    events.append(Event("game_end", why, winner or 0))


def begin_round(rules: Rules, position: Position, events: list[Event], ended_by: int) -> None:
    """Lay out what can be laid without a decision, and say who acts. ended_by: a seat, or -1 before the first round"""
    poorer = int(position.stores[1] < position.stores[0])
    if position.stores[0] == position.stores[1]:
        poorer = 1 if rules["equal_starter"] == "second_seat" else 1 - position.starter
    starter = 1 - position.starter if rules["round_starter"] == "alternate" else poorer
    if keeps_starter(rules):
        position.starter = starter
    position.rounds += 1
    if rules["remainder_from_round"] > 2:
        position.round = min(position.round + 1, rules["remainder_from_round"])
    if rules["first_move_from_end"] == "each_player_each_round":
        position.moved = 0
    events.append(_new_round(rules, position, starter))
    if rules["equal_round"] == "optional" and position.stores[0] == position.stores[1]:
        events.append(Event("draw_offered", ("equal_round",), starter))
    if rules["layout_from"] == "left":
        lay_full_row(rules, position, 1 - poorer)
        events += lay_poorer_row(rules, position, poorer, code.LAYOUT)
        position.phase, position.mover = code.SOW, starter
    elif rules["layout_turn"] and ended_by == poorer:
        position.phase, position.mover = code.LAY_RICH, 1 - poorer
    else:
        lay_full_row(rules, position, 1 - poorer)
        position.phase, position.mover = code.LAY, poorer


def _new_round(rules: Rules, position: Position, starter: int) -> Event:
    """Return who begins a further round, and why."""
    equal = position.stores[0] == position.stores[1]
    if rules["round_starter"] == "alternate":
        return Event("layout", ("next_round", "round_starter"), starter, why="turns")
    if not equal:
        return Event("layout", ("next_round", "round_starter"), starter, why="fewer")
    why = "equal_second" if rules["equal_starter"] == "second_seat" else "equal"
    return Event("layout", ("next_round", "equal_starter"), starter, why=why)


def begin_as_after_a_round(rules: Rules, position: Position) -> None:
    """Lay out the first round like a further one, for a first player who owns so many counters."""
    first = rules["begins_with"]
    position.stores = [first, sum(position.holes) - first]
    position.holes = [0] * len(position.holes)
    position.round, position.rounds = max(rules["remainder_from_round"] - 1, 1), 0
    begin_round(rules, position, [], ended_by=-1)


def keeps_starter(rules: Rules) -> bool:
    """Return whether any rule asks who began the round."""
    return bool(rules["round_starter"] == "alternate") or (
        rules["equal_starter"] == "alternate" and rules["next_round"] != "off" and rules["equal_round"] != "draw"
    )


def lay_full_row(rules: Rules, position: Position, seat: int) -> None:
    for hole in position.own_row(seat):
        counters = min(rules["counters_per_hole"], position.stores[seat])
        position.holes[hole] = counters
        position.stores[seat] -= counters


def lay_poorer_row(rules: Rules, position: Position, seat: int, move: int) -> list[Event]:
    """Lay out the row of the player who is short, by a layout move; sets marks and the direction."""
    end, pattern = divmod(move - code.LAYOUT, code.LAYOUT_END)
    heading = 1 if end == 0 else -1
    places = [position.from_first(seat, heading, step) for step in range(position.row)]
    if rules["layout_from"] == "chosen":
        position.direction = heading
    counts = _pattern_counts(rules, position, seat, pattern) if pattern else _usual_counts(rules, position, seat)
    unequal = position.stores[seat] < rules["counters_per_hole"] * position.row
    for place, count in zip(places, counts, strict=True):
        position.holes[place] = count
        if not count and rules["unfilled_closed"]:
            position.marks[place] = code.BLIND
    laid = sum(counts)
    position.stores[seat] -= laid
    if unequal and rules["loan"] != "off":
        position.loan = code.MAY_BORROW + seat
    if pattern:
        position.short, position.short_number = 1 + seat, counts[0]
        return [Event("layout", ("short_handed",), seat, None, laid, "short_handed")]
    layout = Event("layout", ("layout_from",), seat, None, laid, "usual")
    return [layout, *_balance(rules, position, seat, places, counts)]


def _usual_counts(rules: Rules, position: Position, seat: int) -> list[int]:
    """Return full holes from the first place on, the remainder where the ruleset puts it."""
    full, rest = divmod(position.stores[seat], rules["counters_per_hole"])
    full = min(full, position.row)
    counts = [rules["counters_per_hole"]] * full + [0] * (position.row - full)
    if rest and full < position.row and rules["remainder"] != "kept" and _lays_remainder(rules, position):
        if rules["remainder"] == "next":
            counts[full] = rest
        else:
            counts = [rest, *counts[:-1]]
    return counts


def _lays_remainder(rules: Rules, position: Position) -> bool:
    return bool(position.round >= rules["remainder_from_round"] or rules["remainder_from_round"] == 2)


def _pattern_counts(rules: Rules, position: Position, seat: int, pattern: int) -> list[int]:
    if rules["short_handed_holes"] == "some_empty":
        counts = _digits(pattern - 1, position.row - 1)
    else:
        filled = pattern.bit_length() - 1
        counts = [1 + (pattern >> step & 1) for step in range(filled)] + [0] * (position.row - 1 - filled)
    return [*counts, position.stores[seat] - sum(counts)]


def _digits(number: int, places: int) -> list[int]:
    """Return the digits of a number to the base of three, the lowest first."""
    return [number // 3**place % 3 for place in range(places)]


def _balance(rules: Rules, position: Position, seat: int, places: list[int], counts: list[int]) -> list[Event]:
    """Bar the partly filled hole, balance it on the opponent's side, and set the numbers of a round with an excess."""
    richer, full_hole = 1 - seat, rules["counters_per_hole"]
    partly = [step for step, count in enumerate(counts) if 0 < count < full_hole]
    alone = counts.count(full_hole) == 0
    if rules["palm"] != "off" or rules["part_hole_to_richer"] or rules["en_passant"] != "off":
        _set_excess(rules, position, seat, places[partly[0]] if partly else None)
    if not partly:
        return []
    place, rest = places[partly[0]], counts[partly[0]]
    events = []
    if rest in rules["remainder_barred"] or (alone and rules["remainder_alone_barred"]):
        position.marks[place] = code.BARRED + seat
        events.append(Event("barred", ("remainder_barred", "remainder_alone_barred"), seat, place, rest))
    elif position.marks[place] == code.BARRED + richer:
        events.append(Event("barred", ("part_hole_to_richer",), richer, place, rest))
    if rules["matching"] == "off" or (rules["matching_alone"] and not alone):
        return events
    matched = position.opposite(place)
    if rules["matching_hole"] == "last":
        matched = position.from_first(richer, position.direction, position.row - 1)
    removed = min(rest if rules["matching"] == "same" else full_hole - rest, position.holes[matched])
    position.holes[matched] -= removed
    position.stores[richer] += removed
    events.append(Event("matching", ("matching", "matching_hole"), richer, matched, removed))
    if rules["matching_barred"] and position.holes[matched] in rules["remainder_barred"]:
        position.marks[matched] = code.BARRED + richer
        events.append(Event("barred", ("matching_barred",), richer, matched, position.holes[matched]))
    return events


def _set_excess(rules: Rules, position: Position, seat: int, part_hole: int | None) -> None:
    """Begin a round after which one player owned more than a full row: his excess, his covered hole, the part hole."""
    richer = 1 - seat
    if not position.stores[richer]:
        return
    position.richer, position.excess = 1 + richer, position.stores[richer]
    position.remainder = position.holes[part_hole] if part_hole is not None else 0
    if rules["palm"] != "off":
        position.marks[position.from_first(richer, 1, 0)] = code.PALM + richer
    if rules["part_hole_to_richer"] and part_hole is not None:
        position.marks[part_hole] = code.BARRED + richer


def layout_moves(rules: Rules, position: Position) -> Iterator[int]:
    """Yield every layout the player who is short may choose, in the order of moves."""
    ends = (0, 1) if rules["layout_from"] == "chosen" else (int(position.direction < 0),)
    is_short = position.stores[position.mover] < rules["short_handed_below"]
    for end in ends:
        yield code.LAYOUT + code.LAYOUT_END * end
        if is_short:
            for pattern in _patterns(rules, position.row):
                counts = _pattern_counts(rules, position, position.mover, pattern)
                if _is_short_handed_layout(rules, counts):
                    yield code.LAYOUT + code.LAYOUT_END * end + pattern


def _patterns(rules: Rules, row: int) -> Iterator[int]:
    """Yield every way to fill the holes but the last with ones and twos."""
    if rules["short_handed_holes"] == "some_empty":
        yield from range(1, 1 + 3 ** (row - 1))
    else:
        yield from range(2, 1 << row)


def _is_short_handed_layout(rules: Rules, counts: list[int]) -> bool:
    """Return whether the rules allow these holes, the last of which takes the surplus."""
    *others, surplus = counts
    laid = {count for count in others if count}
    if not laid or not laid <= set(rules["short_handed"]) or (len(laid) > 1 and not rules["short_handed_mixed"]):
        return False
    if rules["short_handed_holes"] == "some_empty" and (others[0] == 0 or all(others[1:])):
        return False
    if rules["short_handed_holes"] == "as_many_as_fit" and 0 in others and surplus >= min(laid):
        return False
    return 0 <= surplus <= int(rules["short_handed_surplus"])
