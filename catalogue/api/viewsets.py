"""Base views of the API: parameters that are checked, lists in pages, rows by their natural keys."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import mixins, viewsets
from rest_framework.exceptions import MethodNotAllowed, UnsupportedMediaType
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import APIRootView
from rest_framework.utils.mediatypes import media_type_matches
from rest_framework.views import APIView

from catalogue.api.formats import FORMAT, ExcelTableRenderer, TableRenderer
from catalogue.api.lists import (
    FIELDS,
    LARGEST_TABLE,
    PAGE_PARAMETERS,
    PAGE_SIZE,
    Orderings,
    chosen_fields,
    keep_only,
    refuse_unknown,
)
from catalogue.models import Term
from catalogue.models.lookup import KIND_OF, TERM, nearest_key, shown_rows
from catalogue.texts.words import nearest_word
from catalogue.web.problem_document import RefusedRequest

SAFE = ("get", "head", "options")


class StrictParameters(APIView):
    """A view that looks at its parameters before anything else."""

    format_kwarg: str | None = None  # no ending of an address means a format

    def parameters(self) -> Sequence[str]:
        return ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        method = str(request.method).lower()
        if method not in self.http_method_names or not hasattr(self, method):
            raise MethodNotAllowed(str(request.method))
        if method not in SAFE and not any(
            media_type_matches(parser.media_type, request.content_type or "") for parser in self.get_parsers()
        ):
            raise UnsupportedMediaType(request.content_type or "")  # without a body too: any page can have that sent
        refuse_unknown(request.query_params, (FORMAT, *self.parameters()))
        formats = [renderer.format for renderer in self.get_renderers()]
        written = request.query_params.get(FORMAT, formats[0])
        if written not in formats:
            message = f"must be one of {', '.join(formats)}, not {written[:60]!r}"
            raise RefusedRequest.of(FORMAT, message, nearest_word(written, formats) or formats[0])
        super().initial(request, *args, **kwargs)


class ListViewSet(StrictParameters, mixins.ListModelMixin, viewsets.GenericViewSet[Any]):
    """A list that can be narrowed by its declared filters.

    orderings:      the orders it can be had in, by name: columns that together tell any two rows apart
    usual_ordering: the one it has unless another is asked for: the first
    tables:         the forms besides JSON that an action can be had in
    table_sizes:    rows in a page of such a table: usually, and at most
    permission, or_own, reads_only, example: of an action that is none of the usual; see `catalogue.web.routes.Route`
    """

    orderings: Orderings
    tables: Mapping[str, Sequence[type[BaseRenderer]]] = {"list": (TableRenderer, ExcelTableRenderer)}
    table_sizes = (PAGE_SIZE, LARGEST_TABLE)
    chosen: frozenset[str] = frozenset()
    permission, or_own, reads_only, example = "", False, False, ""

    @property
    def usual_ordering(self) -> str:
        return next(iter(self.orderings))

    def with_details(self, rows: list[Any]) -> list[Any]:
        """Return the rows with the details that their serializer needs beside their columns."""
        return rows

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return self.with_details(super().paginate_queryset(queryset) or [])

    def parameters(self) -> Sequence[str]:
        if self.action == "list":
            filters = getattr(self, "filterset_class", None)
            return (*PAGE_PARAMETERS, FIELDS, *(filters.base_filters if filters else ()))
        return (FIELDS,) if self.action == "retrieve" else ()

    def get_renderers(self) -> list[Any]:
        json, *others = super().get_renderers()
        return [json, *(table() for table in self.tables.get(self.action, ())), *others]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.query_params.get(FIELDS):
            whole: Any = super().get_serializer()
            self.chosen = chosen_fields(request.query_params[FIELDS], whole.fields)

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        return keep_only(self.chosen, super().get_serializer(*args, **kwargs))


class CatalogueViewSet(ListViewSet, mixins.RetrieveModelMixin):
    """A list, and rows by their natural keys.

    whole_class:   the serializer of a row by itself, if that says more than the row in the list
    request_class: that of what is sent to have a row made
    """

    lookup_value_regex = "[^/]+"
    whole_class: Any = None
    request_class: Any = None

    def get_serializer_class(self) -> Any:
        special = {"retrieve": self.whole_class, "create": self.request_class}
        return special.get(self.action) or self.serializer_class

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        (row,) = self.with_details([self.get_object()])
        return Response(self.get_serializer(row).data, headers=self.headers_of(row))

    def headers_of(self, row: Any) -> dict[str, str]:
        """Return further header fields of the answer with this row."""
        return {}

    def get_object(self) -> Any:
        """The row of that key; else RefusedRequest, naming the row whose key looks most like it."""
        key = self.kwargs[self.lookup_url_kwarg or self.lookup_field]
        row = self.get_queryset().filter(**{self.lookup_field: key}).first()
        if row is None:
            rows = shown_rows(self.get_queryset().model)
            near = nearest_key(rows, self.lookup_field, key)
            raise no_such_row(str(rows.model._meta.verbose_name), self.lookup_field, key, near)
        return row


class KeyedViewSet(CatalogueViewSet):
    """A list of rows with a key of two parts, which an address joins by a slash."""

    lookup_url_kwarg, lookup_value_regex = "key", ".+"

    def get_object(self) -> Any:
        key, rows = self.kwargs["key"], self.get_queryset()
        kind = TERM if rows.model is Term else KIND_OF[rows.model]
        row = rows.filter(**kind.where(key)).first() if kind.may_be(key) else None
        if row is None:
            raise no_such_row(str(rows.model._meta.verbose_name), "key", key, kind.nearest_key(key))
        return row


def no_such_row(kind: str, field: str, key: str, nearest: Any) -> RefusedRequest:
    return RefusedRequest.of(field, f"there is no {kind} {key[:60]!r}", nearest, status=HTTPStatus.NOT_FOUND)


class Root(StrictParameters, APIRootView):
    """The lists of the API, each with its address. What they hold is described at /about/api/ and at /api/docs/."""


@extend_schema(exclude=True)
class NothingHere(APIView):
    """Addresses below /api/v1/ that are none: refused in the form of every other error, whatever the method."""

    known: Sequence[str] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        first = str(kwargs["rest"]).split("/")[0]
        raise no_such_row("list", "", first, nearest_word(first, self.known))
