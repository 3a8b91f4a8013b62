"""Pages of comparisons: the form, the wait, and what was found, told in words and signs."""

import re
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.db.models import Count
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from catalogue.analyses.comparisons import COMPARISONS
from catalogue.findings.kept import findings
from catalogue.models import Clause, ComparedBatch, Comparison, Game
from catalogue.pages.comparisons import _start_boards
from catalogue.templatetags.wording import first_of_it
from catalogue.texts.voices import in_names_of_voices
from catalogue.web.plots import dressed
from simulator import rulesets
from simulator.batches import dispatch
from simulator.batches.service import purge_batch
from simulator.engine import shipped
from simulator.models import Batch, Chunk
from tests.builders import cost
from tests.catalogue.comparison_world import OTHERS, PAIR, a_comparison, no_message, play
from tests.catalogue.embedded_reader import assert_told
from tests.catalogue.page_world import CatalogueTestCase, nobody_hears, plain, text_of

WANTED = {"rulesets": list(PAIR), "games": "8", "seed": "1"}


@mock.patch("simulator.batches.service.dispatch.notify_of_chunks", nobody_hears)
@mock.patch.object(dispatch.current_app, "send_task", no_message)
class FormTests(CatalogueTestCase):
    def post(self, **changes: Any) -> tuple[int, str]:
        response = self.client.post("/compare/", {**WANTED, **changes})
        return response.status_code, response.get("Location", "") or text_of(response)

    def test_games_with_several_readings_are_offered_and_no_others(self) -> None:
        page = self.soup("/compare/")
        links = {link["href"] for link in page.find(id="content").find_all("a")}
        games = Game.objects.annotate(number=Count("readings"))
        assert {1, 2, 3} <= set(games.values_list("number", flat=True))
        for game in games:
            assert (f"/compare/?game={game.slug}" in links) == (game.number >= 2), game
        assert page.main.find("form") is None

    def test_the_readings_of_a_game_are_ticked(self) -> None:
        page = self.soup("/compare/?game=daramuti")
        boxes = page.find_all("input", attrs={"name": "rulesets"})
        assert [box["value"] for box in boxes] == ["daramuti-parker", "daramuti-dlp", "daramuti-ludii"]
        assert all(box.has_attr("checked") for box in boxes)
        assert all(page.find("label", attrs={"for": box["id"]}) for box in boxes)

    def test_an_address_fills_the_form(self) -> None:
        address = "/compare/?rulesets=daramuti-dlp&rulesets=daramuti-ludii&games=77&seed=3&margin_shares=0.01"
        page = self.soup(address)
        ticked = [box["value"] for box in page.find_all("input", attrs={"name": "rulesets"}) if box.has_attr("checked")]
        assert ticked == ["daramuti-dlp", "daramuti-ludii"]
        values = {
            name: page.find("input", attrs={"name": name})["value"] for name in ("games", "seed", "margin_shares")
        }
        assert values == {"games": "77", "seed": "3", "margin_shares": "0.01"}
        assert not Comparison.objects.exists()  # a GET asks for nothing

    def test_one_reading_in_the_address_offers_the_others_beside_it(self) -> None:
        page = self.page("/compare/?rulesets=daramuti-dlp")
        assert "daramuti-parker" in page
        assert "Nothing was started" not in page

    def test_a_request_writes_batches_and_a_comparison_that_waits(self) -> None:
        status, address = self.post(games="9", cap="300")
        found = Comparison.objects.get()
        assert (status, address) == (302, found.get_absolute_url())
        assert [one.batch.ruleset.versions.get().slug for one in found.compared.all()] == list(PAIR)
        assert {one.batch.origin for one in found.compared.all()} == {"visitor"}
        assert "0 of 18 games are done" in plain(self.page(address))
        assert self.post(games="9", cap="300", players="random,random") == (302, address)  # the same request
        assert ComparedBatch.objects.count() == 2

    @pytest.mark.by_turns
    def test_wrong_requests_are_named_beside_their_field(self) -> None:
        before = Batch.objects.count()
        for changes, words in (
            ({"games": "0"}, "nearest valid value: 1)"),
            ({"games": "1000001"}, "nearest valid value: 1000000)"),
            ({"seed": "x"}, "must be a whole number"),
            ({"rulesets": ["daramuti-parker"]}, "from 2 to 6 rulesets"),
            ({"rulesets": ["daramuti-parker", "daramuti-dlpp"]}, "daramuti-dlp"),
            ({"rulesets": ["daramuti-parker", "dam-dlp"]}, "are not measured alike"),
            ({"margin_amounts": "7"}, "nearest valid value: 1"),
            ({"players": "randm"}, "random"),
        ):
            status, html = self.post(**changes)
            assert status == 400, changes
            errors = " ".join(one.get_text() for one in BeautifulSoup(html, "lxml").find_all(class_="errors"))
            assert words in errors, (changes, errors)
        assert (Batch.objects.count(), Comparison.objects.count()) == (before, 0)

    def test_what_is_left_empty_is_as_usual(self) -> None:
        assert self.post(games="", margin_shares="")[0] == 302
        found = Comparison.objects.get()
        assert found.margins == {"shares": 0.02, "amounts": 0.05}
        assert found.compared.first().batch.games == 2000

    @override_settings(VISITOR_WORK_PER_HOUR=max(cost(name, 9, 2_000) for name in PAIR))
    def test_a_visitor_who_asked_for_enough_has_to_wait(self) -> None:
        before = Batch.objects.count()
        response = self.client.post("/compare/", {**WANTED, "games": "9", "cap": "2000"})
        assert response.status_code == 429
        assert int(response["Retry-After"]) > 0
        assert (Batch.objects.count(), Comparison.objects.count()) == (before, 0)

    def test_the_form_wants_its_token(self) -> None:
        strict = self.client_class(enforce_csrf_checks=True)
        assert strict.post("/compare/", WANTED).status_code == 403


