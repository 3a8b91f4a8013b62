"""Records: the list that can be narrowed, the page of a record, and what readers suggest to the editors about it.

The page shows the readings of a record and how their games end. A question that a reader answers otherwise is one bar
more in that figure; the address says which answers are shown. Suggestions are kept for review, and nothing of them is
shown. Editors read every one, so a flood would cost them more than it costs the machine: within an hour only so many
are taken from one address, and from all of them together.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.vary import vary_on_headers

from catalogue.analyses.claim_results import claims_of
from catalogue.evidence.apparatus import apparatus_of, parting_of, rule_column, words_asked_or_rested_on
from catalogue.evidence.questions import OpenQuestion, answered_and_played, questions_with_answers
from catalogue.evidence.worn import observed
from catalogue.filters.parameters import RecordParameters, facets_and_years, refuse_unknown
from catalogue.models import Evidence, Question, Reading, Suggestion, Term, querysets
from catalogue.models.lookup import record_called
from catalogue.outcomes.figure import FigureRow, OutcomeFigure, alike
from catalogue.outcomes.wording import what_an_answer_changes
from catalogue.pages import answers, batches, figures, places
from catalogue.pages.pictures import pictures_for
from catalogue.pages.traffic import traffic_of
from catalogue.play.game_view import start_board
from catalogue.play.solutions import solved_readings
from catalogue.texts.voices import KINDS, Voice, voice_of
from catalogue.texts.words import Suggested, nearest_word
from catalogue.web import addresses
from catalogue.web.addresses import WrongAddress, address_of
from catalogue.web.routes import route, routes_below
from catalogue.what_if.context import NoSuchAnswer, TakenAnswer, taken_answer
from simulator.batches.queueing import hash_address
from simulator.batches.requests import check_request
from simulator.locks import SUGGESTIONS, exclusive
from simulator.models import Ruleset
from simulator.problems import QueueFull, WrongRequest

ALSO, TAKE, SHOW = "also", "take", "show"
APART = "apart"  # the words that speak against the rule of some voice
MOST_ALSO = 3  # answers that are shown beside the readings
GAMES = 2000  # of an answer that a reader takes


@dataclass(frozen=True, slots=True)
class RecordReadings:
    """here: the readings of a record's game that rest on it; of_game: all of the game; others: of other games, on it"""

    here: list[querysets.ReadingWithVersion]
    of_game: list[querysets.ReadingWithVersion]
    others: list[Reading]


def readings_of(record: Evidence) -> RecordReadings:
    """Return the readings of a record, in two queries."""
    resting = Reading.evidence.through.objects.filter(reading=OuterRef("pk"), evidence=record.pk)
    rows = Reading.objects.annotate(rests_here=Exists(resting)).filter(Q(game=record.game_id) | Q(rests_here=True))
    every = querysets.with_versions(rows)
    of_game = [read for read in every if read.reading.game_id == record.game_id]
    here = [read for read in of_game if vars(read.reading)["rests_here"]]
    return RecordReadings(here, of_game, [read.reading for read in every if read not in of_game])


def questions_of(record: Evidence, readings: RecordReadings) -> list[OpenQuestion]:
    """Return the questions as `rule_column` and the figure need them: without studies and words of answers."""
    return answered_and_played(questions_with_answers().filter(game=record.game_id), readings.of_game)


