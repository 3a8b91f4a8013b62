"""Rulesets in the API: the newest version of every name, any other by slug, slug@number or hash, and what-ifs.

A ruleset comes with its versions and names, its reading, and its rules in words. A what-if is a ruleset with some rules
changed: what it would be, which clauses no longer hold, and which readings have a rule so. Nothing is written and
nothing is played; a batch is requested with the same `set`.
"""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

import rfc8785
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django_filters import CharFilter
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from catalogue.api.description import MISSING, WRONG
from catalogue.api.endpoints import resource
from catalogue.api.fields import Address, Document, GameLink, HistoryAddress, StringList, either
from catalogue.api.jobs import BatchRequestSerializer, StrictSerializer
from catalogue.api.viewsets import CatalogueViewSet, no_such_row
from catalogue.filters.filter_sets import ChangedSince, KnownValueFilter
from catalogue.models import Basis, Clause, Evidence, Game, Reading
from catalogue.models.lookup import nearest_key, version_called
from catalogue.texts.words import nearest_word
from catalogue.web.conditional import conditional
from catalogue.web.files import UNCHANGING
from catalogue.web.problem_document import RefusedRequest
from catalogue.what_if.changes import query, what_if
from catalogue.what_if.context import ChangedRule, ReadingContext, changed_rules, reading_context
from simulator.analyses import ladders
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.engine.ruleset import RulesetProblem
from simulator.models import Ruleset, RulesetVersion
from simulator.problems import WrongRequest
from simulator.rulesets import as_engine, find
from simulator.strength import solutions


@dataclass(frozen=True, slots=True)
class DescribedRuleset:
    """Content with the name it was found by, if it has one, and the meaning of that name.

    versions:  every version of the name, the newest first
    synonyms:  other names of the same content
    """

    content: Ruleset
    version: RulesetVersion | None
    versions: list[RulesetVersion]
    synonyms: list[str]
    reading: Reading | None

    @property
    def name(self) -> str:
        """`slug@number`, else the hash: what it will always be called."""
        return str(self.version) if self.version else self.content.hash

    @property
    def short_name(self) -> str:
        """The slug alone, if that means this content now."""
        return self.version.slug if self.version and self.version == self.versions[0] else self.name


def named(name: str) -> DescribedRuleset | None:
    """The ruleset of a slug, slug@number, hash or its beginning; raises WrongRequest if there is none such.

    None if it is among the shipped files but was not loaded.
    """
    content = Ruleset.objects.prefetch_related("versions").filter(hash=find(name).hash).first()
    if content is None:
        return None
    versions = list(content.versions.all())
    meant = next(
        (version for version in versions if name in (version.slug, str(version))), versions[0] if versions else None
    )
    return described([(content, meant)])[0]


def described(shown: Sequence[tuple[Ruleset, RulesetVersion | None]]) -> list[DescribedRuleset]:
    """Rulesets with their names and readings: three queries, however many rulesets."""
    slugs = {version.slug for _, version in shown if version}
    alike = Q(slug__in=slugs) | Q(ruleset__in=[content.hash for content, _ in shown])
    versions = list(RulesetVersion.objects.filter(alike).select_related("parent").order_by("slug", "-number"))
    evidence = Prefetch("evidence", Evidence.objects.only("identifier"))
    rows = Clause.objects.exclude(not_played="").order_by("position", "slug")
    unplayed = Prefetch("clauses", rows, to_attr="unplayed")
    readings = (
        Reading.objects.filter(slug__in=slugs).select_related("game", "rests_on").prefetch_related(evidence, unplayed)
    )
    by_slug = {reading.slug: reading for reading in readings}
    return [
        DescribedRuleset(
            content,
            version,
            [other for other in versions if version and other.slug == version.slug],
            [str(other) for other in versions if other.ruleset_id == content.hash and other != version],
            by_slug.get(version.slug) if version else None,
        )
        for content, version in shown
    ]


