"""Drawings as pictures: the right size, with the shapes and letters of the drawing, without a drawing library."""

import io
import subprocess
import sys

import pytest
from PIL import Image

from catalogue.web.files import picture

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


@pytest.mark.thorough
def test_no_drawing_library_is_loaded_for_it() -> None:
    words = (
        "import django, sys; django.setup(); from catalogue.web.files import picture; picture(sys.argv[1]);"
        "print(sorted(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", words, SVG], check=True, capture_output=True, text=True).stdout
    assert "'resvg_py'" in said
    assert "'matplotlib" not in said
