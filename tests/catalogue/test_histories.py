"""The public history: what was changed, by whom and why, word by word, even of rows that are gone."""

import datetime
from typing import Any, ClassVar

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalogue.history.histories import address_of
from catalogue.models import Anchor, Clause, Evidence, Question, Reading
from catalogue.texts.anchors import digest_of, locate
from tests.catalogue.page_world import CatalogueTestCase

RECORD = "DLP.Evidence.1386"


class HistoryTests(CatalogueTestCase):
    editor: ClassVar[User]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.editor = User.objects.create_user("amara", first_name="Amara", last_name="Perera")
        cls.reading = Reading.objects.get(slug="puhulmutu-parker")

    def change(self, row: Any, reason: str, editor: User | None = None, minutes: int = 0, **fields: Any) -> None:
        """As the admin saves: signed and with a reason; `minutes` in the past."""
        for name, value in fields.items():
            setattr(row, name, value)
        row._change_reason, row._history_user = reason, editor or self.editor
        row._history_date = timezone.now() - datetime.timedelta(minutes=minutes)
        row.save()

    def a_clause(self, **fields: Any) -> Clause:
        clause = Clause(reading=self.reading, slug="tried", basis="stated", parameters=["relay"])
        self.change(clause, "A rule was missing", minutes=60, **{"text": "The last seed is lifted.", **fields})
        return clause

    def history(self, address: str) -> list[Any]:
        page = BeautifulSoup(self.page(address), "lxml")
        return page.select("ol.entries > li")

    def test_a_text_is_compared_word_by_word(self) -> None:
        clause = self.a_clause()
        self.change(clause, "Parker says seeds", text="The last seeds are lifted <again>.", basis="entailed")
        newest, oldest = self.history("/history/clause/puhulmutu-parker/tried/")
        marks = [(tag.name, tag.get_text().split(": ")[1].strip()) for tag in newest.find_all(["ins", "del"])]
        assert marks == [
            ("del", "stated"),
            ("ins", "entailed"),
            ("del", "seed is lifted."),
            ("ins", "seeds are lifted <again>."),
        ]
        assert "Parker says seeds" in newest.get_text()
        assert "Amara Perera" in newest.get_text()
        assert "A rule was missing" in oldest.get_text()
        assert "The last seed is lifted." in oldest.find("details").get_text()

    def test_a_deleted_row_keeps_its_history(self) -> None:
        clause = self.a_clause()
        clause._change_reason = "It says the same as another"  # type: ignore[attr-defined]
        clause.delete()
        page = self.page("/history/clause/puhulmutu-parker/tried/")
        assert "It was deleted." in page
        newest, _ = self.history("/history/clause/puhulmutu-parker/tried/")
        assert "It says the same as another" in newest.get_text()
        assert "The last seed is lifted." in newest.get_text()

    def test_a_row_whose_reading_is_gone_too_keeps_its_history(self) -> None:
        reading = Reading(slug="tried-x", title="A trial", game=self.reading.game, authority="x", kind="interpretation")
        self.change(reading, "New", minutes=9)
        clause = Clause(reading=reading, slug="only", basis="stated", text="One rule.")
        self.change(clause, "New", minutes=8)
        reading.delete()
        assert len(self.history("/history/clause/tried-x/only/")) == 2
        assert len(self.history("/history/reading/tried-x/")) == 2

    def test_a_row_with_a_new_key_is_found_by_its_old_one(self) -> None:
        clause = self.a_clause()
        self.change(clause, "A better name", slug="tried-again")
        page = BeautifulSoup(self.page("/history/clause/puhulmutu-parker/tried/"), "lxml")
        assert page.select_one("p.note a")["href"] == "/history/clause/puhulmutu-parker/tried-again/"
        other = self.a_clause(text="Another rule takes the name.")
        assert len(self.history("/history/clause/puhulmutu-parker/tried/")) == 1
        assert len(self.history(address_of(clause))) == 2
        assert address_of(other) == "/history/clause/puhulmutu-parker/tried/"

    def test_words_are_shown_with_the_clause_they_carry(self) -> None:
        clause = self.a_clause()
        record = Evidence.objects.get(identifier=RECORD)
        exact = "going on round the board in this manner"
        span = locate(record.quotation, exact)
        anchor = Anchor(
            key="clause/puhulmutu-parker/tried/supports/editors-1", clause=clause, evidence=record, field="content",
            exact=exact, start=span.start, end=span.end, text_sha256=digest_of(record.quotation),
        )  # fmt: skip
        self.change(anchor, "The words", minutes=30)
        self.change(anchor, "The words go the other way", stance="contradicts")
        newest, words, clause_made = self.history(address_of(clause))
        assert newest.find("h3").get_text() == "Words, speaks against it: editors 1: changed"
        assert [tag.get_text() for tag in newest.find_all(["ins", "del"])] == [
            "removed: speaks for it",
            "added: speaks against it",
        ]
        assert exact in words.get_text()
        assert "A rule was missing" in clause_made.get_text()

    def test_a_reading_tells_which_records_it_had(self) -> None:
        self.reading.evidence.add(Evidence.objects.get(identifier="DLP.Evidence.692"))
        newest = self.history("/history/reading/puhulmutu-parker/")[0]
        assert [tag.get_text() for tag in newest.find_all(["ins", "del"])] == [
            f"removed: {RECORD}",
            f"added: {RECORD}, DLP.Evidence.692",
        ]

    def test_what_was_loaded_is_one_revision_by_the_fixtures(self) -> None:
        for row in (self.reading, Evidence.objects.get(identifier=RECORD), Question.objects.first()):
            (only,) = self.history(address_of(row))
            assert "Loaded from the shipped fixtures" in only.get_text()
            assert "the fixtures" in only.get_text()
        question = Question.objects.first()
        (only,) = self.history(address_of(question))
        assert len(only.find_all("details")) == 1 + question.answers.count() + sum(
            answer.anchors.count() for answer in question.answers.all()
        )

    def test_rows_from_before_there_was_a_history_say_so(self) -> None:
        note = Evidence.objects.get(identifier="DLP.Evidence.692").notes.first()
        note.history.all().delete()
        assert "No revision has been recorded yet." in self.page(address_of(note))
        self.change(note, "A slip of the pen", text="Another text.")
        date = note.history.get().history_date
        assert f"No revision is recorded before {date.day} " in self.page(address_of(note))

    def test_the_old_address_of_a_record_leads_to_its_new_one(self) -> None:
        response = self.client.get(f"/history/evidence/{RECORD}/?page=1")
        assert response.status_code == 301
        assert response["Location"] == f"/history/record/{RECORD}/?page=1"
        assert address_of(Evidence.objects.get(identifier=RECORD)) == f"/history/record/{RECORD}/"

    @pytest.mark.thorough
    def test_as_many_queries_for_fifty_revisions_as_for_one(self) -> None:
        question = Question.objects.order_by("pk").first()
        addresses = [address_of(question), address_of(self.reading), address_of(self.a_clause())]
        rows = [question, self.reading, Clause.objects.get(slug="tried")]
        before = [self.queries(address) for address in addresses]
        for number in range(50):
            for row in rows:
                self.change(row, f"Change {number}", position=number + 1)
        assert [self.queries(address) for address in addresses] == before
        # what it belongs to; its numbers, now and ever; the row; records of it, of its links, answers and anchors
        assert before == [7, 6, 7]

    def queries(self, address: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            self.page(address)
        return len(queries)
