"""Asking for a study by a button: the form, what it would cost, and how far a study is that was asked for."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_offers import GAMES, StudyOffer, offers_for
from catalogue.analyses.study_plans import plan
from catalogue.models import Game, Study
from catalogue.models.lookup import NothingHere
from catalogue.pages.answers import HtmxRequest, job_progress
from catalogue.pages.batches import ESTIMATE
from catalogue.pages.forms import (
    RefusableForm,
    form_page,
    number_field,
    others_field,
    players_field,
    players_wanted,
    seat_by_seat,
)
from catalogue.permissions import LARGE_BATCHES
from catalogue.web.routes import route
from catalogue.web.visitors import on_behalf
from simulator.batches.requests import BOUNDS, DEFAULT_SEED
from simulator.engine.players.names import PlayersProblem
from simulator.problems import QueueFull, WrongRequest, whole_number

PLAYERS_HINT = "The same ones play all combinations; a level stands for its player of the first reading."


class StudyForm(RefusableForm, forms.Form):
    """A request for a study of a game. bounded: whether whoever asks is bounded as visitors are"""

    games = number_field(GAMES, "", min="1")
    seed = number_field(DEFAULT_SEED, "The same seed gives the same study.", min="0", max=str(BOUNDS["seed"][1]))
    players = players_field()
    other_players = others_field()

    def __init__(self, offer: StudyOffer, sent: QueryDict | None = None, *, bounded: bool = True) -> None:
        super().__init__(sent)
        typed = ",".join(sent.getlist("players")) if sent else ""
        seat_by_seat(self, offer.seats, typed)
        self.fields["players"].help_text = PLAYERS_HINT
        self.bounded, self.offer = bounded, self._played_by(offer)
        offer = self.offer
        most = offer.most if bounded else BOUNDS["games"][1]
        self.fields["games"].initial = offer.games
        self.fields["games"].widget.attrs["max"] = str(most)
        self.fields["games"].help_text = f"Of each combination of answers, from 1 to {most:,}."

    def _played_by(self, offer: StudyOffer) -> StudyOffer:
        """The offer with the players that are asked for; the usual one where they cannot be read."""
        line = self["other_players"].value() or self["players"].value()
        try:
            return offer.played_by(line) if line else offer
        except PlayersProblem:
            return offer

    @property
    def request(self) -> dict[str, Any]:
        """What `plans.plan` takes; what was left empty is as usual."""
        return players_wanted({name: value for name, value in self.cleaned_data.items() if value})

    @property
    def wanted(self) -> int:
        """How many games it asks for of each combination; the usual number where that cannot be read."""
        try:
            return whole_number("games", self["games"].value(), *BOUNDS["games"])
        except WrongRequest:
            return self.offer.games

    @property
    def all_games(self) -> int:
        return self.wanted * self.offer.rulesets

    @property
    def time(self) -> str:
        return self.offer.time_of(self.wanted)


def study_form(request: HttpRequest, game: Game, sent: QueryDict | None = None) -> StudyForm | None:
    """None where there is nothing about the game that could be studied."""
    offer = next(iter(offers_for([game])), None)
    return StudyForm(offer, sent, bounded=not request.user.has_perm(LARGE_BATCHES)) if offer else None


def asked_for(request: HttpRequest, game: Game) -> HttpResponse:
    """The answer to whoever asks for a study of the game: its page, or the form again, which says what is wrong."""
    form = study_form(request, game, request.POST)
    if form is None:
        raise NothingHere(f"There is nothing about {game.name} that could be studied.")
    if ESTIMATE in request.POST and request.headers.get("HX-Request"):
        return render(request, "partials/study_estimate.html", {"form": form})
    if form.is_valid() and ESTIMATE not in request.POST:
        try:
            planned = plan(game.slug, **form.request)
            STUDIES.request(planned, **on_behalf(request))
            return redirect("study", study_id=planned.id)
        except (WrongRequest, QueueFull) as error:
            form.refuse(error)
    return missing_page(request, game, form)


def missing_page(request: HttpRequest, game: Game, form: StudyForm | None) -> HttpResponse:
    """What can be studied of a game, and the form that asks for it."""
    questions = game.questions.order_by("position", "slug").select_related("game").prefetch_related("answers")
    playable = [one for one in questions if sum(answer.values is not None for answer in one.answers.all()) > 1]
    context = {"game": game, "questions": questions, "playable": playable, "waiting": waiting_of(game)}
    if form is None:
        return render(request, "catalogue/study_missing.html", context)
    return form_page(request, "catalogue/study_missing.html", form, context)


def waiting_of(game: Game) -> Study | None:
    """The study of the game that was asked for last and is waited for."""
    return STUDIES.waiting().filter(game=game).defer("terms").order_by("-created", "id").first()


def waiting_page(request: HttpRequest, found: Study) -> HttpResponse:
    context = {"requested": found, "game": found.game, "progress": STUDIES.progress(found)}
    return render(request, "catalogue/study_waiting.html", context)


@route("studies/<batch_id:study_id>/progress.json", name="study-progress", example="/studies/{study}/progress.json")
def study_progress(request: HtmxRequest, study_id: str) -> HttpResponse:
    return job_progress(request, STUDIES, study_id)
