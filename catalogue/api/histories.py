"""Histories in the API: what was changed in a record, a reading, a clause, a question, a claim or a note, and why."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.utils.urls import replace_query_param

from catalogue.api.endpoints import endpoint
from catalogue.api.paging import PAGE_NUMBER, page_size, size_schema, whole_number
from catalogue.api.schema import MISSING, WRONG
from catalogue.api.viewsets import StrictParameters, nothing_called
from catalogue.history.histories import HISTORIES, Named, named, tracked
from catalogue.history.revisions import events, grouped, revision
from catalogue.models.lookup import key_of
from catalogue.texts.errors import nearest_word

PUBLISHED = {"evidence" if name == "record" else name: kind for name, kind in HISTORIES.items()}


class PieceSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=["same", "added", "removed", "left out"])
    text = serializers.CharField()


class ChangedFieldSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]
    before = serializers.CharField(help_text="Empty if there was nothing, and for texts, which are given in pieces.")
    after = serializers.CharField()
    pieces = PieceSerializer(many=True, help_text="A text word by word.")


class ChangedRowSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(help_text="The row itself, or what belongs to it: an answer, or words of a record.")
    action = serializers.CharField(help_text="recorded for the first time, changed or deleted.")
    whole = serializers.BooleanField(help_text="Whether everything the row held is given, not only what changed.")
    changed = ChangedFieldSerializer(source="fields", many=True)  # `fields` is a serializer's own word


class RevisionSerializer(serializers.Serializer[Any]):
    date = serializers.DateTimeField()
    author = serializers.CharField()
    reason = serializers.CharField()
    rows = ChangedRowSerializer(many=True)


class HistorySerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=list(PUBLISHED))
    key = serializers.CharField(help_text="What was asked for.")
    key_now = serializers.CharField(allow_null=True, help_text="What it is called now; null if it was deleted.")
    page = serializers.URLField(help_text="The same for readers.")
    count = serializers.IntegerField(help_text="Revisions in all pages grouped.")
    next = serializers.URLField(allow_null=True, help_text="The address of the next page; null on the last one.")
    previous = serializers.URLField(allow_null=True)
    results = RevisionSerializer(many=True, help_text="The newest first.")


@endpoint("histories/<str:kind>/<path:key>/", name="history", example="histories/clause/puhulmutu-parker/relay/")
class HistoryView(StrictParameters):
    """What was changed in a row, when, by whom and why. A row that was deleted keeps its history."""

    def parameters(self) -> tuple[str, ...]:
        return ("page", "page_size")

    @extend_schema(
        operation_id="histories_retrieve",
        parameters=[
            OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=list(PUBLISHED)),
            OpenApiParameter("key", str, OpenApiParameter.PATH, description="For example DLP.Evidence.692."),
            OpenApiParameter("page", PAGE_NUMBER),
            OpenApiParameter("page_size", size_schema()),
        ],
        responses={200: HistorySerializer, 400: WRONG, 404: MISSING},
    )
    def get(self, request: Request, kind: str, key: str) -> Response:
        if kind not in PUBLISHED:
            raise nothing_called("kind of history", "kind", kind, nearest_word(kind, PUBLISHED))
        row_kind = PUBLISHED[kind]
        found = named(row_kind, key)
        if found is None:
            raise nothing_called(f"history of a {row_kind.name}", "key", key, row_kind.nearest_key(key))
        return Response(HistorySerializer(_document(request, kind, key, found)).data)


def _document(request: Request, published: str, key: str, found: Named) -> dict[str, Any]:
    kind = PUBLISHED[published]
    every = grouped(events(tracked(kind, found.numbers)))
    size = page_size(request)
    most = max(1, -(-len(every) // size))
    number = whole_number("page", request.query_params.get("page"), 1, most)
    return {
        "kind": published,
        "key": key,
        "key_now": key_of(found.row) if found.row else None,
        "page": reverse("history", args=[kind.name, key], request=request),
        "count": len(every),
        "next": _page(request, number + 1) if number < most else None,
        "previous": _page(request, number - 1) if number > 1 else None,
        "results": [revision(one) for one in every[(number - 1) * size : number * size]],
    }


def _page(request: Request, number: int) -> str:
    return str(replace_query_param(request.build_absolute_uri(), "page", number))
