"""The figure of how games end to take away: as a table, a drawing, a picture, and for a frame on another site."""

import csv
import io
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import register_converter
from django.urls.converters import StringConverter
from django.views.decorators.clickjacking import xframe_options_exempt

from catalogue.filters.parameters import refuse_unknown
from catalogue.models import Game
from catalogue.models.lookup import NothingHere, found_or_nearest, record_called
from catalogue.models.querysets import evidence_rows, with_versions
from catalogue.outcomes.drawing import outcome_drawing
from catalogue.pages import figures
from catalogue.pages.answers import drawing, picture
from catalogue.pages.batches import found_batch
from catalogue.pages.comparisons import found_comparison
from catalogue.pages.evidence import outcomes_context, questions_of, readings_of
from catalogue.pages.figures import LEVEL, ShownFigure
from catalogue.pages.named_rulesets import named_ruleset
from catalogue.web.routes import route

SUBJECTS = ("evidence", "games", "rulesets", "batches", "comparisons")  # the first words of their addresses


class Subject(StringConverter):
    regex = "|".join(SUBJECTS)


register_converter(Subject, "subject")

COLUMNS = (
    "reading",
    "changed",
    "level",
    "outcome",
    "share",
    "in_words",
    "games",
    "seed",
    "cap",
    "batch",
    "players",
    "consent",
)


@route(
    "<subject:subject>/<str:name>/outcomes.csv",
    name="outcomes-table",
    identifies="{subject}/{name}",
    example="/evidence/DLP.Evidence.692/outcomes.csv",
    queries=14,
)
def table(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    """The figure as CSV, a line for each bar and outcome."""
    shown = _shown(request, subject, name)
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for bar in shown.figure.played:
        batch = bar.batch
        terms = (batch.games, batch.seed, batch.cap, batch.id, batch.players, bar.consent) if batch else ("",) * 6
        for part in bar.outcomes.segments if bar.outcomes else ():
            cells = bar.row.title, bar.row.change, shown.level, part.title, f"{part.share:.6f}", part.text
            rows.writerow((*cells, *terms))
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name[:60]}-outcomes.csv"'
    return response


@route(
    "<subject:subject>/<str:name>/outcomes.svg",
    name="outcomes-drawing",
    identifies="{subject}/{name}",
    example="/evidence/DLP.Evidence.692/outcomes.svg",
    queries=14,
)
def drawn(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    return drawing(_svg(request, subject, name))


@route(
    "<subject:subject>/<str:name>/outcomes.png",
    name="outcomes-picture",
    identifies="{subject}/{name}",
    example="/comparisons/{comparison}/outcomes.png",
)
def pictured(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    return picture(_svg(request, subject, name))


@route(
    "<subject:subject>/<str:name>/outcomes/",
    name="outcomes",
    identifies="{subject}/{name}",
    example="/evidence/DLP.Evidence.692/outcomes/",
    queries=14,
)
@xframe_options_exempt
def embedded(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    """The figure alone, for a frame on a page of another site."""
    shown = _shown(request, subject, name)
    response = render(request, "catalogue/outcomes.html", {"shown": shown, "figure": shown.figure})
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response._csp_replace = {"frame-ancestors": ["*"]}  # type: ignore[attr-defined]
    return response


def _svg(request: HttpRequest, subject: str, name: str) -> str:
    shown = _shown(request, subject, name)
    figure = shown.figure
    bars = [(" ".join((bar.row.label, bar.row.change)).strip(), bar.outcomes) for bar in figure.played]
    level = f"Share of games, per cent; {figure.level.title}" if figure.level else "No games were played yet"
    address = request.build_absolute_uri(shown.page)
    return outcome_drawing(figure.finding, level, bars, f"{figure.foot} · intervals at {address}")


def _shown(request: HttpRequest, subject: str, name: str) -> ShownFigure:
    shown = FIGURE_OF[subject](request, name)
    if shown is None:
        raise NothingHere("There is no figure yet: the games are not all played.")
    return shown


def _of_record(request: HttpRequest, identifier: str) -> ShownFigure:
    record = record_called(evidence_rows(), identifier)
    shown: ShownFigure = outcomes_context(request, record, readings_of(record), questions_of(record))["shown"]
    return shown


def _of_game(request: HttpRequest, slug: str) -> ShownFigure:
    refuse_unknown(request, (LEVEL,))
    game = found_or_nearest(Game.objects.all(), "slug", slug, "game")
    return figures.of_game(request, game, with_versions(game.readings.all()))


def _of_ruleset(request: HttpRequest, name: str) -> ShownFigure:
    refuse_unknown(request, (LEVEL,))
    return figures.of_ruleset(request, named_ruleset(name))


def _of_batch(request: HttpRequest, batch_id: str) -> ShownFigure | None:
    refuse_unknown(request, ())
    return figures.of_batch(request, found_batch(batch_id))


def _of_comparison(request: HttpRequest, comparison_id: str) -> ShownFigure | None:
    refuse_unknown(request, ())
    comparison, batches = found_comparison(comparison_id)
    shown, _ = figures.of_comparison(request, comparison, batches) or (None, [])
    return shown


FIGURE_OF: dict[str, Callable[[HttpRequest, str], ShownFigure | None]] = {
    "evidence": _of_record,
    "games": _of_game,
    "rulesets": _of_ruleset,
    "batches": _of_batch,
    "comparisons": _of_comparison,
}
