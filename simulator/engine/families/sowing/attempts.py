"""What somebody tried in a sowing game, and the rules that may stand in its way."""

import re
from collections.abc import Iterator
from functools import partial

from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.notation import LETTERS, MOVE_NAMES, hole_name
from simulator.engine.families.sowing.position import Position
from simulator.engine.families.sowing.referee.tables import pending
from simulator.engine.illegal_move import Attempt, RelaxedRule
from simulator.engine.session import Session

# The parameters that may keep a turn from starting in a hole, and one that would allow it.
FORBIDDING = (
    "singles",
    "first_move_from_end",
    "direction",
    "must_feed",
    "singles_exempt",
    "ends_empty",
    "loan",
    "loan_when",
    "equal_round",
    "short_handed",
    "minimum",
    "below_minimum",
    "begins_at",
    "openings",
    "leaves_one",
    "must_capture",
)
ALLOWING = ("direction",)
HEADINGS = {">": 0, "a": 0, "<": 1, "c": 1}
LAYING_OUT = "First lay out your row: choose how. Nothing is sown before that."
# Why a hole is marked: the kinds of mark without their owner, and the parameters that may have made them.
MARKED_BY = {
    code.BLIND: ("unfilled_closed",),
    code.BARRED: ("remainder_barred", "remainder_alone_barred"),
    code.PALM: ("palm",),
    code.TIED: ("tied_ends", "after_lap"),
}


def read(session: Session, text: str) -> list[Attempt] | None:
    """Return the attempts that a text (`c`, `2c`, `c>`, `borrow`) names, or None if it names none."""
    position = session.position
    by_name = {name: move for move, name in MOVE_NAMES.items()}
    if text in by_name:
        keys = ("loan",) if "loan" in session.ruleset.document else ()
        return [Attempt((by_name[text],), f"The player may not {text} now.", keys)]
    if position.tables is not None:
        return _by_names(session, text)
    found = re.fullmatch(r"([12]?)([a-z])\s*([<>ac]?)", text)
    if found is None or LETTERS.index(found[2]) >= position.row:
        return None
    seat = int(found[1]) - 1 if found[1] else session.mover
    hole = LETTERS.index(found[2])
    codes = tuple(2 * hole + heading for heading in (0, 1) if HEADINGS.get(found[3], heading) == heading)
    return [_start(session, seat * position.row + hole, codes)]


def _by_names(session: Session, text: str) -> list[Attempt] | None:
    """Return the attempts that a text names where holes are called as in tables: `b3`, `b3>`, `take c4`."""
    position = session.position
    found = re.fullmatch(r"(take )?([a-f][0-9]+)\s*([<>]?)", text)
    names = {hole_name(position, hole): hole for hole in range(len(position.holes))}
    if found is None or found[2] not in names:
        return None
    hole = names[found[2]]
    if position.phase == code.PICK or (position.phase == code.CHOOSE and pending(position)[1]["one"]):
        return [Attempt((code.PICKED + hole,), f"{found[2]} may not be taken now.", ("after_lap",))]
    if position.phase == code.CHOOSE or found[1]:
        return [Attempt((), "First say whether you take what was captured: take, or leave.", ("after_lap",))]
    own = position.own_row(session.mover)
    if hole not in own:
        return [Attempt((), f"No turn of this player starts from {found[2]}: it is not his.", ("owners",))]
    headings = [heading for heading, sign in ((1, ">"), (-1, "<")) if found[3] in ("", sign)]
    return [_start(session, hole, tuple(code.start_move(own.index(hole), heading) for heading in headings))]


def _start(session: Session, place: int, codes: tuple[int, ...]) -> Attempt:
    position = session.position
    name = hole_name(position, place)
    if position.phase in (code.LAY, code.LAY_RICH):
        return Attempt((), LAYING_OUT, ("next_round",))
    if place not in position.own_row(session.mover):
        return Attempt((), f"{name} is in the other player’s row; a turn starts from a hole in one’s own row.")
    if position.marks[place] == code.BLIND:
        return Attempt((), f"{name} is blind in this round: nobody may use it.", MARKED_BY[code.BLIND])
    if not position.holes[place]:
        return Attempt((), f"{name} is empty: there is nothing in it to sow.")
    return Attempt(codes, f"No turn may start from {name} now.")


def undone(session: Session) -> Iterator[RelaxedRule]:
    """Yield marks of holes, and a loan that binds the rest of the turn."""
    position: Position = session.position
    for place in position.own_row(session.mover):
        if position.marks[place] not in (code.ORDINARY, code.BLIND):
            yield RelaxedRule(_marking(session, place), {}, partial(_unmark, place))
    if position.loan >= code.HAS_BORROWED:
        yield RelaxedRule(("loan",), {}, _forget_loan)


def _marking(session: Session, place: int) -> tuple[str, ...]:
    """Return the parameters that have marked a hole: one that was matched is told by what happened since the last
    layout."""
    mark = session.position.marks[place]
    kind = mark & ~1
    if kind == code.BARRED and mark - kind != session.mover:
        return ("part_hole_to_richer",)
    if kind == code.BARRED and _was_matched(session, place):
        return ("matching_barred",)
    return tuple(key for key in MARKED_BY[kind] if key in session.ruleset.document)


def _was_matched(session: Session, place: int) -> bool:
    for ply in reversed(session.plies):
        kinds = [(event.kind, event.hole) for event in ply.played.events]
        if ("matching", place) in kinds:
            return True
        if any(kind == "layout" for kind, _ in kinds):
            return False
    return False


def _unmark(place: int, position: Position) -> None:
    position.marks[place] = code.ORDINARY


def _forget_loan(position: Position) -> None:
    position.loan = 0