class UnplayedRuleSerializer(serializers.Serializer[Clause]):
    clause = serializers.CharField(source="slug")
    rule = serializers.CharField()
    missing = serializers.CharField(source="not_played", help_text="What is missing here, in a short tag.")


class ReadingSerializer(serializers.ModelSerializer[Reading]):
    """What a ruleset means: whose understanding of which records it is."""

    game = GameLink(read_only=True)
    evidence = serializers.SlugRelatedField[Evidence](slug_field="identifier", many=True, read_only=True)

    rests_on = serializers.SlugRelatedField[Reading](
        slug_field="slug",
        read_only=True,
        allow_null=True,
        help_text="The reading whose clauses hold wherever both give a parameter the same value.",
    )
    rests_basis = serializers.CharField(
        read_only=True, help_text="What that rests on itself; empty if it rests on none."
    )
    history = HistoryAddress()
    clauses = Address(
        "v1:clause-list",
        "slug",
        narrowed_by="held_by",
        help_text="The list of its rules with their words, inherited ones too.",
    )

    not_played = serializers.SerializerMethodField(
        help_text="Rules that its words tell and that are not played; empty if it is played whole."
    )

    @extend_schema_field(UnplayedRuleSerializer(many=True))
    def get_not_played(self, reading: Reading) -> Any:
        return UnplayedRuleSerializer(vars(reading).get("unplayed", ()), many=True).data

    class Meta:
        model = Reading
        fields = (
            "title", "game", "evidence", "authority", "kind", "summary", "encoded_by", "checked_by", "rests_on",
            "rests_basis", "rests_text", "history", "clauses", "not_played",
        )  # fmt: skip


class VersionSerializer(serializers.ModelSerializer[RulesetVersion]):
    name = serializers.CharField(source="__str__", read_only=True, help_text="slug@number")
    hash = serializers.CharField(source="ruleset_id", read_only=True)
    parent = serializers.CharField(  # type: ignore[assignment]
        read_only=True, allow_null=True, help_text="The version it was made from."
    )

    class Meta:
        model = RulesetVersion
        fields: tuple[str, ...] = ("name", "number", "hash", "date", "parent")


class RuleSerializer(serializers.Serializer[Any]):
    parameter = serializers.CharField()
    title = serializers.CharField()
    rule = serializers.CharField(help_text="The rule in plain words; of one that is left out, what is so instead.")
    left_out = serializers.BooleanField(help_text="Whether it is a rule that this ruleset does without.")


class RulesetSerializer(serializers.Serializer[DescribedRuleset]):
    name = serializers.CharField(help_text="slug@number, or the hash where the content has no name.")
    slug = serializers.SlugField(source="version.slug", allow_null=True, default=None)
    number = serializers.IntegerField(source="version.number", allow_null=True, default=None)
    hash = serializers.CharField(source="content.hash", help_text="SHA-256 of the canonical document (RFC 8785).")
    url = Address("v1:ruleset-detail", "short_name", help_text="Its address in this API.")
    page = Address("ruleset", "short_name", help_text="Its page for readers.")
    family = serializers.CharField(source="content.family")
    document = serializers.DictField(
        child=Document("ParameterValue"),
        source="content.document",
        help_text="Parameters at their off value are left out.",
    )
    rules = serializers.SerializerMethodField(help_text="Every parameter that matters here, in words.")
    synonyms = StringList(help_text="Other names of the same content.")
    versions = VersionSerializer(many=True)
    reading = ReadingSerializer(allow_null=True)
    batches = Address(
        "v1:batch-list",
        "content.hash",
        narrowed_by="ruleset",
        help_text="The list of the batches that were played of it.",
    )

    @extend_schema_field(RuleSerializer(many=True))
    def get_rules(self, shown: DescribedRuleset) -> list[dict[str, Any]]:
        kind, ruleset = family(shown.content.family), as_engine(shown.content)
        rows = [(False, *row) for row in kind.words(ruleset)] + [(True, *row) for row in kind.left_out(ruleset)]
        return [
            {"parameter": key, "title": title, "rule": rule, "left_out": left_out}
            for left_out, key, title, rule in rows
        ]


