"""What a form may offer to narrow by: as a list to choose from where it is short enough, else as words to write."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from catalogue.filters.record_parameters import RecordParameters
from catalogue.geography.placed import types
from catalogue.models import Game, Place, Source

MOST_OFFERED = 120  # in one list: more can be neither read nor sent quickly


@dataclass(frozen=True, slots=True)
class Choice:
    """One of which nobody counted the records."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class NarrowingField:
    """One field of the form; `choices` are empty if there are too many of them."""

    name: str
    title: str
    chosen: str
    hint: str
    choices: tuple[Choice, ...]

    @property
    def chosen_text(self) -> str:
        return next((choice.text for choice in self.choices if choice.value == self.chosen), self.chosen)


def narrowing_fields(parameters: RecordParameters) -> list[NarrowingField]:
    """One query each."""
    named = Place.objects.exclude(part_of_is_derived=True).order_by("name")
    found = (
        ("place", "Place", "for example sri-lanka", _first(named, "slug", "name")),
        ("type", "Type", "for example Ethnography", tuple(Choice(word, word) for word in types(MOST_OFFERED + 1))),
        ("game", "Game", "for example daramuti", _first(Game.objects.order_by("name"), "slug", "name")),
        ("source", "Source", "for example parker-1909", _first(Source.objects.order_by("key"), "key", "key")),
    )
    return [
        NarrowingField(name, title, parameters.given(name), hint, rows if len(rows) <= MOST_OFFERED else ())
        for name, title, hint, rows in found
    ]


def _first(rows: "QuerySet[Any]", value: str, words: str) -> tuple[Choice, ...]:
    return tuple(Choice(*row) for row in rows.values_list(value, words)[: MOST_OFFERED + 1])
