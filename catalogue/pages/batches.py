"""Batches: the list, one batch with its progress and its figures, its rows as CSV, its plots, and its end."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import condition, require_POST

from catalogue.models import Reading
from catalogue.models.lookup import NothingHere
from catalogue.models.querysets import batch_rows, plots_without_drawings
from catalogue.pages.answers import HtmxRequest, drawing, page_of, picture, progress_answer
from catalogue.pages.figures import of_batch
from catalogue.permissions import CANCEL
from catalogue.web.files import send_rows
from catalogue.web.routes import route
from simulator.batches.rows import uncounted
from simulator.batches.service import progress_of, simulate_command, stop_batch
from simulator.batches.summary_parts import KEY, TITLES, few_kinds
from simulator.batches.versions import is_of_this_engine
from simulator.engine.family import family
from simulator.models import Batch, Plot


@route("batches/", name="batch-list", example="/batches/", sitemap=True)
def batch_list(request: HttpRequest) -> HttpResponse:
    return render(request, "catalogue/batch_list.html", {"page": page_of(request, batch_rows(), size=50)})


@route("batches/<batch_id:batch_id>/", name="batch", example="/batches/{batch}/")
def batch(request: HttpRequest, batch_id: str) -> HttpResponse:
    found = found_batch(batch_id)
    prefetch_related_objects([found], "ruleset__versions", plots_without_drawings())
    slugs = [version.slug for version in found.ruleset.versions.all()]
    context = {
        "batch": found,
        "progress": None if found.state == Batch.State.DONE else progress_of(found),  # a page of the past is kept
        "plots": (drawn := found.plots.all()),
        "is_watched": found.is_open or (found.state == Batch.State.DONE and not drawn),
        "readings": Reading.objects.filter(slug__in=slugs).select_related("game"),
        "command": simulate_command(found),
        "is_of_this_engine": is_of_this_engine(found),
        "uncounted": [measure.title for measure in uncounted(found)],
        "engine_version": family(found.ruleset.family).rules_version,
        "may_cancel": found.is_open and _may_cancel(request, found),
        "games_to_look_at": _games_to_look_at(found),
        "shown": (shown := of_batch(request, found)),
        "figure": shown.figure if shown else None,
        "few_kinds": few_kinds(found.summary, found.players),
    }
    return render(request, "catalogue/batch.html", context)


def found_batch(batch_id: str) -> Batch:
    """The batch of that id, without its tally; NothingHere says how its games can be had all the same."""
    found = Batch.objects.select_related("ruleset").defer("tally").filter(id=batch_id).first()
    if found is None:
        raise NothingHere(
            f"There is no batch “{batch_id}” here. If you have the command that was printed on its page, it plays the "
            "same games again."
        )
    return found


def _games_to_look_at(found: Batch) -> list[tuple[str, int, int | None]]:
    """(title, number of the game, its turns), each game once; the first game where the summary names none."""
    named = (found.summary or {}).get(KEY, {})
    games = [(title, named[key]["game"], named[key]["turns"]) for key, title in TITLES.items() if key in named]
    first = {number: (title, number, turns) for title, number, turns in reversed(games)}
    return [game for game in games if first[game[1]] == game] or [("The first game", 0, None)]


@route("batches/<batch_id:batch_id>/progress.json", name="batch-progress", example="/batches/{batch}/progress.json")
def batch_progress(request: HtmxRequest, batch_id: str) -> HttpResponse:
    progress = progress_of(found_batch(batch_id))
    return progress_answer(request, progress.state, progress)


def _may_cancel(request: HttpRequest, found: Batch) -> bool:
    """Editors may, and so may the visitor whose own session asked for it."""
    if found.id in request.session.get("batches", []):
        return True
    return request.user.has_perm(CANCEL)


@route(
    "batches/<batch_id:batch_id>/cancel/",
    name="cancel-batch",
    example="/batches/{batch}/cancel/",
    methods="POST",
    permission=CANCEL,
    or_own=True,
    status=405,
)
@require_POST
def cancel_batch(request: HttpRequest, batch_id: str) -> HttpResponse:
    found = found_batch(batch_id)
    if not _may_cancel(request, found):
        raise PermissionDenied("Only an editor, or the visitor who asked for it, may cancel a batch.")
    if stop_batch(found):
        messages.success(
            request, "The batch was cancelled. What its workers were playing stops within a second or two."
        )
    else:
        messages.info(request, f"Nothing was cancelled: the batch is {found.get_state_display()}.")
    return redirect("batch", batch_id=found.id)


@route("batches/<batch_id:batch_id>/rows.csv", name="batch-rows", example="/batches/{batch}/rows.csv")
def rows_csv(request: HttpRequest, batch_id: str) -> HttpResponseBase:
    """Every game of the batch, a line each. Without rows, the page says how to get them."""
    found = found_batch(batch_id)
    if found.state != Batch.State.DONE or not found.rows_kept:
        context = {"batch": found, "command": simulate_command(found)}
        status = 409 if found.rows_kept else 404
        return render(request, "catalogue/rows_missing.html", context, status=status)
    return send_rows(request, found, "csv")


def _plot_digest(request: HttpRequest, batch_id: str, kind: str) -> str | None:
    digest = Plot.objects.filter(batch_id=batch_id, kind=kind).values_list("digest", flat=True).first()
    return f'"{digest}"' if digest else None


@route("plots/<batch_id:batch_id>/<slug:kind>.svg", name="plot", example="/plots/{batch}/{plot}.svg")
@condition(etag_func=_plot_digest)
def plot(request: HttpRequest, batch_id: str, kind: str) -> HttpResponse:
    return drawing(_plot(batch_id, kind))


@route("plots/<batch_id:batch_id>/<slug:kind>.png", name="plot-picture", example="/plots/{batch}/{plot}.png")
@condition(etag_func=_plot_digest)
def plot_picture(request: HttpRequest, batch_id: str, kind: str) -> HttpResponse:
    return picture(_plot(batch_id, kind))


def _plot(batch_id: str, kind: str) -> str:
    drawn = Plot.objects.filter(batch_id=batch_id, kind=kind).only("svg").first()
    if drawn is None:
        kinds = ", ".join(Plot.objects.filter(batch_id=batch_id).values_list("kind", flat=True))
        raise NothingHere(f"There is no plot “{kind}” of this batch. It has: {kinds or 'none'}.")
    return drawn.svg
