"""Golden figures of the shipped rulesets: content hashes, and digests of 200 random games of each.

`python -m tests.golden_digests [NAME …]` writes `golden_digests.json` anew, or what it says of these rulesets: a slug,
or `slug@number` of an earlier version.
A digest is the SHA-256 of the rows of games 0 to 199 of seed 1 (cap 2,000), one game after the other, as little-endian
int32.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from simulator.engine import playout
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from tests.engine.rulesets import VERSIONS

PATH = Path(__file__).parent / "golden_digests.json"
GOLDEN: dict[str, dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
HASHES = {name: entry["hash"] for name, entry in GOLDEN.items()}


def digest(ruleset: Ruleset) -> str:
    players = ("random",) * family(ruleset.family).seats(ruleset.parameters)
    rows = playout.play_block(ruleset, players, seed=1, first_game=0, games=200, cap=2000, until="game")
    return hashlib.sha256(rows.astype("<i4").tobytes()).hexdigest()


def entry(ruleset: Ruleset) -> dict[str, Any]:
    kind = family(ruleset.family)
    return {"family": kind.name, "version": kind.rules_version, "hash": ruleset.hash, "rows": digest(ruleset)}


if __name__ == "__main__":
    made = {name: entry(VERSIONS[name]) for name in sys.argv[1:] or VERSIONS}
    written = {name: made.get(name) or GOLDEN[name] for name in sorted(VERSIONS) if name in made or name in GOLDEN}
    PATH.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
