"""The two things a visitor may send: a suggestion about a record, and the wish to see a batch of games."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms

from catalogue.models import Suggestion
from simulator.batches.requests import DEFAULTS
from simulator.engine.players.wording import HINT
from simulator.engine.ruleset import Problem
from simulator.models import Batch


class DescribedFields(forms.BaseForm):
    """Each field that was refused says so to a screen reader as well."""

    def mark_what_is_wrong(self) -> None:
        for name in self.errors:
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"


class SuggestionForm(DescribedFields, forms.ModelForm):
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
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.fields["kind"].choices = Suggestion.Kind.choices  # type: ignore[attr-defined]

    @property
    def is_from_a_machine(self) -> bool:
        return bool(self.cleaned_data.get("website"))


class BatchForm(DescribedFields, forms.Form):
    """A request for games, as typed: the service that takes it says what is wrong, and the nearest valid value.

    with_rounds: whether the games have rounds to stop after
    """

    games = forms.CharField(max_length=20, initial=2000, widget=forms.NumberInput, help_text="How many games to play.")
    seed = forms.CharField(
        max_length=20, initial=1, widget=forms.NumberInput, help_text="The same seed gives the same games."
    )
    players = forms.CharField(max_length=200, initial="random", help_text=HINT)
    cap = forms.CharField(
        max_length=20,
        initial=DEFAULTS["cap"],
        widget=forms.NumberInput,
        help_text="A game still running after so many turns is left unfinished.",
    )
    until = forms.ChoiceField(choices=Batch.Until.choices, initial=Batch.Until.GAME, label="Play until")

    def __init__(self, *args: Any, with_rounds: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        if not with_rounds:
            del self.fields["until"]

    def take_problems(self, problems: Iterable[Problem]) -> None:
        """Put what the service refused beside the fields it is about."""
        for problem in problems:
            self.add_error(problem.key if problem.key in self.fields else None, _without_key(problem))
        self.mark_what_is_wrong()


def _without_key(problem: Problem) -> str:
    """A problem beside its field needs no name of the field before it."""
    return str(replace(problem, key=""))
