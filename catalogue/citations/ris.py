"""RIS records: two letters, two blanks, a dash, a blank, and one line a value."""

from collections.abc import Iterator, Mapping
from typing import Any

from catalogue.citations.chicago import inverted

TYPES = {"book": "BOOK", "article-journal": "JOUR", "chapter": "CHAP", "dataset": "DATA"}


def ris(item: Mapping[str, Any]) -> str:
    lines = [("TY", TYPES.get(item["type"], "GEN")), *_fields(item)]
    return "".join(f"{tag}  - {_line(value)}\r\n" for tag, value in lines if value) + "ER  - \r\n"


def _fields(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "ID", str(item["id"])
    for name in item.get("author", ()):
        yield "AU", inverted(name).replace("*", "")  # the form allows no asterisk in a name
    for name in item.get("editor", ()):
        yield "ED" if "author" in item else "AU", inverted(name).replace("*", "")
    yield "TI", item.get("title", "")
    yield "JO" if item["type"] == "article-journal" else "T2", item.get("container-title", "").replace("*", "")
    yield "VL", item.get("volume", "")
    first, _, last = item.get("page", "").partition("-")
    yield "SP", first.strip()
    yield "EP", last.strip()
    yield "CY", item.get("publisher-place", "")
    yield "PB", item.get("publisher", "")
    issued = item.get("issued", {}).get("date-parts", [[]])[0]
    yield "PY", str(issued[0]) if issued else ""
    yield "DA", _date(issued) if len(issued) > 1 else ""
    yield "ET", item.get("version", "")
    yield "AN", item.get("number", "")
    yield "M3", item.get("genre", "")
    yield "N1", item.get("note", "")
    yield "UR", item.get("URL", "")
    yield "Y2", _date(item.get("accessed", {}).get("date-parts", [[]])[0])


def _date(parts: list[int]) -> str:
    return "/".join(f"{part:02d}" for part in parts)


def _line(value: str) -> str:
    return " ".join(value.split())
