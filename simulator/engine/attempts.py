"""What somebody who types a move, or points to places of the board, means by it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from simulator.engine.forbidding import Attempt, Grounds, Verdict, verdict
from simulator.engine.session import Session
from simulator.engine.writing import move_meant


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A move that was tried.

    move:     the legal move that is meant, if it is one
    choices:  the legal moves that may be meant, if they are several
    verdicts: why it may not be played, if it is none; all three are empty if the text names no move at all
    """

    move: int | None = None
    choices: tuple[int, ...] = ()
    verdicts: tuple[Verdict, ...] = ()


def interpret(session: Session, text: str) -> Interpretation:
    """What a text means in the present position of a game that is not over."""
    text = " ".join(text.split())
    move = move_meant(session, text)
    if move is not None:
        return Interpretation(move)
    of_family = session.ruleset.module("attempts")
    attempts: list[Attempt] = of_family.read(session, text) or []
    legal = tuple(code for code in session.options if any(code in attempt.codes for attempt in attempts))
    if len(legal) == 1:
        return Interpretation(legal[0])
    if legal:
        return Interpretation(choices=legal)
    grounds = Grounds(of_family.FORBIDDING, of_family.ALLOWING, list(of_family.undone(session)))
    verdicts = (verdict(session, attempt, grounds) for attempt in attempts)
    return Interpretation(verdicts=_merged(verdicts))


def _merged(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Verdicts that say the same of several parts of a throw become one."""
    merged: dict[tuple[object, ...], list[Verdict]] = {}
    for one in verdicts:
        merged.setdefault((one.keys, one.together, str(one.missing), one.plainly), []).append(one)
    return tuple(replace(same[0], what=", ".join(one.what for one in same if one.what)) for same in merged.values())
