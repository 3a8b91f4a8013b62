"""How the readings of a record play: the figure beside its words, as a table, as a drawing, and for other sites' pages.

An open question that a reader answers otherwise is one bar more. Which ones are shown stands in the address.
"""

import csv
import io
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_exempt

from catalogue.evidence.open_questions import OpenQuestion, open_questions, question_rows
from catalogue.evidence.outcome_figure import Contender, OutcomeFigure, outcome_figure
from catalogue.filters.list_parameters import refuse_unknown
from catalogue.models import Evidence, Reading
from catalogue.models.lookup import record_called
from catalogue.models.querysets import ReadBeside, evidence_rows, with_versions
from catalogue.pages.answers import drawing
from catalogue.pages.batch_forms import let_cancel
from catalogue.play.start_boards import start_board
from catalogue.texts.errors import Suggested, WrongAddress, nearest_word
from catalogue.texts.marking import authority_in_words
from catalogue.texts.outcome_drawing import outcome_drawing
from catalogue.web.visitors import on_behalf
from catalogue.what_if.taken_answers import NoSuchAnswer, TakenAnswer, taken_answer
from simulator.batches.service import request_batch
from simulator.models import Ruleset
from simulator.problems import QueueFull, WrongRequest

LEVEL, ALSO, TAKE = "level", "also", "take"
MOST_ALSO = 3  # answers that are shown beside the readings
GAMES = 2000  # of an answer that a reader takes


def readings_of(record: Evidence) -> list[ReadBeside]:
    """The readings of its own game that rest on a record."""
    return with_versions(Reading.objects.filter(evidence=record, game=record.game_id))


def questions_of(record: Evidence) -> list[OpenQuestion]:
    return open_questions(question_rows().filter(game=record.game_id))


def figure_context(
    request: HttpRequest, record: Evidence, readings: Sequence[ReadBeside], questions: Sequence[OpenQuestion]
) -> dict[str, Any]:
    """What `partials/outcomes.html` shows; WrongAddress for a level or an answer that there is not."""
    refuse_unknown(request, (LEVEL, ALSO), several=(ALSO,))
    words = list(dict.fromkeys(request.GET.getlist(ALSO)))[:MOST_ALSO]
    also = [_taken(request, word, words, readings, questions) for word in words]
    contenders = [_reading(read, place) for place, read in enumerate(readings)]
    contenders += [_what_if(one, readings.index(one.read)) for one in also]
    figure = _figure(request, contenders)
    first = next((read.version for read in readings if read.version), None)
    return {
        "record": record,
        "readings": readings,
        "figure": figure,
        "levels": [(level, _address(request, level.key, words), level == figure.level) for level in figure.levels],
        "board": start_board(first.ruleset) if first else None,
        "also": [
            (one, _address(request, _level(figure), [word for word in words if word != one.word])) for one in also
        ],
        "here": _address(request, request.GET.get(LEVEL, ""), words),
        "query": urlencode({LEVEL: _level(figure), ALSO: words}, doseq=True) if figure.level else "",
    }


def answer(request: HttpRequest, identifier: str) -> HttpResponse:
    """Have 2,000 games played with another answer to an open question; back to the words, with a bar more."""
    record = record_called(evidence_rows(), identifier)
    word = request.POST.get(TAKE, "")
    if not word:
        return redirect(record)
    readings, questions = readings_of(record), questions_of(record)
    shown = [one for one in request.POST.getlist(ALSO) if one != word][1 - MOST_ALSO :]
    taken = _taken(request, word, [word], readings, questions)
    begun = timezone.now()
    try:
        batch = request_batch(taken.ruleset, **on_behalf(request), games=GAMES, seed=1, players="random")
        if batch.created >= begun:
            let_cancel(request, [batch.id])
    except (WrongRequest, QueueFull) as error:
        messages.error(request, str(error))
    return redirect(f"{record.get_absolute_url()}?{urlencode({ALSO: [*shown, word]}, doseq=True)}#outcomes")


