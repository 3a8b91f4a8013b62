"""The last step of a draft: whose reading it is, what is still missing, publishing it or sending it to the editors.

Who publishes does not sign: a reading says that nobody has checked it, until a named person other than who made it has
checked it against the words and signs it.
"""

import io
import zipfile
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from catalogue.history.histories import write_recorded
from catalogue.models import Draft, Reading, Source, Suggestion
from catalogue.models.lookup import found_or_nearest
from catalogue.pages.answers import RefusableForm, form_page
from catalogue.pages.batches import requested_batch
from catalogue.pages.evidence import admit
from catalogue.permissions import PUBLISH, SIGN
from catalogue.web.addresses import address_of
from catalogue.web.routes import route
from catalogue.workshop import checking, drafting
from catalogue.workshop.drafts import draft_route
from catalogue.workshop.ownership import begin, draft_called, is_own, may_publish
from catalogue.workshop.publishing import (
    NotReady,
    as_texts,
    differences,
    differences_of_clauses,
    files_of,
    next_number,
    problems_of,
    publish,
)
from simulator.batches.queueing import hash_address
from simulator.batches.requests import check_request
from simulator.locks import SUGGESTIONS, exclusive
from simulator.problems import QueueFull, WrongRequest
from simulator.rulesets import as_engine

GAMES = 2_000


class AboutForm(RefusableForm, forms.ModelForm):
    """Whose reading a draft is, and what is characteristic of it."""

    class Meta:
        model = Draft
        fields = ("title", "authority", "kind", "summary", "encoded_by")
        labels = {"authority": "Whose reading", "kind": "What it is", "encoded_by": "Made by"}
        help_texts = {
            "title": "As “Puhulmutu, after Parker 1909”.",
            "authority": "One word for its address, as “parker”: small letters, with a hyphen between words.",
            "summary": "What is characteristic of this reading, in a sentence or two.",
            "encoded_by": "Your name, as it shall stand there.",
        }
        widgets = {"summary": forms.Textarea(attrs={"rows": 3})}


class SendForm(RefusableForm, forms.Form):
    """What goes with a draft to the editors."""

    text = forms.CharField(
        label="What should the editors know?",
        widget=forms.Textarea(attrs={"rows": 3}),
        min_length=10,
        max_length=4000,
    )
    email = forms.EmailField(
        label="Your e-mail address", required=False, max_length=200, help_text="Not needed; it is never shown."
    )


@draft_route("publish/", name="draft-publish", methods="GET POST", status=404)
@never_cache
def publish_draft(request: HttpRequest, key: str) -> HttpResponse:
    draft = draft_called(request, key)
    initial = _initial(request, draft)
    form = AboutForm(
        request.POST if request.POST.get("do") in ("save", "publish") else None, instance=draft, initial=initial
    )
    send = SendForm(request.POST if request.POST.get("do") == "send" else None)
    refused: list[str] = []
    shown = copied(draft) if request.method == "GET" else draft  # with what its fields say before anybody saves them
    for name, word in initial.items() if shown is not draft else ():
        setattr(shown, name, word)
    if request.method == "POST":
        if not is_own(request, draft) or draft.state != Draft.State.OPEN:
            raise PermissionDenied("Only its maker publishes or sends a draft, while it is being made.")
        do = request.POST.get("do", "")
        if do in ("save", "publish") and form.is_valid():
            form.save()
            if do == "save":
                messages.success(request, "Saved.")
                return redirect("draft-publish", key=draft.key)
            if not may_publish(request):
                raise PermissionDenied("Editors publish; send the draft to them.")
            try:
                return _published(request, draft)
            except NotReady as error:
                refused = error.problems
        if do == "send" and send.is_valid() and _sent(request, draft, send):
            return redirect("draft-publish", key=draft.key)
    context = {
        "draft": draft,
        "is_open": is_own(request, draft) and draft.state == Draft.State.OPEN,
        "send": send,
        "problems": refused or problems_of(shown),
        "refused": refused,
        "may_publish": may_publish(request),
        "name": f"{drafting.slug_of(shown)}@{next_number(shown)}" if shown.authority else "",
        "differences": differences(draft),
        "of_clauses": differences_of_clauses(draft),
        "unplayed": [one for one in draft.clauses if one.get("not_played")],
        "found": checking.checked(draft.document),
        "may_take_over": draft.state == Draft.State.SENT and may_publish(request),
    }
    status = HTTPStatus.BAD_REQUEST if refused or form.errors or send.errors else None
    if send.retry_after is not None:
        status = send.status
    return form_page(request, "workshop/publish.html", form, context, status)


