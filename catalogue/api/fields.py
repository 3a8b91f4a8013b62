"""Fields of serializers: documents that are handed on as they are kept, and links from one row to another.

The shapes of documents are data, `documents/*.json`: a component of the OpenAPI document for each kind of object, with
a sentence for each field. `x-optional` marks a field that is not always there; all others always are, unless the
schema says itself what is required. A link has the natural key of a row, with its address in the API or on the site.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from drf_spectacular.drainage import set_override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import get_attribute
from rest_framework.reverse import reverse

from catalogue.history.histories import address_of
from catalogue.models import Anchor, Evidence, Game, Place, Reading, Source
from catalogue.web.addresses import page_of

OPTIONAL = "x-optional"


@cache
def shapes() -> dict[str, dict[str, Any]]:
    """JSON Schemas by name."""
    files = sorted((Path(__file__).parent / "documents").glob("*.json"))
    written = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {name: _complete(schema) for file in written for name, schema in file.items()}


def _complete(schema: dict[str, Any]) -> dict[str, Any]:
    if "properties" not in schema:
        return schema
    fields = schema["properties"]
    required = [name for name, field in fields.items() if not field.pop(OPTIONAL, False)]
    return {"type": "object", "required": required, **schema}


def shape(name: str) -> dict[str, str]:
    """A reference to a shape; raises KeyError if there is none of this name."""
    shapes()[name]
    return {"$ref": f"#/components/schemas/{name}"}


class Document(serializers.JSONField):
    """A value that has that shape."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        set_override(self, "field", shape(name))


class StringList(serializers.ListField):
    child = serializers.CharField()


def either(name: str) -> dict[str, Any]:
    """A reference to a shape, or null."""
    return {"oneOf": [shape(name), {"type": "null"}]}


class Address(serializers.CharField):
    """The address of a view that takes values of the row, or of a list that is narrowed by one of them.

    view:        its name
    keys:        attributes of the row, dotted where they are another's; a natural key's parts are joined by strokes
    narrowed_by: the filter of the list
    """

    def __init__(self, view: str = "", *keys: str, narrowed_by: str = "", **kwargs: Any) -> None:
        super().__init__(**{"source": "*", "read_only": True, **kwargs})
        self.view, self.keys, self.narrowed_by = view, [key.split(".") for key in keys], narrowed_by

    def to_representation(self, value: Any) -> str:
        parts = [get_attribute(value, key) for key in self.keys]
        values = ["/".join(part) if isinstance(part, tuple) else part for part in parts]
        if self.narrowed_by:
            return f"{reverse(self.view, request=self.context['request'])}?{self.narrowed_by}={values[0]}"
        return str(reverse(self.view, args=values, request=self.context["request"]))


class ResultAddress(Address):
    """The address of what games came to: null until they are done, and where their rows are not kept."""

    def __init__(self, *args: str, **kwargs: Any) -> None:
        super().__init__(*args, allow_null=True, **kwargs)

    def get_attribute(self, instance: Any) -> Any:
        return instance if instance.state == instance.State.DONE and getattr(instance, "rows_kept", True) else None


@extend_schema_field(OpenApiTypes.URI)
class ApiAddress(Address):
    """The row's own address in the API, by the key that the catalogue cites it by."""

    def __init__(self, view: str = "", key: str = "slug", **kwargs: Any) -> None:
        super().__init__(f"v1:{view}-detail", key, **{"help_text": "Its address in this API.", **kwargs})


class PageAddress(serializers.URLField):
    """The address of the page for readers."""

    words = "Its page for readers."

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"source": "*", "read_only": True, "help_text": self.words, **kwargs})

    def path(self, row: Any) -> str:
        return page_of(row)

    def to_representation(self, value: Any) -> str:
        return str(self.context["request"].build_absolute_uri(self.path(value)))


class HistoryAddress(PageAddress):
    """The address of the page that tells how a row came to be as it is."""

    words = "Its history, for readers."

    def path(self, row: Any) -> str:
        return address_of(row)


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
    url = ApiAddress("ruleset")

    class Meta:
        model = Reading
        fields = ("ruleset", "title", "authority", "kind", "url")


class AnchoredWordsSerializer(serializers.ModelSerializer[Anchor]):
    """Words of a record; the annotation says where in it they stand."""

    annotation = ApiAddress("annotation", "key")
    record = serializers.SlugRelatedField[Evidence](source="evidence", slug_field="identifier", read_only=True)

    class Meta:
        model = Anchor
        fields = ("annotation", "record", "field", "stance", "exact")
