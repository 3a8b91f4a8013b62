"""One content security policy for the whole site: nothing of another machine, no script in the page itself."""

from tests.catalogue.page_world import CatalogueTestCase


class PolicyTests(CatalogueTestCase):
    def test_every_answer_has_the_same(self) -> None:
        addresses = (
            "/",
            "/evidence/DLP.Evidence.692/",
            "/no/such/page/",
            "/api/v1/games/",
            "/api/docs/",
            "/admin/login/",
        )
        policies = {self.client.get(address)["Content-Security-Policy"] for address in addresses}
        assert len(policies) == 1
        directives = dict(one.strip().split(" ", 1) for one in policies.pop().split(";"))
        assert directives["default-src"] == "'self'"
        assert "script-src" not in directives, "scripts are files of this site, as everything else is"
        assert {directives[name] for name in ("object-src", "base-uri", "frame-ancestors")} == {"'none'"}

    def test_no_page_has_a_script_of_its_own(self) -> None:
        for address in (
            "/",
            "/map/",
            "/evidence/DLP.Evidence.692/",
            "/rulesets/puhulmutu-parker/play-a-game/",
            "/api/docs/",
        ):
            page = self.page(address)
            opening = [part.partition(">")[0] for part in page.split("<script")[1:]]
            assert all("src=" in one or "application/" in one for one in opening), address
            assert " onclick=" not in page
