"""What pages show of a ruleset and its games: the board before the first move, moves, throws, events, rules that fired.

The words of a rule are those of the clause that a reading holds for it, else the plain sentence of its parameter. A
drawing of a board follows from its content, so it is kept under its hash for as long as the process lives.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import islice
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from catalogue.evidence.clauses import ReadingClause, clauses_of
from catalogue.models.querysets import newest_versions
from catalogue.play.players import YOU, Address, OfferedLevel, player_called
from catalogue.texts.formatting import capitalised
from simulator.engine import narration
from simulator.engine.board_sheet import motion_text, words
from simulator.engine.ends import DRAW, END_NAMES, ENDLESS, UNFINISHED
from simulator.engine.family import family, sentence
from simulator.engine.illegal_move import Refusal
from simulator.engine.referee_playout import Ply, plies
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.engine.session import Session, encode
from simulator.engine.tables import looked_up, read_place
from simulator.models import Ruleset, RulesetVersion
from simulator.rulesets import as_engine

MOST_KEPT = 512  # drawings: a few kilobytes each, and more than the shipped rulesets
DARK = (
    "svg { color-scheme: dark } svg > g, .piece { stroke: #f0e6d2 } text:not(.on-piece), .dot { fill: #f0e6d2 } "
    ".ground { fill: #4b3b28; stroke: #8f7148 } .hole { fill: #33281b } .seeds { stroke: #dcc092 } "
    ".cell { fill: #5d4b34 } .dark { fill: #3a2d1e }"
)
STYLE = f"<style>@media (prefers-color-scheme: dark) {{ {DARK} }}</style>"


@dataclass(frozen=True, slots=True)
class StartBoard:
    """A board before the first move.

    svg: for a page; name: of the board, in words; standing: the pieces by place; sides: the names of the seats"""

    svg: SafeString
    name: str
    standing: str
    sides: tuple[str, ...]

    @property
    def against(self) -> str:
        """ "aligner (first player) against blocker (second player)"; more than two are only listed."""
        return (" against " if len(self.sides) == 2 else ", ").join(self.sides)

    @property
    def document(self) -> str:
        """The drawing as a file of its own, which follows the reader's choice of light or dark by itself."""
        return str(self.svg).replace("</desc>", f"</desc>{STYLE}", 1)


_kept: dict[str, StartBoard] = {}


def start_board(ruleset: EngineRuleset | Ruleset) -> StartBoard:
    """The board of a ruleset, whether it is a row or its content."""
    board = _kept.get(ruleset.hash)
    if board is None:
        board = _drawn(as_engine(ruleset) if isinstance(ruleset, Ruleset) else ruleset)
        if len(_kept) < MOST_KEPT:
            _kept[ruleset.hash] = board
    return board


def _drawn(ruleset: EngineRuleset) -> StartBoard:
    kind = family(ruleset.family)
    svg = kind.draw_start(ruleset)
    name, _, standing = unescape(words(svg)[1]).partition(". ")
    naming = kind.naming(ruleset.parameters)
    sides = tuple(naming.seat(seat) for seat in range(kind.seats(ruleset.parameters)))
    return StartBoard(mark_safe(svg), name, standing, sides)


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The first plies of a game by lot, for a board that moves. motion: as `GameView.motion` has it"""

    name: str
    title: str
    svg: SafeString
    motion: str


SHOWN_PLIES = 8
SEED = 1


@cache
def demonstration(slug: str, title: str, hash: str) -> Demonstration:
    """The beginning of game 0 of a shipped or stored ruleset, kept for as long as the process lives."""
    ruleset = as_engine(Ruleset.objects.get(hash=hash))
    places, first = ruleset.module("drawing"), islice(plies(ruleset, SEED, 0), SHOWN_PLIES)
    motion = "|".join(motion_text(places.motion(ruleset.parameters, ply)) for ply in first)
    return Demonstration(slug, title, start_board(ruleset).svg, motion)


DOUBTFUL = ("conjecture", "by_analogy")  # bases of a clause
MOST_LAPS = 6  # of one turn: a long relay would bury everything else
MOST_PLIES = 12
MOST_SHOWN = 24  # plies that a board shows moving, at most, after an answer
BUTTONS = 60  # more moves than this are a list to choose from; only layouts are so many


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule of a ruleset in words. clause: None where no reading says what it rests on."""

    key: str
    title: str
    sentence: str
    clause: ReadingClause | None

    @property
    def is_doubtful(self) -> bool:
        """Whether the words of the sources do not say it: it is a conjecture, or goes by a like game."""
        return self.clause is not None and self.clause.clause.basis in DOUBTFUL


