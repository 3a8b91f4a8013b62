"""The desk of the editors: what waits, how much, since when, and the way to it. And studies that are waited for."""

import datetime
from typing import Any, ClassVar
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalogue.admin.desk import SHOWN
from catalogue.analyses import study_plans
from catalogue.analyses.studies import STUDIES
from catalogue.evidence.reanchoring import proposals
from catalogue.models import Anchor, Evidence, Game, Reading, Study, Suggestion
from simulator.analyses.ladders import LADDERS
from simulator.analyses.protocol import CANCELLED_BY_EDITORS
from simulator.batches import dispatch
from simulator.models import Batch, Ladder
from tests.catalogue.members import member

RECORD, GAME, QUESTION = "DLP.Evidence.1386", "saturankam", "passing-over"
FEW = "DLP.Evidence.692"  # fewer words of it are said of something


QUEUES = ("Suggestions of readers", "Broken anchors", "Unchecked readings", "Studies that failed")
WISHES = "Wished for: rules that are not played"


class Editing(TestCase):
    holds = "played"
    editor: ClassVar[User]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.editor = User.objects.create_superuser("amara", password=None)
        Reading.objects.update(checked_by="A scholar")

    def setUp(self) -> None:
        self.client.force_login(self.editor)
        sender = mock.patch.object(dispatch.current_app, "send_task")
        sender.start()
        self.addCleanup(sender.stop)

    def queues(self) -> dict[str, Any]:
        page = BeautifulSoup(self.client.get(reverse("workshop")).content, "lxml")
        nothing = page.select_one(".nothing")
        empty = {
            title: None for title in (nothing.get_text().split(": nothing waits.") if nothing else []) if title.strip()
        }
        waiting = {one.h3.get_text().rpartition(": ")[0]: one for one in page.select(".queues section")}
        return {title.strip(): one for title, one in (empty | waiting).items()}

    def count(self, title: str) -> int:
        queue = self.queues()[title]
        return int(queue.h3.get_text().rpartition(": ")[2]) if queue else 0

    def suggest(self, days: int = 0) -> Suggestion:
        record = Evidence.objects.get(identifier=RECORD)
        made = Suggestion.objects.create(kind="problem", evidence=record, text="Parker writes Puhul-mutu.")
        Suggestion.objects.filter(pk=made.pk).update(created=timezone.now() - datetime.timedelta(days=days))
        return made

    def a_study(self, games: int = 20) -> Study:
        STUDIES.request(study_plans.plan(GAME, questions=[QUESTION], games=games), origin="visitor", announce=False)
        return Study.every.exclude(state="done").first()

    def edit(self, text: str, identifier: str = RECORD) -> None:
        record = Evidence.objects.get(identifier=identifier)
        record.quotation = text
        record._history_date = timezone.now() - datetime.timedelta(days=9)  # type: ignore[attr-defined]
        record.save()
        Evidence.history.filter(id=record.pk).update(history_date=record._history_date)  # type: ignore[attr-defined]


class Desk(Editing):
    def test_an_empty_desk_says_so(self) -> None:
        queues = self.queues()
        assert list(queues) == [*QUEUES, WISHES]
        assert not any(queues[title] for title in QUEUES)
        assert "effects-of-marked-squares" in queues[WISHES].get_text()

    def test_the_oldest_suggestion_stands_first(self) -> None:
        self.suggest(days=1)
        oldest = self.suggest(days=3)
        Suggestion.objects.create(kind="problem", evidence=oldest.evidence, text="Long decided.", state="declined")
        queue = self.queues()["Suggestions of readers"]
        assert queue.h3.get_text() == "Suggestions of readers: 2"
        assert "The oldest has waited for 3\xa0days." in queue.get_text()
        links = [one["href"] for one in queue.select("li > a")]
        assert links[0] == reverse("suggestion", args=[oldest.pk])
        assert self.client.get(queue.p.a["href"]).context["cl"].result_count == 2

    @pytest.mark.by_turns
    def test_broken_anchors_lead_to_where_words_are_chosen(self) -> None:
        record = Evidence.objects.get(identifier=RECORD)
        self.edit(record.quotation.replace("Ash-pumpkin", "Pumpkin"))
        queue = self.queues()["Broken anchors"]
        assert self.count("Broken anchors") == record.anchors.filter(field="content").count() > SHOWN
        assert len(queue.select("li")) == SHOWN
        assert "1\xa0week, 2\xa0days" in queue.get_text()
        link = queue.select_one("li > a")
        anchor = Anchor.objects.get(key=link.get_text())
        assert link["href"] == reverse("admin:catalogue_anchor_change", args=[anchor.pk])
        assert anchor.problem() != ""
        assert b"data-source-text" in self.client.get(link["href"]).content

    @pytest.mark.by_turns
    def test_anchors_of_certain_place_are_found_from_the_list(self) -> None:
        text, lost = self.record().quotation, self.record().anchors.filter(field="content").first()
        self.edit(f"Here begins the text. {text.replace(lost.exact, 'Something else')}", FEW)
        broken, certain = (
            self.count("Broken anchors"),
            sum(proposal.is_certain for proposal in proposals([self.record()])),
        )
        assert 0 < certain < broken
        sent = {"action": "find_again", "_selected_action": list(self.record().anchors.values_list("pk", flat=True))}
        answer = self.client.post(reverse("admin:catalogue_anchor_changelist"), sent, follow=True)
        assert f"{certain} of {broken} broken anchors found again" in answer.content.decode()
        assert self.count("Broken anchors") == broken - certain

    def record(self) -> Evidence:
        return Evidence.objects.get(identifier=FEW)

    def test_readings_that_nobody_has_checked(self) -> None:
        Reading.objects.filter(game__slug=GAME).update(checked_by="")
        unchecked = Reading.objects.filter(checked_by="").count()
        queue = self.queues()["Unchecked readings"]
        assert self.count("Unchecked readings") == unchecked > 1
        assert self.client.get(queue.p.a["href"]).context["cl"].result_count == unchecked

    def test_studies_that_failed_are_listed_with_the_reason(self) -> None:
        waiting, other = self.a_study(), self.a_study(games=30)
        assert self.count("Studies that failed") == 0
        Batch.objects.filter(id=waiting.batches[0]).update(state=Batch.State.FAILED)
        Study.every.filter(id=other.id).update(state="failed", error="its questions have changed")
        queue = self.queues()["Studies that failed"].get_text()
        assert f"Batch {waiting.batches[0]} failed." in queue
        assert "its questions have changed" in queue

    @pytest.mark.by_turns
    def test_as_many_queries_for_much_as_for_little(self) -> None:
        self.suggest()
        self.a_study()
        Reading.objects.filter(slug="puhulmutu-parker").update(checked_by="")
        few = self.queries()
        for number in range(30):
            self.suggest(number)
            Study.every.create(id=f"{number:016x}", game=Game.objects.get(slug=GAME), terms={}, batches=["x"])
        Reading.objects.update(checked_by="")
        Evidence.objects.update(quotation="Another text.")
        assert self.queries() == few
        # the session and the user; two for each queue, one for the wishes, and one for records without a reading
        assert few == 12

    def queries(self) -> int:
        with CaptureQueriesContext(connection) as queries:
            self.client.get(reverse("workshop"))
        return len(queries)

    @pytest.mark.by_turns
    def test_everybody_sees_what_he_may_look_at_and_readers_nothing(self) -> None:
        seen = {}
        for role in ("contributor", "editor", "operator", "staff without a group"):
            self.client.force_login(member(role))
            seen[role] = len(self.queues())
        assert seen == {"contributor": 4, "editor": 5, "operator": 4, "staff without a group": 0}
        self.client.force_login(User.objects.create_user("reader"))
        assert not self.queues()
        self.client.logout()
        assert not self.queues()
        assert self.client.get(reverse("admin:desk")).status_code == 302

    def test_every_page_of_the_room_leads_to_it(self) -> None:
        for page in ("admin:index", "admin:catalogue_clause_changelist"):
            assert f'href="{reverse("workshop")}"' in self.client.get(reverse(page)).content.decode()


