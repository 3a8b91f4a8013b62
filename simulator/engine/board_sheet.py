"""The sheet of paper every family draws its board on: SVG with a title, a description, and places that have names.

A place is a group that carries, as its `data-place`, the name by which moves call it; whatever stands on the place is
drawn inside its group, with a title that says whose it is, so that two drawings of one board differ in their places and
nowhere else. A place that is pointed out has a bracket at each corner, which is visible without colour.

Colours are those of wood, bone and seeds by daylight, written at each shape, so that a file or a picture needs no style
sheet. A page knows the shapes by their classes and may give them others:

ground: the board; spot: what lights up where a place may be pointed to; hole, seeds, count; cell: a square; line, dark,
dot: what is drawn on a board of points; piece, with side-0 to side-3: whose it is
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from xml.sax.saxutils import escape, quoteattr

from simulator.engine.ruleset import nearest

WOOD, EDGE, HOLLOW, SEED, CELL, DARK_CELL = "#ead9b8", "#8a6a3c", "#cfb27e", "#5f3c1f", "#f6ecd6", "#c39a63"
INK, BONE = "#2b241d", "#fdf8ec"
# Of each side: its pieces, and what is written on them. The first two differ in lightness, and all in shape.
SIDES = ((INK, BONE), (BONE, INK))

# A step of what is seen of a ply, for a drawing that moves; places by name, numbers as text:
#   ("lift", place)            all counters of a place are taken into the hand
#   ("drop", place)            one counter of the hand falls there
#   ("take", place, to, n)     so many counters go from a place to another, or to a store
#   ("slide" | "leap", place, to)   a piece goes to another point, or over others
#   ("walk", place, …, to)     a piece goes from square to square
#   ("lay", hand, place)       a piece comes from a hand
#   ("remove", place)          what stands there is taken off the board
#   ("return", place, to)      what stands there goes back to where pieces wait
#   ("throw", lots, faces)     "cowries" (1 mouth up) or "dice" are thrown: the faces, joined by commas
# Where the steps tell less than the ply did (a new layout, say), the drawing after it has the last word.
Step = tuple[str, ...]

MOST_STEPS = 1500  # of one ply that are shown: the longest relays have thousands


def motion_text(steps: Iterable[Step]) -> str:
    """Write steps for a page's script: fields apart by blanks, steps by semicolons."""
    return ";".join(" ".join(step) for step in islice(steps, MOST_STEPS))


INSIDE = re.compile(r'(<g data-place="([^"]+)"[^>]*>)(.*?)(</g>)')
WORDS = re.compile(r"<title>(.*?)</title><desc>(.*?)</desc>", re.DOTALL)
BRACKET = 'class="pointed-out" stroke-width="3.5"'


class NoSuchPlace(ValueError):
    """A place was to be pointed out that the board does not have; the message names the nearest."""


@dataclass(slots=True)
class Sheet:
    """A drawing while it is made.

    width, height: in pixels; marked: names of the places to point out; type_size: of the numbers and letters on it
    """

    width: int
    height: int
    marked: Collection[str] = ()
    type_size: int = 13
    shapes: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    def add(self, shapes: Iterable[str]) -> None:
        """Add shapes that are drawn in every position."""
        self.shapes += shapes

    def place(
        self, name: str, middle: tuple[float, float], half: float, shapes: Iterable[str], stands: str = ""
    ) -> None:
        """Add a place with all its shapes; brackets stand `half` from its middle. All its inside takes clicks.

        stands: who stands there, in words; empty where nobody does, or a number that is drawn says it
        """
        self.places.append(name)
        shapes = [f"<title>{escape(stands)}</title>", *shapes] if stands else shapes
        pointed_out = _brackets(*middle, half) if name in self.marked else ""
        self.shapes.append(f'<g data-place={quoteattr(name)} pointer-events="all">{"".join(shapes)}{pointed_out}</g>')

    def svg(self, title: str, description: str) -> str:
        """Return the drawing as SVG; raises NoSuchPlace."""
        for name in self.marked:
            if name not in self.places:
                near = nearest(name, self.places)
                raise NoSuchPlace(f"no place of this board is called {name!r}; the nearest is {near!r}")
        pointed_out = [name for name in self.places if name in self.marked]
        description = f"{description} Pointed out: {', '.join(pointed_out)}." if pointed_out else description
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" class="board" '
            f'role="img" width="{self.width}"><title>{escape(title)}</title>'
            f'<desc>{escape(description)}</desc><g fill="none" stroke="{INK}" stroke-width="1.5" '
            f'font-family="inherit" font-size="{self.type_size}" text-anchor="middle">'
            f'<rect class="ground" x="1" y="1" width="{self.width - 2}" height="{self.height - 2}" rx="12" '
            f'fill="{WOOD}" stroke="{EDGE}" stroke-width="2"/>{"".join(self.shapes)}</g></svg>'
        )


