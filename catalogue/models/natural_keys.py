"""Natural keys: rows are named by words that last, in fixtures and addresses, never by numbers of a database."""

from collections.abc import Iterator
from typing import Any, ClassVar, TypeVar

from django.db import models

ModelT = TypeVar("ModelT", bound="NaturalKeyModel")


class NaturalKeyManager(models.Manager[ModelT]):
    def get_by_natural_key(self, *key: Any) -> ModelT:
        return self.get(**dict(zip(self.model.key_lookups(), key, strict=True)))


class NaturalKeyModel(models.Model):
    """key_fields: those that name a row; one that points to another such row stands for all parts of that row's key."""

    key_fields: ClassVar[tuple[str, ...]] = ("slug",)

    objects = NaturalKeyManager()

    class Meta:
        abstract = True

    def natural_key(self) -> tuple[Any, ...]:
        """Flat: an answer's is its game's slug, its question's and its own."""
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
