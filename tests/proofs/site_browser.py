"""What the proofs of the site look with, and at: a browser, a site, and its pages.

The site is one that runs somewhere, or one of our own, filled with everything that the demo computes. Its pages are one
of every route that answers with a page, states that a route has beside, and all records. Routes and their addresses are
those of `tests.every_address`; names that nobody chose are read from the links of a page. A route without an address,
or whose example is not there, is an error: no type of page is passed over.
"""

import gzip
import re
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPMessage
from pathlib import Path
from typing import IO, Any

from simulator.servers import Server, free_port
from tests.proofs.running import Unproved
from tests.services.machine import ROOT, Machine, wait_for

# Of every page from its beginning: how much its layout shifts without anybody doing anything, and when it was drawn.
WATCH = """
window.shifted = 0; window.drawn = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.drawn = one.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
"""
AT_REST = """
const done = arguments[arguments.length - 1];
document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())));
"""


@contextmanager
def window(width: int = 1400, height: int = 900, scripts: bool = True) -> Iterator[Any]:
    """A browser in which every page is watched. scripts: whether pages run any"""
    from tests.browser.browsing import browser

    with browser(scripts) as driver:
        driver.set_script_timeout(120)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        size(driver, width, height)
        yield driver


def size(driver: Any, width: int, height: int = 900) -> None:
    wish = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", wish)


