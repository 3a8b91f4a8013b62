"""The style: letters that are there, one sheet of tokens, a page that shows it all. Contrasts: test_pages_style."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.test import Client
from fontTools.ttLib import TTFont

from catalogue.pages.site import colours

STATIC = Path(settings.BASE_DIR) / "catalogue" / "static" / "catalogue"
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


@pytest.mark.django_db
def test_the_style_page_shows_every_token_and_component() -> None:
    page = BeautifulSoup(Client().get("/about/style/").content, "lxml")
    assert [one.text for one in page.select("#colours ~ div code")] == [f"--{colour.name}" for colour in colours()]
    shown = (".quotation", ".card", ".bars", ".verdict", ".note.wrong", "[aria-invalid]", "button[disabled]", "table")
    for component in shown:
        assert [len(panel.select(component)) > 0 for panel in page.select(".panel")] == [True] * 3, component
