"""The search in the API: the same box, facets and orders as on the page at /search/."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from catalogue.api.paging import LARGEST_PAGE, PAGE_SIZE, whole_number
from catalogue.api.problems import Refused
from catalogue.api.schema import WRONG
from catalogue.api.viewsets import StrictParameters
from catalogue.search.documents import SEARCHED
from catalogue.search.export_formats import search_document
from catalogue.search.facets import TITLES
from catalogue.search.query import LONGEST
from catalogue.search.ranking import SORTS
from catalogue.search.requests import PARAMETERS, WrongSearch, wish
from catalogue.search.results import Listing, listing
from simulator.engine.ruleset import Problem


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


def _described() -> list[OpenApiParameter]:
    whole = {"type": "integer", "minimum": 1}
    return [
        OpenApiParameter(
            "q",
            {"type": "string", "maxLength": LONGEST},
            description='Words, "phrases", -exclusions, and OR between two of them.',
        ),
        *(OpenApiParameter(name, str, description=f"Only finds of this: {TITLES[name].lower()}.") for name in TITLES),
        OpenApiParameter("sort", str, enum=list(SORTS), default="relevance"),
        OpenApiParameter("page", {**whole, "default": 1}),
        OpenApiParameter("page_size", {**whole, "maximum": LARGEST_PAGE, "default": PAGE_SIZE}),
    ]


class SearchView(StrictParameters):
    """Games, rulesets, records, sources, points of doubt, claims and rules, by their words."""

    def parameters(self) -> Sequence[str]:
        return (*PARAMETERS, "page_size")

    @extend_schema(
        operation_id="search_retrieve", parameters=_described(), responses={200: SearchSerializer, 400: WRONG}
    )
    def get(self, request: Request) -> Response:
        size = whole_number("page_size", request.query_params.get("page_size"), PAGE_SIZE, LARGEST_PAGE)
        asked = request._request.GET.copy()
        asked.pop("format", None)
        try:
            found = listing(wish(asked, others=("page_size",)), size)
        except WrongSearch as problem:
            raise Refused([Problem(problem.field, str(problem), problem.nearest)]) from problem
        base = request.build_absolute_uri("/").rstrip("/")
        return Response({**search_document(found, base), **_neighbours(request, found)})


def _neighbours(request: Request, found: Listing) -> dict[str, str | None]:
    here, number = request.build_absolute_uri(), found.wish.page
    back = replace_query_param(here, "page", number - 1) if number > 2 else remove_query_param(here, "page")
    return {
        "next": replace_query_param(here, "page", number + 1) if number < found.pages else None,
        "previous": back if number > 1 else None,
    }
