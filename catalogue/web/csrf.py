"""Forms of visitors without a session hold no token, so that their pages are the same for everybody and set no cookie.

Against forged requests (https://owasp.org/www-community/attacks/csrf) a browser's own words stand instead: it says of
every request that changes something whether a page of this site sent it (`Sec-Fetch-Site`, else `Origin`, else
`Referer`), and no page can make it say otherwise. Whoever has a session sends the token as well, as Django has it, and
so does a programme that says none of the three.
"""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import CsrfViewMiddleware

ADMIN = "/admin/"


class CsrfMiddleware(CsrfViewMiddleware):
    """The framework's checks of `Origin` and `Referer` come first; a request that fails them is refused before this."""

    def _check_token(self, request: HttpRequest) -> None:
        if settings.SESSION_COOKIE_NAME in request.COOKIES or not _is_sent_by_this_site(request):
            super()._check_token(request)  # type: ignore[misc]  # the stubs leave it out


def _is_sent_by_this_site(request: HttpRequest) -> bool:
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    if "Origin" in request.headers:
        return True  # it was compared already
    page = urlsplit(request.headers.get("Referer", ""))
    return (page.scheme, page.netloc) == (request.scheme, request.get_host())


def token_for_sessions(request: HttpRequest) -> dict[str, Any]:
    """A context processor: `{% csrf_token %}` is empty where no token is needed."""
    needs_one = settings.SESSION_COOKIE_NAME in request.COOKIES or request.path_info.startswith(ADMIN)
    return {} if needs_one else {"csrf_token": ""}
