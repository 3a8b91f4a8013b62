"""Whose a draft is: an editor's own, or a visitor's, whose session knows its key; and how many a visitor may begin.

Nobody else sees a draft, until it is sent to the editors or published. Only so many are begun from one address within
an hour, and from all visitors together; one that nobody changes for two weeks is thrown away.
"""

import datetime
import math
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from catalogue.models import Draft
from catalogue.models.lookup import NothingHere
from catalogue.permissions import PUBLISH
from catalogue.web.addresses import address_of
from simulator.batches.queueing import hash_address
from simulator.locks import SUGGESTIONS, exclusive
from simulator.problems import QueueFull

OWN = "drafts"  # the key of a session under which a visitor's drafts are known
HOUR = datetime.timedelta(hours=1)
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
    since = timezone.now() - HOUR
    recent = Draft.objects.filter(maker=None, created__gt=since).order_by("created")
    bounds = (
        (recent.filter(visitor=hash_address(address)), settings.DRAFTS_PER_HOUR, "from one address"),
        (recent, settings.ALL_DRAFTS_PER_HOUR, "by all visitors together"),
    )
    for begun, most, whose in bounds:
        times = list(begun.values_list("created", flat=True)[:most])
        if len(times) >= most:
            wait = math.ceil((times[0] - since).total_seconds()) if times else int(HOUR.total_seconds())
            message = f"At most {most} drafts are begun within an hour {whose}. "
            raise QueueFull(f"{message}Please come again in {-(-wait // 60)} minutes.", wait)
