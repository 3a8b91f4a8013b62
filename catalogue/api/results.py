"""Results in the API: claims with tests and verdicts, the figures of all readings, and the edition."""

from typing import Any

from django.db.models import Case, F, Prefetch, QuerySet, Value, When
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from catalogue.analyses.claim_results import ClaimResult, ClaimTestResult, claim_results, claim_rows
from catalogue.api.description import MISSING, WRONG
from catalogue.api.endpoints import endpoint, resource
from catalogue.api.fields import (
    Address,
    AnchoredWordsSerializer,
    ApiAddress,
    Document,
    GameLink,
    HistoryAddress,
    PageAddress,
    StringList,
)
from catalogue.api.formats import ExcelTableRenderer, ParquetRenderer, TableRenderer, parquet_is_there
from catalogue.api.rulesets import newest_versions
from catalogue.api.viewsets import KeyedViewSet, ListViewSet, StrictParameters
from catalogue.citations.formats import FORMATS
from catalogue.edition import terms
from catalogue.edition.contents import VERIFY, cited, published_edition
from catalogue.edition.superseded import EditionPart, part_called, published_parts
from catalogue.filters.filter_sets import ClaimFilters, MeasurementFilters
from catalogue.models import Claim, Reading, Verdict
from catalogue.outcomes.played import shown_batches
from simulator.batches.finalize import VARIETY
from simulator.batches.versions import is_of_this_engine
from simulator.models import Batch, Measurement
from simulator.statistics.summary import OTHER_ENDS
from simulator.statistics.verdicts import REASONS

ABOUT = ("rules", "play", "nothing")


class VerdictSerializer(serializers.ModelSerializer[Verdict]):
    """What one test said, of which games."""

    batches = StringList(help_text="One for each ruleset of the test.")
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Games, or pairs of games, by kind.")
    figure = serializers.FloatField(allow_null=True, help_text="Null if games that the cap stopped leave it open.")
    least = serializers.FloatField(allow_null=True, help_text="The least it can be, whatever became of those games.")
    most = serializers.FloatField(allow_null=True, help_text="The most it can be; null if nothing bounds it.")
    low = serializers.FloatField(allow_null=True, help_text="Lower 95 % limit, of the least.")
    high = serializers.FloatField(allow_null=True, help_text="Upper 95 % limit, of the most.")

    class Meta:
        model = Verdict
        fields = (
            "verdict", "text", "figure", "least", "most", "low", "high", "n", "counts", "players", "games", "seed",
            "cap", "until", "batches", "moves", "version",
        )  # fmt: skip


class ClaimTestSerializer(serializers.Serializer[ClaimTestResult]):
    number = serializers.IntegerField()
    test = Document("ClaimTestTerms", help_text="The test as data.")
    sentence = serializers.CharField(help_text="The test in words.")
    under = StringList(help_text="The ruleset, or the two compared, with what is changed in them.")
    players = serializers.CharField(help_text="Who plays, in words; empty if the test cannot be run.")
    verdict = VerdictSerializer(
        allow_null=True, help_text="Null if the test has not been run, or other players are the level’s now."
    )
    beside = serializers.CharField(help_text="Why it has no voice in the verdict on the claim; empty where it has.")
    kinds = serializers.IntegerField(
        allow_null=True,
        help_text="How many of its games, or pairs of games, differ in anything that is counted: fewer than 50 decide "
        "nothing. Null where it was not counted, as where a player draws lots.",
    )
    undecided_because = serializers.ChoiceField(
        source="why.because",
        default=None,
        allow_null=True,
        choices=REASONS,
        help_text="Null where its games decide it, or were not played.",
    )
    games_wanted = serializers.IntegerField(
        source="why.games",
        default=None,
        allow_null=True,
        help_text="About how many games more would decide it, "
        "if they go as these did; null where more would not, or nothing is known.",
    )
    game_page = serializers.SerializerMethodField(
        help_text="Where the game that is a witness can be played through; null for other tests."
    )

    def get_game_page(self, test: ClaimTestResult) -> str | None:
        return self.context["request"].build_absolute_uri(test.game) if test.game else None


class ReadingVerdictSerializer(serializers.Serializer[Any]):
    ruleset = serializers.CharField()
    verdict = serializers.ChoiceField(choices=Verdict.Kind.choices)
    beside = serializers.CharField(help_text="Why it has no voice in the verdict on the claim; empty where it has.")


