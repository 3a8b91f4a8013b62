"""Routes: a view declares, where it stands, its address, who may use it and by which methods, and an example.

The URL configuration, the rights, the sitemap, the documentation and the tests are read off this registry. An address
that is not registered here is refused to everybody.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, get_resolver, path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

ADMIN = "admin:"
USUAL_QUERIES = 12
log = logging.getLogger(__name__)
View = Callable[..., Any]


class BatchId(StringConverter):
    """The 16 hexadecimal digits that identify a batch, a comparison, a study or a ladder."""

    regex = "[0-9a-f]{16}"


register_converter(BatchId, "batch_id")


@dataclass(frozen=True, slots=True)
class Route:
    """An address of the site, with its view.

    path:       in Django's notation, from the root of the site: "games/<str:slug>/"
    name:       unique among all routes; names of the API's endpoints begin with "v1:"
    example:    an address that is answered; "{batch}" and the like stand for rows whose names nobody chose
    methods:    the methods that are answered; HEAD goes with GET
    permission: the permission that is needed, "" where anybody may use the address
    or_own:     whether it is enough to have requested the thing oneself; the view checks that
    status:     the status of the answer to a GET of the example
    sitemap:    whether the example is a list or a page about the catalogue that search engines should know
    queries:    the most database queries that a GET may take, however large the catalogue is
    holds:      what a list of the API holds, for its documentation
    identifies: what the address names, as an identifier writes it: "record/{identifier}"
    elsewhere:  whether pages of other sites may read it, if it only reads, or show it as a part of theirs
    most_bytes: the most that may be sent to it, by those who have the permission; 0: as usual
    reads_only: whether nothing is written or played for it by any method, so that other sites may ask for it
    """

    path: str
    name: str
    view: View
    example: str
    methods: frozenset[str] = frozenset({"GET"})
    permission: str = ""
    or_own: bool = False
    status: int = 200
    sitemap: bool = False
    queries: int = USUAL_QUERIES
    holds: str = ""
    identifies: str = ""
    elsewhere: bool = True
    reads_only: bool = False
    most_bytes: int = 0
    arguments: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_read_elsewhere(self) -> bool:
        """Whether scripts of other sites may read the answer: it is for everybody, and nothing is written for it."""
        return self.elsewhere and not self.permission and (self.reads_only or self.methods == {"GET"})

    @property
    def is_api(self) -> bool:
        """Whether the REST framework answers, which refuses methods itself."""
        return hasattr(self.view, "cls")

    @property
    def pattern(self) -> URLPattern:
        """The pattern of Django. Pages that only read refuse everything else, and need no token of a form."""
        view = self.view if self.is_api or self.methods != {"GET"} else csrf_exempt(require_safe(self.view))
        return path(self.path, view, dict(self.arguments), name=self.name)


ROUTES: dict[str, Route] = {}


def add_route(route: Route) -> None:
    """Raises ValueError if another route has this name."""
    if route.name in ROUTES:
        raise ValueError(f"two routes are called {route.name!r}")
    ROUTES[route.name] = route


def route(
    path: str, *, name: str = "", example: str = "", methods: str = "GET", **properties: Any
) -> Callable[[View], View]:
    """Declare the address of a page above its view, which stays as it is.

    name, example: by default the name of the function, with hyphens, and the path; methods: "GET POST"; see Route
    """

    def declare(view: View) -> View:
        called = name or view.__name__.replace("_", "-")
        add_route(Route(path, called, view, example or f"/{path}", frozenset(methods.split()), **properties))
        return view

    return declare


def routes_below(path: str, example: str, **common: Any) -> Callable[..., Callable[[View], View]]:
    """Return `route` for all addresses that begin with a path; their examples begin with the example.

    It takes the rest of the path, the query of the example, and the properties of Route; common: those of every route.
    A number in the path is 1 in the example.
    """

    def below(rest: str = "", *, query: str = "", **properties: Any) -> Callable[[View], View]:
        numbered = re.sub(r"<int:\w+>", "1", rest)
        return route(path + rest, example=f"{example}{numbered}{query}", **common, **properties)

    return below


def collect(package: str) -> None:
    """Import every module of the package, so that its routes are declared."""
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")


def patterns(routes: Iterable[Route]) -> Iterator[URLPattern]:
    """The patterns of the routes; where two match one address, the one with the longer literal beginning is first."""
    for declared in sorted(routes, key=lambda one: [("<" in part, part) for part in one.path.split("/")]):
        yield declared.pattern


def every_route() -> Mapping[str, Route]:
    """All routes of the site by name, except those of the admin."""
    assert get_resolver().url_patterns  # which imports every view
    return ROUTES


class RightsMiddleware:
    """Hold every request against the registry, before its view sees it.

    The answer is 405 for a method that an address does not answer, and 403 where a permission is missing or no route is
    registered. The admin's pages are not registered: each asks for the permission of its model.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[Any, ...], arguments: dict[str, Any]
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name.startswith(ADMIN):
            return None
        declared = ROUTES.get(name)
        if declared is None:
            log.error("no route says who may use %r", name)
            raise PermissionDenied
        method = "GET" if request.method == "HEAD" else request.method
        if method not in declared.methods and not declared.is_api:
            return HttpResponseNotAllowed(sorted({*declared.methods, *(["HEAD"] if "GET" in declared.methods else [])}))
        if declared.permission and not declared.or_own and not request.user.has_perm(declared.permission):
            raise PermissionDenied
        return None
