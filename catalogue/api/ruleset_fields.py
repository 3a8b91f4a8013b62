"""A ruleset and what the API says of it: its content, its version and names, its reading, its rules in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, Q
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.api.fields import Address, Document, GameLink, HistoryAddress, either
from catalogue.models import Evidence, Reading
from simulator import rulesets
from simulator.analyses import ladders
from simulator.engine.family import family
from simulator.models import Ruleset, RulesetVersion
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
    content = Ruleset.objects.prefetch_related("versions").filter(hash=rulesets.find(name).hash).first()
    if content is None:
        return None
    versions = list(content.versions.all())
    meant = next((one for one in versions if name in (one.slug, str(one))), versions[0] if versions else None)
    return described([(content, meant)])[0]


def described(shown: Sequence[tuple[Ruleset, RulesetVersion | None]]) -> list[DescribedRuleset]:
    """Rulesets with their names and readings: three queries, however many rulesets."""
    slugs = {version.slug for _, version in shown if version}
    alike = Q(slug__in=slugs) | Q(ruleset__in=[content.hash for content, _ in shown])
    versions = list(RulesetVersion.objects.filter(alike).select_related("parent").order_by("slug", "-number"))
    evidence = Prefetch("evidence", Evidence.objects.only("identifier"))
    readings = Reading.objects.filter(slug__in=slugs).select_related("game", "rests_on").prefetch_related(evidence)
    by_slug = {reading.slug: reading for reading in readings}
    return [
        DescribedRuleset(
            content,
            version,
            [one for one in versions if version and one.slug == version.slug],
            [str(one) for one in versions if one.ruleset_id == content.hash and one != version],
            by_slug.get(version.slug) if version else None,
        )
        for content, version in shown
    ]


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

    class Meta:
        model = Reading
        fields = (
            "title", "game", "evidence", "authority", "kind", "summary", "encoded_by", "checked_by", "rests_on",
            "rests_basis", "rests_text", "history", "clauses",
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
    synonyms = serializers.ListField(child=serializers.CharField(), help_text="Other names of the same content.")
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
        kind, ruleset = family(shown.content.family), rulesets.as_engine(shown.content)
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
        kind, parameters = family(shown.content.family), rulesets.as_engine(shown.content).parameters
        return [kind.naming(parameters).seat(seat) for seat in range(kind.seats(parameters))]

    def get_board(self, shown: DescribedRuleset) -> str:
        return family(shown.content.family).draw_start(rulesets.as_engine(shown.content))

    ladder = serializers.SerializerMethodField(
        help_text="How far players that think ahead beat others, from the ladder of the levels of the scale if it was "
        "climbed, else from the one climbed last; null if there is none."
    )

    @extend_schema_field(either("LadderDocument"))
    def get_ladder(self, shown: DescribedRuleset) -> dict[str, Any] | None:
        ladder = ladders.shown_ladder(rulesets.as_engine(shown.content), shown.name).ladder
        return ladder.document if ladder else None

    solution = serializers.SerializerMethodField(
        help_text="What best play comes to, proved as its `method` says, or chances; null if nobody solved it."
    )

    @extend_schema_field(either("SolutionDocument"))
    def get_solution(self, shown: DescribedRuleset) -> dict[str, Any] | None:
        solution = solutions.solution_of(rulesets.as_engine(shown.content), shown.name)
        return solution.document if solution else None
