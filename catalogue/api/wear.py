"""Wear studies in the API: candidate rulesets held against what was seen on the board of a record."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.analyses.wear_plans import DEFAULT_CAP, DEFAULT_GAMES, OF, check_wear, solved
from catalogue.analyses.wear_studies import WEAR
from catalogue.api.endpoints import resource
from catalogue.api.fields import ApiAddress, Document, PageAddress, StringList
from catalogue.api.jobs import (
    AwaitedViewSet,
    PassThroughField,
    PlayersField,
    RequestedSerializer,
    StrictSerializer,
    WholeNumber,
    describe_awaited,
)
from catalogue.filters.filter_sets import ChangedSince, KnownValueFilter
from catalogue.models import Evidence, WearStudy
from catalogue.web.problem_document import RefusedRequest
from simulator.batches.levels import line_in_words
from simulator.batches.requests import DEFAULT_SEED, MOST_CAP, MOST_GAMES, MOST_SEED
from simulator.engine.candidates import MOST
from simulator.engine.ruleset import Problem

HOW_CHOSEN = (
    f"The slug of a set of candidates, or a list of up to {MOST} names of rulesets, or how to make them: "
    "{base, vary, unless, places}, the name of a ruleset or keys of one, keys with a list of values each, combinations "
    "that are left out, and points for the pieces of each side where `setup` varies between `laid` and `placed`."
)
ANY_KEYS = {"type": "object", "additionalProperties": True}
OWN = (
    "Observations for this study only, beside those on the record, a line for each: “a1-b1 more than b1-c1, certain”. "
    "They are kept with the study; as orders they are of no numbers."
)
ORDER = "An order is {more, less, certainty, numbers}: places, and the observations that say so."


class WearStudySerializer(serializers.ModelSerializer[WearStudy]):
    url = ApiAddress("wear", "id")
    page = PageAddress()
    record = serializers.CharField(source="record.identifier", read_only=True, help_text="Whose board it is.")
    candidates = serializers.CharField(read_only=True, help_text="The set of candidates; empty if they were named.")
    names = StringList(read_only=True, help_text="What the candidates are called, in order.")
    orders = serializers.ListField(child=Document("ObservedOrder"), read_only=True, help_text=ORDER)
    games = serializers.IntegerField(source="terms.games", help_text="Of each candidate.")
    seed = serializers.IntegerField(source="terms.seed")
    cap = serializers.IntegerField(source="terms.cap")
    players = serializers.CharField(source="terms.players", help_text="As they were asked for, by name or by level.")
    played_by = serializers.SerializerMethodField(help_text="The same in words.")

    class Meta:
        model = WearStudy
        fields: tuple[str, ...] = (
            "id", "url", "page", "record", "candidates", "names", "of", "orders", "games", "seed", "cap", "players",
            "played_by", "created",
        )  # fmt: skip

    def get_played_by(self, row: WearStudy) -> str:
        return line_in_words(row.terms["players"])


class WholeWearStudySerializer(WearStudySerializer):
    document = Document("WearDocument", help_text="What each candidate leaves on the board, and how well it agrees.")

    solved = serializers.SerializerMethodField(
        help_text="What faultless play comes to in those candidates that are solved, by the hash of their rulesets."
    )

    class Meta(WearStudySerializer.Meta):
        fields = (*WearStudySerializer.Meta.fields, "document", "solved")

    @extend_schema_field({"type": "object", "additionalProperties": ANY_KEYS})
    def get_solved(self, row: WearStudy) -> dict[str, Any]:
        return dict(solved(row.candidates, [one["hash"] for one in row.document["candidates"]]))


class RequestedWearSerializer(RequestedSerializer):
    """A wear study that is waited for, or that came to nothing."""

    id = serializers.CharField(help_text="Of the study, which has it too.")
    url = ApiAddress("wear", "id")
    page = PageAddress()
    record = serializers.CharField(source="record.identifier")
    names = StringList(help_text="What the candidates are called, in order.")
    players = serializers.CharField(source="terms.players", help_text="As they were asked for, by name or by level.")

    kind = WEAR


CHOICES = [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, ANY_KEYS]


@extend_schema_field({"oneOf": CHOICES})
class Candidates(PassThroughField, serializers.JSONField):
    """The slug of a set, or names of rulesets, or how they are made."""


class WearRequestSerializer(StrictSerializer):
    record = serializers.CharField(max_length=60, help_text="The identifier of a record that has a board.")
    candidates = Candidates(help_text=HOW_CHOSEN)
    of = serializers.ChoiceField(choices=OF, default=OF[0], help_text="What was looked at.")
    games = WholeNumber(default=DEFAULT_GAMES, min_value=1, max_value=MOST_GAMES, help_text="Of each candidate.")
    seed = WholeNumber(
        default=DEFAULT_SEED, min_value=0, max_value=MOST_SEED, help_text="The same seed gives the same study."
    )
    cap = WholeNumber(
        default=DEFAULT_CAP, min_value=1, max_value=MOST_CAP, help_text="A game of so many turns is left unfinished."
    )
    players = PlayersField()
    own = serializers.CharField(default="", allow_blank=True, max_length=2_000, help_text=OWN)

    def field_of(self, key: str) -> str:
        """Return the field that a problem belongs to: what is wrong with one ruleset is wrong with the candidates."""
        return key if key in self.fields or not key else "candidates"

    def validate_candidates(self, chosen: Any) -> Any:
        is_list = isinstance(chosen, list) and all(isinstance(name, str) for name in chosen)
        if not is_list and not isinstance(chosen, (str, dict)):
            raise serializers.ValidationError(
                "must be the slug of a set, a list of names of rulesets, or how to make them"
            )
        return chosen


class WearFilters(ChangedSince):
    record = KnownValueFilter(
        field_name="record__identifier", model=Evidence, column="identifier", label="identifier of a record"
    )


@resource(
    "wear",
    name="wear",
    holds="which rules would wear a board as it is worn: shares of its lines, agreement, and every batch they rest on",
    key="{wear}",
)
@describe_awaited(WholeWearStudySerializer, RequestedWearSerializer, "wear study")
class WearViewSet(AwaitedViewSet):
    """Wear studies: candidates played with the traffic of their games, held against observations on an object."""

    kind, request_class, requested_class = WEAR, WearRequestSerializer, RequestedWearSerializer
    serializer_class, whole_class, filterset_class = WearStudySerializer, WholeWearStudySerializer, WearFilters

    def get_queryset(self) -> "QuerySet[WearStudy]":
        rows = WEAR.finished()
        return rows.defer("document") if self.action == "list" else rows

    def request_row(self, wanted: dict[str, Any], on_behalf: dict[str, Any]) -> WearStudy:
        identifier = wanted.pop("record")
        record = Evidence.objects.shown().filter(identifier=identifier).first()
        if record is None:
            raise RefusedRequest([Problem("record", f"there is no record called {identifier!r}")])
        return WEAR.request(check_wear(record, wanted.pop("candidates"), **wanted), **on_behalf)
