"""What the tests of the API stand on: the shipped catalogue with a finished batch, a client that reads JSON, and the
published description.
"""

import io
import json
from functools import cache
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator

from catalogue.api.fields import shapes
from catalogue.web.routes import every_route
from tests.catalogue.page_world import CatalogueTestCase

API = "/api/v1/"


def lists() -> dict[str, Any]:
    """The view of each list, by the first word of its address."""
    return {one.example.split("/")[3]: vars(one.view)["cls"] for one in every_route().values() if one.holds}


@cache
def published() -> str:
    """The OpenAPI document as JSON, made without a warning; it is the same in every test."""
    out = io.StringIO()
    call_command("spectacular", format="openapi-json", fail_on_warn=True, stdout=out)
    return out.getvalue()


@cache
def strict_document() -> dict[str, Any]:
    """The OpenAPI document, in which no object may have a field that is not described, and rows have all of them."""
    document: dict[str, Any] = json.loads(published())
    for component in document["components"]["schemas"].values():
        if "properties" in component:
            component["additionalProperties"] = False
            component.setdefault("required", list(component["properties"]))
    return document


def problems_of(answer: Any, schema: dict[str, Any]) -> list[str]:
    """Where an answer is not as the document describes it."""
    validator = Draft202012Validator({**schema, "components": strict_document()["components"]})
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(answer)]


class ApiTestCase(CatalogueTestCase):
    def is_as_described(self, component: str, answer: Any) -> None:
        problems = problems_of(answer, {"$ref": f"#/components/schemas/{component}"})
        assert not problems, (component, problems[:5])

    def read(self, path: str, status: int = 200) -> Any:
        response = self.client.get(f"{API}{path}")
        assert response.status_code == status, (path, response.content)
        assert response["Content-Type"] == ("application/json" if status < 400 else "application/problem+json")
        return response.json()

    def count(self, path: str) -> int:
        answer = self.read(path)
        assert len(answer["results"]) == min(answer["count"], 25)
        return answer["count"]

    def nearest(self, path: str, status: int = 400) -> dict[str, Any]:
        """What was refused, field by field, with the nearest valid value."""
        answer = self.read(path, status)
        assert answer["status"] == status
        for problem in answer["problems"]:
            assert problem["message"] in answer["detail"]
            assert Draft202012Validator(shapes()["NearestValue"]).is_valid(problem["nearest"]), problem
        return {problem["field"]: problem["nearest"] for problem in answer["problems"]}

    def queries(self, path: str, accept: str = "application/json") -> int:
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(f"{API}{path}", headers={"accept": accept})
        assert response.status_code == 200, path
        return len(queries)
