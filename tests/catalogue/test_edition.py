"""The edition: planned, built, published, loaded and verified on a plan of two small games, with real games."""

import io
import json
import lzma
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from catalogue.comparisons import service as comparing
from catalogue.comparisons.requests import check_comparison
from catalogue.edition.budget import fitted
from catalogue.edition.building import unfinished
from catalogue.edition.derived_parts import DERIVED
from catalogue.edition.files import FOLDER, EditionFolder, digest_of
from catalogue.edition.index import read_index
from catalogue.edition.kinds import KINDS
from catalogue.edition.loading import load
from catalogue.edition.parts import Part, planned_games
from catalogue.edition.releases import MOST_BYTES
from catalogue.edition.terms import PLAN, read_plan
from catalogue.edition.verifying import request_in, verify
from catalogue.models import Comparison, RequestedStudy, Study, Verdict
from catalogue.sensitivity.answer_means import FIGURES_VERSION
from simulator.batches import chunks, finalize, playing
from simulator.batches.finalize import close_if_complete
from simulator.batches.rows import kept_rows
from simulator.batches.service import stop_batch
from simulator.models import Batch, Ladder, Measurement, Plot, Solution
from simulator.problems import WrongRequest
from simulator.statistics.intervals import share
from simulator.statistics.precision import games_for, points_of
from tests.catalogue.page_world import CatalogueTestCase

SMALL: dict[str, Any] = {
    "seed": 1,
    "cap": 200,
    "games": ["koti-keliya", "niranchy"],
    "levels": [
        {"level": "random", "points": 15, "until": "game"},
        {"level": "greedy", "points": 30, "until": "round"},
    ],
    "studies": [{"level": "random", "games": 2, "until": "game", "of": ["koti-keliya"]}],
    "claims": {"games": 20},
    "ladders": {"games": 12, "cap": 150, "levels": ["random", "uct:16"]},
    "solutions": [],
    "coarser": [
        {"of": "levels", "level": "greedy", "points": 40, "above_minutes": 0},
        {"of": "studies", "level": "random", "games": 1, "above_minutes": 0},
    ],
}
MADE = (Comparison, Study, Verdict, Ladder, Solution, Plot, Measurement, Batch)


def test_games_for_a_share_known_to_within_points() -> None:
    # z² = 3.8415: 3.8415 / 0.02² − 3.84 = 9,599.8; / 0.1²: 380.3; / 0.2²: 92.2, each rounded up to two digits
    assert [games_for(points) for points in (1, 5, 10, 50)] == [9_600, 390, 93, 1]
    for points in (0.7, 1, 3, 10):
        games = games_for(points)
        found = share(games / 2, games)
        assert found.low is not None
        assert 50 - 100 * found.low == pytest.approx(points_of(games))
        assert points_of(games) <= points


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": -1}, "seed"),
        ({"sed": 1}, "nearest valid key: seed"),
        ({"games": ["niranchi"]}, "no game is called 'niranchi'"),
        ({"coarser": [{"of": "levels", "level": "greed", "points": 40, "above_minutes": 0}]}, "'greed' is no level"),
    ],
)
@pytest.mark.django_db
def test_what_is_wrong_with_a_plan_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({**SMALL, **change}))
    with pytest.raises(WrongRequest) as caught:
        planned_games(read_plan(file))
    assert words in str(caught.value)


def test_the_shipped_plan_is_as_described() -> None:
    terms = read_plan(PLAN)
    assert [one.level for one in terms.levels] == ["random", "greedy", "club", "strong"]
    assert not terms.games  # all of them


