"""What readers write to the editors about a record. It is kept for review, and nothing of it is shown.

Editors read every suggestion, so a flood would cost them more than it costs the machine: within an hour only so many
are taken from one address, and from all of them together.
"""

import datetime
import math
from typing import Any

from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from catalogue.models import Evidence, Suggestion
from catalogue.models.lookup import record_called
from catalogue.pages.forms import RefusableForm, form_page
from catalogue.web.routes import route
from catalogue.web.visitors import address_of
from simulator.batches.queueing import hash_address
from simulator.locks import SUGGESTIONS, exclusive
from simulator.problems import QueueFull

HOUR = datetime.timedelta(hours=1)


def admit(address: str) -> None:
    """Raises QueueFull if this address, or all of them, have to wait."""
    since = timezone.now() - HOUR
    recent = Suggestion.objects.filter(created__gt=since).order_by("created")
    bounds = (
        (recent.filter(visitor=hash_address(address)), settings.SUGGESTIONS_PER_HOUR, "from your address"),
        (recent, settings.ALL_SUGGESTIONS_PER_HOUR, "from all readers together"),
    )
    for sent, most, whose in bounds:
        times = list(sent.values_list("created", flat=True)[:most])
        if len(times) >= most:
            wait = math.ceil((times[0] - since).total_seconds()) if times else int(HOUR.total_seconds())
            message = f"The editors take {most} suggestions an hour {whose}, and have as many by now. "
            raise QueueFull(f"{message}Please send it again in {-(-wait // 60)} minutes.", wait)


class SuggestionForm(RefusableForm, forms.ModelForm):
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


@route(
    "evidence/<str:identifier>/suggest/",
    name="suggest",
    identifies="record/{identifier}",
    example="/evidence/DLP.Evidence.692/suggest/",
    methods="GET POST",
)
def suggest(request: HttpRequest, identifier: str) -> HttpResponse:
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    form = SuggestionForm(initial={"kind": request.GET.get("kind", "")})
    if request.method == "POST":
        form = SuggestionForm(request.POST)
        if form.is_valid() and _taken(form, record, address_of(request)):
            return redirect("suggestion-received", identifier=record.identifier)
    return form_page(request, "catalogue/suggest.html", form, {"record": record})


def _taken(form: SuggestionForm, record: Evidence, address: str) -> bool:
    """Whether it is kept for review; what a machine sent only seems to be."""
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


@route(
    "evidence/<str:identifier>/suggest/received/",
    name="suggestion-received",
    identifies="record/{identifier}",
    example="/evidence/DLP.Evidence.692/suggest/received/",
)
def received(request: HttpRequest, identifier: str) -> HttpResponse:
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    return render(request, "catalogue/suggestion_received.html", {"record": record})
