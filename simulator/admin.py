"""The editor's view of the simulator. Rulesets and results are never edited by hand: only looked at and acted upon."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from simulator.batches.service import requeue_batch, stop_batch
from simulator.models import Batch, Chunk, Ruleset, RulesetVersion
from simulator.problems import WrongRequest


class ReadOnly:
    """Neither written nor changed by hand."""

    def has_add_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


class Permanent(ReadOnly, admin.ModelAdmin):
    """The admin of rows that batches, readings and citations name, and that never change."""

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


class VersionInline(admin.TabularInline):
    model = RulesetVersion
    extra = 0
    can_delete = False


@admin.register(Ruleset)
class RulesetAdmin(Permanent):
    list_display = ("hash", "family", "created")
    list_filter = ("family",)
    search_fields = ("hash", "versions__slug")
    inlines = (VersionInline,)


@admin.register(RulesetVersion)
class RulesetVersionAdmin(Permanent):
    list_display = ("slug", "number", "ruleset", "parent", "date")
    search_fields = ("slug", "ruleset__hash")
    list_select_related = ("ruleset", "parent")


class ChunkInline(ReadOnly, admin.TabularInline):
    model = Chunk
    fields = ("number", "first_game", "games", "state", "attempts", "seconds", "error")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        return super().get_queryset(request).defer("rows", "tally", "traffic")


@admin.register(Batch)
class BatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "ruleset", "players", "games", "cap", "until", "state", "origin", "created")
    list_filter = ("state", "origin", "until")
    search_fields = ("id", "ruleset__hash", "ruleset__versions__slug")
    list_select_related = ("ruleset",)
    exclude = ("tally", "summary", "visitor")
    inlines = (ChunkInline,)
    actions = ("cancel", "requeue")

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("simulator.cancel_batch")

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("simulator.requeue_batch")

    @admin.action(description="Cancel the chosen batches", permissions=["cancel"])
    def cancel(self, request: HttpRequest, chosen: QuerySet[Batch]) -> None:
        stopped = sum(stop_batch(batch) for batch in chosen)
        self.message_user(request, f"{stopped} of {len(chosen)} batches cancelled; the others were not running.")

    @admin.action(description="Run cancelled or failed batches again", permissions=["requeue"])
    def requeue(self, request: HttpRequest, chosen: QuerySet[Batch]) -> None:
        for batch in chosen:
            try:
                requeue_batch(batch)
            except WrongRequest as error:
                self.message_user(request, str(error), messages.ERROR)
