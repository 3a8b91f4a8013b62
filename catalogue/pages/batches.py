"""Batches: the form that asks for one, the list, and one batch with its progress, figures, rows, plots and its end."""

from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPStatus

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.validators import MaxLengthValidator
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from catalogue.filters.parameters import refuse_unknown
from catalogue.models import Reading
from catalogue.models.lookup import NothingHere
from catalogue.models.querysets import batch_rows
from catalogue.outcomes.played import figure_of_batches
from catalogue.pages.answers import HtmxRequest, PlayersForm, drawing, number_field, page_of, picture, progress_answer
from catalogue.pages.figures import ShownFigure, figure_of, titled_row
from catalogue.pages.traffic import traffic_of
from catalogue.permissions import CANCEL, LARGE_BATCHES
from catalogue.play.players import OFFERED, offers
from catalogue.texts.formatting import capitalised
from catalogue.web import cancelling, plots
from catalogue.web.addresses import on_behalf, titles_for
from catalogue.web.cancelling import allow_cancelling, may_cancel
from catalogue.web.files import send_rows
from catalogue.web.problem_document import RefusedRequest
from catalogue.web.routes import route, routes_below
from simulator.analyses.protocol import KINDS
from simulator.batches import finalize, levels, prices, requests, rows, service, versions
from simulator.engine.family import family
from simulator.engine.players.names import policies_for
from simulator.engine.players.wording import in_words
from simulator.engine.ruleset import Problem, Ruleset
from simulator.models import Batch, Ladder, Plot
from simulator.problems import QueueFull, WrongRequest

GAMES = 2000
NOTHING = "there is nothing to cancel: "  # what a refusal of the API begins with
ESTIMATE = "estimate"  # the button that asks what a request would cost


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of a request. most: games of that kind that the visitor may request within an hour; None: any."""

    request: requests.BatchRequest
    most: int | None

    @property
    def time(self) -> str:
        """The time of one processor: "2.4 seconds"."""
        return prices.span(self.request.work / prices.UNITS / prices.MICROSECONDS)

    @property
    def players(self) -> str:
        return in_words(self.request.players)


class BatchForm(PlayersForm):
    """A request for games of a ruleset. bounded: whether the visitors' bounds hold for it"""

    games = number_field(GAMES, "")
    players = forms.CharField(validators=[MaxLengthValidator(200)], initial="random", widget=forms.Select)
    seed = number_field(1, "The same seed gives the same games.", min="0", max=str(requests.BOUNDS["seed"][1]))
    cap = number_field(
        int(requests.DEFAULTS["cap"]), "A game still running after so many turns is left unfinished.", min="1"
    )
    until = forms.ChoiceField(choices=Batch.Until.choices, initial=Batch.Until.GAME, label="Play until")
    traffic = forms.BooleanField(
        required=False,
        label="Count what the games leave on the board",
        help_text="How often its lines, points, squares or holes are used, by side. It takes little longer.",
    )
    field_order = ("games", "players", "seed", "cap", "until", "traffic", "other_players")

    def __init__(self, ruleset: Ruleset, sent: QueryDict | None = None, *, bounded: bool = True) -> None:
        super().__init__(sent)
        self.ruleset, self.bounded = ruleset, bounded
        if not requests.has_rounds(family(ruleset.family)):
            del self.fields["until"]
        if not family(ruleset.family).traffic(ruleset.parameters).cells:
            del self.fields["traffic"]
        names = [*(name for name in OFFERED if offers(ruleset, name)), *policies_for(ruleset)]
        typed = str(sent.get("players") or "") if sent else ""
        choices = [(name, capitalised(_players_in_words(name))) for name in dict.fromkeys([*names, typed or "random"])]
        self.fields["players"].widget.choices = choices
        self.fields["players"].help_text = levels.untuned(ruleset)
        most = self.estimate.most or requests.BOUNDS["games"][1]
        self.fields["games"].widget.attrs |= {"min": "1", "max": str(most)}
        self.fields["games"].help_text = f"From 1 to {most:,}."

    @cached_property
    def checked(self) -> requests.BatchRequest | None:
        """The request, checked; None where nothing was sent, or where it is refused and the form says why."""
        if not self.is_bound or not self.is_valid():
            return None
        try:
            return requests.check_request(self.ruleset, **self.wanted)
        except WrongRequest as error:
            self.refuse(WrongRequest(map(self._within_own_bounds, error.problems)))
            return None

    def _within_own_bounds(self, problem: Problem) -> Problem:
        """Name the visitors' bound to a visitor, and not that of the site."""
        most = self._usual.most
        if problem.key != "games" or not most:
            return problem
        nearest = None if problem.nearest is None else min(int(problem.nearest), most)
        return replace(problem, message=f"must be a whole number from 1 to {most:,}", nearest=nearest)

    @cached_property
    def _usual(self) -> Estimate:
        return self._estimated(requests.check_request(self.ruleset, games=GAMES))

    @cached_property
    def estimate(self) -> Estimate:
        """The estimate for what is requested, or for the usual request where it could not be met."""
        return self._estimated(self.checked) if self.checked else self._usual

    def _estimated(self, request: requests.BatchRequest) -> Estimate:
        most = settings.VISITOR_WORK_PER_HOUR * request.games // request.work
        return Estimate(request, most if self.bounded else None)


