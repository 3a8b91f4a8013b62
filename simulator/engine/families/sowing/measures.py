"""The columns of a sowing game's row, after the common ones."""

from simulator.engine.family import COMMON_MEASURES, Measure, by_seat

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
    Measure("part_holes", "Holes barred by a layout", "holes", "game"),
    Measure("ties", "Holes tied", "holes", "game"),
    Measure("short_handed_rounds", "Rounds laid out short-handed", "rounds", "game"),
    Measure("taken_in_passing", "Counters taken while the other sowed", "counters", "game"),
    Measure("unequal_rounds", "Rounds ended that one player had begun with fewer", "rounds", "game"),
    Measure("recovered_rounds", "Rounds in which the poorer player gained", "rounds", "game"),
)

# Places of a game's counts while it is played; the row is cut out of them.
(TURNS, DECISIONS, OPTIONS, LEAD_CHANGES, ROUNDS, LAPS, CAPTURES_0, CAPTURES_1) = range(8)
(FIRST_ENDED, FIRST_WINNER, FIRST_TURNS, FIRST_DECISIONS, FIRST_LAPS, FIRST_CAPTURES) = range(8, 14)
(PART_HOLES, TIES, SHORT_HANDED_ROUNDS, TAKEN_IN_PASSING, UNEQUAL_ROUNDS, RECOVERED_ROUNDS) = range(14, 20)
# Behind the row: who leads; rounds ended; 1 + the seat that began the round with fewer, and how many it had.
LEAD, ROUNDS_ENDED, POORER, POORER_OWNED, COUNTS = range(20, 25)
