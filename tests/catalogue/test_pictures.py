"""Drawings as pictures: the right size, with the shapes and letters of the drawing, without a drawing library."""

import io
import re
import subprocess
import sys

import pytest
from PIL import Image

from catalogue.web.files import picture
from simulator.engine import shipped
from simulator.engine.family import family

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40" width="120" height="40">'
    '<rect width="60" height="40" fill="#8a2f1d"/><text x="64" y="26" font-size="20" fill="#000000">{}</text></svg>'
)


def drawn(words: str) -> Image.Image:
    return Image.open(io.BytesIO(picture(SVG.format(words)))).convert("RGB")


def test_a_picture_has_twice_the_size_and_the_colours() -> None:
    image = drawn("")
    assert image.size == (240, 80)
    assert image.getpixel((10, 10)) == (0x8A, 0x2F, 0x1D)
    assert image.getpixel((230, 10)) == (255, 255, 255)


def test_letters_with_diacritics_are_drawn_and_no_boxes() -> None:
    unknown, known = drawn("\U0010ffff"), drawn("ā")
    assert known.tobytes() != drawn("").tobytes()
    assert known.tobytes() != drawn("a").tobytes()
    assert known.tobytes() != unknown.tobytes()


def test_a_piece_has_its_colour_and_its_number_is_read() -> None:
    """Pahada keliya: two pieces of the first player on j3, one on j2 and one on k3; DLP.Evidence.828 has red first."""
    ruleset = shipped.load("pahada-keliya-dlp")
    drawing = family(ruleset.family).draw_start(ruleset)
    image = Image.open(io.BytesIO(picture(drawing))).convert("RGB")
    of_the_first_player = re.findall(r'<circle cx="(\d+)" cy="(\d+)" r="10.8" class="piece side-0"', drawing)
    assert len(of_the_first_player) == 3
    written = []
    for x, y in of_the_first_player:
        left, top = 2 * int(x), 2 * int(y)  # twice the size of the drawing
        within = image.crop((left - 11, top - 11, left + 11, top + 11)).getcolors(10_000)
        assert max(within)[1] == (0xB4, 0x40, 0x2F), (x, y)
        written.append(any(min(colour) > 220 for _, colour in within))
    assert sorted(written) == [False, False, True]  # the number 2


@pytest.mark.thorough
def test_no_drawing_library_is_loaded_for_it() -> None:
    """A process of its own draws: here all threads would wait, and the points would fill the memory."""
    words = (
        "import django, sys; django.setup(); from catalogue.web.files import picture; picture(sys.argv[1]);"
        "print(sorted(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", words, SVG], check=True, capture_output=True, text=True).stdout
    assert "'catalogue.web.files'" in said
    assert "'resvg_py" not in said
    assert "'matplotlib" not in said
