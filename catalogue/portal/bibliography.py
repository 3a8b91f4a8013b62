"""The references of a record: each source taken apart, and the page in it, as variously as the portal prints it.

A reference that cannot be taken apart safely is kept as printed.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from catalogue.texts.names import called, canonical, parsed

YEAR = re.compile(r"\b(\d{4})[a-z]?\b|\bn\.d\b")
REFERENCE = re.compile(
    r"(?P<authors>.+?[.,)])\s+(?:(?P<year>\d{4})(?P<letter>[a-z])?|n\.\s?d)\.\s+(?P<rest>.+)", re.DOTALL
)
PAGES = r"\d+(?:\s*[-–—]\s*\d+)?"
SPAN = r"(?:pp?\.\s*)?(?P<pages>\d+\s*[-–—]\s*\d+)"
ENDS = r"""(?:[.,?!]['"’”]|['"’”][.,])"""
QUOTED_TITLES = (
    re.compile(rf"(?P<quote>['\"‘“])(?P<title>.+?(?={ENDS})[?!]?){ENDS}\s+(?P<rest>.+)", re.DOTALL),
    re.compile(r"(?P<quote>['\"‘“])(?P<title>.+?)['\"’”]\s+(?=[^\W\d_a-z])(?P<rest>.+)", re.DOTALL),
)
VOLUME = r"(?:[Vv]ol\.\s*)?(?P<volume>\d+(?:\s*\(\d[^()]*\)|,\s*(?:[Nn]o\.\s*)?\d+|/\d+)?)"
JOURNAL = re.compile(
    rf"(?P<container>.+?)(?:[.,]|[.,]?\s+{VOLUME}\s*[:,.])?\s*(?:pp?\.\s*)?(?P<pages>{PAGES})?\.?", re.DOTALL
)
PUBLISHED = rf"(?P<place>[^.:\d]+):\s*(?P<publisher>(?=\W*[^\W\d_])[^:]+?)(?:[.,:]\s*{SPAN})?\.?"
CHAPTER = re.compile(rf"In:?\s+(?P<container>.+)\.\s+{PUBLISHED}", re.DOTALL)
WORD = r"(?:[^\W\d_a-z]\w{0,6}\.|[^\s.:?!]+)"  # of a journal's name: one with a full stop is short, as Proc.
ARTICLE = re.compile(
    rf"(?P<title>.+?[.?!])\s+(?P<container>{WORD}(?:\s+{WORD})*?),?\s+{VOLUME}\s*[:,.]\s*"
    rf"(?:pp?\.\s*)?(?P<pages>{PAGES})\.?",
    re.DOTALL,
)
PART_OF_A_BOOK = re.compile(r"(?P<title>.+?[.?!])\s+(?P<rest>In:?\s.+)", re.DOTALL)
BOOK = re.compile(rf"(?P<title>.+)\.\s+{PUBLISHED}", re.DOTALL)
ADDRESS = re.compile(
    r"[\s,(]*(?:(?:[Aa]vailable|[Rr]etrieved|[Aa]ccessed|[Oo]nline|URL)(?:\s(?:online|at|from))?\s*:?\s*)?"
    r"(?P<address>https?://[^\s<>\"]*[^\s<>\".,;)])[.,;)]*(?:\s+\(?(?:[Ll]ast\s)?(?:[Aa]ccessed|[Rr]etrieved)\b[^:]*)?"
)
AUTHOR_WITH_SLIP = re.compile(r"^([^\W\d_][\w'’-]+)\.\s+(?=[A-Z]\.)")


@dataclass(frozen=True, slots=True)
class Reference:
    """A printed reference in parts; a part that was not found is "" (year: None). letter: "b" of 1999b"""

    authors: str = ""
    year: int | None = None
    letter: str = ""
    title: str = ""
    container: str = ""
    volume: str = ""
    pages: str = ""
    place: str = ""
    publisher: str = ""
    address: str = ""
    as_printed: str = ""

    @property
    def surname(self) -> str:
        names = parsed(self.authors)[1]
        return called(names[0]) if names else ""

    def columns(self) -> dict[str, Any]:
        """The reference as a row of sources holds it."""
        fields = asdict(self)
        del fields["letter"]
        return fields if self.address else {name: value for name, value in fields.items() if name != "address"}

    @property
    def key(self) -> str:
        """Return its key, such as parker-1909 or parker-1909b; made of the first words where no author was found."""
        words = (
            f"{self.surname} {self.year}{self.letter}"
            if self.surname and self.year
            else " ".join(self.as_printed.split()[:5])
        )
        ascii_words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
        return re.sub(r"[^a-z0-9]+", "-", ascii_words).strip("-")[:80] or "source"


def split_sources(printed: str) -> list[str]:
    """The references of a Source field, each once and on one line: commas between them stray and lines break."""
    text = " ".join(printed.split()).strip(" ,")
    sources: list[str] = []
    start = 0
    for comma in re.finditer(r"(?<=[.\d])\s*,\s+(?=[^\W\d_])", text):
        complete = YEAR.search(text[start : comma.start()])
        begins_another = re.match(r"[^\W\d_][^\d:]{0,100}?[.,]\s*(?:\d{4}[a-z]?|n\.d)\.", text[comma.end() :])
        if complete and begins_another:
            sources.append(text[start : comma.start()])
            start = comma.end()
    sources.append(text[start:])
    return list(dict.fromkeys(source.strip(" ,") for source in sources if source.strip(" ,")))


def parse_reference(as_printed: str) -> Reference:
    match = REFERENCE.fullmatch(as_printed)
    if not match:
        return Reference(as_printed=as_printed)
    # "Das-Gupta. H. 1923." has a full stop where the comma belongs.
    authors = AUTHOR_WITH_SLIP.sub(r"\1, ", match["authors"])
    year = int(match["year"]) if match["year"] else None
    return Reference(canonical(authors), year, match["letter"] or "", **_parts_of(match["rest"]), as_printed=as_printed)


def _parts_of(rest: str) -> dict[str, str]:
    if found := ADDRESS.search(rest):
        left = (rest[: found.start()] + rest[found.end() :]).strip()
        return {**(_parts_of(left) if left else {}), "address": found["address"]}
    for quoted in QUOTED_TITLES:
        if article := quoted.fullmatch(rest):
            return {"title": article["title"], **_container(article["rest"])}
    part = PART_OF_A_BOOK.fullmatch(rest)
    if part and (chapter := CHAPTER.fullmatch(part["rest"])):
        return {"title": _closed_title(part["title"]), **chapter.groupdict("")}
    for form in (ARTICLE, BOOK):
        if found := form.fullmatch(rest):
            parts = found.groupdict("")
            return {**parts, "title": _closed_title(parts["title"])}
    return {"title": rest.rstrip(".")}


def _container(rest: str) -> dict[str, str]:
    """Return what follows a title in quotation marks: the book of a chapter, or a journal."""
    found = CHAPTER.fullmatch(rest) or JOURNAL.fullmatch(rest)
    return found.groupdict("") if found else {"container": rest.rstrip(".")}


def _closed_title(title: str) -> str:
    return title.rstrip(".")


NAME = r"[^\W\d_][\w'’.-]*"
NAMES = rf"{NAME}(?:\s+{NAME}){{0,3}}"
OTHERS = rf"(?:,?\s+et\.?\s+al\.?|(?:,\s+{NAMES}){{0,6}},?\s+(?:and|&)\s+{NAMES})?(?:['’]s?)?"
NUMBER = r"(?:\d+(?:\.\d+)*(?:n\.?\s?\d+|[a-z]{0,2})|[IVXLCDM]+|[ivxlcdm]+|[A-Z])(?![\w'’])"
RANGE = rf"{NUMBER}(?:\s*[-–—]\s*{NUMBER})?(?:\s?ff?\b\.?)?"
KINDS = """pages page pp p plates plate pls pl figures figure figs fig diagrams diagram diag tables table tabs tab maps
    map footnotes footnote fn notes note nn n numbers number nos no cat items item sections section sect sec chapters
    chapter chs ch volumes volume vols vol columns column cols col folios folio fols fol ff f books book bk parts part
    pt lines line appendix app nr"""
KIND = rf"(?i:(?:{'|'.join(KINDS.split())})\b\.?|§)\s*"
SPECIAL = rf"{KIND}{RANGE}"
FIRST = rf"(?:{SPECIAL}|(?=\d|[ivxlc]{{2,}}\b|[IVXLC]{{2,}}\b){RANGE})"
LATER = rf"(?:\s*(?:[,;&]|,?\s*\band\b)\s*(?:{SPECIAL}|(?=\d){RANGE})(?!\s*:))*"
LOCATOR = re.compile(FIRST + LATER)
WORDS = re.compile(r"[^\s;()\n][^;()\n]{0,98}?(?=\.(?:\s|$)|[;()\n]|$)")
MOST_WORDS = 3  # of a place that has no number, such as "passim" or "back cover"
YEAR_WITH_PAGES = re.compile(r"(?<![\d-])\d(?:-?\d){3}(?=[a-z]?\)?\s?[:,]|[a-z]?\)?\s+p)")
AFTER_YEAR = r"(?:\s?:\s*|,\s*(?=pp?\.|figs?\.|pls?\.)|\s+(?=pp?\.\s?\d))"


@dataclass(frozen=True, slots=True)
class Locator:
    """A locator in a source; as_printed is the whole citation, for example "Parker 1909: 597-598"."""

    pages: str
    as_printed: str
    offset: int


def find_locators(content: str, reference: Reference) -> list[Locator]:
    """The places of `reference` that a record's text names, in their order.

    A surname may be printed with a blank for its hyphen and with those of other authors after it, a year with a stray
    hyphen in it ("Murray 19-51: 68") and with its letter ("1999b").
    """
    if not reference.surname or reference.year is None or str(reference.year) not in _years_with_pages(content):
        return []
    return list(_found(content, _citing(reference.surname, reference.year, reference.letter)))


def _found(content: str, citing: re.Pattern[str]) -> Iterator[Locator]:
    for match in citing.finditer(content):
        place = LOCATOR.match(content, match.end()) or _word_for_word(content, match.end())
        if place:
            yield Locator(" ".join(place[0].split()), content[match.start() : place.end()], match.start())


def _word_for_word(content: str, start: int) -> re.Match[str] | None:
    """Match a locator that has no known form, and yet is no sentence."""
    found = WORDS.match(content, start)
    is_place = found and (any(map(str.isdigit, found[0])) or len(found[0].split()) <= MOST_WORDS)
    return found if is_place else None


@lru_cache(4_096)
def _citing(surname: str, year: int, letter: str) -> re.Pattern[str]:
    name = r"[-\s]?".join(re.escape(part) for part in re.split(r"[-\s]", surname))
    digits = "-?".join(str(year))
    lettered = f"{letter}?" if letter else "[a-z]?"
    return re.compile(rf"\b(?i:{name}){OTHERS},?\s+\(?{digits}{lettered}\)?{AFTER_YEAR}")


def _years_with_pages(content: str) -> set[str]:
    """The years that pages follow, as in "Murray 19-51: 68": without one no pattern has to be made for an author."""
    return {year.replace("-", "") for year in YEAR_WITH_PAGES.findall(content)}
