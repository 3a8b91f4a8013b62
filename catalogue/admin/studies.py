"""Studies that were asked for and are waited for: looked at, cancelled, thrown away; nothing of them is typed."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest

from catalogue.models import RequestedStudy
from catalogue.permissions import CANCEL
from catalogue.sensitivity.standing import FAILED, Standing, give_up, standing_of


class StudiesList(ChangeList):
    """How those on the page stand, in one query."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        standing = standing_of(rows)
        for row in rows:
            row.standing = standing[row.id]
        self.result_list = rows


@admin.register(RequestedStudy)
class RequestedStudyAdmin(admin.ModelAdmin):
    list_display = ("id", "game", "state", "rulesets", "games", "created")
    list_filter = ("game",)
    list_select_related = ("game",)
    search_fields = ("id", "game__name", "error")
    fields = ("id", "game", "state", "why", "rulesets", "games", "terms", "batches", "announced", "created")
    actions = ("cancel",)

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return StudiesList

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(CANCEL)

    @admin.display
    def state(self, row: RequestedStudy) -> str:
        return _standing(row).state

    @admin.display
    def why(self, row: RequestedStudy) -> str:
        return _standing(row).why

    @admin.display
    def rulesets(self, row: RequestedStudy) -> int:
        return len(row.batches)

    @admin.display(description="games of each")
    def games(self, row: RequestedStudy) -> int:
        return int(row.terms["games"])

    @admin.action(description="Cancel the chosen studies, and stop their games", permissions=["cancel"])
    def cancel(self, request: HttpRequest, chosen: "QuerySet[RequestedStudy]") -> None:
        standing = standing_of(chosen)
        waiting = [row for row in chosen if standing[row.id].state != FAILED and not row.error]
        stopped = 0
        for row in waiting:
            stopped += give_up(row)
            self.log_change(request, row, "Cancelled.")
        said = f"{len(waiting)} of {len(chosen)} studies cancelled, {stopped} batches stopped."
        self.message_user(request, said)


def _standing(row: Any) -> Standing:
    """As the list has found it, or found for this one."""
    found: Standing = getattr(row, "standing", None) or standing_of([row])[row.id]
    return found
