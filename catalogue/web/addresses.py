"""Where the page of a row is: the simulator has no pages, so its rows do not know. And where the site is."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix

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
