"""What a move that was typed or pointed out means, and, if it is illegal, which rule forbids it.

A rule forbids a move if the referee would allow the move without it. Each rule of the ruleset is therefore relaxed in
turn, by giving its parameter another value or by undoing what it has done to the position, and the referee lists the
legal moves again. A move that no rule of the ruleset forbids may be one that only another rule would allow; for a move
that no rule would allow, each family has a sentence of its own.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from simulator.engine.family import family
from simulator.engine.schemas import words_of
from simulator.engine.session import Session, decode
from simulator.engine.tables import kind_of

ONE_MOVE = 2  # codes that one move may have; more are all the moves of a piece, of which some rule would allow any

Rules = Mapping[str, Any]
Undo = Callable[[Any], None]  # changes a copy of the position


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move that was tried: the codes it may stand for, or why it stands for no move whatever the rules are.

    what:    the move in the family's notation, where one of several is meant; else empty
    plainly: the sentence for readers if no rule explains it
    keys:    parameters that are at work in that sentence
    """

    codes: tuple[int, ...]
    plainly: str
    keys: tuple[str, ...] = ()
    what: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
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
class Interpretation:
    """What a text means in a position.

    move:     the legal move that is meant, if it is one
    choices:  the legal moves that may be meant, if they are several
    refusals: why it may not be played, if it is none; all three are empty if the text names no move at all
    """

    move: int | None = None
    choices: tuple[int, ...] = ()
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class RelaxedRule:
    """A rule that is taken away for the length of one check.

    keys: the parameters that express it; values: other values for them; undo: removes its work from the position
    is_general: it forbids so much that it is named only where no other rule does
    """

    keys: tuple[str, ...]
    values: Mapping[str, Any]
    undo: Undo | None = None
    is_general: bool = False


@dataclass(frozen=True, slots=True)
class BlockingRules:
    """The rules that may stand in the way of a move.

    own:    parameters that forbid moves where they are rules of the ruleset
    absent: parameters that would allow moves if they were, the likelier first
    undone: rules whose work is visible in the position
    """

    own: Collection[str]
    absent: Collection[str]
    undone: Collection[RelaxedRule]


def interpret(session: Session, text: str) -> Interpretation:
    """Interpret a text in the present position of a game that is not over."""
    # Spaces that were typed twice, or at the ends, mean nothing.
    text = " ".join(text.split())
    move = decode(session, text)
    if move is not None:
        return Interpretation(move)
    reader = session.ruleset.module("attempts")
    attempts: list[Attempt] = reader.read(session, text) or []
    legal = tuple(code for code in session.options if any(code in attempt.codes for attempt in attempts))
    if len(legal) == 1:
        return Interpretation(legal[0])
    if legal:
        return Interpretation(choices=legal)
    blocking = BlockingRules(reader.FORBIDDING, reader.ALLOWING, list(reader.undone(session)))
    refusals = (refusal_of(session, attempt, blocking) for attempt in attempts)
    return Interpretation(refusals=_merged(refusals))


def refusal_of(session: Session, attempt: Attempt, blocking: BlockingRules) -> Refusal:
    """Find out why the referee does not allow an attempt.

    Single rules come before pairs of rules, rules of the ruleset before rules that it lacks, and a rule at
    its off value before the same rule at another value. The first that explains the refusal is reported.
    """
    if not attempt.codes:
        return Refusal(attempt.what, attempt.keys, plainly=attempt.plainly)
    document = session.ruleset.document
    own = [key for key in blocking.own if key in document]
    switched_off = [*blocking.undone, *_relaxed(session, own, to_off=True)]
    for stage in (switched_off, _relaxed(session, own, to_off=False)):
        causes = [rule for rule in stage if _allows(session, attempt.codes, [rule])]
        if causes:
            causes = [rule for rule in causes if not rule.is_general] or causes
            return Refusal(attempt.what, tuple(dict.fromkeys(key for rule in causes for key in rule.keys)))
    for pair in combinations(switched_off, 2):
        if _allows(session, attempt.codes, pair):
            return Refusal(attempt.what, tuple(dict.fromkeys(pair[0].keys + pair[1].keys)), together=True)
    if len(attempt.codes) <= ONE_MOVE:
        absent = [key for key in blocking.absent if key not in document]
        for rule in _relaxed(session, absent, to_off=False):
            if _allows(session, attempt.codes, [rule]):
                missing = next(iter(rule.values.items()))
                return Refusal(attempt.what, missing=missing, plainly=attempt.plainly)
    return Refusal(attempt.what, attempt.keys, plainly=attempt.plainly)


def _relaxed(session: Session, keys: Iterable[str], to_off: bool) -> Iterator[RelaxedRule]:
    """Yield each rule at its off value, each row of a table taken out before the whole, or at each of its other
    values."""
    specs = family(session.ruleset.family).schema["properties"]
    for key in keys:
        off, own = specs[key].get("default"), session.ruleset.parameters[key]
        if to_off and isinstance(own, list) and kind_of(specs[key]):
            without = ((f"{key}[{row}]", own[:row] + own[row + 1 :]) for row in range(len(own)))
            yield from (RelaxedRule((place,), {key: value}) for place, value in without)
        values = [off] if to_off else [value for value in _values(specs[key]) if value not in (off, own)]
        yield from (RelaxedRule((key,), {key: value}) for value in values)


def _values(spec: Mapping[str, Any]) -> list[Any]:
    """List the values of a parameter that may make a difference: all choices, or the bounds of a number; none of a
    table."""
    if kind_of(spec):
        return []
    if spec["type"] == "boolean":
        return [False, True]
    if spec["type"] == "integer":
        return [spec["minimum"], spec["maximum"]]
    if spec["type"] == "array":
        items = spec["items"]
        return [list(range(items["minimum"], items["maximum"] + 1))] if "minimum" in items else []
    return words_of(spec)


def _allows(session: Session, codes: Sequence[int], relaxed: Iterable[RelaxedRule]) -> bool:
    """Say whether one of the moves would be legal without these rules."""
    rules, position = dict(session.ruleset.parameters), session.position.copy()
    for rule in relaxed:
        rules.update(rule.values)
        if rule.undo:
            rule.undo(position)
    legal = session.referee.moves(rules, position)
    return any(code in legal for code in codes)


def _merged(refusals: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """Merge refusals that give the same reason for several parts of a throw."""
    merged: dict[tuple[object, ...], list[Refusal]] = {}
    for refusal in refusals:
        reason = (refusal.keys, refusal.together, str(refusal.missing), refusal.plainly)
        merged.setdefault(reason, []).append(refusal)
    return tuple(
        replace(same[0], what=", ".join(refusal.what for refusal in same if refusal.what)) for same in merged.values()
    )
