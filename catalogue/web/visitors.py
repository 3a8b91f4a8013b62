"""Who asks: the address a request comes from, and on whose behalf a batch is played.

One place, because an address is easily got wrong: behind a proxy every request comes from the proxy, which writes the
visitor's address into a header that anybody can also write. Whoever has one address of IPv6 has 2⁶⁴ of them, so that
these are counted by their network.
"""

import ipaddress
import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from catalogue.permissions import LARGE_BATCHES
from catalogue.web.rendering import keep_for_nobody
from simulator.models import Batch

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
    """What an address is counted as: without its port, IPv4 within IPv6 as IPv4, other IPv6 by its /64.

    Whatever is no address is counted as one and the same, so that nobody gains by being unreadable.
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
    """Whoever may ask for large batches is not counted; all others are, by the address they come from."""
    if request.user.has_perm(LARGE_BATCHES):
        return {"origin": Batch.Origin.EDITOR}
    return {"origin": Batch.Origin.VISITOR, "visitor": address_of(request)}
