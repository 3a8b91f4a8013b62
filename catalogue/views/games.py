"""Games: the list, and one game with its names, records and readings."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.querysets import beside, evidence_rows, game_rows, shown_comparison
from catalogue.views.paging import page_of
from catalogue.views.refusals import found_or_nearest


def game_list(request: HttpRequest) -> HttpResponse:
    return render(request, "catalogue/game_list.html", {"page": page_of(request, game_rows(), size=60)})


def game(request: HttpRequest, slug: str) -> HttpResponse:
    found = found_or_nearest(game_rows(), "slug", slug, "game")
    readings = beside(found.readings.all())
    context = {
        "game": found,
        "page": page_of(request, evidence_rows().filter(game=found)),
        "readings": readings,
        "comparison": shown_comparison(readings),
        "doubts": found.questions.count(),
    }
    return render(request, "catalogue/game.html", context)
