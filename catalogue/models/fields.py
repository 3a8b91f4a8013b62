"""What rows are made of: texts that are not ours to change, and natural keys.

Anchors point into verbatim texts by code point, so the same words must always be the same string: NFC, with line
breaks as one character (a browser's form sends two). Rows are named by words that last, in fixtures and addresses,
never by the numbers of a database.
"""

import unicodedata
from collections.abc import Iterator
from typing import Any, ClassVar, TypeVar

from django.db import models

ModelT = TypeVar("ModelT", bound="NaturalKeyModel")


class NaturalKeyManager(models.Manager[ModelT]):
    def get_by_natural_key(self, *key: Any) -> ModelT:
        return self.get(**dict(zip(self.model.key_lookups(), key, strict=True)))


class NaturalKeyModel(models.Model):
    """A row that is named by its `key_fields`; one that points to another such row stands for that row's whole key."""

    key_fields: ClassVar[tuple[str, ...]] = ("slug",)

    objects = NaturalKeyManager()

    class Meta:
        abstract = True

    def natural_key(self) -> tuple[Any, ...]:
        """The key in one tuple: for an answer the slugs of its game, of its question and its own."""
        parts: list[Any] = []
        for name in self.key_fields:
            part = getattr(self, name)
            parts += part.natural_key() if isinstance(part, NaturalKeyModel) else [part]
        return tuple(parts)

    @classmethod
    def key_lookups(cls) -> Iterator[str]:
        """The lookups that lead to the parts of the key."""
        for name in cls.key_fields:
            target: Any = cls._meta.get_field(name).related_model
            yield from (f"{name}__{path}" for path in target.key_lookups()) if target else (name,)

    @classmethod
    def key_links(cls) -> Iterator[str]:
        """The lookups of the rows that parts of the key come from."""
        for name in cls.key_fields:
            target: Any = cls._meta.get_field(name).related_model
            if target:
                yield from (name, *(f"{name}__{path}" for path in target.key_links()))


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
