"""Pages take as many queries for many records as for few, and no more than they took."""

import json

import pytest

from catalogue.search.indexing import index_missing
from tests.catalogue.page_world import CatalogueTestCase
from tests.golden_query_counts import PATH, counted
from tests.synthetic_catalogue import fill


class QueryCounts(CatalogueTestCase):
    @pytest.mark.thorough
    def test_they_do_not_grow_with_the_number_of_records(self) -> None:
        fill(300)
        index_missing()
        few = counted()
        fill(100, seed=8)
        index_missing()
        assert counted() == few
        golden = json.loads(PATH.read_text(encoding="utf-8"))
        assert few == golden, "if that is meant: python -m tests.golden_query_counts"