def test_what_ships_is_what_its_index_says() -> None:
    folder = EditionFolder(FOLDER)
    shipped = read_index(folder)
    assert shipped is not None
    assert {(one.kind, one.id) for one in shipped.parts} == set(folder.every(KINDS))
    assert all(digest_of(folder.read(one.kind, one.id)) == one.digest for one in shipped.parts)
    files = [file for file in FOLDER.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < MOST_BYTES
    assert shipped.bytes == sum(folder.size(one.kind, one.id) for one in shipped.parts)


@pytest.mark.slow
class EditionTests(CatalogueTestCase):
    """One class, so that the edition is built once. Plots are drawn elsewhere, and take longest."""

    place: ClassVar[Path]
    plan: ClassVar[Path]
    folder: ClassVar[EditionFolder]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(kept.cleanup)
        cls.place, cls.plan = Path(kept.name) / "edition", Path(kept.name) / "plan.json"
        cls.plan.write_text(json.dumps(SMALL))
        cls.folder = EditionFolder(cls.place)
        with undrawn():
            cls.edition("build", "--inline")

    @classmethod
    def edition(cls, what: str, *words: str) -> Any:
        out = io.StringIO()
        paths = ("--plan", str(cls.plan), "--folder", str(cls.place))
        call_command("edition", what, *paths, *words, "--json", stdout=out, stderr=io.StringIO())
        return json.loads(out.getvalue())

    def test_every_part_of_the_plan_has_a_file(self) -> None:
        terms = read_plan(self.plan)
        parts = [one.part for one in fitted(terms, planned_games(terms), 8, 2).parts]
        assert not unfinished(self.folder, parts)
        numbers = {kind: len(self.folder.ids(kind)) for kind in KINDS}
        assert numbers == {"batches": 10, "comparisons": 4, "studies": 1, "claims": 2, "ladders": 5, "solutions": 0}
        caps = {
            (one.kind == "ladders", request.cap) for one in parts for request in one.requests if one.kind != "claims"
        }
        assert caps == {(True, 150), (False, 200)}

    def test_built_again_nothing_is_played(self) -> None:
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=AssertionError):
            assert self.edition("build", "--inline")["written"] == 0

    def test_a_part_that_is_gone_is_made_again_to_the_last_byte(self) -> None:
        for kind in KINDS[:-1]:
            key = self.folder.ids(kind)[0]
            before = (self.place / kind / f"{key}.json.xz").read_bytes()
            self.folder.remove(kind, key)
            with undrawn():
                assert self.edition("build", "--inline")["written"] == 1
            assert (self.place / kind / f"{key}.json.xz").read_bytes() == before, kind

    def test_loaded_into_an_empty_catalogue_it_is_what_was_built(self) -> None:
        before, rows = figures_of(Batch), rows_of_all()
        counts = {model: model.objects.count() for model in (Comparison, Study, Verdict, Ladder)}
        measurements = Measurement.objects.filter(batch__in=self.folder.ids("batches")).count()
        empty()
        loaded = load(self.folder)
        assert sum(loaded.new.values()) == 22
        for key in self.folder.ids("batches"):
            assert figures_of(Batch)[key] == before[key]
        assert rows_of_all() == {key: rows[key] for key in self.folder.ids("batches")}
        assert {model: model.objects.count() for model in counts} == counts
        assert Measurement.objects.count() == measurements > 0
        assert set(Batch.objects.values_list("origin", "state")) == {("demo", "done")}
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=AssertionError), undrawn():
            for kind in ("comparisons", "batches"):  # what is made of what was loaded is the same file
                key = self.folder.ids(kind)[0]
                document = digest_of(self.folder.read(kind, key))
                self.folder.remove(kind, key)
                self.edition("build", "--inline")
                assert digest_of(self.folder.read(kind, key)) == document, kind
        assert sum(load(self.folder).new.values()) == 0

    def test_pages_are_whole_as_soon_as_it_is_loaded(self) -> None:
        empty()
        load(self.folder)
        for batch in Batch.objects.filter(ruleset__versions__slug="niranchy-ludovisi"):
            assert batch.digest in self.page(f"/batches/{batch.id}/")
            assert f"\n{batch.games - 1}," in rows_csv(self.client, batch)
        for comparison in Comparison.objects.all():
            assert comparison.id in self.page(comparison.get_absolute_url())
        study = self.page(Study.objects.get().get_absolute_url())
        assert "/batches/" not in study.partition("with their batches")[2]  # none of its batches is shipped

    def test_what_was_stopped_or_is_being_played_here_becomes_the_finished_part(self) -> None:
        """And a worker who holds one of its chunks finds that nobody wants it, and writes nothing."""
        finished, rows = figures_of(Batch), rows_of_all()
        empty()
        document = self.folder.read("comparisons", self.folder.ids("comparisons")[0])
        requests = [request_in(self.folder.read("batches", key)) for key in document["places"]]
        compared = check_comparison(document["names"], **{**requests[0].terms, "players": document["players"]})
        waiting = comparing.request_comparison(compared, announce=False, origin=Batch.Origin.VISITOR, visitor="1.2.3.4")
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

    def test_a_ladder_or_a_study_that_somebody_waits_for_becomes_the_finished_one(self) -> None:
        ladder, study = self.folder.ids("ladders")[0], self.folder.ids("studies")[0]
        Ladder.objects.filter(id=ladder).update(state=Ladder.State.FAILED, error="stopped", document=None)
        game = Study.objects.get(id=study).game
        Study.objects.all().delete()
        RequestedStudy.objects.create(id=study, game=game, terms={}, batches=[])
        load(self.folder)
        row = Ladder.objects.get(id=ladder)
        assert (row.state, row.error, row.document) == (
            Ladder.State.DONE, "", self.folder.read("ladders", ladder)["document"]
        )  # fmt: skip
        assert Study.objects.filter(id=study).exists()
        assert not RequestedStudy.objects.exists()

    def test_a_comparison_waits_for_batches_that_are_done(self) -> None:
        key = self.folder.ids("comparisons")[0]
        document = self.folder.read("comparisons", key)
        empty()
        load(self.folder)
        Comparison.objects.filter(id=key).delete()
        Batch.objects.filter(id=document["places"][0]).update(state=Batch.State.RUNNING)
        keep = DERIVED["comparisons"].keep
        assert not keep(key, document, timezone.now())
        Batch.objects.filter(id=document["places"][0]).update(state=Batch.State.DONE)
        assert keep(key, document, timezone.now())

    def test_figures_of_an_earlier_version_are_stated_again(self) -> None:
        """Of a study that is loaded, and of one that was here."""
        key = self.folder.ids("studies")[0]
        now = self.folder.read("studies", key)
        [first] = [one for one in now["document"]["outcomes"] if one["key"] == "won_0"]
        before = json.loads(json.dumps(now))
        [outcome] = [one for one in before["document"]["outcomes"] if one["key"] == "won_0"]
        outcome["questions"][0]["answers"][0].update(high=1.003, text="? (to 100.3 %)")
        del before["document"]["figures_version"]
        cut = {**first["questions"][0]["answers"][0], "high": 1.0}
        self.folder.write("studies", key, before)
        try:
            for empties in (True, False):
                if empties:
                    empty()
                Study.objects.filter(id=key).update(document=before["document"])
                load(self.folder)
                kept = Study.objects.get(id=key).document
                assert kept["figures_version"] == FIGURES_VERSION
                [outcome] = [one for one in kept["outcomes"] if one["key"] == "won_0"]
                answer = outcome["questions"][0]["answers"][0]
                assert {**answer, "text": ""} == {**cut, "text": ""}
                assert answer["text"].endswith("to 100.0)") or answer["text"].endswith("to 100)")
        finally:
            self.folder.write("studies", key, now)

    def test_a_verdict_of_more_games_or_of_a_newer_version_replaces_the_one_here(self) -> None:
        empty()
        load(self.folder)
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

    def test_verified_it_has_no_difference(self) -> None:
        found = self.edition("verify", "--sample", "19")["parts"]
        assert {one["kind"] for one in found} == set(KINDS[:-1])
        assert not any(one["differences"] for one in found)
        assert sum(one["games"] for one in found) > 200

    def test_batches_are_drawn_from_their_files_alone(self) -> None:
        found = self.edition("verify", "--batches", "--sample", "3", "--seed", "4")["parts"]
        assert [one["kind"] for one in found] == ["batches"] * 3
        assert found == self.edition("verify", "--batches", "--sample", "3", "--seed", "4")["parts"]
        assert found != self.edition("verify", "--batches", "--sample", "3", "--seed", "5")["parts"]
        key = self.folder.ids("batches")[0]
        document = self.folder.read("batches", key)
        self.folder.write("batches", key, {**document, "family_version": 1})  # nobody here can play it
        assert key not in [one["id"] for one in self.edition("verify", "--batches", "--sample", "99")["parts"]]
        self.folder.write("batches", key, document)

    def test_what_an_earlier_engine_played_is_marked_and_nothing_else(self) -> None:
        empty()
        load(self.folder)
        rulesets = list(Batch.objects.filter(players__startswith="random").values_list("ruleset", flat=True))
        old = Batch.objects.get(players__startswith="random", ruleset__versions__slug="niranchy-dlp")
        Batch.objects.filter(id=old.id).update(family_version=1)
        assert "Only a release with version 1" in self.page(f"/batches/{old.id}/")
        marked = "played by an earlier version of the engine"
        game = self.page("/games/niranchy/?level=random")
        assert len(set(re.findall(rf"([^·>]+): {marked}", game))) == 1
        assert marked not in self.page("/games/koti-keliya/?level=random")
        rows = self.client.get("/api/v1/measurements/?level=random&measure=won_0").json()["results"]
        assert {one["reading"] for one in rows if not one["is_of_this_engine"]} == {"niranchy-dlp"}
        assert len(rows) == len(rulesets)
        of_earlier = [one for one in Comparison.objects.all() if "An earlier version of the engine" in
                      self.page(one.get_absolute_url())]  # fmt: skip
        assert [one.compared.filter(batch=old).count() for one in of_earlier] == [1]

    def test_whatever_a_part_says_otherwise_than_its_games_is_found_and_named(self) -> None:
        terms = read_plan(self.plan)
        parts = {(one.part.kind, one.part.id): one.part for one in fitted(terms, planned_games(terms), 8, 2).parts}
        for kind, key, name, spoil in self.faults():
            document = self.folder.read(kind, key)
            spoilt = json.loads(json.dumps(document))
            spoil(spoilt)
            self.folder.write(kind, key, spoilt)
            found = verify(self.folder, parts[kind, key], lambda batch: None)
            self.folder.write(kind, key, document)
            assert [one.partition(" ")[0] for one in found.differences] == [name], (kind, found)

    def faults(self) -> Iterator[tuple[str, str, str, Callable[[Any], Any]]]:
        """(kind and id of a part, what is said to differ, what makes it so)"""
        batch, study = self.folder.ids("batches")[0], self.folder.ids("studies")[0]
        claim = next(key for key in self.folder.ids("claims") if self.folder.read("claims", key)["batches"])
        ladder = self.folder.ids("ladders")[0]
        yield "batches", batch, "tally", lambda one: one["tally"]["codes"][0].__setitem__(-1, 0)
        yield "batches", batch, "cap", lambda one: one.update(cap=one["cap"] + 1)
        yield "batches", batch, "summary", lambda one: one["summary"]["sections"][0]["rows"][0].update(value=0.123)
        yield "batches", batch, "summary", lambda one: one["summary"]["games_to_look_at"].clear()
        yield "studies", study, "document", lambda one: one["document"]["outcomes"][0].update(mean=0.123)
        yield "claims", claim, "batch", lambda one: one["batches"].update({min(one["batches"]): "0"})
        yield "claims", claim, "verdicts", lambda one: one["verdicts"][0].update(verdict="another")
        yield "claims", claim, "verdicts", lambda one: one["verdicts"][-1].update(low=0.123)
        yield "claims", claim, "claim", lambda one: one.update(claim="another")
        yield "ladders", ladder, "document", lambda one: one["document"]["matches"][0]["share"].update(value=0.123)
        yield "ladders", ladder, "request", lambda one: one["request"].update(games=1)

    def test_what_repetition_is_said_to_be_is_looked_at_in_as_many_games(self) -> None:
        """How many are worth their time goes by prices; that they are other ones now is no difference."""
        part, document = self.part_with_repetition()
        looked_at = Batch.objects.select_related("ruleset").get(id=part.id)
        finalize.look_again(looked_at, document["summary"]["repetition"]["games"] - 1)
        looked_at.refresh_from_db()
        self.folder.write(part.kind, part.id, {**document, "summary": looked_at.summary})
        fewer = verify(self.folder, part, lambda batch: None).differences
        wrong = json.loads(json.dumps(document))
        wrong["summary"]["repetition"]["longest"] += 1
        self.folder.write(part.kind, part.id, wrong)
        otherwise = verify(self.folder, part, lambda batch: None).differences
        self.folder.write(part.kind, part.id, document)
        assert (fewer, otherwise) == ((), ("summary is not what is computed from its games",))

    def part_with_repetition(self) -> tuple[Part, dict[str, Any]]:
        terms = read_plan(self.plan)
        for part in (one.part for one in fitted(terms, planned_games(terms), 8, 2).parts if one.part.kind == "batches"):
            document = self.folder.read(part.kind, part.id)
            if document["summary"].get("repetition", {}).get("games", 0) > 1:
                return part, document
        raise AssertionError("no batch of this plan was looked at for repetition")

    def test_other_rows_than_those_of_the_games_are_found(self) -> None:
        key = self.folder.ids("batches")[0]
        file = self.place / "batches" / f"{key}.rows.xz"
        whole = file.read_bytes()
        terms = read_plan(self.plan)
        parts = {one.part.id: one.part for one in fitted(terms, planned_games(terms), 8, 2).parts}
        file.write_bytes(lzma.compress(bytes(len(lzma.decompress(whole)))))
        found = verify(self.folder, parts[key], lambda batch: None)
        file.write_bytes(whole)
        assert found.differences == ("rows differ from those of the games played again",)

    def test_a_difference_is_a_failure_of_the_command(self) -> None:
        key = self.folder.ids("claims")[0]
        document = self.folder.read("claims", key)
        self.folder.write("claims", key, {**document, "batches": dict.fromkeys(document["batches"], "0")})
        with pytest.raises(CommandError) as caught:
            self.edition("verify", "--sample", "19")
        self.folder.write("claims", key, document)
        assert caught.value.returncode == 1
        assert "claims" in str(caught.value)

    def test_published_it_says_what_is_there_and_what_is_missing(self) -> None:
        batch, comparison = self.folder.ids("batches")[0], self.folder.ids("comparisons")[0]
        document, compared = self.folder.read("batches", batch), self.folder.read("comparisons", comparison)
        self.folder.remove("comparisons", comparison)
        made = self.edition("publish", "--date", "2026-12-01")
        assert [len(names) for names in made["missing"].values()] == [1]
        index = read_index(self.folder)
        assert index is not None
        assert (index.date, len(index.parts)) == ("2026-12-01", 21)
        [entry] = [one for one in index.parts if one.id == batch]
        assert entry.digest == digest_of(document)
        assert entry.reached == pytest.approx(points_of(document["games"]), abs=0.01)
        assert index.versions["points"] >= 2
        self.folder.write("comparisons", comparison, compared)

    def test_what_the_plan_asks_for_otherwise_stays_until_it_is_there(self) -> None:
        self.edition("publish")
        old = {one.name: one.id for one in parts_of(self.folder) if one.kind == "ladders"}
        self.plan.write_text(json.dumps({**SMALL, "ladders": {"games": 24, "levels": ["random", "uct:16"]}}))
        try:
            self.edition("publish")
            assert {one.name: one.id for one in parts_of(self.folder) if not one.of_plan} == old
            with undrawn():
                self.edition("build", "--inline")
            self.edition("publish")
            now = {one.name: one.id for one in parts_of(self.folder) if one.kind == "ladders"}
            assert all(one.of_plan for one in parts_of(self.folder))
            assert now.keys() == old.keys()
            assert not set(now.values()) & set(old.values()) & set(self.folder.ids("ladders"))
        finally:
            self.plan.write_text(json.dumps(SMALL))
            with undrawn():
                self.edition("build", "--inline")

    def test_the_plan_tells_its_price_and_gives_up_precision_in_order(self) -> None:
        whole = self.edition("plan")
        assert whole["given_up"] == []
        greedy = next(one for one in whole["groups"] if (one["kind"], one["level"]) == ("batches", "greedy"))
        assert greedy["reached"] == [round(points_of(games_for(30)), 1)] * 2
        assert (greedy["parts"], greedy["there"]) == (5, 5)
        assert whole["hours_left"] < whole["hours"]
        less = self.edition("plan", "--hours", str(0.9999 * whole["hours"]))
        assert less["given_up"] == ["levels of greedy players: ± 40 points"]
        with pytest.raises(CommandError) as caught:
            self.edition("plan", "--hours", str(whole["hours"] / 10))
        assert caught.value.returncode == 2
        assert "the dearest part is" in str(caught.value)

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
        file.write_bytes(whole)


@contextmanager
def undrawn() -> Iterator[None]:
    with mock.patch("simulator.batches.finalize.plots.draw_all", return_value=[]):
        yield


def empty() -> None:
    for model in MADE:
        model.objects.all().delete()


def parts_of(folder: EditionFolder) -> list[Any]:
    index = read_index(folder)
    assert index is not None
    return index.parts


def rows_csv(client: Any, batch: Batch) -> str:
    return b"".join(client.get(f"/batches/{batch.id}/rows.csv").streaming_content).decode()


def figures_of(model: Any) -> dict[str, Any]:
    names = ("digest", "tally_digest", "tally", "summary", "work", "players", "games", "ruleset_id", "players_version")
    return {row.id: [getattr(row, name) for name in names] for row in model.objects.all()}


def rows_of_all() -> dict[str, list[Any]]:
    return {
        batch.id: [row for _, rows in kept_rows(batch) for row in rows.tolist()]
        for batch in Batch.objects.select_related("ruleset")
    }
