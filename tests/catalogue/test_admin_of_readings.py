"""Editors change readings, clauses and questions: with a reason, under their name, and with words that are there."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User

from catalogue.models import Anchor, Claim, Clause, EditorsNote, Evidence, Question, Reading
from simulator.models import Ruleset, RulesetVersion
from tests.catalogue.forms_of_editors import WORDS, EditorOfAClause, address, filled


class EditingTests(EditorOfAClause):
    def send(self, row: Any, reason: str = "A reason", inlines: dict[str, Any] | None = None, **fields: Any) -> Any:
        """The form as a browser would send it back, with some fields typed over."""
        sent = filled(self.client, row)
        sent |= {"reason": reason, **fields, **(inlines or {})}
        return self.client.post(address(row, "change" if row.pk else "add"), sent)

    def problems(self, response: Any) -> dict[str, list[str]]:
        assert response.status_code == 200
        problems_found = dict(response.context["adminform"].form.errors)
        for inline in response.context["inline_admin_formsets"]:
            for form in inline.formset.forms:
                problems_found |= form.errors
        return problems_found

    def new_words(self, place: int | None = None, **fields: Any) -> dict[str, Any]:
        """One anchor more, as it is typed into the form of the clause."""
        place = self.clause.anchors.count() if place is None else place
        given = {"stance": "supports", "evidence": self.record.pk, "field": "content", "exact": WORDS, **fields}
        typed = {f"anchors-{place}-{name}": value for name, value in given.items()}
        return {**typed, "anchors-TOTAL_FORMS": place + 1}

    @pytest.mark.by_turns
    def test_a_change_needs_a_reason_and_is_signed(self) -> None:
        assert self.problems(self.send(self.clause, reason="", text="Another text.")) == {
            "reason": ["This field is required."]
        }
        assert self.clause.history.count() == 1
        assert self.send(self.clause, reason="Parker says so", text="Another text.").status_code == 302
        newest = self.clause.history.latest()
        assert (newest.text, newest.history_change_reason, newest.history_user, newest.history_type) == (
            "Another text.",
            "Parker says so",
            self.editor,
            "~",
        )
        assert self.clause.history.count() == 2

    def test_an_editor_types_words_and_their_place_is_found(self) -> None:
        assert self.send(self.clause, inlines=self.new_words()).status_code == 302
        anchor = Anchor.objects.get(key="clause/puhulmutu-parker/relay/supports/editors-1")
        assert self.record.quotation[anchor.start : anchor.end] == WORDS
        assert anchor.problem() == ""
        (made,) = anchor.history.all()
        assert (made.history_change_reason, made.history_user) == ("A reason", self.editor)
        assert self.clause.history.count() == 1, "the clause itself was not changed"

    @pytest.mark.by_turns
    def test_words_that_nobody_chose_anew_are_not_set_on_others(self) -> None:
        self.send(self.clause, inlines=self.new_words())
        anchor = Anchor.objects.get(key="clause/puhulmutu-parker/relay/supports/editors-1")
        place = list(self.clause.anchors.values_list("pk", flat=True)).index(anchor.pk)
        against = {f"anchors-{place}-stance": "contradicts"}
        text = self.record.quotation
        self.record.quotation = f"It is said: {WORDS}. {text.replace(WORDS, 'nothing is taken')}"
        self.record.save()
        assert "choose the words anew" in str(self.problems(self.send(self.clause, inlines=against)))
        self.record.quotation = f"Here begins the text. {text}"
        self.record.save()
        assert self.send(self.clause, inlines=against).status_code == 302
        moved = Anchor.objects.get(pk=anchor.pk)
        assert (moved.stance, moved.start - anchor.start, moved.problem()) == ("contradicts", 22, "")

    @pytest.mark.by_turns
    def test_the_key_of_deleted_words_is_not_given_again(self) -> None:
        self.send(self.clause, inlines=self.new_words())
        anchor = Anchor.objects.get(key__endswith="editors-1")
        place = list(self.clause.anchors.all()).index(anchor)
        self.send(self.clause, reason="It was wrong", inlines={f"anchors-{place}-DELETE": "on"})
        assert not Anchor.objects.filter(pk=anchor.pk).exists()
        deleted = Anchor.history.filter(id=anchor.pk).latest()
        assert (deleted.history_type, deleted.history_change_reason) == ("-", "It was wrong")
        self.send(self.clause, inlines=self.new_words())
        assert Anchor.objects.filter(key__endswith="relay/supports/editors-2").exists()

    def test_words_that_are_not_there_are_refused_with_the_nearest(self) -> None:
        problems_found = self.problems(self.send(self.clause, inlines=self.new_words(exact="going on round the bord")))
        assert list(problems_found) == ["exact"]
        assert problems_found["exact"] == [
            "the words 'going on round the bord' are not in the text; the nearest are 'going on round the boar'"
        ]

    @pytest.mark.by_turns
    def test_words_that_stand_there_twice_need_what_is_round_them(self) -> None:
        text = self.record.quotation
        assert text.count("the player") > 1
        problems_found = self.problems(self.send(self.clause, inlines=self.new_words(exact="the player")))
        assert "give a prefix or a suffix" in problems_found["exact"][0]
        second = text.index("the player", text.index("the player") + 1)
        prefix = text[second - 20 : second]
        words = self.new_words(exact="the player", prefix=prefix)
        assert self.send(self.clause, inlines=words).status_code == 302
        assert Anchor.objects.get(key__endswith="relay/supports/editors-1").start == second

    @pytest.mark.by_turns
    def test_the_line_breaks_of_a_browser_are_those_of_the_record(self) -> None:
        text = self.record.quotation
        place = text.index("\n")
        exact = text[place - 20 : place + 20]
        words = self.new_words(exact=exact.replace("\n", "\r\n"))
        assert self.send(self.clause, inlines=words).status_code == 302
        assert Anchor.objects.get(key__endswith="relay/supports/editors-1").exact == exact
        self.send(self.record, quotation=text.replace("\n", "\r\n"))
        assert self.record.history.count() == 1, "nothing was changed"

    @pytest.mark.by_turns
    def test_parameters_are_those_of_the_ruleset(self) -> None:
        problems_found = self.problems(self.send(self.clause, parameters='["relai"]'))
        assert problems_found == {"parameters": ["no parameter is called 'relai'; the nearest is 'relay'"]}
        assert "a list" in self.problems(self.send(self.clause, parameters='"relay"'))["parameters"][0]

    def test_a_new_clause_has_its_words_at_once(self) -> None:
        reading = Reading.objects.get(slug="puhulmutu-parker")
        words = {"anchors-INITIAL_FORMS": 0, **self.new_words(place=0)}
        response = self.send(
            Clause(), "", words, reading=reading.pk, slug="new", parameters='["relay"]', basis="stated", text="A rule.",
            source="", position=9,
        )  # fmt: skip
        assert response.status_code == 302
        clause = Clause.objects.get(slug="new", reading=reading)
        (made,) = clause.history.all()
        assert (made.history_type, made.history_change_reason) == ("+", "First entry")
        assert [anchor.key for anchor in clause.anchors.all()] == ["clause/puhulmutu-parker/new/supports/editors-1"]

    def test_a_reading_and_its_records_are_one_revision(self) -> None:
        reading = Reading.objects.get(slug="puhulmutu-parker")
        before = reading.history.count()
        records = [self.record.pk, Evidence.objects.get(identifier="DLP.Evidence.692").pk]
        assert self.send(reading, "Both tell it", evidence=records, summary="Another.").status_code == 302
        assert reading.history.count() == before + 1
        newest = reading.history.latest()
        assert newest.history_change_reason == "Both tell it"
        assert set(newest.evidence.values_list("evidence", flat=True)) == set(records)

    @pytest.mark.by_turns
    def test_answers_are_edited_with_their_question(self) -> None:
        question = Question.objects.get(game__slug="puhulmutu", slug="single-counters")
        count = question.answers.count()
        value = {key: question.answers.first().values[key] for key in question.parameters} | {"singles": "any"}
        new = {"slug": "new", "text": "None.", "values": json.dumps(value), "position": 9}
        sent = {f"answers-{count}-{name}": value for name, value in new.items()}
        sent |= {"answers-TOTAL_FORMS": count + 1}
        wrong = {**sent, f"answers-{count}-values": '{"relay": "any"}'}
        assert self.problems(self.send(question, inlines=wrong)) == {
            "values": [f"must give exactly {', '.join(question.parameters)}, or be empty"]
        }
        assert self.send(question, "One was missing", sent).status_code == 302
        answer = question.answers.get(slug="new")
        assert answer.history.get().history_change_reason == "One was missing"

    def test_the_test_of_a_claim_must_be_one_that_can_be_run(self) -> None:
        claim = Claim.objects.filter(judged_by="random").first()
        problems_found = self.problems(self.send(claim, tests='[{"kind": "shar"}]'))
        assert problems_found["tests"] == ["test 1: kind: there is no 'shar' here (nearest valid value: \"share\")"]

    @pytest.mark.by_turns
    def test_an_editor_is_told_what_became_of_the_anchors(self) -> None:
        response = self.send(self.record, "A slip", quotation=self.record.quotation + " ")
        assert Evidence.objects.get(pk=self.record.pk).quotation == self.record.quotation + " "
        anchors = self.record.anchors.filter(field="content").count()
        messages = [str(message) for message in self.client.get(response["Location"]).context["messages"]]
        assert f"{anchors} of {anchors} anchors found again." in messages

    def test_a_note_edited_with_its_record_has_the_reason_too(self) -> None:
        note = EditorsNote.objects.filter(evidence__identifier="DLP.Evidence.692").first()
        self.send(note.evidence, "Clearer", inlines={"notes-0-text": "In other words."})
        newest = note.history.latest()
        assert (newest.text, newest.history_change_reason, newest.history_user) == (
            "In other words.",
            "Clearer",
            self.editor,
        )
        assert note.evidence.history.count() == 1

    def test_who_may_only_look_sees_the_same_without_a_form(self) -> None:
        looker = User.objects.create_user("looker", is_staff=True)
        looker.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
        self.client.force_login(looker)
        for row in (self.clause, self.record, Question.objects.first(), Claim.objects.first()):
            assert self.client.get(address(row)).status_code == 200
            assert self.client.post(address(row), {"reason": "x"}).status_code == 403

    def test_rulesets_and_versions_cannot_be_changed_or_deleted(self) -> None:
        for row in (RulesetVersion.objects.first(), Ruleset.objects.first()):
            assert self.client.get(address(row)).status_code == 200
            assert self.client.post(address(row), {"slug": "x"}).status_code == 403
            assert self.client.post(address(row, "delete"), {"post": "yes"}).status_code == 403
            assert type(row).objects.filter(pk=row.pk).exists()

    def test_the_history_of_a_row_opens_in_the_editors_room(self) -> None:
        self.send(self.clause, text="Another text.")
        assert self.client.get(address(self.clause, "history")).status_code == 200
