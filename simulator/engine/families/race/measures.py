"""The columns of a race game's row, after the common ones."""

from simulator.engine.family import COMMON_MEASURES, Measure, by_seat

MEASURES = (
    *COMMON_MEASURES,
    Measure("passes", "Throws nothing of which could be played", "throws", "game"),
    Measure("entries", "Pieces that entered the board", "pieces", "game"),
    *by_seat("sent_back_{}", "Pieces the {} sent back", "pieces", seats=4),
    *by_seat("wait_{}", "Turns of the {} until his first piece stood on the board", "turns", seats=4),
    *by_seat("home_{}", "Pieces the {} brought home", "pieces", seats=4),
)

# Places of a game's counts while it is played; the row is cut out of them.
(TURNS, DECISIONS, OPTIONS, LEAD_CHANGES, PASSES, ENTRIES) = range(6)
SENT_BACK, WAIT, HOME = 6, 10, 14  # + seat
LEAD, ARRIVED, COUNTS = 18, 19, 20
