"""What a player who does not see the end looks at in a sowing game, and which of these features are in force.

Each is counted for a player and weighs something of its own (`simulator.engine.weights`).
"""

from collections.abc import Mapping
from typing import Any

from simulator.engine.families.sowing.position import MANY
from simulator.engine.weights import EACH

# owned: counters in a player's store and holes; store: those in the store once more; holes_of_N: his holes with N
# counters and no mark (the last: as many or more); to_store: his holes from which a lap ends in his store; tempo: to be
# the player to move.
FEATURES = ("owned", "store", *(f"holes_of_{number}" for number in range(1, MANY + 1)), "to_store", "tempo")


def kind_of_game(parameters: Mapping[str, Any]) -> str:
    """Name the kind of game, which has weights of its own: single laps or laps that go on, and how they end."""
    if parameters["relay"] == "off":
        return "single laps with stores" if parameters["store_sown"] else "single laps"
    return "relay until the board is empty" if parameters["round_end"] == "board_empty" else "relay"


def role(parameters: Mapping[str, Any], seat: int) -> str:
    """Both players are alike."""
    return EACH


def in_force(parameters: Mapping[str, Any], seat: int) -> frozenset[str]:
    """Return the features that mean something under these rules."""
    return frozenset(FEATURES) - (frozenset() if parameters["store_again"] else {"to_store"})
