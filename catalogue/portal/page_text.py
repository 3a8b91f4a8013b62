"""The text of a portal page, whether it was saved as text or as HTML.

Both go on the same way as lines of text; each line remembers where in the file it stood, so that a malformed record can
be named with the line an editor has to look at.
"""

import re
import unicodedata
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PreformattedString

LOOKS_LIKE_HTML = re.compile(rb"<(?:!doctype|html|head|body|div|table|p|br|main|section)\b", re.IGNORECASE)
NOT_DISPLAYED = ("script", "style", "head", "template", "noscript")
# fmt: off
ON_LINES_OF_THEIR_OWN = frozenset((
    "address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav",
    "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
))
# fmt: on
CELLS = frozenset(("td", "th"))
SPACES = re.compile(r"[ \t\r\n\f]+")


class NoPortalPage(ValueError):
    """The file is not one of the portal's evidence pages."""


@dataclass(frozen=True, slots=True)
class PageText:
    """text: NFC, lines ended by one character; lines[i]: the line of the file that line i of the text is from."""

    text: str
    lines: tuple[int, ...]

    def line_at(self, offset: int) -> int:
        return self.lines[self.text.count("\n", 0, offset)]


def page_text(content: bytes) -> PageText:
    """Raises NoPortalPage for a file that is neither HTML nor UTF-8 text."""
    if LOOKS_LIKE_HTML.search(content[:4000]):
        return _text_of_html(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise NoPortalPage(f"it is neither HTML nor UTF-8 text (byte {problem.start + 1})") from None
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return PageText(text, tuple(range(1, text.count("\n") + 2)))


def _text_of_html(content: bytes) -> PageText:
    soup = BeautifulSoup(content, "html.parser")
    for hidden in soup(NOT_DISPLAYED):
        hidden.decompose()
    page = _PageLines()
    _add_lines(soup, page, preformatted=False)
    lines = [unicodedata.normalize("NFC", line.strip(" ")) for line in page.lines]
    return PageText("\n".join(lines), tuple(page.origins))


@dataclass(slots=True)
class _PageLines:
    """The page as a browser would break it, without its margins."""

    lines: list[str] = field(default_factory=lambda: [""])
    origins: list[int] = field(default_factory=lambda: [1])

    def end_line(self, origin: int) -> None:
        if self.lines[-1].strip():
            self.lines.append("")
            self.origins.append(origin)
        self.origins[-1] = max(origin, self.origins[-1])

    def add(self, words: str, origin: int) -> None:
        if words.strip() and not self.lines[-1].strip():
            self.origins[-1] = max(origin, self.origins[-1])
        self.lines[-1] += words.lstrip(" ") if self.lines[-1].endswith(" ") else words


def _add_lines(node: Tag, page: _PageLines, preformatted: bool) -> None:
    for child in node.children:
        origin = (child if isinstance(child, Tag) else node).sourceline or 1
        if isinstance(child, Tag):
            if child.name in ON_LINES_OF_THEIR_OWN:
                page.end_line(origin)
            elif child.name in CELLS:
                page.add(" ", origin)
            _add_lines(child, page, preformatted or child.name == "pre")
            if child.name in ON_LINES_OF_THEIR_OWN:
                page.end_line(origin)
        elif isinstance(child, NavigableString) and not isinstance(child, PreformattedString):
            for number, words in enumerate(child.split("\n") if preformatted else [child]):
                if number:
                    page.end_line(origin + number)
                page.add(SPACES.sub(" ", words), origin + number)
