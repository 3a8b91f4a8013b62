"""What a site offers to whoever follows its links: addresses of every shape, and forms as a browser would send them."""

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from tests.proofs.operation_http import Caller

BASE = "http://localhost/"
OF_A_SHAPE = 6  # addresses that differ in names and values only; more of them show nothing new
LEFT = r"^/(static|admin/logout|admin/auth|admin/password_change|admin/jsi18n)/|/delete/|\.zip$"
IN_JSON = re.compile(rb'"http://localhost(/[^"\\]*)"')


@dataclass(frozen=True, slots=True)
class Form:
    """method: in capitals. fields: what a browser would send of it untouched; choices: other values that it offers"""

    page: str
    action: str
    method: str
    fields: tuple[tuple[str, str], ...]
    choices: dict[str, tuple[str, ...]] = field(hash=False, default_factory=dict)


@dataclass(slots=True)
class Offer:
    addresses: list[str] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Every name of a parameter that some address or form has."""
        queries = (parse_qsl(urlsplit(one).query, keep_blank_values=True) for one in self.addresses)
        found = {name for query in queries for name, _ in query}
        return sorted(found | {name for form in self.forms for name, _ in form.fields})


def crawl(caller: Caller, starts: tuple[str, ...], most: int, leaving: str = "^$") -> Offer:
    """So many addresses at most, breadth first, a few of each shape; none of a path that `leaving` finds."""
    left = re.compile(f"{LEFT}|{leaving}")
    offer, waiting = Offer(), deque(starts)
    seen, shapes, forms = set(starts), Counter[str](), set[Any]()
    while waiting and len(offer.addresses) < most:
        address = waiting.popleft()
        answer = caller.get(address)
        if answer.status != 200:
            assert 0 < answer.status < 500, f"{address} is answered with {answer.status}"
            continue
        offer.addresses.append(address)
        links = [match.decode() for match in IN_JSON.findall(answer.body)] if "json" in answer.media_type else []
        if answer.media_type == "text/html":
            page = _Page(address)
            page.feed(answer.body.decode())
            links = page.links
            for form in page.forms:
                kind = (_shape(form.action), tuple(sorted({name for name, _ in form.fields})))
                if kind not in forms and not left.search(urlsplit(form.action).path):
                    forms.add(kind)
                    offer.forms.append(form)
        for link in links:
            shape = _shape(link)
            if link not in seen and shapes[shape] < OF_A_SHAPE and not left.search(urlsplit(link).path):
                seen.add(link)
                shapes[shape] += 1
                waiting.append(link)
    return offer


def _shape(address: str) -> str:
    """`/games/x/?page=2` and `/games/y/?page=3` are of one."""
    parts = urlsplit(address)
    first, *others = parts.path.strip("/").split("/")
    kept = [first, *(part if first in ("api", "admin") and place < 3 else "*" for place, part in enumerate(others))]
    ending = parts.path.rpartition(".")[2] if "." in parts.path[-6:] else ""
    return "/".join(kept) + ending + "?" + "&".join(sorted({name for name, _ in parse_qsl(parts.query)}))


class _Page(HTMLParser):
    """The links and forms of a page; a form's controls are inside it."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._form: dict[str, str] | None = None
        self._fields: list[tuple[str, str]] = []
        self._choices: dict[str, list[str]] = {}
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag in ("a", "link") and has.get("href"):
            link = self._here(has["href"])
            if link:
                self.links.append(link)
        elif tag == "form":
            self._form, self._fields, self._choices = has, [], {}
        elif tag in ("input", "textarea", "button") and has.get("name"):
            self._choices.setdefault(has["name"], []).append(has.get("value", ""))
            if has.get("type") not in ("radio", "checkbox") or "checked" in has:
                self._fields.append((has["name"], has.get("value", "")))
        elif tag == "select":
            self._select = has.get("name", "")
            self._fields.append((self._select, ""))
        elif tag == "option" and self._select:
            self._choices.setdefault(self._select, []).append(has.get("value", ""))
            if "selected" in has or self._fields[-1] == (self._select, ""):
                self._fields[-1] = (self._select, has.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        if tag == "form" and self._form is not None:
            action = self._here(self._form.get("action", "")) or self.address
            choices = {name: tuple(values) for name, values in self._choices.items()}
            method = self._form.get("method", "get").upper()
            self.forms.append(Form(self.address, action, method, tuple(self._fields), choices))
            self._form = None

    def _here(self, link: str) -> str:
        """An address of this site without its host; empty for another one."""
        try:
            whole = urldefrag(urljoin(BASE + self.address.lstrip("/"), link)).url
        except ValueError:
            return ""
        return "/" + whole.removeprefix(BASE) if whole.startswith(BASE) else ""
