"""How a game is played, in five pictures: the board before the first move, and turns of a game that the engine plays.

Shown are the turns in which something happens for the first time: what captures is, or going home, is seen before the
end of the game is. Nobody chose the game: it is number 0 of seed 1, between random players.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe

from catalogue.play.game_view import seat_names, start_board
from catalogue.texts.formatting import capitalised
from simulator.engine import narration
from simulator.engine.naming import EventText
from simulator.engine.replay import Turn, drawing_after, first_turns
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import Ruleset
from simulator.rulesets import as_engine

SEED, GAME = 1, 0
PICTURES = 5
LOOKED_AT = 120  # turns
SENTENCES = 3  # of one turn
ENDS = ("game_end", "round_end", "home")  # what a game comes to: the last picture, where there is no room for all


@dataclass(frozen=True, slots=True)
class Picture:
    """who: plays, and in which turn; said: what happens, in sentences of the narration"""

    svg: SafeString
    who: str
    said: tuple[str, ...]


@lru_cache(maxsize=256)
def five_pictures(hash: str) -> tuple[Picture, ...]:
    """The pictures of a stored ruleset, kept for as long as the process lives."""
    return pictures_of(as_engine(Ruleset.objects.get(hash=hash)))


def pictures_of(ruleset: EngineRuleset) -> tuple[Picture, ...]:
    turns = first_turns(ruleset, SEED, GAME, LOOKED_AT)
    told = {turn.number: [event for ply in turn.plies for event in narration.events(ruleset, ply)] for turn in turns}
    seats = seat_names(ruleset)
    start = start_board(ruleset)
    chosen = chosen_turns([(number, [event.kind for event in events]) for number, events in told.items()])
    firsts: dict[str, tuple[int, int]] = {}
    for number, events in told.items():
        for place, event in enumerate(events):
            firsts.setdefault(event.kind, (number, place))
    news = {*firsts.values()}
    return (
        Picture(start.svg, "Before the first move", (f"{start.name}.",)),
        *(
            Picture(
                mark_safe(drawing_after(ruleset, turn)), _who(turn, seats), _said(turn.number, told[turn.number], news)
            )
            for turn in turns
            if turn.number in chosen
        ),
    )


def chosen_turns(turns: Sequence[tuple[int, Sequence[str]]]) -> list[int]:
    """The numbers of the turns that are drawn, in order. turns: (number, kinds of its events)"""
    seen: set[str] = set()
    firsts: list[tuple[int, set[str]]] = []
    for number, kinds in turns:
        if fresh := set(kinds) - seen:
            firsts.append((number, fresh))
            seen |= fresh
    room = PICTURES - 1
    ends = [number for number, fresh in firsts if fresh & {*ENDS}]
    chosen = [number for number, _ in firsts][:room]
    if ends and ends[0] not in chosen:
        chosen[-1] = ends[0]
    others = (number for number, _ in turns if number not in chosen)
    return sorted([*chosen, *(number for _, number in zip(range(room - len(chosen)), others, strict=False))])


def _who(turn: Turn, seats: Sequence[str]) -> str:
    return f"Turn {turn.number}: {seats[turn.seat]}"


def _said(number: int, events: Sequence[EventText], news: Collection[tuple[int, int]]) -> tuple[str, ...]:
    """What is new in a turn, and else how it begins; in the order in which it happened."""
    ranked = sorted(range(len(events)), key=lambda place: ((number, place) not in news, place))
    return tuple(f"{capitalised(events[place].sentence)}." for place in sorted(ranked[:SENTENCES]))
