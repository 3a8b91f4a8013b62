"""The reference of the API as a page: every operation and every kind of object, from the OpenAPI document itself."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from drf_spectacular.generators import SchemaGenerator

from catalogue.api.description import ALWAYS_SAID, EVERYWHERE
from catalogue.api.parameters import FIELDS
from catalogue.filters.parameters import refuse_unknown

LISTED = 12  # words of a choice, which are named one by one; of more only how many they are


@dataclass(frozen=True, slots=True)
class Field:
    """Something that is sent or answered. kind: what it is, with links to what it is made of"""

    name: str
    kind: SafeString
    words: str
    needed: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """body: an example of what is sent, "" if nothing is. address: an example that can be opened; "" if none can be"""

    id: str
    method: str
    path: str
    words: str
    fields: tuple[Field, ...]
    body: str
    sent: SafeString
    answers: tuple[tuple[str, SafeString, str], ...]
    address: str


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    words: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """groups: (list, its operations); usual: parameters that many lists take; errors: (status, words) of all alike"""

    groups: tuple[tuple[str, tuple[Operation, ...]], ...]
    kinds: tuple[Kind, ...]
    usual: tuple[Field, ...]
    errors: tuple[tuple[str, str], ...]


def reference(request: HttpRequest) -> HttpResponse:
    refuse_unknown(request, ())
    return render(request, "api/reference.html", {"reference": _reference()})


@cache
def _reference() -> Reference:
    document = SchemaGenerator().get_schema(request=None, public=True)
    operations = [
        (operation["tags"][0], _operation(path, method, operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    groups = groupby(sorted(operations, key=lambda one: one[0]), key=lambda one: one[0])
    usual = {one["name"]: one for _, methods in document["paths"].items() for one in _parameters(methods)}
    return Reference(
        tuple((name, tuple(operation for _, operation in found)) for name, found in groups),
        tuple(_kind(name, schema) for name, schema in sorted(document["components"]["schemas"].items())),
        tuple(_in_general(_field(usual[name])) for name in ALWAYS_SAID),
        tuple(EVERYWHERE.items()),
    )


def _parameters(methods: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operation in methods.values():
        yield from operation.get("parameters", ())


def _operation(path: str, method: str, operation: dict[str, Any]) -> Operation:
    parameters = operation.get("parameters", ())
    own = [one for one in parameters if one["name"] not in ALWAYS_SAID]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    address = path
    for one in parameters:
        if one["in"] == "path":
            address = address.replace(f"{{{one['name']}}}", str(one.get("example", "")))
    return Operation(
        operation["operationId"],
        method.upper(),
        path,
        operation.get("description", ""),
        tuple(_field(one) for one in own),
        json.dumps(content["example"], indent=2, ensure_ascii=False) if "example" in content else "",
        _called(content.get("schema", {})),
        tuple(_answers(operation["responses"])),
        address if method == "get" and "//" not in address else "",
    )


def _answers(responses: dict[str, Any]) -> Iterator[tuple[str, SafeString, str]]:
    """(status, what is answered, words) of each answer that is not the same everywhere."""
    for status, response in responses.items():
        if status not in EVERYWHERE:
            schemas = [one["schema"] for one in response.get("content", {}).values() if "schema" in one]
            yield status, _called(schemas[0]) if schemas else SafeString(), response.get("description", "")


def _field(parameter: dict[str, Any]) -> Field:
    words = str(parameter.get("description", "")).partition("\n\n*")[0]
    return Field(parameter["name"], _called(parameter["schema"]), words, parameter.get("required", False))


def _in_general(field: Field) -> Field:
    """Leave out the names of fields from `fields`, which are different in each list."""
    return replace(field, words=field.words.partition(":")[0]) if field.name == FIELDS else field


def _kind(name: str, schema: dict[str, Any]) -> Kind:
    needed = schema.get("required", ())
    fields = (
        Field(key, _called(one), str(one.get("description", "")).partition("\n\n*")[0], key in needed)
        for key, one in schema.get("properties", {}).items()
    )
    words = str(schema.get("description", "")).partition("\n\n*")[0]
    return Kind(name, words or ("" if "properties" in schema else str(_called(schema))), tuple(fields))


def _called(schema: dict[str, Any]) -> SafeString:
    """ "list of Anchor, or null", each kind of object a link to where it stands on the page."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return format_html('<a href="#{}">{}</a>', name, name)
    for parts, between in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if parts in schema:
            return format_html_join(between, "{}", ((_called(one),) for one in schema[parts]))
    if "enum" in schema:
        values = [json.dumps(one, ensure_ascii=False) for one in schema["enum"]]
        return SafeString(format_html("{}", ", ".join(values) if len(values) <= LISTED else f"{len(values)} words"))
    kinds = schema.get("type", "anything")
    if isinstance(kinds, list):
        return format_html_join(" or ", "{}", ((_called({**schema, "type": one}),) for one in kinds))
    if kinds == "array":
        return format_html("list of {}", _called(schema.get("items", {})))
    bounds = ", ".join(f"{word} {schema[key]}" for key, word in BOUNDS.items() if key in schema)
    return format_html("{}{}", schema.get("format", kinds), f", {bounds}" if bounds else "")


BOUNDS = {"minimum": "from", "maximum": "to", "default": "else"}
