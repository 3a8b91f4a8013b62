"""Analyses that are waited for or have failed: looked at, cancelled, thrown away; nothing of them is typed."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest

from catalogue.analyses.comparisons import COMPARISONS
from catalogue.analyses.studies import STUDIES
from catalogue.models import Comparison, Study
from catalogue.permissions import CANCEL
from simulator.analyses.ladders import LADDERS
from simulator.analyses.protocol import CANCELLED_BY_EDITORS, AnalysisKind, AnalysisStatus
from simulator.models import Analysis, Ladder


class AnalysisList(ChangeList):
    """The states of the analyses on the page, found together."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        kind: AnalysisKind[Any, Any] = self.model_admin.kind  # type: ignore[attr-defined]
        statuses = kind.statuses(rows)
        for row in rows:
            row.status = statuses[row.pk]
        self.result_list = rows


class AnalysisAdmin(admin.ModelAdmin):
    """kind: of analysis"""

    kind: ClassVar[AnalysisKind[Any, Any]]
    own: ClassVar[tuple[str, ...]]  # what is shown of its request

    actions = ("cancel",)

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return ("id", *self.own, "status", "batches_needed", "created")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("id", *self.own, "status", "why", "batches_needed", "announced", "created")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return self.kind.rows().exclude(state=Analysis.State.DONE).order_by("-created", "id").defer("document")

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return AnalysisList

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(CANCEL)

    @admin.display(description="state")
    def status(self, row: Any) -> str:
        return self._status(row).state

    @admin.display
    def why(self, row: Any) -> str:
        return self._status(row).why

    @admin.display(description="batches")
    def batches_needed(self, row: Any) -> str:
        ids = self.kind.batch_ids(row)
        return f"{len(ids)}: {', '.join(ids)}"[:200]

    def _status(self, row: Any) -> AnalysisStatus:
        """As the list has found it, or found for this one."""
        found: AnalysisStatus = getattr(row, "status", None) or self.kind.statuses([row])[row.pk]
        return found

    @admin.action(description="Cancel the chosen ones, and stop their games", permissions=["cancel"])
    def cancel(self, request: HttpRequest, chosen: "QuerySet[Any]") -> None:
        statuses = self.kind.statuses(chosen)
        waiting = [row for row in chosen if statuses[row.pk].state in (AnalysisStatus.PLAYED, AnalysisStatus.COMPUTED)]
        stopped = 0
        for row in waiting:
            stopped += self.kind.cancel(row, CANCELLED_BY_EDITORS)
            self.log_change(request, row, "Cancelled.")
        words = f"{len(waiting)} of {len(chosen)} {self.kind.plural} cancelled, {stopped} batches stopped."
        self.message_user(request, words)


@admin.register(Comparison)
class ComparisonAdmin(AnalysisAdmin):
    kind, own = COMPARISONS, ("names", "players")
    search_fields = ("id", "error")


@admin.register(Study)
class StudyAdmin(AnalysisAdmin):
    kind, own = STUDIES, ("game", "terms")
    list_filter = ("game",)
    search_fields = ("id", "game__name", "error")


@admin.register(Ladder)
class LadderAdmin(AnalysisAdmin):
    kind, own = LADDERS, ("ruleset", "request")
    search_fields = ("id", "ruleset__versions__slug", "error")
