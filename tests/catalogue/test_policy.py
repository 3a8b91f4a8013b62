"""One content security policy for the whole site: nothing of another machine, no script in the page itself."""

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
