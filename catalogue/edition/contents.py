"""What the edition that ships holds, for its page and the API: by kind and level, and how well its shares are known.

All of it stands in the index and the plan, which are read once, and again where one of them was written since.
"""

import datetime
import hashlib
from collections.abc import Iterable
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
from simulator.models import Batch

VERIFY = f"manage.py edition verify --sample {SAMPLE}"


@dataclass(frozen=True, slots=True)
class HeldParts:
    """Parts of a kind, played on a level; it is empty where several levels meet, or none matters.

    parts:   that are there; asked_for: by the plan, with those that are not
    earlier: of `parts` those that an earlier plan asked for, and nothing stands in the place of yet
    games:   that were played for these parts, each counted for every kind that is made of it
    missing: names of those that are not there yet
    """

    kind: str
    level: str
    parts: int
    earlier: int
    games: int
    bytes: int
    missing: tuple[str, ...]

    @property
    def asked_for(self) -> int:
        return self.parts - self.earlier + len(self.missing)

    @property
    def words(self) -> str:
        return TITLES[self.kind]


@dataclass(frozen=True, slots=True)
class ReachedPrecision:
    """How well the readings are known on a level: every share of a reading, ± percentage points.

    points:   that the plan wishes; within: readings that are known so well, or better
    best, worst: of those that are there; None if none is
    first_rounds: whether only the first round of a game is played, where games have rounds
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


def shipped_edition(place: Path | None = None, plan: Path | None = None) -> EditionContents | None:
    """What is published there; None if nothing is. Raises WrongRequest if index or plan is damaged.

    place, plan: those that ship, unless others are named
    """
    index, plan = (place or FOLDER) / INDEX, plan or PLAN
    if not index.exists():
        return None
    return _read(index, plan, _stamp(index), _stamp(plan))


def published_edition() -> EditionContents:
    """The one that ships; raises NothingHere where there is none."""
    found = shipped_edition()
    if found is None:
        raise NothingHere("No edition was published here.")
    return found


def cited(edition: EditionContents, request: HttpRequest) -> Item:
    """The item that cites it, looked at today."""
    address = f"{site_address(request)}{reverse('edition')}"
    return edition_item(edition.date, edition.digest, accessed=timezone.now().date(), address=address)


def _stamp(file: Path) -> tuple[int, int]:
    """Another one if the file was written since."""
    known = file.stat()
    return known.st_mtime_ns, known.st_size


@lru_cache(maxsize=4)
def _read(index: Path, plan: Path, *stamps: tuple[int, int]) -> EditionContents | None:
    release = read_index(EditionFolder(index.parent))
    if release is None:
        return None
    terms, digest = read_plan(plan), hashlib.sha256(index.read_bytes()).hexdigest()
    return EditionContents(release, digest, tuple(_held(release, terms)), tuple(_reached(release, terms)))


def _held(release: EditionRelease, terms: EditionTerms) -> Iterable[HeldParts]:
    there: dict[tuple[str, str], list[IndexedPart]] = {}
    for part in release.parts:
        there.setdefault((part.kind, part.level), []).append(part)
    missing: dict[tuple[str, str], list[str]] = {}
    for kind, names in release.missing.items():
        for name in names:
            level = name.rpartition(" ")[2] if kind in OF_A_LEVEL else ""
            missing.setdefault((kind, level), []).append(name)
    levels = ["", *(one.level for one in terms.levels)]
    order = {level: place for place, level in enumerate(levels)}
    for kind, level in sorted({*there, *missing}, key=lambda one: (KINDS.index(one[0]), order.get(one[1], -1), one[1])):
        parts = there.get((kind, level), [])
        yield HeldParts(
            kind,
            level,
            len(parts),
            sum(not one.of_plan for one in parts),
            sum(one.games for one in parts),
            sum(one.bytes for one in parts),
            tuple(missing.get((kind, level), ())),
        )


def _reached(release: EditionRelease, terms: EditionTerms) -> Iterable[ReachedPrecision]:
    missing = [name.rpartition(" ")[2] for name in release.missing.get(BATCHES, ())]
    return (_of_level(level, release.parts, missing.count(level.level)) for level in terms.levels)


def _of_level(level: LevelTerms, parts: Iterable[IndexedPart], missing: int) -> ReachedPrecision:
    points = [one.reached for one in parts if (one.kind, one.level) == (BATCHES, level.level) and one.reached]
    return ReachedPrecision(
        level.level,
        level.points,
        level.until == Batch.Until.ROUND,
        len(points),
        sum(one <= level.points for one in points),
        min(points, default=None),
        max(points, default=None),
        missing,
    )
