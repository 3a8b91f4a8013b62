"""Building an edition: the games of each part are asked for, and when they are played the part is written down.

What has a file is done, and batches are known by their content: whoever builds again goes on where it stopped.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from catalogue.edition import batch_parts
from catalogue.edition.derived_parts import document_of
from catalogue.edition.files import EditionFolder
from catalogue.edition.kinds import BATCHES
from catalogue.edition.parts import Part
from simulator.batches.service import request_all
from simulator.models import Batch

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
    """The file of a part whose batches are done."""
    if part.kind == BATCHES:
        batch = Batch.objects.select_related("ruleset").get(id=part.id)
        folder.write(part.kind, part.id, *batch_parts.document_of(batch))
    else:
        folder.write(part.kind, part.id, document_of(part))
