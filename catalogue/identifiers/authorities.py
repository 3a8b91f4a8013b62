"""The same things in the files of authorities (GeoNames, Wikidata), where somebody looked them up: `fixtures/`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from catalogue.identifiers.resolution import kind_of
from catalogue.models.lookup import key_of

FILE = Path(settings.BASE_DIR) / "fixtures" / "authorities.json"


@dataclass(frozen=True, slots=True)
class SameElsewhere:
    """A thing in the file of an authority. kind: the rows of which it is said, "country"; empty: any

    checked_on, checked_by, checked_in: when it was looked up, by whom, and in what
    """

    authority: str
    address: str
    number: str
    kind: str
    checked_on: str
    checked_by: str
    checked_in: str


@cache
def authorities() -> Mapping[str, tuple[SameElsewhere, ...]]:
    """Identifier of a row, "place/sri-lanka" → what is the same elsewhere."""
    found: dict[str, list[SameElsewhere]] = {}
    for check in json.loads(FILE.read_text(encoding="utf-8"))["checks"]:
        told = (check["kind"], check["checked_on"], check["checked_by"], check["checked_in"])
        for identifier, number in check["same"].items():
            one = SameElsewhere(check["authority"], check["address"].format(number), number, *told)
            found.setdefault(identifier, []).append(one)
    return {identifier: tuple(same) for identifier, same in found.items()}


def same_elsewhere(row: Any) -> tuple[SameElsewhere, ...]:
    """Return what a row is called by authorities; nothing where nobody has looked. A region that has the name of a
    country is no country."""
    every = authorities().get(f"{kind_of(row).name}/{key_of(row)}", ())
    return tuple(one for one in every if not one.kind or one.kind == getattr(row, "kind", ""))
