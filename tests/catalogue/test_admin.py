"""The editors' room: every list and form opens, and a decision on a suggestion is signed."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse

from catalogue.models import Evidence, Reading, Suggestion

pytestmark = pytest.mark.django_db
MODELS = [model for model in admin.site._registry if model._meta.app_label == "catalogue"]


@pytest.fixture(scope="module")
def shipped(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The shipped rows, loaded once for the whole file and taken out again after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("load_fixtures", stdout=io.StringIO())
        yield
        transaction.set_rollback(True)


@pytest.fixture
def editor(shipped: None, db: None, client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", password="not used here"))
    return client


def a_suggestion() -> Suggestion:
    record = Evidence.objects.get(identifier="DLP.Evidence.692")
    return Suggestion.objects.create(kind="problem", evidence=record, text="Parker writes Daramutu.", name="A reader")


def admin_page(model: type, page: str, *args: object) -> str:
    return reverse(f"admin:catalogue_{model._meta.model_name}_{page}", args=args)  # type: ignore[attr-defined]


def test_every_model_but_the_loaders_memory_can_be_edited() -> None:
    assert {model.__name__ for model in MODELS} == {
        "Citation",
        "EditorsNote",
        "Evidence",
        "EvidenceUncertainty",
        "Game",
        "GameName",
        "Place",
        "Reading",
        "Source",
        "Suggestion",
        "UncertaintyFactor",
    }


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_lists_are_searched_and_forms_open(editor: Client, model: type) -> None:
    a_suggestion()
    row = model.objects.first()  # type: ignore[attr-defined]
    listed = editor.get(admin_page(model, "changelist")).context["cl"]
    assert listed.result_count == model.objects.count()  # type: ignore[attr-defined]
    found = editor.get(admin_page(model, "changelist"), {"q": "no such word anywhere"}).context["cl"]
    assert found.result_count == 0
    assert editor.get(admin_page(model, "change", row.pk)).context["original"] == row


def test_evidence_is_found_by_its_words_and_filtered_by_its_doubts(editor: Client) -> None:
    page = admin_page(Evidence, "changelist")
    found = editor.get(page, {"q": "tun-indin kanawa"}).context["cl"].queryset
    assert [record.identifier for record in found] == ["DLP.Evidence.1386"]
    doubted = editor.get(page, {"uncertainty_factors__slug": "author-doubts"}).context["cl"].queryset
    assert [record.identifier for record in doubted] == ["DLP.Evidence.741"]


def test_a_form_leaves_a_quotation_as_it_was(editor: Client) -> None:
    """A browser sends back two characters for each line break; the text keeps its one."""
    reading = Reading.objects.get(slug="daramuti-parker")
    record = reading.evidence.get(identifier="DLP.Evidence.692")
    before = record.content
    assert "\n" in before
    form = editor.get(admin_page(Evidence, "change", record.pk)).context["adminform"].form
    sent = {name: value for name, value in form.initial.items() if isinstance(value, (str, int))}
    sent |= {
        "content": before.replace("\n", "\r\n"),
        "other_fields": "{}",
        "places": [p.pk for p in record.places.all()],
    }
    for inline in ("citations", "uncertainties", "notes"):
        sent |= {f"{inline}-TOTAL_FORMS": 0, f"{inline}-INITIAL_FORMS": 0}
    answer = editor.post(admin_page(Evidence, "change", record.pk), {**sent, "spaces": "Inside"})
    assert answer.status_code == 302
    record.refresh_from_db()
    assert (record.spaces, record.content) == ("Inside", before)


def test_a_decision_is_signed_and_can_be_taken_back(editor: Client) -> None:
    suggestion = a_suggestion()
    editor.post(admin_page(Suggestion, "change", suggestion.pk), {"state": "accepted", "answer": "Thank you."})
    suggestion.refresh_from_db()
    assert (suggestion.state, suggestion.answer) == ("accepted", "Thank you.")
    assert suggestion.reviewed_by is not None
    assert suggestion.reviewed_by.username == "editor"
    assert suggestion.reviewed >= suggestion.created
    editor.post(admin_page(Suggestion, "change", suggestion.pk), {"state": "new", "answer": ""})
    suggestion.refresh_from_db()
    assert (suggestion.state, suggestion.reviewed, suggestion.reviewed_by) == ("new", None, None)


def test_several_suggestions_are_declined_from_the_list(editor: Client) -> None:
    chosen = [a_suggestion().pk, a_suggestion().pk]
    editor.post(admin_page(Suggestion, "changelist"), {"action": "decline", "_selected_action": chosen})
    assert set(Suggestion.objects.values_list("state", "reviewed_by__username")) == {("declined", "editor")}


def test_readers_words_cannot_be_rewritten(editor: Client) -> None:
    suggestion = a_suggestion()
    editor.post(
        admin_page(Suggestion, "change", suggestion.pk), {"state": "new", "answer": "", "text": "Something else."}
    )
    suggestion.refresh_from_db()
    assert suggestion.text == "Parker writes Daramutu."
    assert editor.get(admin_page(Suggestion, "add")).status_code == 403
