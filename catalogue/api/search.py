"""The search in the API: the same box, facets and orders as on the page at /search/."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.endpoints import endpoint
from catalogue.api.paging import PAGE_NUMBER, neighbours, page_size, size_schema
from catalogue.api.schema import WRONG
from catalogue.api.viewsets import StrictParameters
from catalogue.search.documents import SEARCHED
from catalogue.search.export_formats import search_document
from catalogue.search.facets import TITLES
from catalogue.search.query import LONGEST
from catalogue.search.ranking import SORTS
from catalogue.search.requests import PARAMETERS, WrongSearch, read_request
from catalogue.search.results import search_listing
from catalogue.web.problem_document import RefusedRequest


class FindSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=list(SEARCHED))
    title = serializers.CharField()
    address = serializers.URLField(help_text="Its page for readers.")
    about = serializers.CharField(help_text="In a line, what it is; may be empty.")
    earliest = serializers.IntegerField(allow_null=True, help_text="Astronomical: 0 is 1 BCE; null if undated.")
    latest = serializers.IntegerField(allow_null=True)
    found_in = serializers.CharField(help_text="What the snippet is of, for example quotation.")
    snippet = serializers.CharField(help_text="The words around what was found.")


class FacetValueSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    text = serializers.CharField()
    count = serializers.IntegerField(help_text="Finds the list would have with it.")
    chosen = serializers.BooleanField()


class FacetSerializer(serializers.Serializer[Any]):
    name = serializers.ChoiceField(choices=list(TITLES))
    title = serializers.CharField()
    more = serializers.IntegerField(help_text="Further values, which are less frequent.")
    values = FacetValueSerializer(many=True)


class SearchSerializer(serializers.Serializer[Any]):
    """A page of finds."""

    understood = serializers.CharField(help_text="In a sentence, what is looked for.")
    remarks = serializers.ListField(child=serializers.CharField(), help_text="What was put right in what was asked.")
    suggestion = serializers.CharField(
        allow_null=True, help_text="What may have been meant, if nothing was found and this finds something."
    )
    count = serializers.IntegerField(help_text="Finds on all pages together.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    sort = serializers.ChoiceField(choices=list(SORTS))
    facets = FacetSerializer(many=True)
    results = FindSerializer(many=True)


DESCRIBED = [
    OpenApiParameter(
        "q",
        {"type": "string", "maxLength": LONGEST},
        description='Words, "phrases", -exclusions, and OR between two of them.',
    ),
    *(OpenApiParameter(name, str, description=f"Only finds of this: {TITLES[name].lower()}.") for name in TITLES),
    OpenApiParameter("sort", str, enum=list(SORTS), default="relevance"),
    OpenApiParameter("page", PAGE_NUMBER),
    OpenApiParameter("page_size", size_schema()),
]


@endpoint("search/", name="search", example="search/?q=board")
class SearchView(StrictParameters):
    """Games, rulesets, records, sources, points of doubt, claims and rules, by their words."""

    def parameters(self) -> Sequence[str]:
        return (*PARAMETERS, "page_size")

    @extend_schema(operation_id="search_retrieve", parameters=DESCRIBED, responses={200: SearchSerializer, 400: WRONG})
    def get(self, request: Request) -> Response:
        size = page_size(request)
        parameters = request._request.GET.copy()
        parameters.pop("format", None)
        try:
            found = search_listing(read_request(parameters, others=("page_size",)), size)
        except WrongSearch as problem:
            raise RefusedRequest.of(problem.field, str(problem), problem.nearest) from problem
        base = request.build_absolute_uri("/").rstrip("/")
        next_page, previous_page = neighbours(request, found.request.page, found.pages)
        return Response({**search_document(found, base), "next": next_page, "previous": previous_page})
