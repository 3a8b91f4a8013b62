"""A search as an address asks for it, `/search/?q=seeds&place=sri-lanka&sort=year&page=2`, and a page of its finds.

A page says what was found, in what order, with what marked, and how it can be narrowed. The number of queries does
not depend on the number of entries: two for all counts, up to eight for the order, one for the finds, four for the
names of facets' values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict

from catalogue.models import Game, Place, SearchEntry, Source, UncertaintyFactor
from catalogue.search.documents import SEARCHED
from catalogue.search.query import LONGEST, NotUnderstood, Query, any_of, parse_query
from catalogue.search.ranking import SORTS, TITLES, Counts, counted, entries_with, in_order, values_of, word_by_word
from catalogue.search.suggestions import did_you_mean
from catalogue.search.words import Snippet, SnippetPiece, best_snippet, marked
from catalogue.texts.errors import nearest_word

PARAMETERS = ("q", *TITLES, "sort", "page")
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
    """Raises WrongSearch at the first thing that makes no sense."""
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
        {facet: value for facet in TITLES if (value := parameters.get(facet, "").strip())},
        _sort(parameters.get("sort") or "relevance"),
        _page(parameters.get("page") or "1"),
        {name: parameters.get(name, "") for name in others},
    )


def _query(text: str) -> Query:
    try:
        return parse_query(text)
    except NotUnderstood as problem:
        raise WrongSearch("q", str(problem), problem.nearest) from problem


def _sort(text: str) -> str:
    if text not in SORTS:
        message = f"“{text[:SHOWN]}” is no order of finds; there are {', '.join(SORTS)}"
        raise WrongSearch("sort", message, nearest_word(text, SORTS) or "relevance")
    return text


def _page(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 8 and int(text) > 0:
        return int(text)
    raise WrongSearch("page", f"“{text[:SHOWN]}” is no page; the first one is 1", 1)


PAGE_SIZE = 25
MOST_CHOICES = 8  # of a facet that are shown at once
MOST_COMPARED = 5_000  # values that a wrong one is compared with
SHOWN_FIELDS = ("id", "kind", "object_id", "title", "address", "about", "oldest", "newest", "passages")


@dataclass(frozen=True, slots=True)
class Find:
    entry: SearchEntry
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
    """suggestion: what may have been meant, if nothing has all that was asked for and that would find something"""

    request: SearchRequest
    total: int
    pages: int
    finds: tuple[Find, ...]
    facets: tuple[Facet, ...]
    suggestion: str | None


def search_listing(request: SearchRequest, size: int = PAGE_SIZE, all_of: str = "") -> Listing:
    """Raises WrongSearch if a chosen value is nobody's, or if there is no such page.

    all_of: a facet of which every value is wanted
    """
    with word_by_word(request.query):
        return _search_listing(request, size, all_of)


def _search_listing(request: SearchRequest, size: int, all_of: str) -> Listing:
    counts = counted(entries_with(request.query), request.chosen)
    suggestion = did_you_mean(request.query) if not counts.total and request.query.groups else None
    if not counts.total and len(request.query.groups) > 1 and not request.chosen:
        request = replace(request, query=any_of(request.query))
        counts = counted(entries_with(request.query), request.chosen)
    for facet, value in request.chosen.items():
        if value not in counts.of[facet]:
            _must_exist(facet, value)
    pages = max(1, -(-counts.total // size))
    if request.page > pages:
        raise WrongSearch("page", f"there is no page {request.page} of this list: it has {pages}", pages)
    start = (request.page - 1) * size
    stop = min(start + size, counts.total)
    keys = in_order(request.query, request.chosen, request.sort, start, stop) if counts.total else []
    return Listing(request, counts.total, pages, _finds(request, keys), _facets(request, counts.of, all_of), suggestion)


def _must_exist(facet: str, value: str) -> None:
    """A known value that the other choices exclude gives an empty list; an unknown one is a mistake."""
    known = values_of(facet)
    if not known.filter(value=value).exists():
        near = nearest_word(value, known[:MOST_COMPARED])
        raise WrongSearch(facet, f"nothing here has the {TITLES[facet].lower()} “{value[:SHOWN]}”", near)


def _finds(request: SearchRequest, keys: list[int]) -> tuple[Find, ...]:
    entries = SearchEntry.objects.only(*SHOWN_FIELDS).in_bulk(keys)
    terms = list(dict.fromkeys(term.stems for term in request.query.positive))
    return tuple(_find(entries[key], terms) for key in keys if key in entries)


def _find(entry: SearchEntry, terms: list[tuple[str, ...]]) -> Find:
    return Find(entry, tuple(marked(entry.title, terms)), best_snippet(entry.passages, terms))


def _facets(request: SearchRequest, counts: Counts, all_of: str) -> tuple[Facet, ...]:
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
    return Facet(name, TITLES[name], max(0, len(counts) - len(values)), tuple(found))


def _in_time(value: str) -> tuple[bool, int]:
    return (True, 0) if value == "undated" else (False, int(value) if value.lstrip("-").isdigit() else 0)


def _texts(listed: Mapping[str, list[str]]) -> dict[str, dict[str, str]]:
    """What the values are called, as it is now: facet → value → text."""
    where = [*listed["place"], *listed["region"]]
    places = dict(Place.objects.filter(slug__in=where).values_list("slug", "name")) | {"unknown": "place unknown"}
    sources = Source.objects.filter(key__in=listed["source"])
    factors = UncertaintyFactor.objects.filter(slug__in=listed["uncertainty"])
    return {
        "kind": {name: kind.words[1] for name, kind in SEARCHED.items()},
        "type": {},
        "place": places,
        "region": places,
        "period": {value: _period(value) for value in listed["period"]},
        "game": dict(Game.objects.filter(slug__in=listed["game"]).values_list("slug", "name")),
        "family": {},
        "source": {source.key: str(source) for source in sources},
        "rulesets": {},
        "claims": {},
        "uncertainty": dict(factors.values_list("slug", "name")),
    }


def _period(value: str) -> str:
    """A century by its first year; the years before the common era are written as the pages write them."""
    if not value.lstrip("-").isdigit():
        return value
    first = int(value)
    if first == 0:
        return "1 BCE–99"
    if first < 0:
        return f"{1 - first}–{-98 - first} BCE"
    return f"{first}–{first + 99}"
