"""The index of terms: words of the players, each as its record prints it."""

import pytest

from catalogue.checks import check_apparatus
from catalogue.models import Evidence, Term
from tests.catalogue.page_world import CatalogueTestCase


class TermTests(CatalogueTestCase):
    def rows(self) -> dict[str, list[str]]:
        """The cells of the page, by the word and its record."""
        return {
            row["id"]: [" ".join(cell.get_text().split()) for cell in row.select("th, td")]
            for row in self.soup("/terms/").select("tbody tr")
        }

    def test_words_with_their_languages_as_the_records_print_them(self) -> None:
        rows = self.rows()
        assert len(rows) == Term.objects.count() > 40
        assert rows["DLP.Evidence.828-chira"][:2] == ["Chira", "–"]
        assert rows["DLP.Evidence.828-kay"][:3] == ["Kay", "Tamil", "a counter"]
        assert rows["DLP.Evidence.828-sar"][:3] == ["Sar", "Hindustani", "a counter"]
        assert rows["DLP.Evidence.1399-gaeta"][:3] == ["gaeta", "Sinhalese", "a plain square"]
        assert rows["DLP.Evidence.1316-kenda-ge"][3].startswith("“The terminal square is known as Kenda-ge.”")
        assert "Topparei" in rows["DLP.Evidence.1399-topparei"][0]
        assert [cells[0].lower() for cells in rows.values()] == sorted(cells[0].lower() for cells in rows.values())

    def test_a_language_stands_in_the_words_that_give_it(self) -> None:
        """No language is ours: its name, or as much of it as the record prints, is in the record's words."""
        for term in Term.objects.exclude(language=""):
            assert term.language[:4].lower() in term.exact.lower(), term

    def test_words_of_a_withdrawn_record_are_not_shown(self) -> None:
        Evidence.objects.filter(identifier="DLP.Evidence.828").update(
            withdrawn_on="2026-01-02", withdrawn_reason="A test."
        )
        rows = self.rows()
        assert not [key for key in rows if key.startswith("DLP.Evidence.828")]
        assert "DLP.Evidence.1399-katti" in rows

    @pytest.mark.by_turns
    def test_a_word_that_its_record_does_not_print_is_an_error(self) -> None:
        assert not [problem for problem in check_apparatus(None) if problem.id == "catalogue.E010"]
        Term.objects.filter(slug="chira").update(exact="they are termed Chiras.")
        Term.objects.filter(slug="kemadi").update(word="Kemade")
        found = [problem for problem in check_apparatus(None) if problem.id == "catalogue.E010"]
        assert [problem.msg.split(":")[0] for problem in found] == ["term DLP.Evidence.828", "term DLP.Evidence.1399"]
        assert "does not print 'Kemade' so" in found[1].msg
