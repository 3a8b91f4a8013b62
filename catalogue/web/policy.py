"""What a browser may do with an answer: one policy for the whole site, and what else is said of every answer.

Nothing of another machine, no script and no style that stands in a page itself. Only drawings, which are documents of
their own, bring styles; scripts are nowhere but in files of the site.
"""

from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

NOT_NEEDED = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"


class PolicyMiddleware(CSPMiddleware):
    def get_policy_parts(self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False) -> Any:
        parts = super().get_policy_parts(request, response, report_only)
        if _media_type(response) == "image/svg+xml":
            parts.replace = {**(parts.replace or {}), "style-src": [SELF, UNSAFE_INLINE]}
        return parts

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        response.headers.setdefault("Permissions-Policy", NOT_NEEDED)
        if _media_type(response) == "text/html":
            response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


def _media_type(response: HttpResponseBase) -> str:
    return str(response.headers.get("Content-Type", "")).partition(";")[0]