def _initial(request: HttpRequest, draft: Draft) -> dict[str, str]:
    """What a new draft is called before anybody says otherwise: after the source of its first record."""
    found: dict[str, str] = {}
    if not draft.encoded_by and request.user.is_authenticated:
        found["encoded_by"] = request.user.get_full_name() or request.user.get_username()
    source = Source.objects.filter(citations__evidence__drafts=draft).order_by("key").first()
    if source and not draft.title:
        found["title"] = f"{draft.game.name}, after {source}"[:150]
        found["authority"] = slugify(str(source).rpartition(" ")[0].rpartition(",")[0] or str(source))[:40]
    return found


def _published(request: HttpRequest, draft: Draft) -> HttpResponse:
    version = publish(draft, request.user.get_username())
    Suggestion.objects.filter(draft=draft.taken_from, draft__isnull=False).update(
        state=Suggestion.State.ACCEPTED, reviewed=timezone.now(), reviewed_by=request.user
    )
    try:
        requested_batch(request, check_request(as_engine(version.ruleset), games=GAMES, seed=1, players="random"))
    except (WrongRequest, QueueFull) as error:
        messages.info(request, f"No games were asked for: {error}")
    messages.success(request, f"Published as {version}. Nobody has checked it yet: somebody else has to sign it.")
    return redirect("ruleset", name=version.slug)


def _sent(request: HttpRequest, draft: Draft, form: SendForm) -> bool:
    """Send a draft to the editors: from then on they see it, and it is changed no more."""
    address = address_of(request)
    record = drafting.records_of(draft)[0]
    given = form.cleaned_data
    try:
        with transaction.atomic():
            exclusive(SUGGESTIONS)
            admit(address)
            Suggestion.objects.create(
                kind=Suggestion.Kind.READING,
                evidence=record,
                text=given["text"],
                name=draft.encoded_by,
                email=given["email"],
                visitor=hash_address(address),
                draft=draft,
            )
            draft.state = Draft.State.SENT
            draft.save(update_fields=["state", "changed"])
    except QueueFull as error:
        form.refuse(error)
        return False
    messages.success(request, "Sent to the editors. They see it now, and it is changed no more.")
    return True


@draft_route("take-over/", methods="POST", permission=PUBLISH, status=405)
@require_POST
def take_over(request: HttpRequest, key: str) -> HttpResponse:
    """A copy of a draft that was sent, for an editor to go on with."""
    sent = draft_called(request, key)
    if sent.state != Draft.State.SENT:
        raise PermissionDenied("Only a draft that was sent to the editors is taken over.")
    return redirect(begin(request, copied(sent), sent.records.all()))


COPIED = ("game", "title", "authority", "kind", "summary", "encoded_by", "document", "clauses", "questions", "rests_on",
          "rests_basis", "rests_text", "parent")  # fmt: skip


def copied(draft: Draft) -> Draft:
    return Draft(taken_from=draft, **{name: getattr(draft, name) for name in COPIED})


@draft_route("files.zip", name="draft-files", status=404)
@never_cache
def draft_files(request: HttpRequest, key: str) -> HttpResponse:
    """The draft as files of fixtures."""
    draft = draft_called(request, key)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in as_texts(files_of(draft)).items():
            archive.writestr(f"fixtures/{path}", text)
    response = HttpResponse(packed.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{drafting.slug_of(draft) or draft.key}.zip"'
    return response


@route(
    "workshop/sign/<slug:slug>/",
    example="/workshop/sign/daramuti-parker/",
    methods="GET POST",
    permission=SIGN,
    elsewhere=False,
)
@never_cache
def sign_reading(request: HttpRequest, slug: str) -> HttpResponse:
    """Sign that a reading was checked against the words, by somebody other than who made it."""
    reading = found_or_nearest(Reading.objects.select_related("game"), "slug", slug, "reading")
    form = SignForm(reading, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        reading.checked_by = form.cleaned_data["name"]
        write_recorded(reading, reading.save, f"Checked against the words by {reading.checked_by}"[:100])
        messages.success(request, f"{reading.title} is signed by {reading.checked_by}.")
        return redirect(reading)
    return form_page(request, "workshop/sign.html", form, {"reading": reading})


class SignForm(RefusableForm, forms.Form):
    name = forms.CharField(
        label="Checked by", max_length=100, help_text="The name of who held each rule against its words."
    )
    held = forms.BooleanField(label="Every rule was held against its words.")

    def __init__(self, reading: Reading, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reading = reading

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if name.casefold() == self.reading.encoded_by.strip().casefold():
            raise forms.ValidationError(f"{name} has made this reading: somebody else checks it.")
        return name
