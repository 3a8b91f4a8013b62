"""Making an edition: its parts are built, what is there is published, and an edition is loaded into this database.

The games of each part are requested, and when they are played the part is written down. A part that has a file is
done, and batches are known by their content, so that building again goes on where it stopped. A part that the plan now
asks for otherwise stays until the new one is there, and says that it is of an earlier plan. Loading can be repeated:
what is here already stays as it is; only studies whose figures an earlier version made of their games are restated.
"""

import datetime
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from catalogue.analyses.studies import restate_kept
from catalogue.edition import batch_parts
from catalogue.edition.files import INDEX, EditionFolder, EditionRelease, IndexedPart, digest_of, read_index
from catalogue.edition.kinds import BATCHES, CONCLUSIONS, KINDS
from catalogue.edition.plans import EditionPlan, Part
from simulator.batches.service import request_all
from simulator.batches.versions import installed, release
from simulator.models import Batch
from simulator.problems import WrongRequest
from simulator.statistics.intervals import points_of

AHEAD = 6  # parts whose games are asked for before their turn, so that no worker waits for the last of one

Play = Callable[[list[Batch]], str]  # sees batches to their end; says why if they cannot be played


@dataclass
class Built:
    """written: parts that have a file now; failed: "studies asi-keliya greedy: …" """

    written: int = 0
    failed: list[str] = field(default_factory=list)


def unfinished(folder: EditionFolder, parts: Sequence[Part]) -> list[Part]:
    return [part for part in parts if not folder.has(part.kind, part.id)]


def build(
    folder: EditionFolder, parts: Sequence[Part], play: Play, notify: Callable[[str], None], *, announce: bool
) -> Built:
    """Write every part that has no file. notify: called with a line for each; announce: whether workers play"""
    waiting, built = unfinished(folder, parts), Built()
    for place, part in enumerate(waiting):
        notify(f"{place + 1} of {len(waiting)}: {part.kind} {part.name}")
        if announce:
            for ahead in waiting[place + 1 : place + AHEAD]:
                _asked_for(ahead, announce=True)
        if why := play(_asked_for(part, announce=announce)):
            built.failed.append(f"{part.kind} {part.name}: {why}")
            continue
        write(folder, part)
        built.written += 1
    return built


def _asked_for(part: Part, *, announce: bool) -> list[Batch]:
    """Those of readings come with the catalogue; the others are asked for like a command's."""
    origin = Batch.Origin.DEMO if part.kind == BATCHES else Batch.Origin.COMMAND
    batches: list[Batch] = request_all(part.requests, announce=announce, origin=origin)
    if part.kind == BATCHES:  # somebody may have asked for it before
        Batch.objects.filter(id__in=[one.id for one in batches]).update(origin=origin)
    return batches


def write(folder: EditionFolder, part: Part) -> None:
    """The file of a part whose batches are done; one of a conclusion names each batch with its digest."""
    if part.kind == BATCHES:
        batch = Batch.objects.select_related("ruleset").get(id=part.id)
        folder.write(part.kind, part.id, *batch_parts.document_of(batch))
        return
    ids = [request.id for request in part.requests]
    digests = dict(Batch.objects.filter(id__in=ids).values_list("id", "digest"))
    document = CONCLUSIONS[part.kind].shipped(part.request)
    folder.write(part.kind, part.id, {**document, "batches": digests})


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


@dataclass(frozen=True, slots=True)
class LoadedEdition:
    """How many parts of each kind are new here."""

    date: str
    new: dict[str, int]


def load(folder: EditionFolder) -> LoadedEdition:
    """Raises WrongRequest for a damaged part, and has then written nothing."""
    release = read_index(folder)
    day = datetime.date.fromisoformat(release.date) if release else timezone.now().date()
    moment = datetime.datetime.combine(day, datetime.time(), datetime.UTC)
    with transaction.atomic():
        new = {BATCHES: batch_parts.load(folder, folder.ids(BATCHES), moment)}
        for kind, conclusion in CONCLUSIONS.items():
            here = conclusion.ids_here()
            fresh = (key for key in folder.ids(kind) if key not in here)
            new[kind] = sum(conclusion.keep(key, folder.read(kind, key), moment) for key in fresh)
        restate_kept()
    return LoadedEdition(release.date if release else "", new)
