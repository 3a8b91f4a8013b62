"""A text field for words that are not ours to change.

Anchors will point into these texts by code point, so the same words must always be the same string: NFC, with
line breaks as one character (a browser's form sends two).
"""

import unicodedata
from typing import Any

from django.db import models


def verbatim(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


class VerbatimTextField(models.TextField):
    def to_python(self, value: Any) -> Any:
        value = super().to_python(value)
        return verbatim(value) if isinstance(value, str) else value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = self.to_python(getattr(model_instance, self.attname))
        setattr(model_instance, self.attname, value)
        return value