@dataclass(frozen=True, slots=True)
class VerdictInWords:
    """Why a move cannot be played. missing: the sentence of a rule that would allow it, but is none here."""

    verdict: Refusal
    rules: tuple[RuleWords, ...]
    missing: str


class Wording:
    """The rules of a ruleset in words. Five queries if it has a name, however many rules are looked up; none where what
    its reading holds is given."""

    def __init__(
        self,
        ruleset: EngineRuleset,
        version: RulesetVersion | None,
        held: Sequence[ReadingClause] | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.kind = family(ruleset.family)
        self.specs = self.kind.schema["properties"]
        self.sentences = family(ruleset.family).sentences(ruleset)
        # Clauses are of the newest version: of another they may say what is no longer so.
        if held is None and version and newest_versions([version.slug])[version.slug].ruleset_id == ruleset.hash:
            held = clauses_of([version.slug])[version.slug]
        self.clauses = {key: clause for clause in reversed(held or ()) for key in clause.parameters}

    def of(self, keys: Iterable[str]) -> tuple[RuleWords, ...]:
        """The rules of these parameters, each clause once."""
        rules: list[RuleWords] = []
        for key in keys:
            clause = looked_up(self.clauses, key)
            if clause is None or all(rule.clause is not clause for rule in rules):
                said = self.sentences.get(key) or self.kind.sentence(key, self.ruleset.parameters)
                rules.append(RuleWords(key, self.kind.title_of(key), said, clause))
        return tuple(rules)

    def gist(self) -> tuple[RuleWords, ...]:
        """The rules that a visitor can begin to play by, those that the ruleset sets or a clause states."""
        groups, known = family(self.ruleset.family).gist, (self.ruleset.document, self.clauses)
        firsts = (next((key for some in known for key in group if key in some), None) for group in groups)
        return self.of(key for key in firsts if key)

    def fired(self, keys: Iterable[str]) -> tuple[RuleWords, ...]:
        """The rules of this ruleset among the parameters that made something happen."""
        return self.of(key for key in keys if read_place(key)[0] in self.ruleset.document)

    def explain(self, verdict: Refusal) -> VerdictInWords:
        missing = ""
        rules = self.of(verdict.keys)
        if verdict.missing:
            key, value = verdict.missing
            rules = self.of([key])
            missing = "" if rules[0].clause else sentence(value, self.specs[key])
        return VerdictInWords(verdict, rules, missing)


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """options: among how many moves it was chosen"""

    name: str
    options: int


@dataclass(frozen=True, slots=True)
class EventView:
    """An event as a page shows it. rules: those that fired and are named here; again: those named before it already."""

    sentence: str
    rules: tuple[RuleWords, ...]
    again: tuple[RuleWords, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnSummary:
    number: int
    who: str
    moves: tuple[ChosenMove, ...]
    events: tuple[EventView, ...]
    lines: tuple[str, ...]


def summarise(
    ruleset: EngineRuleset, turns: Iterable[dict[str, Any]], wording: Wording | None = None
) -> list[TurnSummary]:
    """Turns of a slice (see `simulator.engine.replay`); without a wording no rules beside the events."""
    seats = seat_names(ruleset)
    return [
        TurnSummary(
            turn["turn"],
            seats[turn["seat"]],
            tuple(ChosenMove(ply["move"], ply["options"]) for ply in turn["plies"]),
            tuple(_event_views(turn, wording)) if wording else (),
            tuple(turn["text"]),
        )
        for turn in turns
    ]


def _event_views(turn: dict[str, Any], wording: Wording) -> Iterator[EventView]:
    named: set[str] = set()
    for ply in turn["plies"]:
        for event in ply["sentences"]:
            rules = wording.fired(event["fired"])
            fresh = tuple(rule for rule in rules if rule.key not in named)
            yield EventView(event["sentence"], fresh, tuple(rule for rule in rules if rule.key in named))
            named |= {rule.key for rule in fresh}


def seat_names(ruleset: EngineRuleset) -> list[str]:
    kind = family(ruleset.family)
    naming = kind.naming(ruleset.parameters)
    return [naming.seat(seat) for seat in range(kind.seats(ruleset.parameters))]


def end_in_words(ruleset: EngineRuleset, row: dict[str, int], until: str) -> str:
    """Return how a game ended, as a sentence."""
    seats = seat_names(ruleset)
    after = f"after {row['turns']:,} turn{'' if row['turns'] == 1 else 's'}"
    is_round = until == "round"
    part = "The first round" if is_round else "The game"
    if row["end"] == ENDLESS:
        return f"{part} became endless {after}: the rules never let the mover stop."
    if row["end"] == UNFINISHED:
        return f"{part} was stopped by the cap {after}; nobody knows how it would have ended."
    if row["end"] == DRAW:
        return f"{part} ended equal {after}." if is_round else f"{part} was drawn {after}."
    winners = [name for seat, name in enumerate(seats) if row["winners"] >> seat & 1]
    if is_round:
        return f"{part} ended {after}, and the {' and the '.join(winners)} owned more."
    return f"{part} was won by the {' and the '.join(winners)} {after}."


@dataclass(frozen=True, slots=True)
class LegalMove:
    """word: as the address writes it; name: in notation; places: what is pointed to on the board for it; said: as a
    button says it"""

    word: str
    name: str
    places: str
    said: str = ""


SAID = {
    r"\+([a-z]\d+)": r"lay on \1",
    r"([a-z]\d+)-([a-z]\d+)": r"\1 to \2",
    r"([a-z]\d+)x([a-z]\d+)": r"\1 takes, to \2",
    r"([a-z]\d+) \+(\d+)": r"\1 by \2",
}
WAYS = {">": "→", "<": "←"}  # as their player sees them, who sits at the other side of the board in the second seat


def said(name: str, seat: int) -> str:
    """A move as a button says it, where notation alone would have to be learnt: "lay on a1", "a1 to b2", "c →"."""
    if re.fullmatch(r"[a-z][<>]", name):
        way = name[1] if seat == 0 else "<>".replace(name[1], "")
        return f"{name[0]} {WAYS[way]}"
    for form, pattern in SAID.items():
        if match := re.fullmatch(form, name):
            return match.expand(pattern)
    return name


@dataclass(frozen=True, slots=True)
class PlySummary:
    """who: the seat; player: by its level, or else in words"""

    who: str
    player: str
    move: str
    events: tuple[EventView, ...]


@dataclass(frozen=True, slots=True)
class _Thrown:
    """A throw that was made and not played, described as if it were a ply."""

    events: tuple[Any, ...]
    position: Any


class GameView:
    """A session seen by those who play it."""

    def __init__(self, session: Session, address: Address, wording: Wording, levels: list[OfferedLevel]) -> None:
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
        """Who plays that seat, by its level or else in words."""
        return self.called[self.session.mover]

    @property
    def is_yours(self) -> bool:
        return not self.session.is_over and self.player == YOU

    @property
    def reading(self) -> str:
        """How moves and boards of the family are written, but for what only texts have."""
        return " ".join(narration.reading(self.session.ruleset).split()).partition(" In brackets behind")[0]

    def board(self, hinted: Collection[str] = ()) -> str:
        """Draw the board; the places of a hint are marked, or else those that the last move touched."""
        plies = self.session.plies
        rules = self.session.ruleset.parameters
        marked = hinted or (self.session.places.touched(rules, plies[-1]) if plies else ())
        title = f"The board after {len(plies)} {'ply' if len(plies) == 1 else 'plies'}"
        return family(self.session.ruleset.family).draw(self.session.ruleset, self.session.position, title, marked)

    def key(self) -> list[tuple[str, str]]:
        """What stands for what on the board: (a class that draws it, words); of marks those that are there."""
        kind, position = self.session.ruleset.family, self.session.position
        sides = [(f"{kind} side-{seat}", self._who(seat)) for seat in range(len(self.seats))]
        return [*sides, *(("", words) for words in self.session.places.legend(position))]

    def _who(self, seat: int) -> str:
        """Who a seat is to whoever reads: "you (first player)", where nobody else sits before the screen."""
        played_here = self.address.players.count(YOU)
        if played_here != 1:
            return self.seats[seat]
        is_you = self.address.players[seat] == YOU
        others = len(self.seats) - 1
        return f"{'you' if is_you else 'your opponent' if others == 1 else 'an opponent'}: {self.seats[seat]}"

    def motion(self) -> str:
        """What the last plies did, for a board that moves: steps as `board_sheet.motion_text` writes them, plies apart
        by strokes."""
        rules = self.session.ruleset.parameters
        return "|".join(motion_text(self.session.places.motion(rules, ply)) for ply in self.session.plies[-MOST_SHOWN:])

    def moves(self, codes: Sequence[int] | None = None) -> list[LegalMove]:
        """The legal moves, or some of them."""
        session = self.session
        return [
            LegalMove(
                encode(session, code),
                name := session.name_of(code),
                " ".join(session.places_of(code)),
                said(name, session.mover),
            )
            for code in (session.options if codes is None else codes)
        ]

    def throw(self) -> list[EventView]:
        """The throw that is to be played now; empty where no lots are thrown."""
        position = self.session.position
        thrown = getattr(position, "thrown", ())
        if self.session.is_over or not thrown:
            return []
        return self._events(Ply(self.session.mover, 0, 0, position, _Thrown(thrown, position)))

    def lots(self) -> str:
        """The lots of the throw that is to be played now, as a step of a board that moves."""
        position = self.session.position
        throws = [event for event in getattr(position, "thrown", ()) if event.kind == "throw"]
        rules = self.session.ruleset.parameters
        return (
            motion_text(self.session.places.thrown(rules, event) for event in throws)
            if throws and not self.session.is_over
            else ""
        )

    def to_play(self) -> list[str]:
        """The parts of the throw that are still to be played."""
        if self.session.is_over or not family(self.session.ruleset.family).throws:
            return []
        parts: list[str] = self.session.notation.parts_in_hand(self.session.position)
        return parts

    def since_you_chose(self) -> list[PlySummary]:
        """The plies since the last decision of a player at the screen."""
        plies, first = self.session.plies, self.last_choice()
        recent = plies[-1:] if first is None else plies[first:]
        return [self._summary(ply) for ply in recent[-MOST_PLIES:]]

    def last_choice(self) -> int | None:
        """The number, from 0, of the last ply in which a player at the screen had a choice."""
        numbered = reversed(list(enumerate(self.session.plies)))
        return next((n for n, ply in numbered if ply.options > 1 and self.address.players[ply.seat] == YOU), None)

    def _summary(self, ply: Ply) -> PlySummary:
        move = str(self.session.notation.move_name(self.session.ruleset.parameters, ply.before, ply.move))
        return PlySummary(self.seats[ply.seat], self.called[ply.seat], move, tuple(self._events(ply)))

    def _events(self, ply: Ply) -> list[EventView]:
        """A sentence each, and every rule once; of a long relay the first laps and how many there were."""
        views: list[EventView] = []
        named: set[str] = set()
        laps = 0
        for event in narration.events(self.session.ruleset, ply):
            laps += event.kind == "lap"
            if event.kind != "lap" or laps <= MOST_LAPS:
                rules = self.wording.fired(key for key in event.keys if key not in named)
                views.append(EventView(capitalised(event.sentence), rules))
                named.update(event.keys)
        if laps > MOST_LAPS:
            views.append(EventView(f"{laps} laps in all; the first {MOST_LAPS} are told.", ()))
        return views

    @property
    def winning(self) -> list[int]:
        """The seats that have won."""
        session = self.session
        return [seat for seat in range(len(self.seats)) if session.is_over and session.winners >> seat & 1]

    def to_you(self) -> str:
        """What the end is to the one player at the screen: "You have won!"; empty where several sit there."""
        if not self.session.is_over or self.address.players.count(YOU) != 1:
            return ""
        if not self.winning:
            return "Nobody has won."
        return "You have won!" if self.address.players[self.winning[0]] == YOU else "You have lost this one."

    def result(self) -> str:
        """Return how the game ended, in a sentence; empty while it runs."""
        session = self.session
        if not session.is_over:
            return ""
        winners = [title for seat, title in enumerate(self.seats) if session.winners >> seat & 1]
        if winners:
            return f"{capitalised(' and '.join(winners))} {'wins' if len(winners) == 1 else 'win'}."
        return "The game is drawn." if END_NAMES[session.end] == "draw" else "The game never ends: it is endless."
