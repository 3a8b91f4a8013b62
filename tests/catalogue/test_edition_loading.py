"""The edition is loaded: into an empty catalogue, and beside what is there."""

import json
import lzma
import re
from unittest import mock

import pytest
from django.utils import timezone

from catalogue.analyses import comparisons as comparing
from catalogue.analyses.comparisons import check_comparison
from catalogue.analyses.study_figures import FIGURES_VERSION
from catalogue.edition.files import digest_of
from catalogue.edition.making import in_names_of_today, load
from catalogue.edition.terms import CONCLUSIONS, KINDS
from catalogue.edition.verifying import request_in
from catalogue.models import Comparison, Study, Verdict
from simulator.batches import chunks, playing
from simulator.batches.finalize import close_if_complete
from simulator.batches.service import stop_batch
from simulator.models import Batch, Ladder, Measurement
from simulator.problems import WrongRequest
from tests.catalogue.edition_world import EditionTestCase, empty, figures_of, rows_csv, rows_of_all
from tests.catalogue.page_world import CatalogueTestCase


class NamesOfToday(CatalogueTestCase):
    def test_conclusions_call_the_sides_of_a_hunt_as_its_source_does(self) -> None:
        said = {"title": "Won by the hunter (first player)", "text": "and by the herd (second player)"}
        for about in ({"names": ["hat-diviyan-keliya-dlp", "x"], "document": said},
                      {"document": {**said, "base": "hat-diviyan-keliya-dlp"}}):  # fmt: skip
            told = in_names_of_today(about)["document"]
            assert told["title"] == "Won by the owner of the tiger (first player)"
            assert told["text"] == "and by the owner of the leopards (second player)"
        other = {"names": ["niranchy-dlp"], "document": {"title": "Won by the aligner (first player)"}}
        assert in_names_of_today(other) == other


