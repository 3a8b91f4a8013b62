"""Making an edition: its parts are built, what is there is published, and an edition is loaded into this database.

The games of each part are requested, and when they are played the part is written down. A part that has a file is
done, and batches are known by their content, so that building again goes on where it stopped. A part that the plan now
asks for otherwise stays until the new one is there, and says that it is of an earlier plan; but one that other players
are to play is withheld until they have, for its figures are no longer those of the level. Loading can be repeated:
what is here already stays as it is; only figures that an earlier version made of the games of batches and studies are
restated.

The part of a batch holds its request, digests, tally, figures and drawings, and has its rows beside it; if its traffic
is counted, it has the figures of that and the digest of the sums that they follow from, and no rows. When its family
changes later it stays what it was: it names its versions, and is never taken for a newer one.
"""

import datetime
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice

import numpy as np
from django.db import transaction
from django.utils import timezone

from catalogue.analyses.studies import restate_kept
from catalogue.edition.files import INDEX, Document, EditionFolder, EditionRelease, IndexedPart, digest_of, read_index
from catalogue.edition.plans import EditionPlan, Part
from catalogue.edition.superseded import write_superseded
from catalogue.edition.terms import BATCHES, COMPARISONS, CONCLUSIONS, KINDS, PLAYED
from catalogue.models.fields import insert
from simulator import rulesets
from simulator.batches import finalize
from simulator.batches.finalize import in_words_of_today, measurements_of, restate_batches
from simulator.batches.requests import request_of_batch
from simulator.batches.rows import Rows, RowsDigest, kept_rows, measure_names, packed
from simulator.batches.service import request_all
from simulator.batches.versions import installed, release
from simulator.engine.documents import parse_kept
from simulator.engine.family import family
from simulator.engine.naming import seat_name
from simulator.engine.players.names import player
from simulator.locks import BATCHES as BATCHES_ASKED_FOR
from simulator.locks import exclusive
from simulator.models import Batch, Chunk, Measurement, Plot, Traffic
from simulator.problems import WrongRequest
from simulator.statistics.intervals import points_of

AHEAD = 6  # parts whose games are asked for before their turn, so that no worker waits for the last of one

EARLIER_NAME = re.compile(r"\b(?:hunter|herd) \(((?:first|second) player)\)")

Play = Callable[[list[Batch]], str]  # sees batches to their end; says why if they cannot be played
MOST_BYTES = 25_000_000
AT_ONCE = 24  # batches in memory
TERMS = ("family_version", "players_version", "players", "seed", "games", "cap", "until", "work", "rows_kept")
# Left out where it is the same number as family_version, as in all parts before there were two.
ROW_VERSION = "row_version"
RESULTS = ("digest", "tally_digest", "tally", "summary")
OWN = ("state", "origin", "visitor", "shared", "closed", "provenance")
MEASURED = ("place", "measure", "censored", *finalize.FIGURE)
DRAWING = ("kind", "place", "digest", "svg", "height", "title", "description", "caption", "table")


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
    """The batches of a part. Those of readings come with the catalogue; the others are requested like a command's."""
    origin = _origin(part.kind)
    batches: list[Batch] = request_all(part.requests, announce=announce, origin=origin)
    if part.kind == BATCHES:  # somebody may have asked for it before
        Batch.objects.filter(id__in=[batch.id for batch in batches]).update(origin=origin)
    return batches


def _origin(kind: str) -> Batch.Origin:
    return Batch.Origin.DEMO if kind == BATCHES else Batch.Origin.COMMAND


def write(folder: EditionFolder, part: Part) -> None:
    """The file of a part whose batches are done; one of a conclusion names each batch with its digest."""
    if part.kind in PLAYED:
        batch = Batch.objects.select_related("ruleset").get(id=part.id)
        folder.write(part.kind, part.id, *document_of(batch))
        return
    ids = [request.id for request in part.requests]
    digests = dict(Batch.objects.filter(id__in=ids).values_list("id", "digest"))
    document = CONCLUSIONS[part.kind].shipped(part.request)
    folder.write(part.kind, part.id, {**document, "batches": digests})


def publish(folder: EditionFolder, plan: EditionPlan, date: datetime.date) -> EditionRelease:
    """Write the index of the parts that are there, and throw away the parts that newer ones replace, which stay known.

    Raises WrongRequest, and has then written nothing, if it would be too large to ship.
    """
    wanted, before = [one.part for one in plan.parts], read_index(folder)
    absent = [part for part in wanted if not folder.has(part.kind, part.id)]
    waiting = [part for part in absent if before and _by_other_players(before, part)]
    there = (_entry(folder, part) for part in wanted if folder.has(part.kind, part.id))
    parts = [*there, *_left(folder, wanted, before, waiting)]
    given_up = [str(step) for step in plan.given_up]
    missing, withheld = _names_by_kind(absent), _names_by_kind(waiting)
    made = EditionRelease(date.isoformat(), release(), installed(), missing, given_up, parts, withheld)
    if made.bytes > MOST_BYTES:
        raise WrongRequest.of("edition", f"it would have {made.bytes:,} bytes, and at most {MOST_BYTES:,} are shipped")
    kept = {(one.kind, one.id) for one in parts}
    for kind, key in [*folder.every(KINDS)]:
        if (kind, key) not in kept:
            folder.remove(kind, key)
    document = json.dumps(asdict(made), ensure_ascii=False, indent=1, sort_keys=True)
    write_superseded(folder, before, made)
    (folder.place / INDEX).write_text(f"{document}\n", encoding="utf-8")
    return made


