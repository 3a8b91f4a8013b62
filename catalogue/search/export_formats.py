"""A list of finds as programmes and bibliographies take it: JSON, CSV, BibTeX, RIS."""

import csv
import datetime
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from django.db.models import Prefetch, QuerySet

from catalogue.citations.formats import FORMATS
from catalogue.citations.items import item_of
from catalogue.models import Clause, SearchEntry, Term
from catalogue.models.querysets import evidence_rows
from catalogue.search.documents import rows_of
from catalogue.search.results import Find, Listing

COLUMNS = ("kind", "title", "address", "about", "earliest", "latest", "found_in", "snippet")


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """size: finds on one page of it"""

    title: str
    media_type: str
    size: int
    write: Callable[[Listing, str], str]


def find_document(find: Find, base: str) -> dict[str, Any]:
    """A find as the API and the tables show it.

    base: where this catalogue stands, for whole addresses
    """
    entry, undated = find.entry, SearchEntry.UNDATED
    return {
        "kind": entry.kind,
        "title": entry.title,
        "address": f"{base}{entry.address}",
        "about": entry.about,
        "earliest": None if entry.oldest == undated else entry.oldest,
        "latest": None if entry.newest == undated else -entry.newest,
        "found_in": find.snippet.label if find.snippet else "",
        "snippet": find.snippet.text if find.snippet else "",
    }


def as_csv(found: Listing, base: str) -> str:
    text = io.StringIO()
    rows = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    rows.writeheader()
    rows.writerows(find_document(find, base) for find in found.finds)
    return text.getvalue()


def as_citations(found: Listing, base: str, style: str) -> str:
    """style: a name of `catalogue.citations.formats`"""
    return FORMATS[style].write(list(items(found.finds, base)))


def items(finds: Sequence[Find], base: str) -> Iterator[Any]:
    """What cites the finds, in their order; a few queries for each kind of thing among them."""
    today = datetime.datetime.now(datetime.UTC).date()
    found = {
        kind: _rows(kind).in_bulk([f.entry.object_id for f in finds if f.entry.kind == kind])
        for kind in {find.entry.kind for find in finds}
    }
    for find in finds:
        row = found[find.entry.kind].get(find.entry.object_id)
        if row is not None:
            cited = row.evidence if isinstance(row, Term) else row  # a word is cited as the record that gives it
            yield item_of(cited, accessed=today, base=base)


def _rows(kind: str) -> "QuerySet[Any]":
    """With all that a citation names."""
    if kind == "record":
        return evidence_rows()
    if kind == "rule":
        return Clause.objects.select_related("reading__game")
    if kind == "term":
        return Term.objects.prefetch_related(Prefetch("evidence", evidence_rows()))
    rows = rows_of(kind)
    return rows.select_related("game") if kind in ("question", "claim") else rows


EXPORT_FORMATS = {
    "csv": ExportFormat("CSV", "text/csv", 1_000, as_csv),
    "bib": ExportFormat("BibTeX", "application/x-bibtex", 1_000, partial(as_citations, style="bib")),
    "ris": ExportFormat("RIS", "application/x-research-info-systems", 1_000, partial(as_citations, style="ris")),
}


def search_document(found: Listing, base: str) -> dict[str, Any]:
    """A page of finds with everything the page for readers shows."""
    query = found.request.query
    return {
        "understood": query.understood if query else "",
        "remarks": list(query.remarks),
        "suggestion": found.suggestion,
        "count": found.total,
        "page": found.request.page,
        "pages": found.pages,
        "sort": found.request.sort,
        "facets": [asdict(facet) for facet in found.facets],
        "results": [find_document(find, base) for find in found.finds],
    }
