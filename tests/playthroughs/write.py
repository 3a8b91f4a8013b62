"""Playthroughs: a game of each ruleset in words, so that a historian can follow it beside the record.

The narration is the replay's own; here it gets a heading, and of the later turns it has only those in which something
happens for the first time, each after the turn that led to its board. It is made from the referee alone, so that a
changed rule is a changed line.

`python -m tests.playthroughs.write [SLUG …]` writes the files again: of the first games of seed 1 the one whose first
plies show most of the rules, and of two such games the shorter.
"""

import json
import sys
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path

from simulator.engine import narration
from simulator.engine.family import family
from simulator.engine.referee_playout import plies
from simulator.engine.replay import Replay, Turn, as_text, fired, replay
from simulator.engine.ruleset import Ruleset
from tests.engine.rulesets import RULESETS

FOLDER = Path(__file__).parent
SEED, GAMES, PLIES = 1, 150, 75
FIRST_TURNS = 60
CAP = 2000
READINGS = json.loads((FOLDER.parents[1] / "fixtures" / "readings.json").read_text(encoding="utf-8"))
TITLES = {row["fields"]["slug"]: row["fields"]["title"] for row in READINGS}


def narrate(slug: str, ruleset: Ruleset, seed: int, game: int) -> list[str]:
    """Return the lines of the playthrough of one game between random players."""
    kind = family(ruleset.family)
    whole = replay(ruleset, seed, game, CAP, "game")
    rules, *turns, end = [list(block) for has_words, block in groupby(as_text(whole), key=bool) if has_words]
    heading = [
        f"{TITLES[slug]} ({slug})",
        f"ruleset {ruleset.hash}, {kind.title.lower()} version {kind.rules_version}",
        f"seed {seed}, game {game}, random players",
    ]
    blocks = (heading, narration.reading(ruleset).splitlines(), rules, *_selected(whole, turns), end)
    return [line for block in blocks for line in (*block, "")][:-1]


def _selected(whole: Replay, turns: list[list[str]]) -> Iterator[list[str]]:
    """Yield the selected turns, with a line in the place of those between them."""
    last = 0
    for number in _selected_numbers(whole):
        if number == last + 2:
            yield [f"Turn {last + 1} is not told here."]
        elif number > last + 1:
            yield [f"Turns {last + 1} to {number - 1} are not told here."]
        yield turns[number - 1]
        last = number


def _selected_numbers(whole: Replay) -> list[int]:
    """Return the first turns and the last, and each turn in which a rule first acts with the turn before it."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    numbers = {*range(1, FIRST_TURNS + 1), len(whole.turns)}
    for turn in whole.turns:
        now = _kinds_of_events(whole, turn)
        if now - seen:
            numbers |= {turn.number - 1, turn.number}
        seen |= now
    return sorted(numbers & {*range(1, len(whole.turns) + 1)})


def _kinds_of_events(whole: Replay, turn: Turn) -> set[tuple[str, tuple[str, ...]]]:
    events = (event for ply in turn.plies for event in ply.played.events)
    return {(event.kind, tuple(fired(whole.ruleset, event.keys))) for event in events}


def most_instructive_game(ruleset: Ruleset) -> int:
    def shown(game: int) -> tuple[int, int]:
        first_plies = list(islice(plies(ruleset, SEED, game), PLIES))
        events = [event for ply in first_plies for event in ply.played.events]
        return len({(event.kind, event.keys) for event in events}), -len(events)

    return max(range(GAMES), key=shown)


if __name__ == "__main__":
    for slug in sys.argv[1:] or RULESETS:
        lines = narrate(slug, RULESETS[slug], SEED, most_instructive_game(RULESETS[slug]))
        (FOLDER / f"{slug}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
