"""The edition in the API: what the page at /edition/ says, for programmes."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from catalogue.api.endpoints import endpoint
from catalogue.api.schema import WRONG
from catalogue.api.viewsets import StrictParameters
from catalogue.citations.formats import FORMATS
from catalogue.edition.contents import VERIFY, cited, published_edition
from catalogue.edition.kinds import KINDS


class HeldPartsSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KINDS)
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
        found = published_edition()
        item = cited(found, request)
        kept = ("date", "release", "versions", "given_up", "bytes")
        document = {
            "title": item["title"],
            "page": item["URL"],
            **{name: getattr(found.release, name) for name in kept},
            "digest": found.digest,
            "parts": len(found.release.parts),
            "holds": found.held,
            "precision": found.reached,
            "verify": VERIFY,
            "citation": FORMATS["txt"].write([item]).strip(),
            "citations": {name: reverse("citation-of-edition", args=[name], request=request) for name in FORMATS},
        }
        return Response(EditionSerializer(document).data)
