"""The facets of the search: what is counted is what their lists hold, and how their index is kept."""

from unittest.mock import patch

from catalogue.models import (
    Claim,
    Clause,
    Evidence,
    Game,
    Place,
    Question,
    Reading,
    Source,
    Term,
    UncertaintyFactor,
)
from catalogue.search import ranking
from catalogue.search.indexing import index_changed, index_missing, missing, rebuild
from catalogue.search.query import parse_query
from catalogue.search.ranking import counted, entries_with, narrowed
from tests.catalogue.search_world import SEARCH, SearchCase


class FacetTests(SearchCase):
    def test_the_index_holds_everything_once(self) -> None:
        expected = {"game": Game, "record": Evidence, "source": Source, "ruleset": Reading, "rule": Clause}
        expected |= {"question": Question, "claim": Claim, "term": Term}
        assert self.counts("kind") == {kind: model.objects.count() for kind, model in expected.items()}
        assert missing() == {}

    def test_counts_are_those_of_the_lists_they_lead_to(self) -> None:
        """Every choice, in a list that another facet and a word narrow already."""
        for words, chosen in (("leopards", {}), ("counter", {"place": "sri-lanka"}), ("", {"kind": "record"})):
            rows = entries_with(parse_query(words))
            for facet, values in counted(rows, chosen).of.items():
                for value, number in values.items():
                    assert narrowed(rows, {**chosen, facet: value}).count() == number, (words, chosen, facet, value)

    def test_a_rebuilt_index_has_the_facets_it_had(self) -> None:
        before = counted(entries_with(parse_query("")), {}).of
        assert {"kind", "game", "place", "period", "source"} <= before.keys()
        rebuild()
        assert counted(entries_with(parse_query("")), {}).of == before

    def test_places_are_counted_by_hand(self) -> None:
        # Counted in the seed pages: 20 records of Sri Lanka and one of the Khasi.
        assert self.counts("place", kind="record") == {"sri-lanka": 20, "khasi": 1}

    def test_a_region_holds_the_records_of_the_places_within_it(self) -> None:
        asia = Place.objects.create(name="Asia", slug="asia")
        south = Place.objects.create(name="South Asia", slug="south-asia", part_of=asia)
        Place.objects.filter(slug="sri-lanka").update(part_of=south)
        index_changed({"record": Evidence.objects.values_list("pk", flat=True)})
        assert self.counts("region", kind="record") == {"south-asia": 20, "asia": 20}
        assert self.read(q='"South Asia"', kind="record")["count"] == 20

    def test_a_record_without_place_or_date_is_counted_as_such(self) -> None:
        Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
        index_missing()
        assert self.titles(place="unknown") == ["X.1 · " + Game.objects.first().name]
        assert [title.split(" ")[0] for title in self.titles(period="undated", kind="record")] == ["X.1"]

    def test_a_record_belongs_to_every_century_it_may_be_of(self) -> None:
        game = Game.objects.first()
        Evidence.objects.create(identifier="X.1", type="A", game=game, quotation="A board.", date_edtf="-0150/0020")
        index_missing()
        assert {"-200", "-100", "0"} <= set(self.counts("period", kind="record"))
        page = self.page(f"{SEARCH}?kind=record")
        for text in ("201–102 BCE", "101–2 BCE", "1 BCE–99", "1900–1999"):
            assert text in page

    def test_rulesets_claims_and_doubts(self) -> None:
        read = Evidence.objects.filter(readings__isnull=False).distinct().count()
        assert self.counts("rulesets", kind="record").get("yes", 0) == read
        claimed = Evidence.objects.filter(anchors__claim__isnull=False).distinct().count()
        assert self.counts("claims", kind="record").get("yes", 0) == claimed
        for factor in UncertaintyFactor.objects.filter(evidence__isnull=False).distinct():
            assert self.counts("uncertainty")[factor.slug] == factor.evidence.count()

    def test_a_withdrawn_record_is_found_no_more(self) -> None:
        Evidence.objects.filter(identifier="DLP.Evidence.692").update(withdrawn_on="2026-01-01", withdrawn_reason="x")
        index_changed({"record": Evidence.objects.values_list("pk", flat=True)})
        assert self.read(q="astonishing rapidity", kind="record")["count"] == 0
        assert missing() == {}


class CountingOnceTests(SearchCase):
    def test_what_takes_long_is_counted_once_in_each_edition_of_the_index(self) -> None:
        with patch.object(ranking, "LONG", 0), self.client.fresh():
            first = self.read(kind="record")["count"]
            with patch.object(ranking, "_counted", side_effect=AssertionError("counted again")):
                assert self.read(kind="record")["count"] == first
            once = self.titles(q="board")
            with patch.object(ranking, "_by_score", side_effect=AssertionError("ranked again")):
                assert self.titles(q="board") == once
            Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
            index_missing()
            assert self.read(kind="record")["count"] == first + 1