def table(request: HttpRequest, identifier: str) -> HttpResponse:
    """The figure as CSV, a line for each bar and outcome."""
    figure: OutcomeFigure = _of_record(request, identifier)["figure"]
    said = io.StringIO()
    rows = csv.writer(said)
    rows.writerow(("reading", "changed", "level", "outcome", "share", "in_words", "games", "seed", "cap", "batch"))
    for bar in figure.played:
        batch = bar.batch
        terms = (batch.games, batch.seed, batch.cap, batch.id) if batch else ("", "", "", "")
        for one in bar.outcomes.segments if bar.outcomes else ():
            level = figure.level.key if figure.level else ""
            share = f"{one.share:.6f}"
            rows.writerow((bar.contender.title, bar.contender.but, level, one.title, share, one.text, *terms))
    response = HttpResponse(said.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{identifier}-outcomes.csv"'
    return response


def drawn(request: HttpRequest, identifier: str) -> HttpResponse:
    """The figure as a drawing of its own."""
    context = _of_record(request, identifier)
    figure: OutcomeFigure = context["figure"]
    bars = [(" ".join((one.contender.label, one.contender.but)).strip(), one.outcomes) for one in figure.played]
    level = f"Share of games, per cent; {figure.level.title}" if figure.level else "No games were played yet"
    address = request.build_absolute_uri(context["record"].get_absolute_url())
    return drawing(outcome_drawing(figure.finding, level, bars, f"{figure.foot} · intervals at {address}"))


@xframe_options_exempt
def embedded(request: HttpRequest, identifier: str) -> HttpResponse:
    """The figure alone, for a frame on a page of another site."""
    response = render(request, "catalogue/outcomes.html", _of_record(request, identifier))
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response._csp_replace = {"frame-ancestors": ["*"]}  # type: ignore[attr-defined]
    return response


def _of_record(request: HttpRequest, identifier: str) -> dict[str, Any]:
    record = record_called(evidence_rows(), identifier)
    return figure_context(request, record, readings_of(record), questions_of(record))


def _figure(request: HttpRequest, contenders: Sequence[Contender]) -> OutcomeFigure:
    wanted = request.GET.get(LEVEL, "")
    try:
        return outcome_figure(contenders, wanted)
    except KeyError as error:
        near = nearest_word(wanted, map(str, error.args))
        there = ", ".join(map(str, error.args)) or "none yet"
        message = f"Nobody has played these rulesets on the level “{wanted[:60]}”; there are: {there}."
        raise WrongAddress(message, Suggested(near, f"?{urlencode({LEVEL: near})}") if near else None) from error


def _taken(
    request: HttpRequest,
    word: str,
    words: Sequence[str],
    readings: Sequence[ReadBeside],
    questions: Sequence[OpenQuestion],
) -> TakenAnswer:
    try:
        return taken_answer(word, readings, questions)
    except NoSuchAnswer as error:
        near = error.nearest
        kept = [near or "" if one == word else one for one in words if near or one != word]
        suggested = Suggested(f"the answer “{near}”" if near else "the same without it", f"?{_query('', kept)}")
        raise WrongAddress(str(error), suggested) from error


def _reading(read: ReadBeside, place: int) -> Contender:
    name, label = authority_in_words(read.reading.authority)
    reading, ruleset = read.reading, read.version.ruleset if read.version else None
    return Contender(name, label, reading.title, reading.get_absolute_url(), place, ruleset, slug=reading.slug)


def _what_if(taken: TakenAnswer, place: int) -> Contender:
    name, label = authority_in_words(taken.read.reading.authority)
    row = Ruleset(hash=taken.ruleset.hash, family=taken.ruleset.family, document=taken.ruleset.document)
    values = urlencode({"take": f"{taken.question.slug}.{taken.answer.slug}"})
    address = f"{reverse('change-ruleset', args=[taken.read.reading.slug])}?{values}"
    title = taken.read.reading.title
    return Contender(name, f"{label}, but", title, address, place, row, taken.answer.text)


def _level(figure: OutcomeFigure) -> str:
    return figure.level.key if figure.level else ""


def _query(level: str, words: Sequence[str]) -> str:
    return urlencode({**({LEVEL: level} if level else {}), ALSO: words}, doseq=True)


def _address(request: HttpRequest, level: str, words: Sequence[str]) -> str:
    return f"{request.path}?{_query(level, words)}"
