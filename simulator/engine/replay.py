"""One game turn by turn: what was played, what it did, and which parameters of the ruleset made it happen.

The referee plays it, so a replay shows what the readable engine does; the conformance suite checks that the compiled
engine does the same. Each family's `notation` has the words.

Pages show a long game in slices of SLICE turns. A slice has one drawing of the board, as it stood before its first
turn; a turn has only the places that changed (`board_sheet` says what a place is).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from types import ModuleType
from typing import Any

from simulator.engine import narration
from simulator.engine.board_sheet import insides, motion_text, redrawn, words
from simulator.engine.ends import END_NAMES
from simulator.engine.family import family
from simulator.engine.naming import EventText, seats_of
from simulator.engine.referee_playout import Ply, plies
from simulator.engine.ruleset import Ruleset

LAPS_SHOWN = 12  # of one turn, in text: a long relay would bury everything else
SLICE = 50  # turns
BEFORE = "The board before the first move"


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything that one player did before the other could act."""

    number: int
    seat: int
    plies: tuple[Ply, ...]


class TooLong(Exception):
    """The game has more plies than the caller wants to replay."""


@dataclass(frozen=True, slots=True, repr=False)
class Replay:
    """A game with its row, measure -> number, the same as the kernel's. The row may count turns that `turns` lacks.

    until: "game", or "round" where it is the first round only, which nobody wins and which ends equal rather than drawn
    """

    ruleset: Ruleset
    turns: tuple[Turn, ...]
    row: dict[str, int]
    until: str = "game"

    @property
    def notation(self) -> ModuleType:
        return self.ruleset.module("notation")

    @property
    def end(self) -> str:
        return END_NAMES[self.row["end"]]

    @property
    def winners(self) -> list[int]:
        return seats_of(self.row["winners"])

    def fired(self) -> Counter[str]:
        """Count how often each parameter of the ruleset made something happen in these turns."""
        events = (event for turn in self.turns for ply in turn.plies for event in ply.played.events)
        return Counter(key for event in events for key in fired(self.ruleset, event.keys))

    def __repr__(self) -> str:
        return f"<Replay of {self.ruleset.name or self.ruleset.hash[:8]}: {end_text(self)}>"

    def __str__(self) -> str:
        return "\n".join(as_text(self))


def replay(
    ruleset: Ruleset,
    seed: int,
    game: int,
    cap: int,
    until: str,
    moves: Sequence[int] | None = None,
    most_plies: int = 0,
) -> Replay:
    """Replay game number `game` of `seed`, ended as a batch with that cap and `until` ends it.

    moves:      what the players chose; without it they are random players, whose moves the referee draws itself
    most_plies: 0 for any number; raises TooLong if the game has more
    """
    played: list[Ply] = []
    game_played = _recorded(plies(ruleset, seed, game, moves=moves), played, most_plies)
    row = ruleset.module("referee.contract").row(game_played, cap, until)
    return Replay(ruleset, tuple(_turns(played)), named_row(ruleset, row), until)


def replay_beginning(
    ruleset: Ruleset, seed: int, game: int, moves: Sequence[int], row: Sequence[int], most_turns: int
) -> Replay:
    """Replay the first turns of a game whose moves and row the compiled engine has listed."""
    turns = _turns(plies(ruleset, seed, game, moves=moves))
    return Replay(ruleset, tuple(islice(turns, most_turns)), named_row(ruleset, row))


def first_turns(ruleset: Ruleset, seed: int, game: int, most: int) -> tuple[Turn, ...]:
    """Return the first turns of a game of random players, which the referee plays no further."""
    return tuple(islice(_turns(plies(ruleset, seed, game)), most))


def named_row(ruleset: Ruleset, row: Sequence[int]) -> dict[str, int]:
    names = [measure.name for measure in family(ruleset.family).measures]
    return dict(zip(names, map(int, row), strict=True))


def _recorded(game: Iterator[Ply], played: list[Ply], most: int) -> Iterator[Ply]:
    for ply in game:
        if most and len(played) == most:
            raise TooLong
        played.append(ply)
        yield ply


