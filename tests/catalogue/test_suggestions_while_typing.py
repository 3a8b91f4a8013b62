"""What a search box offers while somebody types."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.models import Evidence, Game, Term
from catalogue.search.indexing import index_missing, refresh
from tests.catalogue.page_world import CatalogueTestCase

ADDRESS = "/search/suggestions/"


class Beginnings(CatalogueTestCase):
    def found(self, text: str) -> list[dict[str, Any]]:
        return self.client.get(ADDRESS, {"q": text}).json()["suggestions"]

    def test_games_records_sources_and_native_words_are_offered_by_how_they_begin(self) -> None:
        assert [(one["kind"], one["title"]) for one in self.found("dara")] == [
            ("game", "Daramuti"),
            ("record", "DLP.Evidence.692 · Daramuti"),
        ]
        assert self.found("parker 19")[-1]["address"] == "/sources/parker-1909/"
        assert [one["address"] for one in self.found("hari m")] == ["/terms/#DLP.Evidence.1386-hari-mutu"]
        assert self.found("kátiyá")[0]["title"] == "Mawkar Katiya"

    def test_nothing_typed_has_a_meaning_of_its_own(self) -> None:
        for text in ("", "   ", '"', "*", "a*b", "x' OR 1=1 --", "' <-> ", "ක", "z" * 900, "\x00a"[1:]):
            assert isinstance(self.found(text), list), text
        assert self.client.get(ADDRESS, {"q": "dara", "z": "1"}).status_code == 400

    def test_a_few_of_each_kind_in_as_many_queries_as_kinds(self) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as made:
                self.found("da")
            return len(made)

        before = queries()
        game = Game.objects.get(slug="daramuti")
        for number in range(30):
            Evidence.objects.create(identifier=f"X.{number}", type="Artifact", game=game, quotation="A board.")
        index_missing()
        assert queries() == before == 4
        kinds = [one["kind"] for one in self.found("daramuti")]
        assert kinds.count("record") == 4

    def test_words_of_a_withdrawn_record_are_offered_no_more(self) -> None:
        record = Evidence.objects.get(identifier="DLP.Evidence.1386")
        keys = list(Term.objects.filter(evidence=record).values_list("pk", flat=True))
        record.withdrawn_on, record.withdrawn_reason = "2026-11-23", "Recorded twice."
        record.save()
        refresh("term", keys)
        assert self.found("hari mutu") == []
