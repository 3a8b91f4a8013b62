"""The columns of a race game's row, after the common ones."""

from simulator.engine.family import COMMON_MEASURES, Measure

ORDINALS = ("first", "second", "third", "fourth")

MEASURES = (
    *COMMON_MEASURES,
    Measure("passes", "Throws nothing of which could be played", "throws", "game"),
    Measure("entries", "Pieces that entered the board", "pieces", "game"),
    *(
        Measure(f"sent_back_{seat}", f"Pieces the {name} player sent back", "pieces", "game", seat)
        for seat, name in enumerate(ORDINALS)
    ),
    *(
        Measure(
            f"wait_{seat}",
            f"Turns of the {name} player until his first piece stood on the board",
            "turns",
            "game",
            seat,
        )
        for seat, name in enumerate(ORDINALS)
    ),
    *(
        Measure(f"home_{seat}", f"Pieces the {name} player brought home", "pieces", "game", seat)
        for seat, name in enumerate(ORDINALS)
    ),
)

# Places of a game's counts while it is played; the row is cut out of them.
(TURNS, DECISIONS, OPTIONS, LEAD_CHANGES, PASSES, ENTRIES) = range(6)
SENT_BACK, WAIT, HOME = 6, 10, 14  # + seat
LEAD, ARRIVED, COUNTS = 18, 19, 20
