"""What the head of a page says of the thing that it is about, of the same item that *Cite this* is made from.

Reference managers and search engines for scholars read the tags of Highwire Press, as Google Scholar describes them
(https://scholar.google.com/intl/en/scholar/inclusion.html); libraries and archives read those of Dublin Core
(https://www.dublincore.org/specifications/dublin-core/dcq-html/). A value is given in as many tags as there are values.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from catalogue.citations.chicago import chicago, inverted, without_tags
from catalogue.texts.dates import iso_year
from catalogue.texts.names import AND_OTHERS

Item = Mapping[str, Any]
Tag = tuple[str, str]
CONTAINERS = {"article-journal": "citation_journal_title", "chapter": "citation_inbook_title"}
OF_CATALOGUE = "dataset"  # the type of an item that is an entry of this catalogue


def tags(item: Item, page: str, licence: str = "") -> list[Tag]:
    """Names and contents of all tags. page: the address of the page; licence: that of what holds for the thing"""
    found = [*_highwire(item, page), *_dublin_core(item, page, licence)]
    return [(name, content) for name, content in found if content]


def number_of(item: Item) -> str:
    """What an entry of this catalogue is called in it: "DLP.Evidence.692"."""
    return str(item.get("archive_location", ""))


def _highwire(item: Item, page: str) -> Iterator[Tag]:
    first, _, last = item.get("page", "").partition("-")
    yield "citation_title", item.get("title", "")
    for role in ("author", "editor"):
        for name in _names(item.get(role, ())):
            yield f"citation_{role}", name
    yield "citation_publication_date", "/".join(_date(item))
    yield CONTAINERS.get(item["type"], ""), item.get("container-title", "") if item["type"] in CONTAINERS else ""
    yield "citation_volume", item.get("volume", "")
    yield "citation_firstpage", first.strip()
    yield "citation_lastpage", last.strip()
    yield "citation_publisher", _publisher(item)
    yield "citation_technical_report_number", number_of(item)
    yield "citation_language", "en" if item["type"] == OF_CATALOGUE else ""
    yield "citation_public_url", item.get("URL", "")
    yield "citation_abstract_html_url", page


def _dublin_core(item: Item, page: str, licence: str) -> Iterator[Tag]:
    is_entry = item["type"] == OF_CATALOGUE
    yield "DC.title", item.get("title", "")
    for role in ("author", "editor", "translator", "compiler"):
        for name in _names(item.get(role, ())):
            yield "DC.creator" if role == "author" else "DC.contributor", name
    yield "DC.date", "-".join(_date(item))
    yield "DC.publisher", _publisher(item)
    yield "DC.type", "Dataset" if is_entry else "Text"
    yield "DC.language", "en" if is_entry else ""
    yield "DC.identifier", number_of(item)
    yield "DC.identifier", page
    yield "DC.source", item.get("note", "") if "custom" in item else ""
    yield "DCTERMS.isPartOf", item.get("container-title", "")
    yield "DCTERMS.bibliographicCitation", without_tags(chicago(item))
    yield "DCTERMS.license", licence


def _names(names: Sequence[Any]) -> list[str]:
    return [inverted(name) for name in names if name != AND_OTHERS]


def _publisher(item: Item) -> str:
    """The house that published a book; of an entry of this catalogue, the catalogue."""
    return str(item.get("publisher") or (item.get("container-title", "") if item["type"] == OF_CATALOGUE else ""))


def _date(item: Item) -> list[str]:
    """Year, month and day as far as they are given, as ISO 8601 writes them: 0000 is 1 BCE, which CSL calls -1."""
    year, *others = item.get("issued", {}).get("date-parts", [[]])[0] or [None]
    return [] if year is None else [iso_year(year + (year < 0)), *(f"{part:02d}" for part in others)]
