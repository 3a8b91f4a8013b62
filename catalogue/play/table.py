"""What a page shows of a game being played: the board, the throw, what happened of late, and what may be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.play.address import YOU, Address
from catalogue.play.rule_words import RuleWords, Wording
from catalogue.play.session import Session
from catalogue.play.writing import word_for
from simulator.engine.family import END_NAMES, family
from simulator.engine.reference_playout import Ply

LAPS_TOLD = 6  # of one turn: a long relay would bury everything else
PLIES_TOLD = 12
BUTTONS = 60  # more moves than this are a list to choose from; only layouts are so many


@dataclass(frozen=True, slots=True)
class ShownMove:
    """word: as the address writes it; name: in notation; places: what is pointed to on the board for it"""

    word: str
    name: str
    places: str


@dataclass(frozen=True, slots=True)
class ToldEvent:
    sentence: str
    rules: tuple[RuleWords, ...]


@dataclass(frozen=True, slots=True)
class ToldPly:
    who: str
    player: str
    move: str
    events: tuple[ToldEvent, ...]


@dataclass(frozen=True, slots=True)
class _Thrown:
    """A throw that was made and not played, told as if it were a ply."""

    events: tuple[Any, ...]
    position: Any


class Table:
    """A session seen by those who play it."""

    def __init__(self, session: Session, address: Address, wording: Wording) -> None:
        self.session, self.address, self.wording = session, address, wording
        self.seats = seat_titles(session)

    @property
    def mover(self) -> str:
        return self.seats[self.session.mover]

    @property
    def player(self) -> str:
        """Who plays the seat whose move it is."""
        return self.address.players[self.session.mover]

    @property
    def is_yours(self) -> bool:
        return not self.session.is_over and self.player == YOU

    @property
    def reading(self) -> str:
        """How moves and boards of the family are written, but for what only texts have."""
        return family(self.session.ruleset.family).reading.partition(" In brackets behind")[0].replace("\n", " ")

    def board(self) -> str:
        plies = self.session.plies
        rules = self.session.ruleset.parameters
        marked = self.session.places.touched(rules, plies[-1]) if plies else ()
        title = f"The board after {len(plies)} {'ply' if len(plies) == 1 else 'plies'}"
        return family(self.session.ruleset.family).draw(self.session.ruleset, self.session.position, title, marked)

    def moves(self, codes: Sequence[int] | None = None) -> list[ShownMove]:
        """The legal moves, or some of them."""
        session = self.session
        return [
            ShownMove(word_for(session, code), session.name_of(code), " ".join(session.places_of(code)))
            for code in (session.options if codes is None else codes)
        ]

    def throw(self) -> list[ToldEvent]:
        """What was thrown and is to be played now; nothing where no lots are thrown."""
        position = self.session.position
        thrown = getattr(position, "thrown", ())
        if self.session.is_over or not thrown:
            return []
        told = Ply(self.session.mover, 0, 0, position, _Thrown(thrown, position))
        return self._events(told)

    def to_play(self) -> list[str]:
        """What of the throw is still to be played."""
        if self.session.is_over or not family(self.session.ruleset.family).throws:
            return []
        parts: list[str] = self.session.notation.parts_in_hand(self.session.position)
        return parts

    def since_you_chose(self) -> list[ToldPly]:
        """What happened from one's own last decision on."""
        plies = self.session.plies
        first = self.last_choice()
        shown = plies[-1:] if first is None else plies[first:]
        return [self._told(ply) for ply in shown[-PLIES_TOLD:]]

    def last_choice(self) -> int | None:
        """The number, from 0, of the last ply in which somebody before the screen had a choice."""
        numbered = reversed(list(enumerate(self.session.plies)))
        return next((n for n, ply in numbered if ply.options > 1 and self.address.players[ply.seat] == YOU), None)

    def _told(self, ply: Ply) -> ToldPly:
        move = str(self.session.notation.move_name(self.session.ruleset.parameters, ply.before, ply.move))
        return ToldPly(self.seats[ply.seat], self.address.players[ply.seat], move, tuple(self._events(ply)))

    def _events(self, ply: Ply) -> list[ToldEvent]:
        """A sentence each, and every rule once; of a long relay the first laps and how many there were."""
        told: list[ToldEvent] = []
        shown: set[str] = set()
        laps = 0
        for event in self.session.notation.tell(ply):
            laps += event.kind == "lap"
            if event.kind != "lap" or laps <= LAPS_TOLD:
                rules = self.wording.fired(key for key in event.keys if key not in shown)
                told.append(ToldEvent(_capitalised(event.sentence), rules))
                shown.update(event.keys)
        if laps > LAPS_TOLD:
            told.append(ToldEvent(f"{laps} laps in all; the first {LAPS_TOLD} are told.", ()))
        return told

    def result(self) -> str:
        """How the game ended, in a sentence; empty while it runs."""
        session = self.session
        if not session.is_over:
            return ""
        winners = [title for seat, title in enumerate(self.seats) if session.winners >> seat & 1]
        if winners:
            return f"{_capitalised(' and '.join(winners))} {'wins' if len(winners) == 1 else 'win'}."
        return "The game is drawn." if END_NAMES[session.end] == "draw" else "The game never ends: it is endless."


def seat_titles(session: Session) -> list[str]:
    kind, parameters = family(session.ruleset.family), session.ruleset.parameters
    naming = kind.naming(parameters)
    return [naming.seat(seat) for seat in range(kind.seats(parameters))]


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
