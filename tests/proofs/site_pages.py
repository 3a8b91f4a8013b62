"""Which pages are looked at: one of every route that answers with a page, states that a route has beside, all records.

Routes and their addresses are those of `tests.every_address`. Names that nobody chose are found by the links of a page.
A route without an address, or whose example is not there, is an error: no type of page is passed over.
"""

import gzip
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPMessage
from typing import IO

from catalogue.web.compression import TEXT
from tests.every_address import ADDRESSES, routes
from tests.proofs.running import Unproved

# What a name in an address stands for: a page, and the first link on it like this one.
FOUND = {
    "batch": ("/rulesets/daramuti-parker/", r'href="/batches/([0-9a-f]{16})/"'),
    "comparison": ("/comparisons/", r'href="/comparisons/([0-9a-f]{16})/"'),
    "study": ("/studies/", r'href="/studies/([0-9a-f]{16})/"'),
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
        """Type of page → the address of its example. Raises Unproved if one has none."""
        routed = [name for name in routes() if "/api/v1/" not in ADDRESSES.get(name, "")] + list(OF_API)
        if missing := [name for name in routed if name not in ADDRESSES]:
            raise Unproved("types of page without an address", {"missing": missing})
        named = {name: self._name(name) for name in FOUND} | {"file": "datapackage.json"}
        pages = {
            name: ADDRESSES[name].format_map(named)
            for name in routed
            if not FILES.search(ADDRESSES[name].partition("?")[0])
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
