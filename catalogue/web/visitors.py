"""Who asks: the address a request comes from, and on whose behalf a batch is played.

One place, because an address is easily got wrong: behind a proxy every request comes from the proxy, which writes the
visitor's address into a header that anybody can also write.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from simulator.models import Batch


def address_of(request: HttpRequest | Request) -> str:
    """The nearest address that no trusted proxy has: a proxy adds the one it was called from at the header's end.

    A header shorter than TRUSTED_PROXIES did not pass through all of them, and is not believed.
    """
    called_from = str(request.META.get("REMOTE_ADDR") or "unknown")
    proxies = settings.TRUSTED_PROXIES
    written = [part.strip() for part in str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")]
    return (written[-proxies] if 0 < proxies <= len(written) else "") or called_from


def on_behalf(request: HttpRequest | Request) -> dict[str, Any]:
    """An editor's batches are not counted; a visitor's are, by the address they come from."""
    if request.user.is_authenticated and request.user.is_staff:
        return {"origin": Batch.Origin.EDITOR}
    return {"origin": Batch.Origin.VISITOR, "visitor": address_of(request)}
