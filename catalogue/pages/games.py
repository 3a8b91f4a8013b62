"""Games: the list that can be narrowed, one game, the questions that its readings answer differently, and the terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.db.models import Model, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from catalogue.analyses.study_plans import offers_for
from catalogue.analyses.study_words import Doubt, doubts_of
from catalogue.evidence.clauses import clauses_of
from catalogue.evidence.questions import (
    OpenQuestion,
    answered_and_played,
    open_questions,
    question_rows,
    questions_with_answers,
    ranked_studies,
)
from catalogue.filters.filter_sets import GameFilters
from catalogue.filters.parameters import ListParameters, groupings, refuse_unknown
from catalogue.findings import finding, kept
from catalogue.findings.over_levels import telling
from catalogue.models import Basis, Category, Clause, Evidence, Game, Period, Reading, Study, Term
from catalogue.models.lookup import found_or_nearest, not_here
from catalogue.models.querysets import (
    ReadingWithVersion,
    evidence_rows,
    game_rows,
    games_with_names,
    shown_comparison,
    with_versions,
)
from catalogue.outcomes import at_a_glance
from catalogue.outcomes.played import readings_with_batch
from catalogue.pages import answers, figures, studies
from catalogue.pages.traffic import traffic_of
from catalogue.play.game_view import Wording, start_board
from catalogue.play.in_pictures import five_pictures
from catalogue.play.players import quick_games
from catalogue.portal.statements import portal_statements
from catalogue.texts.formatting import lowered
from catalogue.texts.glossary import glossary
from catalogue.texts.leads import also_called, known_from
from catalogue.texts.words import LONGEST_COMPARED, Suggested
from catalogue.web.routes import route
from simulator.analyses.ladders import shown_better
from simulator.engine.family import FAMILY_NAMES, family
from simulator.models import RulesetVersion
from simulator.rulesets import as_engine
from simulator.strength.solutions import solution_of

OF_PORTAL: dict[str, type[Model]] = {"category": Category, "period": Period}
NARROWING = (*OF_PORTAL, "executable")


@route("games/", sitemap=True)
def game_list(request: HttpRequest) -> HttpResponse:
    parameters = ListParameters(request, GameFilters, NARROWING)
    offered = {name: list(model._default_manager.values_list("slug", "name")) for name, model in OF_PORTAL.items()}
    offered["executable"] = [("yes", "yes"), ("no", "not yet")]
    page = answers.page_of(request, parameters.among(game_rows().filter(is_reference=False)), size=60)
    known = kept.findings()
    context = {
        "page": page,
        "games": [(game, known.bars_of(game)) for game in page],
        "choices": [(name, parameters.given(name), words) for name, words in offered.items() if words],
        "narrowed": parameters.narrowed,
        "corner": Game.objects.filter(is_reference=True).count(),
    }
    return render(request, "catalogue/game_list.html", context)


@route("reference-games/", sitemap=True)
def reference_games(request: HttpRequest) -> HttpResponse:
    """Games whose rules are published and of which no record is here, family by family."""
    refuse_unknown(request, set())
    read = readings_with_batch(Reading.objects.filter(game__is_reference=True).order_by("game__name"))
    sources = dict(_published().values_list("reading", "source"))
    by_family: dict[str, list[CornerEntry]] = {}
    for one in read:
        if one.version:
            kind, document = family(one.version.ruleset.family), one.version.ruleset.document
            tables = [lowered(kind.title_of(key)) for key in kind.tables(document) if key != "board"]  # it is drawn
            entry = CornerEntry(one, sources.get(one.reading.pk, ""), tables)
            by_family.setdefault(kind.name, []).append(entry)
    families = [(family(name), by_family[name]) for name in FAMILY_NAMES if name in by_family]
    return render(request, "catalogue/reference_games.html", {"families": families, "number": len(read)})


@dataclass(frozen=True, slots=True)
class CornerEntry:
    """A game of the reference corner. tables: what the tables of its document are called, but for its board"""

    read: ReadingWithVersion
    source: str
    tables: list[str]


@route("games/<str:slug>/", example="/games/daramuti/", identifies="game/{slug}", queries=46)
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """A game: its readings, how they play, what is proved of them, and its records."""
    game = found_or_nearest(games_with_names(), "slug", slug, "game")
    readings = with_versions(game.readings.all())
    page = answers.page_of(request, evidence_rows().filter(game=game))
    is_long = page.paginator.num_pages > 1
    first = next((read for read in readings if read.version), None)
    shown = game_figure(request, game, readings) if readings else None
    studied = ranked_studies([game.pk])
    open_here = answered_and_played(questions_with_answers().filter(game=game), readings, studied)
    questions = len(open_here)
    known = kept.findings()
    proofs = [one for one in known.of(finding.PROVED) if one.game == game]
    levels = known.levels.get(game.pk, ())
    is_offered = questions and not game.studies.exists()
    context = {
        "game": game,
        "page": page,
        "groupings": groupings(game.evidence.shown(), {"game": slug}, ("place", "type", "source")) if is_long else [],
        "readings": readings,
        "first": first,
        "board": start_board(first.version.ruleset) if first and first.version else None,
        "shown": shown,
        "traffic": traffic_of(shown) if shown else None,
        "same_games": known.same.get(game.pk, ()),
        "over_levels": figures.strength_table(telling(known.by_strength.get(game.pk, ()))),
        "proofs": proofs,
        "leads": _leads(game, page),
        "level_bars": levels,
        "all_bars": [bar for level in levels for bar in level.bars if bar.outcomes],
        "by_reading": at_a_glance.by_reading(levels),
        "in_a_sentence": at_a_glance.in_a_sentence(levels),
        **(_play(first.reading, first.version, shown, proofs, levels) if first and first.version else {}),
        "open_questions": _telling(open_here, doubts_of_best(studied.get(game.pk, ()))),
        "comparison": shown_comparison(readings, shown.level if shown else "", "document"),
        "questions": questions,
        "waiting": studies.waiting_of(game) if is_offered else None,
        "offers": offers_for([game]) if is_offered else [],
        "portal": portal_statements(game),
        "source": "; ".join(_published().filter(reading__game=game).values_list("source", flat=True))
        if game.is_reference
        else "",
    }
    return render(request, "catalogue/game.html", context)


def _published() -> QuerySet[Clause]:
    """The clauses of reference games that name an account of the rules."""
    return Clause.objects.filter(reading__game__is_reference=True, basis=Basis.OTHER_SOURCE, not_played="")


def _leads(game: Game, page: Page[Evidence]) -> list[str]:
    """What its records tell of where, when and by whom, and its other names."""
    records = list(page)
    years = [year for record in records for year in (record.year_earliest, record.year_latest)]
    told = known_from(
        page.paginator.count,
        [place.name for record in records for place in record.places.all()],
        years,
        [str(citation) for record in records for citation in record.citations.all()],
    )
    names = [name.name for name in (*game.native_names, *game.aliases)]
    return [*filter(None, (told, also_called(names, game.name)))]


def _play(
    reading: Reading,
    version: RulesetVersion,
    shown: figures.ShownFigure | None,
    proofs: Sequence[finding.Finding],
    levels: Sequence[at_a_glance.LevelBars],
) -> dict[str, Any]:
    """What is said of the first reading: the game at a glance, how it is played, and whom one may play against."""
    row = version.ruleset
    ruleset = as_engine(row)
    figure = shown.figure if shown else None
    bar = next((bar for bar in figure.bars if bar.outcomes), None) if figure else None
    level = figure.level if figure else None
    proof = next((lowered(one.said) for one in proofs), "")
    facts: list[at_a_glance.Fact | None] = [at_a_glance.players_of(ruleset)]
    if bar and level:
        facts.append(at_a_glance.length_of(bar, level))
    known = figure.better if figure and row.hash in figure.better else shown_better([row.hash])
    endless = at_a_glance.endless_levels(reading.slug, levels)
    facts.append(at_a_glance.luck_of(ruleset, known[row.hash], endless))
    facts.append(at_a_glance.fairness_of(reading.slug, levels, proof))
    quick, your_side = quick_games(ruleset, solution_of(ruleset, row.hash))
    held = clauses_of([reading.slug], at_hand=[reading], with_words=False)[reading.slug]
    return {
        "facts": [fact for fact in facts if fact],
        "pictures": five_pictures(row.hash),
        "gist": Wording(ruleset, version, held).gist(),
        "one_tap": quick,
        "your_side": your_side,
        "table": reverse("play-a-game", args=[version.slug]),
    }


def doubts_of_best(studies: Sequence[Study]) -> list[Doubt]:
    """The questions that matter, by the study that the page of the game's studies shows; one query where there is one.

    studies: the best first
    """
    return doubts_of(Study.objects.values_list("document", flat=True).get(pk=studies[0].pk)) if studies else []


def _telling(questions: Sequence[OpenQuestion], doubts: Sequence[Doubt]) -> list[tuple[OpenQuestion, Doubt | None]]:
    """The open questions that matter most, as the study has them; behind them those that readings answer otherwise."""
    told = {one.slug: one for one in doubts}
    order = {slug: place for place, slug in enumerate(told)}
    every = sorted(
        (one for one in questions if not one.is_proved_idle),
        key=lambda one: (order.get(one.question.slug, len(order)), bool(one.idle), not one.is_disputed),
    )
    return [(one, told.get(one.question.slug)) for one in every[:QUESTIONS]]


QUESTIONS = 3


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
