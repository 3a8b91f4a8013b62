"""One record, seen on several pages.

The portal repeats a record on the page of its place and on that of its game, broken into lines differently. Texts that
differ only in white space are the same text; of those the one with the most line breaks is taken, since the source's
paragraphs can be lost by joining lines but not regained. Any other difference is reported, and the first page stands.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from catalogue.portal.record_pages import Record
from catalogue.texts.white_space import same

TEXTS = ("rules", "reference", "content")
WHERE_SEEN = ("identifier", "line")


@dataclass(frozen=True, slots=True)
class Difference:
    """Two pages, or a page and the catalogue, say different things of one field of one record."""

    identifier: str
    field: str
    kept: Any
    kept_from: str
    offered: Any
    offered_by: str


@dataclass(frozen=True, slots=True)
class Sighting:
    record: Record
    file: str


def gather(sightings: Iterable[Sighting]) -> tuple[list[Sighting], list[Difference]]:
    """One sighting for each record, in the order first seen, and what the others said differently."""
    gathered: dict[str, Sighting] = {}
    differences: list[Difference] = []
    for sighting in sightings:
        first = gathered.setdefault(sighting.record.identifier, sighting)
        if first is not sighting:
            gathered[sighting.record.identifier] = replace(
                first, record=_with_most_lines(first.record, sighting.record)
            )
            differences.extend(_differences(first, sighting))
    return list(gathered.values()), differences


def _with_most_lines(first: Record, other: Record) -> Record:
    texts = {}
    for name in TEXTS:
        one, two = getattr(first, name), getattr(other, name)
        texts[name] = two if same(one, two) and two.count("\n") > one.count("\n") else one
    return replace(first, **texts)


def _differences(first: Sighting, other: Sighting) -> list[Difference]:
    found = []
    for name in (field.name for field in fields(Record) if field.name not in WHERE_SEEN):
        one, two = getattr(first.record, name), getattr(other.record, name)
        if not same(one, two):
            found.append(Difference(first.record.identifier, name, one, first.file, two, other.file))
    return found
