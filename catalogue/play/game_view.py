"""What a page shows of a game being played: the board, the throw, what happened of late, and what may be done."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.play.address import YOU, Address
from catalogue.play.levels import Level, player_called
from catalogue.play.rule_words import Wording
from catalogue.play.turn_summaries import Happening, seat_names
from catalogue.texts.formatting import capitalised
from simulator.engine import telling
from simulator.engine.ends import END_NAMES
from simulator.engine.family import family
from simulator.engine.reference_playout import Ply
from simulator.engine.session import Session
from simulator.engine.writing import word_for

MOST_LAPS = 6  # of one turn: a long relay would bury everything else
MOST_PLIES = 12
BUTTONS = 60  # more moves than this are a list to choose from; only layouts are so many


@dataclass(frozen=True, slots=True)
class LegalMove:
    """word: as the address writes it; name: in notation; places: what is pointed to on the board for it"""

    word: str
    name: str
    places: str


@dataclass(frozen=True, slots=True)
class PlySummary:
    """who: the seat; player: by its level, or else in words"""

    who: str
    player: str
    move: str
    events: tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class _Thrown:
    """A throw that was made and not played, described as if it were a ply."""

    events: tuple[Any, ...]
    position: Any


class GameView:
    """A session seen by those who play it."""

    def __init__(self, session: Session, address: Address, wording: Wording, levels: list[Level]) -> None:
        self.session, self.address, self.wording = session, address, wording
        self.seats = seat_names(session.ruleset)
        self.called = [player_called(name, levels) for name in address.players]

    @property
    def mover(self) -> str:
        return self.seats[self.session.mover]

    @property
    def player(self) -> str:
        """Who plays the seat whose move it is."""
        return self.address.players[self.session.mover]

    @property
    def level(self) -> str:
        """The same by its level, or else in words."""
        return self.called[self.session.mover]

    @property
    def is_yours(self) -> bool:
        return not self.session.is_over and self.player == YOU

    @property
    def reading(self) -> str:
        """How moves and boards of the family are written, but for what only texts have."""
        return " ".join(telling.reading(self.session.ruleset).split()).partition(" In brackets behind")[0]

    def board(self, hinted: Collection[str] = ()) -> str:
        """With what the last move touched pointed out, or the places of a hint."""
        plies = self.session.plies
        rules = self.session.ruleset.parameters
        marked = hinted or (self.session.places.touched(rules, plies[-1]) if plies else ())
        title = f"The board after {len(plies)} {'ply' if len(plies) == 1 else 'plies'}"
        return family(self.session.ruleset.family).draw(self.session.ruleset, self.session.position, title, marked)

    def moves(self, codes: Sequence[int] | None = None) -> list[LegalMove]:
        """The legal moves, or some of them."""
        session = self.session
        return [
            LegalMove(word_for(session, code), session.name_of(code), " ".join(session.places_of(code)))
            for code in (session.options if codes is None else codes)
        ]

    def throw(self) -> list[Happening]:
        """What was thrown and is to be played now; nothing where no lots are thrown."""
        position = self.session.position
        thrown = getattr(position, "thrown", ())
        if self.session.is_over or not thrown:
            return []
        return self._events(Ply(self.session.mover, 0, 0, position, _Thrown(thrown, position)))

    def to_play(self) -> list[str]:
        """What of the throw is still to be played."""
        if self.session.is_over or not family(self.session.ruleset.family).throws:
            return []
        parts: list[str] = self.session.notation.parts_in_hand(self.session.position)
        return parts

    def since_you_chose(self) -> list[PlySummary]:
        """What happened from one's own last decision on."""
        plies, first = self.session.plies, self.last_choice()
        recent = plies[-1:] if first is None else plies[first:]
        return [self._summary(ply) for ply in recent[-MOST_PLIES:]]

    def last_choice(self) -> int | None:
        """The number, from 0, of the last ply in which somebody before the screen had a choice."""
        numbered = reversed(list(enumerate(self.session.plies)))
        return next((n for n, ply in numbered if ply.options > 1 and self.address.players[ply.seat] == YOU), None)

    def _summary(self, ply: Ply) -> PlySummary:
        move = str(self.session.notation.move_name(self.session.ruleset.parameters, ply.before, ply.move))
        return PlySummary(self.seats[ply.seat], self.called[ply.seat], move, tuple(self._events(ply)))

    def _events(self, ply: Ply) -> list[Happening]:
        """A sentence each, and every rule once; of a long relay the first laps and how many there were."""
        found: list[Happening] = []
        named: set[str] = set()
        laps = 0
        for event in telling.events(self.session.ruleset, ply):
            laps += event.kind == "lap"
            if event.kind != "lap" or laps <= MOST_LAPS:
                rules = self.wording.fired(key for key in event.keys if key not in named)
                found.append(Happening(capitalised(event.sentence), rules))
                named.update(event.keys)
        if laps > MOST_LAPS:
            found.append(Happening(f"{laps} laps in all; the first {MOST_LAPS} are told.", ()))
        return found

    def result(self) -> str:
        """How the game ended, in a sentence; empty while it runs."""
        session = self.session
        if not session.is_over:
            return ""
        winners = [title for seat, title in enumerate(self.seats) if session.winners >> seat & 1]
        if winners:
            return f"{capitalised(' and '.join(winners))} {'wins' if len(winners) == 1 else 'win'}."
        return "The game is drawn." if END_NAMES[session.end] == "draw" else "The game never ends: it is endless."
