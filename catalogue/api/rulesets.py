"""Rulesets in the API: the newest version of every name, and any ruleset by slug, slug@number or hash."""

from http import HTTPStatus
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.endpoints import resource
from catalogue.api.named_rulesets import NamedRuleset, described, named
from catalogue.api.ruleset_fields import RulesetSerializer, WholeRulesetSerializer
from catalogue.api.schema import MISSING, WRONG
from catalogue.api.viewsets import CatalogueViewSet, nothing_called
from catalogue.api.what_if import ChangedRulesetSerializer, ChangeRequestSerializer, changed
from catalogue.filters.fields import KnownValueFilter, StrictFilterSet
from catalogue.models import Evidence, Game, Reading
from catalogue.web.problem_document import RefusedRequest
from simulator.models import RulesetVersion
from simulator.problems import WrongRequest


class RulesetFilters(StrictFilterSet):
    game = KnownValueFilter(model=Game, column="slug", method="read_as", label="slug of a game")
    evidence = KnownValueFilter(model=Evidence, column="identifier", method="read_as", label="identifier of a record")
    authority = KnownValueFilter(model=Reading, column="authority", method="read_as", label="whose reading it is")

    def read_as(self, rows: "QuerySet[RulesetVersion]", name: str, value: str) -> "QuerySet[RulesetVersion]":
        column = {"game": "game__slug", "evidence": "evidence__identifier", "authority": "authority"}[name]
        return rows.filter(slug__in=Reading.objects.filter(**{column: value}).values("slug"))


def newest_versions() -> "QuerySet[RulesetVersion]":
    newer = RulesetVersion.objects.filter(slug=OuterRef("slug"), number__gt=OuterRef("number"))
    return RulesetVersion.objects.filter(~Exists(newer)).select_related("ruleset").order_by("slug")


@resource("rulesets", name="ruleset", holds="rulesets: document, hash, rules in words, reading", key="daramuti-parker")
class RulesetViewSet(CatalogueViewSet):
    """Rulesets that can be played, each with its document, its hash and its rules in words."""

    serializer_class, whole_class, filterset_class = RulesetSerializer, WholeRulesetSerializer, RulesetFilters
    lookup_field, lookup_url_kwarg = "slug", "name"
    orderings = {"slug": ("slug",), "date": ("date", "slug")}
    queryset = newest_versions()

    def with_details(self, rows: list[Any]) -> list[Any]:
        return described([(version.ruleset, version) for version in rows])

    def retrieve(self, request: Request, name: str) -> Response:
        return Response(self.get_serializer(_found(name)).data)

    @extend_schema(
        request=ChangeRequestSerializer,
        responses={200: OpenApiResponse(ChangedRulesetSerializer), 400: WRONG, 404: MISSING},
        filters=False,
    )
    @action(detail=True, methods=["post"], pagination_class=None)
    def change(self, request: Request, name: str) -> Response:
        """What a ruleset becomes with some parameters changed. Nothing is written, and nothing is played."""
        parent = _found(name)
        sent = ChangeRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        given = changed(parent, sent.validated_data["set"])
        return Response(ChangedRulesetSerializer(given, context=self.get_serializer_context()).data)


def _found(name: str) -> NamedRuleset:
    """The ruleset of that name; raises RefusedRequest."""
    try:
        found = named(name)
    except WrongRequest as error:
        raise RefusedRequest(error.problems, HTTPStatus.NOT_FOUND) from error
    if found is None:
        raise nothing_called("ruleset", "ruleset", name, None)
    return found
