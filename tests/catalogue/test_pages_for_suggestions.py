"""What readers tell the editors: received, bounded, reviewed, never shown."""

import re
from datetime import timedelta

from django.http import HttpResponse
from django.test import override_settings

from catalogue.models import Suggestion
from tests.catalogue.page_world import CatalogueTestCase, text_of

FORM = "/evidence/DLP.Evidence.692/suggest/"
WORDS = {
    "kind": "reading",
    "text": "“Opposite hole” may mean the hole across the board.",
    "name": "A. Reader",
    "email": "",
}


class SuggestionTests(CatalogueTestCase):
    def test_a_suggestion_is_kept_for_review_and_confirmed(self) -> None:
        response = self.client.post(FORM, WORDS, follow=True)
        assert "has been received" in text_of(response)
        kept = Suggestion.objects.get()
        assert (kept.evidence.identifier, kept.kind, kept.text) == ("DLP.Evidence.692", "reading", WORDS["text"])
        assert kept.state == Suggestion.State.NEW
        assert "A. Reader" not in self.page("/evidence/DLP.Evidence.692/")

    def test_the_record_links_to_the_form_with_the_kind_chosen(self) -> None:
        assert f'href="{FORM}?kind=problem"' in self.page("/evidence/DLP.Evidence.692/")
        assert re.search(r'value="problem"[^>]*checked', self.page(f"{FORM}?kind=problem"))

    def test_missing_or_too_long_input_is_refused(self) -> None:
        for changes in ({"kind": ""}, {"kind": "praise"}, {"text": ""}, {"text": "short"}, {"text": "x" * 4001}):
            response = self.client.post(FORM, {**WORDS, **changes})
            assert response.status_code == 400, changes
            assert "Nothing has been sent yet" in text_of(response)
        for changes in ({"email": "nowhere"}, {"name": "x" * 101}):
            assert self.client.post(FORM, {**WORDS, **changes}).status_code == 400, changes
        assert Suggestion.objects.count() == 0

    def test_words_typed_once_need_not_be_typed_again(self) -> None:
        assert "across the board" in text_of(self.client.post(FORM, {**WORDS, "kind": ""}))

    def test_a_machine_that_fills_the_trap_is_thanked_and_forgotten(self) -> None:
        response = self.client.post(FORM, {**WORDS, "website": "https://example.org"}, follow=True)
        assert "has been received" in text_of(response)
        assert Suggestion.objects.count() == 0

    @override_settings(SUGGESTIONS_PER_HOUR=2, TRUSTED_PROXIES=1)
    def test_each_address_has_its_own_hourly_limit(self) -> None:
        def send(address: str) -> HttpResponse:
            return self.client.post(FORM, WORDS, headers={"x-forwarded-for": address})

        assert [send("203.0.113.9").status_code for _ in range(2)] == [302, 302]
        first = Suggestion.objects.order_by("created")[0]
        Suggestion.objects.filter(pk=first.pk).update(created=first.created - timedelta(minutes=20))
        refused = send("203.0.113.9")
        assert refused.status_code == 429
        assert 2_390 <= int(refused["Retry-After"]) <= 2_401
        assert "The editors take 2 suggestions an hour from your address" in text_of(refused)
        assert "again in 40 minutes" in text_of(refused)
        assert WORDS["text"][-20:] in text_of(refused)  # nothing has to be typed again
        assert send("203.0.113.10").status_code == 302
        Suggestion.objects.filter(pk=first.pk).update(created=first.created - timedelta(minutes=61))
        assert send("203.0.113.9").status_code == 302
        assert Suggestion.objects.count() == 4
        assert "203.0.113" not in "".join(Suggestion.objects.values_list("visitor", flat=True))

    @override_settings(ALL_SUGGESTIONS_PER_HOUR=1, TRUSTED_PROXIES=1)
    def test_all_addresses_together_may_send_so_many_an_hour(self) -> None:
        assert self.client.post(FORM, WORDS, headers={"x-forwarded-for": "203.0.113.9"}).status_code == 302
        refused = self.client.post(FORM, WORDS, headers={"x-forwarded-for": "203.0.113.10"})
        assert refused.status_code == 429
        assert "1 suggestions an hour from all readers together" in text_of(refused)
        assert Suggestion.objects.count() == 1

    def test_what_is_typed_is_text_and_never_markup(self) -> None:
        page = text_of(self.client.post(FORM, {**WORDS, "kind": "", "text": "<script>alert(1)</script> and more"}))
        assert "<script>alert" not in page

    def test_a_suggestion_on_no_record_is_not_found(self) -> None:
        assert self.client.post("/evidence/DLP.Evidence.0/suggest/", WORDS).status_code == 404