class ComparisonPageTests(CatalogueTestCase):
    comparison: Comparison

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.comparison = a_comparison()

    @property
    def address(self) -> str:
        return self.comparison.get_absolute_url()

    @pytest.mark.by_turns
    def test_an_address_of_the_form_leads_to_it(self) -> None:
        address = f"/compare/?rulesets={PAIR[0]}&rulesets={PAIR[1]}&games=8&seed=2"
        self.assertRedirects(self.client.get(address), self.address)

    def test_sentence_measures_and_verdicts_are_shown(self) -> None:
        text = plain(self.page(self.address))
        told = assert_told(self.client, self.client.get(self.address), self.soup(self.address))
        assert told["archive_location"] == self.comparison.id
        [pair] = self.comparison.document["pairs"]
        assert " ".join(in_names_of_voices(pair["sentence"]).split()) in text
        for measure in pair["measures"]:
            assert " ".join(measure["difference"]["text"].split()) in text
        assert "? undecided" in text
        gains = [measure["pairing_gain"] for measure in pair["measures"] if measure["pairing_gain"]]
        assert gains
        assert all(f"pairing worth {gain:.2f} times the games" in text for gain in gains)
        assert pair["identical"]["count"] == 6  # of eight

    def test_every_figure_leads_to_its_batch(self) -> None:
        page = self.soup(self.address)
        heads = page.find("table", class_="compared").find("thead").find_all("a")
        batches = [one.batch_id for one in self.comparison.compared.all()]
        assert [link["href"] for link in heads] == [f"/batches/{batch}/" for batch in batches]

    @pytest.mark.by_turns
    def test_rules_that_differ_stand_with_the_clause_of_each_reading(self) -> None:
        own = Clause.objects.filter(reading__slug=PAIR[1])
        clause = next(one for one in own if "capture_making" in one.parameters)
        page = self.page(self.address)
        assert clause.text in plain(page)
        Clause.objects.filter(id=clause.id).update(text="Said otherwise now.")
        assert "Said otherwise now." in self.page(self.address)
        assert clause.get_absolute_url() in page

    def test_the_curves_are_served_with_their_numbers(self) -> None:
        response = self.client.get(f"{self.address}lengths.svg")
        assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert text_of(response) == dressed(self.comparison.plot["svg"])
        assert all(name.partition("-")[2] in text_of(response) for name in PAIR)
        figure = self.soup(self.address).select_one("figure.plot")
        assert len(figure.find("tbody").find_all("tr")) == len(self.comparison.plot["table"]["rows"])

    def test_the_command_asks_for_this_very_comparison(self) -> None:
        command = self.soup(self.address).find("pre").get_text().replace("\\\n", " ")
        assert command.split()[:4] == ["manage.py", "compare", *PAIR]
        assert "--margin shares=0.02 --margin amounts=0.05" in " ".join(command.split())

    @pytest.mark.thorough
    def test_as_many_queries_for_two_readings_as_for_four(self) -> None:
        findings()  # they are gathered
        with CaptureQueriesContext(connection) as few:
            self.page(self.address)
        many = a_comparison((*PAIR, "daramuti-dlp", "puhulmutu-parker"), seed=3)
        findings()
        with self.assertNumQueries(len(few)):
            self.page(many.get_absolute_url())
        assert len(few) <= 12

    @pytest.mark.by_turns
    def test_a_ruleset_without_a_name_is_known_by_its_hash(self) -> None:
        changed = rulesets.save(rulesets.find(PAIR[0], {"counters_per_hole": "5"})).hash
        found = a_comparison((PAIR[0], changed), seed=5)
        text = plain(self.page(found.get_absolute_url()))
        assert f"Under the ruleset {changed[:8]}, " in text
        command = text.replace(" \\ ", " ")  # lines that go on
        assert f"manage.py compare {PAIR[0]} {PAIR[0]}@1+counters_per_hole=5 --games" in command

    @pytest.mark.by_turns
    def test_a_comparison_outlives_its_batches(self) -> None:
        purge_batch(self.comparison.compared.get(place=0).batch)
        text = plain(self.page(self.address))
        assert "A batch of this comparison was thrown away since" in text
        left = self.comparison.compared.get().batch_id
        assert f"{PAIR[1]} batch {left}" in text
        assert in_names_of_voices(self.comparison.document["pairs"][0]["sentence"]) in text

    def test_the_list_tells_each_in_a_sentence(self) -> None:
        """The first thing that its sentence says, below the name of the game and beside its board."""
        page = self.soup("/comparisons/")
        said = first_of_it(in_names_of_voices(self.comparison.document["pairs"][0]["sentence"]))
        assert said in plain(str(page))
        assert page.select_one(".entries h2 a")["href"] == self.address
        assert page.select_one(".entries img.board-picture")["src"].startswith("/rulesets/")

    def test_lists_read_no_document_of_a_comparison(self) -> None:
        """Fifty of them would fill 15 MB of each process of the site."""
        Comparison.objects.filter(id=self.comparison.id).update(version=3, players="")  # as before 0.3.0
        for address in ("/comparisons/", "/compare/?game=daramuti"):
            with CaptureQueriesContext(connection) as asked:
                assert "games of each, random players" in plain(self.page(address))
            # Parts of it stand in brackets of a function.
            whole = re.compile(r'(?<!\()"catalogue_comparison"\."document"')
            assert not [query["sql"] for query in asked if whole.search(query["sql"])], address

    def test_a_game_that_was_compared_leads_to_its_comparisons(self) -> None:
        entry = self.soup("/compare/").select_one("li:has(a[href='/compare/?game=daramuti'])")
        assert [(link.get_text(), link["href"]) for link in entry.select("p a")] == [("random players", self.address)]


