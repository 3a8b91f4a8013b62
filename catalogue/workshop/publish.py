"""The last step of a draft: whose reading it is, what is still missing, publishing it or sending it to the editors.

Who publishes does not sign: a reading says that nobody has checked it, until another account than that of who made it
signs, with its own name, that it was checked against the words (decision 103).
"""

import io
import zipfile
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from catalogue.history.histories import write_recorded
from catalogue.models import Draft, Reading, Source, Suggestion
from catalogue.models.lookup import NothingHere, found_or_nearest
from catalogue.models.site import LONGEST_TEXT
from catalogue.pages.answers import RefusableForm, form_page
from catalogue.pages.batches import requested_batch
from catalogue.pages.evidence import admit
from catalogue.permissions import DECIDE, PUBLISH, SIGN
from catalogue.web.addresses import address_of
from catalogue.web.routes import route
from catalogue.workshop import checking, drafting
from catalogue.workshop.drafts import draft_route
from catalogue.workshop.ownership import begin, draft_called, is_own, may_publish
from catalogue.workshop.publishing import (
    PUBLISHED_BY,
    NotReady,
    as_texts,
    borrowed,
    differences,
    differences_of_clauses,
    files_of,
    next_number,
    problems_of,
    publish,
    readings_of,
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
        label="Your e-mail address", required=False, max_length=200, help_text="Not needed; only the editors see it."
    )


@draft_route("publish/", name="draft-publish", methods="GET POST", status=404)
@never_cache
def publish_draft(request: HttpRequest, key: str) -> HttpResponse:
    draft = draft_called(request, key)
    initial = _initial(request, draft)
    do = request.POST.get("do", "")
    has_about = do in ("save", "publish") or (do == "send" and "title" in request.POST)
    form = AboutForm(request.POST if has_about else None, instance=draft, initial=initial)
    send = SendForm(request.POST if do == "send" else None)
    suggestion = draft.suggestions.order_by("-created").first()
    is_declined = suggestion is not None and suggestion.state == Suggestion.State.DECLINED
    refused: list[str] = []
    shown = copied(draft) if request.method == "GET" else draft  # with what its fields say before anybody saves them
    for name, word in initial.items() if shown is not draft else ():
        setattr(shown, name, word)
    if request.method == "POST" and do == "again" and is_declined and is_own(request, draft):
        Draft.objects.filter(pk=draft.pk, state=Draft.State.SENT).update(state=Draft.State.OPEN, changed=timezone.now())
        messages.success(request, "You go on with it: only you see it, until you send it again.")
        return redirect(draft)
    if request.method == "POST":
        if not is_own(request, draft) or draft.state != Draft.State.OPEN:
            raise PermissionDenied("Only its maker publishes or sends a draft, while it is being made.")
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
        # Everything that is typed is sent: what it is called, whose it is, and what the editors should know.
        if do == "send" and all([not has_about or form.is_valid(), send.is_valid()]) and _sent(request, draft, send):
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
        "found": (found := checking.checked(draft.document)),
        "written": checking.written_otherwise(draft.document, found.ruleset),
        "same": readings_of(shown, found.ruleset),
        "may_take_over": draft.state == Draft.State.SENT and may_publish(request),
        "suggestion": suggestion,
        "is_declined": is_declined,
        "is_own": is_own(request, draft),
        "borrowed": borrowed(draft),
    }
    status = HTTPStatus.BAD_REQUEST if refused or form.errors or send.errors else None
    if send.retry_after is not None:
        status = send.status
    return form_page(request, "workshop/publish.html", form, context, status)


def _initial(request: HttpRequest, draft: Draft) -> dict[str, str]:
    """What a new draft is called before anybody says otherwise: after the source of its first record."""
    found: dict[str, str] = {}
    if not draft.encoded_by and request.user.is_authenticated:
        found["encoded_by"] = name_of(request.user)
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
            draft.save(update_fields=["state", "changed", *AboutForm.Meta.fields])
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
    "workshop/suggestions/<int:number>/",
    name="suggestion",
    example="/workshop/suggestions/1/",
    methods="GET POST",
    permission=DECIDE,
    status=404,
    elsewhere=False,
)
@never_cache
def decide_suggestion(request: HttpRequest, number: int) -> HttpResponse:
    """What a reader wrote to the editors: one of them accepts or declines it, with a remark; the decision is signed."""
    rows = Suggestion.objects.select_related("evidence__game", "draft", "reviewed_by")
    found = rows.filter(pk=number).first()
    if found is None:
        raise NothingHere("There is no suggestion of that number.")
    states = {"accept": Suggestion.State.ACCEPTED, "decline": Suggestion.State.DECLINED}
    if request.method == "POST":
        if (state := states.get(request.POST.get("do", ""))) is None:
            return render(request, "workshop/suggestion.html", {"suggestion": found}, status=HTTPStatus.BAD_REQUEST)
        answer = request.POST.get("answer", "").strip()[:LONGEST_TEXT] or found.answer
        found.state, found.answer, found.reviewed, found.reviewed_by_id = state, answer, timezone.now(), request.user.pk
        found.save(update_fields=["state", "answer", "reviewed", "reviewed_by"])
        messages.success(request, f"The suggestion is {state.label}.")
        return redirect("workshop")
    return render(request, "workshop/suggestion.html", {"suggestion": found})


@route(
    "workshop/sign/<slug:slug>/",
    example="/workshop/sign/daramuti-parker/",
    methods="GET POST",
    permission=SIGN,
    elsewhere=False,
)
@never_cache
def sign_reading(request: HttpRequest, slug: str) -> HttpResponse:
    """Sign that a reading was checked against the words: with one's own name, and no reading that one made oneself."""
    reading = found_or_nearest(Reading.objects.select_related("game"), "slug", slug, "reading")
    name, why_not = name_of(request.user), why_not_signed_by(request.user, reading)
    form = SignForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if why_not:
            raise PermissionDenied(why_not)
        if form.is_valid():
            reading.checked_by = name
            write_recorded(reading, reading.save, f"Checked against the words by {name}"[:100])
            messages.success(request, f"{reading.title} is signed by {name}.")
            return redirect(reading)
    return form_page(request, "workshop/sign.html", form, {"reading": reading, "name": name, "why_not": why_not})


class SignForm(RefusableForm, forms.Form):
    held = forms.BooleanField(label="I held every rule against its words.")


def name_of(user: Any) -> str:
    """What somebody who is logged in is called in public."""
    return str(user.get_full_name() or user.get_username())


def why_not_signed_by(user: Any, reading: Reading) -> str:
    """Why an account does not sign a reading; empty where it may: it has neither made nor published it."""
    made = Draft.objects.filter(published_as__startswith=f"{reading.slug}@")
    published = reading.history.filter(history_user=user, history_change_reason__startswith=PUBLISHED_BY)
    is_named = name_of(user).casefold() == reading.encoded_by.strip().casefold()
    if is_named or published.exists() or made.filter(Q(maker=user) | Q(taken_from__maker=user)).exists():
        return "You have made this reading, or published it: somebody else checks it."
    return ""
