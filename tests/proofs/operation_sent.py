"""Hostile inputs that visitors, editors and operators send, by kind, given in process to the layer that reads them.

Filters of lists, bodies of requests, searches, forms, addresses with their headers, and words of commands; and whole
requests, which go through everything but the server. What is written is taken back after each.
"""

import contextlib
import gzip
import io
import logging
import random
from argparse import ArgumentError
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from http.client import responses
from itertools import islice
from typing import Any
from urllib.parse import unquote_to_bytes, urlencode

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.exceptions import DisallowedHost, EmptyResultSet, ValidationError
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from django.forms import model_to_dict
from django.http import QueryDict
from django.test import RequestFactory
from django.urls import Resolver404, resolve
from rest_framework.exceptions import APIException

from catalogue.api.analyses import ComparisonRequestSerializer, StudyRequestSerializer
from catalogue.api.jobs import BatchRequestSerializer
from catalogue.api.ladders import LadderRequestSerializer
from catalogue.api.rulesets import ChangeRequestSerializer
from catalogue.filters.parameters import RecordParameters
from catalogue.search.results import WrongSearch, read_request, search_listing
from catalogue.web.addresses import WrongAddress, address_of
from catalogue.web.files import Unsatisfiable, requested_part
from catalogue.web.middleware import takes_gzip
from catalogue.web.problem_document import RefusedRequest
from catalogue.web.routes import every_route
from simulator.batches import requests
from simulator.problems import WrongRequest
from simulator.rulesets import parse_changes
from tests.api.api_world import lists
from tests.proofs.operation_hostile import wrong
from tests.proofs.operation_http import Answer, HttpRequest, Offer, crawl
from tests.proofs.operation_kinds import HostileKind, folder
from tests.proofs.operation_wishes import BODIES, hostile_addresses, hostile_api, hostile_forms, hostile_text, spoilt

ONE_OF = 16  # so many is answered, not only read
ADDRESSES = 250
OURS = ("catalogue", "simulator")  # applications whose commands are tried
STARTS = ("/", "/api/v1/", "/sitemap.xml", "/compare/", "/timeline/?type=Rules", "/evidence/?place=sri-lanka")


@cache
def world() -> None:
    """The shipped catalogue, in the memory of this process; nobody is counted, and no page is kept."""
    folder()
    settings.KEEP_PAGES = False
    logging.disable(logging.CRITICAL)  # a refusal is a line of the log
    call_command("load_fixtures", stdout=io.StringIO(), stderr=io.StringIO())


@contextlib.contextmanager
def taken_back() -> Any:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def in_words(refusal: Exception) -> bool:
    """False, of a refusal that says what is wrong."""
    assert str(refusal), "a refusal without words"
    return False


def named(problems: Iterable[Any]) -> bool:
    """False, of a refusal that says where and what is wrong."""
    told = list(problems)
    assert told, "a refusal that names nothing"
    for one in told:
        assert one.message, f"{one.key!r} is wrong, and nobody says why"
    return False


def filters() -> HostileKind:
    """The parameters by which lists of the API are narrowed, and those of the pages over records."""
    world()
    views = [
        view
        for view in lists().values()
        if getattr(view, "filterset_class", None) and getattr(view, "queryset", None) is not None
    ]
    words = ("sri-lanka", "daramuti", "daramuti-parker", "DLP.Evidence.692", "Rules", "1900", "-200", "yes", "done")

    def make(chance: random.Random) -> Any:
        view = chance.choice(views)
        names = list(view.filterset_class.base_filters)
        given = []
        for _ in range(chance.choice((1, 1, 2, 3))):
            name = chance.choice(names).rstrip("_") if chance.random() < 0.95 else hostile_text(chance)
            parts = [chance.choice(words) if chance.random() < 0.5 else hostile_text(chance) for _ in range(3)]
            given.append((name, chance.choice((",", " , ", "")).join(parts[: chance.choice((1, 1, 2, 3))])))
        return view, given, chance.random() < 1 / ONE_OF

    def take(offered: Any) -> bool:
        view, given, is_answered = offered
        sent = QueryDict(urlencode([(_plain(name), _plain(value)) for name, value in given]))
        if is_answered:
            try:
                _ = RecordParameters(RequestFactory().get("/timeline/", sent)).among
            except WrongAddress as problem:
                in_words(problem)
        found = view.filterset_class(sent, queryset=view.queryset.all())
        if not found.form.is_valid():
            return _said(found.form)
        try:
            rows = found.filter_queryset(view.queryset.all())
            _ = list(rows[:3]) if is_answered else str(rows.query)
        except EmptyResultSet:
            pass
        except (RefusedRequest, WrongRequest) as refused:
            return named(refused.problems)
        return True

    return make, take


