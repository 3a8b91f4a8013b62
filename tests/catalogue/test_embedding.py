"""The site in other people's software: figures in frames, and what browsers and telephones look for at its root."""

import datetime
import json

from bs4 import BeautifulSoup
from django.test import override_settings

from tests.catalogue.page_world import CatalogueTestCase

PAGE = "/rulesets/daramuti-parker/"
SITE = "http://testserver"


class FrameTests(CatalogueTestCase):
    def test_links_of_a_frame_open_beside_it_and_its_levels_in_it(self) -> None:
        links = self.soup(f"{PAGE}outcomes/").find_all("a", href=True)
        assert len(links) > 3
        for link in links:
            if link["href"].startswith((f"{PAGE}outcomes/?", f"{PAGE}outcomes/#", "#")):
                assert not link.has_attr("target")
            else:
                assert (link["target"], link["rel"]) == ("_blank", ["noopener"]), link

    def test_a_page_offers_the_frame_to_copy(self) -> None:
        (offered,) = self.soup(PAGE).select('details.take [data-copy="frame"]')
        frame = BeautifulSoup(offered.get_text(), "lxml").find("iframe")
        assert frame["src"].startswith(f"{SITE}{PAGE}outcomes/")
        assert frame["title"] == "Daramuti, after Parker 1909: how games end"
        assert self.client.get(frame["src"].removeprefix(SITE)).status_code == 200

    def test_other_sites_are_told_how_to_embed_it(self) -> None:
        (link,) = self.soup(PAGE).find_all("link", type="application/json+oembed")
        told = self.client.get(link["href"].removeprefix(SITE)).json()
        assert (told["version"], told["type"]) == ("1.0", "rich")
        frame = BeautifulSoup(told["html"], "lxml").find("iframe")
        assert frame["src"].startswith(f"{SITE}{PAGE}outcomes/")
        assert (int(frame["width"]), int(frame["height"])) == (told["width"], told["height"])
        small = self.client.get(f"{link['href'].removeprefix(SITE)}&maxwidth=300&maxheight=200&dnt=1").json()
        assert (small["width"], small["height"]) == (300, 200)
        frame = BeautifulSoup(small["html"], "lxml").find("iframe")
        assert (frame["width"], frame["height"]) == ("300", "200")
        assert self.client.get(f"/oembed/?url=https://{SITE[7:].upper()}{PAGE}").status_code == 200

    def test_what_cannot_be_embedded_is_refused(self) -> None:
        for query, status in (
            ("", 404), ("?url=x", 404), (f"?url={SITE}@elsewhere.example{PAGE}", 404),
            (f"?url=ftp{SITE[4:]}{PAGE}", 404), (f"?url=https://elsewhere.example{PAGE}", 404),
            (f"?url={SITE}/games/", 404),
            (f"?url={SITE}{PAGE}&format=xml", 501), (f"?url={SITE}/rulesets/no-such/", 404), ("?url=http://[", 404),
            (f"?url={SITE}{PAGE}%3Flevel=nobody", 400),
        ):  # fmt: skip
            assert self.client.get(f"/oembed/{query}").status_code == status, query


class RootTests(CatalogueTestCase):
    def test_icons_are_where_they_are_looked_for(self) -> None:
        head = self.soup("/places/sri-lanka/").head
        icons = [link["href"] for link in head.find_all("link", rel=["icon", "apple-touch-icon"])]
        (manifest,) = head.find_all("link", rel="manifest")
        answer = self.client.get(manifest["href"])
        assert answer["Content-Type"] == "application/manifest+json"
        told = json.loads(answer.content)
        assert told["name"] == "Evidence of Traditional Games"
        icons += [icon["src"] for icon in told["icons"]]
        icons += [self.client.get(path)["Location"] for path in ("/favicon.ico", "/apple-touch-icon.png")]
        found = {b"".join(self.client.get(path))[:4] for path in icons}
        assert found == {b"\x00\x00\x01\x00", b"\x89PNG", b"<svg"}

    def test_who_is_told_of_holes_is_what_the_deployment_says(self) -> None:
        assert self.client.get("/.well-known/security.txt").status_code == 404
        with override_settings(SECURITY_CONTACT=["security@example.org", "https://example.org/holes"]):
            text = self.page("/.well-known/security.txt")
        fields = [line.split(": ", 1) for line in text.splitlines()]
        contacts = [value for name, value in fields if name == "Contact"]
        assert contacts == ["mailto:security@example.org", "https://example.org/holes"]
        expires = datetime.datetime.fromisoformat(dict(fields)["Expires"])
        left = expires - datetime.datetime.now(datetime.UTC)
        assert datetime.timedelta(days=30) < left < datetime.timedelta(days=366)
