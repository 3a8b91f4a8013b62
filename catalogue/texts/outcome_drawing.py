"""Outcome bars as a drawing that stands by itself: for print, slides and other pages. Pure text, as the page has it.

What is not over is hatched. The colours differ in lightness too, so that the bars can be read in grey.
"""

import textwrap
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from catalogue.texts.outcome_bars import Outcomes, Segment

WIDTH, LEFT, RIGHT, BAR, STEP, LINE = 720, 170, 110, 20, 44, 22
FILLS = {
    "won-0": "#23201b", "won-1": "#8b8375", "won-2": "#4f6f8f", "won-3": "#b08f6a", "shared": "#5d564a",
    "draw": "#dccb92",
}  # fmt: skip
STYLE = (
    "text { font-family: sans-serif; font-size: 12px; fill: #23201b } .title { font: 600 17px serif } "
    ".soft { fill: #5d564a } "
    "@media (prefers-color-scheme: dark) { svg { background: #211e1a } text { fill: #ebe5d9 } .soft { fill: #b3a997 } "
    ".won-0 { fill: #ebe5d9 } .draw { fill: #7d6c33 } }"
)
HATCH = (
    '<pattern id="open" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="7" height="7" fill="#f2eee4"/><rect width="2.5" height="7" fill="#cfc6b6"/></pattern>'
)


def outcome_drawing(title: str, level: str, bars: Sequence[tuple[str, Outcomes | None]], foot: str) -> str:
    """SVG of some bars. level: unit and level of play; foot: n, seed, cap and where it is from"""
    lines = textwrap.wrap(title, 78) or [""]
    top = 20 + LINE * len(lines) + 10
    shapes = [_text(12, 26 + LINE * place, words, "title") for place, words in enumerate(lines)]
    shapes.append(_text(12, top + 4, level, "soft"))
    y = top + 26
    for name, found in bars:
        shapes += _bar(name, found, y)
        y += STEP
    shapes += [_text(LEFT + k * (WIDTH - LEFT - RIGHT) / 4, y + 2, f"{25 * k}", "soft", "middle") for k in range(5)]
    shapes += _key([found for _, found in bars if found], y + 28)
    feet = textwrap.wrap(foot, 110)
    shapes += [_text(12, y + 56 + 16 * place, words, "soft") for place, words in enumerate(feet)]
    height = y + 60 + 16 * len(feet)
    words = "; ".join(f"{name}: {found.words}" for name, found in bars if found)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(f'{level}. {words}')}</desc><style>{STYLE}</style>"
        f"<defs>{HATCH}</defs>{''.join(shapes)}</svg>"
    )


def _bar(name: str, found: Outcomes | None, y: float) -> list[str]:
    wide = WIDTH - LEFT - RIGHT
    shapes = [_text(12, y + 15 + 14 * place, words) for place, words in enumerate(textwrap.wrap(name, 26)[:2])]
    shapes.append(f'<rect x="{LEFT}" y="{y:g}" width="{wide}" height="{BAR}" fill="url(#open)"/>')
    for one in found.segments if found else ():
        if one.kind != "open":
            shapes.append(_rect(one, LEFT + wide * one.start, y, wide * one.share))
    return [*shapes, _text(WIDTH - RIGHT + 10, y + 15, found.length if found else "not played")]


def _key(found: Sequence[Outcomes], y: float) -> list[str]:
    kinds = {one.kind: one for bar in found for one in bar.segments}
    shapes, x = [], 12.0
    for one in kinds.values():
        shapes += [_rect(one, x, y - 10, 11, 11), _text(x + 16, y, one.title, "soft")]
        x += 30 + 6.6 * len(one.title)
    return shapes


def _rect(one: Segment, x: float, y: float, wide: float, high: int = BAR) -> str:
    fill = FILLS.get(one.kind, "url(#open)")
    return f'<rect class="{one.kind}" x="{x:.2f}" y="{y:g}" width="{wide:.2f}" height="{high}" fill="{fill}"/>'


def _text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class={quoteattr(style)} text-anchor="{anchor}">{escape(words)}</text>'
