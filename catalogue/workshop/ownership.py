"""Whose a draft is: an editor's own, or a visitor's, whose session knows its key; and how many a visitor may begin.

Nobody else sees a draft, until it is sent to the editors or published. A visitor may keep its private link, which
cannot be guessed from its address, and goes on with it by that link in another browser. Only so many are begun from one
address within an hour, and from all visitors together; one that nobody changes for two weeks is thrown away.
"""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from catalogue.models import Draft
from catalogue.models.lookup import NothingHere
from catalogue.models.workshop import KEPT_DAYS
from catalogue.permissions import PUBLISH
from catalogue.web.addresses import address_of, admit
from simulator.batches.queueing import hash_address
from simulator.locks import SUGGESTIONS, exclusive

OWN = "drafts"  # the key of a session under which a visitor's drafts are known
MOST_OPEN = 50  # drafts of one maker


def own_drafts(request: HttpRequest) -> Any:
    """The drafts that whoever asks makes, the last changed first."""
    if request.user.is_authenticated:
        return Draft.objects.filter(maker=request.user)
    return Draft.objects.filter(maker=None, key__in=request.session.get(OWN, []))


def draft_called(request: HttpRequest, key: str) -> Draft:
    """The draft of that key, if it may be seen: one's own, or one that was sent to the editors. Raises NothingHere."""
    rows = Draft.objects.select_related("game", "rests_on", "maker")
    draft = rows.filter(key=key).first()
    if draft is None or not may_see(request, draft):
        raise NothingHere("There is no draft at this address, or somebody else makes it: only its maker sees a draft.")
    return draft


def is_own(request: HttpRequest, draft: Draft) -> bool:
    if request.user.is_authenticated:
        return draft.maker_id == request.user.pk
    return draft.maker_id is None and draft.key in request.session.get(OWN, [])


PROOF = 32  # characters of a private link


def private_link(draft: Draft) -> str:
    """The path by which whoever has it goes on with a visitor's draft."""
    return reverse("open-draft", kwargs={"key": draft.key, "proof": _proof(draft.key)})


def _proof(key: str) -> str:
    return salted_hmac("catalogue.workshop.draft", key, algorithm="sha256").hexdigest()[:PROOF]


def draft_by_link(key: str, proof: str) -> Draft:
    """A visitor's draft that is still being made, by its private link. Raises NothingHere."""
    if not constant_time_compare(proof, _proof(key)):
        raise NothingHere("This is no private link of a draft: see whether it was copied to its end.")
    draft = Draft.objects.select_related("game").filter(key=key, maker=None).first()
    if draft is None:
        raise NothingHere(
            "This draft is no longer a visitor’s: it was thrown away, as drafts are that nobody changes for "
            f"{KEPT_DAYS} days, or somebody who is logged in has made it his own."
        )
    return draft


def go_on_with(request: HttpRequest, draft: Draft) -> None:
    """Make a visitor's draft one of this browser, or of who is logged in; it is kept as if it had been changed."""
    fields = ["changed"]
    if request.user.is_authenticated:
        draft.maker, draft.visitor = request.user, ""
        fields += ["maker", "visitor"]
    else:
        own = [key for key in request.session.get(OWN, []) if key != draft.key]
        request.session[OWN] = [*own, draft.key][-MOST_OPEN:]
    draft.save(update_fields=fields)


def may_see(request: HttpRequest, draft: Draft) -> bool:
    is_sent = draft.state != Draft.State.OPEN and request.user.has_perm("catalogue.view_suggestion")
    return is_own(request, draft) or is_sent


def may_publish(request: HttpRequest) -> bool:
    return bool(request.user.has_perm(PUBLISH))


def begin(request: HttpRequest, draft: Draft, records: Any) -> Draft:
    """Write a new draft for whoever asks. Raises QueueFull where there are enough."""
    if request.user.is_authenticated:
        draft.maker = request.user
        return _written(draft, records)
    address = address_of(request)
    draft.visitor = hash_address(address)
    with transaction.atomic():
        exclusive(SUGGESTIONS)
        _admit(address)
        _written(draft, records)
    request.session[OWN] = [*request.session.get(OWN, []), draft.key][-MOST_OPEN:]
    return draft


def _written(draft: Draft, records: Any) -> Draft:
    with transaction.atomic():
        draft.save()
        draft.records.set(records)
    return draft


def _admit(address: str) -> None:
    bounds = {
        "from one address": settings.DRAFTS_PER_HOUR,
        "by all visitors together": settings.ALL_DRAFTS_PER_HOUR,
    }
    said = "At most {most} drafts are begun within an hour {whose}."
    admit(Draft.objects.filter(maker=None), address, bounds, said, "come again")
