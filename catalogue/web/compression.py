"""Texts are sent compressed to whoever takes them so; what is compressed already is not compressed again.

A secret beside words of a reader in one compressed page could be guessed from its length (BREACH). The only secret of
our pages is the token of a form, which is masked anew in every answer, and the length is blurred besides: see
`django.middleware.gzip`.
"""

import re
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

TEXT = re.compile(r"text/|image/svg\+xml|application/([\w.-]+\+)?(json|xml|yaml|x-ndjson|x-bibtex)\b")


class CompressionMiddleware(GZipMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_text = TEXT.match(response.headers.get("Content-Type", ""))
        if is_text or response.status_code == HTTPStatus.NOT_MODIFIED:
            patch_vary_headers(response, ["Accept-Encoding"])  # of short ones too, and of those that are not sent again
        if not is_text or response.has_header("Content-Range"):  # a part is of what is not compressed
            return response
        return super().process_response(request, response)
