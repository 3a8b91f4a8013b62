"""What is said of every answer, how it is compressed, and which forms are taken.

Policy: nothing of another machine, no script and no style that stands in a page itself. Only pictures, which are
documents of their own, bring styles, drawings theirs and others that of the page in which a browser shows them;
scripts are files of the site.

Compression: texts are compressed, and nothing that is compressed already. A secret beside words of a reader in one
compressed page could be guessed from its length (BREACH). The only secret of our pages is the token of a form, which
pages of readers with a session hold; it is masked anew in every answer, and the length is blurred besides, see
`django.middleware.gzip`.

Forms of visitors without a session hold no token, so that their pages are the same for everybody and set no cookie.
Against forged requests (https://owasp.org/www-community/attacks/csrf) stands instead what a browser says of every
request that changes something: whether a page of this site sent it (`Sec-Fetch-Site`, else `Origin`, else `Referer`),
which no page can change. Readers with a session send the token as well, and so do programs that send none of these.

What a page of another site sent is refused wherever something is written: by forms, in the API, in the admin. Other
sites could not read the answer, but its games would be played, and count against the visitor whom they sent. Programs
send none of these.
"""

import mimetypes
import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from csp.constants import HEADER as CSP_HEADER
from csp.constants import SELF, UNSAFE_INLINE
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from django.views.decorators.clickjacking import xframe_options_exempt
from django_otp.middleware import OTPMiddleware
from whitenoise.middleware import WhiteNoiseMiddleware

from catalogue.web.routes import ROUTES

ADMIN = "/admin/"
READING = ("GET", "HEAD", "OPTIONS", "TRACE")
OURS = ("same-origin", "none")  # none: somebody typed the address, or chose a bookmark
EARLIER_DIGEST = re.compile(re.escape(settings.STATIC_PREFIX) + "[0-9a-f]{12}/")
AHEAD = "private, max-age=60"  # of what a page fetches before it is asked for: levels.js
PORTS = {"http": 80, "https": 443}
TEXT = re.compile(r"text/|image/svg\+xml|application/([\w.-]+\+)?(json|xml|yaml|x-ndjson|x-bibtex)\b")
NOT_NEEDED = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"


class StaticMiddleware(WhiteNoiseMiddleware):
    """Static files, each under two addresses: plain, kept for a minute, and below the digest of all, kept for a year.

    A page that was sent before an update names an earlier digest. It gets the file as it is now, for a minute.
    """

    FOREVER = 365 * 24 * 3600

    def __init__(self, get_response: Any = None) -> None:
        super().__init__(get_response)
        if settings.STATIC_URL != settings.STATIC_PREFIX and not self.autorefresh:
            plain = dict(self.files)
            self.files.clear()
            self.static_prefix = settings.STATIC_URL
            if self.static_root:
                self.add_files(self.static_root, prefix=self.static_prefix)
            self.add_files_from_finders()
            self.files |= plain
            self.static_prefix = settings.STATIC_PREFIX

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if (earlier := EARLIER_DIGEST.match(request.path_info)) and request.path_info not in self.files:
            request.path_info = settings.STATIC_PREFIX + request.path_info[earlier.end() :]
        answer: HttpResponseBase = super().__call__(request)
        return answer

    def immutable_file_test(self, path: str, url: str) -> bool:
        return settings.STATIC_URL != settings.STATIC_PREFIX and url.startswith(settings.STATIC_URL)


class PolicyMiddleware(CSPMiddleware):
    def get_policy_parts(self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False) -> Any:
        parts = super().get_policy_parts(request, response, report_only)
        if _media_type(response).startswith("image/"):
            parts.replace = {**(parts.replace or {}), "style-src": [SELF, UNSAFE_INLINE]}
        return parts

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code == HTTPStatus.NOT_MODIFIED and not hasattr(response, "stands_for"):
            # a file of the site, which the middleware of such files answered
            response.stands_for = mimetypes.guess_type(request.path_info)[0] or ""  # type: ignore[attr-defined]
        response = super().process_response(request, response)
        response.headers.setdefault("Permissions-Policy", NOT_NEEDED)
        if request.headers.get("HX-Preloaded") == "true" and response.get("Cache-Control") == "no-cache":
            response["Cache-Control"] = AHEAD
        if _media_type(response) == "text/html":
            response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


def _media_type(response: HttpResponseBase) -> str:
    """The media type of an answer, or of the one that a 304 stands for."""
    return str(response.headers.get("Content-Type") or getattr(response, "stands_for", "")).partition(";")[0]


