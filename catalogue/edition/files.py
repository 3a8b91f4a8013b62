"""The folder of an edition: a file for each part that is finished, by its kind and id, and the index of what it holds.

A file is canonical JSON compressed by xz: the same results are the same document, whose digest is told of it. Nothing
in it says when, or on what machine, it was made. The rows of a batch stand beside it, `<id>.rows.xz`: int32,
little-endian, column after column, of each column first all lowest bytes, then all next ones, which packs best.
"""

import hashlib
import json
import lzma
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings

from simulator.batches.rows import Rows
from simulator.problems import WrongRequest

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "edition"
DOCUMENT, ROWS = ".json.xz", ".rows.xz"
PRESET = 6
Document = dict[str, Any]
INDEX = "index.json"
SAMPLE = 10  # parts that are verified, unless it is said how many


def digest_of(document: Document) -> str:
    """SHA-256, in hexadecimal, of the canonical JSON."""
    return hashlib.sha256(_bytes(document)).hexdigest()


def _bytes(document: Document) -> bytes:
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode()


@dataclass(frozen=True, slots=True)
class EditionFolder:
    place: Path = FOLDER

    def has(self, kind: str, key: str) -> bool:
        return self._file(kind, key, DOCUMENT).exists()

    def ids(self, kind: str) -> list[str]:
        """The ids of the finished parts of a kind, in a lasting order."""
        return sorted(one.name.removesuffix(DOCUMENT) for one in (self.place / kind).glob(f"*{DOCUMENT}"))

    def read(self, kind: str, key: str) -> Document:
        """The document of a part; raises WrongRequest if the file is damaged."""
        document: Document = self._unpacked(self._file(kind, key, DOCUMENT), json.loads)
        return document

    def write(self, kind: str, key: str, document: Document, rows: Rows | None = None) -> None:
        """The document last, so that a part that is there is whole."""
        if rows is not None:
            self._replace(self._file(kind, key, ROWS), _planes(rows))
        self._replace(self._file(kind, key, DOCUMENT), _bytes(document))

    def rows(self, kind: str, key: str, columns: int) -> Rows | None:
        """The rows of a batch, int32[games, columns]; None if they are not there. Raises WrongRequest if damaged."""
        file = self._file(kind, key, ROWS)
        if not file.exists():
            return None
        planes = self._unpacked(file, lambda data: np.frombuffer(data, dtype=np.uint8).reshape(columns, 4, -1))
        return np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<i4")[:, :, 0].T

    def _unpacked(self, file: Path, read: Callable[[bytes], Any]) -> Any:
        try:
            return read(lzma.decompress(file.read_bytes()))
        except (lzma.LZMAError, ValueError, EOFError) as error:
            raise WrongRequest.of("edition", f"{file.relative_to(self.place)} is damaged: {error}") from error

    def remove(self, kind: str, key: str) -> None:
        for ending in (DOCUMENT, ROWS):
            self._file(kind, key, ending).unlink(missing_ok=True)

    def size(self, kind: str, key: str) -> int:
        """Bytes of the part."""
        files = (self._file(kind, key, ending) for ending in (DOCUMENT, ROWS))
        return sum(file.stat().st_size for file in files if file.exists())

    def every(self, kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """(kind, id) of every finished part."""
        return ((kind, key) for kind in kinds for key in self.ids(kind))

    def _file(self, kind: str, key: str, ending: str) -> Path:
        return self.place / kind / f"{key}{ending}"

    def _replace(self, file: Path, content: bytes) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}")
        beside.write_bytes(lzma.compress(content, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, preset=PRESET))
        os.replace(beside, file)


def _planes(rows: Rows) -> bytes:
    columns = np.ascontiguousarray(rows.T, dtype="<i4")
    return np.ascontiguousarray(columns.view(np.uint8).reshape(*columns.shape, 4).transpose(0, 2, 1)).tobytes()


@dataclass(frozen=True, slots=True)
class IndexedPart:
    """A part as the index has it.

    digest:  of the document
    reached: how well the shares of a batch are known, ± percentage points
    of_plan: whether the plan asks for just this part
    players: the lines of players of its games; empty in an index that did not name them yet
    """

    kind: str
    name: str
    id: str
    game: str
    level: str
    digest: str
    bytes: int
    games: int
    reached: float | None
    of_plan: bool
    players: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class EditionRelease:
    """missing: "strong daramuti-parker" by kind; given_up: what the plan gave up to fit, in words

    withheld: of the missing, those that were there and are so no longer, by kind: they were played by players who are
              no longer those of the level, and wait to be played again
    """

    date: str
    release: str
    versions: dict[str, int]
    missing: dict[str, list[str]]
    given_up: list[str]
    parts: list[IndexedPart]
    withheld: dict[str, list[str]] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        return sum(part.bytes for part in self.parts)


def read_index(folder: EditionFolder) -> EditionRelease | None:
    """The index of an edition; None if nothing was published. Raises WrongRequest if the file is damaged."""
    file = folder.place / INDEX
    if not file.exists():
        return None
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return EditionRelease(**{**document, "parts": [IndexedPart(**one) for one in document["parts"]]})
    except (ValueError, TypeError, KeyError) as error:
        raise WrongRequest.of("edition", f"{INDEX} is damaged: {error}") from error
