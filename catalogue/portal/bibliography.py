"""References: the sources of a record taken apart, and the page numbers printed with its quotation.

Portal references follow one pattern (author. year. title. the rest), with slips; what does not fit is left to the
string as printed, which is always kept.
"""

import re
import unicodedata
from dataclasses import dataclass

YEAR = re.compile(r"\b(\d{4})[a-z]?\b|\bn\.d\b")
REFERENCE = re.compile(r"(?P<authors>.+?[.,])\s+(?P<year>\d{4})[a-z]?\.\s+(?P<rest>.+)", re.DOTALL)
QUOTED_TITLE = re.compile(r"(?P<quote>['\"‘“])(?P<title>.+?)[.,]?(?:['\"’”])\s+(?=[A-Z])(?P<rest>.+)")
JOURNAL = re.compile(
    r"(?P<container>.+?)(?:\.|\s+(?P<volume>\d+)\s*:)?\s*(?P<pages>\d+(?:\s*[-–]\s*\d+)?)?\.?", re.DOTALL
)
BOOK = re.compile(r"(?P<title>.+)\.\s+(?P<place>[^.:]+):\s*(?P<publisher>.+?)\.?")
AUTHOR_WITH_SLIP = re.compile(r"^([^\W\d_][\w'’-]+)\.\s+(?=[A-Z]\.)")
PAGES = r"\d+(?:\s*[-–—]\s*\d+)?"
LOCATOR = rf"{PAGES}(?:,\s*(?:{PAGES}|(?:diagram|figure|fig\.|plate|note|n\.)\s*\w+))*"
YEAR_WITH_PAGES = re.compile(r"(?<=\s)\d(?:-?\d)*(?=:)")


@dataclass(frozen=True, slots=True)
class Reference:
    """A printed reference in parts; a part that was not found is "" (year: None)."""

    authors: str = ""
    year: int | None = None
    title: str = ""
    container: str = ""
    volume: str = ""
    pages: str = ""
    place: str = ""
    publisher: str = ""
    as_printed: str = ""

    @property
    def surname(self) -> str:
        return self.authors.split(",")[0]

    @property
    def key(self) -> str:
        """For example parker-1909; made of the first words where no author was found."""
        words = f"{self.surname} {self.year}" if self.surname and self.year else " ".join(self.as_printed.split()[:5])
        ascii_words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
        return re.sub(r"[^a-z0-9]+", "-", ascii_words).strip("-")[:80] or "source"


@dataclass(frozen=True, slots=True)
class Locator:
    """Where in a source a record points; as_printed is the whole citation, for example "Parker 1909: 597-598"."""

    pages: str
    as_printed: str
    offset: int


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
    authors = re.sub(r"(?<=\.),\s+(?:and\s+)?(?=[^\W\d_])", "; ", authors)
    parts = _parts_of(match["rest"])
    return Reference(authors, int(match["year"]), **parts, as_printed=as_printed)


def _parts_of(rest: str) -> dict[str, str]:
    article = QUOTED_TITLE.fullmatch(rest)
    if article:
        journal = JOURNAL.fullmatch(article["rest"])
        found = journal.groupdict("") if journal else {"container": article["rest"].rstrip(".")}
        return {"title": article["title"], **found}
    book = BOOK.fullmatch(rest)
    return book.groupdict("") if book else {"title": rest.rstrip(".")}


def find_locators(content: str, reference: Reference) -> list[Locator]:
    """The places of `reference` that a record's text names, in their order.

    A surname may be printed with a blank for its hyphen, a year with a stray hyphen in it ("Murray 19-51: 68").
    """
    if not reference.surname or reference.year is None or str(reference.year) not in _years_with_pages(content):
        return []
    surname = r"[-\s]?".join(re.escape(part) for part in re.split(r"[-\s]", reference.surname))
    year = "-?".join(str(reference.year))
    pattern = re.compile(rf"\b{surname}\s+{year}:\s*(?P<pages>{LOCATOR})")
    return [Locator(match["pages"], match[0], match.start()) for match in pattern.finditer(content)]


def _years_with_pages(content: str) -> set[str]:
    """Of "Murray 19-51: 68" the year: without it no pattern has to be made for an author."""
    return {year.replace("-", "") for year in YEAR_WITH_PAGES.findall(content)}