def _turns(played: Iterable[Ply]) -> Iterator[Turn]:
    number = 1
    waiting: list[Ply] = []
    for ply in played:
        waiting.append(ply)
        if ply.played.turn_over:
            yield Turn(number, waiting[0].seat, tuple(waiting))
            number, waiting = number + 1, []


def fired(ruleset: Ruleset, keys: tuple[str, ...]) -> list[str]:
    """Return the parameters among `keys` that this ruleset sets; a parameter at its off value is no rule."""
    return [key for key in keys if key in ruleset.document]


def as_document(game: Replay) -> dict[str, Any]:
    """Return the game as a document for programs."""
    return {
        "turns": [turn_document(game, turn) for turn in game.turns],
        "end": game.end,
        "end_in_words": end_text(game),
        "winners": game.winners,
        "row": game.row,
    }


def turn_document(game: Replay, turn: Turn) -> dict[str, Any]:
    """Return a turn as a document for programs: `events` in full, `sentences` in words with long relays shortened."""
    return {"turn": turn.number, "seat": turn.seat, "plies": [_ply_document(game, ply) for ply in turn.plies]}


def _ply_document(game: Replay, ply: Ply) -> dict[str, Any]:
    notation = game.notation
    return {
        "move": notation.move_name(game.ruleset.parameters, ply.before, ply.move),
        "code": ply.move,
        "options": ply.options,
        **notation.ply_facts(ply),
        "events": [
            {**notation.event_facts(ply, event), "fired": fired(game.ruleset, event.keys)}
            for event in ply.played.events
        ],
        "sentences": [
            {"kind": kind, "sentence": sentence, "fired": fired(game.ruleset, keys)}
            for kind, sentence, keys in _shortened(game, ply)
        ],
        "position": notation.position_facts(ply.played.position),
    }


def as_text(game: Replay) -> Iterator[str]:
    """Yield the game for readers, line by line."""
    yield from rules_text(game.ruleset)
    for turn in game.turns:
        yield ""
        yield from turn_text(game, turn)
    yield ""
    yield end_text(game)


def rules_text(ruleset: Ruleset) -> Iterator[str]:
    yield "Rules"
    if who := narration.seats(ruleset):
        yield f"  {who}"
    kind = family(ruleset.family)
    yield from (f"  {sentence}  [{key}]" for key, _, sentence in kind.words(ruleset))
    if left_out := kind.left_out(ruleset):
        yield "What is so without rules that such games may have"
    yield from (f"  {sentence}  [{key}]" for key, _, sentence in left_out)


def end_text(game: Replay) -> str:
    """Say how the game ended: "win after 20 turns, first player"; or how its first round did, where that is all."""
    names = " and ".join(narration.seat(game.ruleset, seat) for seat in game.winners)
    after = f"after {game.row['turns']} turns"
    if game.until == "round":
        ends = {"win": f"ended {after}: the {names} owned more", "draw": f"ended equal {after}"}
        return f"the first round {ends.get(game.end, f'is {game.end} {after}')}"
    return f"{game.end} {after}" + (f", {names}" if names else "")


def turn_text(game: Replay, turn: Turn) -> Iterator[str]:
    """Yield a turn line by line: its moves, what happened, the board after it."""
    notation, rules = game.notation, game.ruleset.parameters
    moves = ", ".join(notation.move_name(rules, ply.before, ply.move) for ply in turn.plies)
    yield f"Turn {turn.number}, {narration.seat(game.ruleset, turn.seat)}: {moves}   ({options_text(turn)})"
    for ply in turn.plies:
        for _, sentence, keys in _shortened(game, ply):
            active = ", ".join(fired(game.ruleset, keys))
            yield f"  {sentence}{f'  [{active}]' if active else ''}"
    yield from (f"  {line}" for line in narration.board(game.ruleset, turn.plies[-1].played.position))


