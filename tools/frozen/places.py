"""Where an address of the site stands in a copy of it, and which addresses the copy takes.

The pages of the records and of all that was concluded, their drawings, tables and citations are taken. What is played,
asked for, edited or narrowed needs the program, and is left out: `PLAYED` goes without a trace, since it is a button;
of everything else the words stay and the link goes, or leads to the catalogue itself where its address is known.
"""

import os
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urldefrag, urlencode, urlsplit

from django.urls import Resolver404, resolve

PAGES = frozenset({
    "home", "about", "document", "api-docs", "style", "map", "timeline", "findings", "edition", "edition-part",
    "evidence-list", "evidence", "evidence-rules", "game-list", "game", "reference-games", "ruleset-list", "ruleset",
    "source-list", "source", "place-list", "place", "term-list", "question-list", "question", "claim-list", "claim",
    "comparison-list", "comparison", "study-list", "study", "batch-list", "batch", "wear-list", "wear", "outcomes",
    "release-list", "release", "search",
})  # fmt: skip
FILES = frozenset({
    "outcomes-table", "outcomes-drawing", "plot", "comparison-plot", "study-plot", "source-title-page", "ruleset-board",
    "wear-board", "wear-candidates", "picture-file", "table-of-today", "citation", "citation-of-findings",
    "citation-of-edition", "citation-of-catalogue", "citation-of-release", "api-schema", "changes", "linked-places",
})  # fmt: skip
LEADING_ON = frozenset({"identifier", "api", "sensitivity-before"})  # to a page that may be taken
PLAYED = frozenset({
    "play-a-game", "play-embedded", "play-in-a-kiosk", "play-batch", "choose-game", "compare", "change-ruleset",
    "sensitivity", "suggest", "begin-draft", "ask-for-wear",
})  # fmt: skip
WITHOUT_CHOICE = {"search", "outcomes"}  # the second is a frame for other sites
BY_HASH = re.compile(r"/rulesets/(?P<hash>[0-9a-f]{64})/")  # a second name of a ruleset, whose page is copied once
KEPT_PARAMETERS = ("level", "page", "show")  # of an address: they choose among few pages, and links name them
STATIC = re.compile(r"/static/(?:[0-9a-f]+/)?(?P<file>catalogue/.+)")
SCHEMA = "openapi.json"


@dataclass(frozen=True, slots=True)
class Place:
    """An address that the copy takes. path: of the site, with its parameters; file: within the copy"""

    route: str
    path: str
    file: str

    @property
    def is_page(self) -> bool:
        return self.route in PAGES


def route_of(path: str) -> str:
    """The name of the route of a path, without parameters; empty if it has none."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""


def place_of(address: str) -> Place | None:
    """The place of an address of the site (a path, perhaps with parameters and a fragment); None if it is left out."""
    parts = urlsplit(urldefrag(address).url)
    path, route = unquote(parts.path), route_of(unquote(parts.path))
    parameters = sorted(parse_qsl(parts.query, keep_blank_values=True))
    if route == "api-schema":
        return Place(route, "/api/schema/?format=json", SCHEMA)
    if route not in PAGES | FILES or (parameters and not _chooses(parameters, route)):
        return None
    asked = f"{quote(path)}?{urlencode(parameters)}" if parameters else quote(path)
    return Place(route, asked, _file(path, [f"{name}-{value}" for name, value in parameters]))


def _chooses(parameters: list[tuple[str, str]], route: str) -> bool:
    plain = all(name in KEPT_PARAMETERS and re.fullmatch(r"[a-z0-9-]+", value) for name, value in parameters)
    return plain and len(parameters) == 1 and route in PAGES - WITHOUT_CHOICE


def _file(path: str, chosen: list[str]) -> str:
    inside = path.lstrip("/")
    return "/".join(filter(None, [inside.rstrip("/"), *chosen, "index.html"])) if path.endswith("/") else inside


def file_of_static(address: str) -> str | None:
    """Where a style sheet, script or picture of the site stands in the copy."""
    match = STATIC.fullmatch(urlsplit(address).path)
    return f"static/{match['file']}" if match else None


def link(base: str | None, file: str, target: str) -> str:
    """The address of a file as another one names it. base: where the copy is served; None for relative links

    A relative link names the file itself, so that the copy can be read from a folder as well.
    """
    if base is None:
        return quote(os.path.relpath(target, os.path.dirname(file) or "."))
    return quote(f"{base.rstrip('/')}/{target.removesuffix('index.html')}")
