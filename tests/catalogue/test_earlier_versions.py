"""Rows of an earlier row version have its columns, wherever they are read, and a new column renames nothing."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from catalogue.dataset.batches import _schema
from catalogue.edition import making
from simulator import rulesets
from simulator.batches import finalize, playing
from simulator.batches.requests import check_request
from simulator.batches.rows import digest_of, kept_rows, packed, unpacked
from simulator.batches.service import request_all
from simulator.batches.versions import is_of_this_engine
from simulator.engine.family import Measure, family
from simulator.engine.naming import PLAIN
from simulator.engine.playout import play_block
from simulator.engine.tally import Tally, tally_rows
from simulator.models import Batch, Measurement
from simulator.statistics.columns import columns_of
from tests.catalogue.page_world import CatalogueTestCase, played_batch

KIND = family("sowing")
OLD, NOW = KIND.measures_of(3), KIND.measures


class EarlierVersionTests(CatalogueTestCase):
    def old_batch(self) -> Batch:
        """A batch as row version 3 left it: its games have three columns less."""
        batch = played_batch("daramuti-parker", seed=77)
        [chunk] = batch.chunks.all()
        rows = unpacked(bytes(chunk.rows), len(NOW))[:, : len(OLD)]
        chunk.rows, chunk.tally = packed(rows), tally_rows(np.ascontiguousarray(rows), OLD).to_json()
        chunk.save()
        kept = {"tally": chunk.tally, "tally_digest": Tally.from_json(chunk.tally).digest(), "digest": digest_of(rows)}
        Batch.objects.filter(id=batch.id).update(row_version=3, **kept)
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

    @pytest.mark.by_turns
    def test_what_it_did_not_count_is_not_measured(self) -> None:
        batch = self.old_batch()
        finalize.redraw(batch)
        batch.refresh_from_db()
        found = {row["key"]: row for section in batch.summary["sections"] for row in section["rows"]}
        assert found["equal_rounds_share"]["text"] == "not measured"
        assert "not measured" in self.page(f"/batches/{batch.id}/")
        kept = Measurement.objects.get(batch=batch, measure="equal_rounds_share")
        assert (kept.value, kept.n) == (None, 0)

    def test_a_column_that_is_added_renames_no_batch(self) -> None:
        batch = played_batch("daramuti-parker", seed=79)
        before = self.client.get(f"/api/v1/batches/{batch.id}/").json()
        assert (before["row_version"], before["not_counted"]) == (KIND.row_version, [])
        assert "Not counted" not in self.page(f"/batches/{batch.id}/")
        added = Measure("sighs", "Sighs of the loser", "sighs", "game", since=KIND.row_version + 1)
        changed = replace(KIND, row_version=added.since, measures=(*KIND.measures, added))
        with patch("simulator.engine.families.sowing.definition.FAMILY", changed):
            family.cache_clear()
            self.addCleanup(family.cache_clear)
            request = check_request("daramuti-parker", games=batch.games, seed=79, cap=batch.cap)
            assert (request.id, request.row_version) == (batch.id, added.since)
            assert is_of_this_engine(batch)
            now = self.client.get(f"/api/v1/batches/{batch.id}/").json()
            assert now == {**before, "not_counted": ["sighs"]}
            page = self.page(f"/batches/{batch.id}/")
            assert (
                "Not counted in these games, because it is counted only since they were played: Sighs of the loser."
                in page
            )
            lines = b"".join(self.client.get(f"/batches/{batch.id}/rows.csv").streaming_content).decode().splitlines()
            assert lines[0].split(",")[1:] == [measure.name for measure in NOW]

    @pytest.mark.by_turns
    def test_a_batch_goes_on_with_the_columns_it_has(self) -> None:
        """Workers that count more leave out what the batch did not begin with."""
        batch = request_all([check_request("daramuti-parker", games=20, seed=80)])[0]
        Batch.objects.filter(id=batch.id).update(row_version=3)
        assert playing.play_waiting_chunk(batch)
        batch = Batch.objects.get(id=batch.id)
        assert batch.state == Batch.State.DONE
        [(_, rows)] = kept_rows(batch)
        whole = play_block(rulesets.as_engine(batch.ruleset), ("random", "random"), 80, 0, 20, batch.cap, "game")
        assert rows.tolist() == whole[:, : len(OLD)].tolist()

    def test_a_batch_of_a_later_row_version_is_left_to_other_workers(self) -> None:
        batch = request_all([check_request("daramuti-parker", games=20, seed=81)])[0]
        Batch.objects.filter(id=batch.id).update(row_version=KIND.row_version + 1)
        assert not playing.play_waiting_chunk(batch)

    def test_an_edition_names_deviating_row_versions(self) -> None:
        old, new = self.old_batch(), played_batch("daramuti-parker", seed=82)
        assert making.document_of(old)[0]["row_version"] == 3
        assert "row_version" not in making.document_of(new)[0]

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
