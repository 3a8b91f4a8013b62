"""A page of the site as a page of the copy: its links lead within the copy, and what needs the program is left out."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from tools.frozen.places import PLAYED, Place, file_of_static, link, route_of

HOST = "http://testserver"  # under which the pages are asked for, unless the site has an address
WORKING = ("apparatus.js", "board.js", "cite.js", "home.js")  # scripts that ask no server
SCRIPT = "static/frozen/search.js"
LINKS = {
    "a": ("href", "xlink:href"), "area": ("href",), "link": ("href",), "image": ("href", "xlink:href"),
    "use": ("href",), "img": ("src",), "source": ("src",), "iframe": ("src",), "script": ("src",), "object": ("data",),
}  # fmt: skip
OF_A_SERVER = re.compile(r"^(?:data-)?hx-")
HOLDING = ("section", "article", "figure", "table", "h2", "h3", "dl", "ol", "ul")
CONTROLS = ("button", "input", "select", "textarea", "output")
Find = Callable[[str], Place | None]


@dataclass(slots=True)
class CopiedPage:
    """text: the page as the copy has it; places: what it leads to; static: the files of the site that it needs"""

    text: str = ""
    title: str = ""
    words: str = ""
    places: list[Place] = field(default_factory=list)
    static: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Rewriter:
    """site: the address of the catalogue itself, if it is known; base: where the copy is served, None for relative
    links; date: of the copy, in words; find: the place of an address, after every redirect"""

    site: str
    base: str | None
    date: str
    find: Find

    def page(self, place: Place, text: str) -> CopiedPage:
        soup, copied = BeautifulSoup(text, "html.parser"), CopiedPage()
        for node in soup.find_all("meta", attrs={"http-equiv": "Content-Security-Policy"}):
            node.decompose()
        self._scripts(soup)
        if place.route == "search":
            self._only_the_box(soup)
        self._heads(soup)
        self._forms(soup, place)
        for node, attribute in list(_linked(soup)):
            self._follow(node, attribute, place, copied)
        for node in soup.find_all(True):
            for name in [name for name in node.attrs if OF_A_SERVER.match(name)]:
                del node[name]
        self._told(soup)
        if place.route == "search":
            self._searching(soup, place)
        heading, main = soup.find("h1"), soup.find("main")
        copied.title = " ".join(heading.get_text(" ").split()) if heading else ""
        copied.words = main.get_text(" ") if main else ""
        copied.text = str(soup).replace(HOST, self.site)
        return copied

    def _scripts(self, soup: BeautifulSoup) -> None:
        """Those that work without the site."""
        for node in soup.find_all("script"):
            source = str(node.get("src") or "")
            if node.get("type") == "application/ld+json":
                continue
            if not source.endswith(WORKING):
                node.decompose()

    def _only_the_box(self, soup: BeautifulSoup) -> None:
        """The page of the search without what can be chosen beside the words."""
        if soup.main:
            for node in soup.main.find_all(True, recursive=False):
                if node.name not in ("h1", "form", "nav"):
                    node.decompose()
            for node in soup.main.select("#search-hint"):
                node.decompose()

    def _searching(self, soup: BeautifulSoup, place: Place) -> None:
        if soup.head:
            node = soup.new_tag("script", attrs={"type": "module", "src": link(self.base, place.file, SCRIPT)})
            node["data-root"] = self._root(place)
            soup.head.append(node)

    def _root(self, place: Place) -> str:
        return link(self.base, place.file, "index.html").removesuffix("index.html")

    def _heads(self, soup: BeautifulSoup) -> None:
        """Without what only a site has: pictures for other sites, its manifest, its service for embedding."""
        for node in soup.find_all("meta"):
            name = str(node.get("property") or node.get("name") or "")
            if name.startswith(("og:", "twitter:", "htmx")):
                node.decompose()
        for node in soup.find_all("link"):
            relations = set(node.get("rel") or ())
            if relations & {"manifest", "preload", "modulepreload"} or "oembed" in str(node.get("type")):
                node.decompose()

    def _forms(self, soup: BeautifulSoup, place: Place) -> None:
        """The search stays, and asks here. Instead of the first of the other forms stands where the site has it."""
        said = False
        for form in soup.find_all("form"):
            if form.decomposed:
                continue
            if form.get("role") == "search" and form.find("input", attrs={"name": "q"}):
                target = self.find("/search/")
                form["action"] = link(self.base, place.file, target.file) if target else ""
                for node in form.find_all(CONTROLS):
                    if node.get("name", "q") != "q":
                        node.decompose()
                continue
            if form.find(HOLDING):  # what is read stands in it as well
                for node in form.find_all(CONTROLS):
                    node.decompose()
                form.unwrap()
                continue
            if not said and soup.main and soup.main in form.parents:
                form.insert_before(self._sentence(soup, place))
                said = True
            form.decompose()
        for node in soup.find_all(CONTROLS):
            if node.has_attr("form"):
                node.decompose()

    def _sentence(self, soup: BeautifulSoup, place: Place) -> Tag:
        note = soup.new_tag("p", attrs={"class": "small soft"})
        note.append("What stands here is a form, which needs the program: ")
        self._catalogue_itself(soup, note, place.path)
        note.append(" has it.")
        return note

    def _catalogue_itself(self, soup: BeautifulSoup, node: Tag, path: str) -> None:
        if not self.site:
            node.append("the catalogue itself")
            return
        anchor = soup.new_tag("a", attrs={"href": f"{self.site}{path}"})
        anchor.append("the catalogue itself")
        node.append(anchor)

    def _told(self, soup: BeautifulSoup) -> None:
        """At the foot of every page what this is."""
        foot = soup.find("footer")
        if not isinstance(foot, Tag):
            return
        note = soup.new_tag("p")
        note.append(
            f"This is a copy of {self.date} that needs no program. Games are not played here, and lists not narrowed: "
        )
        note.append("that is for ")
        self._catalogue_itself(soup, note, "/")
        note.append(".")
        (foot.find("div") or foot).append(note)

    def _follow(self, node: Tag, attribute: str, place: Place, copied: CopiedPage) -> None:
        address = str(node[attribute])
        if address.startswith("#"):
            return
        whole = urljoin(f"{HOST}{place.path}", address)
        known = whole.startswith(f"{HOST}/") or bool(self.site and whole.startswith(f"{self.site}/"))
        if not known:
            return
        if node.name == "link" and "canonical" in (node.get("rel") or ()):
            self._living(node, attribute, whole)
            return
        path = whole[len(HOST) if whole.startswith(f"{HOST}/") else len(self.site) :]
        if file := file_of_static(path):
            node[attribute] = link(self.base, place.file, file)
            copied.static.add(file)
            return
        target = self.find(urldefrag(path).url)
        if target is None:
            self._left_out(node, attribute, path)
            return
        fragment = urldefrag(whole).fragment
        node[attribute] = link(self.base, place.file, target.file) + (f"#{fragment}" if fragment else "")
        copied.places.append(target)

    def _living(self, node: Tag, attribute: str, whole: str) -> None:
        if self.site:
            node[attribute] = whole.replace(HOST, self.site)
        else:
            node.decompose()

    def _left_out(self, node: Tag, attribute: str, path: str) -> None:
        """An address that the copy does not take."""
        if node.name in ("link", "iframe", "img", "object", "image", "source", "use"):
            node.decompose()
        elif self.site:
            node[attribute] = f"{self.site}{path}"
        elif route_of(urlsplit(path).path) in PLAYED and node.name == "a":
            around = node.parent
            node.decompose()
            if around is not None and around.name == "li" and not around.get_text(strip=True):
                around.decompose()
        else:
            del node[attribute]


def _linked(soup: BeautifulSoup) -> Iterator[tuple[Tag, str]]:
    for node in soup.find_all(list(LINKS)):
        yield from ((node, attribute) for attribute in LINKS[node.name] if node.get(attribute))
