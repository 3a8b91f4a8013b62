"""The desk: what waits for an editor, each with how much of it there is, since when, and the way to it.

Everybody sees what he may look at. The queries do not grow with what waits.
"""

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse

from catalogue.evidence.reanchoring import broken_anchors
from catalogue.models import Anchor, Evidence, Reading, RequestedStudy, Suggestion
from catalogue.sensitivity.standing import FAILED, standing_of

SHOWN = 20  # of each pile


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits. since: None if nobody knows"""

    words: str
    why: str
    address: str
    since: datetime.datetime | None


@dataclass(frozen=True, slots=True)
class Pile:
    """Things that wait for the same to be done, the oldest first.

    remedy:  what is to be done
    address: of the list they are in
    """

    title: str
    remedy: str
    address: str
    count: int
    waiting: list[Waiting] = field(default_factory=list)

    @property
    def oldest(self) -> datetime.datetime | None:
        return min((one.since for one in self.waiting if one.since), default=None)


def suggestions() -> Pile:
    rows = Suggestion.objects.filter(state=Suggestion.State.NEW).select_related("evidence__game")
    shown = [
        Waiting(str(one), one.text, reverse("admin:catalogue_suggestion_change", args=[one.pk]), one.created)
        for one in rows.order_by("created")[:SHOWN]
    ]
    address = f"{reverse('admin:catalogue_suggestion_changelist')}?state__exact=new"
    return Pile("Suggestions of readers", "Read them, and accept or decline.", address, rows.count(), shown)


def anchors() -> Pile:
    """Of each record that words are said of, its texts are compared with what they were."""
    texts = Evidence.objects.filter(pk__in=Anchor.objects.values("evidence"))
    dated: QuerySet[Any] = texts.annotate(changed=_of_history(Evidence, "-history_date"))
    records = list(dated.only("identifier", "quotation", "paraphrase"))
    changed = {one.pk: one.changed for one in records}
    found = [
        Waiting(one.key, why, reverse("admin:catalogue_anchor_change", args=[one.pk]), changed[one.evidence_id])
        for one, why in broken_anchors(records)
    ]
    remedy = "Choose the words anew; an action of the list finds those again whose place is certain."
    return Pile("Broken anchors", remedy, reverse("admin:catalogue_anchor_changelist"), *_oldest(found))


def readings() -> Pile:
    rows = Reading.objects.filter(checked_by="").annotate(made=_of_history(Reading, "history_date"))
    shown = [
        Waiting(one.title, one.slug, reverse("admin:catalogue_reading_change", args=[one.pk]), one.made)
        for one in rows.order_by(F("made").asc(nulls_first=True), "slug")[:SHOWN]
    ]
    address = f"{reverse('admin:catalogue_reading_changelist')}?checked_by__isempty=1"
    return Pile("Unchecked readings", "Check one against the words, and sign it.", address, rows.count(), shown)


def studies() -> Pile:
    rows = list(RequestedStudy.objects.select_related("game").defer("terms"))
    standing = standing_of(rows)
    found = [
        Waiting(
            f"{row.game}: {row}",
            standing[row.id].why,
            reverse("admin:catalogue_requestedstudy_change", args=[row.pk]),
            row.created,
        )
        for row in rows
        if standing[row.id].state == FAILED
    ]
    remedy = "See why; whoever asks for it again on its page has it played again. Throw it away if nobody should."
    return Pile("Studies that failed", remedy, reverse("admin:catalogue_requestedstudy_changelist"), *_oldest(found))


PILES: dict[str, Callable[[], Pile]] = {
    "catalogue.view_suggestion": suggestions,
    "catalogue.view_anchor": anchors,
    "catalogue.view_reading": readings,
    "catalogue.view_requestedstudy": studies,
}


def piles_of(request: HttpRequest) -> Iterator[Pile]:
    return (pile() for permission, pile in PILES.items() if request.user.has_perm(permission))


def _oldest(found: list[Waiting]) -> tuple[int, list[Waiting]]:
    """How many there are, and those that have waited longest."""
    in_order = sorted(found, key=lambda one: (one.since is not None, one.since and one.since.timestamp(), one.words))
    return len(found), in_order[:SHOWN]


def _of_history(model: Any, order: str) -> Subquery:
    """The date of the first or the last revision of each row."""
    revisions: QuerySet[Any] = model.history.filter(id=OuterRef("pk")).order_by(order)
    return Subquery(revisions.values("history_date")[:1])
