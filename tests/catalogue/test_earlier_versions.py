"""Rows of an earlier version of a family have the columns of that version, wherever they are read."""

from typing import Any

import numpy as np

from catalogue.dataset.batches import _schema
from simulator.batches import finalize
from simulator.batches.rows import digest_of, packed, unpacked
from simulator.engine.family import family
from simulator.engine.naming import PLAIN
from simulator.engine.tally import Tally, tally_rows
from simulator.models import Batch, Measurement
from simulator.statistics.columns import columns_of
from tests.catalogue.page_world import CatalogueTestCase, played_batch

KIND = family("sowing")
OLD, NOW = KIND.measures_of(3), KIND.measures


class EarlierVersionTests(CatalogueTestCase):
    def old_batch(self) -> Batch:
        """As version 3 left it: its games have three columns less."""
        batch = played_batch("daramuti-parker", seed=77)
        [chunk] = batch.chunks.all()
        rows = unpacked(bytes(chunk.rows), len(NOW))[:, : len(OLD)]
        chunk.rows, chunk.tally = packed(rows), tally_rows(np.ascontiguousarray(rows), OLD).to_json()
        chunk.save()
        kept = {"tally": chunk.tally, "tally_digest": Tally.from_json(chunk.tally).digest(), "digest": digest_of(rows)}
        Batch.objects.filter(id=batch.id).update(family_version=3, **kept)
        return Batch.objects.select_related("ruleset").get(id=batch.id)

    def rows_in_api(self, batch: Batch) -> Any:
        return self.client.get(f"/api/v1/batches/{batch.id}/rows/").json()["results"]

    def test_its_rows_are_read_by_their_own_names(self) -> None:
        batch = self.old_batch()
        names = ["game", *(measure.name for measure in OLD)]
        assert list(self.rows_in_api(batch)[0]) == names
        lines = b"".join(self.client.get(f"/batches/{batch.id}/rows.csv").streaming_content).decode().splitlines()
        assert lines[0].split(",") == names
        assert {len(line.split(",")) for line in lines} == {len(names)}

    def test_what_it_did_not_count_is_not_measured(self) -> None:
        batch = self.old_batch()
        finalize.redraw(batch)
        batch.refresh_from_db()
        found = {row["key"]: row for section in batch.summary["sections"] for row in section["rows"]}
        assert found["equal_rounds_share"]["text"] == "not measured"
        assert "not measured" in self.page(f"/batches/{batch.id}/")
        kept = Measurement.objects.get(batch=batch, measure="equal_rounds_share")
        assert (kept.value, kept.n) == (None, 0)

    def test_a_release_describes_its_rows_in_a_file_of_their_own(self) -> None:
        name, measures = _schema(self.old_batch())
        assert (name, measures) == ("schemas/sowing-3.json", OLD)
        assert _schema(played_batch("daramuti-parker", seed=78)) == ("schemas/sowing.json", NOW)


def test_a_row_of_a_race_of_two_has_the_columns_of_its_seats() -> None:
    """A row has columns of four seats: those of the others stand between."""
    measures = family("race").measures
    rows = np.tile(np.arange(len(measures), dtype=np.int32), (2, 1))
    found = {one.key: one for one in columns_of(rows, measures, seats=2, cap=100, naming=PLAIN)}
    for name in ("sent_back_1", "wait_0", "wait_1", "home_0", "home_1"):
        place = [measure.name for measure in measures].index(name)
        assert found[name].above.tolist() == [place, place]
    assert "home_2" not in found
