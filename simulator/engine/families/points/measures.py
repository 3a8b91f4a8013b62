"""The columns of a points game's row, after the common ones."""

from simulator.engine.family import COMMON_MEASURES, Measure

PLAYERS = ("first player", "second player")
COURSE = (10, 20, 50, 100, 200, 500, 1000)  # after so many turns the pieces taken so far are written down

MEASURES = (
    *COMMON_MEASURES,
    *(Measure(f"taken_{s}", f"Pieces taken by the {PLAYERS[s]}", "pieces", "game", s) for s in (0, 1)),
    *(Measure(f"options_{s}", f"Options of the {PLAYERS[s]}", "options", "mobility", s) for s in (0, 1)),
    *(Measure(f"decisions_{s}", f"Decisions of the {PLAYERS[s]}", "decisions", "mobility", s) for s in (0, 1)),
    Measure("first_capture_ended", "A piece was taken", "code", "code"),
    Measure("first_capture_winner", "Taker of the first piece", "code", "code"),
    Measure("first_capture_turns", "Turn of the first capture", "turns", "first_capture"),
    *(
        Measure(f"taken_{s}_at_{turns}", f"Pieces taken by the {PLAYERS[s]} after {turns} turns", "pieces", "course", s)
        for turns in COURSE
        for s in (0, 1)
    ),
)

# Places of a game's counts while it is played; the row is cut out of them.
(TURNS, DECISIONS, OPTIONS, LEAD_CHANGES, TAKEN, _, OPTIONS_OF, _, DECISIONS_OF, _) = range(10)
(FIRST_ENDED, FIRST_WINNER, FIRST_TURNS, TAKEN_AT) = range(10, 14)
LEAD = TAKEN_AT + 2 * len(COURSE)
COUNTS = LEAD + 1
