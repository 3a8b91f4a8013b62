"""The desk of the editors' room: queues of what waits for an editor, each with its length and its oldest entry.

Everybody sees what he may look at. The number of queries does not grow with what waits.
"""

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.text import slugify
from django_otp.admin import OTPAdminSite

from catalogue.analyses.studies import STUDIES
from catalogue.evidence.reanchoring import broken_anchors
from catalogue.models import Anchor, Evidence, Reading, Study, Suggestion
from catalogue.models.playability import wishes
from catalogue.permissions import OPERATE_WORKERS
from simulator.analyses.protocol import AnalysisStatus

SHOWN = 20  # of each queue


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits. since: None if nobody knows"""

    words: str
    why: str
    address: str
    since: datetime.datetime | None


@dataclass(frozen=True, slots=True)
class Queue:
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
        return min((row.since for row in self.waiting if row.since), default=None)


def suggestions() -> Queue:
    rows = Suggestion.objects.filter(state=Suggestion.State.NEW).select_related("evidence__game", "draft")
    shown = [
        Waiting(str(row), row.text, _address_of_suggestion(row), row.created)
        for row in rows.order_by("created")[:SHOWN]
    ]
    address = f"{reverse('admin:catalogue_suggestion_changelist')}?state__exact=new"
    return Queue("Suggestions of readers", "Read them, and accept or decline.", address, rows.count(), shown)


def _address_of_suggestion(row: Suggestion) -> str:
    """Of the draft that was sent with it, where it can be tried and taken over; else of its page in the workshop."""
    if row.draft_id and row.draft:
        return f"{row.draft.get_absolute_url()}publish/"
    return reverse("suggestion", args=[row.pk])


def anchors() -> Queue:
    """The queue of anchors whose records' texts are not what they were."""
    texts = Evidence.objects.filter(pk__in=Anchor.objects.values("evidence"))
    dated: QuerySet[Any] = texts.annotate(changed=_of_history(Evidence, "-history_date"))
    records = list(dated.only("identifier", "quotation", "paraphrase"))
    changed = {record.pk: record.changed for record in records}
    found = [
        Waiting(one.key, why, reverse("admin:catalogue_anchor_change", args=[one.pk]), changed[one.evidence_id])
        for one, why in broken_anchors(records)
    ]
    remedy = "Choose the words anew; an action of the list finds those again whose place is certain."
    return Queue("Broken anchors", remedy, reverse("admin:catalogue_anchor_changelist"), *_oldest(found))


def readings() -> Queue:
    rows = Reading.objects.filter(checked_by="").annotate(made=_of_history(Reading, "history_date"))
    shown = [
        Waiting(row.title, row.slug, row.get_absolute_url(), row.made)  # who may sign it does so there
        for row in rows.order_by(F("made").asc(nulls_first=True), "slug")[:SHOWN]
    ]
    address = f"{reverse('admin:catalogue_reading_changelist')}?checked_by__isempty=1"
    return Queue("Unchecked readings", "Check one against the words, and sign it.", address, rows.count(), shown)


def studies() -> Queue:
    rows = list(STUDIES.rows().exclude(state=Study.State.DONE).defer("terms"))
    statuses = STUDIES.statuses(rows)
    found = [
        Waiting(
            f"{row.game}: {row}",
            statuses[row.pk].why,
            reverse("admin:catalogue_study_change", args=[row.pk]),
            row.created,
        )
        for row in rows
        if statuses[row.pk].state == AnalysisStatus.FAILED
    ]
    remedy = "See why; whoever asks for it again on its page has it played again. Throw it away if nobody should."
    return Queue("Studies that failed", remedy, reverse("admin:catalogue_study_changelist"), *_oldest(found))


def unplayed() -> Queue:
    """The queue of what is missing here: rules that the words tell and that are not played, by what they wait for."""
    listed = f"{reverse('admin:catalogue_clause_changelist')}?not_played__isempty=0"
    found = wishes()
    shown = [
        Waiting(
            one.tag,
            f"Games {one.games}, readings {one.readings}: {one.rules[0].rule}",
            f"{reverse('admin:catalogue_clause_changelist')}?not_played={one.tag}",
            None,
        )
        for one in found[:SHOWN]
    ]
    remedy = "Have a parameter made for what most games want; then the rule is a clause that covers it."
    return Queue("Wished for: rules that are not played", remedy, listed, len(found), shown)


QUEUES: dict[str, Callable[[], Queue]] = {
    "catalogue.view_suggestion": suggestions,
    "catalogue.view_anchor": anchors,
    "catalogue.view_reading": readings,
    "catalogue.view_study": studies,
    "catalogue.view_clause": unplayed,
}


def queues_of(request: HttpRequest) -> Iterator[Queue]:
    return (queue() for permission, queue in QUEUES.items() if request.user.has_perm(permission))


def _oldest(found: list[Waiting]) -> tuple[int, list[Waiting]]:
    """Return the number of rows, and those that have waited longest."""
    in_order = sorted(found, key=lambda one: (one.since is not None, one.since and one.since.timestamp(), one.words))
    return len(found), in_order[:SHOWN]


def _of_history(model: Any, order: str) -> Subquery:
    """The date of the first or the last revision of each row."""
    revisions: QuerySet[Any] = model.history.filter(id=OuterRef("pk")).order_by(order)
    return Subquery(revisions.values("history_date")[:1])


# The lists of the room by what editors call them; all that is in none of these groups is for operators.
GROUPS = {
    "Readings": ("Reading", "Clause", "Question", "Answer", "Claim", "Anchor"),
    "Records": ("Evidence", "EditorsNote", "Source", "Place", "Game", "GameName", "Term", "Suggestion"),
    "What records are worth": ("UncertaintyFactor", "EvidenceUncertainty", "Citation"),
    "The portal’s games and rulesets": ("PortalGame", "PortalRuleset", "Period", "Category"),
}
MACHINERY = "Machinery"


class EditorsSite(AdminSite):
    site_header = "Evidence of Traditional Games: the editors’ room"
    site_title = "The editors’ room"
    index_title = "Everything that can be edited"
    enable_nav_sidebar = False

    def get_urls(self) -> list[Any]:
        return [path("desk/", self.admin_view(self.desk), name="desk"), *super().get_urls()]

    def desk(self, request: HttpRequest) -> HttpResponse:
        """Where the desk stood before it was the first page of the workshop."""
        return redirect("workshop")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The lists in groups that editors know; machinery comes last, for operators only."""
        apps = super().get_app_list(request, app_label)
        if app_label:
            return apps
        of_name = {model["object_name"]: model for app in apps for model in app["models"]}
        address = reverse("admin:index")
        groups = [(title, [of_name.pop(name) for name in names if name in of_name]) for title, names in GROUPS.items()]
        if request.user.has_perm(OPERATE_WORKERS):
            groups.append((MACHINERY, list(of_name.values())))
        return [
            {"name": title, "app_label": slugify(title), "app_url": address, "has_module_perms": True, "models": models}
            for title, models in groups
            if models
        ]


class GuardedEditorsSite(EditorsSite, OTPAdminSite):
    """Asks for a code besides the password."""