class ClaimSerializer(serializers.Serializer[ClaimResult]):
    key = serializers.CharField(source="claim.__str__", help_text="The game’s name, a slash, its own.")
    url = ApiAddress("claim", "__str__", source="claim")
    page = PageAddress(source="claim")
    history = HistoryAddress(source="claim")
    game = GameLink(source="claim.game")
    title = serializers.CharField(source="claim.title")
    text = serializers.CharField(source="claim.text", help_text="What is claimed, in our words, and how it is taken.")
    words = AnchoredWordsSerializer(many=True)
    judged_by = serializers.ChoiceField(source="claim.judged_by", choices=Claim.JudgedBy.choices)
    about_what = serializers.ChoiceField(
        choices=ABOUT,
        help_text="rules: no player can change it; play: of how people play; "
        "nothing: nothing that can be simulated tests it.",
    )
    verdict = serializers.ChoiceField(source="verdict.kind", choices=Verdict.Kind.choices)
    reason = serializers.CharField(source="why", help_text="Why it is undecided, or cannot be tested; else empty.")
    undecided_because = serializers.ChoiceField(
        source="verdict.because",
        allow_null=True,
        choices=REASONS,
        help_text="The reason as one of a few; null where it is not undecided.",
    )
    readings = serializers.SerializerMethodField(help_text="The verdict under each reading.")
    limits = serializers.CharField(source="claim.limits", help_text="What the verdict does not show.")
    tests = ClaimTestSerializer(many=True)

    @extend_schema_field(ReadingVerdictSerializer(many=True))
    def get_readings(self, claim: ClaimResult) -> list[dict[str, str]]:
        return [{"ruleset": row.name, "verdict": str(row.kind), "beside": row.beside} for row in claim.rows]


@resource(
    "claims",
    name="claim",
    holds="what the sources say of how games go, with tests and verdicts",
    key="daramuti/experience-wins",
    identifies="claim/{key}",
)
class ClaimViewSet(KeyedViewSet):
    """What the sources say of how games go, with tests and verdicts. A verdict names its players and its games."""

    serializer_class, filterset_class = ClaimSerializer, ClaimFilters
    orderings = {"game": ("game__name", "position", "slug")}
    queryset = claim_rows()

    def with_details(self, rows: list[Any]) -> list[Any]:
        return claim_results(rows)


ENDS = frozenset(key for _, key, _, _ in OTHER_ENDS)
LARGEST = 5_000  # rows of a table that is sent at once: a second or two of a processor


class MeasurementSerializer(serializers.ModelSerializer[Measurement]):
    game = serializers.CharField(help_text="The slug of the game.")
    records = StringList(help_text="The identifiers of the records that the reading is of.")
    reading = serializers.CharField(help_text="The slug of the reading, which is that of its ruleset.")
    ruleset = serializers.CharField(source="batch.ruleset_id", help_text="The hash of the ruleset’s content.")
    batch = serializers.CharField(source="batch_id", help_text="The batch that was counted.")
    batch_url = Address("v1:batch-detail", "batch_id")
    level = serializers.CharField(
        help_text="random, greedy, club, strong, the second player of one (club-second), or a player of no level."
    )
    players = serializers.CharField(source="batch.players", help_text="Who played, seat by seat.")
    value = serializers.FloatField(allow_null=True, help_text="In `unit`; null where the games do not give it.")
    low = serializers.FloatField(allow_null=True, help_text="The lower limit at 95 % confidence.")
    high = serializers.FloatField(allow_null=True, help_text="The upper limit.")
    possible = serializers.BooleanField(
        help_text="False of an end that the rules cannot bring about: it is 0, and has no limits."
    )
    n = serializers.IntegerField(help_text="Games that the figure rests on.")
    kinds = serializers.IntegerField(
        allow_null=True,
        help_text="How many games of the batch are different in something that is counted of them. "
        "Null where that is not known.",
    )
    censored = serializers.FloatField(help_text="The share of the games of the batch that the cap stopped.")
    engine = serializers.CharField(source="batch.engine_version", help_text="The family and the version that played.")
    is_of_this_engine = serializers.BooleanField(
        help_text="Whether the engine installed here, and its players, would play these games as they were played."
    )
    games = serializers.IntegerField(source="batch.games")
    seed = serializers.IntegerField(source="batch.seed")
    cap = serializers.IntegerField(source="batch.cap", help_text="Turns after which a game was stopped.")
    until = serializers.CharField(source="batch.until", help_text="The end of the `game`, or of its first `round`.")

    class Meta:
        model = Measurement
        fields = (
            "game", "records", "reading", "ruleset", "level", "players", "measure", "title", "unit", "value", "low",
            "high", "n", "censored", "batch", "batch_url", "games", "seed", "cap",
            "until", "engine", "is_of_this_engine", "possible", "kinds",
        )  # fmt: skip


