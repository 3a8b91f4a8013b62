"""What every list and every row of the API has in common."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.request import Request
from rest_framework.routers import APIRootView
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from catalogue.api.parameters import refuse_unknown
from catalogue.api.problems import Refused
from catalogue.views.refusals import nearest_word
from simulator.engine.ruleset import Problem

FORMATS = ("json", "api")


class StrictParameters(APIView):
    """A view that looks at its parameters before anything else."""

    def parameters(self) -> Sequence[str]:
        return ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        wanted = str(api_settings.URL_FORMAT_OVERRIDE)
        refuse_unknown(request.query_params, (wanted, *self.parameters()))
        written = request.query_params.get(wanted) or "json"
        if written not in FORMATS:
            message = f"must be one of {', '.join(FORMATS)}, not {written[:60]!r}"
            raise Refused([Problem(wanted, message, nearest_word(written, FORMATS) or "json")])
        super().initial(request, *args, **kwargs)


class CatalogueViewSet(StrictParameters, viewsets.ReadOnlyModelViewSet):
    """A list that can be narrowed by its declared filters, and rows by their natural keys."""

    lookup_value_regex = "[^/]+"

    def parameters(self) -> Sequence[str]:
        if self.action != "list":
            return ()
        filters = getattr(self, "filterset_class", None)
        return ("page", "page_size", *(filters.base_filters if filters else ()))

    def get_object(self) -> Any:
        """The row of that key; else Refused, naming the row whose key looks most like it."""
        wanted = self.kwargs[self.lookup_url_kwarg or self.lookup_field]
        row = self.get_queryset().filter(**{self.lookup_field: wanted}).first()
        if row is None:
            rows = self.get_queryset().model._default_manager.all()
            keys = rows.order_by().values_list(self.lookup_field, flat=True)
            raise nothing_called(
                str(rows.model._meta.verbose_name), self.lookup_field, wanted, nearest_word(wanted, keys)
            )
        return row


def nothing_called(kind: str, field: str, wanted: str, nearest: Any) -> Refused:
    return Refused([Problem(field, f"there is no {kind} {wanted[:60]!r}", nearest)], HTTPStatus.NOT_FOUND)


class Root(StrictParameters, APIRootView):
    """The lists of the API, each with its address. What they hold is described at /about/api/ and at /api/docs/."""


@extend_schema(exclude=True)
class NothingHere(APIView):
    """Addresses below /api/v1/ that are none: refused in the form of every other error, whatever the method."""

    lists: Sequence[str] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        first = str(kwargs["rest"]).split("/")[0]
        raise nothing_called("list", "", first, nearest_word(first, self.lists))
