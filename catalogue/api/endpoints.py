"""Endpoints: a view of the API declares above itself its address, an example and what it holds.

`collected` makes the addresses of all of them, and registers each as a route. Methods are those that a view has.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, path
from rest_framework.routers import DefaultRouter

from catalogue.web.routes import USUAL_QUERIES, Route, add_route, collect

ROOT, SPACE = "api/v1/", "v1:"
View = type[Any]


@dataclass(frozen=True, slots=True)
class Resource:
    """A list of rows, and its rows.

    prefix:     the address of the list below that of the API
    name:       that of its routes: "game" makes "v1:game-list" and "v1:game-detail"
    key:        that of a row which is there
    holds:      what the list holds, for the documentation
    identifies: what the address of a row names, as an identifier: "game/{slug}"
    queries:    the most queries of an action that takes more than usual
    """

    prefix: str
    name: str
    key: str
    holds: str
    view: View
    identifies: str
    queries: Mapping[str, int]


_resources: dict[str, Resource] = {}
_views: dict[str, tuple[str, Route]] = {}


def resource(
    prefix: str, *, name: str, holds: str, key: str = "", identifies: str = "", queries: Mapping[str, int] | None = None
) -> Callable[[View], View]:
    """Declare the list of a viewset, with its rows and actions; see Resource."""

    def declare(view: View) -> View:
        _resources[prefix] = Resource(prefix, name, key, holds, view, identifies, queries or {})
        return view

    return declare


def endpoint(address: str, *, name: str, example: str, queries: int = USUAL_QUERIES) -> Callable[[View], View]:
    """Declare the address of a view that is no list of rows; `example` begins like it: "search/?q=board"."""

    def declare(view: View) -> View:
        route = Route(ROOT + address, SPACE + name, view.as_view(), f"/{ROOT}{example}", queries=queries)
        _views[name] = (address, route)
        return view

    return declare


def key_of_a_row(prefix: str) -> str | None:
    """Return the key of a shipped row in the list of this prefix; None if the keys of its rows are numbers."""
    declared = _resources.get(prefix)
    return declared.key if declared and "{" not in declared.key else None


class Router(DefaultRouter):
    """Identifiers hold dots, so no ending of an address means a format."""

    include_format_suffixes = False

    def get_api_root_view(self, api_urls: Any = None) -> Any:
        """All lists, and the views that need nothing but their address."""
        name = self.routes[0].name
        lists = {prefix: name.format(basename=basename) for prefix, _, basename in self.registry}
        others = {address.strip("/"): view for view, (address, _) in _views.items() if "<" not in address}
        root: Any = self.APIRootView
        return root.as_view(api_root_dict={**lists, **others})


def collected(root: View) -> tuple[list[URLPattern], tuple[str, ...]]:
    """The patterns of all endpoints, and the first words of their addresses. root: the view that lists them"""
    collect("catalogue.api")
    router = Router()
    router.APIRootView = root
    for _, declared in sorted(_resources.items()):
        router.register(declared.prefix, declared.view, declared.name)
    for pattern in router.urls:
        add_route(_route(pattern))
    for _, route in _views.values():
        add_route(route)
    others: list[Any] = [path(address, route.view, name=name) for name, (address, route) in _views.items()]
    return [*router.urls, *others], tuple(sorted({*_resources, *(one.partition("/")[0] for one, _ in _views.values())}))


def _route(pattern: Any) -> Route:
    """The route of a list, a row or an action of the router."""
    view: Any = pattern.callback
    address = f"{ROOT}{str(pattern.pattern).strip('^$')}"
    declared = next((known for known in _resources.values() if known.view is view.cls), None)
    if declared is None:
        return Route(ROOT, f"{SPACE}{pattern.name}", view, f"/{ROOT}")
    methods = frozenset(method.upper() for method in view.actions if method != "head")
    action, options = next(iter(view.actions.values())), view.initkwargs
    is_list = not view.initkwargs["detail"]
    example = f"/{ROOT}{declared.prefix}/"
    if not is_list:
        example += f"{declared.key}/"
        if action != "retrieve":
            example += options.get("example") or f"{pattern.name.removeprefix(f'{declared.name}-')}/"
    return Route(
        address,
        f"{SPACE}{pattern.name}",
        view,
        example,
        methods,
        options.get("permission", ""),
        options.get("or_own", False),
        200 if "GET" in methods else 405,
        queries=declared.queries.get(action, USUAL_QUERIES),
        holds=declared.holds if is_list else "",
        identifies=declared.identifies if action == "retrieve" else "",
        reads_only=options.get("reads_only", False),
    )