@resource(
    "measurements",
    name="measurement",
    holds="every figure of every reading on each level of play, a row each, with its interval",
)
class MeasurementViewSet(ListViewSet):
    """Every figure of every reading, on each level of play, with its interval: of the batches that pages show."""

    serializer_class, filterset_class = MeasurementSerializer, MeasurementFilters
    orderings = {"reading": ("reading", "level", "batch_id", "place"), "measure": ("measure", "reading", "level", "id")}
    tables = {"list": (TableRenderer, ExcelTableRenderer, *([ParquetRenderer] if parquet_is_there() else []))}
    table_sizes = (LARGEST, LARGEST)

    def get_queryset(self) -> "QuerySet[Measurement]":
        rows = Measurement.objects.filter(batch__ruleset__versions__in=newest_versions().order_by())
        # One batch for all of its figures: with a batch and its ruleset for each, a table takes 20 MB more.
        batches = Batch.objects.defer("tally", "summary", "provenance", "ruleset__document").select_related("ruleset")
        played = Prefetch("batch", batches.annotate(kinds=F(f"summary__{VARIETY}__different")))
        return rows.annotate(reading=F("batch__ruleset__versions__slug")).prefetch_related(played)

    def filter_queryset(self, queryset: "QuerySet[Any]") -> "QuerySet[Any]":
        """Return the figures of the batches that pages show, each on its level."""
        shown = shown_batches({version.ruleset_id: version.ruleset for version in newest_versions()})
        by_level: dict[str, list[str]] = {}
        for (_, level), batch in shown.items():
            by_level.setdefault(level, []).append(batch.id)
        levels = [When(batch__in=batches, then=Value(level)) for level, batches in sorted(by_level.items())]
        rows = queryset.filter(batch__in=[batch.id for batch in shown.values()])
        return super().filter_queryset(rows.annotate(level=Case(*levels, default=Value(""))))

    def with_details(self, rows: list[Any]) -> list[Any]:
        slugs = {row.reading for row in rows}
        readings = Reading.objects.filter(slug__in=slugs).select_related("game").prefetch_related("evidence")
        by_slug = {reading.slug: reading for reading in readings}
        records = {slug: [record.identifier for record in reading.evidence.all()] for slug, reading in by_slug.items()}
        for row in rows:
            row.kinds = row.batch.kinds
            row.is_of_this_engine = is_of_this_engine(row.batch)
            row.possible = not (row.measure in ENDS and row.value == 0 and row.low is None)
            row.game, row.records = by_slug[row.reading].game.slug, records[row.reading]
        return rows


class HeldPartsSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=terms.KINDS)
    words = serializers.CharField(help_text="What such parts are.")
    level = serializers.CharField(
        help_text="Who played: a level of the scale; empty where several meet, or no level matters."
    )
    parts = serializers.IntegerField(help_text="That are there. Readings with the same rules are one.")
    asked_for = serializers.IntegerField(help_text="By the plan, with those that are not there yet.")
    earlier = serializers.IntegerField(help_text="Of `parts` those of an earlier plan, until the new ones are there.")
    games = serializers.IntegerField(help_text="They rest on; comparisons on the same as the readings.")
    bytes = serializers.IntegerField(help_text="Of their files.")
    missing = StringList(help_text="Names of those that are not there yet: a slug, and the level if any.")
    withheld = StringList(
        help_text="Of the missing, those that were in the edition before: players who are no longer those of the level "
        "played them, and they are withheld until they are played again."
    )


class ReachedPrecisionSerializer(serializers.Serializer[Any]):
    level = serializers.CharField(help_text="Of the scale.")
    points = serializers.FloatField(
        help_text="The plan wishes every share of a reading to be known to within ± so many percentage points."
    )
    first_rounds = serializers.BooleanField(help_text="Whether only first rounds are played, where games have rounds.")
    readings = serializers.IntegerField(help_text="That are there.")
    within = serializers.IntegerField(help_text="Of these those that are known so well as `points` says, or better.")
    best = serializers.FloatField(
        allow_null=True, help_text="± percentage points of the reading that is known best; null if there is none."
    )
    worst = serializers.FloatField(allow_null=True, help_text="The same of the one that is known worst.")
    missing = serializers.IntegerField(help_text="Readings that are not there yet.")


class EditionSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(help_text="As it is cited.")
    date = serializers.DateField(help_text="Of its publication.")
    page = serializers.URLField(help_text="For readers.")
    release = serializers.CharField(help_text="Of the program that published it.")
    versions = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Of the families of games and of the players, on that day.",
    )
    digest = serializers.CharField(help_text="SHA-256 of its index, which names that of every part.")
    parts = serializers.IntegerField(help_text="Of all kinds together.")
    bytes = serializers.IntegerField(help_text="Of all their files.")
    superseded = serializers.IntegerField(help_text="Parts of earlier editions, which it still names.")
    holds = HeldPartsSerializer(many=True)
    precision = ReachedPrecisionSerializer(many=True, help_text="By level, the weakest players first.")
    given_up = StringList(help_text="What of the plan was given up, in order, so that it can be played.")
    verify = serializers.CharField(help_text="The command that plays parts of it again.")
    citation = serializers.CharField(help_text="In words, after the Chicago manual.")
    citations = serializers.DictField(child=serializers.URLField(), help_text="The same in each form.")


@endpoint("edition/", name="edition", example="edition/")
class EditionView(StrictParameters):
    """The edition that ships: of what day, what it holds and how well that is known, how to verify and cite it."""

    @extend_schema(operation_id="edition_retrieve", responses={200: EditionSerializer, 400: WRONG})
    def get(self, request: Request) -> Response:
        edition = published_edition()
        item = cited(edition, request)
        names = ("date", "release", "versions", "given_up", "bytes")
        document = {
            "title": item["title"],
            "page": item["URL"],
            **{name: getattr(edition.release, name) for name in names},
            "digest": edition.digest,
            "parts": len(edition.release.parts),
            "superseded": len(published_parts().superseded),
            "holds": edition.held,
            "precision": edition.reached,
            "verify": VERIFY,
            "citation": FORMATS["txt"].write([item]).strip(),
            "citations": {name: reverse("citation-of-edition", args=[name], request=request) for name in FORMATS},
        }
        return Response(EditionSerializer(document).data)


class EditionPartSerializer(serializers.Serializer[EditionPart]):
    """A part of the edition that ships, or of an earlier one."""

    id = serializers.CharField(help_text="Computed from what was asked for.")
    kind = serializers.CharField(help_text=f"One of {', '.join(terms.KINDS)}.")
    name = serializers.CharField(help_text="Of the reading, game or claim, with the level if any.")
    game = serializers.CharField(help_text="Its slug.")
    level = serializers.CharField(help_text="Of the scale; empty where several meet, or none matters.")
    digest = serializers.CharField(help_text="SHA-256 of its document.")
    games = serializers.IntegerField(help_text="It rests on.")
    players = serializers.CharField(help_text="Of a batch, as far as they were written down; else empty.")
    date = serializers.DateField(help_text="Of the last edition that has it.")
    release = serializers.CharField(help_text="Of the program that published that edition.")
    is_shipped = serializers.BooleanField(help_text="Whether it is a part of the edition that ships.")
    page = serializers.SerializerMethodField(help_text="That tells of it; 410 where it is here no longer.")
    superseded_by = serializers.CharField(
        source="by.id", default=None, allow_null=True, help_text="The id of what took its place; null if nothing did."
    )
    successor = serializers.SerializerMethodField(help_text="The page of what took its place, or else of its game.")

    def get_page(self, part: EditionPart) -> str:
        return str(self.context["request"].build_absolute_uri(part.address))

    def get_successor(self, part: EditionPart) -> str:
        return str(self.context["request"].build_absolute_uri(part.successor))


@endpoint("edition/parts/<str:key>/", name="edition-part", example="edition/parts/339575f15b03eae2/")
class EditionPartView(StrictParameters):
    """A part of this edition or of an earlier one by its id or its digest: from when it is, and what took its place."""

    @extend_schema(
        operation_id="edition_part_retrieve", responses={200: EditionPartSerializer, 400: WRONG, 404: MISSING}
    )
    def get(self, request: Request, key: str) -> Response:
        return Response(EditionPartSerializer(part_called(key), context={"request": request}).data)
