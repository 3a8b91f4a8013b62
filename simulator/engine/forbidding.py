"""Which rule forbids a move: the one without which the referee would allow it.

Each rule of the ruleset is taken away in turn, by giving its parameter another value or by undoing what it has done to
the position, and the referee is asked again. What no rule of the ruleset forbids may be something that only another
rule would allow; what none would allow each family says in a sentence of its own.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from simulator.engine.family import family
from simulator.engine.session import Session

ONE_MOVE = 2  # codes that one move may have; more are all the moves of a piece, of which some rule would allow any

Rules = Mapping[str, Any]
Undo = Callable[[Any], None]  # changes a copy of the position


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody tried: the codes it may stand for, or why it stands for no move whatever the rules are.

    what:    the move in the family's notation, where one of several is meant; else empty
    plainly: what is to be said if no rule explains it
    keys:    parameters that are at work in what is said plainly
    """

    codes: tuple[int, ...]
    plainly: str
    keys: tuple[str, ...] = ()
    what: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a move cannot be played.

    keys:    parameters of the ruleset that forbid it, each by itself, or only all together if `together`
    missing: a parameter and its value that would allow it, but is no rule of this ruleset
    plainly: what a look at the board says, where no rule of the ruleset is the reason
    """

    what: str
    keys: tuple[str, ...] = ()
    together: bool = False
    missing: tuple[str, Any] | None = None
    plainly: str = ""


@dataclass(frozen=True, slots=True)
class Loosening:
    """A rule taken away.

    keys: the parameters that say it; values: others for them; undo: its work on the position
    is_general: it forbids so much that it is named only where no other rule does
    """

    keys: tuple[str, ...]
    values: Mapping[str, Any]
    undo: Undo | None = None
    is_general: bool = False


@dataclass(frozen=True, slots=True)
class Grounds:
    """What may stand in the way of a move.

    own:    parameters that forbid moves where they are rules of the ruleset
    absent: parameters that would allow moves if they were, the likelier first
    undone: rules whose work stands in the position
    """

    own: Collection[str]
    absent: Collection[str]
    undone: Collection[Loosening]


def verdict(session: Session, attempt: Attempt, grounds: Grounds) -> Verdict:
    """Why the referee does not allow it."""
    if not attempt.codes:
        return Verdict(attempt.what, attempt.keys, plainly=attempt.plainly)
    taken_away = [*grounds.undone, *_own(session, grounds.own, to_off=True)]
    for stage in (taken_away, _own(session, grounds.own, to_off=False)):
        found = [one for one in stage if _allows(session, attempt.codes, [one])]
        if found:
            found = [one for one in found if not one.is_general] or found
            return Verdict(attempt.what, tuple(dict.fromkeys(key for one in found for key in one.keys)))
    for pair in combinations(taken_away, 2):
        if _allows(session, attempt.codes, pair):
            return Verdict(attempt.what, tuple(dict.fromkeys(pair[0].keys + pair[1].keys)), together=True)
    for one in _absent(session, grounds.absent) if len(attempt.codes) <= ONE_MOVE else ():
        if _allows(session, attempt.codes, [one]):
            missing = next(iter(one.values.items()))
            return Verdict(attempt.what, missing=missing, plainly=attempt.plainly)
    return Verdict(attempt.what, attempt.keys, plainly=attempt.plainly)


def _own(session: Session, keys: Collection[str], to_off: bool) -> Iterator[Loosening]:
    """Every rule of the ruleset at its off value, or at each of its other values."""
    return _loosenings(session, [key for key in keys if key in session.ruleset.document], to_off)


def _absent(session: Session, keys: Collection[str]) -> Iterator[Loosening]:
    """Every rule that the ruleset does not have."""
    return _loosenings(session, [key for key in keys if key not in session.ruleset.document], to_off=False)


def _loosenings(session: Session, keys: Iterable[str], to_off: bool) -> Iterator[Loosening]:
    specs = family(session.ruleset.family).schema["properties"]
    for key in keys:
        off, own = specs[key].get("default"), session.ruleset.parameters[key]
        values = [off] if to_off else [value for value in _values(specs[key]) if value not in (off, own)]
        yield from (Loosening((key,), {key: value}) for value in values)


def _values(spec: Mapping[str, Any]) -> list[Any]:
    """Values of a parameter between which everything is that matters: all choices, or the bounds."""
    if spec["type"] == "boolean":
        return [False, True]
    if spec["type"] == "integer":
        return [spec["minimum"], spec["maximum"]]
    if spec["type"] == "array":
        items = spec["items"]
        return [list(range(items["minimum"], items["maximum"] + 1))] if "minimum" in items else []
    return list(spec["enum"])


def _allows(session: Session, codes: Sequence[int], loosened: Iterable[Loosening]) -> bool:
    """Whether one of the moves would be legal without these rules."""
    rules, position = dict(session.ruleset.parameters), session.position.copy()
    for one in loosened:
        rules.update(one.values)
        if one.undo:
            one.undo(position)
    legal = session.referee.moves(rules, position)
    return any(code in legal for code in codes)
