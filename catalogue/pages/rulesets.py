"""Rulesets: the list, and one ruleset with its rules in words, its ladder, and the form that requests a batch of it.

An address names a ruleset by a name or by the hash of its content. Content knows no parent, since the same rules can be
arrived at in many ways. So the ruleset that it was made from is part of the address, and is shown only where it can be
true.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from catalogue.evidence.clauses import clauses_of, rules_with_clauses
from catalogue.filters.parameters import refuse_unknown
from catalogue.models import Reading
from catalogue.models.lookup import NothingHere
from catalogue.models.querysets import RulesetTitle, RulesetTitles, reading_of
from catalogue.outcomes.played import readings_with_batch
from catalogue.pages import answers, batches, figures
from catalogue.pages.traffic import traffic_of
from catalogue.play.game_view import start_board
from catalogue.play.solutions import solution_page
from catalogue.texts.sureness import PROVED, Sureness, sureness
from catalogue.texts.words import Suggested
from catalogue.web.addresses import titles_for
from catalogue.web.routes import route, routes_below
from catalogue.what_if.changes import query
from catalogue.what_if.context import ChangedRule, changed_rules, reading_context
from simulator import rulesets
from simulator.analyses import ladder_matches, ladders, protocol
from simulator.batches.finalize import FEW
from simulator.engine import family as families
from simulator.engine.documents import write_value
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import Ladder, Ruleset, RulesetVersion
from simulator.problems import QueueFull, WrongRequest


@dataclass(frozen=True)
class NamedRuleset:
    """A ruleset under the name that an address gives it.

    version: the version of that name, else the first of its content, if it has a name at all"""

    name: str
    ruleset: EngineRuleset
    row: Ruleset
    version: RulesetVersion | None

    @property
    def family(self) -> families.Family:
        return families.family(self.ruleset.family)

    @property
    def slug(self) -> str | None:
        return self.version.slug if self.version else None

    @property
    def lasting_name(self) -> str:
        """The name that never changes its meaning."""
        return str(self.version or self.ruleset.hash)

    @property
    def reading(self) -> Reading | None:
        return reading_of(self.version) if self.version else None

    @property
    def title(self) -> RulesetTitle:
        return self.title_of(self.reading)

    def title_of(self, reading: Reading | None) -> RulesetTitle:
        """The title for pages: that of its reading, else that of the nearest reading and what differs."""
        return RulesetTitle(reading.title) if reading else RulesetTitles().of(self.row)


def named_ruleset(name: str) -> NamedRuleset:
    """The ruleset of a slug, slug@number, hash or its beginning; NothingHere, with the nearest, if there is none."""
    try:
        row = rulesets.row_called(name)
        engine = rulesets.as_engine(row) if row else rulesets.find(name)
    except WrongRequest as error:
        near = next((str(problem.nearest) for problem in error.problems if problem.nearest), None)
        raise NothingHere(str(error), [Suggested(near, reverse("ruleset", args=[near]))] if near else []) from error
    row = row or Ruleset.objects.filter(hash=engine.hash).first()
    if row is None:
        raise NothingHere(f"The ruleset “{name}” has not been loaded into this catalogue.")
    prefetch_related_objects([row], "versions")
    versions = list(row.versions.all())
    meant = next(
        (version for version in versions if name in (version.slug, str(version))), versions[0] if versions else None
    )
    return NamedRuleset(name, engine, row, meant)


COMPARED = {"games": 2000, "seed": 1}


@dataclass(frozen=True, slots=True)
class Lineage:
    """The ruleset that another was made from, and what differs. name: the lasting name of the parent"""

    name: str
    title: str
    rules: list[ChangedRule]
    change_address: str
    comparison: str


def lineage(child: EngineRuleset, parent: NamedRuleset) -> Lineage | str:
    """Compare a ruleset with the parent that its address names; return what differs, or why it cannot be the parent."""
    name = parent.lasting_name
    if parent.ruleset.family != child.family:
        return f"The address says that this was made from {name}, but that is a game of another family."
    if parent.ruleset.hash == child.hash:
        return f"The address says that this was made from {name}, but that is this ruleset itself."
    around = reading_context(parent.slug, parent.ruleset)
    rules = changed_rules(around, parent.family, parent.ruleset.parameters, child.parameters)
    typed = {rule.change.key: write_value(child.parameters[rule.change.key]) for rule in rules}
    title, comparison = str(parent.title_of(around.reading)), comparison_address(name, child.hash)
    return Lineage(name, title, rules, change_address(name, typed), comparison)


def change_address(name: str, typed: dict[str, str]) -> str:
    """The only address of this change of a ruleset."""
    address, parameters = reverse("change-ruleset", args=[name]), query(typed)
    return f"{address}?{parameters}" if parameters else address


def comparison_address(parent: str, digest: str, parameters: Mapping[str, Any] = COMPARED) -> str:
    """The address that compares a what-if with the ruleset it was made from. parameters: of the games"""
    rulesets = ("rulesets", parent), ("rulesets", digest)
    return f"{reverse('compare')}?{urlencode([*rulesets, *parameters.items()])}"


@dataclass(frozen=True, slots=True)
class LadderSection:
    """The ladder of a ruleset.

    shown: the computed ladder, if there is one; else what is waited for, and what may be requested
    refused: why a request was refused; cancel: the address that cancels what is waited for, if this reader may
    """

    shown: ladders.LadderView
    waiting: Ladder | None = None
    progress: protocol.AnalysisProgress | None = None
    offer: ladders.LadderOffer | None = None
    refused: str = ""
    cancel: str = ""

    @property
    def sure(self) -> Sureness:
        """By the match of fewest games, or of fewest that differ."""
        document = self.shown.ladder.document if self.shown.ladder else None
        matches = document["matches"] if document else []
        kinds = (match["games"] if match.get("kinds") is None else match["kinds"] for match in matches)
        fewest = min((match["games"] for match in matches), default=0)
        return sureness(fewest, are_alike=min(kinds, default=0) < FEW)

    @property
    def is_waited_for(self) -> bool:
        return self.progress is not None and self.progress.state == Ladder.State.WAITING


def ladder_section(request: HttpRequest, named: NamedRuleset, refused: str = "") -> LadderSection:
    shown = ladders.shown_ladder(named.ruleset, named.lasting_name)
    if shown.ladder is not None and not shown.withheld:
        return LadderSection(shown)
    waiting = ladders.unfinished_ladder(named.ruleset.hash)
    progress = ladders.LADDERS.progress(waiting) if waiting else None
    cancel = answers.cancel_address(request, ladders.LADDERS, waiting)
    return LadderSection(shown, waiting, progress, ladders.offer_for(named.ruleset), refused, cancel)


def request_ladder(request: HttpRequest, named: NamedRuleset) -> None:
    """Request the ladder of a form. Raises WrongRequest, QueueFull."""
    rungs = ladder_matches.doubling(most=request.POST.get("most", ladder_matches.DEFAULT_MOST))
    checked = ladder_matches.check_ladder(
        named.lasting_name, rungs, games=request.POST.get("games", ladders.OFFERED_GAMES), ruleset=named.ruleset
    )
    answers.requested(request, ladders.LADDERS, checked)


@route("ladders/<batch_id:ladder_id>/progress.json", example="/ladders/{ladder}/progress.json")
def ladder_progress(request: answers.HtmxRequest, ladder_id: str) -> HttpResponse:
    """The progress of a ladder: `waiting` until it is settled, when its page is reloaded."""
    return answers.job_progress(request, ladders.LADDERS, ladder_id)


BATCHES_SHOWN = 20


@route("rulesets/", sitemap=True)
def ruleset_list(request: HttpRequest) -> HttpResponse:
    recorded = Reading.objects.filter(game__is_reference=False)
    page = answers.page_of(request, recorded.order_by("game__name", "position", "slug"), size=60)
    readings = readings_with_batch(
        Reading.objects.filter(pk__in=[reading.pk for reading in page]).order_by("game__name", "position")
    )
    return render(request, "catalogue/ruleset_list.html", {"page": page, "readings": readings})


ruleset_route = routes_below("rulesets/<str:name>/", "/rulesets/daramuti-parker/")


@ruleset_route(identifies="reading/{name}", queries=23)
def ruleset(request: HttpRequest, name: str) -> HttpResponse:
    named = named_ruleset(name)
    return _ruleset_page(request, named, batches.batch_form(request, named.ruleset))


@ruleset_route("play/", methods="GET POST", status=302)
def play_batch(request: answers.HtmxRequest, name: str) -> HttpResponse:
    """Request a batch; if it is refused, the page of the ruleset comes back and says why.

    With `estimate` nothing is requested: the page says what it would cost, or to htmx only the cost.
    """
    if request.method != "POST":
        return redirect("ruleset", name=name)
    named = named_ruleset(name)
    form = batches.batch_form(request, named.ruleset, request.POST)
    if batches.ESTIMATE in request.POST:
        return batches.estimate_answer(request, form) if request.htmx else _ruleset_page(request, named, form)
    batch = batches.request_by_form(request, form)
    return redirect("batch", batch_id=batch.id) if batch else _ruleset_page(request, named, form)


@ruleset_route("ladder/", methods="GET POST", status=302)
def climb_ladder(request: HttpRequest, name: str) -> HttpResponse:
    """Request a ladder; the page of the ruleset shows its progress, or why it is refused."""
    if request.method != "POST":
        return redirect("ruleset", name=name)
    named = named_ruleset(name)
    try:
        request_ladder(request, named)
    except WrongRequest as error:
        return _ruleset_page(
            request, named, batches.batch_form(request, named.ruleset), str(error), HTTPStatus.BAD_REQUEST
        )
    except QueueFull as error:
        full = HTTPStatus.TOO_MANY_REQUESTS
        response = _ruleset_page(request, named, batches.batch_form(request, named.ruleset), str(error), full)
        response["Retry-After"] = str(error.retry_after)
        return response
    return redirect(f"{reverse('ruleset', args=[name])}#ladder")


def ruleset_figure(request: HttpRequest, named: NamedRuleset) -> figures.ShownFigure:
    title = titles_for(request).of(named.row, named.slug or "")
    page = reverse("ruleset", args=[named.name])
    figure = figures.figure_for(request, [figures.titled_row(title, named.row, 0, page)])
    return figures.ShownFigure(figure, "rulesets", named.name, str(title), page, request.path)


@figures.figure_of("rulesets")
def named_figure(request: HttpRequest, name: str) -> figures.ShownFigure:
    refuse_unknown(request, (figures.LEVEL,))
    return ruleset_figure(request, named_ruleset(name))


@ruleset_route("board.svg")
def ruleset_board(request: HttpRequest, name: str) -> HttpResponse:
    """The board of a ruleset before the first move, as a drawing of its own."""
    return answers.drawing(start_board(named_ruleset(name).ruleset).document)


@ruleset_route("board.png")
def ruleset_board_picture(request: HttpRequest, name: str) -> HttpResponse:
    return answers.picture(start_board(named_ruleset(name).ruleset).document)


def _lineage(request: HttpRequest, child: EngineRuleset) -> Lineage | str:
    """The lineage that `?parent=` names, or why it names none; empty if the address names no parent."""
    name = request.GET.get("parent")
    if not name:
        return ""
    try:
        return lineage(child, named_ruleset(name))
    except NothingHere as error:
        return f"The address names a parent that is not here. {error}"


def _ruleset_page(
    request: HttpRequest,
    named: NamedRuleset,
    form: batches.BatchForm,
    refused: str = "",
    status: HTTPStatus | None = None,
) -> HttpResponse:
    """The page of a ruleset. refused: why the request for a ladder was refused"""
    ruleset, kind, slug, reading = named.ruleset, named.family, named.slug, named.reading
    clauses = clauses_of([reading.slug], at_hand=[reading])[reading.slug] if reading else []
    shown = ruleset_figure(request, named)
    rules, clauses_of_none = rules_with_clauses(kind.words(ruleset), clauses)
    context = {
        "name": named.name,
        "title": named.title,
        "ruleset": named.row,
        "version": named.version,
        "other_names": [version for version in named.row.versions.all() if version.slug != slug],
        "reading": reading,
        "rules": rules,
        "own_clauses": [held.clause for held in clauses if not held.inherited],
        "clauses_of_none": [held for held in clauses_of_none if not held.clause.not_played],
        "unplayed": [held for held in clauses_of_none if held.clause.not_played],
        "made_from": _lineage(request, ruleset),
        "all_versions": RulesetVersion.objects.filter(slug=slug).select_related("parent").order_by("-number"),
        "family": kind,
        "seats": [kind.naming(ruleset.parameters).seat(seat) for seat in range(kind.seats(ruleset.parameters))],
        "left_out": kind.left_out(ruleset),
        "board": start_board(ruleset),
        "shown": shown,
        "traffic": traffic_of(shown),
        "solution": solution_page(ruleset, named.lasting_name),
        "ladder": ladder_section(request, named, refused),
        "proved": PROVED,
        "batches": named.row.batches.defer("tally", "summary")[:BATCHES_SHOWN],
    }
    return answers.form_page(request, "catalogue/ruleset.html", form, context, status)
