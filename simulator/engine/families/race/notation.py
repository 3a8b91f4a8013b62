"""How race games are written down: moves, boards, what happens in a turn, what throws and squares are
called, and how the text is to be read.

A move is a piece, called by the square it stands on, and what it plays: `k4 +6` goes six squares on, `enter 5` enters
by a five, `k4 +1 of 11` plays the extra point of a throw it was added to, `k4 +9 in all` the sum of a series. A name of
a throw belongs to lots as one record describes them: it is used where a ruleset is played on the board of that record
and throws those lots, and the throw scores what it scores there. How the text is to be read is
explained only as far as the texts of the ruleset can hold it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from simulator.engine.boards.race import ARMS
from simulator.engine.boards.tracks import board_of
from simulator.engine.families.race import position as code
from simulator.engine.families.race.marks import ends_in_place
from simulator.engine.families.race.position import Event, Hindrance, Part, Position, Rules
from simulator.engine.families.race.referee import throws
from simulator.engine.families.race.referee.movement import left, series_sum
from simulator.engine.families.race.referee.way import course, goes_over
from simulator.engine.naming import SEAT_NAMES, EventText, end_in_words
from simulator.engine.referee_playout import Ply

MOVE_NAMES = {
    code.PASS: "pass",
    code.DECLINE: "decline",
    code.TOGETHER: "leave together",
    code.FREE: "enter by the double",
}


def move_name(rules: Mapping[str, Any], position: Position, move: int) -> str:
    """Write a move; different moves of one position have different names."""
    if move in MOVE_NAMES:
        return MOVE_NAMES[move]
    if move >= code.ALONE_OF:
        return f"{move_name(rules, position, move - code.ALONE_OF)} alone"
    share, place = divmod(move, code.FREE)
    number, step = divmod(place, code.STRIDE)
    piece = square_name(position, position.mover, step)
    if share == 1:
        return f"enter +{number}" if step == 0 else f"{piece} +{number}"
    if code.TOTAL <= move < code.TOGETHER:
        return f"{'enter' if step == 0 else piece} +{series_sum(rules, position)[1]} in all"
    kind = throws.kinds(rules)[number]
    if share:
        value = 1 if share == code.EXTRA_OF // code.FREE else kind.value - 1
        return f"{'enter' if step == 0 else piece} +{value} of {kind.value}"
    if kind.label == throws.ONE and goes_over(position.rules, position, step):
        return f"{piece} +two ones"
    part = part_name(kind.value, kind.label)
    return f"enter {part}" if step == 0 else f"{piece} +{part}"


def parts_in_hand(position: Position) -> list[str]:
    """Return what is still to be played of the throw."""
    if position.pool:
        return [f"{position.pool} to be divided"]
    return [part_name(value, label) for value, label in left(position.rules, position)]


def board_lines(position: Position) -> Iterator[str]:
    """Yield where every player's pieces stand, then what is thrown."""
    for seat in range(len(position.pieces)):
        yield f"{SEAT_NAMES[seat]}: {', '.join(_places(position, seat))}"
    if position.end < 0:
        thrown = f", thrown by the {SEAT_NAMES[position.thrower]}" if position.for_partner else ""
        yield f"{SEAT_NAMES[position.mover]} to play{thrown}: {', '.join(parts_in_hand(position)) or 'nothing'}"


def _places(position: Position, seat: int) -> Iterator[str]:
    row = position.pieces[seat]
    home = course(position.rules).home
    if 0 in row:
        pairs = position.pairs[seat]
        sent = f" (in pairs: {2 * pairs})" if pairs else ""
        yield f"{row.count(0)} waiting{sent}"
    for step in sorted(set(row) - {0, home}):
        count = row.count(step)
        yield square_name(position, seat, step) + (f" ({count})" if count > 1 else "")
    if home in row:
        yield f"{row.count(home)} {'taken' if position.rules['taking'] else 'home'}"


def position_facts(position: Position) -> dict[str, Any]:
    """Describe a position for programs: the squares of every player's pieces, in the order of the way."""
    home = course(position.rules).home
    return {
        "pieces": [
            [square_name(position, seat, step) for step in row if 0 < step < home]
            for seat, row in enumerate(position.pieces)
        ],
        "steps": [row[:] for row in position.pieces],
        "waiting": [row.count(0) for row in position.pieces],
        "home": [row.count(home) for row in position.pieces],
        "to_play": parts_in_hand(position),
        "mover": position.mover,
        "thrower": position.thrower,
    }


