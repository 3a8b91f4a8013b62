"""The forms a citation is given in: what each is called, and how it is made of a CSL-JSON item.

BibTeX titles are braced twice, so that no style takes their capitals away; texts are UTF-8. A RIS record has a line for
each value: two letters, two blanks, a dash, a blank, the value.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.citations.chicago import chicago, entry_in_words, inverted, without_tags
from catalogue.texts.formatting import year_words
from catalogue.texts.names import AND_OTHERS, Name

BIBTEX_TYPES = {"book": "book", "article-journal": "article", "chapter": "incollection"}
RIS_ROLES = {"author": "AU", "editor": "ED", "translator": "A4", "compiler": "A3"}
RIS_TYPES = {"book": "BOOK", "article-journal": "JOUR", "chapter": "CHAP", "dataset": "DATA"}
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # BibTeX counts every brace, whatever stands before it
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{mark: rf"\{mark}" for mark in "$&#_%"},
}
SPECIAL_TO_TEX = re.compile("|".join(map(re.escape, SPECIAL)))

Item = Mapping[str, Any]
Items = Sequence[Item]


@dataclass(frozen=True, slots=True)
class CitationFormat:
    """`write` makes one text of any number of items."""

    name: str
    title: str
    media_type: str
    write: Callable[[Items], str]


def _day(item: Item, name: str) -> list[int]:
    """Year, month and day as far as they are given."""
    parts: list[int] = item.get(name, {}).get("date-parts", [[]])[0]
    return parts


def bibtex(item: Item) -> str:
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in _bibtex_fields(item) if value)
    # The key that \cite takes has letters, digits, dots, colons and dashes only.
    key = re.sub(r"[^A-Za-z0-9.:-]+", "-", str(item["id"])).strip("-")
    return f"@{BIBTEX_TYPES.get(item['type'], 'misc')}{{{key},\n{fields}}}\n"


def _bibtex_fields(item: Item) -> Iterator[tuple[str, str]]:
    """biblatex reads `date`, `url` and `urldate`; older styles read `year` and pass over the rest."""
    within, issued = item.get("container-title", ""), _day(item, "issued")
    if item["type"] not in BIBTEX_TYPES:
        within = entry_in_words(item)
    for role in ("author", "editor", "translator"):
        yield role, _bibtex_names(item.get(role, ()))
    if "compiler" in item:
        yield "editor", _bibtex_names(item["compiler"])
        yield "editortype", "compiler"
    yield "title", f"{{{escaped(item.get('title', ''))}}}"
    yield {"article-journal": "journal", "chapter": "booktitle"}.get(item["type"], "howpublished"), escaped(within)
    yield "volume", escaped(item.get("volume", ""))
    yield "pages", escaped(re.sub(r"\s*[-–—]+\s*", "--", item.get("page", "")))
    yield "address", escaped(item.get("publisher-place", ""))
    yield "publisher", escaped(item.get("publisher", ""))
    yield "year", _year(issued)
    yield "date", _written(issued, "-") if len(issued) > 1 else ""
    yield "url", re.sub(r"[\\{}\s]", "", item.get("URL", ""))
    yield "urldate", _written(_day(item, "accessed"), "-")
    yield "version", escaped(item.get("version", ""))
    yield "type", escaped(item.get("genre", ""))
    yield "note", escaped(item.get("note", ""))


def _bibtex_names(names: Sequence[Name]) -> str:
    return " and ".join("others" if name == AND_OTHERS else _bibtex_name(name) for name in names)


def _bibtex_name(name: Name) -> str:
    """A body is braced, so that nobody takes it for a surname and its first names."""
    if "literal" in name:
        return f"{{{escaped(name['literal'])}}}"
    return ", ".join(_protected(name[part]) for part in ("family", "suffix", "given") if part in name)


def _protected(part: str) -> str:
    """The word "and" within a name would part it in two."""
    return f"{{{escaped(part)}}}" if re.search(r"\band\b|,", part) else escaped(part)


def escaped(text: str) -> str:
    """Escape a text for TeX, on one line."""
    return SPECIAL_TO_TEX.sub(lambda found: SPECIAL[found[0]], " ".join(text.split()))


def _year(issued: list[int]) -> str:
    """The year in words: a negative number is taken for another year, astronomical by some and historical by others."""
    return year_words(issued[0] + (issued[0] < 0)) if issued else ""


def _written(parts: list[int], between: str) -> str:
    return between.join(f"{part:02d}" for part in parts)


def ris(item: Item) -> str:
    lines = "".join(f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in _ris_fields(item) if value)
    return f"{lines}ER  - \r\n"


def _ris_fields(item: Item) -> Iterator[tuple[str, str]]:
    """The format allows no asterisk in a name or in the title of a periodical."""
    first, _, last = item.get("page", "").partition("-")
    issued = _day(item, "issued")
    yield "TY", RIS_TYPES.get(item["type"], "GEN")
    yield "ID", str(item["id"])
    for role, tag in RIS_ROLES.items():
        for name in item.get(role, ()):
            yield tag if "author" in item else "AU", inverted(name).replace("*", "")
    yield "TI", item.get("title", "")
    yield "JO" if item["type"] == "article-journal" else "T2", item.get("container-title", "").replace("*", "")
    yield "VL", item.get("volume", "")
    yield "SP", first.strip()
    yield "EP", last.strip()
    yield "CY", item.get("publisher-place", "")
    yield "PB", item.get("publisher", "")
    yield "PY", _year(issued)
    yield "DA", _written(issued, "/") if len(issued) > 1 else ""
    yield "ET", item.get("version", "")
    yield "AN", item.get("archive_location", "")
    yield "M3", item.get("genre", "")
    yield "N1", item.get("note", "")
    yield "UR", item.get("URL", "")
    yield "Y2", _written(_day(item, "accessed"), "/")


def csl_json(items: Items) -> str:
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def in_words(items: Items) -> str:
    """The entries of a bibliography, without italics, a line each."""
    return "".join(f"{without_tags(chicago(item))}\n" for item in items)


FORMATS = {
    one.name: one
    for one in (
        CitationFormat("txt", "Chicago", "text/plain; charset=utf-8", in_words),
        CitationFormat(
            "bib", "BibTeX", "application/x-bibtex; charset=utf-8", lambda items: "\n".join(map(bibtex, items))
        ),
        CitationFormat(
            "ris", "RIS", "application/x-research-info-systems; charset=utf-8", lambda items: "".join(map(ris, items))
        ),
        CitationFormat("json", "CSL-JSON", "application/vnd.citationstyles.csl+json; charset=utf-8", csl_json),
    )
}
