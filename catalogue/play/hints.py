"""Hints: what the strongest level that a visitor may have would play where somebody before the screen is to choose."""

from dataclasses import dataclass

from catalogue.play.levels import levels
from simulator.engine.session import Session
from simulator.models import Reply
from simulator.strength.replies import request_reply


@dataclass(frozen=True, slots=True)
class Hint:
    """who: the level that is asked; move: in notation, empty while it is thought about; places: of it on the board"""

    who: str
    reply: Reply
    move: str
    places: tuple[str, ...]


def request_hint(session: Session, visitor: str) -> Hint:
    """The hint for the position of a session, which workers think out like a reply. Raises QueueFull."""
    strongest = levels(session.ruleset)[-1]
    reply = request_reply(session.ruleset, strongest.player, session.seed, session.moves, visitor)
    if reply.move is None:
        return Hint(strongest.title, reply, "", ())
    return Hint(strongest.title, reply, session.name_of(reply.move), tuple(session.places_of(reply.move)))