def ply_facts(ply: Ply) -> dict[str, Any]:
    """Return what a ply came to, in numbers."""
    return {"sent_back": ply.played.sent_back, "entries": ply.played.entries}


def event_facts(ply: Ply, event: Event) -> dict[str, Any]:
    """Describe an event for programs; its square has the name it has in text."""
    return {
        "kind": event.kind,
        "seat": event.seat,
        "square": where(ply, event) or None,
        "number": event.number,
        "lots": list(event.lots),
        "name": throw_name(ply.before.rules, event.lots, event.number) if event.kind == "throw" else "",
    }


def describe(ply: Ply) -> list[EventText]:
    """Return what happened in a ply, in words."""
    return [EventText(event.kind, sentence_of(ply, event), event.keys) for event in ply.played.events]


def where(ply: Ply, event: Event) -> str:
    """Return the square of an event; empty if it has none."""
    return "" if event.square is None else board_of(ply.before.rules).squares[event.square].name


def sentence_of(ply: Ply, event: Event) -> str:
    """Put one event into words."""
    who, square, number = f"the {SEAT_NAMES[event.seat]}", where(ply, event), event.number
    if event.kind == "throw":
        return _throw(ply, event)
    if event.kind == "game_end":
        return end_in_words(ply.played.position.winners)
    if event.kind in ("pass", "lost"):
        return _unplayed(ply.before, event)
    pieces = "a piece" if number == 1 else f"{number} pieces"
    squares = "1 square" if number == 1 else f"{number} squares"
    return {
        "cancelled": f"the last {f'{number} throws count' if number > 1 else 'throw counts'} nothing",
        "entry": f"{who} enters {pieces} on {square}",
        "move": f"{who} moves {squares}{f' to {square}' if square else ''}",
        "taken": f"{pieces} of {who} {'is' if number == 1 else 'are'} taken on {square}",
        "sent_back": f"{pieces} of {who} must go back from {square}",
        "safe": f"{pieces} of {who} {'is' if number == 1 else 'are'} safe on {square}",
        "home": f"a piece of {who} is home",
        "opened": f"the home row of {who} is open",
        "again": f"{who} throws again{f' for {square}' if square else ''}",
        "led": f"{pieces} of {who} {'goes' if number == 1 else 'go'} on to {square}",
        "returned": f"{pieces} of {who} must go back from {square} and wait",
        "decline": f"{who} leaves the rest of the throw unplayed",
    }[event.kind]


def _throw(ply: Ply, event: Event) -> str:
    rules = ply.before.rules
    owner = f" for the {SEAT_NAMES[ply.before.mover]}" if event.seat != ply.before.mover else ""
    name = throw_name(rules, event.lots, event.number)
    is_sum = rules["cowries"] or (len(event.lots) > 1 and rules["division"] != "each_die")
    extra = " and an extra point" if "extra_scores" in event.keys else ""
    return (
        f"the {SEAT_NAMES[event.seat]} throws{owner} {lots_in_words(rules, event.lots)}{f', {name}' if name else ''}"
        f"{f': {event.number}' if is_sum else ''}{extra}"
    )


def lots_in_words(rules: Rules, lots: tuple[int, ...]) -> str:
    """Say what lies there after a throw."""
    if rules["lots"]:
        row = rules["lots"][lots[0]]
        return (" or " if row.get("choose") else " and ").join(map(str, row.get("moves", ()))) or "nothing"
    if not rules["cowries"]:
        return " and ".join(map(str, lots))
    mouths, marked = sum(lots), marked_shell(rules)
    shown = f"{mouths} mouth{'' if mouths == 1 else 's'} up"
    if marked and 0 < mouths < len(lots):
        shown += f", the {marked} shell’s {'among them' if lots[0] else 'down'}"
    return shown


def _unplayed(position: Position, event: Event) -> str:
    """Say that nothing, or nothing more, of a throw can be played."""
    who = f"the {SEAT_NAMES[event.seat]}"
    if event.kind == "pass" and not event.hindrances:
        return f"{who} has nothing to play and passes"
    why = "; ".join(dict.fromkeys(_reasons(position, event.seat, event.hindrances))) or "all his pieces are home"
    if event.kind == "pass":
        return f"{who} can play nothing and passes: {why}"
    return f"{who} cannot play the remaining {_parts(event.left)}: {why}"


def _parts(left: tuple[Part, ...]) -> str:
    """Write parts of a throw, the ones of a named throw counted: "8 ones and 4"."""
    ones = sum(label == throws.ONE for _, label in left)
    others = [part_name(*part) for part in left if part[1] != throws.ONE]
    counted = [] if not ones else ["one" if ones == 1 else f"{ones} ones"]
    return " and ".join([*counted, *others])