class WholeRulesetSerializer(RulesetSerializer):
    """A ruleset with its board, and with what has been found out about it besides its batches."""

    engine = serializers.SerializerMethodField(help_text="Family and version of the engine, for example sowing 1.")
    seats = serializers.SerializerMethodField(help_text="Who plays, by name; a player's number is the place here.")
    board = serializers.SerializerMethodField(help_text="The board at the start, as SVG.")

    def get_engine(self, shown: DescribedRuleset) -> str:
        return f"{shown.content.family} {family(shown.content.family).rules_version}"

    def get_seats(self, shown: DescribedRuleset) -> list[str]:
        kind, parameters = family(shown.content.family), as_engine(shown.content).parameters
        return [kind.naming(parameters).seat(seat) for seat in range(kind.seats(parameters))]

    def get_board(self, shown: DescribedRuleset) -> str:
        return family(shown.content.family).draw_start(as_engine(shown.content))

    ladder = serializers.SerializerMethodField(
        help_text="How far players that think ahead beat others, from the ladder of the levels of the scale if it was "
        "climbed, else from the one climbed last; null if there is none."
    )

    @extend_schema_field(either("LadderDocument"))
    def get_ladder(self, shown: DescribedRuleset) -> dict[str, Any] | None:
        ruleset = as_engine(shown.content)
        ladder = ladders.shown_ladder(ruleset, shown.name).ladder
        return ladders.as_read(ruleset, ladder.document) if ladder and ladder.document else None

    solution = serializers.SerializerMethodField(
        help_text="What best play comes to, proved as its `method` says, or chances; null if nobody solved it."
    )

    @extend_schema_field(either("SolutionDocument"))
    def get_solution(self, shown: DescribedRuleset) -> dict[str, Any] | None:
        solution = solutions.solution_of(as_engine(shown.content), shown.name)
        return solution.document if solution else None


class ChangeRequestSerializer(StrictSerializer):
    set = serializers.DictField(
        child=Document("SentValue", allow_null=True),
        help_text="Parameters to be changed, for example {“counters_per_hole”: 5}.",
    )

    def validate_set(self, changes: dict[str, Any]) -> dict[str, str]:
        return BatchRequestSerializer().validate_set(changes)


@dataclass(frozen=True, slots=True)
class ChangedRuleset:
    """A ruleset that can be played, and how it differs from its parent."""

    parent: DescribedRuleset
    values: dict[str, Any]
    content: EngineRuleset
    rules: list[ChangedRule]
    around: ReadingContext
    query: str


def changed(parent: DescribedRuleset, typed: dict[str, str]) -> ChangedRuleset:
    """Return the changed ruleset; raises RefusedRequest with everything that is wrong."""
    ruleset = as_engine(parent.content)
    try:
        change = what_if(ruleset, typed)
    except RulesetProblem as error:
        raise RefusedRequest(replace(problem, key=f"set.{problem.key}") for problem in error.problems) from error
    if change.ruleset is None:
        raise RefusedRequest(replace(problem, key=f"set.{problem.key}") for problem in change.problems)
    around = reading_context(parent.version.slug if parent.version else None, ruleset)
    rules = changed_rules(around, family(ruleset.family), ruleset.parameters, change.parameters)
    return ChangedRuleset(parent, change.values, change.ruleset, rules, around, query(change.typed))


class LostClauseSerializer(serializers.Serializer[Any]):
    reading = serializers.CharField(source="clause.reading.slug")
    slug = serializers.CharField(source="clause.slug")
    basis = serializers.CharField(source="clause.basis", help_text="What it rested on.")
    text = serializers.CharField(source="clause.text")


