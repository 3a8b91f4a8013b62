"""The workshop by its forms, without a script: from a record to a reading that is played and signed."""

import io
import json
import random
import re
import shutil
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from catalogue.checks import check_apparatus
from catalogue.models import (
    Anchor,
    Answer,
    Claim,
    Clause,
    Draft,
    Evidence,
    Question,
    Reading,
    SearchEntry,
    Suggestion,
)
from catalogue.workshop import checking, drafts
from catalogue.workshop.publishing import _index, publish
from catalogue.workshop.ranking import parameters_of
from catalogue.workshop.views_of_draft import silent_rules
from simulator.models import Batch, Ruleset, RulesetVersion
from tests.catalogue.page_world import CatalogueTestCase

FIXTURES = Path(settings.BASE_DIR) / "fixtures"
FORMS = 60  # hostile ones
HOSTILE = (
    "", "last", "-1", "9" * 400, "[" * 90, '{"a": [{}]}', "null", "true", "1,2,x", "<b>", "\0", "é" * 9_000, "1e999",
    "NaN", "[[[]]]", '[{"numbers": "x"}]',
    '{"shapes": [{"grid": [999, 999]}]}', '{"points": {"a1": [0, 0]}, "lines": ["a1 a1"]}',
)  # fmt: skip
RECORD = "DLP.Evidence.1386"


class Maker:
    """Somebody who makes a draft, by the forms of its page."""

    def __init__(self, role: str = "") -> None:
        self.client = Client()
        self.user = None
        if role:
            self.user = User.objects.create_user(f"{role}-{User.objects.count()}", is_staff=True)
            self.user.groups.set(Group.objects.filter(name=role))
            self.client.force_login(self.user)

    def begin(self, record: str = RECORD, **given: str) -> Draft:
        answer = self.client.post(f"/workshop/begin/{record}/", {"family": "sowing", **given})
        assert answer.status_code == 302, answer.content
        self.address = answer["Location"]
        return self.draft

    @property
    def draft(self) -> Draft:
        return Draft.objects.get(key=self.address.rstrip("/").rpartition("/")[2])

    def do(self, do: str, status: int = 302, number: int | None = None, **given: Any) -> HttpResponse:
        words = {"record": RECORD, "in": "content", **given} if "exact" in given else given
        sent = {"do": do, "number": self.draft.number if number is None else number, **words}
        answer = self.client.post(self.address, sent)
        assert answer.status_code == status, BeautifulSoup(answer.content, "html.parser").main.text[:600]
        return answer

    def look(self, step: str = "", **query: str) -> BeautifulSoup:
        answer = self.client.get(f"{self.address}{step}", query)
        assert answer.status_code == 200
        return BeautifulSoup(answer.content, "html.parser")


SEVEN = {"rule": "holes_per_row=7", "exact": "2x7 board with two stores.", "in": "rules"}
FOURS = {"rule": "counters_per_hole=4", "exact": "Four counters in each hole.", "in": "rules"}
RELAY = {"rule": "relay=last", "exact": "plays in exactly the same manner until the last seed"}


