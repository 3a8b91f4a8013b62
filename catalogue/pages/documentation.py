"""Documentation pages: Markdown files below `templates/docs/`, one address each."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from markdown_it import MarkdownIt

from catalogue.models.lookup import not_here
from catalogue.play.policies import listed_policies
from catalogue.texts.errors import Suggested

OF_PLAYERS = "figures"  # the document that says who plays


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    html: str


def folder() -> Path:
    return Path(settings.BASE_DIR) / "templates" / "docs"


@cache
def read(name: str, changed: float) -> Document:
    """The document as HTML; `changed`, the time of its file, lets an edited file be read afresh."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse((folder() / f"{name}.md").read_text(encoding="utf-8"))
    headings = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            headings.append(tokens[place + 1].content)
            token.attrSet("id", slugify(headings[-1]))
    return Document(next(iter(headings), name.capitalize()), markdown.renderer.render(tokens, markdown.options, {}))


def document(request: HttpRequest, name: str) -> HttpResponse:
    files = {path.stem: path for path in sorted(folder().glob("*.md"))}
    if name not in files:
        message = f"There is no page “{name}” about this catalogue."
        raise not_here(message, name, files, lambda near: Suggested(near, f"/about/{near}/"))
    policies = listed_policies() if name == OF_PLAYERS else []
    context = {"name": name, "document": read(name, files[name].stat().st_mtime), "policies": policies}
    return render(request, "catalogue/document.html", context)
