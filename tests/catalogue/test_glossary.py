"""Terms that explain themselves where they stand: once on a page, in whole words, and in the list of all terms."""

import pytest
from bs4 import BeautifulSoup
from django.template import Context, Template
from django.test import RequestFactory

from catalogue.texts.glossary import beginning_with, entry_called, explained, glossary
from tests.catalogue.page_world import CatalogueTestCase


def words(text: str, known: set[str] | None = None) -> list[str]:
    return [piece.text for piece in explained(text, set() if known is None else known) if piece.entry]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Turns, restricted mean up to turn 2,000", ["Turns", "restricted mean"]),
        ("5.3 percentage points (4 to 6)", ["percentage points"]),
        ("returns and overturned caps-lock", []),
        ("random players, then random players", ["random players"]),
        ("First-player advantage", ["First-player advantage"]),
    ],
)
def test_words_are_explained_once_and_whole(text: str, found: list[str]) -> None:
    assert words(text) == found
    assert "".join(piece.text for piece in explained(text, set())) == text


def test_what_was_explained_before_is_not_again() -> None:
    known: set[str] = set()
    assert words("a median", known) == ["median"]
    assert words("two medians of turns", known) == ["turns"]


def test_forms_have_one_meaning_and_no_circular_explanation() -> None:
    forms = [form for entry in glossary() for form in entry.forms]
    assert len(forms) == len(set(forms))
    assert forms == [form.lower() for form in forms]
    for entry in glossary():
        assert entry.text.endswith(".")
        assert entry_called(entry.word) is entry or entry.word not in forms


def test_terms_are_found_by_how_they_begin() -> None:
    assert [entry.word for entry in beginning_with("restr")] == ["restricted mean"]
    assert beginning_with("  ") == []


class Pages(CatalogueTestCase):
    def page(self, address: str) -> BeautifulSoup:
        return BeautifulSoup(self.client.get(address).content, "lxml")

    def test_the_figures_of_a_batch_explain_their_words(self) -> None:
        page = self.page(f"/batches/{self.batch.id}/")
        buttons = page.select("button.term")
        assert "Turns" in [button.text for button in buttons] or "turns" in [button.text.lower() for button in buttons]
        targets = [button["popovertarget"] for button in buttons]
        assert len(targets) == len(set(targets)) > 2
        for target in targets:
            meaning = page.find(id=target)
            assert meaning is not None
            assert meaning.has_attr("popover")
        listed = {one["id"] for one in self.page("/terms/").select("dl.terms dt")}
        assert {target.removeprefix("term-") for target in targets} <= listed == {one.slug for one in glossary()}

    def test_a_search_for_a_term_says_what_it_means(self) -> None:
        assert "with at most the cap" in self.page("/search/?q=Restricted+mean").get_text()
        found = self.client.get("/search/suggestions/", {"q": "restr"}).json()["suggestions"]
        assert [one["address"] for one in found] == ["/terms/#restricted-mean"]

    def test_words_of_the_players_are_in_the_api(self) -> None:
        answer = self.client.get("/api/v1/terms/", {"evidence": "DLP.Evidence.1399", "fields": "key,word"}).json()
        assert {"key": "DLP.Evidence.1399/gaeta", "word": "gaeta"} in answer["results"]
        one = self.client.get("/api/v1/terms/DLP.Evidence.1399/gaeta/").json()
        assert (one["language"], one["meaning"]) == ("Sinhalese", "a plain square")
        assert "gaeta" in one["exact"]
        wrong = self.client.get("/api/v1/terms/DLP.Evidence.1399/gaetta/")
        assert wrong.status_code == 404
        assert "gaeta" in wrong.content.decode()

    def test_a_text_reads_as_it_did_and_is_escaped(self) -> None:
        request = RequestFactory().get("/")
        written = Template("{% load wording %}{% explained text %}").render(
            Context({"request": request, "text": "a <b> median & more"})
        )
        for meaning in (page := BeautifulSoup(written, "lxml")).select(".meaning"):
            meaning.decompose()
        assert page.get_text() == "a <b> median & more"
        assert [one.text for one in page.select("button")] == ["median"]
        assert not page.select("b")
