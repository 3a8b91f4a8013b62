"""Tokens for programmes that read a great deal: made here, and shown once."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest

from catalogue import models


@admin.register(models.ReadingToken)
class ReadingTokenAdmin(admin.ModelAdmin):
    list_display = ("name", "contact", "requests_per_minute", "requests_per_hour", "created", "last_day_used")
    search_fields = ("name", "contact")
    readonly_fields = ("created", "last_day_used")

    def save_model(self, request: HttpRequest, obj: models.ReadingToken, form: Any, change: bool) -> None:
        token = "" if change else obj.new_token()
        obj.save()
        if token:
            message = f"The token of {obj}, shown only now: {token} – sent as “Authorization: Bearer {token}”."
            messages.warning(request, message)
