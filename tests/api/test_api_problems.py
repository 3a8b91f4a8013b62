"""Every error of the API is a problem document, whatever is sent; other sites may read and do nothing else."""

import json
from http import HTTPStatus
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from catalogue.api.records import EvidenceViewSet
from tests.api import hostile
from tests.api.api_world import API, ApiTestCase


class ProblemTests(ApiTestCase):
    def assert_problem(self, response: HttpResponse, status: int, path: str) -> None:
        assert response.status_code == status, (path, response.content)
        assert response["Content-Type"] == "application/problem+json", path
        document = json.loads(response.content)
        known = HTTPStatus(status)
        assert list(document) == ["type", "title", "status", "detail", "instance", "problems"], path
        assert (document["title"], document["status"]) == (known.phrase, status)
        page, _, place = document["type"].partition("#")
        explained = (Path(settings.BASE_DIR) / "templates" / "docs" / "problems.md").read_text()
        assert f'<h2 id="{place}">{status} ' in explained
        assert page == "/about/problems/"
        assert document["instance"] == path.split("?")[0]
        assert document["detail"]
        assert all(problem["message"] in document["detail"] for problem in document["problems"])

    def test_every_error_is_one_of_the_same_form(self) -> None:
        send = {"content_type": "application/json"}
        for method, path, status, more in (
            ("get", f"{API}evidence/?plac=x", 400, {}),
            ("get", f"{API}evidence/%00/", 400, {}),
            ("get", f"{API}evidence/x/", 404, {}),
            ("get", f"{API}nothing/at/all/", 404, {}),
            ("get", "/api/nothing", 404, {}),
            ("get", "/api/v2/evidence/", 404, {}),
            ("delete", f"{API}evidence/", 405, {}),
            ("put", f"{API}batches/{self.batch.id}/", 405, {}),
            ("trace", f"{API}evidence/?plac=x", 405, {}),
            ("get", f"{API}evidence/", 406, {"headers": {"accept": "image/png"}}),
            ("post", f"{API}batches/", 413, {"data": " " * 70_000, **send}),
            ("post", f"{API}batches/", 415, {"data": "a", "content_type": "text/plain"}),
            ("get", f"{API}evidence/", 401, {"headers": {"authorization": "Bearer x"}}),
            ("get", f"{API}evidence/?plac=x&format=csv", 400, {}),
        ):
            self.assert_problem(getattr(self.client, method)(path, **more), status, path)

    def test_a_long_value_does_not_come_back_whole(self) -> None:
        for sent in ({"games": "9" * 60_000}, {"games": "x" * 60_000}, {"until": "x" * 60_000}):
            body = {"ruleset": "daramuti-parker", **sent}
            response = self.client.post(f"{API}batches/", body, content_type="application/json")
            assert (response.status_code, len(response.content) < 3_000) == (400, True), sent.keys()

    def test_a_failure_of_ours_too(self) -> None:
        client = Client(raise_request_exception=False)
        with mock.patch.object(EvidenceViewSet, "get_queryset", side_effect=RuntimeError("a slip")):
            response = client.get(f"{API}evidence/")
        self.assert_problem(response, 500, f"{API}evidence/")
        assert b"slip" not in response.content

    def test_a_browser_is_shown_it_as_a_page(self) -> None:
        response = self.client.get(f"{API}evidence/?plac=x", headers={"accept": "text/html"})
        assert (response.status_code, response["Content-Type"]) == (400, "text/html; charset=utf-8")
        assert b"/about/problems/#bad-request" in response.content

    def test_other_addresses_are_refused_as_pages(self) -> None:
        for path in ("/nothing/", "/evidence/x/"):
            assert self.client.get(path)["Content-Type"].startswith("text/html")

    def test_answers_may_be_read_from_the_pages_of_other_sites(self) -> None:
        for path, status in ((f"{API}games/", 200), (f"{API}games/x/", 404), ("/api/docs/", 200)):
            response = self.client.get(path, headers={"origin": "https://example.org"})
            assert response.status_code == status
            assert response["Access-Control-Allow-Origin"] == "*"
            assert {"Link", "ETag", "RateLimit", "Retry-After"} <= set(
                response["Access-Control-Expose-Headers"].split(", ")
            )
            assert "Access-Control-Allow-Credentials" not in response

    def test_reading_is_allowed_beforehand_and_nothing_else(self) -> None:
        asked = {"origin": "https://example.org", "access-control-request-method": "GET"}
        response = self.client.options(f"{API}games/", headers=asked)
        assert (response.status_code, response.content) == (204, b"")
        assert response["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
        assert "Authorization" in response["Access-Control-Allow-Headers"]

    def test_what_is_written_is_not_open_to_other_sites(self) -> None:
        headers = {"origin": "http://testserver"}
        sent = self.client.post(f"{API}batches/", "{}", content_type="application/json", headers=headers)
        assert "Access-Control-Allow-Origin" not in sent

    def test_head_and_options_answer_as_they_should(self) -> None:
        for path in (f"{API}games/", f"{API}games/daramuti/", f"{API}games/?format=csv"):
            got, head = self.client.get(path), self.client.head(path)
            assert head.content == b""
            assert (head.status_code, head["Content-Type"]) == (200, got["Content-Type"])
        for path, methods in ((f"{API}games/", "GET, HEAD, OPTIONS"), (f"{API}batches/", "GET, POST, HEAD, OPTIONS")):
            response = self.client.options(path)
            assert (response.status_code, response["Allow"]) == (200, methods)


class HostileTests(ApiTestCase):
    @pytest.mark.by_turns
    def test_nothing_but_answers_and_clear_refusals(self) -> None:
        @given(hostile.requests)
        def ask(request: tuple) -> None:
            response = hostile.sent(self.client, request)
            assert not hostile.wrong(response), (request, response.status_code, response.content[:300])

        ask()

    @pytest.mark.by_turns
    def test_every_parameter_takes_every_nasty_value_apart(self) -> None:
        @given(st.sampled_from(hostile.PARAMETERS), st.sampled_from(hostile.NASTY))
        def ask(name: str, value: str) -> None:
            response = hostile.sent(self.client, ("evidence/", [("fields", "identifier"), (name, value)], {}))
            assert not hostile.wrong(response), (name, value, response.content[:300])

        ask()
