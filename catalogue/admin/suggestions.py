"""What readers suggest. Their words are shown as they came; an editor decides, and the decision is signed and dated."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from catalogue import models


@admin.register(models.Suggestion)
class SuggestionAdmin(admin.ModelAdmin):
    list_display = ("created", "kind", "evidence", "state", "name", "reviewed_by", "reviewed")
    list_filter = ("state", "kind", "created")
    list_select_related = ("evidence", "reviewed_by")
    search_fields = ("text", "name", "email", "evidence__identifier", "evidence__game__name")
    readonly_fields = ("kind", "evidence", "text", "name", "email", "created", "reviewed", "reviewed_by")
    actions = ("accept", "decline")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: models.Suggestion, form: object, change: bool) -> None:
        if "state" in getattr(form, "changed_data", ()):
            _sign(request, obj)
        obj.save()

    @admin.action(description="Accept the chosen suggestions", permissions=["change"])
    def accept(self, request: HttpRequest, chosen: "QuerySet[models.Suggestion]") -> None:
        self._decide(request, chosen, models.Suggestion.State.ACCEPTED)

    @admin.action(description="Decline the chosen suggestions", permissions=["change"])
    def decline(self, request: HttpRequest, chosen: "QuerySet[models.Suggestion]") -> None:
        self._decide(request, chosen, models.Suggestion.State.DECLINED)

    def _decide(
        self, request: HttpRequest, chosen: "QuerySet[models.Suggestion]", state: models.Suggestion.State
    ) -> None:
        for suggestion in chosen:
            suggestion.state = state
            _sign(request, suggestion)
            suggestion.save()
            self.log_change(request, suggestion, f"{state.label} from the list")
        self.message_user(request, f"{len(chosen)} {state.label}.")


def _sign(request: HttpRequest, suggestion: models.Suggestion) -> None:
    """Who decided and when; a suggestion put back to new is unsigned again."""
    undecided = suggestion.state == models.Suggestion.State.NEW
    suggestion.reviewed = None if undecided else timezone.now()
    suggestion.reviewed_by = None if undecided or request.user.is_anonymous else request.user
