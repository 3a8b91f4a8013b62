"""A search as an address asks for it: `/search/?q=seeds&place=sri-lanka&sort=year&page=2`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from catalogue.search.facets import TITLES
from catalogue.search.query import LONGEST, NotUnderstood, Query, parse_query
from catalogue.search.ranking import SORTS
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
        """Of the address that asks for this, with some changed, and None to leave one out; without a page."""
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
