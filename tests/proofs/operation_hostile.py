"""The proofs that nothing sent over HTTP stops the site, is answered with a failure, or puts a script into a page.

Every request is sent over a socket to gunicorn on a real PostgreSQL with the bounds on requests switched off, and every
answer is looked at. `asked(surface, seed, number, offer)` is any of them again.
"""

import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from catalogue.demo.servers import group
from tests.proofs import operation_http, operation_wishes
from tests.proofs.operation_http import Answer, Caller, HttpRequest, Offer, crawl
from tests.proofs.operation_servers import Installation, on_postgresql
from tests.proofs.running import Figures, demand

INPUTS = 2_000  # the bulk is tried without a server: see `operation_inputs`
CALLERS, WARM = 4, 500
SHOWN = 100  # requests, and as many pages, that are opened in a browser
MOST_MEGABYTES, MOST_GROWTH, SLOWEST = 200, 60, 10.0
LONGEST_REFUSAL = 20_000  # bytes to say that something of the API is refused
ALLOWED = {
    *(200, 201, 202, 204, 301, 302, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415),
    *(416, 417, 422, 429, 431),
    501,  # what oEmbed wants said of a form that is not served
}
PASSWORD = "long enough for 1 editor"
PLAYED = ("daramuti-parker", "--games", "300", "--seed", "1", "--cap", "2000", "--inline")


@dataclass(frozen=True, slots=True)
class Surface:
    """What is asked of the site.

    starts, most: where its addresses begin, and how many are taken
    leaving:      paths that belong to another surface
    """

    make: Callable[[random.Random, Offer], HttpRequest]
    starts: tuple[str, ...]
    most: int
    leaving: str = "^$"
    inputs: int = INPUTS
    as_editor: bool = False


