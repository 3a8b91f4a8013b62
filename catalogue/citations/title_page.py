"""A title page for a source, drawn by us from its reference: author, title and year. Pure Python.

It is a sign for the book in lists, and no likeness: nobody should take it for the page of the book itself.
"""

from xml.sax.saxutils import escape

from catalogue.texts.widths import width_of, wrapped

WIDTH, HEIGHT, MARGIN = 120, 160, 12
TITLE_SIZES = (15, 13, 11.5, 10, 9, 8)
TITLE_LINES = 6
LEADING = 1.25
STYLE = (
    ".leaf { fill: #fdf8ec; stroke: #8a6a3c } .rule { stroke: #8a6a3c } text { font-family: serif; fill: #2b241d } "
    ".soft { fill: #5d564a; font-family: sans-serif } @media (prefers-color-scheme: dark) { .leaf { fill: #d9cdb4 } }"
)


def title_page(authors: str, title: str, year: str) -> str:
    """SVG. authors: surname first, separated by semicolons; year: in words, empty where none is known

    The place is left out: where a reprint is cited, the year is often that of the first edition.
    """
    by = [name.partition(",")[0].strip() for name in authors.split(";") if name.strip()]
    names = f"{by[0]} and others" if len(by) > 2 else " and ".join(by)
    room, shapes = WIDTH - 2 * MARGIN - 6, []
    y = 26.0
    for line in wrapped(names, room, 9.5)[:2] if names else ():
        shapes.append(_text(y, line, 9.5, ' class="soft"'))
        y += 12
    lines, size = _fitted(title, room)
    y = max(y + 14, 74 - (len(lines) - 1) * size * LEADING / 2)
    for line in lines:
        shapes.append(_text(y, line, size, ' font-weight="600"'))
        y += size * LEADING
    shapes.append('<path class="rule" d="M44 126H76"/>')
    shapes.append(_text(141, year, 9.5, ' class="soft"'))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f'<rect class="leaf" x="4" y="2" width="112" height="156"/><rect class="rule" x="10" y="8" width="100" '
        f'height="144" fill="none" stroke-width=".6"/>{"".join(shapes)}</svg>'
    )


def _fitted(title: str, room: float) -> tuple[list[str], float]:
    for size in TITLE_SIZES:
        lines = wrapped(title, room, size, bold=True)
        whole = all(width_of(word, size, bold=True) <= room for word in title.split())
        if len(lines) <= TITLE_LINES and whole:
            return lines, size
    lines = wrapped(title, room, TITLE_SIZES[-1], bold=True)
    return [*lines[: TITLE_LINES - 1], "…"] if len(lines) > TITLE_LINES else lines, TITLE_SIZES[-1]


def _text(y: float, words: str, size: float, more: str) -> str:
    return f'<text x="60" y="{y:.1f}" font-size="{size:g}" text-anchor="middle"{more}>{escape(words)}</text>'
