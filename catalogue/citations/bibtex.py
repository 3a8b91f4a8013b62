"""BibTeX entries. Titles are braced twice, so that no style takes their capitals away; texts are UTF-8."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from catalogue.citations.chicago import AND_OTHERS, Name

TYPES = {"book": "book", "article-journal": "article", "chapter": "incollection"}
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # BibTeX counts every brace, whatever stands before it
    "}": r"\textbraceright{}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
OF_TEX = re.compile("|".join(map(re.escape, SPECIAL)))


def bibtex(item: Mapping[str, Any]) -> str:
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in _fields(item) if value)
    return f"@{TYPES.get(item['type'], 'misc')}{{{key_of(item)},\n{fields}}}\n"


def key_of(item: Mapping[str, Any]) -> str:
    """What \\cite calls it: letters, digits, dots, colons and dashes of its name."""
    return re.sub(r"[^A-Za-z0-9.:-]+", "-", str(item["id"])).strip("-")


def _fields(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "author", _names(item.get("author", ()))
    yield "editor", _names(item.get("editor", ()))
    yield "title", f"{{{escaped(item.get('title', ''))}}}"
    yield {"article-journal": "journal", "chapter": "booktitle"}.get(item["type"], "howpublished"), _within(item)
    yield "volume", escaped(item.get("volume", ""))
    yield "pages", escaped(re.sub(r"\s*[-–—]+\s*", "--", item.get("page", "")))
    yield "address", escaped(item.get("publisher-place", ""))
    yield "publisher", escaped(item.get("publisher", ""))
    yield from _dates(item)
    yield "version", escaped(item.get("version", ""))
    yield "number", escaped(item.get("number", ""))
    yield "type", escaped(item.get("genre", ""))
    yield "note", escaped(item.get("note", ""))


def _within(item: Mapping[str, Any]) -> str:
    name = item.get("container-title", "")
    return escaped(f"In: {name}" if name and item["type"] not in TYPES else name)


def _dates(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """biblatex reads `date`, `url` and `urldate`; older styles read `year` and pass over the rest."""
    issued = item.get("issued", {}).get("date-parts", [[]])[0]
    yield "year", str(issued[0]) if issued else ""
    yield "date", _iso(issued) if len(issued) > 1 else ""
    yield "url", re.sub(r"[\\{}\s]", "", item.get("URL", ""))
    yield "urldate", _iso(item.get("accessed", {}).get("date-parts", [[]])[0])


def _iso(parts: list[int]) -> str:
    return "-".join(f"{part:02d}" for part in parts)


def _names(names: list[Name]) -> str:
    return " and ".join("others" if name == AND_OTHERS else _name(name) for name in names)


def _name(name: Name) -> str:
    """A body is braced, so that nobody takes it for a surname and its first names."""
    if "literal" in name:
        return f"{{{escaped(name['literal'])}}}"
    return f"{_protected(name['family'])}, {_protected(name['given'])}"


def _protected(part: str) -> str:
    """The word "and" within a name would part it in two."""
    return f"{{{escaped(part)}}}" if re.search(r"\band\b|,", part) else escaped(part)


def escaped(text: str) -> str:
    """On one line, with the characters that mean something to TeX as TeX prints them."""
    return OF_TEX.sub(lambda found: SPECIAL[found[0]], " ".join(text.split()))