class StudiesInTheAdmin(Editing):
    def listed(self) -> list[str]:
        page = BeautifulSoup(self.client.get(reverse("admin:catalogue_study_changelist")).content, "lxml")
        return [one.get_text() for one in page.select("td.field-status")]

    def cancel(self, *chosen: Study) -> None:
        sent = {"action": "cancel", "_selected_action": [one.pk for one in chosen]}
        self.client.post(reverse("admin:catalogue_study_changelist"), sent)

    @pytest.mark.by_turns
    def test_the_list_says_how_each_stands_in_one_query_for_all(self) -> None:
        played, computed, failed = self.a_study(20), self.a_study(30), self.a_study(40)
        Batch.objects.filter(id__in=computed.batches).update(state=Batch.State.DONE)
        Batch.objects.filter(id=failed.batches[0]).update(state=Batch.State.CANCELLED)
        assert self.listed() == ["failed", "being computed", "being played"]
        with CaptureQueriesContext(connection) as few:
            self.listed()
        Study.every.create(id="f" * 16, game=played.game, terms={"games": 1}, batches=["x"])
        with CaptureQueriesContext(connection) as more:
            assert len(self.listed()) == 4
        assert len(more) == len(few)
        page = self.client.get(reverse("admin:catalogue_study_change", args=[failed.pk])).content.decode()
        assert f"Batch {failed.batches[0]} was cancelled." in page

    @pytest.mark.by_turns
    def test_a_cancelled_study_stops_its_games_and_says_so(self) -> None:
        row = self.a_study()
        self.cancel(row)
        assert set(Batch.objects.filter(id__in=row.batches).values_list("state", flat=True)) == {"cancelled"}
        assert self.listed() == ["cancelled"]
        assert CANCELLED_BY_EDITORS in self.client.get(row.get_absolute_url()).content.decode()
        assert self.count("Studies that failed") == 0, "whoever cancelled it knows"
        again = self.a_study()
        assert (again.id, again.error) == (row.id, "")
        assert self.listed() == ["being played"]

    def test_games_that_something_else_waits_for_are_played_on(self) -> None:
        row, other = self.a_study(), self.a_study(30)
        shared = row.batches[0]
        Study.every.filter(id=other.id).update(batches=[shared])
        self.cancel(row)
        states = dict(Batch.objects.filter(id__in=row.batches).values_list("id", "state"))
        assert {batch for batch, state in states.items() if state == "running"} == {shared}

    def test_editors_stop_no_ladder_and_no_shared_batch(self) -> None:
        row = self.a_study()
        climbed, shared = row.batches[:2]
        Batch.objects.filter(id=shared).update(shared=True)
        played = Batch.objects.get(id=climbed)
        Ladder.objects.create(id="a" * 16, ruleset=played.ruleset, request={})
        with mock.patch.object(LADDERS, "batch_ids", return_value=[climbed]):
            self.cancel(row)
        running = Batch.objects.filter(id__in=row.batches, state="running").values_list("id", flat=True)
        assert set(running) == {climbed, shared}

    def test_who_may_not_cancel_does_not(self) -> None:
        row = self.a_study()
        self.client.force_login(member("contributor"))
        self.cancel(row)
        assert not Study.every.exclude(state="done").exclude(error="").exists()
