"""The style: letters that are there, one sheet of tokens, a page that shows it all. Contrasts: test_pages_style."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from bs4 import BeautifulSoup
from django.conf import settings as project
from django.http import HttpResponse
from django.templatetags.static import static
from django.test import Client, RequestFactory
from fontTools.ttLib import TTFont

from catalogue.pages.site import colours
from catalogue.templatetags import wording
from catalogue.web import plots
from catalogue.web.middleware import StaticMiddleware
from simulator.plots import sheet

STATIC = Path(project.BASE_DIR) / "catalogue" / "static" / "catalogue"
LETTERS = "āæǣīūṛḷēōṁṃḥṅñṇṭḍśṣïÏ–—‘’“”…×−≈≠←↑→"


def test_no_other_sheet_has_a_colour_or_a_typeface_of_its_own() -> None:
    """But shadows, which are no colour, and the map, whose land and sea are its own."""
    for path in STATIC.glob("*.css"):
        if path.name not in ("tokens.css", "map.css"):
            assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?![^{}]*\{)|font-family:[^;]*[\"']", path.read_text()) == [], (
                path.name
            )


@pytest.mark.parametrize("face", ["serif", "serif-italic", "serif-bold", "sans", "sans-bold"])
def test_typefaces_have_the_letters_and_no_reserved_name(face: str) -> None:
    font = TTFont(STATIC / "fonts" / f"{face}.woff2")
    known = font.getBestCmap()
    assert [letter for letter in LETTERS if ord(letter) not in known] == []
    assert {0x306, 0x310, 0x323, 0x304} <= known.keys()
    named = " ".join(str(record) for record in font["name"].names if record.nameID in (1, 4, 6, 16))
    assert "Edition" in named
    assert not re.search("Gentium|SIL|Inter", named)


@pytest.mark.parametrize("face", ["serif", "sans"])
def test_the_licence_of_each_typeface_is_kept_beside_it(face: str) -> None:
    assert "OPEN FONT LICENSE" in (STATIC / "fonts" / f"{face}.LICENCE.txt").read_text().upper()


def test_fallbacks_have_weights_and_heights_of_the_typefaces() -> None:
    """Else a heading is drawn in a smeared bold, and lines move when the letters arrive."""
    faces = re.findall(r"@font-face {([^}]*)}", (STATIC / "tokens.css").read_text())
    own, standing_in = ([face for face in faces if ("url(" in face) == is_own] for is_own in (True, False))
    assert [face.count("font-display: swap") for face in own] == [1] * 5
    for face, other in zip(own, standing_in, strict=True):
        assert re.findall("font-(?:weight|style): [^;]*", face) == re.findall("font-(?:weight|style): [^;]*", other)
        font = TTFont(STATIC / re.findall(r'url\("([^"]*)"', face)[0])
        scale, ascent, descent = (float(number) for number in re.findall(r"([\d.]+)%", other)[:3])
        em = font["head"].unitsPerEm
        assert ascent * scale / 100 == pytest.approx(100 * font["hhea"].ascent / em, abs=0.1)
        assert descent * scale / 100 == pytest.approx(-100 * font["hhea"].descent / em, abs=0.1)


def test_plots_have_the_colours_of_the_sides_and_our_typeface() -> None:
    """Light, dark, and on pages by the sheet: each shade is one of a token."""
    tokens = {(colour.light, colour.dark): colour.name for colour in colours()}
    by_page = (STATIC / "outcomes.css").read_text()
    for light, dark in plots.SHADES.values():
        for property_ in ("fill", "stroke"):
            assert f'.plot-drawing [{property_}="{light}"] {{ {property_}: var(--{tokens[light, dark]}); }}' in by_page
    drawn = '<svg font-family="DejaVu Sans"><style>a</style><g fill="#0072b2"/><g font-family="x"/></svg>'
    assert plots.inline(drawn) == f'<svg font-family="{plots.TYPEFACE}"><g fill="#23201b"/><g font-family="x"/></svg>'
    assert '[fill="#23201b"]{fill:#f1ebdf}' in plots.dressed(drawn)
    assert set(plots.SHADES) == {sheet.BLUE, sheet.VERMILION, sheet.GREEN, sheet.PURPLE, sheet.GREY}


def test_what_never_happened_is_one_line_of_figures() -> None:
    def row(key: str, value: float) -> dict[str, Any]:
        return {"key": key, "title": f"{key[:4]}, mean up to turn 9", "value": value, "low": value, "high": value}

    rows = [row("ties_mean", 0), row("ties_q50", 0), row("laps_mean", 2), row("laps_q50", 0), row("ties_q10", 0)]
    assert [one["key"] for one in wording.in_short(rows)] == ["laps_mean", "laps_q50"]
    assert (wording.never_happened(rows), wording.outer_quantiles(rows)) == (["ties"], [])


def test_static_files_are_kept_for_a_year_below_their_digest(settings: Any) -> None:
    """Scripts import each other by relative addresses, so that these are below the digest too."""
    named = static("catalogue/play.js")
    settings.WHITENOISE_AUTOREFRESH = False
    static_files = StaticMiddleware(lambda _: HttpResponse())
    addresses = [
        named,
        urljoin(named, "./board.js"),
        urljoin(static("catalogue/tokens.css"), "fonts/sans.woff2"),
        "/static/catalogue/play.js",
        "/static/0123456789ab/catalogue/play.js",
    ]
    said = [static_files(RequestFactory().head(address))["Cache-Control"] for address in addresses]
    assert re.fullmatch(r"/static/[0-9a-f]{12}/catalogue/play\.js", named)
    assert said == ["max-age=31536000, public, immutable"] * 3 + ["max-age=60, public"] * 2


@pytest.mark.django_db
def test_the_style_page_shows_every_token_and_component() -> None:
    page = BeautifulSoup(Client().get("/about/style/").content, "lxml")
    assert [one.text for one in page.select("#colours ~ div code")] == [f"--{colour.name}" for colour in colours()]
    shown = (".quotation", ".card", ".bars", ".verdict", ".note.wrong", "[aria-invalid]", "button[disabled]", "table")
    for component in shown:
        assert [len(panel.select(component)) > 0 for panel in page.select(".panel")] == [True] * 3, component
