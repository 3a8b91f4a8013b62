"""One content security policy for the whole site, and forms that no other site can send."""

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from catalogue.web.middleware import takes_gzip
from tests.catalogue.page_world import CatalogueTestCase

PAGES = ("/", "/evidence/DLP.Evidence.692/", "/no/such/page/", "/map/", "/admin/login/", "/data/", "/robots.txt")
OF_API = ("/api/docs/", "/api/v1/games/?format=api")
STRICT = {
    "default-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


class PolicyTests(CatalogueTestCase):
    def policy(self, address: str, **headers: str) -> dict[str, str]:
        policy = self.client.get(address, headers=headers)["Content-Security-Policy"]
        return dict(one.strip().split(" ", 1) for one in policy.split(";"))

    @pytest.mark.by_turns
    def test_every_answer_has_the_same(self) -> None:
        for address in (*PAGES, *OF_API, "/api/v1/games/", "/api/v1/no/"):
            assert self.policy(address) == STRICT, address
        assert self.policy("/", host="evil.example") == STRICT

    def test_drawings_may_bring_styles_and_nothing_else(self) -> None:
        plot = self.batch.plots.all()[0]
        drawing = self.policy(f"/plots/{self.batch.id}/{plot.kind}.svg")
        assert drawing == {**STRICT, "style-src": "'self' 'unsafe-inline'"}

    def test_what_else_is_said_of_every_answer(self) -> None:
        for address in (*PAGES, *OF_API, "/api/v1/games/"):
            response = self.client.get(address)
            assert response["X-Content-Type-Options"] == "nosniff", address
            assert response["Referrer-Policy"] == "same-origin"
            assert response["Cross-Origin-Opener-Policy"] == "same-origin"
            assert "geolocation=()" in response["Permissions-Policy"]
            is_page = response["Content-Type"].startswith("text/html")
            assert response.get("Cross-Origin-Resource-Policy") == ("same-origin" if is_page else None), address

    def test_gzip_is_sent_to_whoever_does_not_refuse_it(self) -> None:
        for accepted, taken in {
            "gzip": True, "GZIP ; Q=0.5": True, "br, gzip;q=0.001": True, "x-gzip": True, "identity;q=0, *": True,
            "deflate, gzip;q=1.0, *;q=0.5": True, "gzip, *;q=0": True, "gzip;q=0.5, identity;q=0.5": True,
            "": False, "*": False, "br": False, "gzip;q=0": False, "gzip; q=0.0, br": False, "gzip ;\tQ = 0.000": False,
            "*;q=0": False, "identity;q=0, *;q=0": False, "gzip;q=0, *": False, "identity, gzip;q=0.5": False,
            "notgzip": False, "gzip;q=nan": False, "gzip;q=2": False, "identity;q=0": False, "a;;q=1,,": False,
        }.items():  # fmt: skip
            assert takes_gzip(accepted) is taken, accepted
        for accepted, taken in {"gzip;q=0": False, "identity;q=0, *": True}.items():
            answer = self.client.get("/about/method/", headers={"accept-encoding": accepted})
            assert (answer.has_header("Content-Encoding"), "Accept-Encoding" in answer["Vary"]) == (taken, True)

    def test_no_page_has_a_script_or_a_style_of_its_own(self) -> None:
        board = "/rulesets/puhulmutu-parker/play-a-game/?players=you,you&seed=1"
        throws = "/rulesets/pahada-keliya-dlp/play-a-game/"
        for address in ("/", "/map/", "/timeline/", "/evidence/DLP.Evidence.692/", board, throws, *OF_API):
            page = self.page(address)
            opening = [part.partition(">")[0] for part in page.split("<script")[1:]]
            assert all("src=" in one or "application/" in one for one in opening), address
            assert " onclick=" not in page
            assert " style=" not in page, address
            assert "<style" not in page, address


class OtherSitesTests(CatalogueTestCase):
    """Scripts of other sites read what is for everybody, without credentials, and nothing else."""

    OPEN = "Access-Control-Allow-Origin"
    ELSEWHERE = {"origin": "https://elsewhere.example"}

    @pytest.mark.by_turns
    def test_what_everybody_may_read_other_sites_may_read(self) -> None:
        for address, status in (
            ("/cite/source/parker-1909.ris", 200), ("/id/DLP.Evidence.692", 303), ("/evidence/DLP.Evidence.692/", 200),
            ("/rulesets/daramuti-parker/outcomes.csv", 200), ("/rulesets/daramuti-parker/outcomes.svg", 200),
            (f"/batches/{self.batch.id}/rows.csv", 200), ("/data/", 200), ("/cite/source/parker-1909.nothing", 404),
        ):  # fmt: skip
            response = self.client.get(address, headers=self.ELSEWHERE)
            assert (response.status_code, response.get(self.OPEN)) == (status, "*"), address
            assert "Access-Control-Allow-Credentials" not in response
            assert "origin" in response["Vary"].lower()
            if "ETag" in response:
                again = self.client.get(address, headers={**self.ELSEWHERE, "if-none-match": response["ETag"]})
                assert (again.status_code, again.get(self.OPEN)) == (304, "*"), address

    @pytest.mark.by_turns
    def test_what_writes_or_is_of_a_session_they_may_not(self) -> None:
        for address in (
            "/admin/login/", "/evidence/DLP.Evidence.692/suggest/", "/compare/", "/rulesets/daramuti-parker/play/",
            "/rulesets/daramuti-parker/play-a-game/", "/livez", "/readyz", "/metrics", "/nothing/here/",
        ):  # fmt: skip
            assert self.OPEN not in self.client.get(address, headers=self.ELSEWHERE), address
            asked = {**self.ELSEWHERE, "access-control-request-method": "GET"}
            assert self.OPEN not in self.client.options(address, headers=asked), address
        assert self.OPEN not in self.client.post("/cite/source/parker-1909.ris", headers=self.ELSEWHERE)
        reader = Client(headers=self.ELSEWHERE)
        reader.cookies.load({settings.SESSION_COOKIE_NAME: "anything"})
        assert self.OPEN not in reader.get("/evidence/DLP.Evidence.692/")

    def test_they_may_send_back_a_tag(self) -> None:
        asked = {**self.ELSEWHERE, "access-control-request-method": "GET"}
        response = self.client.options("/cite/source/parker-1909.ris", headers=asked)
        assert (response.status_code, response[self.OPEN]) == (204, "*")
        assert response["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
        assert "If-None-Match" in response["Access-Control-Allow-Headers"]


class FormTests(CatalogueTestCase):
    """Forms of visitors without a session hold no token: the browser says which site sent them."""

    ADDRESS = "/evidence/DLP.Evidence.692/suggest/"

    def status(self, headers: dict[str, str], cookies: dict[str, str] | None = None) -> int:
        client = Client(enforce_csrf_checks=True, headers=headers)
        client.cookies.load(cookies or {})
        return int(client.post(self.ADDRESS, {"kind": "problem", "text": "Ten letters or more."}).status_code)

    def test_pages_with_forms_set_no_cookie_for_visitors(self) -> None:
        for address in (self.ADDRESS, "/evidence/DLP.Evidence.692/", "/rulesets/puhulmutu-parker/", "/compare/"):
            response = self.client.get(address)
            assert not response.cookies, address
            assert "csrfmiddlewaretoken" not in response.content.decode()

    def test_a_form_is_taken_that_this_site_sent(self) -> None:
        for headers in (
            {"sec-fetch-site": "same-origin"}, {"origin": "http://testserver"}, {"referer": "http://testserver/map/"},
        ):  # fmt: skip
            assert self.status(headers) == 302, headers

    def test_a_form_is_refused_that_another_site_or_nobody_sent(self) -> None:
        for headers in (
            {}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"sec-fetch-site": "none"},
            {"origin": "http://evil.example"}, {"origin": "null"}, {"referer": "http://evil.example/"},
            {"sec-fetch-site": "same-origin", "origin": "http://evil.example"},
            {"sec-fetch-site": "cross-site", "origin": "http://testserver"},
            {"referer": "http://testserver.evil.example/"}, {"referer": "https://testserver/"},
        ):  # fmt: skip
            assert self.status(headers) == 403, headers

    def test_a_visitor_with_a_session_needs_no_token(self) -> None:
        cookies = {settings.SESSION_COOKIE_NAME: "anything"}
        assert self.status({"sec-fetch-site": "same-origin"}, cookies) == 302
        assert self.status({"sec-fetch-site": "cross-site"}, cookies) == 403

    def test_who_is_logged_in_sends_the_token_too(self) -> None:
        client = Client(enforce_csrf_checks=True, headers={"sec-fetch-site": "same-origin"})
        client.force_login(get_user_model()._default_manager.create_user(username="somebody"))
        sent = {"kind": "problem", "text": "Ten letters or more."}
        assert client.post(self.ADDRESS, sent).status_code == 403
        page = client.get(self.ADDRESS).content.decode()
        token = page.partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
        assert client.post(self.ADDRESS, {**sent, "csrfmiddlewaretoken": token}).status_code == 302
