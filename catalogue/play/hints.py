"""Advice to somebody before the screen who is to choose: what the strongest level would play, and what it expects.

Both are one reply of that level, so that whoever asks for the one has the other at once.
"""

from dataclasses import dataclass

from catalogue.play.levels import Level, levels
from simulator.engine.players.expectations import DRAWN, LOST, OPEN, WON, Expectation, read
from simulator.engine.players.names import UCT, player
from simulator.engine.session import Session
from simulator.models import Reply
from simulator.strength.perfect import PERFECT
from simulator.strength.replies import request_reply

# The rest of a sentence about the side to move; {} stands for the plies to the end, if they are known.
PROVED = {
    WON: "can win{} whatever is played",
    LOST: "can be beaten{} whatever it plays",
    DRAWN: "can neither force a win nor be forced to lose",
    OPEN: "can neither force a win{} nor be forced to lose so soon",
}


@dataclass(frozen=True, slots=True)
class Advice:
    """who: the level that is asked; move: in notation, empty while it is thought about; places: of it on the board

    expected: what it expects for the side to move; None while it is thought about, or if it cannot say
    """

    who: str
    reply: Reply
    move: str = ""
    places: tuple[str, ...] = ()
    expected: Expectation | None = None

    @property
    def proved(self) -> str:
        """What is proved of the side to move, as the rest of a sentence."""
        if self.expected is None:
            return ""
        plies = self.expected.plies
        within = "" if plies is None else " with the next ply" if plies == 1 else f" within {plies} plies"
        return PROVED[self.expected.value].format(within)

    @property
    def percent(self) -> int:
        """The share that is expected, rounded: a search comes to no more than that."""
        return round(100 * (self.expected.share or 0)) if self.expected else 0

    @property
    def basis(self) -> str:
        """What that share is of."""
        best = "its chance if both sides go on as well as can be, which is proved"
        return best if self.reply.player == PERFECT else "its share of the games played on from here in thought"


def request_advice(session: Session, visitor: str) -> Advice:
    """Advice for the position of a session, which workers think out like a reply. Raises QueueFull."""
    strongest = levels(session.ruleset)[-1]
    reply = request_reply(session.ruleset, strongest.player, session.seed, session.moves, visitor)
    if reply.move is None:
        return Advice(strongest.title, reply)
    places = tuple(session.places_of(reply.move))
    return Advice(strongest.title, reply, session.name_of(reply.move), places, read(reply.expected))


def can_judge(offered: list[Level]) -> bool:
    """Whether the strongest of the levels says what it expects."""
    strongest = offered[-1].player
    return strongest == PERFECT or player(strongest).kind == UCT
