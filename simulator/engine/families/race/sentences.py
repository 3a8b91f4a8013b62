"""What happens in a race game, in sentences, and why nothing can be played of a throw."""

from collections.abc import Iterable, Iterator

from simulator.engine.boards.race import BOARDS
from simulator.engine.families.race.events import Event, Hindrance, Part
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee.course import course
from simulator.engine.families.race.referee.parts import ONE
from simulator.engine.families.race.square_names import SECOND_TIME, part_name, square_name
from simulator.engine.families.race.throw_names import marked_shell, throw_name
from simulator.engine.naming import SEAT_NAMES, end_in_words
from simulator.engine.referee_playout import Ply


def where(ply: Ply, event: Event) -> str:
    """The square of an event; empty if it has none."""
    return "" if event.square is None else BOARDS[ply.before.rules["board"]].squares[event.square].name


def sentence_of(ply: Ply, event: Event) -> str:
    """One event in words."""
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
        "sent_back": f"{pieces} of {who} must go back from {square}",
        "safe": f"{pieces} of {who} {'is' if number == 1 else 'are'} safe on {square}",
        "home": f"a piece of {who} is home",
        "opened": f"the home row of {who} is open",
        "decline": f"{who} leaves the rest of the throw unplayed",
    }[event.kind]


def _throw(ply: Ply, event: Event) -> str:
    rules = ply.before.rules
    owner = f" for the {SEAT_NAMES[ply.before.mover]}" if event.seat != ply.before.mover else ""
    name = throw_name(rules, event.lots, event.number)
    is_sum = not rules["dice"] or (len(event.lots) > 1 and rules["division"] != "each_die")
    extra = " and an extra point" if "extra_scores" in event.keys else ""
    return (
        f"the {SEAT_NAMES[event.seat]} throws{owner} {_lots(ply.before, event)}{f', {name}' if name else ''}"
        f"{f': {event.number}' if is_sum else ''}{extra}"
    )


def _lots(position: Position, event: Event) -> str:
    if not position.rules["cowries"]:
        return " and ".join(map(str, event.lots))
    mouths, marked = sum(event.lots), marked_shell(position.rules)
    shown = f"{mouths} mouth{'' if mouths == 1 else 's'} up"
    if marked and 0 < mouths < len(event.lots):
        shown += f", the {marked} shell’s {'among them' if event.lots[0] else 'down'}"
    return shown


def _unplayed(position: Position, event: Event) -> str:
    """Of a throw of which nothing, or nothing more, can be played."""
    who = f"the {SEAT_NAMES[event.seat]}"
    if event.kind == "pass" and not event.hindrances:
        return f"{who} has nothing to play and passes"
    why = "; ".join(dict.fromkeys(_reasons(position, event.seat, event.hindrances))) or "all his pieces are home"
    if event.kind == "pass":
        return f"{who} can play nothing and passes: {why}"
    return f"{who} cannot play the remaining {_parts(event.left)}: {why}"


def _parts(left: tuple[Part, ...]) -> str:
    """Parts of a throw, the ones of a named throw counted: "8 ones and 4"."""
    ones = sum(label == ONE for _, label in left)
    others = [part_name(*part) for part in left if part[1] != ONE]
    counted = [] if not ones else ["one" if ones == 1 else f"{ones} ones"]
    return " and ".join([*counted, *others])


def _reasons(position: Position, seat: int, found: Iterable[Hindrance]) -> Iterator[str]:
    for hindrance in found:
        parts = " or ".join(dict.fromkeys(part_name(*part) for part in hindrance.parts))
        yield _reason(position, seat, hindrance, parts)


def _reason(position: Position, seat: int, hindrance: Hindrance, parts: str) -> str:
    step, obstacle = hindrance.step, hindrance.obstacle
    who = square_name(position, seat, step) if step else "a waiting piece"
    there, number = square_name(position, seat, obstacle.step), obstacle.number
    taken = f"{there.removesuffix(SECOND_TIME)}, where the other side stands"
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
        "meeting": f"{who} may not come to {taken}",
        "bar": f"{who} may not enter its home row yet",
        "corner": f"{who} may not go beyond {there} while the partner waits"
        if who != there
        else f"from {there} only two go on together, by a double, while the partner waits",
    }[obstacle.kind]
