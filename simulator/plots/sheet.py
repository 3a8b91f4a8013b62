"""The sheet every plot is drawn on, and the SVG that comes of it: the same bytes for the same numbers.

All sheets have one width, one type size, one palette, and a line that says what the games were. A plot is drawn in
pixels at 72 to the inch, so a point of type is a pixel of the drawing.

Matplotlib's output is tidied: ink takes the colour of the text around it (light page, dark page, print), styles become
attributes, identifiers are kept only where something refers to them and carry the plot's kind, so that several drawings
can stand in one page; a drawing has a title and a description.
"""

import io
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from simulator.engine.players.wording import in_words

# Stands for "the colour of the text": no colour of the palette, so it can be found again in the output.
INK = "#010203"
FONTS = "'DejaVu Sans', Verdana, 'Liberation Sans', Arial, sans-serif"
# Reached only where the drawing is a document of its own or an image; inside a page it takes the page's colour.
# The blue, the darkest of the palette, has a lighter shade for dark pages.
DARK = 'svg:root{color:#ece7dc}[fill="#0072b2"]{fill:#56a8e0}[stroke="#0072b2"]{stroke:#56a8e0}'
COLOURS = f"svg:root{{color:#1d1b16}}@media (prefers-color-scheme:dark){{{DARK}}}"
SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
REFERENCE = re.compile(r"#([\w-]+)")

WIDTH = 640
TYPE, SMALL = 12, 10
HEADER, FOOTER_LINE = 30, 15
BELOW_AXES = 42  # pixels for the numbers and the label of an axis
# Characters of small type on a line.
LINE_LENGTH = 112

# After Okabe & Ito 2008, the shades that stand out from white and from black alike (at least 3 to 1); grey for what is
# no result. Every mark is also distinguished by its label, its line or its place.
BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072b2", "#d55e00", "#009073", "#a86ba0", "#7a7a7a"


STYLE: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "plot", "path.simplify": False, "font.family": "DejaVu Sans",
    "font.size": TYPE, "axes.titlesize": TYPE, "axes.labelsize": TYPE, "xtick.labelsize": TYPE, "ytick.labelsize": TYPE,
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.8, "hatch.linewidth": 0.8,
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none", "axes.unicode_minus": True,
    "text.parse_math": False, "text.usetex": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlotDrawing:
    """A plot and its words.

    kind:   stands in addresses; one of each kind a batch
    height: of the drawing in pixels; every one is WIDTH wide
    table:  {"columns": [title, …], "rows": [[cell, …], …]}, the numbers of the plot as text
    """

    kind: str
    title: str
    description: str
    caption: str
    svg: str
    height: int
    table: dict[str, Any]


class Sheet:
    """A figure with its title and the common footer; areas between the two are given in pixels from below the title."""

    def __init__(self, title: str, height: int, context: Mapping[str, Any]) -> None:
        lines = footer(context)
        self.title = title
        self.height = HEADER + height + FOOTER_LINE * len(lines) + 12
        self.figure = Figure(figsize=(WIDTH / 72, self.height / 72), dpi=72)
        self.figure.text(8 / WIDTH, 1 - 8 / self.height, title, fontsize=TYPE + 1, fontweight="bold", va="top")
        self.figure.text(8 / WIDTH, 8 / self.height, "\n".join(lines), fontsize=SMALL, linespacing=1.4, va="bottom")

    def axes(self, left: int, top: int, width: int, height: int) -> Axes:
        """Return an area for a plot; whole numbers along it."""
        below = self.height - HEADER - top - height
        axes = self.figure.add_axes((left / WIDTH, below / self.height, width / WIDTH, height / self.height))
        axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 2.5, 5, 10], integer=True))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        return axes

    @classmethod
    def with_axes(
        cls, title: str, context: Mapping[str, Any], left: int, top: int, width: int, height: int
    ) -> tuple["Sheet", Axes]:
        """Return a sheet with one area."""
        sheet = cls(title, top + height + BELOW_AXES, context)
        return sheet, sheet.axes(left, top, width, height)

    def drawing(self, kind: str, description: str, caption: str, table: dict[str, Any]) -> PlotDrawing:
        """Return the finished sheet with its words and numbers."""
        svg = finished(self.figure, kind, self.title, description)
        return PlotDrawing(kind, self.title, description, caption, svg, self.height, table)


def seat_colour(seat: int) -> str:
    return (BLUE, VERMILION, GREEN, PURPLE)[seat % 4]


def name_rows(axes: Axes, names: Sequence[str], **style: Any) -> None:
    """Names along an area whose rows are 0, 1, … from above."""
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0, **style)


