"""The contents of the edition that ships, for its page and the API: by kind and level, and how well shares are known.

All of it stands in the index and the plan, which are read once, and again when one of them was written since.
"""

import datetime
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from catalogue.citations.items import Item, edition_item
from catalogue.edition.files import FOLDER, INDEX, SAMPLE, EditionFolder, EditionRelease, IndexedPart, read_index
from catalogue.edition.terms import BATCHES, KINDS, OF_A_LEVEL, PLAN, TITLES, EditionTerms, LevelTerms, read_plan
from catalogue.models.lookup import NothingHere
from catalogue.web.addresses import site_address
from simulator.batches.levels import players_of_level
from simulator.models import Batch

VERIFY = f"manage.py edition verify --sample {SAMPLE}"


@dataclass(frozen=True, slots=True)
class HeldParts:
    """The parts of a kind on a level of play; the level is empty where several levels meet, or none matters.

    parts:   that are there
    earlier: of `parts`, those of an earlier plan whose successor is not there yet
    games:   that were played for these parts, each counted for every kind that is made of it
    missing: names of the parts of the plan that are not there yet
    withheld: those of them that were there, and are withheld until other players have played them
    """

    kind: str
    level: str
    parts: int
    earlier: int
    games: int
    bytes: int
    missing: tuple[str, ...]
    withheld: tuple[str, ...]

    @property
    def asked_for(self) -> int:
        """The number of parts that the plan asks for."""
        return self.parts - self.earlier + len(self.missing)

    @property
    def words(self) -> str:
        return TITLES[self.kind]


@dataclass(frozen=True, slots=True)
class ReachedPrecision:
    """How well the readings are known on a level: every share of a reading, ± percentage points.

    points:       the precision that the plan wishes; within: readings that are known so well, or better
    first_rounds: whether only the first round of a game is played, where games have rounds
    best, worst:  of the readings that are there; None if none is
    """

    level: str
    points: float
    first_rounds: bool
    readings: int
    within: int
    best: float | None
    worst: float | None
    missing: int


@dataclass(frozen=True, slots=True)
class EditionContents:
    """digest: SHA-256 of the index, which names that of every part"""

    release: EditionRelease
    digest: str
    held: tuple[HeldParts, ...]
    reached: tuple[ReachedPrecision, ...]

    @property
    def date(self) -> datetime.date:
        return datetime.date.fromisoformat(self.release.date)

    @property
    def missing(self) -> int:
        return sum(len(one.missing) for one in self.held)

    @property
    def withheld(self) -> int:
        return sum(len(one.withheld) for one in self.held)


def shipped_edition(place: Path | None = None, plan: Path | None = None) -> EditionContents | None:
    """The edition that is published; None if none is. Raises WrongRequest if index or plan is damaged.

    place, plan: those that ship, unless others are named
    """
    index, plan = (place or FOLDER) / INDEX, plan or PLAN
    if not index.exists():
        return None
    return _read(index, plan, _stamp(index), _stamp(plan))


def published_edition() -> EditionContents:
    """The edition that ships; raises NothingHere where there is none."""
    found = shipped_edition()
    if found is None:
        raise NothingHere("No edition was published here.")
    return found


def cited(edition: EditionContents, request: HttpRequest) -> Item:
    """The item that cites it, looked at today."""
    address = f"{site_address(request)}{reverse('edition')}"
    return edition_item(edition.date, edition.digest, accessed=timezone.now().date(), address=address)


def _stamp(file: Path) -> tuple[int, int]:
    """The time and the size of a file, which change when it is written."""
    known = file.stat()
    return known.st_mtime_ns, known.st_size


@lru_cache(maxsize=4)
def _read(index: Path, plan: Path, *stamps: tuple[int, int]) -> EditionContents | None:
    release = read_index(EditionFolder(index.parent))
    if release is None:
        return None
    terms, digest = read_plan(plan), hashlib.sha256(index.read_bytes()).hexdigest()
    held = tuple(_held(release, terms))
    return EditionContents(release, digest, held, tuple(_reached(level, release, held) for level in terms.levels))


def _held(release: EditionRelease, terms: EditionTerms) -> Iterator[HeldParts]:
    there: dict[tuple[str, str], list[IndexedPart]] = {}
    missing: dict[tuple[str, str], list[str]] = {}
    for part in release.parts:
        there.setdefault((part.kind, part.level), []).append(part)
    for kind, names in release.missing.items():
        for name in names:
            level = name.rpartition(" ")[2] if kind in OF_A_LEVEL else ""
            missing.setdefault((kind, level), []).append(name)
    names_of_levels = [player for one in terms.levels for player in players_of_level(one.level)]
    order = {level: place for place, level in enumerate(["", *names_of_levels])}
    for kind, level in sorted({*there, *missing}, key=lambda one: (KINDS.index(one[0]), order.get(one[1], -1), one[1])):
        parts = there.get((kind, level), [])
        yield HeldParts(
            kind=kind,
            level=level,
            parts=len(parts),
            earlier=sum(not one.of_plan for one in parts),
            games=sum(one.games for one in parts),
            bytes=sum(one.bytes for one in parts),
            missing=tuple(missing.get((kind, level), ())),
            withheld=tuple(name for name in missing.get((kind, level), ()) if name in release.withheld.get(kind, ())),
        )


def _reached(level: LevelTerms, release: EditionRelease, held: Iterable[HeldParts]) -> ReachedPrecision:
    batches = (BATCHES, level.level)
    points = [part.reached for part in release.parts if (part.kind, part.level) == batches and part.reached]
    return ReachedPrecision(
        level=level.level,
        points=level.points,
        first_rounds=level.until == Batch.Until.ROUND,
        readings=len(points),
        within=sum(point <= level.points for point in points),
        best=min(points, default=None),
        worst=max(points, default=None),
        missing=sum(len(one.missing) for one in held if (one.kind, one.level) == batches),
    )
