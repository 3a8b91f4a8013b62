"""Findings in the API: what is proved, compared and studied, in the order and with the filters of the page."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.description import WRONG
from catalogue.api.endpoints import endpoint
from catalogue.api.fields import (
    GameLink,
    StringList,
)
from catalogue.api.formats import ExcelTableRenderer, TableRenderer
from catalogue.api.lists import (
    BEGIN,
    FIELDS,
    LARGEST_PAGE,
    LARGEST_TABLE,
    PAGE_PARAMETERS,
    PAGE_SIZE,
    TABLES,
    Orderings,
    Pages,
    chosen_fields,
    chosen_ordering,
    described_pages,
    keep_only,
    last_seen,
    page_size,
    refuse_page_with_cursor,
    requested_page,
    signed_cursor,
)
from catalogue.api.viewsets import StrictParameters
from catalogue.findings.finding import KINDS, MARGIN, MEASURES, PROVED, WORDS, Finding, Share
from catalogue.findings.kept import findings
from catalogue.models import Game
from catalogue.models.lookup import nearest_key
from catalogue.outcomes.figure import PERFECT
from catalogue.texts.words import nearest_word
from catalogue.web.problem_document import RefusedRequest
from simulator.batches.levels import LEVELS

PLAYED = (*LEVELS, PERFECT)


class FindingLinkSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    page = serializers.URLField()


class ShareSerializer(serializers.Serializer[Share]):
    ruleset = serializers.CharField(
        help_text="The slug of the reading; of a study, the ruleset on which its answers are set."
    )
    answer = serializers.CharField(
        help_text="To the question of a study, the slug: the share is the mean of all its cells with it, by their "
        "weights. Empty of a reading."
    )
    batch = serializers.CharField(
        help_text="Whose rows are counted; empty of a study, whose document names the batch and the seed of each cell."
    )
    players = serializers.CharField(help_text="By name: one for every seat, or one a seat.")
    measure = serializers.CharField(
        help_text=f"What is counted of the rows: {'; '.join(f'{key}: {words}' for key, words in MEASURES.items())}."
    )
    games = serializers.IntegerField(help_text="Among which it is counted; of a study, of each cell.")
    value = serializers.FloatField(source="interval.value")
    low = serializers.FloatField(source="interval.low", help_text="Lower 95 % limit of it by itself.")
    high = serializers.FloatField(source="interval.high", help_text="Upper limit of it.")


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
        help_text="How far two shares of games lie apart, from 0 to 1, of two players the less; null where nothing is "
        "so measured.",
    )
    low = serializers.FloatField(
        allow_null=True, help_text="Lower 95 % limit of it, together with all that was looked at."
    )
    high = serializers.FloatField(allow_null=True, help_text="Upper limit of it.")
    level = serializers.CharField(help_text=f"Who played: {', '.join(PLAYED)}; empty where they were others.")
    players = serializers.CharField(help_text="Who played, in words.")
    games = serializers.IntegerField(
        allow_null=True,
        help_text="That it rests on: of the ruleset with the fewest, of a study all; null if it is proved.",
    )
    counted = serializers.CharField(help_text="What they are: “games”, or “first rounds” of games that have rounds.")
    kinds = StringList(help_text="How many of the games are different, in words, for each reading and player.")
    by_two_players = serializers.BooleanField(
        help_text="Whether two players of the level show it. Of a level that thinks nothing else is a finding."
    )
    batches = StringList(help_text="Ids.")
    margin = serializers.FloatField(
        allow_null=True,
        help_text="How far the shares lie apart at the least, surely, so that it is a finding; of a "
        "proof and where nothing is so measured null.",
    )
    looked_at = serializers.IntegerField(
        allow_null=True,
        help_text="Of how many differences the largest was picked: `low` and `high` hold for all of them at once, each "
        "at 1 − 5 % / this number (Bonferroni); null where nothing is so measured.",
    )
    shares = ShareSerializer(
        many=True,
        help_text="The shares held against each other, the first players’ before the second players’; of a proof, "
        "those of random players who come to what is proved; none where nothing is so measured.",
    )
    study = serializers.CharField(help_text="The id of the study that it is of; empty else.")
    question = serializers.CharField(help_text="The key of the question that it is of; empty else.")
    claim = serializers.CharField(help_text="The key of the claim that is judged; empty else.")
    links = FindingLinkSerializer(many=True)


class FindingListSerializer(serializers.Serializer[Any]):
    """A page of findings."""

    count = serializers.IntegerField(
        allow_null=True, help_text="Findings on all pages together; null where a cursor leads."
    )
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = FindingSerializer(many=True)


Ranked = tuple[int, Finding]


class FindingPages(Pages):
    """Pages of findings, which are no rows of a table: the place of one is its rank."""

    def paginate_found(self, found: list[Ranked], request: Request, view: Any) -> list[Ranked]:
        parameters = request.query_params
        is_page = request.accepted_renderer.format not in TABLES
        size = page_size(request, *((PAGE_SIZE, LARGEST_PAGE) if is_page else view.table_sizes))
        ordering = chosen_ordering(view.orderings, parameters.get("ordering", view.usual_ordering), view.usual_ordering)
        found = found[::-1] if ordering.down else found
        first, number, most = 0, None, 0
        if cursor := parameters.get("cursor"):
            if cursor != BEGIN:
                seen = last_seen(view.basename, ordering.name, cursor)
                first = sum((rank >= seen) if ordering.down else (rank <= seen) for rank, _ in found)
            refuse_page_with_cursor(parameters)
        else:
            self.count = len(found)
            number, most = requested_page(parameters.get("page"), self.count, size)
            first = (number - 1) * size
        page, more = found[first : first + size], len(found) > first + size
        self._link(request, number, most, signed_cursor(view.basename, ordering.name, [page[-1][0]]) if more else "")
        return page


FILTERS = [
    OpenApiParameter("kind", str, enum=KINDS, description=" ".join(WORDS.values())),
    OpenApiParameter("game", str, description="Slugs of games, with commas."),
    OpenApiParameter("level", str, enum=PLAYED, description="Only what players of this level did."),
]


SIZES = PAGE_SIZE, LARGEST_TABLE
FILTERED = tuple(column.name for column in FILTERS)


@endpoint("findings/", name="findings", example="findings/", queries=17)
class FindingsView(StrictParameters):
    """Sentences made from rows by rules: what is proved, what differs, what matters, what was judged, what is idle."""

    basename, table_sizes = "findings", SIZES
    orderings: Orderings = {"rank": ("rank",)}
    usual_ordering = "rank"
    chosen: frozenset[str] = frozenset()

    def parameters(self) -> tuple[str, ...]:
        return (*PAGE_PARAMETERS, FIELDS, *FILTERED)

    def get_renderers(self) -> list[Any]:
        json, *others = super().get_renderers()
        return [json, TableRenderer(), ExcelTableRenderer(), *others]

    def get_serializer_class(self) -> Any:
        return FindingSerializer

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        return keep_only(self.chosen, FindingSerializer(*args, context={"request": self.request}, **kwargs))

    @extend_schema(
        operation_id="findings_retrieve",
        parameters=[*FILTERS, *(OpenApiParameter(**one) for one in described_pages(SIZES, ["rank"]))],
        responses={200: FindingListSerializer, 400: WRONG},
    )
    def get(self, request: Request) -> Response:
        if text := request.query_params.get(FIELDS):
            self.chosen = chosen_fields(text, FindingSerializer().fields)
        filters, pages = _filters(request), FindingPages()
        matching = [row for row in enumerate(findings().every, start=1) if _matches(row[1], filters)]
        rows = [_row(request, rank, one) for rank, one in pages.paginate_found(matching, request, self)]
        return pages.get_paginated_response(self.get_serializer(rows, many=True).data)


def _filters(request: Request) -> dict[str, list[str]]:
    """Raises RefusedRequest, with the nearest value, for one that there is not."""
    given = request.query_params
    filters = {name: [word.strip() for word in given[name].split(",")] for name in FILTERED if name in given}
    for name, known in (("kind", KINDS), ("level", PLAYED)):
        for word in filters.get(name, ()):
            if word not in known:
                message = f"must be one of {', '.join(known)}, not {word[:60]!r}"
                raise RefusedRequest.of(name, message, nearest_word(word, known) or known[0])
    known_games = set(Game.objects.filter(slug__in=filters.get("game", ())).values_list("slug", flat=True))
    for word in filters.get("game", ()):
        if word not in known_games:
            message = f"there is no game {word[:60]!r}"
            raise RefusedRequest.of("game", message, nearest_key(Game.objects.all(), "slug", word))
    return filters


def _matches(finding: Finding, filters: dict[str, list[str]]) -> bool:
    values = {"kind": finding.kind, "game": finding.game.slug, "level": finding.level}
    return all(values[name] in wanted for name, wanted in filters.items())


def _row(request: Request, rank: int, finding: Finding) -> dict[str, Any]:
    value, low, high = finding.size or (None, None, None)
    names = (
        "kind",
        "game",
        "headline",
        "sentence",
        "level",
        "games",
        "counted",
        "by_two_players",
        "batches",
        "shares",
        "study",
        "question",
        "claim",
    )
    links = [{"text": text, "page": request.build_absolute_uri(address)} for text, address in finding.links]
    is_difference = finding.size is not None and finding.kind != PROVED
    return {
        "rank": rank,
        **{name: getattr(finding, name) for name in names},
        "value": value,
        "low": low,
        "high": high,
        "margin": MARGIN if is_difference else None,
        "looked_at": finding.looked_at if finding.size else None,
        "kinds": finding.few_kinds,
        "players": finding.level_text,
        "links": links,
    }
