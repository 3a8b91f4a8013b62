"""Readings, and the clauses that tie the parameters of their rulesets to words."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError

from catalogue import models
from catalogue.admin.anchors import AnchorInline
from catalogue.admin.parameters import wrong_parameters
from catalogue.admin.reasons import ReasonedAdmin, ReasonForm


@admin.register(models.Reading)
class ReadingAdmin(ReasonedAdmin):
    list_display = ("title", "slug", "game", "authority", "kind", "rests_on", "checked_by")
    list_filter = ("kind", "authority", "game", ("checked_by", admin.EmptyFieldListFilter))
    list_select_related = ("game", "rests_on")
    search_fields = ("slug", "title", "summary")
    autocomplete_fields = ("game", "evidence", "rests_on")
    inlines = (AnchorInline,)


class ClauseForm(ReasonForm):
    def clean_parameters(self) -> Any:
        parameters = self.cleaned_data["parameters"]
        reading = self.cleaned_data.get("reading")
        version = reading.ruleset_version if reading else None
        if version is not None and (wrong := wrong_parameters(version.ruleset.family, parameters)):
            raise ValidationError(wrong)
        return parameters


@admin.register(models.Clause)
class ClauseAdmin(ReasonedAdmin):
    form = ClauseForm
    list_display = ("slug", "reading", "basis", "text")
    list_filter = ("basis", "reading__game", "reading__authority")
    search_fields = ("slug", "text", "source", "reading__slug", "anchors__exact")
    autocomplete_fields = ("reading",)
    inlines = (AnchorInline,)
