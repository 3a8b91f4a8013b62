"""Games: the list that can be narrowed, and one game with its names, records and readings."""

from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.filters.games import GameFilters
from catalogue.filters.groups import groupings
from catalogue.filters.list_parameters import ListParameters
from catalogue.findings.finding import PROVED
from catalogue.findings.gathered import findings
from catalogue.findings.over_levels import telling
from catalogue.models import Category, Period
from catalogue.models.lookup import found_or_nearest
from catalogue.models.querysets import evidence_rows, game_rows, shown_comparison, with_versions
from catalogue.pages.figures import of_game
from catalogue.pages.paging import page_of
from catalogue.pages.strength_table import strength_table
from catalogue.pages.study_form import waiting_of
from catalogue.play.start_boards import game_cards, start_board
from catalogue.portal.statements import portal_statements
from catalogue.sensitivity.offers import offers_for
from catalogue.web.routes import route

OF_PORTAL: dict[str, type[Model]] = {"category": Category, "period": Period}
NARROWING = (*OF_PORTAL, "executable")


@route("games/", name="game-list", example="/games/", sitemap=True)
def game_list(request: HttpRequest) -> HttpResponse:
    parameters = ListParameters(request, GameFilters, NARROWING)
    offered = {name: list(model._default_manager.values_list("slug", "name")) for name, model in OF_PORTAL.items()}
    offered["executable"] = [("yes", "with rulesets"), ("no", "not yet executable")]
    page = page_of(request, parameters.among(game_rows()), size=60)
    context = {
        "page": page,
        "cards": game_cards(page),
        "choices": [(name, parameters.given(name), words) for name, words in offered.items() if words],
        "narrowed": parameters.narrowed,
    }
    return render(request, "catalogue/game_list.html", context)


@route("games/<str:slug>/", name="game", identifies="game/{slug}", example="/games/daramuti/", queries=25)
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """What it is, how its readings play, and what is proved of it; then its records."""
    found = found_or_nearest(game_rows(), "slug", slug, "game")
    readings = with_versions(found.readings.all())
    page = page_of(request, evidence_rows().filter(game=found))
    is_long = page.paginator.num_pages > 1
    first = next((read for read in readings if read.version), None)
    shown = of_game(request, found, readings) if readings else None
    questions = found.questions.count()
    is_offered = questions and not found.studies.exists()
    context = {
        "game": found,
        "page": page,
        "groupings": groupings(found.evidence.shown(), {"game": slug}, ("place", "type", "source")) if is_long else [],
        "readings": readings,
        "first": first,
        "board": start_board(first.version.ruleset) if first and first.version else None,
        "shown": shown,
        "figure": shown.figure if shown else None,
        "over_levels": strength_table(telling(findings().by_strength.get(found.pk, ()))),
        "proofs": [one for one in findings().of(PROVED) if one.game == found],
        "comparison": shown_comparison(readings, shown.level if shown else ""),
        "questions": questions,
        "waiting": waiting_of(found) if is_offered else None,
        "offers": offers_for([found]) if is_offered else [],
        "portal": portal_statements(found),
    }
    return render(request, "catalogue/game.html", context)
