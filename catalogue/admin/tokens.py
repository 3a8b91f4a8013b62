"""Tokens for programmes that read a great deal: made here, shown once, and revoked."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from catalogue import models


@admin.register(models.ReadingToken)
class ReadingTokenAdmin(admin.ModelAdmin):
    list_display = (
        "name",
        "owner",
        "contact",
        "requests_per_minute",
        "requests_per_hour",
        "expires",
        "revoked",
        "last_day_used",
    )
    list_select_related = ("owner",)
    search_fields = ("name", "contact", "owner__username")
    readonly_fields = ("created", "last_day_used", "revoked")
    actions = ("revoke",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"owner": request.user.pk, **super().get_changeform_initial_data(request)}

    def save_model(self, request: HttpRequest, obj: models.ReadingToken, form: Any, change: bool) -> None:
        token = "" if change else obj.new_token()
        obj.save()
        if token:
            message = f"The token of {obj}, shown only now: {token} – sent as “Authorization: Bearer {token}”."
            messages.warning(request, message)

    @admin.action(description="Revoke the chosen tokens, for good", permissions=["change"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[models.ReadingToken]) -> None:
        open_tokens = chosen.filter(revoked=None)
        for token in open_tokens:
            self.log_change(request, token, "Revoked.")
        revoked = open_tokens.update(revoked=timezone.now())
        self.message_user(request, f"{revoked} of {len(chosen)} tokens revoked; the others were already.")
