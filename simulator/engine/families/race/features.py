"""What a player who does not see the end looks at in a race, and which of these features are in force.

Each is counted for a side and weighs something of its own (`simulator.engine.weights`).
"""

from collections.abc import Mapping
from typing import Any

from simulator.engine.weights import EACH

# steps: of all pieces; waiting: pieces not entered; home: pieces that are; rear: the steps of each player's hindmost
# piece; risk: the steps that would be lost on average to one throw of each opposing piece behind; tempo: to throw next;
# spread: the steps from a player's hindmost piece to his foremost, which is the others told once more.
FEATURES = ("steps", "waiting", "home", "rear", "risk", "tempo", "spread")
NOT_FITTED = frozenset({"spread"})


def kind_of_game(parameters: Mapping[str, Any]) -> str:
    """Tracks differ in length and squares, so that every board has weights of its own."""
    return str(parameters["board"])


def role(parameters: Mapping[str, Any], seat: int) -> str:
    """All players are alike."""
    return EACH


def in_force(parameters: Mapping[str, Any], seat: int) -> frozenset[str]:
    """Return the features that mean something under these rules."""
    alone, safe = parameters["pieces"] == 1, parameters["sends_back"] == "off"
    return frozenset(FEATURES) - ({"rear", "spread"} if alone else set()) - ({"risk"} if safe else set())
