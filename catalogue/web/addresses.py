"""Addresses: of the page of a row, of the site and of a visitor; and what the rulesets of an answer are called.

The simulator has no pages, so its rows do not know where theirs are. Titles are looked up once for a request. A
visitor's address is found in one place, because it is easily got wrong: behind a proxy every request comes from the
proxy, which writes the visitor's address into a header that anybody can also write. A visitor with one address of IPv6
has 2⁶⁴ of them, so that these are counted by their network.
"""

import datetime
import ipaddress
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import get_script_prefix
from django.utils import timezone
from rest_framework.request import Request

from catalogue.models import Comparison
from catalogue.models.querysets import RulesetTitle, RulesetTitles
from catalogue.permissions import LARGE_BATCHES
from catalogue.texts.words import Suggested
from catalogue.web.conditional import keep_for_nobody
from simulator.batches.queueing import hash_address
from simulator.models import Batch, Ruleset, RulesetVersion
from simulator.problems import QueueFull

FOLDERS = {Batch: "batches", Ruleset: "rulesets", RulesetVersion: "rulesets"}


def page_of(row: Any) -> str:
    """The path of the page, "/batches/0123456789abcdef/"."""
    if type(row) in FOLDERS:
        name = row.pk if isinstance(row, Batch | Ruleset) else str(row)
        return f"{get_script_prefix()}{FOLDERS[type(row)]}/{name}/"
    return str(row.get_absolute_url())


def site_address(request: HttpRequest) -> str:
    """ "https://example.org": as the settings say it, else as the request was sent."""
    return settings.SITE_URL.rstrip("/") or host_address(request)


def host_address(request: HttpRequest | Request) -> str:
    """ "https://example.org": as the request was sent."""
    return str(request.build_absolute_uri("/")).rstrip("/")


HOUR = datetime.timedelta(hours=1)


def admit(rows: "QuerySet[Any]", address: str, bounds: Mapping[str, int], said: str, again: str) -> None:
    """Raises QueueFull where an address, or all visitors together, have written as many rows as are taken in an hour.

    bounds: the most, of the address and of all of them, by how these are called; said: with {most} and {whose}
    """
    since = timezone.now() - HOUR
    recent = rows.filter(created__gt=since).order_by("created")
    several = (recent.filter(visitor=hash_address(address)), recent)
    for written, (whose, most) in zip(several, bounds.items(), strict=True):
        times = list(written.values_list("created", flat=True)[:most])
        if len(times) >= most:
            wait = math.ceil((times[0] - since).total_seconds()) if times else int(HOUR.total_seconds())
            raise QueueFull(f"{said.format(most=most, whose=whose)} Please {again} in {-(-wait // 60)} minutes.", wait)


def titles_for(request: HttpRequest | Request) -> RulesetTitles:
    """The titles of rulesets, which are kept with the request."""
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
    """The titles of its rulesets, in order; only names where a batch was deleted. Uses prefetched rows."""
    rows = {one.place: one.batch.ruleset for one in comparison.compared.all()}
    titles = titles_for(request)
    return [
        titles.of(rows[place], name.partition("@")[0]) if place in rows else RulesetTitle(name)
        for place, name in enumerate(comparison.names)
    ]


def comparison_title(titles: Iterable[RulesetTitle]) -> str:
    """ "Daramuti: after Parker · as the Ludii program plays it"; the whole titles where games differ."""
    words = [str(title) for title in titles]
    games = {word.partition(", ")[0] for word in words}
    if len(games) != 1 or not all(", " in one for one in words):
        return " · ".join(words)
    return f"{games.pop()}: {' · '.join(one.partition(', ')[2] for one in words)}"


class WrongAddress(Exception):
    """The part of an address after the question mark asks for something that does not exist."""

    def __init__(self, message: str, nearest: Suggested | None = None) -> None:
        super().__init__(message)
        self.nearest = nearest


UNKNOWN = "unknown"
WITH_PORT = re.compile(r"\[(?P<six>[^\]]*)\](?::\d+)?|(?P<four>[\d.]+):\d+")


def address_of(request: HttpRequest | Request) -> str:
    """Return what a visitor's address is counted as; of IPv6 it is the network: "2001:db8:0:1::/64".

    An answer that is rendered by it is kept for nobody.
    """
    keep_for_nobody()
    return counted(called_from(request))


def called_from(request: HttpRequest | Request) -> str:
    """The nearest address that no trusted proxy has: a proxy adds the one it was called from at the header's end.

    A header shorter than TRUSTED_PROXIES did not pass through all of them, and is not believed.
    """
    direct = str(request.META.get("REMOTE_ADDR") or UNKNOWN)
    proxies = settings.TRUSTED_PROXIES
    written = [part.strip() for part in str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")]
    return (written[-proxies] if 0 < proxies <= len(written) else "") or direct


def counted(written: str) -> str:
    """Normalise an address for counting: without its port, IPv4 within IPv6 as IPv4, other IPv6 by its /64.

    All that is no address is counted as the same, so that nobody gains by being unreadable.
    """
    address = parsed(written)
    if address is None or isinstance(address, ipaddress.IPv4Address):
        return str(address or UNKNOWN)
    return str(ipaddress.IPv6Network((int(address), 64), strict=False))


def parsed(written: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address without its port, IPv4 within IPv6 as IPv4; None if it is none."""
    inner = WITH_PORT.fullmatch(written.strip())
    try:
        address = ipaddress.ip_address((inner["six"] or inner["four"]) if inner else written.strip())
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, ipaddress.IPv6Address) else address


def on_behalf(request: HttpRequest | Request) -> dict[str, Any]:
    """Return whose allowance a request counts against: nobody's with the right to large batches, else the address's."""
    if request.user.has_perm(LARGE_BATCHES):
        return {"origin": Batch.Origin.EDITOR}
    return {"origin": Batch.Origin.VISITOR, "visitor": address_of(request)}
