"""The batches that come with the catalogue: their tallies and rows as files, and such files as batches again.

Figures and plots are no part of a dataset. They are computed and drawn again from the tally, by the code that closes
every batch.
"""

import gzip
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from django.core.exceptions import ValidationError

from catalogue.dataset.described import schema_of_rows
from catalogue.dataset.folder import DatasetProblem, Folder, refused_by_model
from catalogue.dataset.tables import DatasetTable, shipped_batches
from catalogue.dataset.verifying import ReadRow, Release, bounded_lines, read_json
from simulator.batches import finalize, traffic
from simulator.batches.requests import players_version_of, request_of_batch
from simulator.batches.rows import Rows, RowsDigest, csv_lines, digest_of, packed
from simulator.batches.service import MOST_CHUNK_GAMES, MOST_GAMES_WITH_ROWS
from simulator.engine.family import Measure, family
from simulator.engine.tally import Tally, TallyProblem, tally_rows
from simulator.engine.traffic import Sums, TrafficProblem
from simulator.models import Batch, Chunk

INT32 = np.iinfo(np.int32)

LONGEST_NUMBER = len("-2147483648,")


def tally_file(batch: str) -> str:
    return f"batches/{batch}.tally.json"


def rows_file(batch: str) -> str:
    return f"batches/{batch}.rows.csv.gz"


def traffic_file(batch: str) -> str:
    return f"batches/{batch}.traffic.json"


def write_batches(folder: Folder, notify: Callable[[str], None] = lambda text: None) -> None:
    """Write the tally of every shipped batch, its traffic and its rows if they are kept; one batch at a time."""
    shipped = shipped_batches().select_related("ruleset").order_by("id")
    number = shipped.count()
    for place, batch in enumerate(shipped.iterator(chunk_size=1), start=1):
        notify(f"games of batches: {place:,} of {number:,}")
        folder.write_json(tally_file(batch.id), batch.tally)
        if batch.counts_traffic and not traffic.has_figures_only(batch):
            sums, _, version = traffic.kept_of(batch)
            folder.write_json(traffic_file(batch.id), {"version": version, **sums.to_json()})
        if not batch.rows_kept:
            continue
        schema, measures = _schema(batch)
        if schema not in folder.digests:
            folder.write_json(schema, schema_of_rows(measures))
        folder.write_compressed(rows_file(batch.id), csv_lines(batch))
        folder.schemas[rows_file(batch.id)] = schema


def _schema(batch: Batch) -> tuple[str, tuple[Measure, ...]]:
    """The file that describes its rows, and their columns: of an earlier row version its own."""
    kind = family(batch.ruleset.family)
    version = "" if batch.columns_version == kind.row_version else f"-{batch.columns_version}"
    return f"schemas/{kind.name}{version}.json", kind.measures_of(batch.columns_version)


def load_batch(release: Release, table: DatasetTable, row: ReadRow, *, drawn: bool = True) -> None:
    """The batch of a row of batches.csv, with its figures; raises DatasetProblem if its files are not its own."""
    values = row.values
    request = {name: values[name] for name in values if name not in ("ruleset", "created", "closed")}
    batch = Batch(**request, ruleset_id=values["ruleset"][0], work=0, state=Batch.State.DONE, origin=Batch.Origin.DEMO)
    try:
        batch.clean_fields()
        wanted = request_of_batch(batch)
        batch.work = wanted.work
        batch.players_version = players_version_of(wanted, batch.id)
    except ValidationError as problem:
        raise refused_by_model(problem, table.file, row.line) from problem
    except ValueError as problem:
        raise DatasetProblem(str(problem), table.file, row.line) from problem
    if not wanted.uses_search and wanted.id != batch.id:  # players who think have versions, which are part of the name
        raise DatasetProblem(f"this request is batch {wanted.id}, not {batch.id}", table.file, row.line, "id")
    document = read_json(release.place / tally_file(batch.id), tally_file(batch.id))
    tally = _tally(document, batch, tally_file(batch.id))
    batch.tally = tally.to_json()
    batch.save(force_insert=True)
    Batch.objects.filter(id=batch.id).update(created=values["created"], closed=values["closed"])
    if batch.rows_kept:
        _load_rows(batch, family(wanted.ruleset.family).measures_of(batch.columns_version), release.place)
    else:
        Chunk.objects.create(
            batch=batch, number=0, games=batch.games, first_game=0, state=Chunk.State.DONE, tally=batch.tally
        )
    if batch.counts_traffic:
        _load_traffic(batch, release.place)
    finalize.redraw(batch, drawn=drawn)


