"""Plots as the site shows them: its own typeface and colours, whenever and by whatever version they were drawn.

A plot is drawn by the worker that closes a batch and kept as it is, in the palette of `simulator.plots.sheet`. Here its
colours become those of the sides. Inside a page `outcomes.css` takes them from the tokens, so that they follow the
scheme of the page; a file brings both schemes itself.
"""

import re

# A colour of the palette, and the shades of the token that it becomes, in the light and in the dark.
SHADES = {
    "#0072b2": ("#23201b", "#f1ebdf"),  # --won-0
    "#d55e00": ("#8b8375", "#8f8676"),  # --won-1
    "#009073": ("#4f6f8f", "#7d9fc2"),  # --won-2
    "#a86ba0": ("#b08f6a", "#a5764a"),  # --won-3
    "#7a7a7a": ("#5d564a", "#b9b09f"),  # --shared
}
TYPEFACE = "'Edition Sans', Inter, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
INK = "#23201b", "#ebe5d9"
FILL = "0.75"  # of what the darkest shade fills, so that a whisker in ink is seen on it
PALETTE = re.compile("|".join(SHADES), re.IGNORECASE)
STYLE = re.compile(r"<style\b[^>]*>.*?</style>\s*", re.DOTALL)
FONTS = re.compile(r'\bfont-family="[^"]*"')


def dressed(svg: str) -> str:
    """The plot as a file of its own."""
    dark = "".join(
        f'[fill="{light}"]{{fill:{shade}}}[stroke="{light}"]{{stroke:{shade}}}' for light, shade in SHADES.values()
    )
    first = next(iter(SHADES.values()))[0]
    sheet = f'svg:root{{color:{INK[0]}}}[fill="{first}"]:not([fill-opacity]){{fill-opacity:{FILL}}}'
    sheet += f"@media(prefers-color-scheme:dark){{svg:root{{color:{INK[1]}}}{dark}}}"
    return STYLE.sub(f"<style>{sheet}</style>", _recoloured(svg), count=1)


def inline(svg: str) -> str:
    """The plot as a part of a page, whose sheet it follows: a page has no styles of its own."""
    return STYLE.sub("", _recoloured(svg), count=1)


def _recoloured(svg: str) -> str:
    recoloured = PALETTE.sub(lambda found: SHADES[found[0].lower()][0], svg)
    return FONTS.sub(f'font-family="{TYPEFACE}"', recoloured, count=1)
