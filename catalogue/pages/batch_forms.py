"""Asking for a batch by a form: what every page that offers it has in common."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from catalogue.pages.forms import RefusableForm, number_field
from catalogue.permissions import LARGE_BATCHES
from catalogue.play.address import OFFERED, offers
from catalogue.texts.formatting import capitalised
from catalogue.web.visitors import on_behalf
from simulator.batches import levels
from simulator.batches.prices import MICROSECONDS, UNITS, span
from simulator.batches.requests import BOUNDS, DEFAULTS, BatchRequest, check_request, has_rounds
from simulator.batches.service import request_checked
from simulator.engine.family import family
from simulator.engine.players.names import policies_for
from simulator.engine.players.wording import HINT, in_words
from simulator.engine.ruleset import Problem, Ruleset
from simulator.models import Batch
from simulator.problems import QueueFull, WrongRequest

GAMES = 2000
ESTIMATE = "estimate"  # the button that asks what a request would cost


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a request would cost. most: games of that kind that whoever asks may have within an hour; None: any."""

    request: BatchRequest
    most: int | None

    @property
    def time(self) -> str:
        """ "2.4 seconds", of one processor."""
        return span(self.request.work / UNITS / MICROSECONDS)

    @property
    def players(self) -> str:
        return in_words(self.request.players)


class BatchForm(RefusableForm, forms.Form):
    """A request for games of a ruleset. bounded: whether whoever asks is bounded as visitors are"""

    games = number_field(GAMES, "")
    players = forms.CharField(validators=[MaxLengthValidator(200)], initial="random", widget=forms.Select)
    seed = number_field(1, "The same seed gives the same games.", min="0", max=str(BOUNDS["seed"][1]))
    cap = number_field(int(DEFAULTS["cap"]), "A game still running after so many turns is left unfinished.", min="1")
    until = forms.ChoiceField(choices=Batch.Until.choices, initial=Batch.Until.GAME, label="Play until")
    other_players = forms.CharField(max_length=200, required=False, help_text=HINT, label="Or players by name")

    def __init__(self, ruleset: Ruleset, sent: QueryDict | None = None, *, bounded: bool = True) -> None:
        super().__init__(sent)
        self.ruleset, self.bounded = ruleset, bounded
        if not has_rounds(family(ruleset.family)):
            del self.fields["until"]
        names = [*(name for name in OFFERED if offers(ruleset, name)), *policies_for(ruleset)]
        typed = str(sent.get("players") or "") if sent else ""
        choices = [(name, capitalised(_players_in_words(name))) for name in dict.fromkeys([*names, typed or "random"])]
        self.fields["players"].widget.choices = choices
        most = self.estimate.most or BOUNDS["games"][1]
        self.fields["games"].widget.attrs |= {"min": "1", "max": str(most)}
        self.fields["games"].help_text = f"From 1 to {most:,}."

    @cached_property
    def asked(self) -> BatchRequest | None:
        """What it asks for, checked; None where nothing was sent, or is refused, and the form then says why."""
        if not self.is_bound or not self.is_valid():
            return None
        sent = dict(self.cleaned_data)
        players = sent.pop("other_players")
        try:
            return check_request(self.ruleset, **{**sent, **({"players": players} if players else {})})
        except WrongRequest as error:
            self.refuse(WrongRequest(map(self._within_own_bounds, error.problems)))
            return None

    def _within_own_bounds(self, problem: Problem) -> Problem:
        """A visitor is told the visitors' bound, and not that of the site."""
        most = self._usual.most
        if problem.key != "games" or not most:
            return problem
        nearest = None if problem.nearest is None else min(int(problem.nearest), most)
        return replace(problem, message=f"must be a whole number from 1 to {most:,}", nearest=nearest)

    @cached_property
    def _usual(self) -> Estimate:
        return self._estimated(check_request(self.ruleset, games=GAMES))

    @cached_property
    def estimate(self) -> Estimate:
        """Of what it asks for; of the usual request where it asks for nothing that could be met."""
        return self._estimated(self.asked) if self.asked else self._usual

    def _estimated(self, request: BatchRequest) -> Estimate:
        most = settings.VISITOR_WORK_PER_HOUR * request.games // request.work
        return Estimate(request, most if self.bounded else None)


def batch_form(request: HttpRequest, ruleset: Ruleset, sent: QueryDict | None = None) -> BatchForm:
    return BatchForm(ruleset, sent, bounded=not request.user.has_perm(LARGE_BATCHES))


def estimate_answer(request: HttpRequest, form: BatchForm) -> HttpResponse:
    """What the form's request would cost, as a part of its page."""
    return render(request, "partials/estimate.html", {"form": form, "alone": True})


def request_by_form(request: HttpRequest, form: BatchForm) -> Batch | None:
    """The batch that the form asks for; None if it is refused, and the form says why."""
    if form.asked is None:
        return None
    try:
        return requested_batch(request, form.asked)
    except (WrongRequest, QueueFull) as error:
        form.refuse(error)
        return None


def requested_batch(request: HttpRequest, asked: BatchRequest) -> Batch:
    """The batch asked for, which whoever made it may cancel; raises WrongRequest or QueueFull."""
    begun = timezone.now()
    batch = request_checked(asked, **on_behalf(request))
    if batch.created >= begun:
        let_cancel(request, [batch.id])
    return batch


def let_cancel(request: HttpRequest, batches: Iterable[str]) -> None:
    """New batches may be cancelled by the visitor's own session."""
    request.session["batches"] = [*request.session.get("batches", []), *batches]


def _players_in_words(name: str) -> str:
    return levels.in_words(name) if name in levels.TARGETS else in_words(name)
