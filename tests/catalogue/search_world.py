"""What the tests of the search stand on: the shipped catalogue in its index, and lists read as programmes read them."""

from typing import Any

from catalogue.search.indexing import index_missing
from tests.catalogue.page_world import CatalogueTestCase, text_of

SEARCH = "/search/"


class SearchCase(CatalogueTestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        index_missing()

    def read(self, **wishes: str) -> dict[str, Any]:
        response = self.client.get(SEARCH, {**wishes, "format": "json"})
        assert response.status_code == 200, (wishes, text_of(response))
        found: dict[str, Any] = response.json()
        return found

    def titles(self, **asked: str) -> list[str]:
        return [find["title"] for find in self.read(**asked)["results"]]

    def counts(self, facet: str, **asked: str) -> dict[str, int]:
        facets = {one["name"]: one["values"] for one in self.read(**asked, all=facet)["facets"]}
        return {one["value"]: one["count"] for one in facets.get(facet, ())}
