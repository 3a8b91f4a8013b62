"""A folder that a dataset is written into: beside its place, and moved there when it is whole."""

import gzip
import hashlib
import io
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from catalogue.dataset.paths import checked_path
from catalogue.dataset.problems import DatasetProblem

SUMS = "SHA256SUMS"


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
