"""The proof of the map: however many places, marks stay few and none is lost; the outlines fit their bound."""

import time
from pathlib import Path
from random import Random
from typing import Any

from tests.proofs.running import Figures, demand

PLACES = (2_000, 20_000)
RECORDS = 100_000
VIEWS = 40
LARGEST_FILE = 300_000  # bytes
WORLD = Path(__file__).resolve().parents[2] / "catalogue/static/catalogue/world.svg"


def world_map(_: Any) -> Figures:
    """Most marks and milliseconds of views at every zoom, for so many places of 100,000 records."""
    from catalogue.geography.clusters import CELLS, PlacedRecords, clustered, seen_in
    from catalogue.geography.equal_earth import HEIGHT, WIDTH
    from catalogue.geography.view import MOST_ZOOM, View

    chance = Random(11)
    figures: Figures = {"outlines_bytes": WORLD.stat().st_size, "most_marks_possible": CELLS * (CELLS // 2 + 1)}
    for number in PLACES:
        at = [(chance.uniform(-55, 72), chance.uniform(-180, 180)) for _ in range(number)]
        places = [PlacedRecords(f"p{i}", f"P {i}", RECORDS // number, *degrees) for i, degrees in enumerate(at)]
        zooms: dict[str, dict[str, float]] = {}
        for z in range(MOST_ZOOM + 1):
            marks, milliseconds = 0, 0.0
            for _view in range(VIEWS):
                view = View(z, chance.randrange(WIDTH), chance.randrange(round(HEIGHT)))
                begun = time.perf_counter()
                seen = seen_in(view, places)
                drawn = clustered(seen, view)
                milliseconds = max(milliseconds, 1000 * (time.perf_counter() - begun))
                marks = max(marks, len(drawn))
                lost = sum(place.records for place in seen) - sum(mark.records for mark in drawn)
                demand(not lost, f"{lost} records are in no mark of {view}", figures)
            zooms[f"zoom {z}"] = {"most_marks": marks, "milliseconds": round(milliseconds, 1)}
        figures[f"{number} places"] = zooms
        most = max(one["most_marks"] for one in zooms.values())
        demand(most <= figures["most_marks_possible"], f"{most} marks in one view", figures)
    demand(figures["outlines_bytes"] <= LARGEST_FILE, "the outlines are too large", figures)
    return figures


PROOFS = {"map": world_map}
