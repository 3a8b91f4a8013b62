"""Playthroughs: a game of each ruleset in words, so that a historian can follow it beside the record.

The telling is the replay's own; here it gets a heading, and of the later turns only those are told in which something
happens for the first time, each after the turn that led to its board. It is made from the referee alone, so a changed
rule is a changed line.
"""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from simulator.engine import narration
from simulator.engine.family import family
from simulator.engine.replay import Replay, Turn, as_text, fired, replay
from simulator.engine.ruleset import Ruleset

TURNS_TOLD = 60
CAP = 2000
READINGS = json.loads((Path(__file__).parents[2] / "fixtures" / "readings.json").read_text(encoding="utf-8"))
TITLES = {row["fields"]["slug"]: row["fields"]["title"] for row in READINGS}


def tell(slug: str, ruleset: Ruleset, seed: int, game: int) -> list[str]:
    """The lines of the playthrough of one game between random players."""
    found = family(ruleset.family)
    whole = replay(ruleset, seed, game, CAP, "game")
    rules, *turns, end = [list(block) for has_words, block in groupby(as_text(whole), key=bool) if has_words]
    heading = [
        f"{TITLES[slug]} ({slug})",
        f"ruleset {ruleset.hash}, {found.title.lower()} version {found.rules_version}",
        f"seed {seed}, game {game}, random players",
    ]
    blocks = (heading, narration.reading(ruleset).splitlines(), rules, *_told(whole, turns), end)
    return [line for block in blocks for line in (*block, "")][:-1]


def _told(whole: Replay, turns: list[list[str]]) -> Iterator[list[str]]:
    kept = _turns_told(whole)
    last = 0
    for number in kept:
        if number > last + 1:
            yield [_left_out(last + 1, number - 1)]
        yield turns[number - 1]
        last = number


def _left_out(first: int, last: int) -> str:
    return f"Turn {first} is not told here." if first == last else f"Turns {first} to {last} are not told here."


def _turns_told(whole: Replay) -> list[int]:
    """The first turns and the last, and those in which a rule first acts with the turn before each."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    kept = {*range(1, TURNS_TOLD + 1), len(whole.turns)}
    for turn in whole.turns:
        now = _happenings(whole, turn)
        if now - seen:
            kept |= {turn.number - 1, turn.number}
        seen |= now
    return sorted(kept & {*range(1, len(whole.turns) + 1)})


def _happenings(whole: Replay, turn: Turn) -> set[tuple[str, tuple[str, ...]]]:
    events = (event for ply in turn.plies for event in ply.played.events)
    return {(event.kind, tuple(fired(whole.ruleset, event.keys))) for event in events}
