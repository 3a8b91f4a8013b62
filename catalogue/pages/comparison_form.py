"""The form that asks for a comparison, as typed: the service that takes it says what is wrong."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms

from catalogue.analyses.comparisons import DEFAULT_BOOTSTRAP_SEED, DEFAULT_GAMES, DEFAULT_MARGINS
from catalogue.pages.forms import RefusableForm, number_field, others_field, players_field, players_wanted, seat_by_seat
from simulator.batches.requests import DEFAULTS
from simulator.models import Batch

_number = partial(number_field, required=False, step="any")
MARGINS = tuple(f"margin_{name}" for name in DEFAULT_MARGINS)


class AnyOf(forms.MultipleChoiceField):
    """Names that are handed on as they were sent: the service knows which there are."""

    def validate(self, value: Any) -> None:
        """Left to the service, which also knows the nearest name."""


class ComparisonForm(RefusableForm, forms.Form):
    """What is left empty is as usual.

    choices: (name, title) of the rulesets that are offered; with_rounds: whether their games have rounds to stop after
    seats: how many each of them has; typed: the players that are named so far
    """

    rulesets = AnyOf(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Readings",
        help_text="Two to six; differences are told as those of the later ones against the earlier ones.",
    )
    games = _number(DEFAULT_GAMES, "Of each reading.")
    seed = _number(int(DEFAULTS["seed"]), "All readings play the same game numbers of this seed.")
    players = players_field()
    cap = _number(int(DEFAULTS["cap"]), "A game still running after so many turns is left unfinished.")
    until = forms.ChoiceField(choices=Batch.Until.choices, required=False, initial=Batch.Until.GAME, label="Play until")
    margin_shares = _number(
        DEFAULT_MARGINS["shares"], "The difference of shares that matters: 0.02 is two percentage points."
    )
    margin_amounts = _number(
        DEFAULT_MARGINS["amounts"],
        "The difference of lengths and other amounts that matters: 0.05 is 5 % of the smaller.",
    )
    bootstrap_seed = _number(DEFAULT_BOOTSTRAP_SEED, "Where the draws of the resampled median begin.")
    other_players = others_field()

    def __init__(
        self,
        *args: Any,
        choices: Sequence[tuple[str, str]],
        seats: Sequence[int] = (),
        typed: str = "",
        with_rounds: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        seat_by_seat(self, seats, typed)
        self.fields["rulesets"].choices = choices  # type: ignore[attr-defined]
        if not with_rounds:
            del self.fields["until"]

    @property
    def wanted(self) -> dict[str, Any]:
        """What `check_comparison` takes besides the rulesets."""
        sent = {name: value for name, value in self.cleaned_data.items() if value not in ("", None, [])}
        sent.pop("rulesets", None)
        margins = {name.removeprefix("margin_"): sent.pop(name) for name in MARGINS if name in sent}
        return {**players_wanted(sent), "margins": margins}
