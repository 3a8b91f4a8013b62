"""A copy of the site that needs no program: where pages stand in it, what is left out, and that no link is dead."""

import datetime
import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from catalogue.edition.superseded import published_parts
from tests.catalogue.dataset_world import a_folder
from tests.catalogue.page_world import CatalogueTestCase
from tests.served_copy import walked
from tools.frozen.checking import dead_links
from tools.frozen.copying import Copying
from tools.frozen.places import link, place_of
from tools.frozen.rewriting import Rewriter

PAGE = """<html><head><script src="/static/0f/catalogue/typeahead.js"></script><link rel="canonical" href="/games/">
<script type="module" src="/static/0f/catalogue/cite.js"></script></head><body>
<header><form role="search" action="/search/"><input name="q"><input name="sort"></form></header>
<main><h1>Games</h1><a href="/games/dam/?level=club#play">Dam</a> <a href="/rulesets/dam-parker/play-a-game/">Play</a>
<a href="/evidence/?type=Ethnography">Ethnography</a> <a href="https://ludii.games/">Ludii</a>
<ul><li><a href="/compare/">Compare</a></li><li>More</li></ul>
<form method="post" action="/x/"><h2>Rules</h2><button>Ask</button></form><form><input name="x"></form></main>
<footer><div></div></footer></body></html>"""
FEW = ("home", "about", "document", "search", "edition")


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("/", "index.html"),
        ("/games/dam/?level=club#play", "games/dam/level-club/index.html"),
        ("/batches/?page=2", "batches/page-2/index.html"),
        ("/rulesets/dam-parker@1/", "rulesets/dam-parker@1/index.html"),
        ("/cite/record/DLP.Evidence.692.bib", "cite/record/DLP.Evidence.692.bib"),
        ("/api/schema/", "openapi.json"),
        ("/changes.atom", "changes.atom"),
        ("/places/linked-places.json", "places/linked-places.json"),
        ("/evidence/?type=Ethnography", None),
        ("/games/dam/?level=club&page=2", None),
        ("/games/dam/outcomes/?level=club", None),
        ("/games/dam/?level=../x", None),
        ("/rulesets/dam-parker/play-a-game/", None),
        ("/api/v1/games/", None),
        ("/admin/", None),
    ],
)
def test_where_an_address_stands(address: str, file: str | None) -> None:
    place = place_of(address)
    assert (place.file if place else None) == file


def test_links_are_relative_or_begin_with_the_base() -> None:
    assert link(None, "games/dam/index.html", "rulesets/dam@1/index.html") == "../../rulesets/dam%401/index.html"
    assert link("/old/", "games/dam/index.html", "rulesets/dam@1/index.html") == "/old/rulesets/dam%401/"


def test_what_needs_the_program_is_left_out() -> None:
    place = place_of("/games/")
    assert place
    copied = Rewriter("", None, "1 December 2026", place_of).page(place, PAGE)
    soup = BeautifulSoup(copied.text, "html.parser")
    assert [node["href"] for node in soup.main.find_all("a", href=True)] == [
        "dam/level-club/index.html#play", "https://ludii.games/",
    ]  # fmt: skip
    assert "Play" not in soup.main.get_text()
    assert "Ethnography" in soup.main.get_text()
    assert [node["name"] for node in soup.find_all("input")] == ["q"]
    assert soup.form["action"] == "../search/index.html"
    assert (len(soup.find_all("form")), soup.h2.get_text(), soup.button) == (1, "Rules", None)
    assert [node.get_text() for node in soup.main.find_all("li")] == ["More"]
    assert copied.text.count("What stands here is a form") == 1
    assert "This is a copy of 1 December 2026" in soup.footer.get_text(" ")
    assert [node["src"] for node in soup.find_all("script")] == ["../static/catalogue/cite.js"]
    assert soup.find("link") is None
    living = Rewriter("https://games.org", "/", "1 December 2026", place_of).page(place, PAGE).text
    assert 'href="https://games.org/rulesets/dam-parker/play-a-game/"' in living
    assert '<link href="https://games.org/games/" rel="canonical"/>' in living


def test_a_dead_link_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text('<a href="a/index.html#here">a</a><a href="a/index.html#gone">b</a>')
    (tmp_path / "a" / "index.html").write_text('<p id="here"><a href="../index.html">u</a><img src="no.svg"></p>')
    assert dead_links(tmp_path) == ["a/index.html: no.svg"]
    assert dead_links(tmp_path, parts_too=True) == ["a/index.html: no.svg", "index.html: a/index.html#gone"]


@pytest.mark.by_turns
class FrozenCopyTests(CatalogueTestCase):
    def test_a_web_server_alone_serves_it(self) -> None:
        part = next(one for one in published_parts().superseded if one.kind == "batches")
        moment = datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.UTC)
        with a_folder() as folder:
            made = Copying(
                folder / "copy", moment, only=lambda place: place.route in FEW or place.path == part.address
            ).make()
            assert dead_links(folder / "copy") == []
            read = [path for path in walked(folder / "copy") if path.endswith(".html")]
            assert 8 < len(read) <= made.pages
            index = json.loads((folder / "copy" / "static" / "frozen" / "index.json").read_text())
            gone = (folder / "copy" / part.address.lstrip("/") / "index.html").read_text()
            assert "is superseded" in gone
            assert part.digest in gone
            [page] = [one for one in index if one[2] == "about/rights/index.html"]
            assert "quotations" in page[3].split()
            assert "1 December 2026" in (folder / "copy" / "index.html").read_text()
