"""Playthroughs: a game of each ruleset in words, so that a historian can follow it beside the record.

The telling is the replay's own; here it gets a heading and is cut after the first turns. It is made from the referee
alone, so a changed rule is a changed line.
"""

from itertools import groupby

from simulator.engine.family import family
from simulator.engine.replay import as_text, replay
from simulator.engine.ruleset import Ruleset

TURNS_TOLD = 60
CAP = 2000


def tell(slug: str, ruleset: Ruleset, seed: int, game: int) -> list[str]:
    """The lines of the playthrough of one game between random players."""
    found = family(ruleset.family)
    lines = as_text(replay(ruleset, seed, game, CAP, "game"))
    rules, *turns, end = [list(block) for has_words, block in groupby(lines, key=bool) if has_words]
    kept = [rules, *turns[:TURNS_TOLD]]
    if len(turns) > TURNS_TOLD + 1:
        kept.append([f"Turns {TURNS_TOLD + 1} to {len(turns) - 1} are not told here."])
    kept += [*turns[max(TURNS_TOLD, len(turns) - 1) :], end]
    heading = [
        slug,
        f"ruleset {ruleset.hash}, {found.title.lower()} version {found.version}",
        f"seed {seed}, game {game}, random players",
    ]
    return [line for block in (heading, found.reading.splitlines(), *kept) for line in (*block, "")][:-1]