def _reasons(position: Position, seat: int, found: Iterable[Hindrance]) -> Iterator[str]:
    asleep: dict[str, set[int]] = {}  # parts of a throw -> the steps from which they wake nobody
    for hindrance in found:
        parts = " or ".join(dict.fromkeys(part_name(*part) for part in hindrance.parts))
        if hindrance.obstacle.kind == "asleep":
            asleep.setdefault(parts, set()).add(hindrance.step)
        else:
            yield _reason(position, seat, hindrance, parts)
    for parts, steps in asleep.items():
        names = [square_name(position, seat, step) for step in sorted(steps)]
        who = " and ".join(names) if len(names) <= 2 else f"the pieces on {len(names)} squares"
        yield f"{who} {'is' if len(names) == 1 else 'are'} asleep, and {parts} wakes nobody"


def _reason(position: Position, seat: int, hindrance: Hindrance, parts: str) -> str:
    step, obstacle = hindrance.step, hindrance.obstacle
    who = square_name(position, seat, step) if step else "a waiting piece"
    there, number = square_name(position, seat, obstacle.step), obstacle.number
    taken = f"{there.rstrip(SECOND_TIME)}, where the other side stands"
    beyond = "" if step >= course(position.rules).home_row else f" beyond {there}"
    return {
        "score": f"no piece enters by {parts}",
        "first": f"a player’s first piece does not enter by {parts}",
        "extra": "no piece enters without an extra point",
        "double": f"no piece enters unless both dice show {number}",
        "whole": f"{parts} is played whole or not at all",
        "far": f"{who} is {number} square{'' if number == 1 else 's'} from home, fewer than {parts}",
        "exit": f"{who} goes home only when both dice show {number}",
        "ones": f"{who} goes{beyond} by ones only",
        "passing": f"{who} may not go beyond {taken}",
        "leaving": f"from {taken}, only ones of {_named(position.rules)} go on",
        "meeting": f"{who} may not come to {taken}",
        "waiting": "no other piece moves while one waits",
        "behind": f"{who} goes home by more than {number} only if no other piece is behind it",
        "field": f"no piece goes home before all are on the last {number} squares",
        "block": f"{there.rstrip(SECOND_TIME)} is held by {number} pieces or more of another player",
        "leaves": f"no piece goes home by {parts}",
        "stays": f"{who} is on the last squares, fewer than {parts} from their end",
        "past_own": f"{who} may not go beyond {there}, where another of the same player stands",
        "wakes": f"{parts} wakes a piece, and moves no other while one sleeps",
        "own": f"no more than {number} of a player’s pieces stand on {there.rstrip(SECOND_TIME)}",
        "closed": f"no piece may land on {there.rstrip(SECOND_TIME)}",
        "bar": f"{who} may not enter its home row yet",
        "corner": f"{who} may not go beyond {there} while the partner waits"
        if who != there
        else f"from {there} only two go on together, by a double, while the partner waits",
    }[obstacle.kind]


# Board -> how many shells its record throws; what they show and score -> the name.
COWRIES: dict[str, tuple[int, dict[tuple[int, int], str]]] = {
    # DLP.Evidence.828: "it counts 12, barah; if five mouths be upward it is 25, pachis; …"
    "cross_8_castles": (
        6,
        {
            (6, 12): "barah",
            (5, 25): "pachis",
            (4, 4): "char",
            (3, 3): "tin",
            (2, 2): "do",
            (1, 10): "das",
            (0, 6): "choka",
        },
    ),
    # DLP.Evidence.1316: "5, and is called Pancha; … 1, called Onduwa; … 0, and is called Bokka".
    "pancha_track": (6, {(5, 5): "pancha", (1, 1): "onduwa", (0, 0): "bokka"}),
    # DLP.Evidence.1486: "one of the cowries with the mouth down is the yellow one, in which case … So-hatara".
    "cross_4_corners": (6, {(3, 4): "so-hatara"}),
}
# Board -> what two dice show, and the name. DLP.Evidence.1487: "0 and 1 … Tayam … 0 and 4 it is called Sonal".
DICE: dict[str, dict[tuple[int, ...], str]] = {"cross_8": {(0, 1): "tayam", (0, 4): "sonal"}}
MARKED_SHELLS = {"cross_4_corners": "yellow"}