def lettering(x: float, y: float, words: object, more: str = "", colour: str = INK) -> str:
    """Draw words or a number, their middle at x and their foot at y."""
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" stroke="none"{more}>{escape(str(words))}</text>'


def cross(x: float, y: float, wide: float, high: float, style: str = "") -> str:
    """Draw two diagonals through (x, y), as wide and as high to either side of it."""
    left, right, top, bottom = x - wide, x + wide, y - high, y + high
    return f'<path d="M{left:g} {top:g}L{right:g} {bottom:g}M{left:g} {bottom:g}L{right:g} {top:g}"{style}/>'


def _brackets(x: float, y: float, half: float) -> str:
    leg = half * 0.5
    corners = (
        f"M{x + a * half:g} {y + b * (half - leg):g}V{y + b * half:g}H{x + a * (half - leg):g}"
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return f'<path d="{"".join(corners)}" {BRACKET}/>'


@dataclass(frozen=True, slots=True)
class Weight:
    """How strongly a place of a board is drawn.

    share: from 0 to 1, the width of a line or the size of a dot; words: what is told of it; surely: from 0 to 1, how
    dark it is
    """

    share: float
    words: str
    surely: float = 1

    @property
    def opacity(self) -> str:
        return f"{0.25 + 0.75 * self.surely:.2f}"


STANDING = re.compile(
    r'<title>.*?</title>|<text[^>]* class="(?:on-piece|count)[^>]*>.*?</text>'
    r'|<(?:path|circle|ellipse)[^>]* class="(?:piece|seeds)[^>]*/>',
    re.DOTALL,
)
ROUND = re.compile(r'<circle[^>]* cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"')
BOX = re.compile(r'<rect[^>]* x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"')
LARGEST = 0.8  # of a place: the dot of what weighs most


def weighed(svg: str, weights: Mapping[str, Weight], title: str, description: str) -> str:
    """Return a board without what stands on it; in each place that weighs something is a dot, as large as it weighs."""
    found = {name: STANDING.sub("", inside) for name, inside in insides(svg).items()}
    for name, weight in weights.items():
        inside = found.get(name, "")
        if ring := ROUND.search(inside):
            x, y, half = map(float, ring.groups())
        elif box := BOX.search(inside):
            left, top, wide, high = map(float, box.groups())
            x, y, half = left + wide / 2, top + high / 2, min(wide, high) / 2
        else:
            continue
        dot = (
            f'<circle cx="{x:g}" cy="{y:g}" r="{LARGEST * half * weight.share:.1f}" class="dot" fill="{INK}" '
            f'stroke="none" fill-opacity="{weight.opacity}"/>'
        )
        found[name] = f"<title>{escape(f'{name}: {weight.words}')}</title>{inside}{dot if weight.share > 0 else ''}"
    return redrawn(svg, escape(title), escape(description), found)


def insides(svg: str) -> dict[str, str]:
    """Map the name of each place to what a drawing shows inside it."""
    return {name: inside for _, name, inside, _ in INSIDE.findall(svg)}


def words(svg: str) -> tuple[str, str]:
    """Return the (title, description) of a drawing, still escaped."""
    match = WORDS.search(svg)
    assert match is not None
    return match[1], match[2]


def redrawn(svg: str, title: str, description: str, changed: Mapping[str, str]) -> str:
    """Return the drawing with another title and description, and other insides of some places."""
    svg = WORDS.sub(lambda _: f"<title>{title}</title><desc>{description}</desc>", svg)
    return INSIDE.sub(lambda group: f"{group[1]}{changed.get(group[2], group[3])}{group[4]}", svg)