def outcomes_context(
    request: HttpRequest,
    record: Evidence,
    readings: Sequence[querysets.ReadingWithVersion],
    questions: Sequence[OpenQuestion],
    own: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The context of `partials/outcomes.html`. Raises WrongAddress for an unknown level or answer.

    own: further parameters of the page that shows it
    """
    refuse_unknown(request, (figures.LEVEL, ALSO, *own), several=(ALSO,))
    words = list(dict.fromkeys(request.GET.getlist(ALSO)))[:MOST_ALSO]
    also = [_answer_taken(request, word, words, readings, questions) for word in words]
    rows = [figures.reading_row(read, place) for place, read in enumerate(readings)]
    rows += [_what_if(taken, readings.index(taken.read)) for taken in also]
    figure = figures.figure_for(request, rows)
    parameters = tuple((ALSO, word) for word in words)
    page = record.get_absolute_url()
    beside = tuple((name, value) for name in own if (value := request.GET.get(name, "")))
    shown = figures.ShownFigure(
        figure, "evidence", record.identifier, record.game.name, page, request.path, parameters, "readings", beside
    )
    first = next((read.version for read in readings if read.version), None)
    level = request.GET.get(figures.LEVEL, "")
    answered = [_answered(taken, figure) for taken in also]
    without = [(taken, tuple(pair for pair in parameters if pair[1] != taken.word)) for taken in also]
    return {
        "record": record,
        "readings": readings,
        "playable": [read for read in readings if read.version],
        "shown": shown,
        "board": start_board(first.ruleset) if first else None,
        "also": [
            (taken, shown.address(level, rest), found) for (taken, rest), found in zip(without, answered, strict=True)
        ],
        "answered": answered,
        "here": shown.address(level),
    }


@dataclass(frozen=True, slots=True)
class AnsweredOtherwise:
    """What another answer to a question comes to, beside the reading that it is tried in.

    waiting: (games done, games) while they are played; verdict, sentence: what they say then; played_by: who played
    """

    question: Question
    answer: str
    waiting: tuple[int, int] | None
    verdict: str = ""
    sentence: str = ""
    played_by: str = ""


def _answered(taken: TakenAnswer, figure: OutcomeFigure) -> AnsweredOtherwise:
    question, answer = taken.question, taken.answer.text
    bars = [bar for bar in figure.bars if bar.row.ruleset and bar.row.ruleset.hash == taken.ruleset.hash]
    bar = next((bar for bar in bars if bar.row.change), None)
    base = next((bar for bar in figure.bars if bar.row.slug == taken.read.reading.slug), None)
    if bar is None or bar.waiting:
        return AnsweredOtherwise(question, answer, bar.waiting if bar else None)
    both = alike(base, bar) if base else None
    if both is None:
        return AnsweredOtherwise(question, answer, None, "It has not been played on this level.")
    verdict, sentence = what_an_answer_changes(*both)
    players = figure.level.players if figure.level else ""
    name = taken.read.reading.title
    return AnsweredOtherwise(question, answer, None, verdict, sentence, f"Played by {players}, as {name} otherwise.")


@figures.figure_of("evidence")
def named_figure(request: HttpRequest, identifier: str) -> figures.ShownFigure:
    record = record_called(querysets.evidence_with_game(), identifier)
    readings = readings_of(record)
    questions = questions_of(record, readings)
    shown: figures.ShownFigure = outcomes_context(request, record, readings.here, questions)["shown"]
    return shown


record_route = routes_below(
    "evidence/<str:identifier>/", "/evidence/DLP.Evidence.692/", identifies="record/{identifier}"
)


@record_route("answers/", methods="GET POST", status=302)
def evidence_answer(request: HttpRequest, identifier: str) -> HttpResponse:
    """Have 2,000 games played with another answer to an open question; back to the words, with a bar more."""
    record = record_called(querysets.evidence_with_game(), identifier)
    word = request.POST.get(TAKE, "")
    if not word:
        return redirect(record)
    readings = readings_of(record)
    questions = questions_of(record, readings)
    shown = [other for other in request.POST.getlist(ALSO) if other != word][1 - MOST_ALSO :]
    taken = _answer_taken(request, word, [word], readings.here, questions)
    try:
        batches.requested_batch(request, check_request(taken.ruleset, games=GAMES, seed=1, players="random"))
    except (WrongRequest, QueueFull) as error:
        messages.error(request, str(error))
    given: dict[str, Any] = {ALSO: [*shown, word]}
    voices = [*_voices(readings.here), APART]
    if (voice := request.POST.get(SHOW, "")) in voices[1:]:  # the first is underlined anyway
        given[SHOW] = voice
    return redirect(f"{record.get_absolute_url()}?{urlencode(given, doseq=True)}#outcomes")


def _answer_taken(
    request: HttpRequest,
    word: str,
    words: Sequence[str],
    readings: Sequence[querysets.ReadingWithVersion],
    questions: Sequence[OpenQuestion],
) -> TakenAnswer:
    try:
        return taken_answer(word, readings, questions)
    except NoSuchAnswer as error:
        near = error.nearest
        words_left = [near or "" if other == word else other for other in words if near or other != word]
        suggested = Suggested(
            f"the answer “{near}”" if near else "the same without it", f"?{urlencode({ALSO: words_left}, True)}"
        )
        raise WrongAddress(str(error), suggested) from error


def _what_if(taken: TakenAnswer, place: int) -> FigureRow:
    voice = voice_of(taken.read.reading.authority, taken.read.reading.title)
    row = Ruleset(hash=taken.ruleset.hash, family=taken.ruleset.family, document=taken.ruleset.document)
    values = urlencode({"take": f"{taken.question.slug}.{taken.answer.slug}"})
    address = f"{reverse('change-ruleset', args=[taken.read.reading.slug])}?{values}"
    title = taken.read.reading.title
    return FigureRow(
        voice.name,
        f"{voice.label}, but",
        title,
        address,
        place,
        row,
        taken.answer.text,
        voice=voice.kind.slug,
        near=taken.read.reading.slug,
    )


@route("evidence/", example="/evidence/?place=sri-lanka", sitemap=True, queries=13)
def evidence_list(request: HttpRequest) -> HttpResponse:
    parameters = RecordParameters(request, own=("page",))
    facets, bins = facets_and_years(parameters)
    context = places.narrowed_records(parameters, facets) | {
        "bins": bins,
        "page": answers.page_of(request, parameters.among(querysets.evidence_rows())),
    }
    return render(request, "catalogue/evidence_list.html", context)


@record_route(queries=33)
@vary_on_headers("HX-Request", "HX-Target")
def evidence(request: answers.HtmxRequest, identifier: str) -> HttpResponse:
    """A record: its words, the rules they became, and how each reading plays. htmx may ask for the figure alone."""
    record = record_called(querysets.evidence_with_everything(), identifier)
    around = readings_of(record)
    readings = around.here
    questions = questions_of(record, around) if readings else []
    context = outcomes_context(request, record, readings, questions, (SHOW,))
    if request.htmx and request.htmx.target == "outcomes":
        return render(request, "partials/outcomes.html", context)
    claims = claims_of(record)
    of_claims = (anchor for claim in claims for anchor in claim.words)
    voices = _voices(readings)
    shown = _shown_voice(request, voices)
    first = next((kind.style for kind in KINDS if kind.slug == shown), KINDS[0].style)
    apparatus = apparatus_of(record, readings, [*of_claims, *words_asked_or_rested_on(record)], first)
    context |= {
        "voices": list(voices.items()),
        "shown_voice": shown,
        "terms": _terms_in(record),
        "apparatus": apparatus,
        "column": rule_column(apparatus, readings, questions, parting_of(record)),
        "questions": questions,
        "claims": claims,
        "comparison": querysets.shown_comparison(readings, context["shown"].level),
        "solved": solved_readings(readings),
        "pictures": pictures_for(request, record),
        **observed(record),
        "traffic": traffic_of(context["shown"]) if readings else None,
        "portal_rulesets": record.portal_rulesets.select_related("game"),
        "readings_of_other_games": around.others,
    }
    return render(request, "catalogue/evidence.html", context)


def _voices(readings: Sequence[querysets.ReadingWithVersion]) -> dict[str, Voice]:
    """The voices of a record by their kind, the book first."""
    found = (voice_of(read.reading.authority, read.reading.title) for read in readings)
    return {voice.kind.slug: voice for voice in sorted(found, key=lambda voice: -voice.kind.style)[::-1]}


def _shown_voice(request: HttpRequest, voices: Mapping[str, Voice]) -> str:
    """Whose words are underlined. Raises WrongAddress for a voice that does not speak here."""
    there = [*voices, *([APART] if len(voices) > 1 else [])]
    word = request.GET.get(SHOW) or next(iter(there), "")
    if there and word not in there:
        near = nearest_word(word, there)
        message = f"No voice of this record is called “{word[:60]}”; there are: {', '.join(there)}."
        raise WrongAddress(message, Suggested(near, f"?{urlencode({SHOW: near})}") if near else None)
    return word


def _terms_in(record: Evidence) -> list[Term]:
    """Words of the players that stand in the texts of a record, whichever record explains them; its own first."""
    texts = f"{record.quotation} {record.paraphrase}".lower()
    shown = Term.objects.shown().select_related("evidence").order_by("evidence", "slug")
    rows = shown.only("slug", "word", "meaning", "evidence__identifier")
    found: dict[str, Term] = {}
    for term in sorted(rows, key=lambda row: row.evidence_id != record.pk):
        word = term.word.lower()
        if word in texts and word not in found and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", texts):
            found[word] = term
    return list(found.values())


@record_route("rules/")
def evidence_rules(request: HttpRequest, identifier: str) -> HttpResponse:
    """Every rule that was read from a record, whether its words are there, elsewhere or nowhere."""
    record = record_called(querysets.evidence_with_game(), identifier)
    context = {"record": record, "apparatus": apparatus_of(record, readings_of(record).here)}
    return render(request, "catalogue/evidence_rules.html", context)


def admit(address: str) -> None:
    """Raises QueueFull if this address, or all of them, have to wait."""
    bounds = {
        "from your address": settings.SUGGESTIONS_PER_HOUR,
        "from all readers together": settings.ALL_SUGGESTIONS_PER_HOUR,
    }
    said = "The editors take {most} suggestions an hour {whose}, and have as many by now."
    addresses.admit(Suggestion.objects.all(), address, bounds, said, "send it again")


class SuggestionForm(answers.RefusableForm, forms.ModelForm):
    """A problem with a record, or another reading of it. `website` is a trap that only machines see."""

    website = forms.CharField(required=False, max_length=200, label="Leave this field empty")

    class Meta:
        model = Suggestion
        fields = ("kind", "text", "name", "email")
        labels = {"kind": "What is it?", "text": "Your words", "name": "Your name", "email": "Your e-mail address"}
        help_texts = {
            "text": "Say which words of the record you mean. From 10 to 4,000 characters.",
            "name": "Not needed.",
            "email": "Not needed; only if the editors may ask you back. It is never shown.",
        }
        widgets = {"kind": forms.RadioSelect, "text": forms.Textarea(attrs={"rows": 8})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kind"].choices = Suggestion.Kind.choices  # type: ignore[attr-defined]

    @property
    def is_from_a_machine(self) -> bool:
        return bool(self.cleaned_data.get("website"))


@record_route("suggest/", methods="GET POST")
def suggest(request: HttpRequest, identifier: str) -> HttpResponse:
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    form = SuggestionForm(initial={"kind": request.GET.get("kind", "")})
    if request.method == "POST":
        form = SuggestionForm(request.POST)
        if form.is_valid() and _keep(form, record, address_of(request)):
            return redirect("suggestion-received", identifier=record.identifier)
    return answers.form_page(request, "catalogue/suggest.html", form, {"record": record})


def _keep(form: SuggestionForm, record: Evidence, address: str) -> bool:
    """Keep a suggestion for review; what a machine sent only seems to be kept. Returns False if it is refused."""
    if form.is_from_a_machine:
        return True
    form.instance.evidence, form.instance.visitor = record, hash_address(address)
    try:
        with transaction.atomic():
            exclusive(SUGGESTIONS)
            admit(address)
            form.save()
    except QueueFull as error:
        form.refuse(error)
        return False
    return True


@record_route("suggest/received/")
def suggestion_received(request: HttpRequest, identifier: str) -> HttpResponse:
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    return render(request, "catalogue/suggestion_received.html", {"record": record})