def batch_form(request: HttpRequest, ruleset: Ruleset, sent: QueryDict | None = None) -> BatchForm:
    return BatchForm(ruleset, sent, bounded=not request.user.has_perm(LARGE_BATCHES))


def estimate_answer(request: HttpRequest, form: BatchForm) -> HttpResponse:
    """Answer with the cost of the form's request, as a part of its page."""
    return render(request, "partials/estimate.html", {"form": form, "alone": True})


def request_by_form(request: HttpRequest, form: BatchForm) -> Batch | None:
    """Request the batch of a form; return None if it is refused, and the form says why."""
    if form.checked is None:
        return None
    try:
        return requested_batch(request, form.checked)
    except (WrongRequest, QueueFull) as error:
        form.refuse(error)
        return None


def requested_batch(request: HttpRequest, checked: requests.BatchRequest) -> Batch:
    """Request a batch, which the visitor may then cancel if it is new. Raises WrongRequest, QueueFull."""
    begun = timezone.now()
    batch = service.request_checked(checked, **on_behalf(request))
    if batch.created >= begun:
        allow_cancelling(request, [batch.id])
    return batch


def _players_in_words(name: str) -> str:
    return levels.in_words(name) if name in levels.SEARCHES else in_words(name)


@route("batches/", sitemap=True)
def batch_list(request: HttpRequest) -> HttpResponse:
    return render(request, "catalogue/batch_list.html", {"page": page_of(request, batch_rows(), size=50)})


batch_route = routes_below("batches/<batch_id:batch_id>/", "/batches/{batch}/")


@batch_route()
def batch(request: HttpRequest, batch_id: str) -> HttpResponse:
    batch = get_batch(batch_id)
    prefetch_related_objects([batch], "ruleset__versions", "plots")
    slugs = [version.slug for version in batch.ruleset.versions.all()]
    shown = batch_figure(request, batch)
    context = {
        "batch": batch,
        "progress": None
        if batch.state == Batch.State.DONE
        else service.progress_of(batch),  # a page of the past is kept
        "plots": (drawn := batch.plots.all()),
        "is_watched": batch.is_open or (batch.state == Batch.State.DONE and not drawn),
        "readings": Reading.objects.filter(slug__in=slugs).select_related("game"),
        "command": service.simulate_command(batch),
        "is_of_this_engine": versions.is_of_this_engine(batch),
        "uncounted": [measure.title for measure in rows.uncounted(batch)],
        "engine_version": family(batch.ruleset.family).rules_version,
        "may_cancel": batch.is_open and may_cancel(request, batch),
        "games_to_look_at": _games_to_look_at(batch),
        "shown": shown,
        "traffic": traffic_of(shown) if shown and batch.counts_traffic else None,
        "few_kinds": finalize.few_kinds(batch.summary, batch.players),
    }
    return render(request, "catalogue/batch.html", context)


def get_batch(batch_id: str) -> Batch:
    """The batch of that id, without its tally; NothingHere says how its games can be had all the same."""
    batch = Batch.objects.select_related("ruleset").defer("tally").filter(id=batch_id).first()
    if batch is None:
        raise NothingHere(
            f"There is no batch “{batch_id}” here. If you have the command that was printed on its page, it plays the "
            "same games again."
        )
    return batch


def batch_figure(request: HttpRequest, batch: Batch) -> ShownFigure | None:
    """The figure of one batch; None before its games are played."""
    title = titles_for(request).of(batch.ruleset)
    page = reverse("batch", args=[batch.id])
    figure = figure_of_batches([titled_row(title, batch.ruleset, 0, page)], [batch])
    return ShownFigure(figure, "batches", batch.id, str(title), page, request.path) if figure.played else None


