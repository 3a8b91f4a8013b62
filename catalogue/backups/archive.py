"""The file of a backup: a ZIP archive of rows, releases and a list of both with their digests.

tables/<app>.<model>.jsonl   a row a line
datasets/<folder>/…          the releases, as they stand
backup.json                  what the others are, and the SHA-256 of each; its own is the archive's comment
"""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from catalogue.backups.problems import BackupProblem

FORMAT = 1
NAME = "backup of evidence-of-traditional-games"
LIST = "backup.json"
BLOCK = 1 << 20  # bytes
# What reading a damaged archive raises: also of a flag that says encrypted, or of a method of compression there is not.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError)


class NewArchive:
    """digests: of the files written so far"""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.digests: dict[str, str] = {}

    def write(self, name: str, blocks: Iterable[bytes]) -> int:
        """Returns how many blocks there were."""
        digest, number = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as target:
            for block in blocks:
                digest.update(block)
                target.write(block)
                number += 1
        self.digests[name] = digest.hexdigest()
        return number

    def finish(self, contents: dict[str, Any]) -> str:
        """Write the list, the last of the files; returns its digest, which stands for all of them."""
        document = {"name": NAME, "format": FORMAT, **contents, "files": self.digests}
        text = json.dumps(document, ensure_ascii=False, indent=1).encode()
        self._archive.writestr(LIST, text)
        digest = hashlib.sha256(text).hexdigest()
        self._archive.comment = digest.encode()
        return digest


class Archive:
    """A backup that was found whole. contents: what its list says; digest: of the list."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.contents = self._listed()
        self.digest = archive.comment.decode("ascii", "replace")
        self._verify()

    def lines(self, name: str) -> Iterator[bytes]:
        with self._archive.open(name) as stream:
            yield from stream

    def copy(self, name: str, target: IO[bytes]) -> None:
        with self._archive.open(name) as stream:
            while block := stream.read(BLOCK):
                target.write(block)

    def _listed(self) -> dict[str, Any]:
        try:
            text = self._archive.read(LIST)
            document = json.loads(text)
        except (KeyError, ValueError):
            document = None
        if not isinstance(document, dict) or document.get("name") != NAME:
            raise BackupProblem(f"this is no backup of this catalogue: it has no {LIST} that says so")
        if document.get("format") != FORMAT:
            message = f"the backup has format {document.get('format')!r}, and this version reads {FORMAT}"
            raise BackupProblem(f"{message}: restore it with the version that made it ({document.get('version')})")
        if hashlib.sha256(text).hexdigest().encode() != self._archive.comment:
            raise BackupProblem(f"the backup was changed: {LIST} has another digest than the archive says")
        return document

    def _verify(self) -> None:
        digests, names = self.contents["files"], set(self._archive.namelist())
        for name in sorted({*digests, LIST} ^ names):
            raise BackupProblem(f"the backup was changed: {name} is {'not listed' if name in names else 'missing'}")
        for name, digest in digests.items():
            with self._archive.open(name) as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != digest:  # type: ignore[arg-type]
                    raise BackupProblem(f"the backup was changed: {name} has another digest than {LIST} says")


@contextmanager
def opened(file: Path) -> Iterator[Archive]:
    """Raises BackupProblem if it is no backup, not whole, or of a format that this version does not read."""
    with ExitStack() as until_the_end:
        try:
            archive = Archive(until_the_end.enter_context(zipfile.ZipFile(file)))
        except DAMAGED as error:
            raise BackupProblem(f"{file} is no backup, or only a part of one: {error}") from error
        yield archive