def _load_traffic(batch: Batch, place: Path) -> None:
    file = traffic_file(batch.id)
    try:
        document = read_json(place / file, file)
        version = int(document.get("version", 1))
        sums = Sums.from_json(document, traffic.layout_of(batch, version).cells)
    except (TrafficProblem, KeyError, TypeError, ValueError, AttributeError, OverflowError) as problem:
        raise DatasetProblem(f"this is no traffic of its board: {problem!r}", file) from problem
    if int(sums.games.sum()) != batch.games:
        raise DatasetProblem(f"counts {int(sums.games.sum())} games, and batches.csv says {batch.games}", file)
    traffic.keep(batch, sums, version)


def _tally(document: Any, batch: Batch, file: str) -> Tally:
    try:
        tally = Tally.from_json(document)
        digest = tally.digest()
    except (TallyProblem, KeyError, TypeError, ValueError, AttributeError) as problem:
        raise DatasetProblem(f"this is no tally: {problem!r}", file) from problem
    if digest != batch.tally_digest:
        raise DatasetProblem(f"has the digest {digest}, and batches.csv says {batch.tally_digest}", file)
    if tally.games != batch.games:
        raise DatasetProblem(f"counts {tally.games} games, and batches.csv says {batch.games}", file)
    return tally


def _load_rows(batch: Batch, measures: tuple[Measure, ...], place: Path) -> None:
    file = rows_file(batch.id)
    if batch.games > MOST_GAMES_WITH_ROWS:
        raise DatasetProblem(f"rows are kept of {MOST_GAMES_WITH_ROWS:,} games at most, not of {batch.games:,}", file)
    digest, first = RowsDigest(), 0
    for number, rows in enumerate(_parts(place / file, file, measures, batch.games)):
        digest.add(rows)
        Chunk.objects.create(
            batch=batch, number=number, first_game=first, games=len(rows), state=Chunk.State.DONE,
            rows=packed(rows), tally=tally_rows(rows, measures).to_json(), digest=digest_of(rows),
        )  # fmt: skip
        first += len(rows)
    if first != batch.games:
        raise DatasetProblem(f"holds {first} games, and batches.csv says {batch.games}", file)
    if digest.hexdigest() != batch.digest:
        raise DatasetProblem(f"its rows have the digest {digest.hexdigest()}, not {batch.digest}", file)


def _parts(path: Path, file: str, measures: tuple[Measure, ...], games: int) -> Iterator[Rows]:
    """The rows, a chunk of games at a time. Not more is unpacked than the batch has games."""
    header = ",".join(["game", *(measure.name for measure in measures)])
    try:
        with gzip.open(path, "rb") as stream:
            # No row is longer than its numbers can be: else a few compressed bytes would fill the memory.
            lines = bounded_lines(stream, file, max(len(header), LONGEST_NUMBER * (len(measures) + 1)) + len("\r\n"))
            if (found := next(lines, "").rstrip("\n")) != header:
                raise DatasetProblem(f"must begin with {header!r}, not {found[:80]!r}", file, 1)
            first = 0
            while some := list(islice(lines, min(MOST_CHUNK_GAMES, games - first + 1))):
                if first + len(some) > games:
                    raise DatasetProblem(f"has more rows than the {games} games of its batch", file, games + 2)
                yield _numbers(some, file, first, len(measures))
                first += len(some)
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise DatasetProblem(f"is not compressed by gzip, or not all of it is there: {problem}", file) from problem


def _numbers(lines: list[str], file: str, first: int, columns: int) -> Rows:
    try:
        table = np.loadtxt(lines, dtype=np.int64, delimiter=",", comments=None, ndmin=2)
    except ValueError as problem:
        raise DatasetProblem(f"{problem} (of those after line {first + 1})", file) from problem
    if table.shape != (len(lines), columns + 1) or (table < INT32.min).any() or (table > INT32.max).any():
        raise DatasetProblem(f"needs {columns + 1} whole numbers in every row", file, first + 2)
    wrong = np.flatnonzero(table[:, 0] != np.arange(first, first + len(lines)))
    if wrong.size:
        number = first + int(wrong[0])
        raise DatasetProblem(f"game {number} belongs here", file, number + 2, "game")
    return table[:, 1:].astype(np.int32)
