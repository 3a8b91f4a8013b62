"""The columns of a points game's row, after the common ones."""

from simulator.engine.family import COMMON_MEASURES, Measure, by_seat

COURSE = (10, 20, 50, 100, 200, 500, 1000)  # after so many turns the pieces taken so far are written down

MEASURES = (
    *COMMON_MEASURES,
    *by_seat("taken_{}", "Pieces taken by the {}", "pieces"),
    *by_seat("options_{}", "Options of the {}", "options", "mobility"),
    *by_seat("decisions_{}", "Decisions of the {}", "decisions", "mobility"),
    Measure("first_capture_ended", "A piece was taken", "code", "code"),
    Measure("first_capture_winner", "Taker of the first piece", "code", "code"),
    Measure("first_capture_turns", "Turn of the first capture", "turns", "first_capture"),
    *(
        measure
        for turns in COURSE
        for measure in by_seat(
            f"taken_{{}}_at_{turns}", f"Pieces taken by the {{}} after {turns} turns", "pieces", "course"
        )
    ),
)

# Places of a game's counts while it is played; the row is cut out of them.
(TURNS, DECISIONS, OPTIONS, LEAD_CHANGES, TAKEN, _, OPTIONS_OF, _, DECISIONS_OF, _) = range(10)
(FIRST_ENDED, FIRST_WINNER, FIRST_TURNS, TAKEN_AT) = range(10, 14)
LEAD = TAKEN_AT + 2 * len(COURSE)
COUNTS = LEAD + 1