@figure_of("batches")
def named_figure(request: HttpRequest, batch_id: str) -> ShownFigure | None:
    refuse_unknown(request, ())
    return batch_figure(request, get_batch(batch_id))


def _games_to_look_at(batch: Batch) -> list[tuple[str, int, int | None]]:
    """(title, number of the game, its turns), each game once; the first game where the summary names none."""
    named = (batch.summary or {}).get(finalize.KEY, {})
    games = [(title, named[key]["game"], named[key]["turns"]) for key, title in finalize.TITLES.items() if key in named]
    first = {number: (title, number, turns) for title, number, turns in reversed(games)}
    return [game for game in games if first[game[1]] == game] or [("The first game", 0, None)]


@batch_route("progress.json")
def batch_progress(request: HtmxRequest, batch_id: str) -> HttpResponse:
    progress = service.progress_of(get_batch(batch_id))
    return progress_answer(request, progress.state, progress)


@batch_route("cancel/", methods="POST", permission=CANCEL, or_own=True, status=405)
@require_POST
def cancel_batch(request: HttpRequest, batch_id: str) -> HttpResponse:
    batch = get_batch(batch_id)
    try:
        cancelling.cancel_batch(request, batch)
    except RefusedRequest as error:
        if error.status_code == HTTPStatus.FORBIDDEN:
            raise PermissionDenied(str(error)) from error
        messages.info(request, f"Nothing was cancelled: {str(error).removeprefix(NOTHING)}.")
    else:
        words = "The batch was cancelled. What its workers were playing stops within a second or two."
        messages.success(request, words)
    return redirect("batch", batch_id=batch.id)


@route("analyses/<slug:plural>/<batch_id:key>/cancel/", example="/analyses/comparisons/{comparison}/cancel/",
       methods="POST", permission=CANCEL, or_own=True, status=405)  # fmt: skip
@require_POST
def cancel_analysis(request: HttpRequest, plural: str, key: str) -> HttpResponse:
    """An analysis of any kind that waits, with those of its games that nothing and nobody else waits for."""
    kind = KINDS.get(plural)
    row = kind.find(key) if kind else None
    if kind is None or row is None:
        raise NothingHere(f"There is nothing of that name “{plural[:20]}/{key}”.")
    try:
        cancelling.cancel_analysis(request, kind, row)
    except RefusedRequest as error:
        if error.status_code == HTTPStatus.FORBIDDEN:
            raise PermissionDenied(str(error)) from error
        messages.info(request, f"Nothing was cancelled: {str(error).removeprefix(NOTHING)}.")
    else:
        messages.success(request, f"The {kind.name} was cancelled. Asked for again, it goes on from where it is.")
    return redirect("ruleset", row.ruleset_id) if isinstance(row, Ladder) else redirect(row)


@batch_route("rows.csv", name="batch-rows")
def rows_csv(request: HttpRequest, batch_id: str) -> HttpResponseBase:
    """Every game of the batch, a line each. Without rows, the page says how to get them."""
    batch = get_batch(batch_id)
    if batch.state != Batch.State.DONE or not batch.rows_kept:
        context = {"batch": batch, "command": service.simulate_command(batch)}
        status = 409 if batch.rows_kept else 404
        return render(request, "catalogue/rows_missing.html", context, status=status)
    return send_rows(request, batch, "csv")


@route("plots/<batch_id:batch_id>/<slug:kind>.svg", example="/plots/{batch}/{plot}.svg")
def plot(request: HttpRequest, batch_id: str, kind: str) -> HttpResponse:
    return drawing(plots.dressed(_plot(batch_id, kind)))


@route("plots/<batch_id:batch_id>/<slug:kind>.png", example="/plots/{batch}/{plot}.png")
def plot_picture(request: HttpRequest, batch_id: str, kind: str) -> HttpResponse:
    return picture(plots.dressed(_plot(batch_id, kind)))


def _plot(batch_id: str, kind: str) -> str:
    drawn = Plot.objects.filter(batch_id=batch_id, kind=kind).only("svg").first()
    if drawn is None:
        kinds = ", ".join(Plot.objects.filter(batch_id=batch_id).values_list("kind", flat=True))
        raise NothingHere(f"There is no plot “{kind}” of this batch. It has: {kinds or 'none'}.")
    return drawn.svg
