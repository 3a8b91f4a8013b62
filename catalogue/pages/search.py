"""The search: one box, its finds, their facets, and the same list for programs and bibliographies."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.filters.parameters import refuse_unknown
from catalogue.findings import kept
from catalogue.models import Game, Reading, SearchAspectValue
from catalogue.search import ranking, results
from catalogue.search.leads import Lead
from catalogue.texts.formatting import capitalised
from catalogue.texts.glossary import entry_called
from catalogue.texts.words import Suggested, nearest_word
from catalogue.web.addresses import WrongAddress, host_address
from catalogue.web.routes import route
from simulator.models import RulesetVersion

FORMATS = ("html", "json", *results.EXPORT_FORMATS)
JSON_SIZE = 100
SORT_TITLES = {"relevance": "best match", "name": "name", "year": "oldest first", "newest": "newest first"}


@route("search/", example="/search/?q=board", queries=24)
def search(request: HttpRequest) -> HttpResponse:
    try:
        search = results.read_request(request.GET, others=("format", "all"))
        form = _one_of("format", search.others["format"] or "html", FORMATS)
        all_of = _one_of("all", search.others["all"], ("", *ranking.TITLES))
        if form == "html":
            return _page(request, results.search_listing(search, all_of=all_of))
        if form == "json":
            listing = results.search_listing(search, JSON_SIZE, all_of)
            response: HttpResponse = JsonResponse(
                results.search_document(listing, host_address(request)), json_dumps_params={"ensure_ascii": False}
            )
        else:
            listing = results.search_listing(search, results.EXPORT_FORMATS[form].size, all_of)
            response = HttpResponse(
                results.EXPORT_FORMATS[form].write(listing, host_address(request)),
                content_type=results.EXPORT_FORMATS[form].media_type,
            )
            response["Content-Disposition"] = f'attachment; filename="search-{search.page}.{form}"'
    except results.WrongSearch as problem:
        raise _wrong(request, problem) from problem
    _link_pages(request, response, listing, form)
    return response


@route("search/suggestions/", example="/search/suggestions/?q=dara")
def search_suggestions(request: HttpRequest) -> HttpResponse:
    """Names that begin with the letters typed so far."""
    refuse_unknown(request, ("q",))
    names = [asdict(beginning) for beginning in results.beginnings(request.GET.get("q", ""))]
    return JsonResponse({"suggestions": names}, json_dumps_params={"ensure_ascii": False})


def _one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        words = [word for word in known if word]
        message = f"“{value[: results.SHOWN]}” is not known as “{name}”; there are {', '.join(words)}"
        raise results.WrongSearch(name, message, nearest_word(value, words) or words[0])
    return value


def _wrong(request: HttpRequest, problem: results.WrongSearch) -> WrongAddress:
    """The error for a wrong search; the nearest address corrects what is wrong, or leaves it out."""
    parameters = {name: request.GET.get(name, "") for name in request.GET if name in _known()}
    parameters.pop(problem.field, None)
    if problem.field in _known() and problem.nearest:
        parameters[problem.field] = str(problem.nearest)
    text = f"{problem.field} “{problem.nearest}”" if problem.nearest else f"the search without “{problem.field}”"
    message = str(problem)
    return WrongAddress(f"{capitalised(message)}.", Suggested(text, _address(**parameters)))


def _known() -> tuple[str, ...]:
    return ("q", *ranking.TITLES, "sort", "page", "format", "all")


def _address(**parameters: str) -> str:
    query = urlencode(parameters)
    return f"{reverse('search')}?{query}" if query else reverse("search")


def _link_pages(request: HttpRequest, response: HttpResponse, listing: results.Listing, form: str) -> None:
    links = []
    for relation, number in (("prev", listing.request.page - 1), ("next", listing.request.page + 1)):
        if 1 <= number <= listing.pages:
            address = _address(**listing.request.parameters(format=form, page=str(number)))
            links.append(f'<{host_address(request)}{address}>; rel="{relation}"')
    if links:
        response["Link"] = ", ".join(links)


def _page(request: HttpRequest, listing: results.Listing) -> HttpResponse:
    search = listing.request
    suggestion = listing.suggestion
    context = {
        "found": listing,
        "leads": [asdict(lead) | {"said": _said_of_games(lead)} for lead in listing.leads],
        "term": entry_called(search.query.text),
        "search": search,
        "facets": [_shown(search, facet) for facet in listing.facets],
        "chosen": [
            (facet, facet.chosen, _address(**search.parameters(**{facet.name: None})))
            for facet in listing.facets
            if facet.chosen
        ],
        "sorts": [
            (title, _address(**search.parameters(sort="" if name == "relevance" else name)), name == search.sort)
            for name, title in SORT_TITLES.items()
        ],
        "did_you_mean": (suggestion, _address(**search.parameters(q=suggestion))) if suggestion else None,
        "previous": _neighbour(listing, -1),
        "next": _neighbour(listing, 1),
        "finds": _with_boards(listing.finds),
        "formats": [(title, media, _address(**search.parameters(format=name))) for name, title, media in _formats()],
        "first": (search.page - 1) * results.PAGE_SIZE + 1,
    }
    return render(request, "catalogue/search.html", context)


OUTCOMES = re.compile(r"/games/([^/#]+)/#outcomes$")


def _said_of_games(lead: Lead) -> list[tuple[str, str]]:
    """(game, what its games say, or what is proved of it) of the games that a question on outcomes names."""
    slugs = [match[1] for _, address in lead.links if (match := OUTCOMES.search(address))]
    if not slugs or not lead.is_of_winners:
        return []
    known = kept.findings()
    rows = Game.objects.in_bulk(slugs, field_name="slug")
    return [(game.name, said) for slug in slugs if (game := rows.get(slug)) and (said := known.who_wins(game))]


WITH_BOARDS = ("game", "record", "ruleset", "claim", "question", "rule", "term")


def _with_boards(finds: Sequence[results.Find]) -> list[tuple[results.Find, str]]:
    """Each find with the address of a drawing: of its game's board, of a source its title page; two queries."""
    aspects = {find.entry.pk: find.entry.subject_id for find in finds if find.entry.kind in WITH_BOARDS}
    subjects = SearchAspectValue.objects.filter(facet="game", aspect__in=aspects.values())
    games = dict(subjects.values_list("aspect", "value"))
    played = Exists(RulesetVersion.objects.filter(slug=OuterRef("slug")))
    readings = Reading.objects.filter(played, game__slug__in=games.values()).order_by("-position", "-slug")
    first = dict(readings.values_list("game__slug", "slug"))  # the last of the list stays
    slugs = [first.get(games.get(aspects.get(find.entry.pk, 0), ""), "") for find in finds]
    return [(find, _drawing(find, slug)) for find, slug in zip(finds, slugs, strict=True)]


def _drawing(find: results.Find, slug: str) -> str:
    if find.entry.kind == "source":
        return f"{find.entry.address}title-page.svg"
    return reverse("ruleset-board", args=[slug]) if slug else ""


def _formats() -> list[tuple[str, str, str]]:
    return [
        ("json", "JSON", "application/json"),
        *((name, one.title, one.media_type) for name, one in results.EXPORT_FORMATS.items()),
    ]


def _neighbour(listing: results.Listing, step: int) -> tuple[int, str] | None:
    number = listing.request.page + step
    if not 1 <= number <= listing.pages:
        return None
    return number, _address(**listing.request.parameters(page=str(number) if number > 1 else None))


def _shown(search: results.SearchRequest, facet: results.Facet) -> dict[str, object]:
    """A facet with an address for each choice; that of a choice already made removes it."""
    choices = [
        (choice, _address(**search.parameters(**{facet.name: None if choice.chosen else choice.value})))
        for choice in facet.values
    ]
    every = _address(**search.parameters(all=facet.name)) if facet.more else ""
    return {"facet": facet, "choices": choices, "all": every}
