"""The releases this site offers: the datasets in a folder, and their files, of which only the listed ones are sent."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, cast

from django.conf import settings

from catalogue.dataset.described import CHANGES_FILE
from catalogue.dataset.folder import SUMS, DatasetProblem
from catalogue.dataset.verifying import PACKAGE, Release, release_in
from catalogue.web.conditional import keep_for_nobody

BLOCK = 1 << 16  # bytes
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest it knows: the same files are the same archive


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file of a release, or a folder of many (`files` of them)."""

    path: str
    title: str
    about: str
    bytes: int
    digest: str
    files: int = 1


def releases() -> list[Release]:
    """The newest first. A folder that is no dataset is passed over, and one being written has a name with a dot."""
    keep_for_nobody()
    folder = Path(settings.DATASETS_DIR)
    if not folder.is_dir():
        return []
    found: dict[str, Release] = {}
    for place in sorted(folder.iterdir()):
        release = None if place.name.startswith(".") else _release(place)
        if release is not None:
            found.setdefault(release.version, release)
    return [found[version] for version in sorted(found, reverse=True)]


def file_of(release: Release, path: str) -> Path | None:
    """None for whatever the release does not list, and for what leads out of its folder."""
    if path not in release.digests and path != SUMS:
        return None
    file, folder = (release.place / path).resolve(), release.place.resolve()
    return file if file.is_relative_to(folder) and file.is_file() else None


def listed(release: Release) -> tuple[list[ListedFile], list[ListedFile]]:
    """(the tables, everything else); what stands in a folder of the release is counted together."""
    described: dict[str, Any] = {str(one.get("path")): one for one in release.package.get("resources") or ()}
    tables: list[ListedFile] = []
    others: list[ListedFile] = []
    together: dict[str, list[int]] = {}
    for path in sorted(release.digests):
        one = described.get(path, {})
        size = (release.place / path).stat().st_size
        if "/" in path:
            together.setdefault(path.partition("/")[0], []).append(size)
            continue
        row = ListedFile(path, one.get("title", path), one.get("description", ""), size, release.digests[path])
        (tables if one.get("schema") and path != CHANGES_FILE else others).append(row)
    others += [ListedFile(f"{name}/", f"{name}/", "", sum(sizes), "", len(sizes)) for name, sizes in together.items()]
    return tables, others


def size_of(release: Release) -> int:
    return sum((release.place / path).stat().st_size for path in release.digests)


def zipped(release: Release) -> Iterator[bytes]:
    """All of it as one archive, unpacked within, in a folder named by the version; made as it is sent."""
    pipe = _Pipe()
    with zipfile.ZipFile(cast(IO[bytes], pipe), "w", zipfile.ZIP_STORED) as archive:
        for path in sorted((*release.digests, SUMS)):
            file = file_of(release, path)
            if file is None:
                continue
            inside = zipfile.ZipInfo(f"{archive_name(release)}/{path}", ZIP_TIME)
            inside.external_attr = 0o644 << 16
            with archive.open(inside, "w", force_zip64=True) as target, file.open("rb") as stream:
                while block := stream.read(BLOCK):
                    target.write(block)
                    yield pipe.take()
    yield pipe.take()


def archive_name(release: Release) -> str:
    return f"evidence-of-traditional-games-{release.version}"


class _Pipe:
    """Takes what an archive writes until somebody takes it away."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _release(place: Path) -> Release | None:
    """Read again only when it was written again."""
    try:
        changed = tuple((place / name).stat().st_mtime_ns for name in (SUMS, PACKAGE))
        return _read(place, changed)
    except (DatasetProblem, OSError):
        return None


@lru_cache(maxsize=32)
def _read(place: Path, changed: tuple[int, ...]) -> Release:
    return release_in(place)