@contextmanager
def drawing_style() -> Iterator[None]:
    """Draw and save with the settings of this project only, whatever settings the user of matplotlib has."""
    with rc_context():
        rcdefaults()
        rcParams.update(STYLE)
        yield


def footer(context: Mapping[str, Any]) -> list[str]:
    """Return the lines of a sheet that state its games, players, seed, cap, ruleset and engine, each unbroken where it
    fits into a line.

    context: `played_by` names the players in words, where `players` does not
    """
    hashes = [context["ruleset"]] if isinstance(context["ruleset"], str) else context["ruleset"]
    parts = [
        f"{context['games']:,} games{' (first round only)' if context.get('until') == 'round' else ''}",
        context.get("played_by") or in_words(str(context["players"])),
        *([context["consent"]] if "consent" in context else []),
        f"seed {context['seed']}",
        f"cap {context['cap']:,} turns",
        f"ruleset{'s' if len(hashes) > 1 else ''} {', '.join(name[:8] for name in hashes)}",
        f"engine {context['engine']}",
    ]
    unbroken = " · ".join(
        part.replace(" ", "\N{NO-BREAK SPACE}") if len(part) < LINE_LENGTH else part for part in parts
    )
    lines = textwrap.wrap(unbroken, LINE_LENGTH)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def room_for(labels: Iterable[str], least: int) -> int:
    """Pixels to the left of an axis for its labels, which stand in type of the common size."""
    return max(least, round(0.6 * TYPE * max(map(len, labels), default=0)) + 16)


def up_to_cap(unfinished: int, cap: int) -> str:
    """Return what to say of a measure that unfinished games would have added to."""
    return f" Counted up to turn {cap:,}, where {unfinished:,} games were unfinished." if unfinished else ""


def counted_in(context: Mapping[str, Any]) -> str:
    """Return the noun for what was played: first rounds are no games."""
    return "first rounds" if context.get("until") == "round" else "games"


def sections(summary: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the rows of a summary by section and by key."""
    return {section["key"]: {row["key"]: row for row in section["rows"]} for section in summary["sections"]}


def percent(share: float | None, places: int = 2) -> str:
    return "–" if share is None else f"{100 * share:.{places}f} %"


def finished(figure: Figure, kind: str, title: str, description: str) -> str:
    """Return the figure as SVG text, with <title>, <desc> and the role of an image."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    written = io.StringIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    root = ElementTree.fromstring(written.getvalue())
    for unwanted in (f"{{{SVG}}}metadata", f"{{{SVG}}}defs"):
        for element in root.findall(unwanted):
            if unwanted.endswith("metadata") or element.find(f"{{{SVG}}}style") is not None:
                root.remove(element)
    for element in root.iter():
        _styles_to_attributes(element)
    _keep_needed_names(root, kind)
    _add_names(root, kind, title, description)
    ElementTree.indent(root, space="")
    return ElementTree.tostring(root, encoding="unicode").replace(INK, "currentColor")


def _styles_to_attributes(element: ElementTree.Element) -> None:
    style = element.attrib.pop("style", "")
    for declaration in filter(None, (part.strip() for part in style.split(";"))):
        name, value = (side.strip() for side in declaration.split(":", 1))
        # The whole drawing has one stack of fonts, named at its root.
        if name != "font-family":
            element.set(name, value)


def _keep_needed_names(root: ElementTree.Element, kind: str) -> None:
    needed = {
        name
        for element in root.iter()
        for key, value in element.attrib.items()
        if key.endswith("href") or value.startswith("url(")
        for name in REFERENCE.findall(value)
    }
    for element in root.iter():
        if (name := element.attrib.pop("id", None)) in needed:
            element.set("id", f"{kind}-{name}")
        for key, value in element.attrib.items():
            if key.endswith("href") or value.startswith("url("):
                element.set(key, REFERENCE.sub(rf"#{kind}-\1", value))


def _add_names(root: ElementTree.Element, kind: str, title: str, description: str) -> None:
    width, height = root.attrib["viewBox"].split()[2:]
    root.attrib.update(
        {
            "width": width,
            "height": height,
            "class": "plot-drawing",
            "role": "img",
            "aria-labelledby": f"{kind}-title {kind}-desc",
            "font-family": FONTS,
            "stroke-linejoin": "round",
            "stroke-linecap": "butt",
        }
    )
    words = (("title", f"{kind}-title", title), ("desc", f"{kind}-desc", description), ("style", "", COLOURS))
    for place, (tag, name, text) in enumerate(words):
        element = ElementTree.Element(f"{{{SVG}}}{tag}", {"id": name} if name else {})
        element.text = text
        root.insert(place, element)
