"""The rows of a batch as they are kept: one per game, int32, column after column, compressed.

A column holds one measure of consecutive games, so its bytes are alike and shrink to a few per game. The digest of a
batch is taken over the rows themselves in game order, so it does not depend on how they were cut into chunks.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from django.db.models import F

from simulator.engine.family import Measure, family
from simulator.models import Batch, Chunk

Rows = npt.NDArray[np.int32]  # int32[games, measures]


def packed(rows: Rows) -> bytes:
    """Return the rows as bytes, column after column."""
    # From this level on a tenth less room costs several times the processor time.
    return zlib.compress(np.ascontiguousarray(rows.T, dtype="<i4").data, level=4)


def unpacked(data: bytes, columns: int) -> Rows:
    """Return the rows that `packed` made these bytes of."""
    return np.frombuffer(zlib.decompress(data), dtype="<i4").reshape(columns, -1).T


class RowsDigest:
    """SHA-256 over rows in game order, row after row, each number as four bytes, little-endian."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, rows: Rows) -> None:
        self._hash.update(np.ascontiguousarray(rows, dtype="<i4").data)

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def digest_of(rows: Rows) -> str:
    digest = RowsDigest()
    digest.add(rows)
    return digest.hexdigest()


def measure_names(batch: Batch) -> list[str]:
    """Return what the columns of its rows hold."""
    return [measure.name for measure in family(batch.ruleset.family).measures_of(batch.columns_version)]


def uncounted(batch: Batch) -> tuple[Measure, ...]:
    """Return the columns that rows of its family have now, and those of this batch have not."""
    return family(batch.ruleset.family).measures_after(batch.columns_version)


def kept_rows(batch: Batch, first: int = 0, beyond: int | None = None) -> Iterator[tuple[int, Rows]]:
    """Yield (first game, rows) of each finished chunk that keeps its rows, in game order, one in memory at a time.

    first, beyond: of the chunks only those with games from `first` to the one before `beyond`
    """
    columns = len(measure_names(batch))
    done = batch.chunks.filter(state=Chunk.State.DONE, rows__isnull=False).order_by("number")
    if beyond is not None:
        done = done.alias(after=F("first_game") + F("games")).filter(after__gt=first, first_game__lt=beyond)
    for first_game, data in done.values_list("first_game", "rows").iterator(chunk_size=1):
        yield first_game, unpacked(bytes(data or b""), columns)


def csv_lines(batch: Batch) -> Iterator[str]:
    """Yield the kept rows as CSV, a few thousand lines at a time, with the names of the measures first."""
    names = ["game", *measure_names(batch)]
    yield ",".join(names) + "\n"
    line = ",".join(["%d"] * len(names)) + "\n"
    for start, rows in kept_rows(batch):
        numbered = np.column_stack([np.arange(start, start + len(rows)), rows])
        yield line * len(rows) % tuple(numbered.ravel().tolist())  # at once: number by number takes twice as long


def rows_between(batch: Batch, first: int, beyond: int) -> list[list[int]]:
    """Return the kept rows of the games from `first` to before `beyond`, each with its number first."""
    return [row for rows in _numbered(batch, first, beyond) for row in rows]


def json_lines(batch: Batch) -> Iterator[str]:
    """Yield the kept rows, an object of JSON on each line, a few thousand lines at a time."""
    names = ["game", *measure_names(batch)]
    for rows in _numbered(batch):
        yield "".join(f"{json.dumps(dict(zip(names, row, strict=True)))}\n" for row in rows)


def _numbered(batch: Batch, first: int = 0, beyond: int | None = None) -> Iterator[list[list[int]]]:
    """Yield the kept rows as lists, chunk by chunk, each row with the number of its game first."""
    for start, rows in kept_rows(batch, first, beyond):
        chosen = rows[max(0, first - start) : None if beyond is None else beyond - start]
        yield [[game, *row] for game, row in enumerate(chosen.tolist(), max(first, start))]
