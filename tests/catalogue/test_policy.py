"""One content security policy for the whole site, and forms that no other site can send."""

import re

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from catalogue.web.middleware import takes_gzip
from catalogue.web.routes import every_route
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

    def test_pictures_may_bring_styles_and_nothing_else(self) -> None:
        plot = self.batch.plots.all()[0]
        for address in (f"/plots/{self.batch.id}/{plot.kind}.svg", "/rulesets/kotu-baendum-parker/board.png"):
            assert self.policy(address) == {**STRICT, "style-src": "'self' 'unsafe-inline'"}, address

    def test_what_is_fetched_ahead_is_kept_for_a_minute(self) -> None:
        """So a level of play that was pointed at is shown at the click, without another trip."""
        said = [self.client.get("/games/daramuti/", headers=headers)["Cache-Control"] for headers in (
            {}, {"HX-Request": "true"}, {"HX-Request": "true", "HX-Preloaded": "true"},
        )]  # fmt: skip
        assert said == ["no-cache", "no-cache", "private, max-age=60"]

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


class ForeignRequestTests(CatalogueTestCase):
    """What a page of another site sends is refused wherever something is written; the registry says where."""

    FOREIGN = (
        {"origin": "https://elsewhere.example"}, {"origin": "null"}, {"origin": "https://testserver"},
        {"origin": "http://testserver:8000"}, {"origin": "http://testserver.elsewhere.example"}, {"origin": "http://["},
        {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": ""},
        {"sec-fetch-site": "same-origin", "origin": "https://elsewhere.example"},
        {"referer": "https://elsewhere.example/page"}, {"referer": "http://testserver.elsewhere.example/"},
    )  # fmt: skip

    def test_every_address_that_writes_refuses_other_sites(self) -> None:
        tried = set()
        for name, declared in every_route().items():
            address = re.sub(r"{\w+}", "0" * 16, declared.example)
            for method in declared.methods - {"GET"}:
                for headers in self.FOREIGN:
                    response = self.client.generic(method, address, "{}", "application/json", headers=headers)
                    if declared.reads_only:
                        assert response.status_code != 403, (name, headers)
                        continue
                    assert response.status_code == 403, (name, headers)
                    problem = response.json()["problems"][0]
                    assert problem["field"].lower() in headers
                    tried.add(name)
            if not declared.elsewhere:
                part = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "image"}
                assert self.client.get(address, headers=part).status_code == 403, name
        assert {"cancel-batch", "v1:batch-list", "v1:batch-cancel", "v1:study-cancel", "suggest"} <= tried
        assert self.client.post("/admin/login/", headers={"origin": "null"}).status_code == 403

    def test_only_a_change_that_writes_nothing_is_open(self) -> None:
        assert {name for name, one in every_route().items() if one.reads_only} == {"reconcile", "v1:ruleset-change"}
        there = {"origin": "https://elsewhere.example"}
        address, wish = "/api/v1/rulesets/daramuti-parker/change/", {"set": {"counters_per_hole": 5}}
        sent = self.client.post(address, wish, "application/json", headers=there)
        assert (sent.status_code, sent["Access-Control-Allow-Origin"]) == (200, "*")
        for path, method, open_to in (
            (address, "POST", "*"), ("/api/v1/batches/", "POST", None), ("/api/v1/batches/", "GET", "*"),
            ("/api/v1/batches/", "DELETE", None), ("/api/v1/games/", "PUT", None), ("/play/", "POST", None),
            ("/evidence/DLP.Evidence.692/suggest/", "POST", None), ("/batches/0123456789abcdef/cancel/", "POST", None),
        ):  # fmt: skip
            asked = self.client.options(path, headers={**there, "access-control-request-method": method})
            assert asked.get("Access-Control-Allow-Origin") == open_to, (path, method)

    def test_programmes_and_this_site_are_taken(self) -> None:
        wish = {"ruleset": "daramuti-parker", "games": 0}  # refused for what it says, not for where it comes from
        for headers in (
            {}, {"origin": "http://testserver"}, {"sec-fetch-site": "same-origin", "origin": "http://testserver"},
            {"sec-fetch-site": "none"}, {"origin": "HTTP://TESTSERVER:80"}, {"referer": "http://testserver/compare/"},
        ):  # fmt: skip
            sent = self.client.post("/api/v1/batches/", wish, "application/json", headers=headers)
            assert sent.status_code == 400, headers

    def test_behind_a_proxy_the_site_is_where_visitors_see_it(self) -> None:
        wish, address = {"ruleset": "daramuti-parker", "games": 0}, "/api/v1/batches/"
        outside = {"origin": "https://games.example.org"}
        assert self.client.post(address, wish, "application/json", headers=outside).status_code == 403
        with self.settings(SITE_URL="https://games.example.org/catalogue/"):
            assert self.client.post(address, wish, "application/json", headers=outside).status_code == 400
        told = {**outside, "host": "games.example.org", "x-forwarded-proto": "https"}
        with self.settings(ALLOWED_HOSTS=["games.example.org"]):
            assert self.client.post(address, wish, "application/json", headers=told).status_code == 403
            with self.settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
                assert self.client.post(address, wish, "application/json", headers=told).status_code == 400

    def test_a_browser_is_told_on_a_page(self) -> None:
        sent = {"origin": "null", "accept": "text/html,*/*"}
        refused = self.client.post("/rulesets/daramuti-parker/play/", headers=sent)
        assert (refused.status_code, "a page of another site sent this" in refused.content.decode()) == (403, True)


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