class WorkshopTests(CatalogueTestCase):
    maker: ClassVar[Maker]

    def about(self, **given: str) -> dict[str, str]:
        return {
            "do": "publish", "title": "Puhulmutu, tried", "authority": "tried", "kind": "interpretation",
            "summary": "Four in each hole.", "encoded_by": "Ada", **given,
        }  # fmt: skip

    def test_from_words_to_a_reading_that_is_played_and_signed(self) -> None:
        ada = Maker("editor")
        ada.begin()
        assert "no game is without them" in ada.look().text
        offers = ada.look(**{**SEVEN, "record": RECORD}).select_one("#offers")
        assert "Each row has 7 holes." in offers.text
        ada.do("rule", **SEVEN)
        fours = ada.look(find="capture_making", exact="he captures the four", record=RECORD, **{"in": "content"})
        assert fours.select_one('#offers button[value="capture_making=4"]')
        ada.do("rule", **FOURS)
        ada.do("rule", **RELAY)
        assert ada.draft.document == {
            "family": "sowing", "holes_per_row": 7, "counters_per_hole": 4, "relay": "last",
        }  # fmt: skip
        page = ada.look()
        assert "Two rows of 7 holes" in page.select_one("#board").text
        assert page.select_one("#clause-relay q").text == RELAY["exact"]
        tried = ada.look("try/")
        assert len(tried.select(".told > li")) > 20
        assert tried.select_one('.told a[href$="#clause-relay"]')
        whole = ada.look("try/", whole="2")
        told = [len(whole.select(f"#game-{number} .told > li")) for number in (1, 2)]
        assert told == [12, 400]  # nothing is captured here, so it would go on without end
        empty = ada.look("publish/")
        assert [one.text for one in empty.select(".note li")] == [
            "It needs a sentence that says what is characteristic of it."
        ]  # whose it is stands in its field already
        refused = ada.client.post(f"{ada.address}publish/", self.about(summary=""))
        assert refused.status_code == 400
        with self.captureOnCommitCallbacks() as after:
            answer = ada.client.post(f"{ada.address}publish/", self.about())
        next(one for one in after if getattr(one, "func", None) is _index)()
        assert SearchEntry.objects.filter(address="/rulesets/puhulmutu-tried/").exists()
        assert answer["Location"] == "/rulesets/puhulmutu-tried/"
        version = RulesetVersion.objects.get(slug="puhulmutu-tried")
        assert (version.number, version.ruleset.document["relay"]) == (1, "last")
        assert Batch.objects.filter(ruleset=version.ruleset, games=2_000).exists()
        reading = Reading.objects.get(slug="puhulmutu-tried")
        assert reading.clauses.get(slug="relay").anchors.get().exact == RELAY["exact"]
        assert (reading.checked_by, reading.history.get().history_user) == ("", ada.user)
        assert [one for one in check_apparatus(None) if reading.slug in one.msg] == []
        ada.user.groups.set(Group.objects.filter(name="curator"))
        User.objects.filter(pk=ada.user.pk).update(first_name="Jane", last_name="Doe")  # under whatever name
        bob, other_ada = Maker("curator"), Maker("curator")
        User.objects.filter(pk=other_ada.user.pk).update(first_name="ADA")
        for one in (ada, other_ada):
            page = one.client.get("/workshop/sign/puhulmutu-tried/").content.decode()
            assert ("somebody else checks it" in page, 'name="held"' in page) == (True, False)
            signed = one.client.post("/workshop/sign/puhulmutu-tried/", {"name": "Jane Doe", "held": "on"})
            assert signed.status_code == 403
        bob.client.post("/workshop/sign/puhulmutu-tried/", {"name": "Jane Doe", "held": "on"})
        assert Reading.objects.get(slug="puhulmutu-tried").checked_by == bob.user.username

    def test_nothing_is_lost_when_two_save_at_once(self) -> None:
        ada = Maker("editor")
        number = ada.begin().number
        ada.do("rule", number=number, **SEVEN)
        both = ada.do("rule", 409, number=number, **FOURS)
        page = BeautifulSoup(both.content, "html.parser")
        assert "Nothing of yours is lost" in page.text
        assert len(ada.draft.clauses) == 1
        again = page.select_one(".note form")
        sent = {one["name"]: one.get("value", "") for one in again.select("input")}
        assert ada.client.post(ada.address, sent).status_code == 302
        assert {one["slug"] for one in ada.draft.clauses} == {"holes-per-row", "counters-per-hole"}

    def test_two_answers_become_an_open_question(self) -> None:
        ada = Maker()
        ada.begin()
        ada.do("rule", **SEVEN)
        ada.do("rule", **FOURS)
        ada.do("rule", **RELAY)
        other = {"rule": "relay=next", "exact": "He then takes the seeds of the next hole, if there be any"}
        assert "Other words already say" in ada.do("rule", 409, **other).content.decode()
        ada.do("rule", ask="yes", **other)
        question = ada.draft.questions[0]
        assert [one["values"] for one in question["answers"]] == [{"relay": "last"}, {"relay": "next"}]
        assert question["answers"][1]["words"][0]["exact"] == other["exact"]
        assert question["title"] == "Relay: how is it played?"
        asked = ada.client.post(f"{ada.address}try/", {"matters": question["slug"]})
        assert asked["Location"].endswith("?matters=relay#games")
        assert Batch.objects.filter(games=2_000).count() == 2
        assert ada.look("try/", matters="relay").select_one("#outcomes[data-hx-get]")  # until they are played
        ada.client.post(f"{ada.address}try/", {"play": "yes"})
        page = ada.look("try/")
        assert page.select_one("#outcomes[data-hx-get]")
        assert "2,000 games of random players" in page.text
        assert not page.select_one("button[name=play]")  # they are being played
        played = ada.client.post(f"{ada.address}try/", {"yourself": "yes"})
        assert re.fullmatch(r"/rulesets/[0-9a-f]{64}/play-a-game/", played["Location"])
        ada.do("undo")
        assert ada.draft.questions == []
        ada.do("redo")
        Draft.objects.update(title="Tried", authority="tried", summary="Tried.")
        publish(ada.draft, "ada")
        answers = Answer.objects.filter(question__game__slug="puhulmutu", question__slug="relay-2")
        assert [one.values for one in answers] == []  # the game asks this already

    def test_what_no_words_say_is_answered_alone_and_in_bulk(self) -> None:
        ada = Maker()
        ada.begin()
        for one in (SEVEN, FOURS, RELAY):
            ada.do("rule", **one)
        silent = {one["value"] for one in ada.look().select("input[name=every]")}
        assert {"direction", "origin_passed"} <= silent
        assert "pass_over_judged" not in silent  # it cannot fire: nothing is passed over
        ada.do("silent", silent="conjecture=direction")
        ada.do("silent", silent="ask=origin_passed")
        ada.do("silent", silent="like=capture_making", like="walak-pussa-parker")
        clauses = {one["slug"]: one for one in ada.draft.clauses}
        assert "is not asked" in clauses["direction"]["text"]
        assert clauses["origin-passed"]["basis"] == "conjecture"
        assert ada.draft.questions[0]["parameters"] == ["origin_passed"]
        ada.do("silent", silent="rest=", like="walak-pussa-parker", every=sorted(silent))
        assert ada.draft.rests_on.slug == "walak-pussa-parker"
        assert ada.draft.document["next_round"] == "refill"
        assert not [one for one in ada.look().select("input[name=every]") if one["value"] == "next_round"]

    def test_only_its_maker_sees_a_draft_until_it_is_sent(self) -> None:
        ada, bob, editor = Maker(), Maker(), Maker("editor")
        ada.begin()
        ada.do("rule", **SEVEN)
        for somebody in (bob, editor):
            assert somebody.client.get(ada.address).status_code == 404
            assert somebody.client.post(ada.address, {"do": "undo"}).status_code == 404
        about = self.about(do="save")
        ada.client.post(f"{ada.address}publish/", about)
        refused = ada.client.post(f"{ada.address}publish/", about | {"do": "publish"})
        assert refused.status_code == 403
        ada.client.post(f"{ada.address}publish/", {"do": "send", "text": "The board is in the summary."})
        assert (ada.draft.state, ada.draft.title) == ("sent", "Puhulmutu, tried")
        assert ada.client.post(ada.address, {"do": "undo", "number": "1"}).status_code == 403
        again = ada.client.post(f"{ada.address}publish/", {"do": "again"})
        assert again.status_code == 403  # nobody has declined it
        assert editor.client.get(ada.address).status_code == 200
        assert bob.client.get(ada.address).status_code == 404
        taken = editor.client.post(f"{ada.address}take-over/")
        editor.address = taken["Location"]
        editor.do("rule", **FOURS)
        answer = editor.client.post(f"{editor.address}publish/", self.about())
        assert answer["Location"] == "/rulesets/puhulmutu-tried/", answer.content
        assert ada.draft.suggestions.get().state == "accepted"

    def test_what_is_sent_goes_whole_and_is_declined_with_a_remark(self) -> None:
        ada, editor = Maker(), Maker("editor")
        ada.begin("DLP.Evidence.692", like="daramuti-parker")
        Draft.objects.update(rests_on=Reading.objects.get(slug="daramuti-parker"))
        sent = self.about(do="send", encoded_by="Ada of Galle", text="The board is in the summary.")
        assert ada.client.post(f"{ada.address}publish/", {**sent, "title": "x" * 200}).status_code == 400
        assert ada.draft.state == "open"  # nothing is sent while something typed is wrong
        ada.client.post(f"{ada.address}publish/", sent)
        assert (ada.draft.title, ada.draft.summary, ada.draft.authority) == (
            "Puhulmutu, tried", "Four in each hole.", "tried",
        )  # fmt: skip
        page = BeautifulSoup(editor.client.get(f"{ada.address}publish/").content, "html.parser").main
        assert "The board is in the summary." in page.text
        assert "Ada of Galle" in page.text
        assert "It needs a title" not in page.text
        assert re.search(r"It rests on Daramuti.*\d+\s+are as there: ", page.text, re.S)
        decline = page.select_one('button[value="decline"]').find_parent("form")["action"]
        editor.client.post(decline, {"do": "decline", "answer": "The summary is not the source."})
        told = ada.look("publish/").main.text
        assert ("The summary is not the source." in told, "may take it over" in told) == (True, False)
        ada.client.post(f"{ada.address}publish/", {"do": "again"})
        assert ada.draft.state == "open"

    def test_another_way_to_read_it_begins_with_what_was_read(self) -> None:
        ada = Maker()
        form = BeautifulSoup(ada.client.get(f"/workshop/begin/{RECORD}/").content, "html.parser")
        assert form.select_one("#id_like option[selected]")["value"] == "puhulmutu-parker"
        ada.begin(like="puhulmutu-parker")
        read = Reading.objects.get(slug="puhulmutu-parker")
        assert len(ada.draft.clauses) == read.clauses.count()
        page = ada.look()
        assert page.select(".source-text a.read")
        assert page.select_one("#board svg")
        assert (ada.draft.parent, ada.draft.authority) == ("", "")
        for step in ("try/", "publish/"):
            told = ada.look(step).select_one('.note a[href="/rulesets/puhulmutu-parker/"]')
            assert told.find_parent(class_="note").text.strip().startswith("These are the very rules of")
        ada.do("kind", 400, family="chess")
        ada.do("kind", family="points")
        assert ada.draft.document == {"family": "points"}
        assert not [one for one in ada.draft.clauses if one["parameters"]]
        ada.do("undo")
        assert len(ada.draft.clauses) == read.clauses.count()

    def test_a_note_of_a_reader_is_decided_in_the_workshop(self) -> None:
        editor, record = Maker("editor"), Evidence.objects.get(identifier=RECORD)
        note = Suggestion.objects.create(kind="problem", evidence=record, text="Four counters, not three.", name="Cy")
        address = f"/workshop/suggestions/{note.pk}/"
        assert address in editor.client.get("/workshop/").content.decode()
        page = editor.client.get(address).content.decode()
        assert "Four counters, not three." in page
        assert editor.client.post(address, {"do": "x"}).status_code == 400
        editor.client.post(address, {"do": "decline", "answer": "It says four."})
        note.refresh_from_db()
        assert (note.state, note.answer, note.reviewed_by) == ("declined", "It says four.", editor.user)

    def test_what_cannot_be_is_refused_and_said(self) -> None:
        ada = Maker()
        ada.begin()
        ada.do("rule", 400, rule="relay=last", exact="words that stand nowhere")
        ada.do("rule", 400, rule="no_such=1", exact="Four counters in each hole.")
        ada.do("rule", 400, rule="relay=last", basis="stated")
        ada.do("rule", 400, **{**SEVEN, "basis": "by heart"})
        ada.do("no such button", 400)
        ada.do("rule", rule="holes_per_row=", **{"set.holes_per_row": "99", "basis": "conjecture"})
        page = ada.look().select_one("#board")
        assert "Nearest valid: Each row has 32 holes." in page.text
        ada.do("repair")
        assert ada.draft.document["holes_per_row"] == 32
        deep = "[" * 60 + "]" * 60
        ada.do("rule", 400, rule="captures=", **{"set.captures": deep, "basis": "conjecture"})

    def test_a_visitor_begins_only_so_many_drafts(self) -> None:
        ada = Maker()
        with self.settings(DRAFTS_PER_HOUR=1):
            ada.begin()
            refused = ada.client.post(f"/workshop/begin/{RECORD}/", {"family": "sowing"})
        assert (refused.status_code, refused["Retry-After"] > "0") == (429, True)
        assert ada.client.get("/workshop/drafts/").content.decode().count("Thrown away after") == 1

    def test_the_files_of_a_draft_are_those_of_fixtures(self) -> None:
        ada = Maker("editor")
        ada.begin("DLP.Evidence.692", like="puhulmutu-parker")
        assert ada.draft.document["pass_over"] == 3
        found = checking.checked(ada.draft.document)
        keys = [one.key for one in silent_rules(ada.draft, found) if one.must]
        assert {"holes_per_row", "pass_over", "next_round"} <= set(keys)
        ada.do("silent", silent="conjecture=", key=keys)
        ada.client.post(f"{ada.address}publish/", self.about(do="save"))
        answer = ada.client.get(f"{ada.address}files.zip")
        with TemporaryDirectory() as folder, zipfile.ZipFile(io.BytesIO(answer.content)) as files:
            files.extractall(folder)
            call_command("import_readings", f"{folder}/fixtures", stdout=io.StringIO())
        version = RulesetVersion.objects.get(slug="daramuti-tried")
        assert version.ruleset.document == ada.draft.document
        assert Clause.objects.filter(reading__slug="daramuti-tried").count() == len(keys)

    def test_a_what_if_is_kept_as_a_draft(self) -> None:
        ada = Maker()
        answer = ada.client.post("/workshop/keep/", {"ruleset": "puhulmutu-parker", "set.pass_over": "4"})
        ada.address = answer["Location"]
        assert (ada.draft.document["pass_over"], ada.draft.rests_on.slug) == (4, "puhulmutu-parker")
        assert [one["parameters"] for one in ada.draft.clauses] == [["pass_over"]]

    @pytest.mark.by_turns
    def test_a_reading_gets_its_next_version(self) -> None:
        ada = Maker("editor")
        answer = ada.client.post("/workshop/keep/", {"ruleset": "puhulmutu-parker", "version": "next"})
        ada.address = answer["Location"]
        assert (ada.draft.parent, len(ada.draft.clauses)) == ("puhulmutu-parker@1", 44)
        assert ada.draft.document == RulesetVersion.objects.get(slug="puhulmutu-parker").ruleset.document
        bob = Maker("editor")
        bob.address = bob.client.post("/workshop/keep/", {"ruleset": "puhulmutu-parker", "version": "next"})["Location"]
        bob.do("clause", clause="endless-turn", text="Another text. It is not asked.", basis="conjecture")
        ada.do("rule", rule="pass_over=4", basis="conjecture", text="Fours. It is not asked.", instead="yes")
        ada.do("clause", clause="endless-turn", text="Another text. It is not asked.", basis="entailed")
        ada.do("clause", out="equal-starter")
        changed = ada.look("publish/").text
        assert "It is: A hole with 4 is passed over" in changed
        assert "it was conjecture, and is entailed; in other words" in changed
        assert "nothing says any longer what it rests on" in changed
        ada.do("undo")
        ada.do("clause", clause="endless-turn", text="Another text. It is not asked.", basis="conjecture")
        about = {name: getattr(ada.draft, name) for name in ("title", "authority", "kind", "summary", "encoded_by")}
        answer = ada.client.post(f"{ada.address}publish/", about | {"do": "publish"})
        assert answer.status_code == 302, BeautifulSoup(answer.content, "html.parser").main.text[:900]
        newest = RulesetVersion.objects.get(slug="puhulmutu-parker", number=2)
        assert (newest.ruleset.document["pass_over"], str(newest.parent)) == (4, "puhulmutu-parker@1")
        reading = Reading.objects.get(slug="puhulmutu-parker")
        assert (reading.clauses.count(), reading.anchors_of_resting.count()) == (44, 0)
        refused = bob.client.post(f"{bob.address}publish/", about | {"do": "publish"})
        assert "puhulmutu-parker@2 was published meanwhile" in refused.content.decode()

    def test_a_reading_is_copied_for_another_record(self) -> None:
        ada = Maker()
        given = {"ruleset": "walak-pussa-parker", "record": "DLP.Evidence.692"}
        ada.address = ada.client.post("/workshop/keep/", given)["Location"]
        relay = next(one for one in ada.draft.clauses if one["parameters"] == ["relay"])
        assert (ada.draft.game.slug, relay["basis"]) == ("daramuti", "by_analogy")
        assert "By analogy with Walak-pussa" in relay["text"]
        assert {one["record"] for one in relay["words"]} <= {"DLP.Evidence.690", "DLP.Evidence.1386"}

    @pytest.mark.by_turns
    def test_what_is_exported_are_the_files_that_ship(self) -> None:
        with TemporaryDirectory() as folder:
            call_command("export_readings", folder, stdout=io.StringIO())
            for path in (path for path in Path(folder).rglob("*.json") if path.name != "readings.json"):
                assert path.read_bytes() == (FIXTURES / path.relative_to(folder)).read_bytes(), path
            rows = json.loads((Path(folder) / "readings.json").read_text())
            shipped = json.loads((FIXTURES / "readings.json").read_text())
            assert rows == [one for one in shipped if one["fields"]["kind"] != "reference"]

    @pytest.mark.thorough
    def test_what_is_imported_is_exported_again(self) -> None:
        with TemporaryDirectory() as folder:
            call_command("export_readings", folder, stdout=io.StringIO())
            before = {path: path.read_bytes() for path in Path(folder).rglob("*.json")}
            for model in (Anchor, Clause, Answer, Question, Claim):
                model.objects.all().delete()
            Reading.objects.update(rests_on=None)
            Reading.objects.all().delete()
            call_command("import_readings", folder, stdout=io.StringIO())
            call_command("export_readings", folder, stdout=io.StringIO())
            assert {path: path.read_bytes() for path in Path(folder).rglob("*.json")} == before
            shutil.copy(FIXTURES / "readings.json", folder)
            call_command("export_readings", folder, "daramuti", stdout=io.StringIO())
            assert (Path(folder) / "readings.json").read_bytes() == (FIXTURES / "readings.json").read_bytes()

    def test_words_against_a_rule_and_a_rule_not_played(self) -> None:
        ada = Maker("editor")
        ada.begin()
        for one in (SEVEN, FOURS, RELAY):
            ada.do("rule", **one)
        against = {"exact": "if the next hole to that at which he effected the capture be empty his turn is ended"}
        ada.do("rule", 400, rule="pass_over=3", stance="contradicts", **against)
        ada.do("rule", rule="relay=last", stance="contradicts", **against)
        borrowed = {"exact": "borrows a seed out of each of the last two holes on his opponent's side"}
        ada.do("unplayed", 400, tag="", **borrowed)
        ada.do("unplayed", tag="Borrowed seeds", text="He may borrow two seeds.", **borrowed)
        relay, borrow = ada.draft.clauses[2:]
        assert (relay["against"][0]["exact"], borrow["not_played"]) == (against["exact"], "borrowed-seeds")
        page = ada.look()
        assert page.select_one(".source-text a.against").text == against["exact"]
        assert "not played here" in page.select_one(f"#clause-{borrow['slug']}").text
        assert ada.client.post(f"{ada.address}publish/", self.about()).status_code == 302
        clause = Clause.objects.get(reading__slug="puhulmutu-tried", not_played="borrowed-seeds")
        assert clause.anchors.get().exact == borrowed["exact"]

    def test_words_of_another_record_carry_rules_too(self) -> None:
        ada = Maker()
        ada.begin("DLP.Evidence.692")
        wrong = ada.do("record", 400, record="DLP.Evidence.138")
        assert "nearest: DLP.Evidence.1" in wrong.content.decode()
        ada.do("record", record=RECORD)
        own = ada.look(exact="Play begins at any hole", record="DLP.Evidence.692", **{"in": "content"})
        other = ada.look(**FOURS, record=RECORD)
        usual = [page.select_one("#offers input[name=basis][checked]")["value"] for page in (own, other)]
        assert usual == ["stated", "by_analogy"]
        ada.do("rule", **FOURS)
        assert ada.draft.clauses[0]["words"][0]["record"] == RECORD
        ada.do("record", 400, leave=RECORD)
        ada.do("record", leave="DLP.Evidence.692")
        assert [one.identifier for one in ada.draft.records.all()] == [RECORD]

    def test_a_row_of_a_table_has_a_clause_of_its_own(self) -> None:
        ada = Maker()
        ada.begin()
        for one in (SEVEN, FOURS):
            ada.do("rule", **one)
        first, second = '{"numbers": [4]}', '{"numbers": [2]}'
        words = {"exact": "he captures the four which are now in that hole"}
        ada.do("rule", rule=f"while_sowing+={first}", **words)
        ada.do("rule", rule=f"while_sowing+={second}", basis="conjecture")
        rows = ada.draft.clauses[2:]
        assert [one["parameters"] for one in rows] == [["while_sowing[0]"], ["while_sowing[1]"]]
        assert rows[0]["words"][0]["exact"] == words["exact"]
        assert rows[0]["text"] != rows[1]["text"]
        ada.do("clause", out=rows[0]["slug"])
        assert [one["parameters"] for one in ada.draft.clauses[2:]] == [["while_sowing[0]"]]
        assert ada.draft.document["while_sowing"] == [json.loads(second)]
        ada.do("rule", 400, rule="relay+=[]", basis="conjecture")

    @pytest.mark.thorough
    def test_hostile_forms_are_answered(self) -> None:
        """Whatever is sent, the page is shown or says what is wrong; and it can be shown again."""
        for kind, record in (("sowing", RECORD), ("points", "DLP.Evidence.1478"), ("race", "DLP.Evidence.1316")):
            chance = random.Random(kind)
            ada = Maker()
            ada.begin(record, family=kind)
            shipped = [one.document for one in Ruleset.objects.filter(family=kind)]
            held = sorted({json.dumps(value) for document in shipped for value in document.values()})
            keys = [*parameters_of(kind), "no_such", "", "while_sowing[0].to", "captures[0].by", "family"]
            for _ in range(FORMS):
                key = chance.choice(keys)
                word = chance.choice([*HOSTILE, *(chance.choice(held) for _ in HOSTILE)])
                sent = {
                    "number": ada.draft.number,
                    "do": chance.choice([*drafts.OPERATIONS, "x"]),
                    "record": record,
                    "in": "content",
                    "rule": chance.choice([f"{key}={word}", f"{key}=", f"{key}+={word}", word]),
                    f"set.{key}": word,
                    f"set.{key}[0].numbers": chance.choice(HOSTILE),
                    f"set.{chance.choice(keys)}": word,
                    "row": chance.choice(["", f"{key}[0].out", word]),
                    "basis": "conjecture",
                    "exact": chance.choice(["", word, "the last seed of the set", "the"]),
                    "question": key,
                    "silent": chance.choice(
                        [f"ask={key}", f"conjecture={key}", f"like={key}", "rest=", "every=", word]
                    ),
                    "like": chance.choice(["walak-pussa-parker", "dam-parker", "pancha-keliya-parker", word]),
                    "every": chance.sample(keys, 9),
                    **dict.fromkeys(("clause", "text", "tag", "stance", "key"), word),
                }
                answer = ada.client.post(ada.address, sent)
                assert answer.status_code in (302, 400, 409), (sent, answer.status_code)
                for step in ("", chance.choice(["try/", "publish/", "board/", "files.zip"])):
                    assert ada.client.get(f"{ada.address}{step}").status_code == 200, (step, sent)

    def test_who_may_do_what(self) -> None:
        """Everybody makes drafts; editors publish and take over; curators sign."""
        allowed = {"": "", "contributor": "", "editor": "publish", "curator": "publish sign", "operator": ""}
        for role, may in allowed.items():
            one = Maker(role)
            one.begin()
            one.client.post(f"{one.address}publish/", self.about(do="save"))
            published = one.client.post(f"{one.address}publish/", self.about())
            signed = one.client.post("/workshop/sign/daramuti-parker/", {"name": "Somebody", "held": "on"})
            assert (published.status_code, signed.status_code) == (
                400 if "publish" in may else 403,
                302 if "sign" in may else 403,
            ), role
            taken = one.client.post(f"{one.address}take-over/")
            assert taken.status_code == 403  # nobody has sent it
