"""What the OpenAPI document says of every operation alike: errors, limits, tokens, forms, and examples that work."""

from copy import deepcopy
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from catalogue.api.chosen_fields import FIELDS
from catalogue.api.examples import BODIES, OWN_EXAMPLES, VALUES
from catalogue.api.shapes import shapes
from catalogue.web.addresses import site_address
from catalogue.web.problem_document import MEDIA_TYPE

TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "Nobody needs one. A programme that reads more than the limits allow is given one by the editors.",
}
EVERYWHERE = {
    "401": "The token that was sent is not known here.",
    "406": "It cannot be had in the form that was asked for.",
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
    result["servers"] = [{"url": site or "/", "description": "This catalogue."}]
    result["info"] |= {"license": licence(), "termsOfService": f"{site}{reverse('document', args=['rights'])}"}
    result["components"]["schemas"] |= deepcopy(shapes())
    result["components"].setdefault("securitySchemes", {})["readingToken"] = TOKEN
    for name in REQUESTS:
        result["components"]["schemas"][name]["additionalProperties"] = False
    for path, operations in result["paths"].items():
        for operation in operations.values():
            operation["security"] = [{}, {"readingToken": []}]
            _refusals(operation)
            _forms(operation)
            _examples(path, operation)
            _rows(result["components"]["schemas"], operation)
    return result


def licence() -> dict[str, str]:
    """Of the programme, as LICENSE begins; the terms of what it holds are told on a page."""
    with (Path(settings.BASE_DIR) / "LICENSE").open(encoding="utf-8") as text:
        name = text.readline().strip()
    return {"name": name, "identifier": name.removesuffix(" License")}


def _refusals(operation: dict[str, Any]) -> None:
    """Every error is a problem document, whatever form was asked for."""
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
    """A table is text, not a document, and so is a page."""
    for response in operation["responses"].values():
        content = response.setdefault("content", {})
        content.update({form: {"schema": {"type": "string"}} for form in TEXTS if form in content})
        content.update(PAGE)


def _examples(path: str, operation: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        schema = parameter["schema"]
        if parameter["in"] == "query" and parameter["name"] not in ALWAYS_SAID and "enum" in schema:
            schema["enum"] = list(dict.fromkeys([*schema["enum"], ""]))
        usual = None if path in OWN_EXAMPLES else VALUES.get(("", parameter["name"]))
        value = VALUES.get((path, parameter["name"]), usual)
        if value is not None:
            parameter["example"] = value
    if path in BODIES and "requestBody" in operation:
        operation["requestBody"]["content"]["application/json"]["example"] = BODIES[path]


def _rows(schemas: dict[str, Any], operation: dict[str, Any]) -> None:
    """Where `fields=` can leave out any field of a row, a row has none that it must have."""
    if FIELDS not in {parameter["name"] for parameter in operation.get("parameters", ())}:
        return
    found = schemas[_named(operation["responses"]["200"]["content"]["application/json"]["schema"])]
    row = schemas[_named(found["properties"]["results"]["items"])] if "results" in found["properties"] else found
    if row.pop("required", None):
        words = row.get("description", "")
        row["description"] = f"{words} Every field is there, unless `fields=` names those that are wanted.".strip()


def _named(reference: dict[str, str]) -> str:
    return reference["$ref"].rpartition("/")[2]
