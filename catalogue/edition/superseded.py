"""Parts of earlier editions, which stay known by their addresses and digests, and say what took their place.

Publishing writes each part that leaves the edition into `superseded.json`, beside the index: by whom it was played, its
digest, and the day and the release that it was last a part of. What took its place is looked up in the edition that
ships, since that may change again: the part of the same kind and name. Files of such parts are no longer shipped.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.urls import NoReverseMatch, ResolverMatch, reverse

from catalogue.edition.files import FOLDER, INDEX, EditionFolder, EditionRelease, IndexedPart, read_index
from catalogue.edition.terms import (
    BATCHES,
    CLAIMS,
    COMPARISONS,
    LADDERS,
    PLAYED,
    SOLUTIONS,
    STUDIES,
    TITLES,
    TRAFFIC,
    WEAR,
)
from catalogue.models.lookup import HEX, NothingHere
from catalogue.texts.words import LONGEST_COMPARED
from simulator.problems import WrongRequest

FILE = "superseded.json"
# Where a part is told of: the name of the page, and of the row in the API, under its id.
PAGES = {BATCHES: "batch", TRAFFIC: "batch", COMPARISONS: "comparison", STUDIES: "study", WEAR: "wear"}


@dataclass(frozen=True, slots=True)
class EditionPart:
    """A part of an edition that was published.

    date, release: of the last edition that has it; players: of a batch, which can be played again by them
    by: the part that took its place; None while it is a part of the edition that ships, or if there is none yet
    """

    kind: str
    name: str
    id: str
    game: str
    level: str
    digest: str
    games: int
    date: str
    release: str
    players: str = ""
    is_shipped: bool = False
    by: IndexedPart | None = None

    @property
    def words(self) -> str:
        return TITLES.get(self.kind, self.kind)

    @property
    def address(self) -> str:
        return page_of(self.kind, self.name, self.id, self.game)

    @property
    def successor(self) -> str:
        """The page of what took its place; of the game, if nothing did yet."""
        if self.by is None:
            return page_of("", "", "", self.game)
        return page_of(self.by.kind, self.by.name, self.by.id, self.by.game)

    @property
    def successor_in_api(self) -> str:
        """The same in the API; empty where it has no row of its own."""
        if self.by is None or self.by.kind not in PAGES:
            return ""
        return reverse(f"v1:{PAGES[self.by.kind]}-detail", args=[self.by.id])

    @property
    def own_page(self) -> str:
        return reverse("edition-part", args=[self.id])


def page_of(kind: str, name: str, key: str, game: str) -> str:
    """The page that tells of a part; of its game, where the part has none."""
    try:
        if kind in PAGES:
            return reverse(PAGES[kind], args=[key])
        if kind == CLAIMS:
            return reverse("claim", args=name.split("/", 1))
        if kind in (LADDERS, SOLUTIONS):
            return reverse("ruleset", args=[name])
        return reverse("game", args=[game])
    except NoReverseMatch:
        return reverse("edition")


def _kept(part: IndexedPart, release: EditionRelease) -> EditionPart:
    players = part.players[0] if part.kind in PLAYED and part.players else ""
    terms = part.kind, part.name, part.id, part.game, part.level, part.digest, part.games
    return EditionPart(*terms, release.date, release.release, players)


def read_superseded(folder: EditionFolder) -> list[EditionPart]:
    """The oldest first. Raises WrongRequest if the file is damaged."""
    file = folder.place / FILE
    if not file.exists():
        return []
    try:
        return [EditionPart(**one) for one in json.loads(file.read_text(encoding="utf-8"))]
    except (ValueError, TypeError) as error:
        raise WrongRequest.of("edition", f"{FILE} is damaged: {error}") from error


def write_superseded(folder: EditionFolder, before: EditionRelease | None, now: EditionRelease) -> None:
    """Add the parts of the release before that the new one has no longer, and leave out those that it has again."""
    known = {(one.kind, one.id, one.digest): one for one in read_superseded(folder)}
    if before is not None:
        known |= {(part.kind, part.id, part.digest): _kept(part, before) for part in before.parts}
    for part in now.parts:
        known.pop((part.kind, part.id, part.digest), None)
    if not known:
        return
    rows = (_row(one) for one in known.values())
    text = ",\n".join(json.dumps(one, ensure_ascii=False, sort_keys=True) for one in rows)
    (folder.place / FILE).write_text(f"[\n{text}\n]\n", encoding="utf-8")


def _row(part: EditionPart) -> dict[str, Any]:
    left_out = {"by", "is_shipped"} | (set() if part.players else {"players"})
    return {name: value for name, value in asdict(part).items() if name not in left_out}


@dataclass(frozen=True, slots=True)
class PublishedParts:
    """All parts that were ever published. by_name: "c2808ed99853ed9c", or the digest"""

    shipped: tuple[EditionPart, ...] = ()
    superseded: tuple[EditionPart, ...] = ()
    by_name: Mapping[str, EditionPart] = field(default_factory=dict)


def published_parts(place: Path | None = None) -> PublishedParts:
    """Those of the edition that ships, and of all before it; read again when one of the two files was written since."""
    folder = place or FOLDER
    files = (folder / INDEX, folder / FILE)
    return _read(folder, *(file.stat().st_mtime_ns if file.exists() else 0 for file in files))


@lru_cache(maxsize=4)
def _read(folder: Path, *stamps: int) -> PublishedParts:
    release = read_index(EditionFolder(folder))
    now = release.parts if release else []
    successors = {(one.kind, one.name): one for one in now}
    old = [replace(one, by=successors.get((one.kind, one.name))) for one in read_superseded(EditionFolder(folder))]
    shipped = [replace(_kept(part, release), is_shipped=True) for part in now] if release else []
    # By its id, what ships is meant, or else the newest; by a digest it is always the one part.
    names = {one.id: one for one in (*old, *shipped)} | {one.digest: one for one in (*old, *shipped)}
    return PublishedParts(tuple(shipped), tuple(old), names)


def part_called(key: str) -> EditionPart:
    """The part of an edition with this id or digest; raises NothingHere."""
    part = published_parts().by_name.get(key)
    if part is None:
        raise NothingHere(f"No edition has had a part “{key[:LONGEST_COMPARED]}”: parts are named by id or digest.")
    return part


def superseded_at(match: ResolverMatch | None) -> EditionPart | None:
    """The part of an earlier edition that an address names; None if it names none, or one that ships."""
    if match is None or match.view_name.endswith("edition-part"):
        return None
    # The id in "c2808ed99853ed9c" and "batch/c2808ed99853ed9c"; the files are read for such addresses only.
    names = [str(value).strip("/").rpartition("/")[2] for value in match.kwargs.values()]
    found = [published_parts().by_name.get(name) for name in names if re.fullmatch(HEX, name)]
    return next((one for one in found if one is not None and not one.is_shipped), None)
