"""Batches that count what their games leave on the board: identity, parts, resumed work, figures, API."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from django.test import TestCase

from catalogue.dataset.batches import _load_traffic, traffic_file, write_batches
from catalogue.dataset.folder import DatasetProblem, new_folder
from simulator.batches import chunks, playing, requests, service, traffic
from simulator.engine.channels import Layout
from simulator.engine.family import family
from simulator.engine.traffic import BLOCKS, STOPPED, Sums
from simulator.models import Batch, Chunk, Traffic
from simulator.problems import WrongRequest
from tests.engine.test_candidates import candidate
from tests.engine.test_traffic import layout_of

LAID = candidate("haretavl-no-extension-joined-diagonal")


def _spans(layout: Layout) -> list[tuple[str, tuple[int, int]]]:
    """Each kind of use with where its cells begin and end."""
    ends = zip(layout.channels, layout.firsts, layout.firsts[1:], strict=False)
    return [(channel.key, (first, end)) for channel, first, end in ends]


def played(**terms: Any) -> Batch:
    batch = service.request_batch(LAID, announce=False, **{"games": 300, "cap": 12, "traffic": True, **terms})
    while playing.play_waiting_chunk(batch):
        pass
    batch.refresh_from_db()
    return batch


def test_traffic_is_part_of_a_request_only_where_it_is_counted() -> None:
    plain, counted = (requests.check_request(LAID, traffic=on) for on in (False, True))
    assert plain.id == requests.check_request(LAID).id != counted.id
    assert (plain.terms.get("traffic"), counted.terms["traffic"]) == (None, True)
    assert requests.as_options(**counted.terms).endswith("--until game --traffic")


@pytest.mark.django_db
def test_a_family_that_counts_nothing_says_so() -> None:
    nothing = replace(family("sowing"), traffic=lambda parameters: Layout(()))
    refused = pytest.raises(WrongRequest, match=r"traffic: what .* leave on the board is not counted .*false")
    with mock.patch.object(requests, "family", return_value=nothing), refused:
        requests.check_request("kalah-reference", traffic=True)


class TestABatch(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.batch, cls.plain = played(), played(traffic=False)

    def test_rows_are_those_without(self) -> None:
        assert (self.batch.digest, self.batch.tally_digest) == (self.plain.digest, self.plain.tally_digest)
        assert self.batch.id != self.plain.id
        assert not Traffic.objects.filter(batch=self.plain).exists()

    def test_what_is_kept_is_that_of_all_games(self) -> None:
        sums, kept = traffic.sums_of(self.batch), Traffic.objects.get(batch=self.batch)
        assert sums.hexdigest() == kept.digest
        assert (int(sums.games.sum()), int((sums.games.sum(axis=0) > 0).sum())) == (300, BLOCKS)
        assert not self.batch.chunks.filter(traffic__isnull=False).exists()

    def test_a_batch_in_parts_that_was_stopped_is_the_same(self) -> None:
        batch = service.request_batch(LAID, announce=False, games=300, cap=12, seed=2, traffic=True)
        whole = played(seed=2)
        sums = traffic.sums_of(whole)
        Batch.objects.filter(id=batch.id).delete()
        batch = service.request_batch(LAID, announce=False, games=300, cap=12, seed=2, traffic=True)
        batch.chunks.all().delete()
        for number, (first, games) in enumerate([(0, 100), (100, 3), (103, 197)]):
            Chunk.objects.create(batch=batch, number=number, first_game=first, games=games)
        assert playing.play_waiting_chunk(batch)
        service.stop_batch(batch)
        assert not playing.play_waiting_chunk(batch)
        batch = service.request_batch(LAID, announce=False, games=300, cap=12, seed=2, traffic=True)
        while playing.play_waiting_chunk(batch):
            pass
        assert np.array_equal(traffic.sums_of(batch).shares, sums.shares)
        assert Traffic.objects.get(batch=batch).digest == sums.hexdigest()

    def test_figures_are_shares_with_intervals(self) -> None:
        figures, sums = Traffic.objects.get(batch=self.batch).figures, traffic.sums_of(self.batch)
        assert (figures["games"], figures["unfinished"]) == (300, int(sums.games[STOPPED].sum()))
        assert 0 < figures["unfinished"] < 300
        assert len(figures["lines"]) == 15
        lines = figures["kinds"][0]
        assert (lines["key"], [side["seat"] for side in lines["sides"]]) == ("lines", [0, 1])
        things = [thing for side in lines["sides"] for thing in side["things"]]
        assert sum(thing["share"] for thing in things) == pytest.approx(1, abs=1e-4)
        assert all(thing["low"] <= thing["share"] <= thing["high"] for thing in things)
        assert sum(thing["ended"]["share"] for thing in things) == pytest.approx(1, abs=1e-4)
        assert sum(thing["count"] for thing in things) == sum(
            int(sums.counts[:, cells].sum()) for cells in layout_of(LAID).cells_of("lines")
        )
        shares = traffic.shares_of(sums, layout_of(LAID), "lines").shares()
        first, second, both = (of["things"][0] for of in (*lines["sides"], {"things": lines["together"]}))
        assert shares[0] == pytest.approx(first["share"] + second["share"], abs=1e-5)
        assert (both["share"], both["count"]) == (round(float(shares[0]), 6), first["count"] + second["count"])
        assert both["low"] < both["share"] < both["high"] < first["high"] + second["high"]

    def test_traffic_of_an_earlier_version_is_read(self) -> None:
        layout, whole = traffic.layout_of(self.batch), traffic.sums_of(self.batch)
        channels = [replace(channel, since=2 if channel.key == "last" else 1) for channel in layout.channels]
        more = replace(layout, channels=tuple(channels))
        kept = np.concatenate([np.arange(*ends) for key, ends in _spans(more) if key != "last"])
        sums = Sums(whole.shares[:, :, kept], whole.games, whole.counts[:, kept])
        with mock.patch.object(traffic, "family", return_value=replace(family("points"), traffic=lambda rules: more)):
            traffic.keep(self.batch, sums, version=1)
            found, of, version = traffic.kept_of(self.batch)
            traffic.keep(self.batch, whole, version=2)
        assert (found.hexdigest(), of.cells, version) == (sums.hexdigest(), len(kept), 1)
        assert "last" not in of.keys
        assert traffic.kept_of(self.batch)[0].hexdigest() == whole.hexdigest()

    def test_the_api_tells_it(self) -> None:
        found = self.client.get(f"/api/v1/batches/{self.batch.id}/traffic/").json()
        kept = Traffic.objects.get(batch=self.batch)
        assert (found["counted"], found["digest"], found["games"]) == (True, kept.digest, 300)
        assert found["kinds"] == kept.figures["kinds"]
        assert self.client.get(f"/api/v1/batches/{self.batch.id}/").json()["counts_traffic"] is True
        without = self.client.get(f"/api/v1/batches/{self.plain.id}/traffic/").json()
        assert (without["counted"], without["kinds"]) == (False, [])
        assert without["command"].endswith("--inline --json --traffic")

    def test_a_release_has_it_and_gives_it_back(self) -> None:
        Batch.objects.filter(id=self.batch.id).update(origin=Batch.Origin.DEMO)
        kept = Traffic.objects.get(batch=self.batch)
        with tempfile.TemporaryDirectory() as place:
            with new_folder(Path(place, "release")) as folder:
                write_batches(folder)
            file = Path(place, "release", traffic_file(self.batch.id))
            Traffic.objects.all().delete()
            _load_traffic(self.batch, Path(place, "release"))
            again = Traffic.objects.get(batch=self.batch)
            assert (again.digest, again.figures, bytes(again.sums)) == (kept.digest, kept.figures, bytes(kept.sums))
            file.write_text(file.read_text().replace('"games"', '"game"'))
            with pytest.raises(DatasetProblem, match="no traffic of its board"):
                _load_traffic(self.batch, Path(place, "release"))

    def test_there_is_none_before_it_is_done(self) -> None:
        waiting = service.request_batch(LAID, announce=False, games=5, traffic=True)
        assert self.client.get(f"/api/v1/batches/{waiting.id}/traffic/").status_code == 409
        assert chunks.claim(waiting) is not None
