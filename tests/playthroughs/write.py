"""Write the golden playthroughs anew: `python -m tests.playthroughs.write [SLUG …]`.

Of the first 150 games of seed 1 the one is told whose first turns show most of the rules, the shorter of two.
"""

import sys
from itertools import islice
from pathlib import Path

from simulator.engine.referee_playout import plies
from simulator.engine.ruleset import Ruleset
from tests.engine.rulesets import RULESETS
from tests.playthroughs.telling import tell

FOLDER = Path(__file__).parent
SEED, GAMES, PLIES = 1, 150, 75


def most_telling_game(ruleset: Ruleset) -> int:
    def shown(game: int) -> tuple[int, int]:
        first_plies = list(islice(plies(ruleset, SEED, game), PLIES))
        events = [event for ply in first_plies for event in ply.played.events]
        return len({(event.kind, event.keys) for event in events}), -len(events)

    return max(range(GAMES), key=shown)


if __name__ == "__main__":
    for slug in sys.argv[1:] or RULESETS:
        lines = tell(slug, RULESETS[slug], SEED, most_telling_game(RULESETS[slug]))
        (FOLDER / f"{slug}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