def _plain(text: str) -> str:
    """As it comes out of an address: bytes that are no UTF-8 are replaced."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _said(form: Any) -> bool:
    for name, problems in form.errors.items():
        assert all(map(str, problems)), f"{name} is wrong, and nobody says why"
    assert form.errors
    return False


OF_SERIALIZERS: tuple[tuple[Any, dict[str, Any]], ...] = (
    (BatchRequestSerializer, BODIES[0][1]),
    (ComparisonRequestSerializer, BODIES[1][1]),
    (ChangeRequestSerializer, BODIES[2][1]),
    (StudyRequestSerializer, {"game": "daramuti", "games": 10, "seed": 1, "players": "random"}),
    (LadderRequestSerializer, {"ruleset": "daramuti-parker", "most": 16, "games": 10}),
)


def bodies() -> HostileKind:
    """What the API is sent."""
    world()

    def make(chance: random.Random) -> Any:
        kind, body = chance.choice(OF_SERIALIZERS)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            body = spoilt(chance, body)
        return kind, body

    def take(offered: Any) -> bool:
        kind, body = offered
        sent = kind(data=body)
        try:
            if not sent.is_valid():
                assert sent.errors
                return False
        except RefusedRequest as refused:
            return named(refused.problems)
        except APIException as refused:
            return refused.status_code >= 500 or in_words(refused)
        return True

    return make, take


def searches() -> HostileKind:
    """Searches, some of which are answered."""
    world()
    words = (
        "sri",
        "lanka*",
        "seeds",
        '"',
        "-",
        "OR",
        "(",
        ")",
        "which",
        "games",
        "have",
        "ho*",
        "*",
        "AND",
        "kotu-baendum",
    )
    names = ("q", "q", "q", "q", "kind", "place", "game", "period", "sort", "page")

    def make(chance: random.Random) -> Any:
        given = []
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            parts = [
                chance.choice(words) if chance.random() < 0.7 else hostile_text(chance)
                for _ in range(chance.choice((1, 2, 4, 12)))
            ]
            name = chance.choice(names) if chance.random() < 0.97 else hostile_text(chance)
            given.append((name, chance.choice((" ", " ", "")).join(parts)))
        return given, chance.random() < 1 / ONE_OF

    def take(offered: Any) -> bool:
        given, is_answered = offered
        try:
            search = read_request(QueryDict(urlencode([(_plain(name), _plain(value)) for name, value in given])))
            if is_answered:
                search_listing(search)
        except WrongSearch as problem:
            return in_words(problem)
        return True

    return make, take


def forms() -> HostileKind:
    """Forms of editors over every kind of row, and over the words that a rule rests on."""
    world()
    request: Any = RequestFactory().get("/admin/")
    request.user = get_user_model()(username="editor", is_active=True, is_staff=True, is_superuser=True)
    offered: list[tuple[Any, Any]] = []
    for model, site in admin.site._registry.items():
        some = islice(model._default_manager.all(), 25) if model._meta.app_label == "catalogue" else ()
        offered += [(site.get_form(request, row, change=True), row) for row in some]

    def make(chance: random.Random) -> Any:
        form, row = chance.choice(offered)
        data = {name: value for name, value in model_to_dict(row).items() if value is not None} | {"reason": "Because."}
        data |= {name: getattr(row, name) for name in ("exact",) if hasattr(row, name)}
        for _ in range(chance.choice((1, 1, 2, 3))):
            name = chance.choice(list(data)) if chance.random() < 0.95 else hostile_text(chance)
            value = data.get(name)
            data[name] = _plain(hostile_text(chance))
            if isinstance(value, str) and value and chance.random() < 0.3:
                data[name] = value[: chance.randrange(len(value))]
        return form, row, data

    def take(sent: Any) -> bool:
        form, row, data = sent
        with taken_back():
            bound = form(data, instance=type(row)._default_manager.get(pk=row.pk))
            return True if bound.is_valid() else _said(bound)

    return make, take


def offer_of_addresses() -> Offer:
    """The example of every route; rows that only a filled site has are called x."""
    rows = defaultdict(lambda: "x", portal_ruleset="91", release="2026.12.01", file="README.md")
    return Offer([route.example.format_map(rows) for route in every_route().values()])


def addresses() -> HostileKind:
    """Paths, hosts and headers, as far as they are read before any page is."""
    world()
    offer = offer_of_addresses()
    hosts = ("localhost", "localhost:80", "evil.example", "[::1]", "[::1", "a" * 300, "local host", "localhost:x", "")

    def make(chance: random.Random) -> Any:
        asked = hostile_addresses(chance, offer)
        return asked, chance.choice(hosts) if chance.random() < 0.3 else "localhost"

    def take(offered: Any) -> bool:
        asked, host = offered
        request = RequestFactory().generic("GET", "/")
        request.META |= environ_of(asked) | {"HTTP_HOST": host}
        request.META["QUERY_STRING"] = request.META["QUERY_STRING"].encode("latin-1").decode("utf-8", "replace")
        path = request.META["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
        takes_gzip(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        with contextlib.suppress(Unsatisfiable):
            requested_part(request, 1000, '"a"', "Mon, 23 Nov 2026 00:00:00 GMT")
        assert address_of(request)
        QueryDict(request.META["QUERY_STRING"])
        try:
            request.get_host()
            resolve(path)
        except (DisallowedHost, Resolver404):
            return False
        except ValidationError as problem:
            return in_words(problem)
        return True

    return make, take


def environ_of(asked: HttpRequest) -> dict[str, Any]:
    """The environment that a server makes of a request."""
    path, _, query = asked.target.partition(b"?")
    named_otherwise = {"CONTENT_TYPE", "CONTENT_LENGTH"}
    found: dict[str, Any] = {}
    for name, value in asked.headers:
        key = name.decode("latin-1").upper().replace("-", "_")
        found[key if key in named_otherwise else f"HTTP_{key}"] = value.decode("latin-1")
    body = asked.body or b""
    return found | {
        "REQUEST_METHOD": asked.method,
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }


class InProcess:
    """Asks the site as a server does, without one."""

    def __init__(self) -> None:
        self.site = get_wsgi_application()
        self.cookies: dict[str, str] = {}

    def get(self, target: str, **headers: str) -> Answer:
        return self.ask(HttpRequest("GET", target.encode()))

    def ask(self, asked: HttpRequest) -> Answer:
        usual = {
            "HTTP_HOST": "localhost", "SERVER_NAME": "localhost", "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1",
            "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "SCRIPT_NAME": "",
            "wsgi.errors": io.StringIO(), "wsgi.multithread": True, "wsgi.multiprocess": True, "wsgi.run_once": False,
        }  # fmt: skip
        said: Any = []
        started: Any = lambda status, headers: said.extend((status, headers))  # noqa: E731
        parts: Any = self.site(usual | environ_of(asked), started)
        body = b"".join(parts)
        with contextlib.suppress(AttributeError):
            parts.close()
        headers = {name.lower(): value for name, value in said[1]}
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body) if body else body
        return Answer(int(said[0][:3]), headers, body, 0.0)


def requests_in_process() -> HostileKind:
    """Whole requests to API, pages and forms; see `operation_hostile` for what an answer must be."""
    world()
    caller = InProcess()
    offer = crawl(caller, STARTS, ADDRESSES)  # type: ignore[arg-type]
    of_api = Offer([one for one in offer.addresses if one.startswith("/api/")], offer.forms)
    kinds: tuple[tuple[Callable[[random.Random, Offer], HttpRequest], Offer], ...] = (
        (hostile_api, of_api), (hostile_addresses, offer), (hostile_forms, offer),
    )  # fmt: skip

    def make(chance: random.Random) -> HttpRequest:
        ask, among = chance.choice(kinds)
        return ask(chance, among)

    def take(asked: HttpRequest) -> bool:
        if asked.method not in METHODS:
            return False  # no server lets it through
        with taken_back():
            answer = caller.ask(asked)
        found = wrong(asked, answer)
        assert not found, f"{found} ({responses.get(answer.status)})"
        return answer.status < 400

    return make, take


METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")


def arguments() -> HostileKind:
    """Words of the commands; those of a request for games are checked as the command does it."""
    world()
    commands = {name: load_command_class(app, name) for name, app in get_commands().items() if app in OURS}
    parsers = {name: command.create_parser("manage.py", name) for name, command in commands.items()}
    usual = (
        "daramuti-parker",
        "puhulmutu-parker@1",
        "daramuti",
        "10",
        "1",
        "random",
        "counters_per_hole=5",
        "DLP.Evidence.692",
    )

    def make(chance: random.Random) -> Any:
        name = chance.choice(sorted(parsers))
        options = [word for action in parsers[name]._actions for word in action.option_strings if word[:3] != "--h"]
        line = [chance.choice(usual)] if chance.random() < 0.8 else []
        for _ in range(chance.choice((1, 2, 3, 5))):
            if options and chance.random() < 0.6:
                option = chance.choice(options)
                line.append(option[: chance.randrange(1, len(option) + 1)] if chance.random() < 0.1 else option)
            line.append(chance.choice(usual) if chance.random() < 0.5 else _plain(hostile_text(chance)))
        return name, line

    def take(offered: tuple[str, list[str]]) -> bool:
        name, line = offered
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                read = vars(parsers[name].parse_args(line))
            if "ruleset" in read and requests.DEFAULTS.keys() <= read.keys():
                terms = {key: read[key] for key in requests.DEFAULTS}
                names = read["ruleset"] if isinstance(read["ruleset"], list) else [read["ruleset"]]
                for one in names:
                    requests.check_request(one, changes=parse_changes(read.get("set") or ()), **terms)
        except SystemExit:
            return True  # its help was asked for
        except (CommandError, ArgumentError) as refused:
            return in_words(refused)
        except WrongRequest as refused:
            return named(refused.problems)
        return True

    return make, take


KINDS: dict[str, Callable[[], HostileKind]] = {
    "filters": filters,
    "bodies": bodies,
    "searches": searches,
    "forms": forms,
    "addresses": addresses,
    "requests": requests_in_process,
    "arguments": arguments,
}
