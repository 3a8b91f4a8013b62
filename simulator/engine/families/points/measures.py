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
    Measure("first_row_ended", "A row of three was formed", "code", "code", since=2),
    Measure("first_row_winner", "Owner of the first row of three", "code", "code", since=2),
    Measure("first_row_turns", "Turn of the first row of three", "turns", "first_row", since=2),
    Measure("first_moved_ended", "The piece that moved first was taken", "code", "code", since=2),
    Measure("first_moved_winner", "Taker of the piece that moved first", "code", "code", since=2),
    Measure("first_moved_turns", "Turn in which the piece that moved first was taken", "turns", "first_moved", since=2),
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
# What happened first: whether it did, whose doing it was, in which turn; of a capture, a row, the end of the piece that
# moved first.
(FIRST_ENDED, FIRST_WINNER, FIRST_TURNS, ROW_ENDED, ROW_WINNER, ROW_TURNS) = range(10, 16)
(MOVED_ENDED, MOVED_WINNER, MOVED_TURNS, TAKEN_AT) = range(16, 20)
LEAD = TAKEN_AT + 2 * len(COURSE)
MOVED_TO = LEAD + 1  # 1 + the point of the piece that moved first; 0 before the first move, -1 once it is taken
COUNTS = MOVED_TO + 1
