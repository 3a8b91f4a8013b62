"""The six words of the main navigation, and what is below each of them: where one is, and where one can go."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from catalogue.web.addresses import site_address

register = template.Library()


@dataclass(frozen=True, slots=True)
class Section:
    """pages: (text, route, its argument) of what is below it, its own page first; routes: of single things in it."""

    text: str
    pages: tuple[tuple[str, str, str], ...]
    routes: frozenset[str] = frozenset()


def _section(text: str, pages: dict[str, str], routes: str = "") -> Section:
    """pages: text → route, or "route argument"."""
    split = ((title, *route.partition(" ")[::2]) for title, route in pages.items())
    return Section(text, tuple(split), frozenset(routes.split()))


SECTIONS = (
    _section(
        "Records",
        {
            "List": "evidence-list",
            "Map": "map",
            "Time line": "timeline",
            "Places": "place-list",
            "Sources": "source-list",
            "Words of the players": "term-list",
        },
        "evidence evidence-rules suggest suggestion-received place source",
    ),
    _section(
        "Games",
        {"Games": "game-list", "Rulesets": "ruleset-list", "Reference games": "reference-games"},
        "game ruleset change-ruleset play-batch play-a-game",
    ),
    _section(
        "Compare",
        {"Compare readings": "compare", "Comparisons made": "comparison-list", "Games played": "batch-list"},
        "comparison batch choose-game replay",
    ),
    _section(
        "Findings",
        {
            "Findings": "findings",
            "Claims": "claim-list",
            "Open questions": "question-list",
            "Which questions matter": "study-list",
            "Worn boards": "wear-list",
        },
        "claim question study sensitivity wear ask-for-wear",
    ),
    _section(
        "Data and API",
        {
            "Dataset": "release-list",
            "Edition": "edition",
            "What is in it": "document data",
            "API": "document api",
            "Cookbook": "document cookbook",
            "Python": "document python",
        },
        "release api-docs",
    ),
    _section(
        "About",
        {
            "About": "about",
            "What the figures mean": "document figures",
            "Rights": "document rights",
            "Addresses that last": "document addresses",
            "Style": "style",
        },
        "document",
    ),
)


@register.inclusion_tag("partials/navigation.html", takes_context=True)
def main_navigation(context: dict[str, Any]) -> dict[str, Any]:
    here = _here(context)
    shown = [
        (section.text, _address(*section.pages[0][1:]), _is_here(section.pages[0], here), section is _current(here))
        for section in SECTIONS
    ]
    return {"sections": shown}


@register.inclusion_tag("partials/section_navigation.html", takes_context=True)
def section_navigation(context: dict[str, Any]) -> dict[str, Any]:
    """The pages of the section, on those pages themselves; single things have a trail instead."""
    here = _here(context)
    section = _current(here)
    if section is None or not any(_is_here(page, here) for page in section.pages):
        return {}
    pages = [
        (text, _address(route, argument), _is_here((text, route, argument), here))
        for text, route, argument in section.pages
    ]
    return {"title": section.text, "pages": pages}


@register.simple_tag(takes_context=True)
def address_of_page(context: dict[str, Any]) -> str:
    """The address of the page, for print; empty for an error page."""
    request = context.get("request")
    if request is None or request.resolver_match is None:
        return ""
    return f"{site_address(request)}{request.get_full_path()}"


def _here(context: dict[str, Any]) -> tuple[str, str]:
    """Return (route, argument) of the current page; both are empty for an error page."""
    match = getattr(context.get("request"), "resolver_match", None)
    return (match.view_name or "", str(match.kwargs.get("name", ""))) if match else ("", "")


def _current(here: tuple[str, str]) -> Section | None:
    with_page = (one for one in SECTIONS if any(_is_here(page, here) for page in one.pages))
    with_thing = (one for one in SECTIONS if here[0] in one.routes)
    return next(with_page, None) or next(with_thing, None)


def _is_here(page: tuple[str, str, str], here: tuple[str, str]) -> bool:
    _, route, argument = page
    return route == here[0] and argument in ("", here[1])


def _address(route: str, argument: str) -> str:
    return reverse(route, args=[argument] if argument else [])
