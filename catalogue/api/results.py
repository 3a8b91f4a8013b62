"""Results in the API: the findings of the page at /findings/, and the edition that ships."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from catalogue.api.description import WRONG
from catalogue.api.endpoints import endpoint
from catalogue.api.fields import GameLink
from catalogue.api.paging import PAGE_NUMBER, neighbours, page_size, size_schema, whole_number
from catalogue.api.viewsets import StrictParameters
from catalogue.citations.formats import FORMATS
from catalogue.edition import kinds
from catalogue.edition.contents import VERIFY, cited, published_edition
from catalogue.findings.finding import KINDS, WORDS, Finding
from catalogue.findings.kept import findings
from catalogue.models import Game
from catalogue.models.lookup import nearest_key
from catalogue.outcomes.figure import PERFECT
from catalogue.texts.errors import nearest_word
from catalogue.web.problem_document import RefusedRequest
from simulator.batches.levels import LEVELS

PLAYED = (*LEVELS, PERFECT)


class FindingLinkSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    page = serializers.URLField()


class FindingSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField(
        help_text="Among all: first of the strongest players of each game who played often enough, of these what is "
        "surely largest; last what has no size."
    )
    kind = serializers.ChoiceField(choices=KINDS)
    game = GameLink()
    headline = serializers.CharField()
    sentence = serializers.CharField(help_text="With its figures and their 95 % intervals.")
    value = serializers.FloatField(
        allow_null=True,
        help_text="How far two shares of games lie apart, from 0 to 1; null where nothing is so measured.",
    )
    low = serializers.FloatField(allow_null=True, help_text="Lower 95 % limit of it.")
    high = serializers.FloatField(allow_null=True, help_text="Upper 95 % limit of it.")
    level = serializers.CharField(help_text=f"Who played: {', '.join(PLAYED)}; empty where they were others.")
    players = serializers.CharField(help_text="Who played, in words.")
    games = serializers.IntegerField(
        allow_null=True,
        help_text="That it rests on: of the ruleset with the fewest, of a study all; null if it is proved.",
    )
    counted = serializers.CharField(help_text="What they are: “games”, or “first rounds” of games that have rounds.")
    batches = serializers.ListField(child=serializers.CharField(), help_text="Ids.")
    links = FindingLinkSerializer(many=True)


class FindingListSerializer(serializers.Serializer[Any]):
    """A page of findings."""

    count = serializers.IntegerField(help_text="Findings on all pages together.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = FindingSerializer(many=True)


DESCRIBED = [
    OpenApiParameter("kind", str, enum=KINDS, description=" ".join(WORDS.values())),
    OpenApiParameter("game", str, description="The slug of a game."),
    OpenApiParameter("level", str, enum=PLAYED, description="Only what players of this level did."),
    OpenApiParameter("page", PAGE_NUMBER),
    OpenApiParameter("page_size", size_schema()),
]


@endpoint("findings/", name="findings", example="findings/", queries=17)
class FindingsView(StrictParameters):
    """Sentences made from rows by rules: what is proved, what differs, what matters, what was judged, what is idle."""

    def parameters(self) -> tuple[str, ...]:
        return tuple(one.name for one in DESCRIBED)

    @extend_schema(
        operation_id="findings_retrieve", parameters=DESCRIBED, responses={200: FindingListSerializer, 400: WRONG}
    )
    def get(self, request: Request) -> Response:
        size = page_size(request)
        filters = _filters(request)
        matching = [row for row in enumerate(findings().every, start=1) if _matches(row[1], filters)]
        pages = max(1, -(-len(matching) // size))
        number = whole_number("page", request.query_params.get("page"), 1, pages)
        next_page, previous = neighbours(request, number, pages)
        rows = [_row(request, rank, one) for rank, one in matching[(number - 1) * size : number * size]]
        document = {"count": len(matching), "next": next_page, "previous": previous, "results": rows}
        return Response(FindingListSerializer(document, context={"request": request}).data)


def _filters(request: Request) -> dict[str, str]:
    """Raises RefusedRequest, with the nearest value, for one that there is not."""
    filters = {name: request.query_params[name] for name in ("kind", "game", "level") if name in request.query_params}
    for name, known in (("kind", KINDS), ("level", PLAYED)):
        if name in filters and filters[name] not in known:
            message = f"must be one of {', '.join(known)}, not {filters[name][:60]!r}"
            raise RefusedRequest.of(name, message, nearest_word(filters[name], known) or known[0])
    if "game" in filters and not Game.objects.filter(slug=filters["game"]).exists():
        message = f"there is no game {filters['game'][:60]!r}"
        raise RefusedRequest.of("game", message, nearest_key(Game.objects.all(), "slug", filters["game"]))
    return filters


def _matches(finding: Finding, filters: dict[str, str]) -> bool:
    values = {"kind": finding.kind, "game": finding.game.slug, "level": finding.level}
    return all(values[name] == value for name, value in filters.items())


def _row(request: Request, rank: int, finding: Finding) -> dict[str, Any]:
    value, low, high = finding.size or (None, None, None)
    names = ("kind", "game", "headline", "sentence", "level", "games", "counted", "batches")
    links = [{"text": text, "page": request.build_absolute_uri(address)} for text, address in finding.links]
    limits = {"value": value, "low": low, "high": high}
    return {
        "rank": rank,
        **{name: getattr(finding, name) for name in names},
        **limits,
        "players": finding.level_text,
        "links": links,
    }


class HeldPartsSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=kinds.KINDS)
    words = serializers.CharField(help_text="What such parts are.")
    level = serializers.CharField(
        help_text="Who played: a level of the scale; empty where several meet, or no level matters."
    )
    parts = serializers.IntegerField(help_text="That are there. Readings with the same rules are one.")
    asked_for = serializers.IntegerField(help_text="By the plan, with those that are not there yet.")
    earlier = serializers.IntegerField(help_text="Of `parts` those of an earlier plan, until the new ones are there.")
    games = serializers.IntegerField(help_text="They rest on; comparisons on the same as the readings.")
    bytes = serializers.IntegerField(help_text="Of their files.")
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="Names of those that are not there yet: a slug, and the level if any."
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
    release = serializers.CharField(help_text="Of the programme that published it.")
    versions = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Of the families of games and of the players, on that day.",
    )
    digest = serializers.CharField(help_text="SHA-256 of its index, which names that of every part.")
    parts = serializers.IntegerField(help_text="Of all kinds together.")
    bytes = serializers.IntegerField(help_text="Of all their files.")
    holds = HeldPartsSerializer(many=True)
    precision = ReachedPrecisionSerializer(many=True, help_text="By level, the weakest players first.")
    given_up = serializers.ListField(
        child=serializers.CharField(), help_text="What of the plan was given up, in order, so that it can be played."
    )
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
            "holds": edition.held,
            "precision": edition.reached,
            "verify": VERIFY,
            "citation": FORMATS["txt"].write([item]).strip(),
            "citations": {name: reverse("citation-of-edition", args=[name], request=request) for name in FORMATS},
        }
        return Response(EditionSerializer(document).data)
