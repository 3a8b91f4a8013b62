"""The columns of a sowing game's row, after the common ones."""

from simulator.engine.family import COMMON_MEASURES, FLAG, Measure, Rules, by_seat

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


# Places of a game's counts while it is played; the row is cut out of them.
(TURNS, DECISIONS, OPTIONS, LEAD_CHANGES, ROUNDS, LAPS, CAPTURES_0, CAPTURES_1) = range(8)
(FIRST_ENDED, FIRST_WINNER, FIRST_TURNS, FIRST_DECISIONS, FIRST_LAPS, FIRST_CAPTURES) = range(8, 14)
(PART_HOLES, TIES, SHORT_HANDED_ROUNDS, TAKEN_IN_PASSING, UNEQUAL_ROUNDS, RECOVERED_ROUNDS) = range(14, 20)
EQUAL_ROUNDS, DRAW_OFFERED, DRAW_CALLED = range(20, 23)
# Behind the row: who leads; rounds ended; 1 + the seat that began the round with fewer, and how many it had.
LEAD, ROUNDS_ENDED, POORER, POORER_OWNED, COUNTS = range(23, 28)
