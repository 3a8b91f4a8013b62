"""From a matplotlib figure to a drawing a page can show: the same bytes for the same numbers, named and described.

Matplotlib's output is tidied: ink takes the colour of the text around it (light page, dark page, print), styles become
attributes, identifiers are kept only where something refers to them and carry the plot's kind, so that several drawings
can stand in one page.
"""

import io
import re
from xml.etree import ElementTree

from matplotlib.figure import Figure

# Stands for "the colour of the text": no colour of the palette, so it can be found again in the output.
INK = "#010203"
FONTS = "'DejaVu Sans', Verdana, 'Liberation Sans', Arial, sans-serif"
# Reached only where the drawing is a document of its own or an image; inside a page it takes the page's colour.
# The blue, the darkest of the palette, has a lighter shade for dark pages.
DARK = 'svg:root{color:#ece7dc}[fill="#0072b2"]{fill:#56a8e0}[stroke="#0072b2"]{stroke:#56a8e0}'
COLOURS = f"svg:root{{color:#1d1b16}}@media (prefers-color-scheme:dark){{{DARK}}}"

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
REFERENCE = re.compile(r"#([\w-]+)")


def finished(figure: Figure, kind: str, title: str, description: str) -> str:
    """The figure as SVG text, with <title>, <desc> and the role of an image."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(_raw(figure))
    for unwanted in (f"{{{SVG}}}metadata", f"{{{SVG}}}defs"):
        for element in root.findall(unwanted):
            if unwanted.endswith("metadata") or element.find(f"{{{SVG}}}style") is not None:
                root.remove(element)
    for element in root.iter():
        _styles_to_attributes(element)
    _keep_needed_names(root, kind)
    _name(root, kind, title, description)
    ElementTree.indent(root, space="")
    return ElementTree.tostring(root, encoding="unicode").replace(INK, "currentColor")


def _raw(figure: Figure) -> str:
    written = io.StringIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return written.getvalue()


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


def _name(root: ElementTree.Element, kind: str, title: str, description: str) -> None:
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
