"""Texts as an editor types them: line breaks are one character, and of a record's words not even the ends are trimmed.
Documents as they are typed, if a database can keep them.

A browser sends two characters for each line break; without this every text of several lines would look changed.
"""

import json
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.exceptions import ValidationError
from django.db import models
from django.forms.fields import InvalidJSONInput

from catalogue.models.fields import VerbatimTextField, verbatim


class VerbatimField(forms.CharField):
    def to_python(self, value: Any) -> Any:
        return super().to_python(verbatim(value) if isinstance(value, str) else value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(initial, self.to_python(data))


class DocumentField(forms.JSONField):
    """Refuses what Python reads as JSON and a database does not keep, or what is no end to read: endless numbers and
    nesting, NaN, zero characters and halves of letters. Django's own lets them fail.
    """

    def to_python(self, value: Any) -> Any:
        try:
            found = super().to_python(value)
            written = json.dumps(found, allow_nan=False, ensure_ascii=False)
            is_kept = b"\\u0000" not in written.encode()
        except (ValueError, RecursionError):
            is_kept = False
        if not is_kept:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})
        return found

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            self.to_python(data)
        except ValidationError:
            return InvalidJSONInput(data)
        return super().bound_data(data, initial)


AS_TYPED: dict[Any, dict[str, Any]] = {
    VerbatimTextField: {"form_class": VerbatimField, "widget": AdminTextareaWidget, "strip": False},
    models.TextField: {"form_class": VerbatimField, "widget": AdminTextareaWidget},
    models.JSONField: {"form_class": DocumentField},
}
