"""Claims in the API: the words, the tests as data and as sentences, and the verdicts with their figures."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.analyses.claim_results import ClaimResult, ClaimTestResult, claim_results, claim_rows
from catalogue.api.endpoints import resource
from catalogue.api.fields import AnchoredWordsSerializer, ApiAddress, Document, GameLink, HistoryAddress, PageAddress
from catalogue.api.viewsets import KeyedViewSet
from catalogue.filters.filter_sets import ClaimFilters
from catalogue.models import Claim, Verdict
from catalogue.texts.outcomes import OUTCOMES
from simulator.statistics.undecided import REASONS

ABOUT = ("rules", "play", "nothing")


class VerdictSerializer(serializers.ModelSerializer[Verdict]):
    """What one test said, of which games."""

    batches = serializers.ListField(child=serializers.CharField(), help_text="One for each ruleset of the test.")
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
    under = serializers.ListField(
        child=serializers.CharField(), help_text="The ruleset, or the two compared, with what is changed in them."
    )
    players = serializers.CharField(help_text="Who plays, in words; empty if the test cannot be run.")
    verdict = VerdictSerializer(allow_null=True, help_text="Null if the test has not been run.")
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

    def get_game_page(self, one: ClaimTestResult) -> str | None:
        return self.context["request"].build_absolute_uri(one.game) if one.game else None


class ReadingVerdictSerializer(serializers.Serializer[Any]):
    ruleset = serializers.CharField()
    verdict = serializers.ChoiceField(choices=OUTCOMES)


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
    verdict = serializers.ChoiceField(source="verdict.outcome", choices=OUTCOMES)
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
    def get_readings(self, one: ClaimResult) -> list[dict[str, str]]:
        return [{"ruleset": name, "verdict": str(outcome)} for name, outcome in one.verdict.readings.items()]


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
