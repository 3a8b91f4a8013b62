"""Games: the list that can be narrowed, one game, the questions that its readings answer differently, and the terms."""

from collections.abc import Sequence

from django.db.models import Model
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.analyses.study_plans import offers_for
from catalogue.evidence.questions import open_questions, question_rows
from catalogue.filters.filter_sets import GameFilters
from catalogue.filters.parameters import ListParameters, groupings, refuse_unknown
from catalogue.findings import finding, kept
from catalogue.findings.over_levels import telling
from catalogue.models import Category, Game, Period, Term
from catalogue.models.lookup import found_or_nearest, not_here
from catalogue.models.querysets import ReadingWithVersion, evidence_rows, game_rows, shown_comparison, with_versions
from catalogue.pages import answers, figures, studies
from catalogue.play.game_view import game_cards, start_board
from catalogue.portal.statements import portal_statements
from catalogue.texts.glossary import glossary
from catalogue.texts.words import LONGEST_COMPARED, Suggested
from catalogue.web.routes import route

OF_PORTAL: dict[str, type[Model]] = {"category": Category, "period": Period}
NARROWING = (*OF_PORTAL, "executable")


@route("games/", sitemap=True)
def game_list(request: HttpRequest) -> HttpResponse:
    parameters = ListParameters(request, GameFilters, NARROWING)
    offered = {name: list(model._default_manager.values_list("slug", "name")) for name, model in OF_PORTAL.items()}
    offered["executable"] = [("yes", "with rulesets"), ("no", "not yet executable")]
    page = answers.page_of(request, parameters.among(game_rows()), size=60)
    context = {
        "page": page,
        "cards": game_cards(page),
        "choices": [(name, parameters.given(name), words) for name, words in offered.items() if words],
        "narrowed": parameters.narrowed,
    }
    return render(request, "catalogue/game_list.html", context)


@route("games/<str:slug>/", example="/games/daramuti/", identifies="game/{slug}", queries=28)
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """A game: its readings, how they play, what is proved of them, and its records."""
    game = found_or_nearest(game_rows(), "slug", slug, "game")
    readings = with_versions(game.readings.all())
    page = answers.page_of(request, evidence_rows().filter(game=game))
    is_long = page.paginator.num_pages > 1
    first = next((read for read in readings if read.version), None)
    shown = game_figure(request, game, readings) if readings else None
    questions = game.questions.count()
    known = kept.findings()
    is_offered = questions and not game.studies.exists()
    context = {
        "game": game,
        "page": page,
        "groupings": groupings(game.evidence.shown(), {"game": slug}, ("place", "type", "source")) if is_long else [],
        "readings": readings,
        "first": first,
        "board": start_board(first.version.ruleset) if first and first.version else None,
        "shown": shown,
        "same_games": known.same.get(game.pk, ()),
        "over_levels": figures.strength_table(telling(known.by_strength.get(game.pk, ()))),
        "proofs": [one for one in known.of(finding.PROVED) if one.game == game],
        "comparison": shown_comparison(readings, shown.level if shown else ""),
        "questions": questions,
        "waiting": studies.waiting_of(game) if is_offered else None,
        "offers": offers_for([game]) if is_offered else [],
        "portal": portal_statements(game),
    }
    return render(request, "catalogue/game.html", context)


def game_figure(request: HttpRequest, game: Game, readings: Sequence[ReadingWithVersion]) -> figures.ShownFigure:
    """All readings of a game side by side."""
    rows = [figures.reading_row(read, place) for place, read in enumerate(readings)]
    figure = figures.figure_for(request, rows)
    page = game.get_absolute_url()
    return figures.ShownFigure(figure, "games", game.slug, game.name, page, request.path, numbers="rulesets")


@figures.figure_of("games")
def named_figure(request: HttpRequest, slug: str) -> figures.ShownFigure:
    refuse_unknown(request, (figures.LEVEL,))
    named = found_or_nearest(Game.objects.all(), "slug", slug, "game")
    return game_figure(request, named, with_versions(named.readings.all()))


@route("questions/", sitemap=True)
def question_list(request: HttpRequest) -> HttpResponse:
    """All questions, or with ?game=SLUG those of one game."""
    rows, game = question_rows(), None
    if slug := request.GET.get("game"):
        game = found_or_nearest(Game.objects.all(), "slug", slug, "game")
        rows = rows.filter(game=game)
    page = answers.page_of(request, rows, size=40)
    context = {
        "page": page,
        "open_questions": open_questions(page),
        "game": game,
        "games": Game.objects.filter(questions__isnull=False).distinct(),
    }
    return render(request, "catalogue/question_list.html", context)


@route(
    "questions/<str:game>/<str:slug>/",
    example="/questions/daramuti/last-counter-in-an-empty-hole/",
    identifies="question/{game}/{slug}",
)
def question(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    of_game = found_or_nearest(Game.objects.all(), "slug", game, "game")
    question = question_rows().filter(game=of_game, slug=slug).first()
    if question is None:
        known = {one.slug: one for one in of_game.questions.select_related("game")}
        message = f"There is no question “{slug[:LONGEST_COMPARED]}” about {of_game.name}."
        raise not_here(message, slug, known, lambda near: Suggested(known[near].title, known[near].get_absolute_url()))
    return render(
        request, "catalogue/question.html", {"question": question, "open_question": open_questions([question])[0]}
    )


@route("terms/", sitemap=True)
def term_list(request: HttpRequest) -> HttpResponse:
    rows = (
        Term.objects.filter(evidence__withdrawn_on=None)
        .select_related("evidence__game")
        .defer("evidence__quotation", "evidence__paraphrase")
        .order_by(Lower("word"), "evidence__identifier", "slug")
    )
    return render(
        request, "catalogue/term_list.html", {"page": answers.page_of(request, rows, size=100), "glossary": glossary()}
    )
