"""The addresses of the public API. Like those of the pages, they are kept."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from catalogue.api.description import reference
from catalogue.api.document import Description
from catalogue.api.endpoints import collected
from catalogue.api.viewsets import NothingHere, Root
from catalogue.web.routes import Route, add_route

v1, words = collected(Root)
DOCUMENTATION = RedirectView.as_view(url="/about/api/")
NOTHING, SCHEMA = NothingHere.as_view(known=words), Description.as_view()
add_route(Route("api/", "api", DOCUMENTATION, "/api/", status=302))
add_route(Route("api/schema/", "api-schema", SCHEMA, "/api/schema/"))
add_route(Route("api/docs/", "api-docs", reference, "/api/docs/"))
add_route(Route("api/v1/<path:rest>/", "api-nothing", NOTHING, "/api/v1/no-such-list/", status=404))

urlpatterns: list[URLPattern | URLResolver] = [
    path("", csrf_exempt(require_safe(DOCUMENTATION)), name="api"),
    path("schema/", SCHEMA, name="api-schema"),
    path("docs/", require_safe(reference), name="api-docs"),
    path("v1/", include((v1, "v1"))),
    re_path("^v1/(?P<rest>.+)/$", NOTHING, name="api-nothing"),
]