def scheme(driver: Any, name: str) -> None:
    """name: light or dark"""
    wish = {"features": [{"name": "prefers-color-scheme", "value": name}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)


def show(driver: Any, address: str) -> None:
    driver.get(address)
    driver.execute_async_script(AT_REST)


def lengthen(driver: Any, width: int) -> None:
    """The window as long as the page that it shows."""
    size(driver, width, int(driver.execute_script("return document.documentElement.scrollHeight")))


def said(driver: Any) -> list[str]:
    """What the console was told since it was asked last. That nothing is there is no fault of the page that says so."""
    messages = [one["message"] for one in driver.get_log("browser")]
    return [message for message in messages if "the server responded with a status of 4" not in message]


PATIENCE = 1800  # seconds: the engine may have to be compiled first
PASSWORD = r"password (\S+) \(shown this once\)"
COMPUTED = "Everything is computed."


@contextmanager
def served(address: str | None, password: str = "") -> Iterator[tuple[str, str]]:
    """(the address of the site, without a slash at its end; the password of the editor's account, if it is known)."""
    if address:
        yield address.rstrip("/"), password
        return
    with tempfile.TemporaryDirectory(prefix="site-", ignore_cleanup_errors=True) as folder:
        machine = Machine(Path(folder), "")
        del machine.environment["REDIS_URL"]  # the demo starts a broker of its own
        machine.manage("migrate", "--verbosity", "0")
        machine.manage("load_fixtures")
        machine.manage("shell", "--verbosity", "0", "-c", WORN)
        machine.manage("export_dataset", str(machine.folder / "datasets" / "one"))
        port = free_port()
        words = (sys.executable, str(ROOT / "manage.py"), "demo", "--port", str(port))
        demo = Server.start("demo", words, machine.folder / "demo.log", machine.environment)
        try:
            wait_for(lambda: COMPUTED in demo.log.read_text() or not demo.is_running, "all is computed", PATIENCE)
            assert demo.is_running, demo.last_lines()
            made = re.search(PASSWORD, demo.log.read_text())
            yield f"http://127.0.0.1:{port}", made[1] if made else ""
        finally:
            demo.stop(patience=20)


# A wear study of two candidates for the slab, unless the edition brought one of all.
WORN = """
import sys
from catalogue.analyses.wear_plans import candidate_set, check_wear
from catalogue.analyses.wear_studies import WEAR
from catalogue.models import Evidence
from catalogue.pages.wear import SLAB
from simulator import rulesets
from simulator.management.command_line import play_to_end
if not WEAR.finished().exists():
    played = [one.ruleset for one in candidate_set("coriovallum").candidates if one.board == "none-joined"][:2]
    names = [rulesets.save(one).hash for one in played]
    row = WEAR.request(check_wear(Evidence.objects.get(identifier=SLAB), names, games=100), announce=False)
    play_to_end(WEAR.batches_of(row), True, sys.stderr)
    WEAR.conclude(row)
"""
# What a name in an address stands for: a page, and the first link on it like this one.
FOUND = {
    "batch": ("/rulesets/daramuti-parker/", r'href="/batches/([0-9a-f]{16})/"'),
    "comparison": ("/comparisons/", r'href="/comparisons/([0-9a-f]{16})/"'),
    "study": ("/studies/", r'href="/studies/([0-9a-f]{16})/"'),
    "wear": ("/wear/", r'href="/wear/([0-9a-f]{16})/"'),
    "counted": ("/api/v1/batches/?counts_traffic=yes&state=done&fields=id&format=json", r'"id":"([0-9a-f]{16})"'),
    "release": ("/data/", r'href="/data/([^/"]+)/"'),
}
# Pages that a route has beside its example: what is not there, not yet, empty, wrong, or of another family of games.
STATES = {
    "evidence-list, narrowed to nothing": "/evidence/?place=sri-lanka&to=1500",
    "game, solved": "/games/hat-diviyan-keliya/",
    "game, of chance": "/games/asi-keliya/",
    "ruleset, solved": "/rulesets/hat-diviyan-keliya-ludovisi/",
    "ruleset, a what-if": "/rulesets/puhulmutu-parker/change/?set.relay=off",
    "ruleset, much changed": (
        "/rulesets/daramuti-parker/change/?set.counters_per_hole=5&set.holes_per_row=9&set.pass_over=5"
    ),
    "play-a-game, not begun": "/rulesets/daramuti-parker/play-a-game/",
    "play-a-game, on a grid": "/rulesets/kotu-ellima-ludovisi/play-a-game/?players=you,you&seed=1",
    "compare, not begun": "/compare/",
    "search, nothing found": "/search/?q=quernstone",
    "search, a question": "/search/?q=which+games+are+played+with+dice",
    "study, of a game without one": "/games/puhulmutu/sensitivity/",
    "not found": "/games/no-such-game/",
    "wrong": "/evidence/?to=never",
}  # fmt: skip
# All pages of the API are drawn by one template.
OF_API = ("v1:api-root", "v1:evidence-list", "v1:evidence-detail")
FILES = re.compile(r"\.(svg|png|json|csv|zip|txt|xml|bib|ris|ico)$")
# Of what no visitor has: pictures, whose names are digests, and drafts, which are their makers'.
OF_EDITORS = re.compile(r"^/(pictures|workshop/drafts)/.")
RECORD = re.compile(r'href="(/evidence/[^/"?]+/)"')
STATUSES = {"not found": 404, "wrong": 400}


class _Staying(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, request: urllib.request.Request, file: IO[bytes], code: int, words: str, headers: HTTPMessage, url: str
    ) -> None:
        return None


OPENER = urllib.request.build_opener(_Staying)


@dataclass(frozen=True)
class Site:
    """base: its address. only: a word that types of pages, or their addresses, must have in them

    password: of the editor's account, if it is known
    """

    base: str
    only: str = ""
    password: str = ""

    @cached_property
    def records(self) -> dict[str, str]:
        """Identifier → address of each record."""
        found = sorted(set(RECORD.findall(self.answer("/evidence/")[2].decode())))
        return {address.split("/")[2]: address for address in found}

    @cached_property
    def types(self) -> dict[str, str]:
        """Type of page → the address of its example."""
        from catalogue.web.routes import every_route  # here: films and pictures are taken without the settings

        routes = {name: one for name, one in every_route().items() if one.status != 404}  # of which there is no example
        examples = {name: one.example for name, one in routes.items() if not one.is_api or name in OF_API}
        named = {name: self._name(name) for name in FOUND} | {"file": "datapackage.json"}
        pages = {
            name: example.format_map(named)
            for name, example in examples.items()
            if not FILES.search(example.partition("?")[0]) and not OF_EDITORS.match(example)
        }
        shown = {name: address for name, address in pages.items() if self._is_page(name, address)}
        if absent := [name for name, one in STATES.items() if self.answer(one)[0] != STATUSES.get(name, 200)]:
            raise Unproved("states without a page", {"absent": absent})
        return {name: one for name, one in {**shown, **STATES}.items() if self.only in f"{name} {one}"}

    @cached_property
    def pages(self) -> dict[str, str]:
        """The types, and every record."""
        return self.types | {name: one for name, one in self.records.items() if self.only in f"{name} {one}"}

    @cached_property
    def _weights(self) -> dict[str, int]:
        return {}

    def packed(self, address: str) -> int:
        """Bytes of what stands there, packed as the proxy of `deploy/` sends it; pictures are packed as they are."""
        from catalogue.web.middleware import TEXT

        if address not in self._weights:
            _, kind, body = self.answer(address)
            self._weights[address] = len(gzip.compress(body, 5) if TEXT.match(kind) else body)
        return self._weights[address]

    def answer(self, address: str) -> tuple[int, str, bytes]:
        """(status, media type, body) as a browser would be answered that follows no redirection."""
        request = urllib.request.Request(self.base + address, headers={"Accept": "text/html,*/*;q=0.5"})
        try:
            with OPENER.open(request, timeout=60) as response:
                return response.status, response.headers.get_content_type(), response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get_content_type(), error.read()

    def _is_page(self, name: str, address: str) -> bool:
        """Whether HTML is answered; what is sent on, or only to be written to, is none."""
        status, kind, _ = self.answer(address)
        if status == 404:
            raise Unproved(f"{name}: {address} is not there", {"address": address})
        return status == 200 and kind == "text/html"

    def _name(self, name: str) -> str:
        page, link = FOUND[name]
        match = re.search(link, self.answer(page)[2].decode())
        if not match:
            raise Unproved(f"no {name} is named on {page}", {"page": page, "link": link})
        return match[1]


def each(pages: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(name, address) of each page, told as it is looked at."""
    for name, address in pages.items():
        print(f"  {name}", file=sys.stderr, flush=True)  # noqa: T201
        yield name, address
