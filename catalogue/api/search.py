"""Search, map and time line in the API: one box with facets; the records by place as GeoJSON (RFC 7946) and by year."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.renderers import BrowsableAPIRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from catalogue.api.description import WRONG
from catalogue.api.endpoints import endpoint
from catalogue.api.fields import StringList, shape
from catalogue.api.lists import PAGE_NUMBER, neighbours, page_size, size_schema
from catalogue.api.viewsets import StrictParameters
from catalogue.filters.filter_sets import EvidenceFilters, YearField
from catalogue.geography.map import PlacedRecords
from catalogue.geography.queries import all_by_place, by_place, known_of, spans_of
from catalogue.geography.time_line import Bins, binned
from catalogue.models import Evidence
from catalogue.search.documents import SEARCHED
from catalogue.search.query import LONGEST
from catalogue.search.ranking import SORTS, TITLES
from catalogue.search.results import PARAMETERS, WrongSearch, read_request, search_document, search_listing
from catalogue.web.addresses import host_address
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


class SearchAnswerLinkSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    address = serializers.URLField()


class SearchAnswerSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text="What answers: word of the players, place, or question.")
    title = serializers.CharField()
    text = serializers.CharField(help_text="The answer in words; may be empty.")
    links = SearchAnswerLinkSerializer(many=True, help_text="Pages that say more.")


class SearchSerializer(serializers.Serializer[Any]):
    """A page of finds."""

    understood = serializers.CharField(help_text="In a sentence, what is looked for.")
    remarks = StringList(help_text="What was put right in what was asked.")
    suggestion = serializers.CharField(
        allow_null=True, help_text="What may have been meant, if nothing or little was found and this finds something."
    )
    answers = SearchAnswerSerializer(
        many=True, help_text="What answers the search before its finds; on its first page."
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


@endpoint("search/", name="search", example="search/?q=board", queries=16)
class SearchView(StrictParameters):
    """Games, rulesets, records, sources, open questions, claims and rules, by their words."""

    def parameters(self) -> Sequence[str]:
        return (*PARAMETERS, "page_size")

    @extend_schema(operation_id="search_retrieve", parameters=DESCRIBED, responses={200: SearchSerializer, 400: WRONG})
    def get(self, request: Request) -> Response:
        size = page_size(request)
        parameters = request._request.GET.copy()
        parameters.pop("format", None)
        try:
            listing = search_listing(read_request(parameters, others=("page_size",)), size)
        except WrongSearch as problem:
            raise RefusedRequest.of(problem.field, str(problem), problem.nearest) from problem
        base = host_address(request)
        next_page, previous_page = neighbours(request, listing.request.page, listing.pages)
        return Response({**search_document(listing, base), "next": next_page, "previous": previous_page})


class TimeLineBinSerializer(serializers.Serializer[Any]):
    first = serializers.IntegerField(help_text="Astronomical: 0 is 1 BCE.")
    last = serializers.IntegerField()
    certain = serializers.IntegerField(help_text="Records that are certainly of these years.")
    expected = serializers.FloatField(help_text="Every record shared out equally among all the years it may be of.")
    possible = serializers.IntegerField(help_text="Records that may be of these years.")


class TimeLineSerializer(serializers.Serializer[Any]):
    records = serializers.IntegerField(help_text="All records that were asked for.")
    undated = serializers.IntegerField(help_text="Those of them without a date.")
    open_ended = serializers.IntegerField(
        help_text="Those of which only the earliest or only the latest year is known: they are in no bin."
    )
    bins = TimeLineBinSerializer(many=True, help_text="At most 61, of as many years each, in order.")


class GeoJSONRenderer(JSONRenderer):
    media_type, format = "application/geo+json", "geojson"


class OfRecords(StrictParameters, GenericAPIView[Evidence]):
    """Something of all records that the same parameters as those of the list of evidence leave."""

    filterset_class, pagination_class = EvidenceFilters, None

    def get_queryset(self) -> "QuerySet[Evidence]":
        return Evidence.objects.shown().order_by()

    def parameters(self) -> tuple[str, ...]:
        return tuple(EvidenceFilters.base_filters)


@endpoint("map/", name="map", example="map/")
class MapView(OfRecords):
    """Where the records are from: each place with its number of records, as GeoJSON."""

    renderer_classes = (GeoJSONRenderer, JSONRenderer, BrowsableAPIRenderer)

    @extend_schema(operation_id="map_retrieve", filters=True, responses={200: shape("PlacesOnMap"), 400: WRONG})
    def get(self, request: Request) -> Response:
        records = self.filter_queryset(self.get_queryset())
        narrowed = any(request.query_params.get(name) for name in self.parameters())
        placed = by_place(records, request.query_params.get("place", "").strip()) if narrowed else all_by_place()
        roots = {name: reverse(address, request=request) for name, address in ROOTS.items()}
        document = {
            "type": "FeatureCollection",
            "records": placed.records,
            "records_without_place": placed.without_place,
            "features": [_feature(place, roots) for place in placed.places],
        }
        return Response(document)


ROOTS = {"url": "v1:place-list", "page": "place-list"}


def _feature(place: PlacedRecords, roots: dict[str, str]) -> dict[str, Any]:
    point = {"type": "Point", "coordinates": [place.longitude, place.latitude]}
    properties = {"slug": place.slug, "name": place.name, "records": place.records}
    return {
        "type": "Feature",
        "id": place.slug,
        "geometry": None if place.point is None else point,
        "properties": properties | {name: f"{root}{place.slug}/" for name, root in roots.items()},
    }


@endpoint("timeline/", name="timeline", example="timeline/")
class TimelineView(OfRecords):
    """When the records are of: bins of round years, with what is not known of their dates."""

    serializer_class = TimeLineSerializer

    @extend_schema(operation_id="timeline_retrieve", filters=True, responses={200: TimeLineSerializer, 400: WRONG})
    def get(self, request: Request) -> Response:
        records = self.filter_queryset(self.get_queryset())
        known = known_of(records)
        window = known.window(*(YearField(required=False).clean(request.query_params.get(n)) for n in ("from", "to")))
        bins = Bins(*window) if window else None
        document = {
            "records": known.all,
            "undated": known.undated,
            "open_ended": known.open_ended,
            "bins": binned(spans_of(records, bins), bins) if bins else [],
        }
        return Response(TimeLineSerializer(document).data)
