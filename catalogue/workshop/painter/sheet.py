"""The sheet that is drawn on, as SVG: the picture under it, a grid, what a figure has, and places that take clicks.

Every place that a click may mean carries it as its `data-at`, written as one would type it; a click beside them all
means where it is, in steps from the middle of the sheet, right and up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import hypot
from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString, mark_safe

from catalogue.workshop.painter.look import Look

PIXELS = 680  # the width of a sheet
MARGIN = 0.7  # steps round what is on it
MOST_DOTS = 2_500
HIGHEST = 1.25  # times as high as wide, at most, for the sheet to fit a screen


@dataclass(frozen=True, slots=True)
class Under:
    """A picture to draw over."""

    address: str
    width: int
    height: int
    description: str


@dataclass(slots=True)
class Canvas:
    """A sheet while it is drawn. left, right, low, high: its ends, in steps."""

    look: Look
    under: Under | None = None
    left: float = 0
    right: float = 0
    low: float = 0
    high: float = 0
    shapes: list[str] = field(default_factory=list)

    @classmethod
    def round(cls, places: Iterable[Sequence[float]], look: Look, under: Under | None, share: float = 0.75) -> "Canvas":
        """A sheet with room for these places, and for the picture. share: how high it is without one, at least"""
        half = look.width / 2
        share = under.height / under.width if under else share
        xs, ys = zip(*((-half, -half * share), (half, half * share), *places), strict=True)
        wide, high = (float(max(map(abs, axis))) + MARGIN for axis in (xs, ys))  # the middle stays in the middle
        return cls(look, under, -wide, wide, -high, high)

    @property
    def unit(self) -> float:
        """Pixels of a step."""
        wide, high = self.right - self.left, self.high - self.low
        return PIXELS / max(wide, high / HIGHEST)

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (float(x) - self.left) * self.unit, (self.high - float(y)) * self.unit

    def add(self, *shapes: str) -> None:
        self.shapes += shapes

    def dots(self) -> None:
        """Draw the grid on which clicks fall, and the axes of the symmetry."""
        step = float(self.look.step)
        while (self.right - self.left) * (self.high - self.low) / step**2 > MOST_DOTS:
            step *= 2
        columns = range(-int(-self.left / step), int(self.right / step) + 1)
        rows = range(-int(-self.low / step), int(self.high / step) + 1)
        dots = "".join(f"M{x:.1f} {y:.1f}h0" for i in columns for j in rows for x, y in [self.at(i * step, j * step)])
        self.add(f'<path class="grid" d="{dots}"/>')
        (x, y), (wide, high) = self.at(0, 0), self.size
        symmetry = self.look.symmetry
        if symmetry in ("sides", "both", "quarters", "half"):
            self.add(f'<path class="axis" d="M{x:.1f} 0V{high:.1f}"/>')
        if symmetry in ("ends", "both", "quarters"):
            self.add(f'<path class="axis" d="M0 {y:.1f}H{wide:.1f}"/>')

    @property
    def size(self) -> tuple[float, float]:
        return (self.right - self.left) * self.unit, (self.high - self.low) * self.unit

    def svg(self, title: str, description: str) -> SafeString:
        wide, high = self.size
        box = f'viewBox="0 0 {wide:.0f} {high:.0f}" class="sheet" role="img"'
        ends = f'data-unit="{self.unit:.4f}" data-left="{self.left:.4f}" data-high="{self.high:.4f}"'
        ground = f'<rect class="ground" width="{wide:.0f}" height="{high:.0f}"/>'
        return mark_safe(
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} {ends}><title>{escape(title)}</title>'
            f"<desc>{escape(description)}</desc>{ground}{self._picture()}{''.join(self.shapes)}</svg>"
        )

    def _picture(self) -> str:
        if self.under is None:
            return ""
        wide = self.look.width * self.unit
        high = wide * self.under.height / self.under.width
        x, y = self.at(*self.look.shift)
        place = f'x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" width="{wide:.1f}" height="{high:.1f}"'
        return (
            f'<image class="under" href={quoteattr(self.under.address)} {place} opacity="{self.look.opacity / 100:g}"/>'
        )

    def words(self, x: float, y: float, text: object, kind: str = "label") -> str:
        """Write something, its middle at a place in pixels."""
        return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(str(text))}</text>'


def spot(at: str, title: str, shapes: str) -> str:
    """A place that takes clicks."""
    return f"<g data-at={quoteattr(at)}><title>{escape(title)}</title>{shapes}</g>"


def arrow_head(one: tuple[float, float], other: tuple[float, float], size: float = 9) -> str:
    """The head of an arrow that comes from one place and ends at another, in pixels, as a part of a path."""
    (a, b), (c, d) = one, other
    far = max(1.0, hypot(c - a, d - b))
    x, y = (c - a) / far * size, (d - b) / far * size
    left, right = (c - x - y * 0.6, d - y + x * 0.6), (c - x + y * 0.6, d - y - x * 0.6)
    return "M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}".format(*left, c, d, *right)


def sketched(
    lines: Iterable[Sequence[Sequence[float]]], points: Sequence[Sequence[float]], squares: bool = False
) -> SafeString:
    """A small drawing of a board, without words: lines as their places, and points, or squares round these."""
    places = [*points, *(place for line in lines for place in line)]
    left, low = (min(float(place[axis]) for place in places) for axis in (0, 1))
    wide, high = (max(float(place[axis]) for place in places) - least for axis, least in ((0, left), (1, low)))
    room = 0.5 if squares else 0.2 * max(1, max(wide, high) / 6)
    unit = 110 / (max(wide, high) + 2 * room)

    def at(place: Sequence[float]) -> str:
        return f"{(float(place[0]) - left + room) * unit:.1f} {(low + high - float(place[1]) + room) * unit:.1f}"

    drawn = "".join(f"M{'L'.join(map(at, line))}" for line in lines)
    if squares:
        half = unit / 2
        drawn += "".join(f"M{at(place)}m{-half:.1f} {-half:.1f}h{unit:.1f}v{unit:.1f}h{-unit:.1f}z" for place in points)
    dots = "" if squares else f'<path class="ends" d="{"".join(f"M{at(place)}h0" for place in points)}"/>'
    width, height = (size + 2 * room for size in (wide, high))
    return mark_safe(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * unit:.0f} {height * unit:.0f}" class="sketch" '
        f'aria-hidden="true"><path class="lines" d="{drawn}"/>{dots}</svg>'
    )