def throw_name(rules: Rules, lots: tuple[int, ...], score: int) -> str:
    """Return what a throw is called, by the table of lots or by a record; empty if neither has a name for it."""
    if rules["lots"]:
        return str(rules["lots"][lots[0]].get("name", "")) if lots else ""
    board = board_of(rules).name
    if rules["dice"]:
        found = DICE.get(board, {}).get(tuple(sorted(lots)), "")
        return found if score == sum(lots) else ""
    shells, names = COWRIES.get(board, (0, {}))
    return names.get((sum(lots), score), "") if len(lots) == shells else ""


def marked_shell(rules: Rules) -> str:
    """Return what the shell is called that makes a throw a named one; empty if none does."""
    return MARKED_SHELLS.get(board_of(rules).name, "marked") if rules["named_mouths"] else ""


def has_names(rules: Rules) -> bool:
    """Return whether a throw of the ruleset is called by a name."""
    return any(throw_name(rules, throw.lots, throw.score) for throw in throws.every_throw(rules))


SECOND_TIME = "'"  # behind a square that is trodden for the second time, twice where it is the third
PART_NAMES = {
    throws.THROW: "{}",
    throws.NAMED: "{} by name",
    throws.ONE: "one",
    throws.EXTRA: "extra {}",
    throws.JOINED: "{} with its extra point",
}


def part_name(value: int, label: int) -> str:
    """Write a part of a throw as moves do."""
    return PART_NAMES[label].format(value)


def square_name(position: Position, seat: int, step: int) -> str:
    """Return the square that is a seat's step, with a mark if that seat treads it for the second time."""
    return step_name(position.rules, seat, step)


def step_name(rules: Rules, seat: int, step: int) -> str:
    """Return the same as `square_name`, without a position."""
    way = course(rules)
    if step in (0, way.home):
        return "off the board" if step == 0 else "home"
    again = SECOND_TIME * way.trodden_before(seat, step)
    return board_of(rules).squares[way.tracks[seat][step]].name + again


NAMED_BY_RECORD = "A throw that the record names is told by its name."
SIDES = ("below", "to the right", "above", "to the left")  # of a board, in the order of its arms
BRACKETS = "In brackets behind a sentence: the parameters of the ruleset that made it happen."


def how_to_read(rules: Rules) -> str:
    """Explain squares and moves, the ways of the players, the marked squares, and what stands in brackets."""
    sentences = ["How to read it.", *_squares(rules), f"Moves: {'; '.join(_moves(rules))}.", *_under_turns(rules)]
    return "\n".join([" ".join(sentences), *_ways(rules), _marks(rules), BRACKETS])


def _is_alike(rules: Rules) -> bool:
    """Return whether every side of the board is like the others: crosses and the spiral, which three can play as
    well."""
    board = board_of(rules)
    return 3 in board.tracks and not board.is_drawn


def _squares(rules: Rules) -> Iterator[str]:
    names = _way(rules, 0)
    if board_of(rules).is_drawn:
        yield "A square is called by a letter and a number, as on the board."
    elif _is_alike(rules):
        sides = [SIDES[arm] for arm in ARMS[rules["seats"]]]
        others = (f"the {name.split()[0]} {side}" for name, side in zip(SEAT_NAMES[1:], sides[1:], strict=False))
        yield f"The first player sits {', '.join([sides[0], *others])}."
        yield "A square is called by its file, a letter from the left, and its rank, a number from below."
    else:
        yield "A square is called by its part of the track, a letter, and its place in that part."
        if "b1" not in names:
            yield f"{names[names.index('b2') - 1]} is the first square of part b too."
    if code.asleep(rules):
        yield "A square with ' behind it is one of those of the start, with a piece that is awake."
    elif again := next((name for name in names if name.endswith(SECOND_TIME)), ""):
        yield f"{again} is {again[:-1]} trodden for the second time, {lying(rules)}."
    if rules["teams"] == "opposite":
        yield "The first and the third player are partners, and so are the second and the fourth."


def _moves(rules: Rules) -> Iterator[str]:
    """Yield how moves are written, with a piece on the first square of the first player's way."""
    here = step_name(rules, 0, 1)
    yield f"{here} +2 takes the piece on {here} two squares on"
    yield from _entries(rules)
    if rules["named_ones"]:
        yield f"{here} +one plays one of the ones of {_named(rules)}"
        if rules["safe_meeting"] == "passed_by_ones":
            yield f"{here} +two ones plays two of them together, beyond a square that is closed"
    elif rules["named_mouths"] or rules["named_faces"]:
        yield f"{here} +{throws.named_score(rules)} by name plays {_named(rules)}"
    if rules["extra_scores"]:
        yield f"{here} +extra 1 plays an extra point"
    if rules["extra_spent"] == "added":
        score = rules["extra_scores"][0]
        yield (
            f"{score + 1} with its extra point is a {score} to which its point was added: +1 of {score + 1} plays that "
            f"point alone, +{score} of {score + 1} the rest"
        )
    if rules["series_played"] != "each_throw":
        yield f"{here} +9 in all plays the sum of the throws that are left, here 9"
    if rules["partner_bar"]:
        yield "leave together: two pieces leave the partner's corner by a double"


