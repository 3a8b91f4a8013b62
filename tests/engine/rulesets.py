"""The shipped rulesets, for tests of the engine."""

import json
from pathlib import Path

from simulator.engine.documents import parse
from simulator.engine.ruleset import Ruleset

FOLDER = Path(__file__).parents[2] / "fixtures" / "rulesets"
RULESETS: dict[str, Ruleset] = {
    path.stem: parse(json.loads(path.read_text(encoding="utf-8"))["document"]) for path in sorted(FOLDER.glob("*.json"))
}
# The reference corner: nobody has measured these, and no edition has games of them yet.
CORNER: dict[str, Ruleset] = {
    path.stem: parse(json.loads(path.read_text(encoding="utf-8"))["document"])
    for path in sorted(FOLDER.glob("reference/*.json"))
}
# The versions that the newest were made from, as slug@number: what is cited stays as it is.
EARLIER: dict[str, Ruleset] = {
    "@".join(path.stem.split(".")): parse(json.loads(path.read_text(encoding="utf-8"))["document"])
    for path in sorted(FOLDER.glob("earlier/*.json"))
}
VERSIONS = {**RULESETS, **EARLIER}
SOWING = {slug: ruleset for slug, ruleset in RULESETS.items() if ruleset.family == "sowing"}
POINTS = {slug: ruleset for slug, ruleset in RULESETS.items() if ruleset.family == "points"}
RACES = {slug: ruleset for slug, ruleset in RULESETS.items() if ruleset.family == "race"}
