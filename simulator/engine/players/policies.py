"""Policies: what a source advises, or says that players aim at, as a preference over features of a position.

Each is a player, `policy:together`, who plays the turn after which what his source prefers is most, ties by lot. The
data (`simulator/engine/weights/policies.json`) have the source's words beside the weights that they were read as.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from simulator.engine import weights


@dataclass(frozen=True, slots=True)
class Policy:
    """One piece of advice.

    words:     what its player does, in a clause; game: whose advice it is
    where:     parameters and their values: the rulesets it can be followed in
    prefers:   by role, what each feature weighs
    record:    the portal's identifier; source: author, year and page; quotation: the advice, in the source's words
    reading:   how the words became a preference, and what of that is conjecture
    """

    words: str
    game: str
    where: Mapping[str, Any]
    prefers: Mapping[str, Mapping[str, int]]
    record: str
    source: str
    quotation: str
    reading: str

    def applies(self, parameters: Mapping[str, Any]) -> bool:
        """Whether a ruleset with these parameters is one of its game's."""
        return all(parameters.get(key) == value for key, value in self.where.items())

    def weigh(self, kind: str, role: str) -> Mapping[str, int]:
        """As `simulator.engine.weights.Weigh`."""
        return self.prefers[role]


@cache
def policies() -> Mapping[str, Policy]:
    """Every policy by name."""
    file = Path(weights.__file__).parent / "policies.json"
    return {name: Policy(**one) for name, one in sorted(json.loads(file.read_text(encoding="utf-8")).items())}
