"""What somebody tried in a race game, and the rules that may stand in its way."""

import re
from collections.abc import Iterator
from functools import partial

from simulator.engine.boards.tracks import board_of
from simulator.engine.families.race.drawing import HOME, move_places, place_name, waiting_name
from simulator.engine.families.race.position import (
    ALONE_OF,
    DECLINE,
    EXTRA_OF,
    FREE,
    PASS,
    REST_OF,
    STRIDE,
    TOTAL,
    Position,
)
from simulator.engine.families.race.referee.movement import series_sum
from simulator.engine.families.race.referee.throws import JOINED, kinds
from simulator.engine.families.race.referee.way import course
from simulator.engine.illegal_move import Attempt, RelaxedRule
from simulator.engine.session import Session

# The parameters that may keep a piece from going, and those that would allow it.
FORBIDDING = (
    "entry",
    "enter_scores",
    "named_enters",
    "first_enter_scores",
    "enter_double",
    "exit_doubles",
    "home_row_ones",
    "no_passing",
    "leaving_shared",
    "safe_meeting",
    "partner_bar",
    "series_played",
    "entry_spends",
    "enter_first",
    "own_on_square",
    "block_of",
    "block_stops",
    "home_field",
    "plays_most",
    "marked",
    "overshoot_by",
    "wake_scores",
    "wakes_first",
    "no_passing_own",
    "exit_scores",
    "final_steps",
    "final_marks",
)
ALLOWING = ("overshoot", "exit_alone", "pairs_apart", "series_played", "may_decline")
EVERY_SCORE = list(range(1, 61))
MOST_ATTEMPTS = 12  # parts of a throw that are spoken of one by one


def read(session: Session, text: str) -> list[Attempt] | None:
    """Return the attempts that a text (`k4`, `k4 k10`, `k4 +6`, `enter 5`, `decline`) names, one a part of the
    throw."""
    seat = session.mover
    if text in ("pass", "decline"):
        why = "Part of the throw can be played, so nobody may pass."
        return [Attempt((PASS if text == "pass" else DECLINE,), why)]
    text = text.replace("enter", f"{waiting_name(seat)} ").replace("*", "").replace("'", "")
    squares = {square.name for square in board_of(session.ruleset.parameters).squares}
    named = re.findall(r"waiting-[1-4]|home|[a-z]\d{1,2}", text)
    if not 1 <= len(named) <= 2 or any(name[0] != "w" and name != HOME and name not in squares for name in named):
        return None
    number = re.fullmatch(r"[\s+-]*(\d{0,2})[a-z\s\d]*", text.split(named[-1], 1)[1])
    if number is None:
        return None
    attempts = _of_piece(session, named[0])
    if len(named) == 2:
        attempts = [
            attempt for attempt in attempts if not attempt.codes or _leads_to(session, attempt.codes[0], named[1])
        ]
        return attempts or [Attempt((), f"Nothing that was thrown brings a piece from {named[0]} to {named[1]}.")]
    if number[1]:
        attempts = [
            attempt for attempt in attempts if not attempt.codes or re.search(rf"[+ ]{number[1]}\b", attempt.what)
        ]
        return attempts or [Attempt((), f"No {number[1]} is left to play of what was thrown.")]
    return attempts


def _leads_to(session: Session, code: int, place: str) -> bool:
    return bool(move_places(session.ruleset.parameters, session.position, code)[1] == place)


def _of_piece(session: Session, place: str) -> list[Attempt]:
    """Make one attempt for every part of the throw that the mover's piece on a place might play."""
    rules, position, seat = session.ruleset.parameters, session.position, session.mover
    home = course(rules).home
    steps = sorted({step for step in position.pieces[seat] if place_name(rules, seat, step) == place})
    if place == HOME or home in steps:
        return [Attempt((), "A piece that is home stays there.")]
    if not steps:
        others = [place_name(rules, other, step) for other, row in enumerate(position.pieces) for step in row]
        whose = "another player’s" if place in others else "nobody’s"
        return [Attempt((), f"No piece of the player to move is on {place}: what stands there is {whose}.")]
    codes = [code for step in steps for code in _codes(position, step)]
    if not codes:
        return [Attempt((), "No throw that counts was made.")]
    return [_of_code(session, code) for code in codes[:MOST_ATTEMPTS]]


def _codes(position: Position, step: int) -> Iterator[int]:
    """Yield every part of the throw played by a piece on that step, legal or not."""
    if position.pool:
        near = min(position.pool, course(position.rules).home - step)
        shares = sorted({*range(1, near + 1), position.pool})  # of all that is too much the whole is enough
        yield from (FREE + share * STRIDE + step for share in shares)
    for number, kind in enumerate(kinds(position.rules)):
        if position.hand[number]:
            yield number * STRIDE + step
            if step == 0 and position.pairs[position.mover]:
                yield ALONE_OF + number * STRIDE
            if kind.label == JOINED:
                yield from (EXTRA_OF + number * STRIDE + step, REST_OF + number * STRIDE + step)
    if series_sum(position.rules, position)[0] > 1 and position.rules["series_played"] != "each_throw":
        yield TOTAL + step


def _of_code(session: Session, code: int) -> Attempt:
    rules = session.ruleset.parameters
    step, home = code % STRIDE, course(rules).home
    name, distance = session.name_of(code), _distance(session.position, code)
    if step and step + distance > home and not rules["taking"]:
        return Attempt((code,), f"The piece is {home - step} from home, and {distance} is more.", what=name)
    return Attempt((code,), f"The piece cannot go {distance}.", what=name)


def _distance(position: Position, code: int) -> int:
    share, place = divmod(code % ALONE_OF, FREE)
    number = place // STRIDE
    if share == 1:
        return number
    if share:
        return 1 if share == EXTRA_OF // FREE else kinds(position.rules)[number].value - 1
    return series_sum(position.rules, position)[1] if place >= TOTAL else kinds(position.rules)[number].value


def undone(session: Session) -> Iterator[RelaxedRule]:
    """Yield scores that enter no piece, an extra point owed to a waiting piece, a throw that has been divided."""
    position: Position = session.position
    for key in ("enter_scores", "first_enter_scores"):
        if key in session.ruleset.document:
            yield RelaxedRule((key,), {key: EVERY_SCORE})
    if position.waiting(session.mover) and "extra_scores" in session.ruleset.document:
        yield RelaxedRule(("extra_scores",), {}, _nobody_waits)
    if position.pool:
        yield RelaxedRule(("division",), {}, _other_piece)
        for share in range(1, position.pool):
            yield RelaxedRule(("division",), {}, partial(_only, share))


def _nobody_waits(position: Position) -> None:
    seat, home = position.mover, course(position.rules).home
    position.pieces[seat] = sorted(step or home for step in position.pieces[seat])


def _other_piece(position: Position) -> None:
    position.divided = 0


def _only(share: int, position: Position) -> None:
    position.pool, position.divided = share, 0
