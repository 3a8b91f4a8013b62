"""Rulesets: the list, one ruleset with its rules in words, and the form that has a batch of it played."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from catalogue.evidence.clauses import clauses_of, rules_with_clauses
from catalogue.models import Reading
from catalogue.models.lookup import NothingHere
from catalogue.models.querysets import batch_rows
from catalogue.outcomes.played import readings_with_batch
from catalogue.pages.answers import HtmxRequest, drawing, page_of, picture
from catalogue.pages.batches import ESTIMATE, BatchForm, batch_form, estimate_answer, request_by_form
from catalogue.pages.figures import of_ruleset
from catalogue.pages.forms import form_page
from catalogue.pages.ladders import ask_for_ladder, ladder_section
from catalogue.pages.named_rulesets import Lineage, NamedRuleset, lineage, named_ruleset
from catalogue.play.solutions import solution_page
from catalogue.play.start_boards import start_board
from catalogue.web.routes import route
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import RulesetVersion
from simulator.problems import QueueFull, WrongRequest

BATCHES_SHOWN = 20


@route("rulesets/", name="ruleset-list", example="/rulesets/", sitemap=True)
def ruleset_list(request: HttpRequest) -> HttpResponse:
    page = page_of(request, Reading.objects.order_by("game__name", "position", "slug"), size=60)
    readings = readings_with_batch(
        Reading.objects.filter(pk__in=[reading.pk for reading in page]).order_by("game__name", "position")
    )
    return render(request, "catalogue/ruleset_list.html", {"page": page, "readings": readings})


@route(
    "rulesets/<str:name>/",
    name="ruleset",
    identifies="reading/{name}",
    example="/rulesets/daramuti-parker/",
    queries=25,
)
def ruleset(request: HttpRequest, name: str) -> HttpResponse:
    named = named_ruleset(name)
    return _ruleset_page(request, named, batch_form(request, named.ruleset))


@route(
    "rulesets/<str:name>/play/",
    name="play-batch",
    example="/rulesets/daramuti-parker/play/",
    methods="GET POST",
    status=302,
)
def play_batch(request: HtmxRequest, name: str) -> HttpResponse:
    """Ask for a batch; the page of the ruleset comes back, with what was wrong, if it is refused.

    With `estimate` nothing is asked for: the page says what it would cost, and to htmx that alone.
    """
    if request.method != "POST":
        return redirect("ruleset", name=name)
    named = named_ruleset(name)
    form = batch_form(request, named.ruleset, request.POST)
    if ESTIMATE in request.POST:
        return estimate_answer(request, form) if request.htmx else _ruleset_page(request, named, form)
    batch = request_by_form(request, form)
    return redirect("batch", batch_id=batch.id) if batch else _ruleset_page(request, named, form)


@route(
    "rulesets/<str:name>/ladder/",
    name="climb-ladder",
    example="/rulesets/daramuti-parker/ladder/",
    methods="GET POST",
    status=302,
)
def climb_ladder(request: HttpRequest, name: str) -> HttpResponse:
    """Ask for a ladder; the page of the ruleset shows how far it is, or why it is refused."""
    if request.method != "POST":
        return redirect("ruleset", name=name)
    named = named_ruleset(name)
    try:
        ask_for_ladder(request, named)
    except WrongRequest as error:
        return _ruleset_page(request, named, batch_form(request, named.ruleset), str(error), HTTPStatus.BAD_REQUEST)
    except QueueFull as error:
        full = HTTPStatus.TOO_MANY_REQUESTS
        response = _ruleset_page(request, named, batch_form(request, named.ruleset), str(error), full)
        response["Retry-After"] = str(error.retry_after)
        return response
    return redirect(f"{reverse('ruleset', args=[name])}#ladder")


@route("rulesets/<str:name>/board.svg", name="ruleset-board", example="/rulesets/daramuti-parker/board.svg")
def board(request: HttpRequest, name: str) -> HttpResponse:
    """The board of a ruleset before the first move, as a drawing of its own."""
    return drawing(start_board(named_ruleset(name).ruleset).document)


@route("rulesets/<str:name>/board.png", name="ruleset-board-picture", example="/rulesets/daramuti-parker/board.png")
def board_picture(request: HttpRequest, name: str) -> HttpResponse:
    return picture(start_board(named_ruleset(name).ruleset).document)


def _made_from(request: HttpRequest, child: EngineRuleset) -> Lineage | str:
    """What `?parent=` says of a ruleset, or why it says nothing; empty if the address names no parent."""
    name = request.GET.get("parent")
    if not name:
        return ""
    try:
        return lineage(child, named_ruleset(name))
    except NothingHere as error:
        return f"The address names a parent that is not here. {error}"


def _ruleset_page(
    request: HttpRequest, named: NamedRuleset, form: BatchForm, refused: str = "", status: HTTPStatus | None = None
) -> HttpResponse:
    """refused: why a ladder cannot be had as it was asked for"""
    ruleset, kind, slug = named.ruleset, named.family, named.slug
    reading = Reading.objects.select_related("game", "rests_on").prefetch_related("evidence").filter(slug=slug).first()
    clauses = clauses_of([reading.slug])[reading.slug] if reading else []
    rules, clauses_of_none = rules_with_clauses(kind.words(ruleset), clauses)
    context = {
        "name": named.name,
        "title": named.title_of(reading),
        "ruleset": named.row,
        "version": named.version,
        "other_names": [one for one in named.row.versions.all() if one.slug != slug],
        "reading": reading,
        "rules": rules,
        "clauses_of_none": clauses_of_none,
        "made_from": _made_from(request, ruleset),
        "all_versions": RulesetVersion.objects.filter(slug=slug).select_related("parent").order_by("-number"),
        "family": kind,
        "seats": [kind.naming(ruleset.parameters).seat(seat) for seat in range(kind.seats(ruleset.parameters))],
        "left_out": kind.left_out(ruleset),
        "board": start_board(ruleset),
        "shown": (shown := of_ruleset(request, named)),
        "figure": shown.figure,
        "solution": solution_page(ruleset, named.lasting_name),
        "ladder": ladder_section(named, refused),
        "batches": batch_rows().filter(ruleset=named.row)[:BATCHES_SHOWN],
    }
    return form_page(request, "catalogue/ruleset.html", form, context, status)
