"""How one row of the catalogue names another: by its natural key, with its address in the API."""

from typing import Any

from rest_framework import serializers

from catalogue.models import Game, Place, Reading, Source


class ApiAddress(serializers.HyperlinkedIdentityField):
    """The row's own address in the API, by the key that the catalogue cites it by."""

    def __init__(self, view: str = "", key: str = "slug", **kwargs: Any) -> None:
        named = {"view_name": f"v1:{view}-detail", "lookup_field": key, "help_text": "Its address in this API."}
        super().__init__(**{**named, **kwargs})


class PageAddress(serializers.URLField):
    """The address of the page for readers."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            **{"source": "get_absolute_url", "read_only": True, "help_text": "Its page for readers.", **kwargs}
        )

    def to_representation(self, value: Any) -> str:
        return str(self.context["request"].build_absolute_uri(super().to_representation(value)))


class GameLink(serializers.ModelSerializer[Game]):
    url = ApiAddress("game")

    class Meta:
        model = Game
        fields = ("slug", "name", "url")


class PlaceLink(serializers.ModelSerializer[Place]):
    url = ApiAddress("place")

    class Meta:
        model = Place
        fields = ("slug", "name", "kind", "url")


class SourceLink(serializers.ModelSerializer[Source]):
    short = serializers.CharField(source="__str__", read_only=True, help_text="For example Parker 1909.")
    url = ApiAddress("source", "key")

    class Meta:
        model = Source
        fields = ("key", "short", "url")


class ReadingLink(serializers.ModelSerializer[Reading]):
    """A reading in short; all of it stands with its ruleset."""

    ruleset = serializers.SlugField(source="slug", read_only=True, help_text="The name of its ruleset.")
    url = ApiAddress("ruleset", lookup_url_kwarg="name")

    class Meta:
        model = Reading
        fields = ("ruleset", "title", "authority", "kind", "url")
