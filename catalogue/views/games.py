"""Games: the list that can be narrowed, and one game with its names, records and readings."""

from django.db.models import Model
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from catalogue.models import Category, Period
from catalogue.portal_words import portal_words
from catalogue.querysets import beside, evidence_rows, executable, game_rows, shown_comparison
from catalogue.views.grouping import groupings
from catalogue.views.paging import page_of
from catalogue.views.refusals import Suggested, WrongAddress, found_or_nearest, nearest_word

OF_PORTAL: dict[str, type[Model]] = {"category": Category, "period": Period}
EXECUTABLE = ("yes", "no")
NARROWING = (*OF_PORTAL, "executable")


def game_list(request: HttpRequest) -> HttpResponse:
    _refuse_unknown(request.GET)
    rows = game_rows()
    chosen = {name: request.GET.get(name, "") for name in NARROWING}
    offered = {name: list(model._default_manager.values_list("slug", "name")) for name, model in OF_PORTAL.items()}
    offered["executable"] = [("yes", "with rulesets"), ("no", "not yet executable")]
    for name, value in chosen.items():
        if value:
            _refuse_others(name, value, [slug for slug, _ in offered[name]])
    for name, many in (("category", "categories"), ("period", "periods")):
        if chosen[name]:
            rows = rows.filter(**{f"portal__{many}__slug": chosen[name]})
    if chosen["executable"]:
        rows = executable(rows, chosen["executable"] == "yes")
    context = {
        "page": page_of(request, rows, size=60),
        "choices": [(name, chosen[name], words) for name, words in offered.items() if words],
        "narrowed": any(chosen.values()),
    }
    return render(request, "catalogue/game_list.html", context)


def _refuse_unknown(asked: QueryDict) -> None:
    for name in asked:
        if name not in (*NARROWING, "page"):
            near = nearest_word(name, NARROWING) or NARROWING[0]
            message = f"A list of games cannot be narrowed by “{name[:40]}”; it can be by {', '.join(NARROWING)}."
            raise WrongAddress(message, Suggested(f"all games, to be narrowed by {near}", "/games/"))


def _refuse_others(name: str, value: str, known: list[str]) -> None:
    if value not in known:
        near = nearest_word(value, known)
        suggested = Suggested(f"{name} “{near}”", f"/games/?{name}={near}") if near else None
        raise WrongAddress(f"No game has the {name} “{value[:60]}”.", suggested)


def game(request: HttpRequest, slug: str) -> HttpResponse:
    found = found_or_nearest(game_rows(), "slug", slug, "game")
    readings = beside(found.readings.all())
    page = page_of(request, evidence_rows().filter(game=found))
    is_long = page.paginator.num_pages > 1
    context = {
        "game": found,
        "page": page,
        "groupings": groupings(found.evidence.shown(), {"game": slug}, ("place", "type", "source")) if is_long else [],
        "readings": readings,
        "comparison": shown_comparison(readings),
        "doubts": found.questions.count(),
        "portal": portal_words(found),
    }
    return render(request, "catalogue/game.html", context)
