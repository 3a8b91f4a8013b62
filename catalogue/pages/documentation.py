"""Documentation pages from Markdown files below `templates/docs/`, and the look of the site on one page.

The look shows the tokens as the sheet has them, and every component in light, dark and print.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.generic import RedirectView
from markdown_it import MarkdownIt

from catalogue.filters.parameters import refuse_unknown
from catalogue.models.lookup import not_here
from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.figure import Bar, FigureRow
from catalogue.play.players import listed_policies
from catalogue.texts.errors import Suggested
from catalogue.texts.outcomes import Outcome
from catalogue.web.routes import every_route, route

LISTS = "<!-- lists -->"  # stands in a document for the lists of the API
OF_PLAYERS = "figures"  # the document that says who plays


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    html: str


def folder() -> Path:
    return Path(settings.BASE_DIR) / "templates" / "docs"


def lists_of_api() -> Iterator[str]:
    """The lists of the API as a table in Markdown: what each holds, and the filters that narrow it."""
    yield "| list | what it holds | narrowed by |"
    yield "|---|---|---|"
    for one in sorted((one for one in every_route().values() if one.holds), key=lambda one: one.example):
        filters = getattr(vars(one.view)["cls"], "filterset_class", None)
        names = ", ".join(f"`{name}`" for name in filters.base_filters) if filters else ""
        yield f"| [{one.example}]({one.example}) | {one.holds} | {names} |"


@cache
def read(name: str, changed: float) -> Document:
    """The document as HTML; `changed`, the time of its file, lets an edited file be read afresh."""
    markdown = MarkdownIt("commonmark").enable("table")
    text = (folder() / f"{name}.md").read_text(encoding="utf-8")
    tokens = markdown.parse(text.replace(LISTS, "\n".join(lists_of_api())) if LISTS in text else text)
    headings = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            headings.append(tokens[place + 1].content)
            token.attrSet("id", slugify(headings[-1]))
    return Document(next(iter(headings), name.capitalize()), markdown.renderer.render(tokens, markdown.options, {}))


route("favicon.ico", name="favicon", example="/favicon.ico", status=301)(
    RedirectView.as_view(url="/static/catalogue/mark.svg", permanent=True)
)


@route("about/", name="about", example="/about/", sitemap=True, arguments={"name": "about"})
@route("about/<slug:name>/", name="document", example="/about/figures/")
def document(request: HttpRequest, name: str) -> HttpResponse:
    files = {path.stem: path for path in sorted(folder().glob("*.md"))}
    if name not in files:
        message = f"There is no page “{name}” about this catalogue."
        raise not_here(message, name, files, lambda near: Suggested(near, f"/about/{near}/"))
    policies = listed_policies() if name == OF_PLAYERS else []
    context = {"name": name, "document": read(name, files[name].stat().st_mtime), "policies": policies}
    return render(request, "catalogue/document.html", context)


COLOUR = re.compile(r"--(?P<name>[a-z0-9-]+): light-dark\((?P<light>#\w{6}), (?P<dark>#\w{6})\);")
SHEET = Path(settings.BASE_DIR) / "catalogue" / "static" / "catalogue" / "tokens.css"
SCHEMES = (("light", "Light"), ("dark", "Dark"), ("print", "On paper"))
SAMPLE = (
    ("won-0", "won by the first side", 0.31), ("won-1", "won by the second side", 0.24),
    ("won-2", "won by the third side", 0.12), ("won-3", "won by the fourth side", 0.08),
    ("shared", "won by several", 0.05), ("draw", "drawn", 0.1), ("open", "not over", 0.1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Colour:
    name: str
    light: str
    dark: str


@cache
def colours() -> tuple[Colour, ...]:
    """The tokens of the sheet, in its order."""
    return tuple(Colour(**match.groupdict()) for match in COLOUR.finditer(SHEET.read_text(encoding="utf-8")))


@route("about/style/", name="style", example="/about/style/")
def style(request: HttpRequest) -> HttpResponse:
    refuse_unknown(request, ())
    context = {
        "colours": colours(),
        "schemes": SCHEMES,
        "outcomes": list(Outcome),
        "bars": [_bar("One"), _bar("Other")],
    }
    return render(request, "catalogue/style.html", context)


def _bar(label: str) -> Bar:
    """A bar that stands for no game and has every shade."""
    segments, start = [], 0.0
    for kind, title, share in SAMPLE:
        segments.append(Segment(kind, title, start, share, f"{100 * share:.0f} %"))
        start += share
    row = FigureRow(label, label, f"{label}, a sample", "#components", int(label == "Other"), None)
    return Bar(row, Outcomes(tuple(segments), "120 turns", "", 0))
