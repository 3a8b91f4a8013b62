"""The OpenAPI document as it is sent: made once by each process, its tag asked first, and kept compressed too."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from catalogue.api.description import SITE, documents
from catalogue.web.addresses import site_address
from catalogue.web.conditional import build_digest, conditional, is_compressed

NAME = settings.SPECTACULAR_SETTINGS["TITLE"]
SITES = 4  # addresses of this site for which it is kept; there are more only where ALLOWED_HOSTS names a domain


@dataclass(frozen=True, slots=True)
class Kept:
    """The document in one form, plain and compressed."""

    plain: bytes
    compressed: bytes


class Description(SpectacularAPIView):
    """The OpenAPI document. It follows from the code and the settings, so each process makes it once."""

    authentication_classes = ()  # it is the same for everybody

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **arguments: Any) -> HttpResponseBase:
        renderer: Any = request.accepted_renderer
        kind = renderer.media_type
        site, compressed = site_address(request), is_compressed(request)
        names = "\0".join((build_digest(), settings.ENVIRONMENT_DIGEST, renderer.format, site))
        tag = f'"{hashlib.sha256(names.encode()).hexdigest()[:32]}"'
        headers = {
            "Content-Type": f"{kind}; charset={renderer.charset}" if renderer.charset else kind,
            "Content-Disposition": f'inline; filename="{NAME}.{renderer.format}"',
            "ETag": f"W/{tag}" if compressed else tag,
            "Cache-Control": "no-cache",
        }
        response = HttpResponse(headers=headers)
        patch_vary_headers(response, ["Accept", "Accept-Encoding"])
        answer = conditional(request, response, None)
        if answer is response:
            kept = _document_at(site, renderer.format)
            response.content = kept.compressed if compressed else kept.plain
            if compressed:
                response["Content-Encoding"] = "gzip"
        return answer


@lru_cache(maxsize=2 * SITES)
def _document_at(site: str, form: str) -> Kept:
    plain = documents()[form].replace(SITE.encode(), site.encode())
    return Kept(plain, gzip.compress(plain, 6, mtime=0))
