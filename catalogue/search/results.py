"""A search as an address asks for it, `/search/?q=seeds&place=sri-lanka&sort=year&page=2`, and a page of its finds.

Unknown words are put right, names are suggested while they are typed, and the finds are written for programs and
bibliographies: JSON, CSV, BibTeX, RIS. A page says what was found, in what order, with what marked, and how it can be
narrowed. The number of queries does not depend on the number of entries: four for all counts, up to eight for the
order, one for the finds, four for the names of facets' values, three for what answers before them.
"""

import csv
import datetime
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import QueryDict
from django.urls import reverse

from catalogue import models
from catalogue.citations.formats import FORMATS
from catalogue.citations.items import item_of
from catalogue.models.querysets import cited_clauses, evidence_rows
from catalogue.search import ranking
from catalogue.search.documents import SEARCHED, rows_of
from catalogue.search.leads import Lead, leads_of
from catalogue.search.query import LONGEST, MOST_WORDS_ASKED, NotUnderstood, Query, Term, any_of, parse_query
from catalogue.search.spelling import did_you_mean, with_endings
from catalogue.search.words import Snippet, SnippetPiece, best_snippet, form_of, marked, stem_of, words_of
from catalogue.texts.dates import century_of
from catalogue.texts.glossary import beginning_with
from catalogue.texts.words import nearest_word

PARAMETERS = ("q", *ranking.TITLES, "sort", "page")
SHOWN = 60  # characters of a wrong value that are repeated


class WrongSearch(ValueError):
    """field: the parameter that is wrong; nearest: a value that would do, None if there is none"""

    def __init__(self, field: str, message: str, nearest: Any = None) -> None:
        super().__init__(message)
        self.field, self.nearest = field, nearest


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """chosen: facet → value; others: parameters that only the caller understands"""

    query: Query
    chosen: dict[str, str]
    sort: str
    page: int
    others: dict[str, str] = field(default_factory=dict)

    def parameters(self, **changes: str | None) -> dict[str, str]:
        """The parameters of this search's address, without a page; `changes` replace some, and None leaves one out."""
        sort = "" if self.sort == "relevance" else self.sort
        own = {"q": self.query.text, **self.chosen, "sort": sort, **changes}
        return {name: value for name, value in own.items() if value}


def read_request(parameters: QueryDict, others: Sequence[str] = ()) -> SearchRequest:
    """Read a search. Raises WrongSearch at the first parameter that is wrong."""
    known = (*PARAMETERS, *others)
    for name in parameters:
        if name not in known:
            message = f"a search has no parameter “{name[:SHOWN]}”; it has {', '.join(known)}"
            raise WrongSearch(name[:SHOWN], message, nearest_word(name, known) or "q")
        if len(parameters.getlist(name)) > 1:
            message = f"“{name}” is given {len(parameters.getlist(name))} times; once is enough"
            raise WrongSearch(name, message, parameters.getlist(name)[0][:LONGEST])
    return SearchRequest(
        _query(parameters.get("q", "")),
        {facet: _value(facet, value) for facet in ranking.TITLES if (value := parameters.get(facet, "").strip())},
        _sort(parameters.get("sort") or "relevance"),
        _page(parameters.get("page") or "1"),
        {name: parameters.get(name, "") for name in others},
    )


def _value(facet: str, value: str) -> str:
    """The value as the index has it: any year names the century it belongs to."""
    is_year = facet == "period" and re.fullmatch(r"-?[0-9]{1,6}", value)
    return str(century_of(int(value))[0]) if is_year else value


def _query(text: str) -> Query:
    try:
        return parse_query(text)
    except NotUnderstood as problem:
        raise WrongSearch("q", str(problem), problem.nearest) from problem


def _sort(text: str) -> str:
    if text not in ranking.SORTS:
        message = f"“{text[:SHOWN]}” is no order of finds; there are {', '.join(ranking.SORTS)}"
        raise WrongSearch("sort", message, nearest_word(text, ranking.SORTS) or "relevance")
    return text


