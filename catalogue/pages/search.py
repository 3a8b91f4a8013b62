"""The search: one box, its finds, their facets, and the same list for programmes and bibliographies."""

from dataclasses import asdict
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.filters.parameters import refuse_unknown
from catalogue.search import ranking, results
from catalogue.texts.formatting import capitalised
from catalogue.texts.glossary import entry_called
from catalogue.texts.words import Suggested, nearest_word
from catalogue.web.addresses import WrongAddress, host_address
from catalogue.web.routes import route

FORMATS = ("html", "json", *results.EXPORT_FORMATS)
JSON_SIZE = 100
SORT_TITLES = {"relevance": "best match", "name": "name", "year": "oldest first", "newest": "newest first"}


@route("search/", example="/search/?q=board", queries=16)
def search(request: HttpRequest) -> HttpResponse:
    try:
        wanted = results.read_request(request.GET, others=("format", "all"))
        form = _one_of("format", wanted.others["format"] or "html", FORMATS)
        all_of = _one_of("all", wanted.others["all"], ("", *ranking.TITLES))
        if form == "html":
            return _page(request, results.search_listing(wanted, all_of=all_of))
        if form == "json":
            found = results.search_listing(wanted, JSON_SIZE, all_of)
            response: HttpResponse = JsonResponse(
                results.search_document(found, host_address(request)), json_dumps_params={"ensure_ascii": False}
            )
        else:
            found = results.search_listing(wanted, results.EXPORT_FORMATS[form].size, all_of)
            response = HttpResponse(
                results.EXPORT_FORMATS[form].write(found, host_address(request)),
                content_type=results.EXPORT_FORMATS[form].media_type,
            )
            response["Content-Disposition"] = f'attachment; filename="search-{wanted.page}.{form}"'
    except results.WrongSearch as problem:
        raise _wrong(request, problem) from problem
    _link_pages(request, response, found, form)
    return response


@route("search/suggestions/", example="/search/suggestions/?q=dara")
def search_suggestions(request: HttpRequest) -> HttpResponse:
    """Names that begin with what was typed so far, for whoever is still typing."""
    refuse_unknown(request, ("q",))
    found = [asdict(beginning) for beginning in results.beginnings(request.GET.get("q", ""))]
    return JsonResponse({"suggestions": found}, json_dumps_params={"ensure_ascii": False})


def _one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        words = [word for word in known if word]
        message = f"“{value[: results.SHOWN]}” is not known as “{name}”; there are {', '.join(words)}"
        raise results.WrongSearch(name, message, nearest_word(value, words) or words[0])
    return value


def _wrong(request: HttpRequest, problem: results.WrongSearch) -> WrongAddress:
    """The nearest address is this one with what is wrong put right, or left out."""
    kept = {name: request.GET.get(name, "") for name in request.GET if name in _known()}
    kept.pop(problem.field, None)
    if problem.field in _known() and problem.nearest:
        kept[problem.field] = str(problem.nearest)
    text = f"{problem.field} “{problem.nearest}”" if problem.nearest else f"the search without “{problem.field}”"
    message = str(problem)
    return WrongAddress(f"{capitalised(message)}.", Suggested(text, _address(**kept)))


def _known() -> tuple[str, ...]:
    return ("q", *ranking.TITLES, "sort", "page", "format", "all")


def _address(**parameters: str) -> str:
    query = urlencode(parameters)
    return f"{reverse('search')}?{query}" if query else reverse("search")


def _link_pages(request: HttpRequest, response: HttpResponse, found: results.Listing, form: str) -> None:
    links = []
    for relation, number in (("prev", found.request.page - 1), ("next", found.request.page + 1)):
        if 1 <= number <= found.pages:
            address = _address(**found.request.parameters(format=form, page=str(number)))
            links.append(f'<{host_address(request)}{address}>; rel="{relation}"')
    if links:
        response["Link"] = ", ".join(links)


def _page(request: HttpRequest, found: results.Listing) -> HttpResponse:
    wanted = found.request
    suggestion = found.suggestion
    context = {
        "found": found,
        "term": entry_called(wanted.query.text),
        "search": wanted,
        "facets": [_shown(wanted, facet) for facet in found.facets],
        "chosen": [
            (facet, facet.chosen, _address(**wanted.parameters(**{facet.name: None})))
            for facet in found.facets
            if facet.chosen
        ],
        "sorts": [
            (title, _address(**wanted.parameters(sort="" if name == "relevance" else name)), name == wanted.sort)
            for name, title in SORT_TITLES.items()
        ],
        "did_you_mean": (suggestion, _address(**wanted.parameters(q=suggestion))) if suggestion else None,
        "previous": _neighbour(found, -1),
        "next": _neighbour(found, 1),
        "formats": [(title, media, _address(**wanted.parameters(format=name))) for name, title, media in _formats()],
        "first": (wanted.page - 1) * results.PAGE_SIZE + 1,
    }
    return render(request, "catalogue/search.html", context)


def _formats() -> list[tuple[str, str, str]]:
    return [
        ("json", "JSON", "application/json"),
        *((name, one.title, one.media_type) for name, one in results.EXPORT_FORMATS.items()),
    ]


def _neighbour(found: results.Listing, step: int) -> tuple[int, str] | None:
    number = found.request.page + step
    if not 1 <= number <= found.pages:
        return None
    return number, _address(**found.request.parameters(page=str(number) if number > 1 else None))


def _shown(wanted: results.SearchRequest, facet: results.Facet) -> dict[str, object]:
    """A facet whose choices have addresses; a chosen one's takes the choice back."""
    choices = [
        (choice, _address(**wanted.parameters(**{facet.name: None if choice.chosen else choice.value})))
        for choice in facet.values
    ]
    every = _address(**wanted.parameters(all=facet.name)) if facet.more else ""
    return {"facet": facet, "choices": choices, "all": every}
