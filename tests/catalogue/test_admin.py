"""The editors' room: every list and form opens, and a decision on a suggestion is signed."""

from typing import Any, ClassVar

import pytest
from bs4 import BeautifulSoup
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection, models
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogue.admin.forms import MOST_ROWS, Choosing, Inline
from catalogue.models import (
    Answer,
    Category,
    Comparison,
    Evidence,
    Game,
    Period,
    PortalGame,
    PortalRuleset,
    ReadingToken,
    Study,
    Suggestion,
    UncertaintyFactor,
)
from tests.catalogue.page_world import load_catalogue

MODELS = [model for model in admin.site._registry if model._meta.app_label == "catalogue"]


def page_of(model: type[models.Model], page: str, *args: object) -> str:
    return reverse(f"admin:catalogue_{model._meta.model_name}_{page}", args=args)


class EditorsRoom(TestCase):
    editor: ClassVar[User]

    @classmethod
    def setUpTestData(cls) -> None:
        load_catalogue()
        cls.editor = User.objects.create_superuser("editor", password=None)
        ReadingToken.objects.create(name="A survey", contact="a@example.org", digest="0" * 64)
        Study.every.create(id="0" * 16, game=Game.objects.first(), terms={"games": 1}, batches=[])
        Comparison.objects.create(id="0" * 16, names=[], margins={}, bootstrap_seed=1, version=1)
        Period.objects.create(name="Ancient", slug="ancient")
        Category.objects.create(name="Sow", slug="sow")
        PortalGame.objects.create(game=Game.objects.first(), number=1)
        PortalRuleset.objects.create(game=Game.objects.first(), number=1, name="As told")

    def setUp(self) -> None:
        self.client.force_login(self.editor)
        self.suggestion = self.suggest()

    def suggest(self) -> Suggestion:
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        return Suggestion.objects.create(
            kind="problem", evidence=record, text="Parker writes Daramutu.", name="A reader"
        )

    def decide(self, **fields: str) -> Suggestion:
        self.client.post(page_of(Suggestion, "change", self.suggestion.pk), fields)
        self.suggestion.refresh_from_db()
        return self.suggestion

    def listed(self, model: type[models.Model], **query: object) -> Any:
        return self.client.get(page_of(model, "changelist"), query).context["cl"]

    def test_rows_below_a_row_are_bounded(self) -> None:
        """A form that says it has ten to the thirtieth was drawn with two thousand, for longer than a minute."""
        answer = Answer.objects.exclude(anchors=None).first()
        assert answer is not None
        page = page_of(Answer, "change", answer.pk)
        shown = BeautifulSoup(self.client.get(page).content, "lxml")
        sent = {one["name"]: one.get("value", "") for one in shown.select("#answer_form input[name]")}
        drawn = self.client.post(page, {**sent, "anchors-TOTAL_FORMS": str(10**30)})
        assert len(drawn.context["inline_admin_formsets"][0].formset.forms) == MOST_ROWS
        self.assertContains(drawn, f"Please submit at most {MOST_ROWS} forms.")

    def test_documents_that_no_database_keeps_are_refused(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        page = page_of(Evidence, "change", record.pk)
        shown = BeautifulSoup(self.client.get(page).content, "lxml")
        sent = {one["name"]: one.get("value", "") for one in shown.select("#evidence_form input[name]")}
        for typed in ("9" * 10_000, "[" * 100_000, "NaN", '{"a": 1e999}', '"\\u0000"', '"\\ud800"', "{", '{"a": "b"}'):
            with self.subTest(typed[:20]):
                answer = self.client.post(page, {**sent, "other_fields": typed})
                errors = answer.context["adminform"].form.errors
                assert ("other_fields" in errors) == (typed != '{"a": "b"}')

    def test_a_page_of_words_is_not_looked_for(self) -> None:
        with CaptureQueriesContext(connection) as asked:
            listed = self.client.get(page_of(Evidence, "changelist"), {"q": "word " * 1_600})
        assert max(len(one["sql"]) for one in asked) < 20_000
        self.assertContains(listed, "Only the first 20 words were looked for.")

    def test_whoever_has_rows_below_has_few(self) -> None:
        inlines = [inline for kind in MODELS for inline in admin.site._registry[kind].inlines]
        assert len(inlines) > 5
        assert not [inline for inline in inlines if not issubclass(inline, Inline)]

    def test_every_model_but_the_loaders_memory_can_be_edited(self) -> None:
        assert {model.__name__ for model in MODELS} == {
            "Anchor",
            "Answer",
            "Category",
            "Citation",
            "Claim",
            "Clause",
            "Comparison",
            "EditorsNote",
            "Evidence",
            "EvidenceUncertainty",
            "Game",
            "GameName",
            "Period",
            "Place",
            "PortalGame",
            "PortalRuleset",
            "Question",
            "Reading",
            "ReadingToken",
            "Source",
            "Study",
            "Suggestion",
            "Term",
            "UncertaintyFactor",
        }

    @pytest.mark.thorough
    def test_lists_are_searched_and_forms_open(self) -> None:
        for model in MODELS:
            with self.subTest(model=model.__name__):
                rows = model._base_manager.all()
                assert self.listed(model).result_count == rows.count() > 0
                assert self.listed(model, q="no such word anywhere").result_count == 0
                row = rows[0]
                assert self.client.get(page_of(model, "change", row.pk)).context["original"] == row

    def test_what_is_no_row_is_none_that_was_chosen(self) -> None:
        """Django's own widget fails over it when it shows the form again."""
        for model in MODELS:
            room = admin.site._registry[model]
            for sent in ("--year", "9" * 40, "\u202e") if room.autocomplete_fields else ():
                with self.subTest(model=model.__name__, sent=sent):
                    assert isinstance(room, Choosing)
                    answer = self.client.post(page_of(model, "add"), dict.fromkeys(room.autocomplete_fields, sent))
                    self.assertContains(answer, "errornote")

    def test_evidence_is_found_by_its_words_and_filtered_by_its_doubts(self) -> None:
        found = self.listed(Evidence, q="tun-indin kanawa").queryset
        assert [record.identifier for record in found] == ["DLP.Evidence.1386"]
        doubted = UncertaintyFactor.objects.get(slug="author-doubts")
        found = self.listed(Evidence, uncertainty_factors__id__exact=doubted.pk).queryset
        assert [record.identifier for record in found] == ["DLP.Evidence.741"]

    def test_a_form_leaves_a_quotation_as_it_was(self) -> None:
        """A browser sends back two characters for each line break; the text keeps its one."""
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        before = record.quotation
        assert "\n" in before
        form = self.client.get(page_of(Evidence, "change", record.pk)).context["adminform"].form
        sent: dict[str, Any] = {name: value for name, value in form.initial.items() if isinstance(value, (str, int))}
        sent |= {"quotation": before.replace("\n", "\r\n"), "other_fields": "{}", "spaces": "Inside"}
        sent["reason"] = "The book says so"
        sent["places"] = [place.pk for place in record.places.all()]
        for inline in ("citations", "uncertainties", "notes"):
            sent |= {f"{inline}-TOTAL_FORMS": 0, f"{inline}-INITIAL_FORMS": 0}
        assert self.client.post(page_of(Evidence, "change", record.pk), sent).status_code == 302
        record.refresh_from_db()
        assert (record.spaces, record.quotation) == ("Inside", before)

    def test_a_decision_is_signed_and_can_be_taken_back(self) -> None:
        accepted = self.decide(state="accepted", answer="Thank you.")
        assert (accepted.state, accepted.answer, accepted.reviewed_by) == ("accepted", "Thank you.", self.editor)
        assert accepted.reviewed is not None
        assert accepted.reviewed >= accepted.created
        undecided = self.decide(state="new", answer="")
        assert (undecided.state, undecided.reviewed, undecided.reviewed_by) == ("new", None, None)

    def test_several_suggestions_are_declined_from_the_list(self) -> None:
        chosen = [self.suggestion.pk, self.suggest().pk]
        self.client.post(page_of(Suggestion, "changelist"), {"action": "decline", "_selected_action": chosen})
        assert list(Suggestion.objects.values_list("state", "reviewed_by__username")) == [("declined", "editor")] * 2

    def test_readers_words_cannot_be_rewritten(self) -> None:
        assert self.decide(state="new", answer="", text="Something else.").text == "Parker writes Daramutu."
        assert self.client.get(page_of(Suggestion, "add")).status_code == 403
