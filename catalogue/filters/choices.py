"""What a form may offer to narrow by: as a list to choose from where it is short enough, else as words to write."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from catalogue.filters.record_parameters import AskedRecords
from catalogue.geography.placed import types
from catalogue.models import Game, Place, Source

MOST_OFFERED = 120  # in one list: more can be neither read nor sent quickly


@dataclass(frozen=True, slots=True)
class Offer:
    """One field of the form; `choices` are values and words, empty if there are too many of them."""

    name: str
    title: str
    chosen: str
    hint: str
    choices: tuple[tuple[str, str], ...]


def offers(asked: AskedRecords) -> list[Offer]:
    """One query each."""
    found: tuple[tuple[str, str, str, Iterable[tuple[str, str]]], ...] = (
        ("place", "Place", "for example sri-lanka", _first(Place.objects.order_by("name"), "slug", "name")),
        ("type", "Type", "for example Ethnography", ((word, word) for word in types(MOST_OFFERED + 1))),
        ("game", "Game", "for example daramuti", _first(Game.objects.order_by("name"), "slug", "name")),
        ("source", "Source", "for example parker-1909", _first(Source.objects.order_by("key"), "key", "key")),
    )
    return [_offer(asked, name, title, hint, tuple(rows)) for name, title, hint, rows in found]


def _first(rows: "QuerySet[Any]", value: str, words: str) -> "QuerySet[Any]":
    return rows.values_list(value, words)[: MOST_OFFERED + 1]


def _offer(asked: AskedRecords, name: str, title: str, hint: str, rows: tuple[tuple[str, str], ...]) -> Offer:
    return Offer(name, title, asked.given(name), hint, rows if len(rows) <= MOST_OFFERED else ())
