"""A batch as a part of an edition: what was asked for, digests, tally, figures and drawings, with its rows beside it.

Of a family that changes later it stays what it was: it names its versions, and is never taken for a newer one.
"""

import datetime
from collections.abc import Iterable
from itertools import islice

import numpy as np

from catalogue.edition.files import Document, EditionFolder
from catalogue.edition.kinds import BATCHES
from simulator import rulesets
from simulator.batches import finalize
from simulator.batches.finalize import measurements_of
from simulator.batches.requests import request_of_batch
from simulator.batches.rows import Rows, RowsDigest, kept_rows, measure_names, packed
from simulator.engine.documents import parse_kept
from simulator.locks import BATCHES as BATCHES_ASKED_FOR
from simulator.locks import exclusive
from simulator.models import Batch, Chunk, Measurement, Plot
from simulator.problems import WrongRequest

AT_ONCE = 24  # batches in memory
TERMS = ("family_version", "players_version", "players", "seed", "games", "cap", "until", "work", "rows_kept")
ROW_VERSION = (
    "row_version"  # left out where it is the same number as family_version, as in all parts before there were two
)
RESULTS = ("digest", "tally_digest", "tally", "summary")
OWN = ("state", "origin", "visitor", "shared", "closed", "provenance")
DRAWING = ("kind", "place", "digest", "svg", "height", "title", "description", "caption", "table")


def document_of(batch: Batch) -> tuple[Document, Rows | None]:
    """Of a batch that is done."""
    finalize.draw_if_undrawn(batch.id)
    named = {name: getattr(batch, name) for name in (*TERMS, *RESULTS)}
    if batch.columns_version != batch.family_version:
        named[ROW_VERSION] = batch.columns_version
    plots = [{name: getattr(plot, name) for name in DRAWING} for plot in batch.plots.order_by("place")]
    ruleset = {"hash": batch.ruleset_id, "document": batch.ruleset.document}
    kept = [rows for _, rows in kept_rows(batch)]
    return {"ruleset": ruleset, **named, "plots": plots}, np.concatenate(kept) if kept else None


def load(folder: EditionFolder, keys: Iterable[str], moment: datetime.datetime) -> int:
    """Keep these as they are, where no batch of that id is done here; says how many. Raises WrongRequest.

    One that was stopped, has failed or is still being played becomes the finished one: it keeps its row, which others
    name, and loses its chunks, so that a worker who has one finds that it is nobody's any more.
    moment: that they are said to be of
    """
    wanted = list(keys)
    if Batch.objects.filter(id__in=wanted).exclude(state=Batch.State.DONE).exists():
        exclusive(BATCHES_ASKED_FOR)  # nobody lets one of them run on meanwhile
    done = set(Batch.objects.filter(state=Batch.State.DONE).order_by().values_list("id", flat=True))
    new = [key for key in wanted if key not in done]
    rest = iter(new)
    while some := list(islice(rest, AT_ONCE)):
        _load(folder, some, moment)
    return len(new)


def _load(folder: EditionFolder, keys: list[str], moment: datetime.datetime) -> None:
    documents = {key: folder.read(BATCHES, key) for key in keys}
    for one in {one["ruleset"]["hash"]: one["ruleset"] for one in documents.values()}.values():
        rulesets.save(parse_kept(one["document"]))
    batches = [_batch(key, one, moment) for key, one in documents.items()]
    columns = [*TERMS, ROW_VERSION, *RESULTS, *OWN]
    Batch.objects.bulk_create(batches, update_conflicts=True, unique_fields=["id"], update_fields=columns)
    Batch.objects.filter(id__in=keys).update(created=moment)
    for model in (Chunk, Measurement, Plot):  # after that, since a worker may have closed one just before
        model._default_manager.filter(batch__in=keys).delete()
    Chunk.objects.bulk_create(_chunk(folder, batch) for batch in batches)
    Measurement.objects.bulk_create(
        Measurement(batch_id=key, **columns) for key in keys for columns in measurements_of(documents[key]["summary"])
    )
    Plot.objects.bulk_create(Plot(batch_id=key, **plot) for key in keys for plot in documents[key]["plots"])


def _batch(key: str, document: Document, moment: datetime.datetime) -> Batch:
    columns = {name: document[name] for name in (*TERMS, *RESULTS)} | {ROW_VERSION: document.get(ROW_VERSION)}
    ruleset = document["ruleset"]["hash"]
    batch = Batch(
        id=key, ruleset_id=ruleset, state=Batch.State.DONE, origin=Batch.Origin.DEMO, closed=moment, **columns
    )
    if (named := request_of_batch(batch).id_with(batch.players_version or 0)) != key:
        raise WrongRequest.of("edition", f"{BATCHES}/{key} holds the batch {named}")
    return batch


def _chunk(folder: EditionFolder, batch: Batch) -> Chunk:
    """All its games in one."""
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
