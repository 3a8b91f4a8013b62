"""The releases of a backup: unpacked beside their place, and moved there at the end or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from django.conf import settings

from catalogue.backups.archive import Archive
from catalogue.backups.problems import BackupProblem, NotEmpty

WITHIN = "datasets"


@dataclass(frozen=True, slots=True)
class Unpacked:
    """beside: a folder on the same disk as the releases; names: of those that are not here yet as they are"""

    beside: Path
    names: list[str]

    def put_in_place(self) -> None:
        old = self.beside / ".old"
        old.mkdir()
        for name in self.names:
            place = Path(settings.DATASETS_DIR) / name
            if place.exists():
                os.rename(place, old / name)
            os.rename(self.beside / name, place)


@contextmanager
def unpacked_releases(archive: Archive, replace: bool) -> Iterator[Unpacked]:
    """Raises NotEmpty if another release of that name is here and may not be replaced."""
    folder = Path(settings.DATASETS_DIR)
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=folder) as made:
        beside = Path(made)
        for file in archive.contents["files"]:
            if file.startswith(f"{WITHIN}/"):
                _unpack(archive, file, beside)
        names = [name for name in archive.contents["releases"] if not _same(beside / name, folder / name)]
        for name in names:
            if (folder / name).exists() and not replace:
                raise NotEmpty(f"another release {name} is in {folder}: move it away, or say --replace to lose it")
        yield Unpacked(beside, names)


def _unpack(archive: Archive, file: str, beside: Path) -> None:
    parts = PurePosixPath(file).parts[1:]
    target = beside.joinpath(*parts)
    if ".." in parts or not target.resolve().is_relative_to(beside.resolve()):
        raise BackupProblem(f"the backup has a file that leads elsewhere: {file}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.parent.chmod(0o755)
    with target.open("xb") as stream:
        archive.copy(file, stream)


def _same(one: Path, other: Path) -> bool:
    return other.is_dir() and _contents(one) == _contents(other)


def _contents(place: Path) -> dict[str, bytes]:
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}