def _entries(rules: Rules) -> Iterator[str]:
    if rules["entry"] == "by_extra":
        yield "enter extra 1 brings a waiting piece in by an extra point"
    elif rules["entry"] == "by_double":
        yield "enter by the double brings in all pieces that wait"
    elif rules["entry"] == "by_score":
        score = rules["enter_scores"][-1] if rules["enter_scores"] else f"{throws.named_score(rules)} by name"
        yield f"enter {score} brings a waiting piece in by a throw of {score}"
        if rules["pairs_apart"]:
            yield f"enter {score} alone leaves behind the piece with which it was sent back"
    else:
        yield "enter 2 brings a waiting piece to the second square of its way"


def _named(rules: Rules) -> str:
    """Return what the record calls the throw that has a name of its own."""
    shells = [0] + [1] * rules["named_mouths"] + [0] * (rules["cowries"] - 1 - rules["named_mouths"])
    lots = shells if rules["cowries"] else rules["named_faces"]
    return throw_name(rules, tuple(lots), throws.named_score(rules)) or "the throw with a name of its own"


def _under_turns(rules: Rules) -> Iterator[str]:
    if has_names(rules):
        yield "A throw that has a name is told by its name." if rules["lots"] else NAMED_BY_RECORD
    yield "Under each turn stand the squares of every player's pieces, (2) where two stand together, and what the next"
    yield "player has thrown. A piece that waits is off the board."
    if rules["pairs_reenter"]:
        yield "(in pairs: 2) tells how many of those that wait were sent back two together."


def _ways(rules: Rules) -> Iterator[str]:
    alike = _is_alike(rules)
    for seat in range(1 if alike else rules["seats"]):
        yield f"Way of the {SEAT_NAMES[seat]}: {', '.join(_lines_of(_way(rules, seat)))}, {_end(rules)}."
    if alike:
        others = "The other goes the same way" if rules["seats"] == 2 else "The others go the same way, each"
        yield f"{others} from his own side."


def lying(rules: Rules) -> str:
    """Return what pieces are that are drawn flat."""
    if rules["taking"]:
        return "asleep" if code.asleep(rules) else "on the way back"
    return "on the way home"


def _end(rules: Rules) -> str:
    if ends_in_place(rules):
        return "no farther"
    if rules["taking"]:
        return f"and on to {step_name(rules, 0, course(rules).round_to)}"
    if rules["goal"] == "beyond_last":
        return "home"
    board = board_of(rules)
    return f"home on {board.squares[board.tracks[rules['seats']][0][-1]].name}"


def _marks(rules: Rules) -> str:
    board = board_of(rules)
    if board.is_drawn and board.marks:
        listed = (
            f"{mark} {', '.join(board.squares[square].name for square in squares)}"
            for mark, squares in board.marks.items()
        )
        return f"Marked squares: {'; '.join(listed)}."
    marked = [square.name for square in board.squares if square.is_marked]
    return f"Marked squares: {', '.join(marked)}." if marked else "No square is marked."


def _way(rules: Rules, seat: int) -> list[str]:
    way = course(rules)
    return [step_name(rules, seat, step) for step in range(1 + way.asleep, way.home)]


def _lines_of(names: Sequence[str]) -> Iterator[str]:
    """Write a way as broken lines, by their ends and bends: f4–f1–g1–g4."""
    bends = [names[0]]
    ways = [_from_to(here, there) for here, there in pairwise(names)]
    for name, before, after in zip(names[1:], ways, [*ways[1:], (9, 9)], strict=True):
        is_apart = max(map(abs, before)) > 1
        if is_apart:
            yield "–".join(bends)
            bends = [name]
        elif before != after:
            bends.append(name)
    yield "–".join(bends)


def _from_to(here: str, there: str) -> tuple[int, int]:
    """Return how many files and ranks lie between two squares."""
    (x, y), (to_x, to_y) = ((ord(name[0]), int(name[1:].rstrip(SECOND_TIME))) for name in (here, there))
    return to_x - x, to_y - y
