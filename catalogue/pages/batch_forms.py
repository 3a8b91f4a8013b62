"""Asking for a batch by a form: what every page that offers it has in common."""

from collections.abc import Iterable

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils import timezone

from catalogue.pages.forms import RefusableForm, number_field
from catalogue.web.visitors import on_behalf
from simulator.batches.requests import DEFAULTS, has_rounds
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.engine.players.wording import HINT
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.problems import QueueFull, WrongRequest


class BatchForm(RefusableForm, forms.Form):
    """A request for games of a ruleset."""

    games = number_field(2000, "How many games to play.")
    seed = number_field(1, "The same seed gives the same games.")
    players = forms.CharField(max_length=200, initial="random", help_text=HINT)
    cap = number_field(int(DEFAULTS["cap"]), "A game still running after so many turns is left unfinished.")
    until = forms.ChoiceField(choices=Batch.Until.choices, initial=Batch.Until.GAME, label="Play until")

    def __init__(self, ruleset: Ruleset, sent: QueryDict | None = None) -> None:
        super().__init__(sent)
        if not has_rounds(family(ruleset.family)):
            del self.fields["until"]


def request_by_form(request: HttpRequest, ruleset: Ruleset, form: BatchForm) -> Batch | None:
    """The batch that the form asks for; None if it is refused, and the form says why."""
    if not form.is_valid():
        return None
    begun = timezone.now()
    try:
        batch = request_batch(ruleset, **on_behalf(request), **form.cleaned_data)
    except (WrongRequest, QueueFull) as error:
        form.refuse(error)
        return None
    if batch.created >= begun:
        let_cancel(request, [batch.id])
    return batch


def let_cancel(request: HttpRequest, batches: Iterable[str]) -> None:
    """New batches may be cancelled by the visitor's own session."""
    request.session["batches"] = [*request.session.get("batches", []), *batches]
