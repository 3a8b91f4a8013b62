"""The OpenAPI document: what follows from the views, what holds of every operation, and examples that work.

The reference of the API is drawn from it as a page: every operation and every kind of object.
A test requests every example, and holds the answers to what is described. The batch is the one of `daramuti-parker`
that the demo plays, whose id follows from the request.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from catalogue.api.endpoints import ROOT, key_of_a_row
from catalogue.api.fields import shapes
from catalogue.api.formats import FORMAT
from catalogue.api.lists import FIELDS
from catalogue.api.problems import RefusalSerializer
from catalogue.filters.parameters import refuse_unknown
from catalogue.identifiers.signposts import LINKED_DATA
from catalogue.web.addresses import site_address
from catalogue.web.problem_document import MEDIA_TYPE

WRONG = OpenApiResponse(RefusalSerializer, "The request is wrong; each mistake is named with the nearest valid value.")
MISSING = OpenApiResponse(RefusalSerializer, "Nothing has this name; the nearest name is given.")
GONE = OpenApiResponse(RefusalSerializer, "It was withdrawn or deleted: when, and why.")


class CatalogueSchema(AutoSchema):
    def get_response_serializers(self) -> Any:
        responses = super().get_response_serializers()
        if isinstance(responses, dict):
            return responses
        of_one_row = "{" in self.path
        rows = getattr(self.view, "queryset", None)
        may_be_gone = of_one_row and rows is not None and hasattr(rows.model, "history")
        return {
            200: responses,
            400: WRONG,
            **({404: MISSING} if of_one_row else {}),
            **({410: GONE} if may_be_gone else {}),
        }

    def get_override_parameters(self) -> list[Any]:
        view: Any = self.view
        formats = [renderer.format for renderer in view.get_renderers()]
        parameters = [
            OpenApiParameter(FORMAT, {"enum": formats}, description="The form of the answer; it outweighs Accept.")
        ]
        if FIELDS in getattr(view, "parameters", tuple)():
            names = ", ".join(view.get_serializer_class()().fields)
            parameters.append(
                OpenApiParameter(FIELDS, str, description=f"Only these fields, separated by commas: {names}.")
            )
        return parameters


BATCH = "316db0a1615d2dc1"
COMPARISON = "ac02b1b2be12b556"
GAMES: dict[str, Any] = {"games": 20_000, "seed": 1, "players": "random", "cap": 2_000, "until": "game"}

# (address, parameter) -> value; with no address: wherever a parameter is called so.
VALUES: dict[tuple[str, str], Any] = {
    ("/api/v1/edition/parts/{key}/", "key"): "339575f15b03eae2",
    ("", "place"): "sri-lanka",
    ("", "game"): "daramuti",
    ("", "evidence"): "DLP.Evidence.692",
    ("", "source"): "parker-1909",
    ("", "ruleset"): "daramuti-parker",
    ("", "authority"): "parker",
    ("", "type"): "Ethnography",
    ("", "uncertainty"): "no-paraphrase",
    ("", "from"): 1873,
    ("", "to"): 1923,
    ("", "undated"): "no",
    ("", "reference"): "no",
    ("", "executable"): "yes",
    ("", "main"): "no",
    ("", "kind"): "country",
    ("", "part_of"): "sri-lanka",
    ("", "state"): "done",
    ("", "origin"): "demo",
    ("", "until"): "game",
    ("", "judged_by"): "random",
    ("", "verdict"): "supported",
    ("", "reading"): "puhulmutu-parker",
    ("", "held_by"): "daramuti-parker",
    ("", "basis"): "stated",
    ("", "parameter"): "relay",
    ("", "stance"): "supports",
    ("", "about"): "record",
    ("", "page"): 1,
    ("", "page_size"): 10,
    ("", "cursor"): "*",
    ("/api/v1/search/", "q"): "stores -board",
    ("/api/v1/findings/", "kind"): "studied",
    ("/api/v1/findings/", "level"): "random",
    ("/api/v1/evidence/", "fields"): "identifier,date,places",
    ("/api/v1/evidence/", "ordering"): "-year",
    ("/api/v1/evidence/{identifier}/", "fields"): "identifier,quotation",
    ("/api/v1/versions/", "slug"): "daramuti-parker",
    ("/api/v1/batches/{id}/", "id"): BATCH,
    ("/api/v1/batches/{id}/rows/", "id"): BATCH,
    ("/api/v1/batches/{id}/games/{game}/", "id"): BATCH,
    ("/api/v1/batches/{id}/games/{game}/", "game"): "0",
    ("/api/v1/comparisons/{id}/", "id"): COMPARISON,
    ("/api/v1/histories/{kind}/{key}/", "kind"): "clause",
    ("/api/v1/histories/{kind}/{key}/", "key"): "puhulmutu-parker/relay",
}
OWN_EXAMPLES = ("/api/v1/search/",)  # where a parameter of the same name has other values
# address -> what is sent there
BODIES: dict[str, dict[str, Any]] = {
    "/api/v1/batches/": {"ruleset": "daramuti-parker", **GAMES},
    "/api/v1/comparisons/": {
        "rulesets": ["daramuti-parker", "daramuti-ludii"],
        **GAMES,
        "margins": {"shares": 0.02, "amounts": 0.05},
    },
    "/api/v1/studies/": {"game": "koti-keliya", "games": 100, "seed": 1, "players": "random"},
    "/api/v1/wear/": {
        "record": "ETG.Artefact.04433",
        "candidates": "coriovallum",
        "games": 2,
        "seed": 1,
        "players": "random",
    },
    "/api/v1/ladders/": {"ruleset": "niranchy-ludovisi", "most": 16, "games": 40},
    "/api/v1/rulesets/{name}/change/": {"set": {"counters_per_hole": 5}},
}


TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "Nobody needs one. The editors give one to a program that has to read more than the limits allow.",
}
EVERYWHERE = {
    "401": "We do not know this token.",
    "406": "This address does not offer the format that was asked for.",
    "414": "The address is longer than the server reads.",
    "429": "Too much was asked for; Retry-After says how long to wait.",
}
WITH_A_BODY = {"413": "What was sent is too long.", "415": "What was sent is not JSON."}
TEXTS = ("text/csv", "application/x-ndjson")
REQUESTS = ("BatchRequest", "ComparisonRequest", "StudyRequest", "LadderRequest", "ChangeRequest", "Margins")
ALWAYS_SAID = ("page", "page_size", "cursor", "ordering", "fields", "format")  # the others narrow, if they say anything
PAGE: dict[str, Any] = {"text/html": {"schema": {"type": "string"}}}  # as which the API shows itself to browsers
LIMITS = {
    "RateLimit": {"description": "What is left, and the seconds until it begins anew.", "schema": {"type": "string"}},
    "RateLimit-Policy": {"description": "How much may be asked for.", "schema": {"type": "string"}},
}
RETRY_AFTER = {
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}, "required": True}
}


def complete(result: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> dict[str, Any]:
    """The document with what holds of every operation; a hook of drf-spectacular.

    request: from which it follows where the site is, if no setting says so
    """
    site = site_address(request) if request else settings.SITE_URL.rstrip("/")
    result["info"] |= {"license": licence()}
    result["components"]["schemas"] |= deepcopy(shapes())
    result["components"].setdefault("securitySchemes", {})["readingToken"] = TOKEN
    for name in REQUESTS:
        result["components"]["schemas"][name]["additionalProperties"] = False
    for path, operations in result["paths"].items():
        for operation in operations.values():
            operation["security"] = [{}, {"readingToken": []}]
            operation.setdefault("summary", _summary(path, operation))
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
            _refusals(operation)
            _forms(operation)
            _examples(path, operation)
            _rows(result["components"]["schemas"], operation)
    _wide(result)
    return _placed(result, site)


MOST_OF_32_BITS = 2**31 - 1


def _wide(part: Any) -> None:
    """Say of whole numbers that may be large that they are of 64 bits: clients of typed languages take 32 otherwise."""
    if isinstance(part, dict):
        kind = part.get("type")
        is_integer = "integer" in (kind if isinstance(kind, list) else [kind])
        if is_integer and part.get("maximum", 2**63) > MOST_OF_32_BITS:
            part.setdefault("format", "int64")
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _wide(inner)


def _placed(document: dict[str, Any], site: str) -> dict[str, Any]:
    """The document with the address of the site, such as "https://example.org"."""
    document["servers"] = [{"url": site or "/", "description": "This catalogue."}]
    document["info"]["termsOfService"] = f"{site}{reverse('document', args=['rights'])}"
    return document


SITE = "https://site.invalid"  # stands in the kept document for where this site is
_making = Lock()


def documents() -> dict[str, bytes]:
    """The document by form, with SITE for the address of this site; whoever asks meanwhile waits for the first."""
    with _making:
        return _made_documents()


@cache
def _made_documents() -> dict[str, bytes]:
    document = _placed(SchemaGenerator().get_schema(request=None, public=True), SITE)
    return {form.format: form().render(document) for form in (OpenApiYamlRenderer, OpenApiJsonRenderer)}


def licence() -> dict[str, str]:
    """Return the licence of the program, as LICENSE begins; the terms of the data stand on a page."""
    with (Path(settings.BASE_DIR) / "LICENSE").open(encoding="utf-8") as text:
        name = text.readline().strip()
    return {"name": name, "identifier": name.removesuffix(" License")}


def _refusals(operation: dict[str, Any]) -> None:
    """Describe every error as a problem document, whatever the requested form is."""
    usual = {**EVERYWHERE, **(WITH_A_BODY if "requestBody" in operation else {})}
    responses = operation["responses"]
    for status, words in usual.items():
        responses.setdefault(status, {"description": words})
    for status, response in responses.items():
        response.setdefault("headers", {}).update(LIMITS)
        if status == "414":  # the server's own answer, before any of ours
            response["headers"], response["content"] = {}, {**PAGE}
        elif int(status) >= 400:
            response["content"] = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Refusal"}}, **PAGE}
    responses["429"]["headers"].update(RETRY_AFTER)
    operation["responses"] = dict(sorted(responses.items()))


def _forms(operation: dict[str, Any]) -> None:
    """Describe tables and pages as text; they are no documents."""
    for response in operation["responses"].values():
        content = response.setdefault("content", {})
        content.update({form: {"schema": {"type": "string"}} for form in TEXTS if form in content})
        if LINKED_DATA in content:  # of a list it is a collection, which has other fields
            content[LINKED_DATA] = {"schema": {"type": "object"}}
        content.update(PAGE)


def _examples(path: str, operation: dict[str, Any]) -> None:
    prefix, _, rest = path.removeprefix(f"/{ROOT}").partition("/")
    keys = {rest.partition("}")[0].removeprefix("{"): key_of_a_row(prefix)}
    for parameter in operation.get("parameters", ()):
        schema = parameter["schema"]
        if parameter["in"] == "query" and parameter["name"] not in ALWAYS_SAID and "enum" in schema:
            schema["enum"] = list(dict.fromkeys([*schema["enum"], ""]))
        usual = None if path in OWN_EXAMPLES else VALUES.get(("", parameter["name"]))
        value = VALUES.get((path, parameter["name"]), keys.get(parameter["name"]) or usual)
        if value is not None:
            parameter["example"] = value
    if path in BODIES and "requestBody" in operation:
        operation["requestBody"]["content"]["application/json"]["example"] = BODIES[path]


LEFT_OUT = "Every field is there, unless `fields=` names those that are wanted: then only they are."
LONGEST_SUMMARY = 100  # characters


def _summary(path: str, operation: dict[str, Any]) -> str:
    """What an operation does, in a line: what it is called where operations are listed."""
    tag = str(operation["tags"][0]).replace("_", " ").replace("-", " ")
    action = str(operation["operationId"]).rpartition("_")[2]
    places = path.removeprefix(f"/{ROOT}").strip("/").split("/")
    if action == "list":
        return f"List {tag}"
    if action == "retrieve" and len(places) == 2:  # the list, and the key of a row
        return f"Read one of {tag}"
    first = str(operation.get("description", "")).partition("\n")[0].partition(". ")[0].rstrip(".")
    return first if 0 < len(first) <= LONGEST_SUMMARY else f"Read {' '.join(places)}"


def _rows(schemas: dict[str, Any], operation: dict[str, Any]) -> None:
    """Say where `fields=` can leave out fields that are required: a client that names none gets them all."""
    if FIELDS not in {parameter["name"] for parameter in operation.get("parameters", ())}:
        return
    answer = schemas[_named(operation["responses"]["200"]["content"]["application/json"]["schema"])]
    row = schemas[_named(answer["properties"]["results"]["items"])] if "results" in answer["properties"] else answer
    if LEFT_OUT not in (words := row.get("description", "")):
        row["description"] = f"{words} {LEFT_OUT}".strip()


def _named(reference: dict[str, str]) -> str:
    return reference["$ref"].rpartition("/")[2]


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
    document = json.loads(documents()["json"])
    operations = [
        (operation["tags"][0], _operation(path, method, operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    groups = groupby(sorted(operations, key=lambda operation: operation[0]), key=lambda operation: operation[0])
    usual = {
        parameter["name"]: parameter for _, methods in document["paths"].items() for parameter in _parameters(methods)
    }
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
    own = [parameter for parameter in parameters if parameter["name"] not in ALWAYS_SAID]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    address = path
    for parameter in parameters:
        if parameter["in"] == "path":
            address = address.replace(f"{{{parameter['name']}}}", str(parameter.get("example", "")))
    return Operation(
        operation["operationId"],
        method.upper(),
        path,
        operation.get("description", ""),
        tuple(_field(parameter) for parameter in own),
        json.dumps(content["example"], indent=2, ensure_ascii=False) if "example" in content else "",
        _called(content.get("schema", {})),
        tuple(_answers(operation["responses"])),
        address if method == "get" and "//" not in address else "",
    )


def _answers(responses: dict[str, Any]) -> Iterator[tuple[str, SafeString, str]]:
    """(status, what is answered, words) of each answer that is not the same everywhere."""
    for status, response in responses.items():
        if status not in EVERYWHERE:
            schemas = [content["schema"] for content in response.get("content", {}).values() if "schema" in content]
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
        Field(key, _called(part), str(part.get("description", "")).partition("\n\n*")[0], key in needed)
        for key, part in schema.get("properties", {}).items()
    )
    words = str(schema.get("description", "")).partition("\n\n*")[0]
    return Kind(name, words or ("" if "properties" in schema else str(_called(schema))), tuple(fields))


def _called(schema: dict[str, Any]) -> SafeString:
    """Name a type, such as "list of Anchor, or null", with links to the objects described on the page."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return format_html('<a href="#{}">{}</a>', name, name)
    for parts, between in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if parts in schema:
            return format_html_join(between, "{}", ((_called(part),) for part in schema[parts]))
    if "enum" in schema:
        values = [json.dumps(value, ensure_ascii=False) for value in schema["enum"]]
        return SafeString(format_html("{}", ", ".join(values) if len(values) <= LISTED else f"{len(values)} words"))
    kinds = schema.get("type", "anything")
    if isinstance(kinds, list):
        return format_html_join(" or ", "{}", ((_called({**schema, "type": kind}),) for kind in kinds))
    if kinds == "array":
        return format_html("list of {}", _called(schema.get("items", {})))
    bounds = ", ".join(f"{word} {schema[key]}" for key, word in BOUNDS.items() if key in schema)
    return format_html("{}{}", schema.get("format", kinds), f", {bounds}" if bounds else "")


BOUNDS = {"minimum": "from", "maximum": "to", "default": "else"}
