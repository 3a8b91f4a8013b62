"""The editors' room: every list and form opens, decisions on suggestions are signed; and the page of the workers."""

import datetime
from itertools import cycle
from typing import Any, ClassVar
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from celery import current_app
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.test import TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalogue.admin.forms import MOST_ROWS, Choosing, DocumentField, Inline
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
    WearStudy,
)
from simulator import health
from simulator.batches.service import request_batch
from simulator.models import Batch, Chunk, Worker
from simulator.rulesets import SHIPPED, read_file

MODELS = [model for model in admin.site._registry if model._meta.app_label == "catalogue"]


def page_of(model: type[models.Model], page: str, *args: object) -> str:
    return reverse(f"admin:catalogue_{model._meta.model_name}_{page}", args=args)


class EditorsRoom(TestCase):
    holds = "played"
    editor: ClassVar[User]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.editor = User.objects.create_superuser("editor", password=None)
        ReadingToken.objects.create(name="A survey", contact="a@example.org", digest="0" * 64)
        Study.every.create(id="0" * 16, game=Game.objects.first(), terms={"games": 1}, batches=[])
        WearStudy.objects.create(id="0" * 16, record=Evidence.objects.first(), of="lines")
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

    @pytest.mark.by_turns
    def test_rows_below_a_row_are_bounded(self) -> None:
        """A form that says it has ten to the thirtieth was drawn with two thousand, for longer than a minute."""
        answer = Answer.objects.exclude(anchors=None).first()
        assert answer is not None
        page = page_of(Answer, "change", answer.pk)
        shown = BeautifulSoup(self.client.get(page).content, "lxml")
        sent = {tag["name"]: tag.get("value", "") for tag in shown.select("#answer_form input[name]")}
        drawn = self.client.post(page, {**sent, "anchors-TOTAL_FORMS": str(10**30)})
        assert len(drawn.context["inline_admin_formsets"][0].formset.forms) == MOST_ROWS
        self.assertContains(drawn, f"Please submit at most {MOST_ROWS} forms.")

    @pytest.mark.by_turns
    def test_documents_that_no_database_keeps_are_refused(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        page = page_of(Evidence, "change", record.pk)
        shown = BeautifulSoup(self.client.get(page).content, "lxml")
        sent = {tag["name"]: tag.get("value", "") for tag in shown.select("#evidence_form input[name]")}
        for typed in ("9" * 10_000, "[" * 100_000, "NaN", '{"a": 1e999}', '"\\u0000"', '"\\ud800"', "{"):
            with self.subTest(typed[:20]), pytest.raises(ValidationError):
                DocumentField().clean(typed)
        for typed, wrong in ("NaN", True), ('{"a": "b"}', False):
            answer = self.client.post(page, {**sent, "other_fields": typed})
            assert ("other_fields" in answer.context["adminform"].form.errors) == wrong

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
        names = """Anchor Answer Category Citation Claim Clause Comparison EditorsNote Evidence EvidenceUncertainty Game
            GameName Period Place PortalGame PortalRuleset Question Reading ReadingToken Source Study Suggestion Term
            UncertaintyFactor WearStudy"""
        assert {model.__name__ for model in MODELS} == set(names.split())

    @pytest.mark.thorough
    def test_lists_are_searched_and_forms_open(self) -> None:
        for model in MODELS:
            with self.subTest(model=model.__name__):
                rows = model._base_manager.all()
                assert self.listed(model).result_count == rows.count() > 0
                assert self.listed(model, q="no such word anywhere").result_count == 0
                row = rows[0]
                assert self.client.get(page_of(model, "change", row.pk)).context["original"] == row

    @pytest.mark.by_turns
    def test_what_is_no_row_is_none_that_was_chosen(self) -> None:
        """Django's own widget fails over it when it shows the form again."""
        wrong = cycle(("--year", "9" * 40, "\u202e"))
        for model in MODELS:
            room = admin.site._registry[model]
            if room.autocomplete_fields:
                sent = next(wrong)
                with self.subTest(model=model.__name__, sent=sent):
                    assert isinstance(room, Choosing)
                    answer = self.client.post(page_of(model, "add"), dict.fromkeys(room.autocomplete_fields, sent))
                    self.assertContains(answer, "errornote")

    def test_evidence_is_searched_by_words_and_filtered_by_doubts(self) -> None:
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


WORKERS = "/admin/simulator/worker/"


class WorkerTests(TestCase):
    """Two workers, one of them silent."""

    @classmethod
    def setUpTestData(cls) -> None:
        health.beat("one@here", ["celery"], 2, timezone.now())
        health.beat("gone@there", ["interactive"], 1, timezone.now())
        Worker.objects.filter(pk="gone@there").update(heartbeat=timezone.now() - 2 * Worker.silence())

    def sign_in(self, *permissions: str) -> None:
        member, _ = User.objects.get_or_create(username="_".join(permissions) or "nobody", is_staff=True)
        member.user_permissions.set(Permission.objects.filter(codename__in=permissions))
        self.client.force_login(member)

    def send(self, action: str) -> str:
        chosen = {"action": action, "_selected_action": ["one@here", "gone@there"]}
        return self.client.post(WORKERS, chosen, follow=True).content.decode()

    def test_one_page_shows_workers_queues_batches_and_parts(self) -> None:
        batch = request_batch(read_file(SHIPPED / "daramuti-parker.json").ruleset, games=3, announce=False)
        later = timezone.now() + datetime.timedelta(minutes=1)
        Chunk.objects.update(state=Chunk.State.CLAIMED, lease_until=later, attempts=1)
        self.sign_in("view_worker", "view_batch")
        answer = self.client.get(WORKERS)
        for words in ("one@here", "gone@there", "icon-yes", "icon-no", f"{batch.id}/0", "MB are free", "REDIS_URL"):
            self.assertContains(answer, words)
        assert answer.context["counts"] == {"running": 1, "failed": 0}
        assert next((queue.kind, queue.waiting, queue.taken) for queue in answer.context["queues"]) == ("chunks", 0, 1)
        assert list(dict(answer.context["shown"])["running"]) == [batch]
        Batch.objects.update(state=Batch.State.FAILED)
        assert list(dict(self.client.get(WORKERS).context["shown"])["failed"]) == [batch]

    @pytest.mark.by_turns
    def test_an_operator_stops_workers_and_forgets_silent_ones(self) -> None:
        self.sign_in("view_worker", "operate_worker")
        assert "1 of 2 forgotten" in self.send("forget")
        assert list(Worker.objects.values_list("pk", flat=True)) == ["one@here"]
        with mock.patch.object(current_app.control, "shutdown") as shutdown:
            self.send("stop")
        shutdown.assert_called_once_with(destination=["one@here"])

    def test_who_may_only_look_changes_nothing(self) -> None:
        self.sign_in("view_worker")
        with mock.patch.object(current_app.control, "shutdown") as shutdown:
            for action in ("forget", "stop"):
                self.send(action)
        shutdown.assert_not_called()
        assert Worker.objects.count() == 2
        self.sign_in()
        assert self.client.get(WORKERS).status_code == 403
