"""What is counted of a sowing game: the columns of its row, and what a player who does not see the end looks at.

The columns follow the common ones. A feature is counted for a player and weighs something of its own
(`simulator.engine.weights`).
"""

from collections.abc import Mapping
from typing import Any

from simulator.engine.families.sowing.position import MANY
from simulator.engine.family import COMMON_MEASURES, FLAG, Measure, Rules, by_seat, place_of_count
from simulator.engine.weights import EACH

MEASURES = (
    *COMMON_MEASURES,
    Measure("rounds", "Rounds begun", "rounds", "game"),
    Measure("laps", "Laps", "laps", "game"),
    *by_seat("captures_{}", "Counters taken by the {}", "counters"),
    Measure("first_round_ended", "First round ended", "code", "code"),
    Measure("first_round_winner", "Owner of more after the first round", "code", "code"),
    Measure("first_round_turns", "Turns in the first round", "turns", "first_round"),
    Measure("first_round_decisions", "Decisions in the first round", "decisions", "first_round"),
    Measure("first_round_laps", "Laps in the first round", "laps", "first_round"),
    Measure("first_round_captures", "Counters taken in the first round", "counters", "first_round"),
    Measure("part_holes", "Holes barred by a layout", "holes", "game", since=2),
    Measure("ties", "Holes tied", "holes", "game", since=2),
    Measure("short_handed_rounds", "Rounds laid out short-handed", "rounds", "game", since=2),
    Measure("taken_in_passing", "Counters taken while the other sowed", "counters", "game", since=2),
    Measure("unequal_rounds", "Rounds ended that one player had begun with fewer", "rounds", "game", since=2),
    Measure("recovered_rounds", "Rounds in which the poorer player gained", "rounds", "game", since=2),
    Measure("equal_rounds", "Rounds that ended equal", "rounds", "game", ever="A round ended equal", since=4),
    Measure("draw_offered", "A draw was offered", FLAG, "game", since=4),
    Measure("draw_called", "A draw was called", FLAG, "game", since=4),
)

# What an equal round leads to: where there is no other round, and by what the rules say of one.
ONLY_ROUND = "The game is one round: an equal one is a draw by the rules."
EQUAL_ROUND = {
    "play_on": "By the rules the game goes on after an equal round, and nobody may call it a draw.",
    "draw": "By the rules an equal round ends the game in a draw.",
    "optional": "By the rules an equal round may be called a draw by the player who lays out next, or played on.",
}


def notes(parameters: Rules) -> dict[str, str]:
    """Return what an equal round means under these rules."""
    several = parameters["next_round"] != "off"
    return {"equal_rounds": EQUAL_ROUND[parameters["equal_round"]] if several else ONLY_ROUND}


# Places of a game's counts while it is played. A count that is a column has its name in capitals
# (`CAPTURES_0`); those that only play needs stand behind the row.
# LEAD: who leads; POORER: 1 + the seat that began the round with fewer, and POORER_OWNED how many it had.
LEAD, ROUNDS_ENDED, POORER, POORER_OWNED, COUNTS = range(len(MEASURES) - 2, len(MEASURES) + 3)


def __getattr__(name: str) -> int:
    return place_of_count(MEASURES, name)


# owned: counters in a player's store and holes; store: those in the store once more; holes_of_N: his holes with N
# counters and no mark (the last: as many or more); to_store: his holes from which a lap ends in his store; tempo: to be
# the player to move.
FEATURES = ("owned", "store", *(f"holes_of_{number}" for number in range(1, MANY + 1)), "to_store", "tempo")


def kind_of_game(parameters: Mapping[str, Any]) -> str:
    """Name the kind of game, which has weights of its own: single laps or laps that go on, and how they end."""
    goes_on = parameters["relay"] != "off" or any(
        row.get("then", "end") not in ("end", "again") for row in parameters["after_lap"]
    )
    if not goes_on:
        return "single laps with stores" if parameters["store_sown"] else "single laps"
    return "relay until the board is empty" if parameters["round_end"] == "board_empty" else "relay"


def role(parameters: Mapping[str, Any], seat: int) -> str:
    """Return the one role that there is: both players are alike."""
    return EACH


def in_force(parameters: Mapping[str, Any], seat: int) -> frozenset[str]:
    """Return the features that mean something under these rules."""
    return frozenset(FEATURES) - (frozenset() if parameters["store_again"] else {"to_store"})