@pytest.mark.thorough
class LoadingTests(EditionTestCase):
    def loaded(self) -> None:
        empty()
        load(self.folder)

    def test_loaded_into_an_empty_catalogue_it_is_what_was_built(self) -> None:
        before, rows = figures_of(Batch), rows_of_all()
        counts = {model: model.objects.count() for model in (Comparison, Study, Verdict, Ladder)}
        measurements = Measurement.objects.filter(batch__in=self.folder.ids("batches")).count()
        empty()
        loaded = load(self.folder)
        assert loaded.new == {kind: len(self.folder.ids(kind)) for kind in KINDS}
        assert sum(loaded.new.values()) > 20
        for key in self.folder.ids("batches"):
            assert figures_of(Batch)[key] == before[key]
        assert rows_of_all() == {key: rows[key] for key in self.folder.ids("batches")}
        assert {model: model.objects.count() for model in counts} == counts
        assert Measurement.objects.count() == measurements > 0
        assert set(Batch.objects.values_list("origin", "state")) == {("demo", "done")}
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=AssertionError):
            for kind in ("comparisons", "batches"):  # what is made of what was loaded is the same file
                key = self.folder.ids(kind)[0]
                document = digest_of(self.folder.read(kind, key))
                self.folder.remove(kind, key)
                self.edition("build", "--inline")
                assert digest_of(self.folder.read(kind, key)) == document, kind
        assert sum(load(self.folder).new.values()) == 0

    def test_pages_are_whole_as_soon_as_it_is_loaded(self) -> None:
        self.loaded()
        for batch in Batch.objects.filter(ruleset__versions__slug="niranchy-ludovisi"):
            assert batch.digest in self.page(f"/batches/{batch.id}/")
            assert f"\n{batch.games - 1}," in rows_csv(self.client, batch)
        for comparison in Comparison.objects.all():
            assert comparison.id in self.page(comparison.get_absolute_url())
        study = self.page(Study.objects.get().get_absolute_url())
        assert "/batches/" not in study.partition("with their batches")[2]  # none of its batches is shipped

    def test_open_batches_here_become_the_finished_parts(self) -> None:
        """And a worker who holds one of its chunks finds that nobody wants it, and writes nothing."""
        finished, rows = figures_of(Batch), rows_of_all()
        empty()
        document = self.folder.read("comparisons", self.folder.ids("comparisons")[0])
        requests = [request_in(self.folder.read("batches", key)) for key in document["places"]]
        compared = check_comparison(document["names"], **{**requests[0].terms, "players": document["players"]})
        on_behalf = {"origin": Batch.Origin.VISITOR, "visitor": "1.2.3.4"}
        waiting = comparing.COMPARISONS.request(compared, announce=False, **on_behalf)
        assert waiting.id in self.folder.ids("comparisons")
        running, stopped, failed = (Batch.objects.get(id=key) for key in document["places"])
        chunk = chunks.claim(running)
        assert chunk is not None
        stop_batch(stopped)
        Batch.objects.filter(id=failed.id).update(state=Batch.State.FAILED)
        load(self.folder)
        here = figures_of(Batch)
        assert all(here[key] == finished[key] for key in document["places"])
        assert {key: some for key, some in rows_of_all().items() if key in document["places"]} == {
            key: rows[key] for key in document["places"]
        }
        assert set(Batch.objects.values_list("origin", "state", "visitor")) == {("demo", "done", "")}
        assert not chunks.renew(chunk)
        chunks.finish(chunk, rows=b"", tally={}, digest="another", seconds=1.0)
        chunks.release(chunk)
        assert not close_if_complete(running.id)
        assert figures_of(Batch) == here
        kept = Comparison.objects.get(id=waiting.id)
        assert (kept.state, kept.document) == (Comparison.State.DONE, document["document"])
        assert list(kept.compared.values_list("batch", flat=True)) == document["places"]
        assert sum(load(self.folder).new.values()) == 0

    def test_analyses_that_wait_here_become_the_finished_ones(self) -> None:
        ladder, study = self.folder.ids("ladders")[0], self.folder.ids("studies")[0]
        Ladder.objects.filter(id=ladder).update(state=Ladder.State.FAILED, error="stopped", document=None)
        game = Study.objects.get(id=study).game
        Study.objects.all().delete()
        Study.every.create(id=study, game=game, terms={}, batches=[])
        load(self.folder)
        row = Ladder.objects.get(id=ladder)
        assert (row.state, row.error, row.document) == (
            Ladder.State.DONE, "", self.folder.read("ladders", ladder)["document"]
        )  # fmt: skip
        assert Study.objects.filter(id=study).exists()
        assert not Study.every.exclude(state="done").exists()

    def test_a_comparison_waits_for_batches_that_are_done(self) -> None:
        key = self.folder.ids("comparisons")[0]
        document = self.folder.read("comparisons", key)
        self.loaded()
        Comparison.objects.filter(id=key).delete()
        Batch.objects.filter(id=document["places"][0]).update(state=Batch.State.RUNNING)
        keep = CONCLUSIONS["comparisons"].keep
        assert not keep(key, document, timezone.now())
        Batch.objects.filter(id=document["places"][0]).update(state=Batch.State.DONE)
        assert keep(key, document, timezone.now())

    def test_figures_of_an_earlier_version_are_stated_again(self) -> None:
        """Of a study that is loaded, and of one that was here."""
        key = self.folder.ids("studies")[0]
        now = self.folder.read("studies", key)
        [first] = [one for one in now["document"]["outcomes"] if one["key"] == "won_0_decided"]
        before = json.loads(json.dumps(now))
        [outcome] = [one for one in before["document"]["outcomes"] if one["key"] == "won_0_decided"]
        outcome["questions"][0]["answers"][0].update(high=1.003, text="? (to 100.3 %)")
        del before["document"]["figures_version"]
        cut = {**first["questions"][0]["answers"][0], "high": 1.0}
        self.folder.write("studies", key, before)
        for empties in (True, False):
            if empties:
                empty()
            Study.objects.filter(id=key).update(document=before["document"])
            load(self.folder)
            kept = Study.objects.get(id=key).document
            assert kept["figures_version"] == FIGURES_VERSION
            [outcome] = [one for one in kept["outcomes"] if one["key"] == "won_0_decided"]
            answer = outcome["questions"][0]["answers"][0]
            assert {**answer, "text": ""} == {**cut, "text": ""}
            assert answer["text"].endswith(("to 100.0)", "to 100)"))

    def test_batches_that_called_the_sides_otherwise_are_told_again(self) -> None:
        """Figures have the names of today, of batches that are loaded and of those here; drawings are made anew."""
        key, told = next(
            (key, document)
            for key in self.folder.ids("batches")
            if "owner of the leopard" in json.dumps(document := self.folder.read("batches", key))
        )
        before = json.loads(json.dumps(told).replace("owner of the leopard (", "hunter ("))
        before["summary"].update(version=1)
        del before["summary"]["ends"]
        other = next(key for key in self.folder.ids("batches") if "aligner" in str(self.folder.read("batches", key)))
        drawing = {"kind": "results", "place": 0, "digest": "0" * 64, "svg": "<svg/>", "height": 1, "title": "Results"}
        plots = [{**drawing, "description": "", "caption": "", "table": {}}]
        self.folder.write("batches", key, {**before, "plots": plots})
        self.folder.write("batches", other, {**self.folder.read("batches", other), "plots": plots})
        empty()
        load(self.folder)
        batch = Batch.objects.get(id=key)
        assert batch.summary == told["summary"]
        assert not batch.plots.exists()
        assert Batch.objects.get(id=other).plots.exists()
        Batch.objects.filter(id=key).update(summary=before["summary"])
        load(self.folder)
        batch.refresh_from_db()
        assert batch.summary == told["summary"]
        titles = Measurement.objects.filter(batch=key).values_list("title", flat=True)
        assert not [title for title in titles if "hunter" in title]

    def test_a_verdict_of_more_games_or_newer_replaces_one_here(self) -> None:
        self.loaded()
        row = Verdict.objects.filter(games__gt=1).earliest("id")
        for version, games, kept in (
            (row.version, row.games - 1, False),
            (row.version - 1, row.games + 1, False),
            (row.version, row.games, True),
            (row.version + 1, row.games - 1, True),
        ):
            here = Verdict.objects.filter(claim=row.claim, number=row.number)
            here.update(version=version, games=games, text="here")
            load(self.folder)
            assert (here.get().text == "here") == kept, (version, games)

    def test_what_an_earlier_engine_played_is_marked(self) -> None:
        self.loaded()
        rulesets = list(Batch.objects.filter(players__startswith="random").values_list("ruleset", flat=True))
        old = Batch.objects.get(players__startswith="random", ruleset__versions__slug="niranchy-dlp")
        Batch.objects.filter(id=old.id).update(family_version=1)
        assert "Only a release with version 1" in self.page(f"/batches/{old.id}/")
        marked = "played by an earlier version of the engine"
        game = self.page("/games/niranchy/?level=random")
        assert len(set(re.findall(rf"([^·>]+): {marked}", game))) == 1
        assert marked not in self.page("/games/koti-keliya/?level=random")
        rows = self.client.get("/api/v1/measurements/?level=random&measure=won_0").json()["results"]
        assert {row["reading"] for row in rows if not row["is_of_this_engine"]} == {"niranchy-dlp"}
        assert len(rows) == len(rulesets)
        of_earlier = [one for one in Comparison.objects.all() if "An earlier version of the engine" in
                      self.page(one.get_absolute_url())]  # fmt: skip
        assert [one.compared.filter(batch=old).count() for one in of_earlier] == [1]

    def test_a_damaged_part_is_refused_and_nothing_is_written(self) -> None:
        key = self.folder.ids("batches")[-1]
        file = self.place / "batches" / f"{key}.rows.xz"
        whole = file.read_bytes()
        empty()
        for damaged in (whole[:-8], lzma.compress(bytes(len(lzma.decompress(whole))))):
            file.write_bytes(damaged)
            with pytest.raises(WrongRequest, match=key):
                load(self.folder)
            assert not Batch.objects.exists()
