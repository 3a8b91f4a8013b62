"""Every address of the site, as its views declare them. Addresses are cited in print: none changes its meaning."""

from django.contrib import admin
from django.urls import include, path

from catalogue.pages import errors
from catalogue.web.routes import ROUTES, collect, patterns

collect("catalogue.pages")
collect("catalogue.workshop")
urlpatterns = [
    *patterns(route for route in ROUTES.values() if not route.path.startswith("api/")),
    path("api/", include("catalogue.api.urls")),
    path("admin/", admin.site.urls),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.failed