def _entry(folder: EditionFolder, part: Part) -> IndexedPart:
    games = sum(request.games for request in part.requests)
    reached = round(points_of(part.requests[0].games), 2) if part.kind == BATCHES else None
    digest = digest_of(folder.read(part.kind, part.id))
    size = folder.size(part.kind, part.id)
    return IndexedPart(
        part.kind, part.name, part.id, part.game, part.level, digest, size, games, reached, True, _players(part)
    )


def _players(part: Part) -> list[str]:
    return sorted({",".join(request.players) for request in part.requests})


def _names_by_kind(parts: Iterable[Part]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for part in parts:
        found.setdefault(part.kind, []).append(part.name)
    return found


def _by_other_players(before: EditionRelease, part: Part) -> bool:
    """Whether the part of that name in the release before was played by others, or is withheld already.

    Where the index does not name its players, it stands if nobody who searches, or weighs as another game does, plays.
    """
    if part.name in before.withheld.get(part.kind, ()):
        return True
    known = [one for one in before.parts if (one.kind, one.name) == (part.kind, part.name)]
    now = _players(part)
    if all(one.players for one in known):
        return any(one.players != now for one in known)
    every = {player(name) for line in now for name in line.split(",")}
    return any(one.uses_search or one.weights for one in every)


def _left(
    folder: EditionFolder, wanted: list[Part], release: EditionRelease | None, waiting: list[Part]
) -> list[IndexedPart]:
    """Parts of the release before whose successors are not there yet, with the batches of comparisons that stay.

    waiting: what is withheld, and does not stay
    """
    before = [one for one in (release.parts if release else ()) if folder.has(one.kind, one.id)]
    held = {(part.kind, part.name) for part in waiting}
    expected = {(part.kind, part.name) for part in wanted if not folder.has(part.kind, part.id)} - held
    old = [one for one in before if one.kind == COMPARISONS and (one.kind, one.name) in expected]
    used = {batch for one in old for batch in folder.read(one.kind, one.id)["places"]}
    now = {(part.kind, part.id) for part in wanted}
    left = [one for one in before if (one.kind, one.name) in expected or one.id in used]
    return [replace(one, of_plan=False) for one in left if (one.kind, one.id) not in now]


@dataclass(frozen=True, slots=True)
class LoadedEdition:
    """The number of parts of each kind that are new here."""

    date: str
    new: dict[str, int]


def load(folder: EditionFolder) -> LoadedEdition:
    """Raises WrongRequest for a damaged part, and has then written nothing."""
    release = read_index(folder)
    day = datetime.date.fromisoformat(release.date) if release else timezone.now().date()
    moment = datetime.datetime.combine(day, datetime.time(), datetime.UTC)
    with transaction.atomic():
        new = {kind: load_batches(folder, folder.ids(kind), moment, kind) for kind in PLAYED}
        for kind, conclusion in CONCLUSIONS.items():
            here = conclusion.ids_here()
            fresh = (key for key in folder.ids(kind) if key not in here)
            new[kind] = sum(conclusion.keep(key, in_names_of_today(folder.read(kind, key)), moment) for key in fresh)
        restate_kept()
        restate_batches()
    return LoadedEdition(release.date if release else "", new)


def in_names_of_today(document: Document) -> Document:
    """Return a conclusion with the sides called as today, where an earlier release called them hunter and herd."""
    told = json.dumps(document)
    if not EARLIER_NAME.search(told):
        return document
    name = document.get("names", [document.get("document", {}).get("base")])[0]
    row = rulesets.row_called(name) if name else None
    if row is None:
        return document
    naming = family(row.family).naming(rulesets.as_engine(row).parameters)
    seats = {seat_name(seat): naming.seat(seat) for seat in range(2)}
    named: Document = json.loads(EARLIER_NAME.sub(lambda found: seats[found[1]], told))
    return named


def document_of(batch: Batch) -> tuple[Document, Rows | None]:
    """The document of a finished batch, and its rows if they are kept."""
    finalize.draw_if_undrawn(batch.id)
    named = {name: getattr(batch, name) for name in (*TERMS, *RESULTS)}
    if batch.columns_version != batch.family_version:
        named[ROW_VERSION] = batch.columns_version
    plots = [{name: getattr(plot, name) for name in DRAWING} for plot in batch.plots.order_by("place")]
    ruleset = {"hash": batch.ruleset_id, "document": batch.ruleset.document}
    if batch.counts_traffic:
        counted = {name: getattr(batch.traffic, name) for name in ("digest", "figures", "version")}
        named |= {"rows_kept": False, "digest": batch.tally_digest, "traffic": counted}
        return {"ruleset": ruleset, **named, "plots": plots}, None
    kept = [rows for _, rows in kept_rows(batch)]
    return {"ruleset": ruleset, **named, "plots": plots}, np.concatenate(kept) if kept else None


def load_batches(folder: EditionFolder, keys: Iterable[str], moment: datetime.datetime, kind: str = BATCHES) -> int:
    """Keep the batches that are not done here, and return their number. Raises WrongRequest.

    A batch that was stopped, has failed or is still being played becomes the finished one: it keeps its row, which
    others name, and loses its chunks, so that a worker who has one finds that it is nobody's any more.
    moment: when they are said to have been closed
    """
    wanted = list(keys)
    if Batch.objects.filter(id__in=wanted).exclude(state=Batch.State.DONE).exists():
        exclusive(BATCHES_ASKED_FOR)  # nobody lets one of them run on meanwhile
    done = set(Batch.objects.filter(state=Batch.State.DONE).order_by().values_list("id", flat=True))
    new = [key for key in wanted if key not in done]
    rest = iter(new)
    while some := list(islice(rest, AT_ONCE)):
        _load(folder, some, moment, kind)
    return len(new)


def _load(folder: EditionFolder, keys: list[str], moment: datetime.datetime, kind: str) -> None:
    documents = {key: folder.read(kind, key) for key in keys}
    kept = {document["ruleset"]["hash"]: document["ruleset"]["document"] for document in documents.values()}
    named = {key: rulesets.save(parse_kept(document)) for key, document in kept.items()}
    redrawn = set()  # drawings that call the sides as an earlier release did: a worker draws them again
    for key, document in documents.items():
        told = in_words_of_today(document["summary"], named[document["ruleset"]["hash"]])
        before = _titles(document["summary"])
        redrawn |= {key for name, title in _titles(told).items() if title != before.get(name, title)}
        document["summary"] = told
    batches = [_batch(key, one, moment, kind) for key, one in documents.items()]
    columns = [*TERMS, ROW_VERSION, *RESULTS, *OWN, "counts_traffic"]
    Batch.objects.bulk_create(batches, update_conflicts=True, unique_fields=["id"], update_fields=columns)
    Batch.objects.filter(id__in=keys).update(created=moment)
    for model in (
        Chunk,
        Measurement,
        Plot,
        Traffic,
    ):  # after the batches, since a worker may have closed one just before
        model._default_manager.filter(batch__in=keys).delete()
    Chunk.objects.bulk_create(_chunk(folder, batch) for batch in batches)
    measured = (
        (key, *map(one.__getitem__, MEASURED)) for key in keys for one in measurements_of(documents[key]["summary"])
    )
    insert(Measurement, ("batch_id", *MEASURED), measured)
    counted = ((key, documents[key]["traffic"]) for key in keys if "traffic" in documents[key])
    Traffic.objects.bulk_create(Traffic(batch_id=key, sums=b"", **kept) for key, kept in counted)
    drawn = (key for key in keys if key not in redrawn)
    plots = ((key, *map(plot.__getitem__, DRAWING)) for key in drawn for plot in documents[key]["plots"])
    insert(Plot, ("batch_id", *DRAWING), plots)


def _titles(summary: Document) -> dict[str, str]:
    return {row["key"]: row["title"] for section in summary["sections"] for row in section["rows"]}


def _batch(key: str, document: Document, moment: datetime.datetime, kind: str) -> Batch:
    columns = {name: document[name] for name in (*TERMS, *RESULTS)} | {ROW_VERSION: document.get(ROW_VERSION)}
    columns |= {"origin": _origin(kind), "counts_traffic": "traffic" in document}
    ruleset = document["ruleset"]["hash"]
    batch = Batch(id=key, ruleset_id=ruleset, state=Batch.State.DONE, closed=moment, **columns)
    if (named := request_of_batch(batch).id_with(batch.players_version or 0)) != key:
        raise WrongRequest.of("edition", f"{kind}/{key} holds the batch {named}")
    return batch


def _chunk(folder: EditionFolder, batch: Batch) -> Chunk:
    """All games of a batch in one chunk."""
    rows = None
    if batch.rows_kept:
        rows = folder.rows(BATCHES, batch.id, len(measure_names(batch)))
        digest = RowsDigest()
        digest.add(rows if rows is not None else np.zeros((0, 1), dtype=np.int32))
        if rows is None or digest.hexdigest() != batch.digest:
            raise WrongRequest.of("edition", f"the rows of {BATCHES}/{batch.id} are not those of its digest")
    return Chunk(
        batch=batch,
        number=0,
        first_game=0,
        games=batch.games,
        state=Chunk.State.DONE,
        rows=None if rows is None else packed(rows),
        digest=batch.digest,
        finished=batch.closed,
    )
