"""What was deleted says so under its address: when, by whom and why. And nobody deletes without a reason."""

from typing import Any, ClassVar

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.urls import reverse

from catalogue.models import (
    Anchor,
    Answer,
    Claim,
    Clause,
    EditorsNote,
    Evidence,
    Game,
    Place,
    Question,
    Reading,
    Source,
)
from tests.catalogue.forms_of_editors import address, filled
from tests.catalogue.page_world import CatalogueTestCase

REASON = "It says the same as another"


class DeletionTests(CatalogueTestCase):
    editor: ClassVar[User]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.editor = User.objects.create_superuser("amara", first_name="Amara", last_name="Perera", password=None)

    def setUp(self) -> None:
        self.client.force_login(self.editor)

    def delete(self, row: Any, reason: str = REASON) -> Any:
        return self.client.post(address(row, "delete"), {"post": "yes", "reason": reason})

    def gone(self, path: str) -> str:
        self.client.logout()
        return " ".join(BeautifulSoup(self.page(path, 410), "lxml").main.get_text().split())

    @pytest.mark.by_turns
    def test_a_question_that_was_deleted_says_when_by_whom_and_why(self) -> None:
        question = Question.objects.get(game__slug="puhulmutu", slug="single-counters")
        path = question.get_absolute_url()
        assert self.delete(question).status_code == 302
        said = self.gone(path)
        assert said.startswith("puhulmutu/single-counters was deleted There was a question here. Amara Perera ")
        assert REASON in said
        page = BeautifulSoup(self.page(path, 410), "lxml")
        assert page.find("meta", {"name": "robots"})["content"] == "noindex"
        history = page.find("a", string="What it said, and who changed what when")["href"]
        assert question.title in self.page(history)
        assert self.gone("/id/question/puhulmutu/single-counters") == said
        assert self.gone("/id/puhulmutu/single-counters") == said
        assert self.gone("/cite/question/puhulmutu/single-counters.bib") == said

    @pytest.mark.by_turns
    def test_so_does_the_api(self) -> None:
        clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="relay")
        anchor = clause.anchors.first()
        claim, note = Claim.objects.first(), EditorsNote.objects.first()
        paths = {
            f"clauses/{clause}": ("clause", clause, str(clause)),
            f"annotations/{anchor.key}": ("words", None, anchor.key),  # went with its clause
            f"claims/{claim}": ("claim", claim, str(claim)),
            f"notes/{'/'.join(note.natural_key())}": ("note", note, "/".join(note.natural_key())),
        }
        for path, (kind, row, key) in paths.items():
            if row is not None:
                self.delete(row)
            answer = self.client.get(f"/api/v1/{path}/")
            problem = answer.json()
            assert (answer.status_code, problem["type"]) == (410, "/about/problems/#gone"), path
            assert f"the {kind} {key!r} was deleted on 20" in problem["detail"]
            assert f" by Amara Perera: {REASON}" in problem["detail"]
        assert self.client.get("/api/v1/clauses/puhulmutu-parker/never/").status_code == 404

    @pytest.mark.by_turns
    def test_every_page_of_a_record_that_was_deleted(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        Anchor.objects.filter(evidence=record).delete()
        assert self.delete(record).status_code == 302
        for path in ("", "rules/", "suggest/", "outcomes/", "outcomes.csv"):
            assert REASON in self.gone(f"/evidence/DLP.Evidence.692/{path}"), path
        assert REASON in self.gone("/id/DLP.Evidence.692")
        assert self.client.get("/api/v1/evidence/DLP.Evidence.692/").status_code == 410
        assert self.client.get("/api/v1/coverage/DLP.Evidence.692/").status_code == 410

    @pytest.mark.by_turns
    def test_so_do_a_game_a_source_and_a_place_which_keep_no_history(self) -> None:
        rows = (
            Game.objects.create(name="Never played", slug="never-played"),
            Source.objects.create(key="nobody-1900", as_printed="Nobody 1900."),
            Place.objects.create(name="Nowhere", slug="nowhere"),
        )
        for row, kind, path in zip(rows, ("game", "source", "place"), ("games", "sources", "places"), strict=True):
            key = row.natural_key()[0]
            self.client.force_login(self.editor)
            asked = self.client.post(address(row, "delete"), {"post": "yes"})
            assert "Say why it is deleted." in asked.content.decode(), "nobody deletes without a reason"
            assert self.delete(row).status_code == 302
            said = self.gone(f"/{path}/{key}/")
            assert said.startswith(f"{key} was deleted There was a {kind} here. Amara Perera deleted it on ")
            assert REASON in said
            assert self.gone(f"/id/{kind}/{key}") == said
            answer = self.client.get(f"/api/v1/{path}/{key}/")
            assert answer.status_code == 410
            assert f"the {kind} {key!r} was deleted on 20" in answer.json()["detail"]
            type(row).objects.create(**{field.attname: getattr(row, field.attname) for field in row._meta.fields})
            self.page(f"/{path}/{key}/", 200)

    def test_deletions_of_a_command_have_one_reason_and_no_name(self) -> None:
        places = [Place.objects.create(name=name, slug=name) for name in ("here", "there", "elsewhere")]
        places[0].delete()
        assert "A command of the catalogue deleted it on " in self.gone("/places/here/")
        self.client.force_login(self.editor)
        numbers = [str(place.pk) for place in places[1:]]
        sent = {"action": "delete_selected", "_selected_action": numbers, "post": "yes", "reason": REASON}
        assert self.client.post(reverse("admin:catalogue_place_changelist"), sent).status_code == 302
        for name in ("there", "elsewhere"):
            assert REASON in self.gone(f"/places/{name}/")
        self.page("/places/never/", 404)

    def test_what_never_was_or_is_there_again_is_not_deleted(self) -> None:
        self.page("/questions/puhulmutu/never/", 404)
        self.page("/id/never-was", 404)
        claim = Claim.objects.first()
        path, fields = (
            claim.get_absolute_url(),
            {field.attname: getattr(claim, field.attname) for field in claim._meta.fields},
        )
        self.delete(claim)
        self.page(path, 410)
        Claim.objects.create(**{**fields, "id": None})
        self.page(path, 200)

    def test_a_command_that_deleted_is_named_as_one(self) -> None:
        question = Question.objects.first()
        path = question.get_absolute_url()
        question.delete()
        said = self.gone(path)
        assert "A command of the catalogue deleted it" in said
        assert "No reason was given." in said

    def test_nothing_is_deleted_without_a_reason(self) -> None:
        note = EditorsNote.objects.first()
        assert "Reason for the deletion" in self.client.get(address(note, "delete")).content.decode()
        for reason, said in (("", "Say why"), ("  ", "Say why"), ("x" * 101, "At most 100 characters, not 101.")):
            answer = self.delete(note, reason)
            assert answer.status_code == 200
            assert said in answer.content.decode()
            if reason.strip():
                assert f'value="{reason}"' in answer.content.decode(), "it need not be typed again"
        assert EditorsNote.objects.filter(pk=note.pk).exists()

    def test_several_at_once_have_one_reason(self) -> None:
        notes = list(EditorsNote.objects.all()[:2])
        chosen = {"action": "delete_selected", "_selected_action": [note.pk for note in notes]}
        listed = reverse("admin:catalogue_editorsnote_changelist")
        assert "Reason for the deletion" in self.client.post(listed, chosen).content.decode()
        assert "Say why" in self.client.post(listed, {**chosen, "post": "yes"}).content.decode()
        assert EditorsNote.objects.filter(pk__in=[note.pk for note in notes]).count() == 2
        self.client.post(listed, {**chosen, "post": "yes", "reason": REASON})
        assert not EditorsNote.objects.filter(pk__in=[note.pk for note in notes]).exists()
        ended = EditorsNote.history.filter(id__in=[note.pk for note in notes], history_type="-")
        assert set(ended.values_list("history_change_reason", "history_user__username")) == {(REASON, "amara")}

    def test_what_goes_with_a_row_has_the_reason_of_the_row(self) -> None:
        question = Question.objects.filter(answers__anchors__isnull=False).first()
        answers, anchors = Answer.objects.filter(question=question), Anchor.objects.filter(answer__question=question)
        numbers = {
            Answer: list(answers.values_list("pk", flat=True)),
            Anchor: list(anchors.values_list("pk", flat=True)),
        }
        self.delete(question)
        for model, gone in numbers.items():
            ended = model.history.filter(id__in=gone, history_type="-")
            assert len(gone) == ended.count() > 0
            assert set(ended.values_list("history_change_reason", flat=True)) == {REASON}

    def test_so_has_what_goes_with_a_row_below_a_form(self) -> None:
        question = Question.objects.filter(answers__anchors__isnull=False).first()
        place = next(at for at, one in enumerate(question.answers.all()) if one.anchors.exists())
        anchors = list(question.answers.all()[place].anchors.values_list("pk", flat=True))
        sent = {**filled(self.client, question), f"answers-{place}-DELETE": "on", "reason": REASON}
        assert self.client.post(address(question), sent).status_code == 302
        ended = Anchor.history.filter(id__in=anchors, history_type="-")
        assert set(ended.values_list("history_change_reason", flat=True)) == {REASON}

    def test_the_page_asks_as_much_whatever_the_history(self) -> None:
        claim = Claim.objects.first()
        for number in range(20):
            claim.position = number
            claim.save()
        path = claim.get_absolute_url()
        self.delete(claim)
        self.client.logout()
        with self.assertNumQueries(7):
            self.page(path, 410)

    def test_a_ruleset_whose_reading_was_deleted_is_still_played(self) -> None:
        reading = Reading.objects.filter(rested_on_by=None, kind="program").first()
        assert self.delete(reading).status_code == 302
        self.page(reading.get_absolute_url())


@pytest.mark.parametrize("length", [100, 101])
def test_a_history_keeps_as_long_a_reason_as_is_asked_for(length: int) -> None:
    from catalogue.admin.forms import LONGEST_REASON

    field = Claim.history.model._meta.get_field("history_change_reason")
    assert (length <= LONGEST_REASON) == (length <= field.max_length)
