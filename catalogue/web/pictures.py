"""Drawings as pictures of points (PNG), for slides and word processors that take no SVG.

They are set in the typeface that comes with matplotlib, which has every letter the catalogue uses and is the same on
every machine; matplotlib itself is not loaded.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import resvg_py

TYPEFACE = "DejaVu Sans"
FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")
SCALE = 2  # points for a pixel of the drawing: sharp on paper, too


def picture(svg: str) -> bytes:
    """The drawing as PNG on white, twice its size."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        background="#ffffff",
        zoom=SCALE,
        skip_system_fonts=True,
        font_files=list(_fonts()),
        font_family=TYPEFACE,
        serif_family=TYPEFACE,
        sans_serif_family=TYPEFACE,
        monospace_family=TYPEFACE,
    )
    return bytes(drawn)


@cache
def _fonts() -> tuple[str, ...]:
    package = find_spec("matplotlib")
    assert package is not None
    assert package.origin is not None  # a requirement of the site
    folder = Path(package.origin).parent / "mpl-data" / "fonts" / "ttf"
    return tuple(str(folder / name) for name in FILES)
