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

from simulator.engine.family import family
from simulator.models import Batch, Chunk

Rows = npt.NDArray[np.int32]  # int32[games, measures]


def packed(rows: Rows) -> bytes:
    return zlib.compress(rows.T.astype("<i4").tobytes(), level=6)


def unpacked(data: bytes, columns: int) -> Rows:
    """The rows that `packed` made these bytes of."""
    return np.frombuffer(zlib.decompress(data), dtype="<i4").reshape(columns, -1).T


class RowsDigest:
    """SHA-256 over rows in game order, row after row, each number as four bytes, little-endian."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, rows: Rows) -> None:
        self._hash.update(np.ascontiguousarray(rows, dtype="<i4").tobytes())

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def digest_of(rows: Rows) -> str:
    digest = RowsDigest()
    digest.add(rows)
    return digest.hexdigest()


def kept_rows(batch: Batch) -> Iterator[tuple[int, Rows]]:
    """(first game, rows) of each finished chunk that keeps its rows, in game order, one in memory at a time."""
    columns = len(family(batch.ruleset.family).measures)
    done = batch.chunks.filter(state=Chunk.State.DONE, rows__isnull=False).order_by("number")
    for first_game, data in done.values_list("first_game", "rows").iterator(chunk_size=1):
        yield first_game, unpacked(bytes(data or b""), columns)


def csv_lines(batch: Batch) -> Iterator[str]:
    """The kept rows as CSV, a few thousand lines at a time, with the names of the measures first."""
    yield ",".join(["game", *(measure.name for measure in family(batch.ruleset.family).measures)]) + "\n"
    for first_game, rows in kept_rows(batch):
        numbers = enumerate(rows.tolist(), first_game)
        yield "".join(f"{game},{','.join(map(str, row))}\n" for game, row in numbers)


def rows_between(batch: Batch, first: int, beyond: int) -> list[list[int]]:
    """The kept rows of the games from `first` to the one before `beyond`, each with the number of its game first."""
    columns, found = len(family(batch.ruleset.family).measures), []
    touched = batch.chunks.filter(state=Chunk.State.DONE, rows__isnull=False, first_game__lt=beyond)
    touched = touched.annotate(after=F("first_game") + F("games")).filter(after__gt=first).order_by("number")
    for start, data in touched.values_list("first_game", "rows"):
        rows = unpacked(bytes(data or b""), columns)[max(0, first - start) : beyond - start]
        found += [[game, *row] for game, row in enumerate(rows.tolist(), max(first, start))]
    return found


def json_lines(batch: Batch) -> Iterator[str]:
    """The kept rows, an object of JSON on each line, a few thousand lines at a time."""
    names = [measure.name for measure in family(batch.ruleset.family).measures]
    for first_game, rows in kept_rows(batch):
        numbers = enumerate(rows.tolist(), first_game)
        yield "".join(f"{json.dumps({'game': game, **dict(zip(names, row, strict=True))})}\n" for game, row in numbers)
