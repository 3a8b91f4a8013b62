"""The copy itself: every page that a reader can come to, from the first page and the sitemap, with what they need.

Pages are asked for as a visitor asks, in this process, at the moment that the copy is of; the same database gives the
same bytes. Links are followed as far as the copy goes; in the end every link of the copy is looked up in it.
"""

import datetime
import json
import re
import shutil
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import unquote, urljoin, urlsplit

from django.conf import settings
from django.test import Client, override_settings

from catalogue.dataset.folder import NotADataset
from catalogue.edition.superseded import PAGES as OF_PARTS
from catalogue.edition.superseded import published_parts
from simulator.models import RulesetVersion
from tools.frozen.places import BY_HASH, LEADING_ON, Place, place_of, route_of
from tools.frozen.rewriting import HOST, SCRIPT, CopiedPage, Rewriter

INDEX = "static/frozen/index.json"
LONGEST = 400  # different words of a page that are searched
IN_TITLES_ONLY = ("batch", "outcomes", "evidence-rules", "api-docs", "style")
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class FrozenCopy:
    pages: int
    files: int
    bytes: int


@dataclass(slots=True)
class Copying:
    """folder: where the copy is made; it must not be there yet. See Rewriter."""

    folder: Path
    moment: datetime.datetime
    site: str = ""
    base: str | None = None
    only: Callable[[Place], bool] = lambda place: True
    notify: Notify = lambda text: None

    def make(self) -> FrozenCopy:
        """Raises NotADataset if something stands there, and RuntimeError where a page of the site has no answer."""
        if self.folder.exists():
            raise NotADataset(f"{self.folder} is there: name a folder that is not")
        with _as_of(self.moment, self.site):
            return self._copied(Client())

    def _copied(self, client: Client) -> FrozenCopy:
        ready: dict[Place, bytes] = {}
        found = _finder(client, ready, self.only)
        date = f"{self.moment:%-d %B %Y}"
        rewriter = Rewriter(self.site, self.base, date, found)
        gone = dict.fromkeys(self._superseded(client, ready))
        waiting = [*dict.fromkeys(filter(None, map(found, starts(client)))), *gone]
        done, index, static, pages = set(waiting), [], set[str](), 0
        while waiting:
            place = waiting.pop(0)
            content = ready.pop(place)
            if place.is_page:
                pages += 1
                self.notify(f"{pages} pages, {len(waiting)} known")
                copied = rewriter.page(place, content.decode())
                fresh = [one for one in dict.fromkeys(copied.places) if one not in done]
                waiting += fresh
                done.update(fresh)
                static |= copied.static
                index.append(None if place in gone else _entry(place, copied))
                content = copied.text.encode()
            elif place.file.endswith((".svg", ".bib", ".ris", ".json", ".txt", ".atom")):
                content = content.replace(HOST.encode(), self.site.encode())
            self._write(place.file, content)
        self._write(INDEX, json.dumps([one for one in index if one], ensure_ascii=False).encode())
        self._write(SCRIPT, (Path(__file__).parent / "search.js").read_bytes())
        own = Path(settings.BASE_DIR) / "catalogue" / "static" / "catalogue"
        shutil.copytree(own, self.folder / "static" / "catalogue", dirs_exist_ok=True)
        every = [path for path in self.folder.rglob("*") if path.is_file()]
        return FrozenCopy(pages, len(every), sum(path.stat().st_size for path in every))

    def _superseded(self, client: Client, ready: dict[Place, bytes]) -> Iterator[Place]:
        """The addresses of parts of earlier editions, which say what took their place."""
        for part in published_parts().superseded:
            place = place_of(part.address) if part.kind in OF_PARTS else None
            if place is not None and self.only(place):
                response: Any = client.get(place.path)
                if response.status_code == HTTPStatus.GONE:
                    ready[place] = response.content
                    yield place

    def _write(self, file: str, content: bytes) -> None:
        target = self.folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def starts(client: Client) -> Iterator[str]:
    """The first page, the search, and whatever the sitemap names."""
    yield from ("/", "/search/", "/api/docs/", "/about/style/")
    for address in re.findall(r"<loc>([^<]+)</loc>", asked(client, "/sitemap.xml").decode()):
        listed = asked(client, urlsplit(address).path).decode()
        yield from (urlsplit(each).path for each in re.findall(r"<loc>([^<]+)</loc>", listed))


def asked(client: Client, path: str) -> bytes:
    response: Any = client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path} answers {response.status_code}")
    return b"".join(response.streaming_content) if response.streaming else response.content


def _finder(client: Client, ready: dict[Place, bytes], only: Callable[[Place], bool]) -> Callable[[str], Place | None]:
    """The place of an address, after its redirects; one that is not answered has none. ready: what was answered"""
    answered: dict[Place, bool] = {}

    @cache
    def names() -> dict[str, str]:
        """The name of each ruleset, by its hash."""
        versions = RulesetVersion.objects.order_by("slug", "-number")
        return {one.ruleset_id: str(one) for one in versions}

    @cache
    def found(path: str) -> Place | None:
        if route_of(unquote(urlsplit(path).path)) in LEADING_ON:
            response: Any = client.get(path)
            to = urljoin(path, response.get("Location", path)) if 300 <= response.status_code < 400 else path
            return None if to == path else found(to.removeprefix(HOST).removeprefix(settings.SITE_URL))
        place = place_of(BY_HASH.sub(lambda match: f"/rulesets/{names().get(match['hash'], match['hash'])}/", path))
        if place is None or not only(place):
            return None
        if place not in answered:
            with suppress(RuntimeError):
                ready[place] = asked(client, place.path)
            answered[place] = place in ready
        return place if answered[place] else None

    return found


@contextmanager
def _as_of(moment: datetime.datetime, site: str) -> Iterator[None]:
    """The site as it is asked at that moment, under its address: citations name both."""
    with (
        override_settings(ALLOWED_HOSTS=["*"], SITE_URL=site, KEEP_PAGES=False),
        mock.patch("django.utils.timezone.now", return_value=moment),
    ):
        yield


def _entry(place: Place, copied: CopiedPage) -> list[str] | None:
    """[title, kind, file, words] of a page; the words are folded, each once. None for the page of the search."""
    if place.route == "search" or "?" in place.path:
        return None
    words = "" if place.route in IN_TITLES_ONLY else " ".join(dict.fromkeys(_folded(copied.words).split()))
    kind = place.route.removesuffix("-list").replace("-", " ").replace("evidence", "record")
    return [copied.title, kind, place.file, " ".join(words.split()[:LONGEST])]


def _folded(text: str) -> str:
    """Without accents and signs, in small letters; `search.js` folds what is asked for in the same way."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return re.sub(r"[^\w]+", " ", plain.lower())
