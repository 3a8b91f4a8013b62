"""What is answered where nothing can be: a page for readers, a problem document below /api/, and nothing given away."""

from unittest import mock

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.http import HttpResponse

from tests.catalogue.page_world import CatalogueTestCase

PROBLEM = "application/problem+json"


class RefusalTests(CatalogueTestCase):
    def said(self, response: HttpResponse, status: int, words: str) -> None:
        assert response.status_code == status
        assert response["Content-Type"] == "text/html; charset=utf-8"
        text = response.content.decode()
        assert words in text
        for inner in ("Traceback", "OperationalError", str(settings.BASE_DIR)):
            assert inner not in text

    def test_another_host(self) -> None:
        page = self.client.get("/games/", headers={"host": "evil.example"})
        self.said(page, 400, "This request cannot be answered")
        assert "evil.example" not in page.content.decode()
        answer = self.client.get("/api/v1/games/", headers={"host": "evil.example"})
        assert (answer.status_code, answer["Content-Type"]) == (400, PROBLEM)

    def test_too_much_is_sent(self) -> None:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
            answer = self.client.post("/rulesets/daramuti-parker/play/", b"x" * (most + 1), content_type=kind)
            self.said(answer, 413, f"At most {most:,} bytes can be sent.")
        answer = self.client.post("/api/v1/batches/", b" " * (most + 1), content_type="application/json")
        assert (answer.status_code, answer["Content-Type"]) == (413, PROBLEM)

    def test_pages_that_only_read_are_sent_nothing(self) -> None:
        self.client.handler.enforce_csrf_checks = True
        for address in ("/", "/games/daramuti/", "/search/", "/about/", f"/batches/{self.batch.id}/rows.csv"):
            answer = self.client.post(address, {"a": "b"})
            self.said(answer, 405, "This address does not accept that kind of request")
            assert answer["Allow"] == "GET, HEAD", address
        answer = self.client.get(f"/batches/{self.batch.id}/cancel/")
        self.said(answer, 405, "It accepts POST.")

    def test_forms_without_their_token_are_refused(self) -> None:
        self.client.handler.enforce_csrf_checks = True
        for address in ("/compare/", "/rulesets/daramuti-parker/play/", "/evidence/DLP.Evidence.692/suggest/"):
            assert self.client.post(address, {}).status_code == 403, address

    def test_a_database_that_takes_no_writes(self) -> None:
        """The edge is the database; that it is really locked is tested over a socket."""
        self.client.raise_request_exception = False
        locked = OperationalError("database is locked")
        for target, address in (
            ("catalogue.pages.games.render", "/games/"),
            ("catalogue.api.viewsets.CatalogueViewSet.list", "/api/v1/games/"),
            ("django.contrib.sessions.middleware.SessionMiddleware.process_response", "/"),
        ):
            with mock.patch(target, side_effect=locked), self.client.fresh():
                answer = self.client.get(address)
            assert (answer.status_code, answer["Retry-After"]) == (503, "10"), address
            assert answer["Content-Type"].startswith(PROBLEM if "api" in address else "text/html")
        failing = mock.patch("catalogue.pages.games.render", side_effect=OperationalError("no such table: x"))
        with failing, self.client.fresh():
            self.said(self.client.get("/games/"), 500, "Something failed here")
        assert connection.is_usable()

    @pytest.mark.by_turns
    def test_texts_are_compressed_for_whoever_takes_them_so(self) -> None:
        for address in ("/evidence/DLP.Evidence.692/", "/api/v1/evidence/", f"/batches/{self.batch.id}/rows.csv"):
            self.client.get(address)  # brings the cookie of the forms, of which a page's ETag knows
            small = self.client.get(address, headers={"accept-encoding": "gzip"})
            assert small["Content-Encoding"] == "gzip", address
            assert "Accept-Encoding" in small["Vary"]
            if small.get("ETag"):
                wishes = {"accept-encoding": "gzip", "if-none-match": small["ETag"]}
                assert self.client.get(address, headers=wishes).status_code == 304, address
            assert "Content-Encoding" not in self.client.get(address)
