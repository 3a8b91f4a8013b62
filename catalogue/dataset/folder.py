"""The folder of a dataset: written beside its place and moved there when it is whole; what is wrong with one that is
read.

Names of files are relative, plain, and the same on every system.
"""

import gzip
import hashlib
import io
import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.exceptions import ValidationError

PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,119}")
MOST_PARTS = 3
SUMS = "SHA256SUMS"


class DatasetProblem(ValueError):
    """The message names the file and, where that means something, the line and the column."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: str = "") -> None:
        self.file, self.line, self.column = file, line, column
        where = [file, f"line {line}" if line else "", f"column {column}" if column else ""]
        super().__init__(": ".join(part for part in (", ".join(filter(None, where)), message) if part))


def refused_by_model(problem: ValidationError, file: str, line: int) -> DatasetProblem:
    """The first of the columns that a model refuses."""
    name, messages = next(iter(problem.message_dict.items()))
    return DatasetProblem(" ".join(messages), file, line, name)


class NotADataset(DatasetProblem):
    """There is no dataset at all where one was named, or something stands where one should be written."""


def checked_path(path: str, file: str, line: int = 0) -> str:
    """The path as it is; raises DatasetProblem if it could lead out of the dataset or means something else elsewhere.

    file, line: where it is written
    """
    parts = path.split("/")
    if len(parts) > MOST_PARTS or not all(PLAIN.fullmatch(part) for part in parts):
        rule = "a path is made of letters, digits, '.', '_' and '-', with '/' between folders"
        raise DatasetProblem(f"{path[:120]!r} leads nowhere within a dataset: {rule}", file, line)
    return path


def digest_of(file: Path) -> str:
    """SHA-256, in hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Folder:
    """Writes files below `place`, and knows size and digest of each.

    schemas: file → the file that describes its columns
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self.digests: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.schemas: dict[str, str] = {}

    @contextmanager
    def _open(self, path: str) -> Iterator[IO[bytes]]:
        file = self.place / checked_path(path, "the dataset")
        if path.casefold() in {known.casefold() for known in self.digests}:
            raise DatasetProblem(f"two files of the dataset would be called {path}")
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("xb") as stream:
            yield stream
        self.digests[path] = digest_of(file)
        self.sizes[path] = file.stat().st_size

    def write_lines(self, path: str, lines: Iterable[str]) -> None:
        with self._open(path) as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
            text.writelines(lines)

    def copy_file(self, path: str, file: Path) -> None:
        with self._open(path) as stream, file.open("rb") as source:
            shutil.copyfileobj(source, stream)

    def write_compressed(self, path: str, lines: Iterable[str]) -> None:
        """No name and no time within: the same lines are the same bytes."""
        with self._open(path) as stream, gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
            for text in lines:
                packed.write(text.encode())

    def write_json(self, path: str, document: Any) -> None:
        text = json.dumps(document, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False)
        self.write_lines(path, [text, "\n"])

    def write_sums(self) -> None:
        """The last file: a line for each of the others, as `sha256sum --check` reads them."""
        self.write_lines(SUMS, [f"{self.digests[path]}  {path}\n" for path in sorted(self.digests)])


@contextmanager
def new_folder(place: Path) -> Iterator[Folder]:
    """A folder that stands at `place` afterwards, instead of what stands there now, or does not stand anywhere."""
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        made, old = beside / "new", beside / "old"
        made.mkdir()
        yield Folder(made)
        if place.exists():
            place.rename(old)
        try:
            made.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
    finally:
        shutil.rmtree(beside)
