"""Texts as an editor types them: line breaks are one character, and of a record's words not even the ends are trimmed.

A browser sends two characters for each line break; without this every text of several lines would look changed.
"""

from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget
from django.db import models

from catalogue.models.fields import VerbatimTextField, verbatim


class VerbatimField(forms.CharField):
    def to_python(self, value: Any) -> Any:
        return super().to_python(verbatim(value) if isinstance(value, str) else value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(initial, self.to_python(data))


AS_TYPED: dict[Any, dict[str, Any]] = {
    VerbatimTextField: {"form_class": VerbatimField, "widget": AdminTextareaWidget, "strip": False},
    models.TextField: {"form_class": VerbatimField, "widget": AdminTextareaWidget},
}