_FORMS = partial(Surface, operation_wishes.hostile_forms, most=600, inputs=INPUTS // 2, as_editor=True)
SURFACES = {
    "hostile_api": Surface(operation_wishes.hostile_api, ("/api/v1/", "/api/schema/", "/api/docs/"), 400),
    "hostile_addresses": Surface(
        operation_wishes.hostile_addresses, ("/", "/sitemap.xml", "/robots.txt", "/data/", "/admin/login/"), 700
    ),
    "hostile_forms": _FORMS(starts=("/", "/compare/"), leaving="^/admin/"),
    "hostile_editing": _FORMS(starts=("/admin/",), leaving="^(?!/admin/)"),
}


def asked(surface: str, seed: int, number: int, offer: Offer) -> HttpRequest:
    """The request of that number."""
    return SURFACES[surface].make(random.Random(f"{surface} {seed} {number}"), offer)


@dataclass(slots=True)
class Answered:
    """What came of them so far."""

    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    bytes: int = 0


def hostile_api(folder: Path, scale: Any) -> Figures:
    """Lists, things, searches and requests of the API."""
    return _surface("hostile_api", folder, scale)


def hostile_addresses(folder: Path, scale: Any) -> Figures:
    """Every page, drawing, table and redirection."""
    return _surface("hostile_addresses", folder, scale)


def hostile_forms(folder: Path, scale: Any) -> Figures:
    """Every form of the pages, sent by somebody who may; half of what is sent to forms."""
    return _surface("hostile_forms", folder, scale)


def hostile_editing(folder: Path, scale: Any) -> Figures:
    """Every form of the editors' room, sent by somebody who may; the other half."""
    return _surface("hostile_editing", folder, scale)


def _surface(surface: str, folder: Path, scale: Any) -> Figures:
    asks = SURFACES[surface]
    inputs = scale.inputs or asks.inputs
    with on_postgresql(folder, TRUSTED_PROXIES="1") as (one, _):
        one.manage("simulate", *PLAYED)
        port = one.start_site()
        with Caller(port) as caller:
            if asks.as_editor:
                log_in(one, caller)
            offer = crawl(caller, asks.starts, asks.most, asks.leaving)
            warm = Answered()
            _send(surface, scale.seed, range(-WARM, 0), offer, port, warm, caller.cookies)
            before = _megabytes(one)
            said, begun = Answered(failures=warm.failures, wrong=warm.wrong), time.perf_counter()
            _send(surface, scale.seed, range(inputs), offer, port, said, caller.cookies)
            seconds = time.perf_counter() - begun
            alive = caller.get("/").status
            is_logged_in = caller.get("/admin/").status == 200
            shown = operation_http.ran(f"http://127.0.0.1:{port}", _shown(surface, scale.seed, offer), caller.cookies)
        figures = {
            "seed": scale.seed,
            "requests": said.statuses.total(),
            "addresses": len(offer.addresses),
            "forms": len(offer.forms),
            "statuses": {str(status): number for status, number in sorted(said.statuses.items())},
            "requests_a_second": round(said.statuses.total() / seconds, 1),
            "slowest_in_seconds": round(said.slowest, 2),
            "megabytes_before": before,
            "megabytes_after": (after := _megabytes(one)),
            "tracebacks_in_the_log": one.tracebacks("site"),
            "in_a_browser": shown,
            "wrong": dict(said.wrong.most_common(20)),
            "failures": said.failures[:20],
        }
        if said.failures:
            lines = one.log("site").splitlines()
            print("\n".join(line for line in lines if " WARNING" not in f" {line}")[:10_000], file=sys.stderr)  # noqa: T201
    demand(alive == 200, "the site does not answer afterwards", figures)
    demand(not figures["tracebacks_in_the_log"], "something failed that was answered all the same", figures)
    demand(is_logged_in or not asks.as_editor, "whoever sent the forms was logged out meanwhile", figures)
    demand(not said.failures, "a hostile request was not clearly refused", figures)
    demand(not shown["ran"] and not shown["stopped"], "a script that was sent ran, or would have", figures)
    demand(said.statuses.total() >= inputs, "fewer requests than were to be made", figures)
    demand(max(after) < MOST_MEGABYTES, f"a process of the site holds more than {MOST_MEGABYTES} MB", figures)
    demand(max(after) - max(before) < MOST_GROWTH, f"the site grew by more than {MOST_GROWTH} MB", figures)
    return figures


def _shown(surface: str, seed: int, offer: Offer) -> list[str]:
    """Requests with markup as addresses that a browser takes, and the pages that show what was kept."""
    sent = (asked(surface, seed, number, offer) for number in range(20_000))
    marked = (one.target.decode("latin-1") for one in sent if one.method == "GET" and b"hostile" in one.target)
    # Chromium styles the page that it makes of a picture, which the policy of the site forbids it; no script is in one.
    pages = [address for address in offer.addresses if not address.endswith(".png")]
    kept = [page for page in pages if page.startswith(("/batches/", "/comparisons/", "/admin/"))]
    return [*islice(marked, SHOWN), *kept[:SHOWN]]


def log_in(one: Installation, caller: Caller) -> None:
    """As somebody who may do everything: the forms of the editors are forms too."""
    one.environment["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    one.manage("createsuperuser", "--noinput", "--username", "editor", "--email", "editor@example.org")
    page = caller.get("/admin/login/")
    assert page.status == 200, f"the page of the login is answered with {page.status} {page.wrong}"
    sent = {"username": "editor", "password": PASSWORD, "csrfmiddlewaretoken": caller.cookies["csrftoken"]}
    kind = (b"Content-Type", b"application/x-www-form-urlencoded")
    answer = caller.ask(HttpRequest("POST", b"/admin/login/?next=/admin/", (kind,), urlencode(sent).encode()))
    assert answer.status == 302, f"nobody can log in: {answer.status}"


def _megabytes(one: Installation) -> list[int]:
    """Of each process of the site, the one that only watches the others first."""
    return [process.megabytes for process in group(one.servers["site"].process.pid)]


def _send(
    surface: str, seed: int, numbers: range, offer: Offer, port: int, said: Answered, cookies: dict[str, str]
) -> None:
    """All of them, by several callers at once."""
    lock = threading.Lock()

    def call(share: range) -> None:
        with Caller(port) as caller:
            for number in share:
                caller.cookies = dict(cookies)
                request = asked(surface, seed, number, offer)
                answer = caller.ask(request)
                found = wrong(request, answer)
                with lock:
                    said.statuses[answer.status] += 1
                    said.slowest = max(said.slowest, answer.seconds)
                    said.bytes += len(answer.body)
                    if found:
                        said.wrong[found[:80]] += 1
                        if said.wrong[found[:80]] <= 3:
                            said.failures.append(f"number {number}, {request}: {found}")

    callers = [threading.Thread(target=call, args=(numbers[place::CALLERS],)) for place in range(CALLERS)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()


def wrong(request: HttpRequest, answer: Answer) -> str:
    """What is wrong with the answer; empty if nothing is."""
    if answer.wrong:
        return answer.wrong
    if answer.status not in ALLOWED:
        return f"status {answer.status}"
    if answer.seconds > SLOWEST:
        return f"an answer after more than {SLOWEST} s"
    is_drawn = answer.media_type in ("text/html", "image/svg+xml", "application/xhtml+xml")
    if is_drawn and (markup := sent_markup(answer.body)):
        return f"a page has {markup}, which was sent"
    if answer.status >= 400 and answer.media_type.endswith("json"):
        return _refusal_wrong(answer)
    return ""


def sent_markup(body: bytes) -> str:
    """An element or attribute of a page that one of its visitors wrote; empty if there is none."""
    if b"hostile" not in body:
        return ""
    page = _Sent()
    page.feed(body.decode("utf-8", "replace"))
    return page.found


class _Sent(HTMLParser):
    """Every mark of ours, as an element, an attribute or an address that runs."""

    found = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "hostile-mark":
            self.found = f"an element <{tag}>"
        for name, value in attrs:
            leads = name in ("href", "src", "action", "formaction", "data")
            runs = name.startswith("on") or (leads and (value or "").strip().lower().startswith("javascript:"))
            if name == "hostile-attr" or (runs and "hostile" in (value or "")):
                self.found = f"{name}={value!r} of <{tag}>"


def _refusal_wrong(answer: Answer) -> str:
    if len(answer.body) > LONGEST_REFUSAL:
        return f"more than {LONGEST_REFUSAL} bytes to say that it is refused"
    if not answer.body:
        return ""  # of a HEAD
    document = json.loads(answer.body)
    whole = document.get("status") == answer.status and document.get("detail")
    return "" if whole else f"no problem document: {answer.body[:200]!r}"