def options_text(turn: Turn) -> str:
    """Say how many legal moves each step of a turn had: "one of 22 moves", "one of 22 moves, then one of 3"."""
    first, *others = (ply.options for ply in turn.plies)
    start = "the only move" if first == 1 else f"one of {first} moves"
    return ", then ".join([start, *("the only one" if number == 1 else f"one of {number}" for number in others)])


def _shortened(game: Replay, ply: Ply) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (kind, sentence, parameters) of each event; several laps in a row beyond the first few are only counted."""
    laps = 0
    hidden: list[EventText] = []
    for event in narration.events(game.ruleset, ply):
        laps += event.kind == "lap"
        if event.kind == "lap" and laps > LAPS_SHOWN:
            hidden.append(event)
            continue
        yield from _counted(hidden)
        hidden = []
        yield event.kind, event.sentence, event.keys
    yield from _counted(hidden)


def _counted(laps: list[EventText]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    if len(laps) > 1:
        yield "laps", f"… and {len(laps):,} laps more", ()
    elif laps:
        yield laps[0].kind, laps[0].sentence, laps[0].keys


def slices(game: Replay) -> list[dict[str, Any]]:
    """Return the whole game in slices; a game without turns has one slice without any."""
    return [slice_of(game, number) for number in range(max(1, -(-len(game.turns) // SLICE)))]


def slice_number(turn: int) -> int:
    """Return the number of the slice that holds a turn; that of the first turn also shows the start, turn 0."""
    return max(0, turn - 1) // SLICE


def turn_summary(game: Replay, turn: Turn) -> dict[str, Any]:
    """Return a turn's document and its text, without its board."""
    return {**turn_document(game, turn), "text": list(turn_text(game, turn))}


def slice_of(game: Replay, number: int) -> dict[str, Any]:
    """Return slice `number`, from 0, as `{"first", "board", "turns": […]}`. A turn is its document with, besides,

    text:  its lines for readers
    board: title and description of the drawing after it, the insides of the places that have changed, and what is seen
           of the turn (`board_sheet.motion_text`)
    """
    first = number * SLICE
    shown = game.turns[first : first + SLICE]
    kind = family(game.ruleset.family)
    if first:
        board = _drawing(game, game.turns[first - 1])
    elif game.turns:
        board = kind.draw(game.ruleset, game.turns[0].plies[0].before, BEFORE, ())
    else:
        board = kind.draw_start(game.ruleset)
    return {"first": first + 1, "board": board, "turns": list(_slice_turns(game, shown, board))}


def _slice_turns(game: Replay, turns: tuple[Turn, ...], board: str) -> Iterator[dict[str, Any]]:
    before, motion = insides(board), game.ruleset.module("drawing").motion
    for turn in turns:
        svg = _drawing(game, turn)
        after = insides(svg)
        title, description = words(svg)
        places = {name: inside for name, inside in after.items() if inside != before[name]}
        steps = chain.from_iterable(motion(game.ruleset.parameters, ply) for ply in turn.plies)
        yield {
            **turn_summary(game, turn),
            "board": {"title": title, "description": description, "places": places, "motion": motion_text(steps)},
        }
        before = after


def _drawing(game: Replay, turn: Turn) -> str:
    return drawing_after(game.ruleset, turn)


def drawing_after(ruleset: Ruleset, turn: Turn) -> str:
    """Draw the board after a turn, with brackets round what the turn touched."""
    places = ruleset.module("drawing")
    touched = chain.from_iterable(places.touched(ruleset.parameters, ply) for ply in turn.plies)
    title = f"The board after turn {turn.number}"
    return family(ruleset.family).draw(ruleset, turn.plies[-1].played.position, title, set(touched))


def board_after(part: dict[str, Any], turn: int) -> str:
    """Return the drawing after a turn of a slice; `turn` may be the turn before its first."""
    board = str(part["board"])
    # A turn holds only the places that it changed, so all turns before it are applied in order.
    for later in part["turns"][: turn - part["first"] + 1]:
        change = later["board"]
        board = redrawn(board, change["title"], change["description"], change["places"])
    return board
