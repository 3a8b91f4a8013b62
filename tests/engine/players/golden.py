"""Digests of twenty games of each player in some rulesets of each family.

`python -m tests.engine.players.golden` writes `golden.json` anew. A digest is the SHA-256 of the rows of games 0 to 19
of seed 1 (cap 200), every seat played by the player, as little-endian int32.
"""

import hashlib
import json
from pathlib import Path

from simulator.engine.family import family
from simulator.engine.playout import play_block
from tests.engine.rulesets import VERSIONS

PATH = Path(__file__).parent / "golden.json"
GOLDEN: dict[str, dict[str, str]] = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
SMALL = (
    "kalah-reference",
    "mawkar-katiya-ludii@1",
    "hat-diviyan-keliya-ludovisi",
    "peralikatuma-parker",
    "saturankam-dlp",
)
ALL = ("greedy", "alpha_beta:3", "uct:30/20")
PLAYERS = {"sowing": ALL, "points": ALL, "race": ("greedy", "uct:30/20")}


def digest(slug: str, name: str) -> str:
    ruleset = VERSIONS[slug]
    players = (name,) * family(ruleset.family).seats(ruleset.parameters)
    rows = play_block(ruleset, players, seed=1, first_game=0, games=20, cap=200, until="game")
    return hashlib.sha256(rows.astype("<i4").tobytes()).hexdigest()


if __name__ == "__main__":
    written = {slug: {name: digest(slug, name) for name in PLAYERS[VERSIONS[slug].family]} for slug in SMALL}
    PATH.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