def embeddable(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that other sites may show in a frame; its answers say so themselves, so that kept ones do too."""

    @wraps(view)
    def shown_anywhere(*args: Any, **kwargs: Any) -> HttpResponse:
        response = view(*args, **kwargs)
        response["Cross-Origin-Resource-Policy"] = "cross-origin"
        response[CSP_HEADER] = build_policy(replace={"frame-ancestors": ["*"]})
        return response

    return xframe_options_exempt(shown_anywhere)


WEIGHT = re.compile(r"0(?:\.\d{0,3})?|1(?:\.0{0,3})?", re.ASCII)
LONGEST_ACCEPTED = 500  # characters of Accept-Encoding that are looked at


def takes_gzip(accepted: str) -> bool:
    """Return whether gzip is named, not refused, and no worse than the plain text (RFC 9110, section 12.5.3).

    A star stands for gzip only where the plain text is refused: many who send one cannot read what is compressed.
    """
    weights: dict[str, float] = {}
    for part in accepted[:LONGEST_ACCEPTED].lower().split(","):
        coding, *parameters = (word.strip() for word in part.split(";"))
        weight = "1"
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            weight = value.strip() if name.strip() == "q" else weight
        weights[coding] = float(weight) if WEIGHT.fullmatch(weight) else 0.0
    plain = weights.get("identity")
    gzip = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0) if plain == 0 else 0.0))
    return gzip > 0 and gzip >= (plain or 0.0)


class CompressionMiddleware(GZipMiddleware):
    """The framework looks for the word only; so what stands below is told no more than whether gzip is taken."""

    def process_request(self, request: HttpRequest) -> None:
        request.META["HTTP_ACCEPT_ENCODING"] = "gzip" if takes_gzip(request.headers.get("Accept-Encoding", "")) else ""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_text = TEXT.match(_media_type(response))
        if is_text:
            patch_vary_headers(response, ["Accept-Encoding"])  # of short ones too, and of those that are not sent again
        if not is_text or response.has_header("Content-Range"):  # a part is of what is not compressed
            return response
        return super().process_response(request, response)


class ForeignRequest(PermissionDenied):
    """A page of another site sent what only this one's may send. header: which says so; nearest: what it may say"""

    def __init__(self, header: str, nearest: str) -> None:
        self.header, self.nearest = header, nearest
        super().__init__(f"{header} says that a page of another site sent this; nothing was changed, or played for it")


class CsrfMiddleware(CsrfViewMiddleware):
    """The framework's checks of `Origin` and `Referer` come first; a request that fails them is refused before this."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], arguments: dict[str, Any]
    ) -> HttpResponseForbidden | None:
        """Raises ForeignRequest, also where a view is exempt from tokens: those of the API are."""
        declared = ROUTES.get(request.resolver_match.view_name if request.resolver_match else "")
        site = request.headers.get("Sec-Fetch-Site", OURS[0])
        if request.method in READING:
            is_part = request.headers.get("Sec-Fetch-Dest", "document") != "document"  # not a link that was followed
            if declared and not declared.elsewhere and is_part and site not in OURS:
                raise ForeignRequest("Sec-Fetch-Site", OURS[0])
        elif not (declared and declared.reads_only):
            if site not in OURS:
                raise ForeignRequest("Sec-Fetch-Site", OURS[0])
            says = next((one for one in ("Origin", "Sec-Fetch-Site", "Referer") if one in request.headers), "")
            foreign = (says == "Origin" and not self._origin_verified(request)) or (
                says == "Referer" and not _is_own(request, request.headers["Referer"])
            )
            if foreign:
                raise ForeignRequest(says, f"{request.scheme}://{request.get_host()}")
        return super().process_view(request, view, args, arguments)

    def _origin_verified(self, request: HttpRequest) -> bool:
        """Return whether it is this site: as it was asked for, or as SITE_URL names it, whatever a proxy passes on."""
        if super()._origin_verified(request):  # type: ignore[misc]  # the stubs leave it out
            return True
        return _is_own(request, request.headers["Origin"])

    def _check_token(self, request: HttpRequest) -> None:
        # A visitor gets a session with his first games, and sends the next form from a page that had no token yet.
        if request.user.is_authenticated or not _is_sent_by_this_site(request):
            super()._check_token(request)  # type: ignore[misc]  # the stubs leave it out


def _origin(address: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None where there are none, as in `null`."""
    try:
        parts = urlsplit(address.strip().lower())
        port = parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname and port else None


def _is_own(request: HttpRequest, address: str) -> bool:
    """Return whether it begins as this site's do: as it was asked for, or as SITE_URL names it."""
    return _origin(address) in {_origin(settings.SITE_URL), _origin(f"{request.scheme}://{request.get_host()}")} - {
        None
    }


def _is_sent_by_this_site(request: HttpRequest) -> bool:
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    if "Origin" in request.headers:
        return True  # it was compared already
    page = urlsplit(request.headers.get("Referer", ""))
    return (page.scheme, page.netloc) == (request.scheme, request.get_host())


class SecondFactorMiddleware(OTPMiddleware):
    """Where SECOND_FACTOR is set, whoever has not given a code is nobody: in the admin, on pages and in the API.

    A session may be older than the setting, or than the loss of a device; it is a visitor's until the next log-in.
    """

    def _verify_user_sync(self, request: HttpRequest, user: Any) -> Any:
        user = super()._verify_user_sync(request, user)
        if not settings.SECOND_FACTOR or not user.is_authenticated or user.is_verified():
            return user
        return super()._verify_user_sync(request, AnonymousUser())


def token_for_sessions(request: HttpRequest) -> dict[str, Any]:
    """A context processor: `{% csrf_token %}` is empty where no token is needed."""
    needs_one = settings.SESSION_COOKIE_NAME in request.COOKIES or request.path_info.startswith(ADMIN)
    return {} if needs_one else {"csrf_token": ""}
