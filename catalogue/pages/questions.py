"""The register of disagreement: every point of doubt, who answers it how, and how much it matters."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.evidence.open_questions import open_questions, question_rows
from catalogue.models import Game
from catalogue.models.lookup import found_or_nearest, not_here
from catalogue.pages.paging import page_of
from catalogue.texts.errors import LONGEST_COMPARED, Suggested
from catalogue.web.routes import route


@route("questions/", name="question-list", example="/questions/", sitemap=True)
def question_list(request: HttpRequest) -> HttpResponse:
    """All questions, or with ?game=SLUG those of one game."""
    rows, game = question_rows(), None
    if slug := request.GET.get("game"):
        game = found_or_nearest(Game.objects.all(), "slug", slug, "game")
        rows = rows.filter(game=game)
    page = page_of(request, rows, size=40)
    context = {
        "page": page,
        "open_questions": open_questions(page),
        "game": game,
        "games": Game.objects.filter(questions__isnull=False).distinct(),
    }
    return render(request, "catalogue/question_list.html", context)


@route(
    "questions/<str:game>/<str:slug>/",
    name="question",
    identifies="question/{game}/{slug}",
    example="/questions/daramuti/last-counter-in-an-empty-hole/",
)
def question(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    of_game = found_or_nearest(Game.objects.all(), "slug", game, "game")
    found = question_rows().filter(game=of_game, slug=slug).first()
    if found is None:
        known = {one.slug: one for one in of_game.questions.select_related("game")}
        message = f"There is no question “{slug[:LONGEST_COMPARED]}” about {of_game.name}."
        raise not_here(message, slug, known, lambda near: Suggested(known[near].title, known[near].get_absolute_url()))
    return render(request, "catalogue/question.html", {"question": found, "open_question": open_questions([found])[0]})