class ChangedRuleSerializer(serializers.Serializer[ChangedRule]):
    parameter = serializers.CharField(source="change.key")
    title = serializers.CharField(source="change.title")
    before = serializers.CharField(source="change.before", help_text="The rule of the parent in plain words.")
    after = serializers.CharField(source="change.after", help_text="The rule as it is now.")
    basis = serializers.SerializerMethodField(help_text="Always a conjecture: no source gives this with the rest.")
    clause = LostClauseSerializer(allow_null=True, help_text="The clause of the parent that no longer holds.")
    read_so_by = serializers.SerializerMethodField(help_text="Other readings of the game that have the rule so.")

    def get_basis(self, rule: ChangedRule) -> str:
        return Basis.CONJECTURE.value

    def get_read_so_by(self, rule: ChangedRule) -> list[str]:
        return [reading.slug for reading in rule.read_so_by]


class AnsweredSerializer(serializers.Serializer[Any]):
    question = serializers.CharField()
    title = serializers.CharField()
    before = serializers.CharField(allow_null=True, help_text="The answer of the parent; null if it is not listed.")
    after = serializers.CharField(allow_null=True, help_text="The answer now; null if it is not listed.")


class ChangedRulesetSerializer(serializers.Serializer[ChangedRuleset]):
    parent = serializers.CharField(  # type: ignore[assignment]
        source="parent.name", read_only=True, help_text="What was changed."
    )
    set = serializers.DictField(
        child=Document("ParameterValue"), source="values", help_text="The parameters that differ."
    )
    family = serializers.CharField(source="content.family")
    hash = serializers.CharField(source="content.hash", help_text="SHA-256 of the canonical document (RFC 8785).")
    document = serializers.DictField(
        child=Document("ParameterValue"),
        source="content.document",
        help_text="Parameters at their off value are left out.",
    )
    names = serializers.SerializerMethodField(help_text="What the same content is already called.")
    page = serializers.SerializerMethodField(help_text="The page of this change for readers.")
    rules = ChangedRuleSerializer(many=True)
    answers = serializers.SerializerMethodField(help_text="Questions of the game that are answered otherwise now.")

    def get_names(self, change: ChangedRuleset) -> list[str]:
        return [str(version) for version in RulesetVersion.objects.filter(ruleset=change.content.hash)]

    def get_page(self, change: ChangedRuleset) -> str:
        page = reverse("change-ruleset", args=[change.parent.name], request=self.context["request"])
        return f"{page}?{change.query}" if change.query else page

    @extend_schema_field(AnsweredSerializer(many=True))
    def get_answers(self, change: ChangedRuleset) -> list[dict[str, Any]]:
        return list(_answers(change))


def _answers(change: ChangedRuleset) -> Iterable[dict[str, Any]]:
    before = as_engine(change.parent.content).parameters
    for question in change.around.questions:
        if set(question.question.parameters) & set(change.values):
            given = question.given_by(before), question.given_by(change.content.parameters)
            was, now = (result.answer.slug if result else None for result in given)
            yield {"question": question.question.slug, "title": question.question.title, "before": was, "after": now}


class NamedVersionSerializer(VersionSerializer):
    slug = serializers.SlugField(read_only=True)
    url = Address("v1:version-detail", "__str__", help_text="Its address in this API.")
    ruleset = Address("v1:ruleset-detail", "__str__", help_text="The ruleset with its document, in this API.")
    page = Address("ruleset", "__str__", help_text="Its page for readers.")
    family = serializers.CharField(source="ruleset.family", read_only=True)
    children = serializers.SerializerMethodField(help_text="Versions that were made from it.")

    class Meta(VersionSerializer.Meta):
        fields = ("name", "url", "ruleset", "page", "slug", "number", "family", "hash", "date", "parent", "children")

    def get_children(self, version: RulesetVersion) -> list[str]:
        return sorted(map(str, version.children.all()))


class VersionsSince(ChangedSince):
    """A version never changes: it is of its day, or of the day on which its content came here."""

    def since(self, rows: "QuerySet[Any]", name: str, value: datetime.datetime) -> "QuerySet[Any]":
        return rows.filter(Q(date__gte=value.date()) | Q(ruleset__created__gte=value))


class VersionFilters(VersionsSince):
    slug = KnownValueFilter(model=RulesetVersion, column="slug", label="name of a ruleset")
    hash = CharFilter(field_name="ruleset", label="the whole hash of a ruleset: all names of this content")


