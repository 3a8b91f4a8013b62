"""Reading from the pages of other sites: whatever anybody may read here, a script of any page may read.

Nothing else: no credentials are taken from there, and nothing can be asked for that is not plain reading. The rules are
those of the Fetch standard (https://fetch.spec.whatwg.org/#http-cors-protocol).
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

OPEN = "/api/"
READING = "GET, HEAD, OPTIONS"
ACCEPTED = "Accept, Authorization, Content-Type, If-Modified-Since, If-None-Match"
EXPOSED = "Content-Disposition, ETag, Last-Modified, Link, Location, RateLimit, RateLimit-Policy, Retry-After"
A_DAY = "86400"


class CrossOriginMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(OPEN):
            return self.get_response(request)
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return HttpResponse(
                status=204,
                headers={
                    "Access-Control-Allow-Origin": "*",
                    "Access-Control-Allow-Methods": READING,
                    "Access-Control-Allow-Headers": ACCEPTED,
                    "Access-Control-Max-Age": A_DAY,
                },
            )
        response = self.get_response(request)
        if request.method in READING.split(", "):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = EXPOSED
        return response
