"""The picture that stands for a page where it is shared: 1200 × 630, as Open Graph wants it, drawn as SVG. Pure Python.

Left: what kind of page it is, its title, and what was found, with the bars of the first readings where there is room.
Right: the board. Type shrinks until all lines have room; what is too long even then ends in an ellipsis at a word.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from catalogue.outcomes.bars import FILLS, HATCH, OPEN, Outcomes
from catalogue.texts.widths import width_of, wrapped

WIDTH, HEIGHT, MARGIN = 1200, 630, 64
BOARD = 440  # pixels of the square that the board has
GAP = 56
PAPER, INK, SOFT, ACCENT, LINE = "#fbf9f4", "#23201b", "#5d564a", "#8a2f1d", "#d9d2c3"
TITLE = "font-family='Edition Serif' font-weight='700'"
WORDS = "font-family='Edition Sans'"
BOLD = f"{WORDS} font-weight='600'"
# How wide words are in the typefaces of the site, beside those in which `widths` measures.
OF_SERIF, OF_SANS = 0.86, 0.93
TITLE_SIZES, FOUND_SIZES = (72, 64, 56, 48, 42, 38, 34), (34, 31, 28, 25, 22)
BELOW = 30  # pixels from the foot of the title to what was found
LEADING = 1.28  # of a line to the next, by the size of its type
BARS, BAR, STEP, LABEL = 3, 26, 50, 190  # bars at most; pixels of one, from one to the next, of a name beside it
FOOT = HEIGHT - MARGIN
VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
CLAUSE = re.compile(r"(?<=[.;]) ")
OPENING = re.compile(r"<svg\b[^>]*>")


@dataclass(frozen=True, slots=True)
class ShareCard:
    """kind: "A game", "What an old book claimed"; found: what is known of it, in a sentence or two

    board: an SVG document, empty without one; bars: names and ends of games, the first of which are drawn
    """

    kind: str
    title: str
    found: str = ""
    board: str = ""
    bars: Sequence[tuple[str, Outcomes]] = ()


@dataclass(frozen=True, slots=True)
class Lines:
    """Words as they stand on the picture. y: of the foot of the first line"""

    words: tuple[str, ...]
    size: int
    x: float
    y: float
    style: str
    colour: str
    room: float

    @property
    def foot(self) -> float:
        return self.y + (len(self.words) - 1) * self.size * LEADING

    @property
    def svg(self) -> str:
        feet = (self.y + place * self.size * LEADING for place in range(len(self.words)))
        return "".join(
            f'<text x="{self.x:g}" y="{foot:.1f}" font-size="{self.size}" fill="{self.colour}" {self.style}>'
            f"{escape(line)}</text>"
            for foot, line in zip(feet, self.words, strict=True)
        )


def lines_of(card: ShareCard, site: str) -> list[Lines]:
    """All words of a card but those of its bars, each with the room that it has. site: what the site is called"""
    room = WIDTH - 2 * MARGIN - (BOARD + GAP if card.board else 0)
    kind = Lines((card.kind,), 26, MARGIN, MARGIN + 22, BOLD, ACCENT, room)
    most = 2 if card.bars else 3
    words, size = _fitted(card.title, room / OF_SERIF, TITLE_SIZES, lambda size: most + (size <= 42))
    title = Lines(words, size, MARGIN, kind.y + 26 + size, TITLE, INK, room)
    foot = Lines((site,), 24, MARGIN, FOOT, WORDS, SOFT, room)
    if not card.found:
        return [kind, title, foot]
    begin, end = title.foot + BELOW, _bars_begin(card) - 14
    words, size = _fitted(
        card.found, room / OF_SANS, FOUND_SIZES, lambda size: max(1, int((end - begin) / (size * LEADING)))
    )
    return [kind, title, Lines(words, size, MARGIN, begin + size, WORDS, INK, room), foot]


def share_card(card: ShareCard, site: str) -> str:
    """The picture as SVG."""
    shapes = [line.svg for line in lines_of(card, site)]
    shapes += _bars(card)
    shapes += [_board(card.board)] if card.board else []
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<title>{escape(card.title)}</title><defs>{HATCH}</defs>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/><rect width="{WIDTH}" height="10" fill="{ACCENT}"/>'
        f"{''.join(shapes)}</svg>"
    )


def _fitted(text: str, room: float, sizes: Sequence[int], most: Callable[[int], int]) -> tuple[tuple[str, ...], int]:
    """The largest type in which a text has no more lines than it may. If there is none, the smallest: with as many
    whole clauses as have room, or cut at a word."""
    *clauses, _ = CLAUSE.split(text)
    shorter = [f"{text[: text.index(clause) + len(clause)].rstrip(';')} …" for clause in reversed(clauses)]
    for words, tried in [(text, sizes), *((one, sizes[-1:]) for one in shorter)]:
        for size in tried:
            lines = wrapped(words, room, size)
            if len(lines) <= most(size) and max(width_of(word, size) for word in [*words.split(), ""]) <= room:
                return tuple(lines), size
    lines, at_most = wrapped(text, room, sizes[-1]), most(sizes[-1])
    if len(lines) > at_most:
        lines = [*lines[: at_most - 1], _cut(lines[at_most - 1], room, sizes[-1])]
    return tuple(lines), sizes[-1]


def _cut(line: str, room: float, size: int) -> str:
    words = line.split()
    while len(words) > 1 and width_of(f"{' '.join(words)} …", size) > room:
        words.pop()
    return f"{' '.join(words).rstrip(',;:.–')} …"


def _shown(card: ShareCard) -> Sequence[tuple[str, Outcomes]]:
    return card.bars[:BARS]


def _bars_begin(card: ShareCard) -> float:
    """Where the bars begin; the foot of what was found, where there are none."""
    return FOOT - 44 - STEP * len(_shown(card))


def _bars(card: ShareCard) -> Iterator[str]:
    room = WIDTH - 2 * MARGIN - (BOARD + GAP if card.board else 0)
    left, wide = MARGIN + LABEL, room - LABEL
    for place, (name, outcomes) in enumerate(_shown(card)):
        y = _bars_begin(card) + STEP * place + 10
        label, size = _fitted(name, (LABEL - 14) / OF_SANS, (20, 18, 16), lambda size: 1)
        yield Lines(label, size, MARGIN, y + 20, WORDS, SOFT, LABEL - 14).svg
        yield f'<rect x="{left}" y="{y:g}" width="{wide:g}" height="{BAR}" fill="url(#open)"/>'
        for segment in outcomes.segments:
            if segment.kind != OPEN:
                x, long = left + wide * segment.start, wide * segment.share
                fill = FILLS.get(segment.kind, "url(#open)")
                yield f'<rect x="{x:.1f}" y="{y:g}" width="{long:.1f}" height="{BAR}" fill="{fill}"/>'
        if outcomes.says_open:
            end = left + wide - 10
            words = f'<text x="{end:g}" y="{y + 19:g}" font-size="18" fill="{INK}" text-anchor="end" {WORDS}>'
            yield f"{words}{outcomes.says_open}</text>"


def _board(svg: str) -> str:
    """The drawing, as large as its square allows, in the middle of it."""
    left, top = WIDTH - MARGIN - BOARD, (HEIGHT - BOARD) / 2 + 5
    found = VIEW_BOX.search(svg)
    box = f'viewBox="{found[0][9:-1]}"' if found else ""
    inside = OPENING.sub("", svg, count=1).rpartition("</svg>")[0]
    inside = re.sub(r"<style>.*?</style>", "", inside, flags=re.DOTALL)
    return f'<svg x="{left:g}" y="{top:g}" width="{BOARD}" height="{BOARD}" {box}>{inside}</svg>'
