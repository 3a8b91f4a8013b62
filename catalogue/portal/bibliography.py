"""References: the sources of a record taken apart.

Portal references follow one pattern (author. year. title. the rest), with slips; what does not fit is left to the
string as printed, which is always kept.
"""

import re
import unicodedata
from dataclasses import asdict, dataclass
from typing import Any

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
        return self.authors.split(",")[0]

    def columns(self) -> dict[str, Any]:
        """As a row of sources holds it."""
        fields = asdict(self)
        del fields["letter"]
        return fields if self.address else {name: value for name, value in fields.items() if name != "address"}

    @property
    def key(self) -> str:
        """For example parker-1909 or parker-1909b; made of the first words where no author was found."""
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
    authors = re.sub(r"(?<=\.),\s+(?:and\s+)?(?=[^\W\d_])", "; ", authors)
    year = int(match["year"]) if match["year"] else None
    return Reference(authors, year, match["letter"] or "", **_parts_of(match["rest"]), as_printed=as_printed)


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
    """What stands behind a title between quotation marks: a chapter's book, or a journal."""
    found = CHAPTER.fullmatch(rest) or JOURNAL.fullmatch(rest)
    return found.groupdict("") if found else {"container": rest.rstrip(".")}


def _closed_title(title: str) -> str:
    return title.rstrip(".")
