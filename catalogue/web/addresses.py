"""Where the page of a row is, where the site is, and what the rulesets that an answer names are called.

The simulator has no pages, so its rows do not know where theirs are. Titles are looked up once for a request.
"""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix
from rest_framework.request import Request

from catalogue.models import Comparison
from catalogue.models.querysets import RulesetTitle, RulesetTitles
from catalogue.texts.errors import Suggested
from simulator.models import Batch, Ruleset, RulesetVersion

FOLDERS = {Batch: "batches", Ruleset: "rulesets", RulesetVersion: "rulesets"}


def page_of(row: Any) -> str:
    """The path of the page, "/batches/0123456789abcdef/"."""
    if type(row) in FOLDERS:
        name = row.pk if isinstance(row, Batch | Ruleset) else str(row)
        return f"{get_script_prefix()}{FOLDERS[type(row)]}/{name}/"
    return str(row.get_absolute_url())


def site_address(request: HttpRequest) -> str:
    """ "https://example.org": as the settings say it, else as the request was sent."""
    return (settings.SITE_URL or request.build_absolute_uri("/")).rstrip("/")


def titles_for(request: HttpRequest | Request) -> RulesetTitles:
    """Kept with the request."""
    holder: Any = getattr(request, "_request", request)
    if not hasattr(holder, "ruleset_titles"):
        holder.ruleset_titles = RulesetTitles()
    titles: RulesetTitles = holder.ruleset_titles
    return titles


def batch_title(request: HttpRequest | Request, batch: Batch) -> str:
    """ "2,000 games of Daramuti, after Parker"."""
    noun = "game" if batch.games == 1 else "games"
    return f"{batch.games:,} {noun} of {titles_for(request).of(batch.ruleset)}"


def titles_compared(request: HttpRequest | Request, comparison: Comparison) -> list[RulesetTitle]:
    """What its rulesets are called, in order; only its names where a batch was thrown away. Uses prefetched rows."""
    rows = {one.place: one.batch.ruleset for one in comparison.compared.all()}
    titles = titles_for(request)
    return [
        titles.of(rows[place], name.partition("@")[0]) if place in rows else RulesetTitle(name)
        for place, name in enumerate(comparison.names)
    ]


def comparison_title(titles: Iterable[RulesetTitle]) -> str:
    """ "Daramuti: after Parker · as the Ludii programme plays it"; the whole titles where games differ."""
    words = [str(one) for one in titles]
    games = {one.partition(", ")[0] for one in words}
    if len(games) != 1 or not all(", " in one for one in words):
        return " · ".join(words)
    return f"{games.pop()}: {' · '.join(one.partition(', ')[2] for one in words)}"


class WrongAddress(Exception):
    """The part of an address after the question mark asks for something that does not exist."""

    def __init__(self, message: str, nearest: Suggested | None = None) -> None:
        super().__init__(message)
        self.nearest = nearest
