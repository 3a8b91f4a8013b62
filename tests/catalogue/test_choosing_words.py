"""An editor chooses the words of a rule in the text of a record: what stands beside, what is looked at and kept."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.urls import reverse

from catalogue.models import Anchor, Answer, Claim, Reading
from tests.catalogue.forms_of_editors import RECORD, WORDS, EditorOfAClause
from tests.catalogue.members import member


class ChoosingWords(EditorOfAClause):
    def setUp(self) -> None:
        super().setUp()
        self.address = f"{reverse('admin:catalogue_anchor_add')}?clause={self.clause.pk}"

    def send(self, address: str = "", **typed: Any) -> Any:
        sent = {"evidence": self.record.pk, "field": "content", "exact": WORDS, "stance": "supports", **typed}
        return self.client.post(address or self.address, {"clause": self.clause.pk, **sent})

    def page(self, response: Any) -> BeautifulSoup:
        assert response.status_code == 200
        return BeautifulSoup(response.content, "lxml")

    def test_the_text_is_shown_to_the_letter_with_the_rule(self) -> None:
        page = self.page(self.client.get(self.address))
        assert page.select_one("[data-source-text]").get_text() == self.record.quotation
        underlined = "".join(one.get_text() for one in page.select("[data-source-text] u"))
        (first, *_) = self.clause.anchors.filter(evidence=self.record, field="content")
        assert first.exact.split()[-1] in underlined
        rule = page.select_one(".choose-words dl").get_text()
        assert "relay = last" in rule
        assert "A last counter in an occupied hole lets the lap go on with the contents of that hole." in rule

    def test_an_answer_is_shown_with_the_values_it_would_give(self) -> None:
        answer = Answer.objects.filter(question__slug="single-counters", question__game__slug="puhulmutu").first()
        page = self.page(self.client.get(f"{reverse('admin:catalogue_anchor_add')}?answer={answer.pk}"))
        (key, value), *_ = answer.values.items()
        assert f"{key} = {str(value).lower() if isinstance(value, bool) else value}" in page.select_one("dl").get_text()

    def test_claims_and_readings_have_words_too(self) -> None:
        for name, owner in (
            ("claim", Claim.objects.first()),
            ("reading", Reading.objects.exclude(evidence=None).first()),
        ):
            page = self.page(self.client.get(f"{reverse('admin:catalogue_anchor_add')}?{name}={owner.pk}"))
            assert page.select_one("[data-source-text]").get_text()

    def test_looking_marks_the_words_and_writes_nothing(self) -> None:
        kept = Anchor.objects.count(), Anchor.history.count()
        page = self.page(self.send(_look="yes"))
        assert [one.get_text() for one in page.select("#found mark")] == [WORDS]
        assert page.select_one("[data-source-text]").get_text() == self.record.quotation
        assert page.select_one("#id_exact").get_text().strip() == WORDS
        assert (Anchor.objects.count(), Anchor.history.count()) == kept

    @pytest.mark.by_turns
    def test_words_that_are_missing_or_ambiguous_are_refused(self) -> None:
        for typed, said in (
            ({"exact": "going on round the bord"}, "the nearest are 'going on round the boar'"),
            ({"exact": "the player"}, "give a prefix or a suffix"),
            ({"exact": WORDS, "prefix": "nothing of the kind"}, "are not in the text"),
        ):
            with self.subTest(said):
                assert said in self.page(self.send(_look="yes", **typed)).select_one("#found").get_text()
                assert said in self.page(self.send(**typed)).select_one(".errorlist").get_text()
        assert not Anchor.objects.filter(key__contains="editors-").exists()

    def test_what_is_saved_is_signed_and_called_by_its_owner(self) -> None:
        assert self.send(reason="Parker says it").status_code == 302
        anchor = Anchor.objects.get(key="clause/puhulmutu-parker/relay/supports/editors-1")
        assert (anchor.clause, self.record.quotation[anchor.start : anchor.end]) == (self.clause, WORDS)
        (made,) = anchor.history.all()
        assert (made.history_type, made.history_change_reason, made.history_user) == (
            "+",
            "Parker says it",
            self.editor,
        )
        assert self.send(stance="contradicts").status_code == 302
        assert Anchor.objects.filter(key="clause/puhulmutu-parker/relay/contradicts/editors-1").exists()

    def test_words_are_chosen_again_under_the_same_key(self) -> None:
        anchor = self.clause.anchors.filter(evidence=self.record).first()
        address = reverse("admin:catalogue_anchor_change", args=[anchor.pk])
        assert anchor.exact in self.page(self.client.get(address)).select_one("#found mark").get_text()
        assert "required" in self.page(self.send(address)).select_one(".errorlist").get_text()
        assert self.send(address, reason="Fewer words say it", clause="").status_code == 302
        changed = Anchor.objects.get(pk=anchor.pk)
        assert (changed.exact, changed.key, changed.clause) == (WORDS, anchor.key, self.clause)
        assert changed.problem() == ""

    def test_words_belong_to_one_thing_that_is_there(self) -> None:
        claim = Claim.objects.first()
        for typed in ({"clause": ""}, {"claim": claim.pk}, {"clause": "9" * 40}, {"clause": "x"}):
            with self.subTest(typed):
                assert "errornote" in self.send(**typed).content.decode()
        assert "open one of these" in self.client.get(reverse("admin:catalogue_anchor_add")).content.decode()
        assert not Anchor.objects.filter(key__contains="editors-").exists()

    @pytest.mark.by_turns
    def test_readers_see_no_way_there_and_editors_do(self) -> None:
        page = f"/evidence/{RECORD}/"
        assert b"Choose words for this rule" in self.client.get(page).content
        for role in ("contributor", "operator"):
            self.client.force_login(member(role))
            allowed = role == "contributor"
            assert (b"Choose words for this rule" in self.client.get(page).content) == allowed
            assert (self.client.get(self.address).status_code == 200) == allowed
            assert (self.send(_look="yes").status_code == 200) == allowed
        self.client.logout()
        assert b"Choose words for this rule" not in self.client.get(page).content

    def test_who_may_only_look_sees_words_and_rule_without_a_form(self) -> None:
        self.client.force_login(member("operator"))
        anchor = self.clause.anchors.filter(evidence=self.record).first()
        page = self.page(self.client.get(reverse("admin:catalogue_anchor_change", args=[anchor.pk])))
        assert page.select_one("#found mark").get_text() == anchor.exact
        assert not page.select("#id_exact")
