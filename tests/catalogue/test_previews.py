"""An edit as readers will see it, before it is saved: the public page itself, and nothing that stays."""

import re
from typing import Any, ClassVar

import pytest
from bs4 import BeautifulSoup
from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import TestCase

from catalogue.models import Answer, Claim, Clause, EditorsNote, Evidence, Question, Reading
from tests.catalogue.forms_of_editors import address, filled
from tests.catalogue.members import member

RECORD = "DLP.Evidence.1386"
WORDS = "going on round the board in this manner"


def everything(edited: Model) -> tuple[dict[str, int], list[Any]]:
    """How many rows each table has, and all rows of those that such an edit writes to."""
    models = [
        model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in ("catalogue", "admin")
    ]
    rows = [list(one._default_manager.order_by("pk").values()) for one in (type(edited), Answer, EditorsNote)]
    return {model._meta.label: model._default_manager.count() for model in models}, rows


class Previews(TestCase):
    holds = "played"
    editor: ClassVar[User]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.editor = User.objects.create_superuser("amara", password=None)
        cls.clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="relay")
        cls.record = Evidence.objects.get(identifier=RECORD)

    def setUp(self) -> None:
        self.client.force_login(self.editor)

    def preview(self, row: Any, status: int = 200, **typed: Any) -> BeautifulSoup:
        """The answer to the button, after which everything is as it was."""
        sent = {**filled(self.client, row), **typed, "_preview": ""}
        before = everything(row)
        answer = self.client.post(address(row, "change" if row.pk else "add"), sent)
        assert answer.status_code == status
        assert everything(row) == before
        assert (
            "script-src" not in answer["Content-Security-Policy"] or "unsafe" not in answer["Content-Security-Policy"]
        )
        return BeautifulSoup(answer.content, "lxml")

    @pytest.mark.by_turns
    def test_a_clause_is_previewed_without_a_reason(self) -> None:
        page = self.preview(self.clause, text="The last counter is *lifted* with its fellows.", basis="conjecture")
        (shown,) = page.select("#clause-relay")
        assert "The last counter is lifted with its fellows." in shown.get_text()
        assert "conjecture" in shown.get_text()
        assert page.select_one("main > p.note").get_text().startswith("Preview.")
        public = BeautifulSoup(self.client.get(self.clause.get_absolute_url()).content, "lxml")
        assert [one["href"] for one in page.select("head link")] == [one["href"] for one in public.select("head link")]
        assert "Preview." not in public.get_text()

    def test_rows_below_are_shown_with_it(self) -> None:
        question = Question.objects.get(game__slug="puhulmutu", slug="single-counters")
        page = self.preview(question, **{"title": "What of single counters?", "answers-0-text": "They are left alone."})
        assert page.h1.get_text(strip=True) == "What of single counters?"
        assert "They are left alone." in page.get_text()

    @pytest.mark.by_turns
    def test_a_record_is_shown_with_its_marks_and_what_would_break(self) -> None:
        changed = self.record.quotation.replace("Ash-pumpkin Pearls", "Pumpkin Pearls")
        page = self.preview(self.record, quotation=changed)
        assert page.select_one(".quotation").get_text().replace("\n", " ").startswith(changed[:30].replace("\n", " "))
        anchors = self.record.anchors.filter(field="content").count()
        assert re.search(rf"2\d\d of {anchors} anchors found again, \d need you: on the desk", page.get_text())
        assert f"of {anchors} anchors" not in self.client.get("/admin/").content.decode(), "it was said, and is no news"

    @pytest.mark.by_turns
    def test_a_record_that_is_to_be_withdrawn_shows_the_reason(self) -> None:
        page = self.preview(self.record, 410, withdrawn_on="2026-01-02", withdrawn_reason="It is another's.")
        assert "It is another's." in page.get_text()

    def test_a_new_row_too(self) -> None:
        new = {"reading": self.clause.reading_id, "slug": "new", "basis": "stated", "text": "A rule nobody wrote."}
        new |= {"parameters": '["relay"]', "position": 9, "anchors-TOTAL_FORMS": 0, "anchors-INITIAL_FORMS": 0}
        assert "A rule nobody wrote." in self.preview(Clause(), **new).select_one("#clause-new").get_text()

    @pytest.mark.thorough
    def test_readings_claims_answers_notes_and_words_have_a_page(self) -> None:
        claim, answer = Claim.objects.first(), Answer.objects.first()
        note = EditorsNote.objects.first()
        for row, typed, selector in (
            (Reading.objects.get(slug="puhulmutu-parker"), {"summary": "As nobody ever said."}, ".lead"),
            (claim, {"title": "As nobody ever said."}, "h1"),
            (answer, {"text": "As nobody ever said."}, "main"),
            (note, {"text": "As nobody ever said."}, "main"),
        ):
            with self.subTest(row=row):
                shown = [one.get_text() for one in self.preview(row, **typed).select(selector)]
                assert any(next(iter(typed.values())) in one for one in shown)

    @pytest.mark.by_turns
    def test_words_are_marked_on_the_page_of_their_record(self) -> None:
        anchor = self.clause.anchors.filter(evidence=self.record, field="content").first()
        place = self.preview(anchor, exact=WORDS).find(id=anchor.place_on_page)
        assert place.find_next("a", class_="words").get_text().startswith("going on round the board")

    @pytest.mark.by_turns
    def test_what_is_wrong_is_said_instead(self) -> None:
        assert "the nearest is 'relay'" in self.preview(self.clause, parameters='["relai"]').get_text()

    def test_only_for_those_who_may_change_it(self) -> None:
        sent = {**filled(self.client, self.clause), "_preview": ""}
        self.client.force_login(member("operator"))
        assert self.client.post(address(self.clause), sent).status_code == 403
        assert b"Preview the public page" not in self.client.get(address(self.clause)).content