def _page(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 8 and int(text) > 0:
        return int(text)
    raise WrongSearch("page", f"“{text[:SHOWN]}” is no page; the first one is 1", 1)


PAGE_SIZE = 25
MOST_CHOICES = 8  # of a facet that are shown at once
MOST_COMPARED = 5_000  # values that a wrong one is compared with
SHOWN_FIELDS = ("id", "kind", "object_id", "subject_id", "title", "address", "about", "oldest", "newest", "passages")


@dataclass(frozen=True, slots=True)
class Find:
    entry: models.SearchEntry
    title: tuple[SnippetPiece, ...]
    snippet: Snippet | None

    @property
    def kind(self) -> str:
        return SEARCHED[self.entry.kind].words[0]


@dataclass(frozen=True, slots=True)
class FacetValue:
    value: str
    text: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """values: the most frequent first, periods in their order; more: how many further ones there are"""

    name: str
    title: str
    more: int
    values: tuple[FacetValue, ...]

    @property
    def chosen(self) -> FacetValue | None:
        return next((value for value in self.values if value.chosen), None)


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of results. suggestion: a query that would find something, if this one finds nothing or little

    leads: what answers the search before its finds; instead_of: the query that found nothing, where the finds are
    those of the suggestion
    """

    request: SearchRequest
    total: int
    pages: int
    finds: tuple[Find, ...]
    facets: tuple[Facet, ...]
    suggestion: str | None
    leads: tuple[Lead, ...] = ()
    instead_of: str = ""

    @property
    def remarks(self) -> list[str]:
        """What was put right in what was asked."""
        better = f"Nothing here has “{self.instead_of}”. These are the finds of “{self.suggestion}”."
        return [*([better] if self.instead_of else []), *self.request.query.remarks]


def search_listing(request: SearchRequest, size: int = PAGE_SIZE, all_of: str = "") -> Listing:
    """Search. Raises WrongSearch for an unknown value of a facet, or if there is no such page.

    all_of: a facet of which every value is wanted
    """
    with ranking.word_by_word(request.query):
        return _search_listing(request, size, all_of)


def _search_listing(request: SearchRequest, size: int, all_of: str) -> Listing:
    request = replace(request, query=with_endings(request.query))
    counts = ranking.counted(ranking.entries_with(request.query), request.chosen)
    suggestion = did_you_mean(request.query, counts.total) if request.query.groups else None
    instead_of = ""
    if suggestion and not counts.total and not request.chosen:
        instead_of = request.query.text
        request = replace(request, query=with_endings(parse_query(suggestion)))
        counts = ranking.counted(ranking.entries_with(request.query), request.chosen)
    elif not counts.total and len(request.query.groups) > 1 and not request.chosen:
        request = replace(request, query=any_of(request.query))
        counts = ranking.counted(ranking.entries_with(request.query), request.chosen)
    for facet, value in request.chosen.items():
        if value not in counts.of[facet]:
            _must_exist(facet, value)
    pages = max(1, -(-counts.total // size))
    if request.page > pages:
        raise WrongSearch("page", f"there is no page {request.page} of this list: it has {pages}", pages)
    start = (request.page - 1) * size
    stop = min(start + size, counts.total)
    keys = ranking.in_order(request.query, request.chosen, request.sort, start, stop) if counts.total else []
    finds, facets = _finds(request, keys), _facets(request, counts.of, all_of)
    leads = leads_of(request.query) if request.page == 1 and not request.chosen else ()
    return Listing(request, counts.total, pages, finds, facets, suggestion, leads, instead_of)


def _must_exist(facet: str, value: str) -> None:
    """A known value that the other choices exclude gives an empty list; an unknown one is a mistake."""
    known = ranking.values_of(facet)
    if not known.filter(value=value).exists():
        near = nearest_word(value, known[:MOST_COMPARED])
        raise WrongSearch(facet, f"nothing here has the {ranking.TITLES[facet].lower()} “{value[:SHOWN]}”", near)


def _finds(request: SearchRequest, keys: list[int]) -> tuple[Find, ...]:
    entries = models.SearchEntry.objects.only(*SHOWN_FIELDS).in_bulk(keys)
    terms = list(dict.fromkeys(term.marked for term in request.query.positive))
    return tuple(_find(entries[key], terms) for key in keys if key in entries)


def _find(entry: models.SearchEntry, terms: list[tuple[str, ...]]) -> Find:
    return Find(entry, tuple(marked(entry.title, terms)), best_snippet(entry.passages, terms))


def _facets(request: SearchRequest, counts: ranking.Counts, all_of: str) -> tuple[Facet, ...]:
    listed = {}
    for facet, values in counts.items():
        ordered = [value for _, value in sorted((-number, value) for value, number in values.items())]
        kept = ordered if facet == all_of else ordered[:MOST_CHOICES]
        if facet in request.chosen and request.chosen[facet] not in kept:
            kept.append(request.chosen[facet])
        listed[facet] = sorted(kept, key=_in_time) if facet == "period" else kept
    texts = _texts(listed)
    return tuple(
        _facet(request, facet, values, texts[facet], counts[facet]) for facet, values in listed.items() if values
    )


def _facet(
    request: SearchRequest, name: str, values: list[str], texts: Mapping[str, str], counts: Mapping[str, int]
) -> Facet:
    chosen = request.chosen.get(name)
    found = (FacetValue(value, texts.get(value, value), counts.get(value, 0), value == chosen) for value in values)
    return Facet(name, ranking.TITLES[name], max(0, len(counts) - len(values)), tuple(found))


def _in_time(value: str) -> tuple[bool, int]:
    return (True, 0) if value == "undated" else (False, int(value) if value.lstrip("-").isdigit() else 0)


def _texts(listed: Mapping[str, list[str]]) -> dict[str, dict[str, str]]:
    """Return the current texts of the values: facet → value → text."""
    where = [*listed["place"], *listed["region"]]
    places = dict(models.Place.objects.filter(slug__in=where).values_list("slug", "name")) | {
        "unknown": "place unknown"
    }
    sources = models.Source.objects.filter(key__in=listed["source"])
    factors = models.UncertaintyFactor.objects.filter(slug__in=listed["uncertainty"])
    return {
        "kind": {name: kind.words[1] for name, kind in SEARCHED.items()},
        "type": {},
        "place": places,
        "region": places,
        "period": {value: _period(value) for value in listed["period"]},
        "game": dict(models.Game.objects.filter(slug__in=listed["game"]).values_list("slug", "name")),
        "family": {},
        "source": {source.key: str(source) for source in sources},
        "rulesets": {},
        "claims": {},
        "uncertainty": dict(factors.values_list("slug", "name")),
    }


def _period(value: str) -> str:
    """A century by its first year; the years before the common era are written as the pages write them."""
    if not re.fullmatch(r"-?[0-9]+", value):
        return value
    first, last = century_of(int(value))
    return f"{first}–{last}" if first > 0 else f"{1 - first}–{1 - last} BCE"


MOST_OFFERED = {"game": 4, "record": 4, "source": 2, "term": 3}  # of each kind at most, in this order

OWN_WORD = "word of this catalogue"


@dataclass(frozen=True, slots=True)
class Beginning:
    """kind: in words; about: a line that says what it is, may be empty"""

    kind: str
    title: str
    about: str
    address: str


def beginnings(text: str) -> list[Beginning]:
    """Return names that begin with a text; none if it has no letter, or is longer than a search may be."""
    words = [word for word in words_of(text[:LONGEST]) if form_of(word)][:MOST_WORDS_ASKED]
    if not words:
        return []
    groups = tuple((Term(word, (stem_of(word),), is_prefix=True),) for word in words)
    found = []
    for kind, most in MOST_OFFERED.items():
        rows = models.SearchEntry.objects.filter(ranking.Holds("names", groups), kind=kind).order_by(
            "standing", "sort_name", "id"
        )
        columns = rows.values_list("title", "about", "address")[:most]
        found += [Beginning(SEARCHED[kind].words[0], *row) for row in columns]
    own = beginning_with(text)[: MOST_OFFERED["term"]]
    return [*found, *(Beginning(OWN_WORD, term.word, term.text, f"{reverse('term-list')}#{term.slug}") for term in own)]


COLUMNS = ("kind", "title", "address", "about", "earliest", "latest", "found_in", "snippet")


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """size: finds on one page of it"""

    title: str
    media_type: str
    size: int
    write: Callable[[Listing, str], str]


def find_document(find: Find, base: str) -> dict[str, Any]:
    """Return a result as the API and the tables show it.

    base: where this catalogue stands, for whole addresses
    """
    entry, undated = find.entry, models.SearchEntry.UNDATED
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
    """Return the citable rows of results, in their order, by a few queries for each kind."""
    today = datetime.datetime.now(datetime.UTC).date()
    found = {
        kind: _rows(kind).in_bulk([f.entry.object_id for f in finds if f.entry.kind == kind])
        for kind in {find.entry.kind for find in finds}
    }
    for find in finds:
        row = found[find.entry.kind].get(find.entry.object_id)
        if row is not None:
            cited = row.evidence if isinstance(row, models.Term) else row  # a word is cited as the record that gives it
            yield item_of(cited, accessed=today, base=base)


def _rows(kind: str) -> "QuerySet[Any]":
    """Fetch rows with all that a citation names."""
    if kind == "record":
        return evidence_rows()
    if kind == "rule":
        return cited_clauses().select_related("reading__game")
    if kind == "term":
        return models.Term.objects.prefetch_related(Prefetch("evidence", evidence_rows()))
    rows = rows_of(kind)
    return rows.select_related("game") if kind in ("question", "claim") else rows


EXPORT_FORMATS = {
    "csv": ExportFormat("CSV", "text/csv", 1_000, as_csv),
    "bib": ExportFormat("BibTeX", "application/x-bibtex", 1_000, partial(as_citations, style="bib")),
    "ris": ExportFormat("RIS", "application/x-research-info-systems", 1_000, partial(as_citations, style="ris")),
}


def _lead_document(lead: Lead, base: str) -> dict[str, Any]:
    links = [{"text": text, "address": f"{base}{address}"} for text, address in lead.links]
    return {"kind": lead.kind, "title": lead.title, "text": lead.text, "links": links}


def search_document(found: Listing, base: str) -> dict[str, Any]:
    """A page of finds with everything the page for readers shows."""
    query = found.request.query
    return {
        "understood": query.understood if query else "",
        "remarks": found.remarks,
        "suggestion": found.suggestion,
        "answers": [_lead_document(lead, base) for lead in found.leads],
        "count": found.total,
        "page": found.request.page,
        "pages": found.pages,
        "sort": found.request.sort,
        "facets": [asdict(facet) for facet in found.facets],
        "results": [find_document(find, base) for find in found.finds],
    }