@resource(
    "versions",
    name="version",
    holds="every version of every ruleset: its content, its date, what it was made from",
    key="daramuti-parker@1",
)
class VersionViewSet(CatalogueViewSet):
    """Every version of every ruleset that has a name. A version never changes."""

    serializer_class, filterset_class = NamedVersionSerializer, VersionFilters
    lookup_field, lookup_url_kwarg = "slug", "name"
    orderings = {"name": ("slug", "number"), "date": ("date", "slug", "number")}
    queryset = RulesetVersion.objects.select_related("ruleset", "parent").prefetch_related("children")

    def get_object(self) -> Any:
        name = self.kwargs["name"]
        version = version_called(self.get_queryset(), name)
        if version is None:
            known = nearest_key(RulesetVersion.objects.all(), "slug", name.partition("@")[0])
            names = [str(row) for row in RulesetVersion.objects.filter(slug=known)] if known else []
            raise no_such_row("version", "name", name, nearest_word(name, names))
        return version


class RulesetFilters(VersionsSince):
    game = KnownValueFilter(model=Game, column="slug", method="read_as", label="slug of a game")
    evidence = KnownValueFilter(model=Evidence, column="identifier", method="read_as", label="identifier of a record")
    authority = KnownValueFilter(model=Reading, column="authority", method="read_as", label="whose reading it is")

    def read_as(self, rows: "QuerySet[RulesetVersion]", name: str, value: str) -> "QuerySet[RulesetVersion]":
        column = {"game": "game__slug", "evidence": "evidence__identifier", "authority": "authority"}[name]
        return rows.filter(slug__in=Reading.objects.filter(**{column: value}).values("slug"))


def newest_versions() -> "QuerySet[RulesetVersion]":
    newer = RulesetVersion.objects.filter(slug=OuterRef("slug"), number__gt=OuterRef("number"))
    return RulesetVersion.objects.filter(~Exists(newer)).select_related("ruleset").order_by("slug")


DOCUMENT = {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/ParameterValue"}}


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
        return Response(self.get_serializer(_ruleset_called(name)).data)

    @extend_schema(
        responses={
            200: OpenApiResponse(DOCUMENT, "The same for ever of a version or a whole hash."),
            400: WRONG,
            404: MISSING,
        },
        filters=False,
    )
    @action(detail=True, filter_backends=(), pagination_class=None)
    def document(self, request: Request, name: str) -> HttpResponseBase:
        """The document alone in its canonical form (RFC 8785), whose SHA-256 is the hash of the ruleset."""
        try:
            ruleset = find(name)
        except WrongRequest as error:
            raise RefusedRequest(error.problems, HTTPStatus.NOT_FOUND) from error
        is_final = "@" in name or name == ruleset.hash
        said = {"ETag": f'"{ruleset.hash}"', "Cache-Control": UNCHANGING if is_final else "no-cache"}
        answer = HttpResponse(rfc8785.dumps(ruleset.document), content_type="application/json", headers=said)
        return conditional(request, answer, None)

    @extend_schema(
        request=ChangeRequestSerializer,
        responses={200: OpenApiResponse(ChangedRulesetSerializer), 400: WRONG, 404: MISSING},
        filters=False,
    )
    @action(detail=True, methods=["post"], pagination_class=None, reads_only=True)
    def change(self, request: Request, name: str) -> Response:
        """What a ruleset becomes with some parameters changed. Nothing is written, and nothing is played."""
        parent = _ruleset_called(name)
        sent = ChangeRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        given = changed(parent, sent.validated_data["set"])
        return Response(ChangedRulesetSerializer(given, context=self.get_serializer_context()).data)


def _ruleset_called(name: str) -> DescribedRuleset:
    """The ruleset of that name; raises RefusedRequest."""
    try:
        ruleset = named(name)
    except WrongRequest as error:
        raise RefusedRequest(error.problems, HTTPStatus.NOT_FOUND) from error
    if ruleset is None:
        raise no_such_row("ruleset", "ruleset", name, None)
    return ruleset