def test_arrays_that_differ_stand_as_boards_side_by_side() -> None:
    """They were lists of points, which nobody can compare."""
    names = ("kotu-ellima-ludovisi", "kotu-ellima-dlp")
    document = {"rulesets": [{"title": "", "name": name} for name in names]}
    batches: list[Any] = [SimpleNamespace(ruleset=shipped.load(name)) for name in names]
    boards = _start_boards(document, batches)
    assert [one.called for one in boards] == list(names)
    assert all("men on c1" in one.standing for one in boards)
    assert _start_boards(document, batches[:1] * 2) == []
    assert _start_boards(document, batches[:1]) == []


class WaitingTests(CatalogueTestCase):
    """The edge of the world is the broker: messages are counted, and nobody hears them."""

    def setUp(self) -> None:
        self.announced: list[Any] = []
        sender = mock.patch.object(dispatch.current_app, "send_task", lambda *task, **_: self.announced.append(task))
        sender.start()
        self.addCleanup(sender.stop)

    def waiting(self) -> Comparison:
        with mock.patch("simulator.batches.service.dispatch.notify_of_chunks", nobody_hears):
            self.client.post("/compare/", {**WANTED, "games": "8", "seed": "4"})
        return Comparison.objects.get()

    def played(self) -> Comparison:
        found = self.waiting()
        for name in found.names:
            play(name, OTHERS, seed=4)
        return found

    def progress(self, comparison: Comparison) -> dict[str, Any]:
        return self.client.get(f"{comparison.get_absolute_url()}progress.json").json()

    def test_a_waiting_comparison_refreshes_and_says_how_far_it_is(self) -> None:
        found = self.waiting()
        page = self.soup(found.get_absolute_url())
        assert page.find("noscript").find("meta")["http-equiv"] == "refresh"
        Chunk.objects.filter(batch=found.compared.first().batch).update(state=Chunk.State.DONE)
        answer = self.progress(found)
        waits_for = answer.pop("waits_for")
        assert answer == {"state": "running", "games": 16, "games_done": 8, "percent": 50}
        assert waits_for == "No worker is running: games are played when one is started."

    @pytest.mark.by_turns
    def test_a_played_comparison_is_announced_once_and_computed(self) -> None:
        found = self.played()
        Comparison.objects.update(announced=None)
        self.announced.clear()
        for _ in range(3):
            self.progress(found)
        assert self.announced == [(COMPARISONS.task, (found.id,))]
        COMPARISONS.conclude_task(found.id)
        assert self.progress(found)["state"] == "done"
        assert "Who wins" in self.page(found.get_absolute_url())

    @pytest.mark.by_turns
    def test_what_goes_wrong_is_shown_and_may_be_asked_for_again(self) -> None:
        found = self.played()
        broken = mock.patch.object(COMPARISONS, "computed", side_effect=OverflowError("too long"))
        with broken, pytest.raises(OverflowError):
            COMPARISONS.conclude_task(found.id)
        page = self.page(found.get_absolute_url())
        assert "OverflowError: too long" in page
        form = self.soup(found.get_absolute_url()).main.find("form")
        fields = [(field["name"], field["value"]) for field in form.find_all("input")]
        sent = {**dict(fields), "rulesets": [value for name, value in fields if name == "rulesets"]}
        assert self.client.post(form["action"], sent)["Location"] == found.get_absolute_url()
        found.refresh_from_db()
        assert (found.state, found.error) == ("waiting", "")

    def test_a_batch_thrown_away_before_its_time_is_told(self) -> None:
        found = self.waiting()
        purge_batch(found.compared.first().batch)
        page = self.page(found.get_absolute_url())
        assert "was thrown away before it was computed" in page
        assert "http-equiv" not in page
        assert not COMPARISONS.conclude(found)

    def test_a_cancelled_batch_stops_the_wait_and_is_named(self) -> None:
        found = self.waiting()
        stopped = found.compared.last().batch
        Batch.objects.filter(id=stopped.id).update(state=Batch.State.CANCELLED)
        page = self.page(found.get_absolute_url())
        assert f"/batches/{stopped.id}/" in page
        assert "could not be computed" in page
        assert self.progress(found)["state"] != "running"
        assert self.client.get(f"{found.get_absolute_url()}lengths.svg").status_code == 404
