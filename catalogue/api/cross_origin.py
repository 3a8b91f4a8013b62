"""Reading from the pages of other sites: whatever anybody may read here, a script of any page may read, and no more.

Which addresses, methods and fields of the answer are open stands in the settings.
"""

from http import HTTPStatus

from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class CrossOriginReadingMiddleware(CorsMiddleware):
    """The library opens addresses with all their methods; here what a POST is answered stays closed."""

    def is_enabled(self, request: HttpRequest) -> bool:
        return request.method in settings.CORS_ALLOW_METHODS and super().is_enabled(request)

    def check_preflight(self, request: HttpRequest) -> HttpResponseBase | None:
        response = super().check_preflight(request)
        if response is not None:
            response.status_code = HTTPStatus.NO_CONTENT
            del response["Content-Length"]
        return response
