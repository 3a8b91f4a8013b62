"""Publishing an edition: writing the index of what is there.

A part that the plan now asks for otherwise stays until the new one is there, and says that it is of an earlier plan.
"""

import datetime
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from catalogue.edition.budget import EditionPlan
from catalogue.edition.files import EditionFolder, digest_of
from catalogue.edition.index import INDEX, EditionRelease, IndexedPart, read_index
from catalogue.edition.kinds import BATCHES, KINDS
from catalogue.edition.parts import Part
from simulator.batches.versions import installed, release
from simulator.problems import WrongRequest
from simulator.statistics.intervals import points_of

MOST_BYTES = 25_000_000


def publish(folder: EditionFolder, plan: EditionPlan, date: datetime.date) -> EditionRelease:
    """Write the index of what is there, and throw away what newer parts stand in the place of.

    Raises WrongRequest, and has then written nothing, if it would be too large to ship.
    """
    wanted = [one.part for one in plan.parts]
    parts = [*_indexed(folder, wanted), *_left(folder, wanted)]
    missing: dict[str, list[str]] = {}
    for part in wanted:
        if not folder.has(part.kind, part.id):
            missing.setdefault(part.kind, []).append(part.name)
    given_up = [str(step) for step in plan.given_up]
    made = EditionRelease(date.isoformat(), release(), installed(), missing, given_up, parts)
    if made.bytes > MOST_BYTES:
        raise WrongRequest.of("edition", f"it would have {made.bytes:,} bytes, and at most {MOST_BYTES:,} are shipped")
    kept = {(one.kind, one.id) for one in parts}
    for kind, key in [*folder.every(KINDS)]:
        if (kind, key) not in kept:
            folder.remove(kind, key)
    document = json.dumps(asdict(made), ensure_ascii=False, indent=1, sort_keys=True)
    (folder.place / INDEX).write_text(f"{document}\n", encoding="utf-8")
    return made


def _indexed(folder: EditionFolder, wanted: Iterable[Part]) -> list[IndexedPart]:
    return [_entry(folder, part) for part in wanted if folder.has(part.kind, part.id)]


def _entry(folder: EditionFolder, part: Part) -> IndexedPart:
    games = sum(request.games for request in part.requests)
    reached = round(points_of(part.requests[0].games), 2) if part.kind == BATCHES else None
    digest = digest_of(folder.read(part.kind, part.id))
    size = folder.size(part.kind, part.id)
    return IndexedPart(part.kind, part.name, part.id, part.game, part.level, digest, size, games, reached, of_plan=True)


def _left(folder: EditionFolder, wanted: list[Part]) -> list[IndexedPart]:
    """Parts of the release before that nothing stands in the place of yet; those that made way are gone."""
    before = read_index(folder)
    done = {(part.kind, part.name) for part in wanted if folder.has(part.kind, part.id)}
    used = _used(folder, wanted)
    left = [one for one in (before.parts if before else ()) if (one.kind, one.name) not in done or one.id in used]
    now = {(part.kind, part.id) for part in wanted}
    there = (one for one in left if (one.kind, one.id) not in now and folder.has(one.kind, one.id))
    return [IndexedPart(**{**asdict(one), "of_plan": False}) for one in there]


def _used(folder: EditionFolder, wanted: list[Part]) -> set[str]:
    """Batches of comparisons that stay."""
    done = {(part.kind, part.name) for part in wanted if folder.has(part.kind, part.id)}
    before: list[Any] = getattr(read_index(folder), "parts", [])
    old = [one for one in before if one.kind == "comparisons" and (one.kind, one.name) not in done]
    return {batch for one in old if folder.has(one.kind, one.id) for batch in folder.read(one.kind, one.id)["places"]}
